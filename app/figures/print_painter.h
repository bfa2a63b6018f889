// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <string_view>
#include <vector>

#include "core/color/color.h"
#include "ui/plot/draw_list.h"

namespace twosphere {

QColor to_qcolor(Color color);
/// The size of a font in points, on a device where it may be given in pixels.
double font_points(const QFont& font, const QPaintDevice& device);

/// Draws a list on paper, with lengths in points from the upper left corner of the device at its
/// logical resolution. Lines are clipped before they are passed to QPainter, so that no point in a
/// file lies outside its plot. Circles and markers are drawn if their centres lie inside.
class PrintPainter : public ui::TextMeasure {
 public:
  PrintPainter(QPainter& painter, double font_points);

  double width(ui::Face face, std::string_view text) const override;
  double height(ui::Face face) const override;
  void paint(const ui::DrawList& list);

 private:
  QPen pen(const ui::Stroke& stroke, Qt::PenCapStyle cap = Qt::FlatCap,
           Qt::PenJoinStyle join = Qt::BevelJoin) const;
  QPointF at(ui::Point p) const { return {p.x * unit_, p.y * unit_}; }
  QRectF rectangle(const ui::Box& box) const { return {at(box.from), at(box.to)}; }
  void draw(const ui::DrawList& list, const ui::Primitive& shape);
  void draw_line(std::span<const ui::Point> points);
  void draw_marker(ui::Point center, const ui::Primitive& shape);
  void draw_triangles(std::span<const ui::Point> corners, const ui::Primitive& shape);
  void write(const std::string& text, const ui::Primitive& shape, QPointF place);
  bool inside(ui::Point p) const { return clips_.empty() || clips_.back().contains(p); }

  QPainter& painter_;
  const double unit_;  // device units per point
  const QFont font_;
  const QFontMetricsF metrics_;
  std::vector<ui::Box> clips_;  // intersections of the nested clip rectangles
};

}  // namespace twosphere
