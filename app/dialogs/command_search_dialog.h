// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <vector>

class QAction;
class QLineEdit;
class QTreeWidget;

namespace twosphere {

/// Everything that the menus hold, found by a few letters: Enter carries it out, Esc closes.
class CommandSearch : public QDialog {
  Q_OBJECT
 public:
  /// An action, and the menu that it is in.
  struct Entry {
    QAction* action;
    QString menu;
  };
  CommandSearch(std::vector<Entry> entries, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void filter();
  void carry_out();

  std::vector<Entry> entries_;
  QLineEdit* line_;
  QTreeWidget* list_;
};

}  // namespace twosphere
