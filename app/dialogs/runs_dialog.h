// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QDialog>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/branches.h"

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace twosphere {

/// The runs of the same start: names, colours, which are shown, and what can be done with each.
class RunsDialog : public QDialog {
  Q_OBJECT
 public:
  struct Row {
    int run = 0;  ///< Branch::id
    BranchLook look;
    bool present = false;
    QString parts, ends;  ///< the times where it leaves the present run, and of its head
    QColor color;
  };
  /// Gives a run another look, or deletes it.
  using Edit = std::function<Result<void>(int run, const std::optional<BranchLook>&)>;
  RunsDialog(Edit edit, QWidget* parent);

  void show_rows(std::vector<Row> rows);

 Q_SIGNALS:
  void go_on_wanted(int run);
  void save_wanted(int run);

 private:
  const Row* chosen() const;
  void edit(const Row& row, const std::optional<BranchLook>& look);
  void take_item(const QTreeWidgetItem& item);
  void fill();
  void update_buttons();

  Edit edit_;
  std::vector<Row> rows_;
  QTreeWidget* list_;
  QPushButton *go_on_, *color_, *save_, *delete_;
  QLabel* problem_;
};

}  // namespace twosphere
