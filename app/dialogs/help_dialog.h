// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTextBrowser>
#include <functional>

class QComboBox;
class QUrl;

namespace twosphere {

/// Shows the help pages that come with the program: Markdown, by name. Links with the scheme "do",
/// [Halve the step](do:set:integrator.step=0.005), look like buttons.
class HelpBrowser : public QTextBrowser {
 public:
  explicit HelpBrowser(QWidget* parent = nullptr);

 protected:
  QVariant loadResource(int type, const QUrl& name) override;
  void changeEvent(QEvent* event) override;

 private:
  void draw_buttons();
};

/// Carries out an instruction of the page of a preset: "set:integrator.step=0.005".
using DoExercise = std::function<void(const QString& preset, const QString& instruction)>;

/// The help pages in a window of their own, one per preset, with links, a list of all, and back and
/// forward. Needs no network. Text can be selected and copied.
class HelpDialog : public QDialog {
  Q_OBJECT
 public:
  explicit HelpDialog(QWidget* parent, DoExercise do_exercise = {});

  /// Of a preset; `heading`: the section to begin with, if it is not empty.
  void show_page(const QString& preset, const QString& heading = {});
  QTextBrowser& browser() { return *browser_; }

 private:
  void follow(const QUrl& link);

  DoExercise do_exercise_;
  HelpBrowser* browser_;
  QComboBox* pages_;
};

}  // namespace twosphere
