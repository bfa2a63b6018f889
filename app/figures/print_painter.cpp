// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/print_painter.h"

#include <QFontDatabase>
#include <QPainterPath>
#include <QPolygonF>
#include <QString>
#include <algorithm>

#include "core/base/program_folder.h"
#include "core/base/xml.h"
#include "ui/plot/clip.h"

namespace twosphere {

namespace {

/// The font, which a portable folder brings along.
QString font_family() {
  const QString family = QStringLiteral("DejaVu Sans");
  if (!QFontDatabase::hasFamily(family))
    QFontDatabase::addApplicationFont(
        QString::fromStdString((font_folder() / "DejaVuSans.ttf").string()));
  return family;
}

QFont font_of(double points) {
  static const QString family = font_family();
  QFont font(family);
  font.setPointSizeF(points);
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

QColor color_of(ui::Ink ink) {
  QColor color = to_qcolor(ink.color);
  color.setAlphaF(ink.opacity);
  return color;
}

/// As an SVG file can hold it, in the other formats too.
QString string(std::string_view text) { return QString::fromStdString(xml_characters(text)); }

}  // namespace

QColor to_qcolor(Color color) { return QColor::fromRgb(0xff000000 | color.rgb); }

double font_points(const QFont& font, const QPaintDevice& device) {
  return font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize() * 72.0 / device.logicalDpiX();
}

PrintPainter::PrintPainter(QPainter& painter, double font_points)
    : painter_(painter),
      unit_(painter.device()->logicalDpiX() / 72.0),
      font_(font_of(font_points)),
      metrics_(font_, painter.device()) {
  painter_.setFont(font_);
}

double PrintPainter::width(ui::Face, std::string_view text) const {
  return metrics_.horizontalAdvance(string(text)) / unit_;
}

double PrintPainter::height(ui::Face) const { return metrics_.height() / unit_; }

QPen PrintPainter::pen(const ui::Stroke& stroke, Qt::PenCapStyle cap, Qt::PenJoinStyle join) const {
  if (stroke.width == 0) return QPen(Qt::NoPen);
  QPen pen(color_of(stroke.ink), stroke.width * unit_, Qt::SolidLine, cap, join);
  // QPen takes dash lengths in units of the line width.
  QList<qreal> lengths;
  for (const float length : stroke.dash) lengths << length * (stroke.unit / stroke.width);
  if (!lengths.isEmpty()) pen.setDashPattern(lengths);
  return pen;
}

void PrintPainter::paint(const ui::DrawList& list) {
  for (const ui::Primitive& shape : list.primitives()) draw(list, shape);
}

void PrintPainter::draw(const ui::DrawList& list, const ui::Primitive& shape) {
  using Kind = ui::Primitive::Kind;
  const auto points = list.points(shape);
  const auto use = [&] {
    painter_.setPen(pen(shape.stroke));
    painter_.setBrush(shape.fill.opacity > 0 ? QBrush(color_of(shape.fill)) : QBrush(Qt::NoBrush));
  };
  switch (shape.kind) {
    case Kind::line:
    case Kind::polyline:
      painter_.setPen(pen(shape.stroke, Qt::FlatCap, Qt::RoundJoin));
      return draw_line(points);
    case Kind::boxes:
      use();
      for (std::size_t i = 0; i < points.size(); i += 2)
        painter_.drawRect(rectangle({points[i], points[i + 1]}));
      return;
    case Kind::frame: {
      use();
      const QRectF box = rectangle(list.box(shape));
      const double radius = shape.radius * unit_;
      return radius > 0 ? painter_.drawRoundedRect(box, radius, radius) : painter_.drawRect(box);
    }
    case Kind::circle:
      if (!inside(points[0])) return;
      use();
      return painter_.drawEllipse(at(points[0]), shape.radius * unit_, shape.radius * unit_);
    case Kind::marker:
      if (inside(points[0])) draw_marker(points[0], shape);
      return;
    case Kind::triangles:
      return draw_triangles(points, shape);
    case Kind::text:
      return write(list.text(shape), shape, at(points[0]));
    case Kind::clip: {
      ui::Box box = list.box(shape);
      if (!clips_.empty()) {
        const ui::Box& outer = clips_.back();
        box = {{std::max(box.from.x, outer.from.x), std::max(box.from.y, outer.from.y)},
               {std::min(box.to.x, outer.to.x), std::min(box.to.y, outer.to.y)}};
      }
      clips_.push_back(box);
      return;
    }
    case Kind::unclip:
      return clips_.pop_back();
  }
}

void PrintPainter::draw_line(std::span<const ui::Point> points) {
  const auto draw = [&](std::span<const ui::Point> part) {
    QPolygonF line;
    for (const ui::Point p : part) line << at(p);
    if (line.size() == 2)
      painter_.drawLine(line[0], line[1]);
    else
      painter_.drawPolyline(line);
  };
  if (clips_.empty()) return draw(points);
  for (const std::vector<ui::Point>& part : ui::clipped(points, clips_.back())) draw(part);
}

void PrintPainter::draw_marker(ui::Point center, const ui::Primitive& shape) {
  const QPointF c = at(center);
  const double r = shape.radius * unit_;
  painter_.setPen(shape.marker == Marker::cross ? pen(shape.stroke, Qt::SquareCap)
                                                : QPen(Qt::NoPen));
  painter_.setBrush(color_of(shape.fill));
  if (shape.marker == Marker::circle) return painter_.drawEllipse(c, r, r);
  QPolygonF outline;
  for (const ui::Point p : ui::corners(shape.marker)) outline << c + r * QPointF(p.x, p.y);
  if (shape.marker == Marker::cross)
    painter_.drawLines(outline);
  else
    painter_.drawPolygon(outline);
}

void PrintPainter::draw_triangles(std::span<const ui::Point> corners, const ui::Primitive& shape) {
  QPainterPath path;
  path.setFillRule(Qt::WindingFill);
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    path.addPolygon(QPolygonF{at(corners[i]), at(corners[i + 1]), at(corners[i + 2])});
    path.closeSubpath();
  }
  painter_.setPen(pen(shape.stroke, Qt::FlatCap, Qt::RoundJoin));
  painter_.setBrush(color_of(shape.fill));
  painter_.drawPath(path);
}

void PrintPainter::write(const std::string& text, const ui::Primitive& shape, QPointF place) {
  painter_.setPen(color_of(shape.fill));
  const QPointF baseline(0, metrics_.ascent());
  if (!shape.upright) return painter_.drawText(place + baseline, string(text));
  painter_.save();
  painter_.translate(place);
  painter_.rotate(-90);
  painter_.drawText(baseline, string(text));
  painter_.restore();
}

}  // namespace twosphere
