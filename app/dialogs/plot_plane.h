// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <array>
#include <optional>

#include "app/figures/print_painter.h"
#include "core/color/palette.h"
#include "ui/plot/plot_layout.h"

class QPainter;
class QWidget;

namespace twosphere {

/// The axes of a plot that fills a widget: their ticks for the ranges, their drawing, and the
/// places of values. Both are linear.
class PlotPlane {
 public:
  /// Belongs to this widget, whose size and font it has.
  explicit PlotPlane(const QWidget& widget) : widget_(widget) {}

  ui::PlotAxis x, y;  ///< a unit "1" is not written

  /// Places the axes; call it after a change of the ranges, the labels or the widget.
  void arrange();
  /// The area of the plot, in whole pixels.
  QRectF box() const;
  QPointF place_of(double at_x, double at_y) const;
  /// The values at a place; none beside the plot.
  std::optional<std::array<double, 2>> value_at(QPointF at) const;
  /// Zooms about values by a turn of the wheel.
  void zoom(const std::array<double, 2>& about, double turned);

  /// The ground and the grid, below what is plotted.
  void draw_below(QPainter& painter, Palette palette) const;
  /// The frame, the ticks and the labels, above it.
  void draw_above(QPainter& painter, Palette palette) const;
  /// Draws something in the coordinates of the axes, clipped to the plot: draw(list, look, area).
  template <class Draw>
  void draw_inside(QPainter& painter, Palette palette, const Draw& draw) const {
    PrintPainter print(painter, font_points());
    ui::DrawList list;
    const ui::Area at = area();
    list.clip(at.box);
    draw(list, look(palette, print.height(ui::Face::text)), at);
    list.unclip();
    print.paint(list);
  }

 private:
  double unit() const;  ///< pixels per point
  double font_points() const;
  static ui::PlotLook look(Palette palette, double line);
  ui::Area area() const;

  const QWidget& widget_;
  ui::Ticks x_ticks_, y_ticks_;
  ui::Box box_;  // [pt]
};

}  // namespace twosphere
