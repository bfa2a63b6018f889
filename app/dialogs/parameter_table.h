// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>
#include <vector>

#include "app/session/system_draft.h"
#include "ui/shell/palette.h"

namespace twosphere {

/// The parameters of a system as a table, with an empty row at its end for another one.
class ParameterTable : public QTableWidget {
  Q_OBJECT
 public:
  explicit ParameterTable(QWidget* parent = nullptr);

  void set_parameters(const std::vector<SystemDraft::Parameter>& parameters);
  /// A row for each of the table, but for empty ones at the end.
  std::vector<SystemDraft::Parameter> parameters() const;
  void set_value(int row, const QString& value);
  /// Marks cells; all others are unmarked.
  void set_problems(const std::vector<DraftProblem>& problems, const ui::Colors& colors);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void changed();

 private:
  QString text(int row, ParameterColumn column) const;
  void keep_empty_row();
};

}  // namespace twosphere
