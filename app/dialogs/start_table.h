// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "core/mechanics/sphere.h"
#include "ui/shell/interface_colors.h"

namespace twosphere {

/// The start of a system as a table: a direction q and an angular velocity ω of each body, three
/// numbers in a cell.
class StartTable : public QTableWidget {
  Q_OBJECT
 public:
  static constexpr int max_bodies = 100;

  explicit StartTable(QWidget* parent = nullptr);

  /// Shows a start, unless a cell is being typed in; without ω where that follows from q.
  void set_start(const Columns& q, const Columns& omega, bool with_omega);
  void set_colors(const ui::Colors& colors) { colors_ = &colors; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  /// Three numbers were typed for q or, with `omega`, for ω of a body.
  void typed(int body, bool omega, const Vec3& value);

 private:
  void read(const QTableWidgetItem& cell);

  const ui::Colors* colors_ = nullptr;
};

}  // namespace twosphere
