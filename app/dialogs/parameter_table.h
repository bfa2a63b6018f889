// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>
#include <optional>
#include <vector>

#include "app/session/system_draft.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {

/// The parameters of a system as a table, with an empty row at its end for another one.
class ParameterTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit ParameterTable(QWidget* parent = nullptr);

  void set_parameters(const std::vector<SystemDraft::Parameter>& parameters);
  /// A row for each of the table, but for empty ones at the end.
  std::vector<SystemDraft::Parameter> parameters() const;
  /// Adds one with the value 1, which is typed over next.
  void add(const QString& name);
  /// A cell that is being typed in takes it when that ends without a change.
  void set_value(int row, const QString& value);
  /// Marks cells; all others are unmarked. A cell that is being typed in is marked when that ends.
  void set_problems(const std::vector<DraftProblem>& problems, const ui::Colors& colors);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void changed();

 protected:
  void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

 private:
  struct Later {
    int row;
    QString before, text;
  };

  bool is_open(int row, int column) const;
  void mark();
  QString text(int row, ParameterColumn column) const;
  void keep_empty_row();

  std::vector<DraftProblem> problems_;
  const ui::Colors* colors_ = nullptr;
  std::optional<Later> later_;
};

}  // namespace twosphere
