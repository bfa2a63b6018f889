// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QDialog>
#include <QString>
#include <optional>
#include <vector>

#include "app/dialogs/dialog.h"
#include "core/scenario/branches.h"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace twosphere {

/// The runs of the same start: names, colours, which are shown, and what can be done with each.
class RunsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit RunsDialog(const DialogContext& context);

  /// Shows the runs as they are now.
  void refresh();

 private:
  struct Row {
    int run = 0;  ///< Branch::id
    BranchLook look;
    bool present = false;
    QString from, ends;  ///< the run that it forks from and when, and the time of its head
    QColor color;
  };
  void make_buttons(QDialogButtonBox& buttons);
  std::vector<Row> read_rows() const;
  const Row* chosen() const;
  /// Gives a run another look, or deletes it.
  void edit(const Row& row, const std::optional<BranchLook>& look);
  void take_item(const QTreeWidgetItem& item);
  void fill();
  void fill_references();
  void update_buttons();

  const DialogContext context_;
  std::vector<Row> rows_;
  QTreeWidget* list_;
  QComboBox* references_;
  QPushButton *switch_, *color_, *save_, *delete_;
  QLabel* problem_;
};

}  // namespace twosphere
