// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "ui/shell/search_index.h"

class QLineEdit;
class QTreeWidget;

namespace twosphere {

/// Everything that the search finds by a few letters: Enter leads to it, Esc closes.
class CommandSearch : public QDialog {
  Q_OBJECT
 public:
  /// `follow`: leads to the entry that was chosen; called when the dialog has gone, as another may
  /// open.
  CommandSearch(std::vector<ui::SearchEntry> index,
                std::function<bool(const ui::SearchEntry&)> is_enabled,
                std::function<void(const ui::SearchEntry&)> follow, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void filter();
  void carry_out();

  std::vector<ui::SearchEntry> index_;
  std::function<bool(const ui::SearchEntry&)> is_enabled_;
  std::function<void(const ui::SearchEntry&)> follow_;
  QLineEdit* line_;
  QTreeWidget* list_;
};

}  // namespace twosphere
