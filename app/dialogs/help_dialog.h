// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTextBrowser>

class QComboBox;

namespace twosphere {

/// Shows the help pages that come with the program: Markdown, by name.
class HelpBrowser : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

 protected:
  QVariant loadResource(int type, const QUrl& name) override;
  void changeEvent(QEvent* event) override;
};

/// The help pages in a window of their own, one per preset, with links, a list of all, and back and
/// forward. Needs no network. Text can be selected and copied.
class HelpDialog : public QDialog {
  Q_OBJECT
 public:
  explicit HelpDialog(QWidget* parent);

  /// Of a preset; `heading`: the section to begin with, if it is not empty.
  void show_page(const QString& preset, const QString& heading = {});
  QTextBrowser& browser() { return *browser_; }

 private:
  HelpBrowser* browser_;
  QComboBox* pages_;
};

}  // namespace twosphere
