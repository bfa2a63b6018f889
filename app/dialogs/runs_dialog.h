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

class QComboBox;
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
    QString from, ends;  ///< the run that it forks from and when, and the time of its head
    QColor color;
  };
  /// Gives a run another look, or deletes it.
  using Edit = std::function<Result<void>(int run, const std::optional<BranchLook>&)>;
  RunsDialog(Edit edit, QWidget* parent);

  /// `reference`: the run that distances are measured to; −1: the present one.
  void show_rows(std::vector<Row> rows, int reference);

 Q_SIGNALS:
  void go_on_wanted(int run);
  void save_wanted(int run);
  /// Distances are to be measured to this run; −1: to the present one, whichever that is.
  void reference_wanted(int run);

 private:
  const Row* chosen() const;
  void edit(const Row& row, const std::optional<BranchLook>& look);
  void take_item(const QTreeWidgetItem& item);
  void fill();
  void fill_references();
  void update_buttons();

  Edit edit_;
  std::vector<Row> rows_;
  int reference_ = -1;
  QTreeWidget* list_;
  QComboBox* references_;
  QPushButton *go_on_, *color_, *save_, *delete_;
  QLabel* problem_;
};

}  // namespace twosphere
