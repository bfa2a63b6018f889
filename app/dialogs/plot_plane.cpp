// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/plot_plane.h"

#include <fmt/format.h>

#include <QPainter>
#include <QPixmap>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "ui/shell/interface_colors.h"

namespace twosphere {

namespace {

constexpr double notch = 120, zoom_per_notch = 0.8;

std::string axis_name(const ui::PlotAxis& axis) {
  return axis.unit == "1" ? axis.label : fmt::format("{} [{}]", axis.label, axis.unit);
}

}  // namespace

double PlotPlane::unit() const { return widget_.logicalDpiX() / 72.0; }

double PlotPlane::font_points() const { return twosphere::font_points(widget_.font(), widget_); }

ui::PlotLook PlotPlane::look(Palette palette, double line) {
  const ui::Colors& c = ui::colors(palette);
  ui::PlotLook look;
  look.medium = ui::Medium::paper;  // positions in points
  look.unit = 1;
  look.ground = {c.scene};
  look.text = {c.text};
  look.dim = {c.dim};
  look.grid = {{c.line}, 0.6};
  look.frame = look.tick = {{c.dim}, 0.6};
  look.long_tick = 0.28 * line;
  look.short_tick = look.long_tick / 2;
  look.beside = look.below = 0.3 * line;
  look.title = 1.35 * line;
  look.overhang = std::numeric_limits<double>::infinity();
  look.line = 1.3;
  return look;
}

void PlotPlane::arrange() {
  QPixmap paper(1, 1);
  QPainter painter(&paper);
  const PrintPainter letters(painter, font_points());
  const double line = letters.height(ui::Face::text);
  const ui::Point page{widget_.width() / unit(), widget_.height() / unit()};
  const double top = 1.3 * line, bottom = 2.8 * line, right = 1.4 * line;
  y_ticks_ = ui::axis_ticks(
      {}, y.range, std::max(2, static_cast<int>((page.y - top - bottom) / (2.2 * line))), y.unit);
  double labels = 0;
  for (const ui::Ticks::Label& tick : y_ticks_.labels)
    labels = std::max(labels, letters.width(ui::Face::small_mono, tick.text));
  const double left = 1.5 * line + labels + 0.3 * line;
  box_ = {{left, top},
          {std::max(left + line, page.x - right), std::max(top + line, page.y - bottom)}};
  x_ticks_ =
      ui::axis_ticks({}, x.range, std::max(2, static_cast<int>(box_.width() / (5 * line))), x.unit);
}

ui::Area PlotPlane::area() const { return {box_, box_.to.y, x, y, look({}, 1)}; }

QRectF PlotPlane::box() const {
  const double u = unit();
  return QRectF(QPointF(box_.from.x * u, box_.from.y * u), QPointF(box_.to.x * u, box_.to.y * u))
      .toAlignedRect();
}

QPointF PlotPlane::place_of(double at_x, double at_y) const {
  const QRectF at = box();
  return {at.left() + (at_x - x.range.low) / x.range.span() * at.width(),
          at.bottom() - (at_y - y.range.low) / y.range.span() * at.height()};
}

std::optional<std::array<double, 2>> PlotPlane::value_at(QPointF at) const {
  const QRectF frame = box();
  if (!frame.contains(at)) return {};
  return std::array{x.range.low + (at.x() - frame.left()) / frame.width() * x.range.span(),
                    y.range.low + (frame.bottom() - at.y()) / frame.height() * y.range.span()};
}

void PlotPlane::zoom(const std::array<double, 2>& about, double turned) {
  const double factor = std::pow(zoom_per_notch, turned / notch);
  x.range = ui::zoomed(x.range, about[0], factor);
  y.range = ui::zoomed(y.range, about[1], factor);
}

void PlotPlane::draw_below(QPainter& painter, Palette palette) const {
  painter.fillRect(box(), to_qcolor(ui::colors(palette).scene));
  PrintPainter print(painter, font_points());
  ui::DrawList list;
  draw_grid(list, look(palette, print.height(ui::Face::text)), area(), x_ticks_, y_ticks_);
  print.paint(list);
}

void PlotPlane::draw_above(QPainter& painter, Palette palette) const {
  PrintPainter print(painter, font_points());
  const double line = print.height(ui::Face::text);
  const ui::PlotLook look = PlotPlane::look(palette, line);
  const ui::Area at = area();
  ui::DrawList list;
  draw_frame(list, look, at, x_ticks_, y_ticks_);
  draw_values(list, look, print, at, y_ticks_);
  draw_labels(list, look, print, at, x_ticks_, axis_name(x));
  const std::string up = axis_name(y);
  list.text(
      {0.15 * line, std::min(at.box.to.y, at.box.center().y + print.width(ui::Face::text, up) / 2)},
      ui::Face::text, look.text, up, true);
  if (!y_ticks_.note.empty())
    list.text({at.box.from.x, 0.1 * line}, ui::Face::text, look.dim, y_ticks_.note);
  print.paint(list);
}

}  // namespace twosphere
