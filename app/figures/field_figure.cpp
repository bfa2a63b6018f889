// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/field_figure.h"

#include <fmt/format.h>

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "app/figures/sheet.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int across = 3;   // pictures in a row
constexpr int shades = 64;  // a colour map in so many steps: faces of one are one shape
constexpr int bar_labels = 6;
// The largest values stand alone: the bar ends where one face in a hundred is above it.
constexpr double shown_share = 0.99;

QString text(const std::string& s) { return QString::fromStdString(s); }
QColor color(ColorMap map, double s) {
  return QColor::fromRgb(0xff000000 | color_at(map, s, Palette::light).rgb);
}

/// From 0 to a round number that is not below the share of all values.
ColorBar bar_of(const std::vector<FieldFigure::Picture>& pictures, ColorMap map) {
  std::vector<double> values;
  for (const FieldFigure::Picture& picture : pictures)
    values.insert(values.end(), picture.values.begin(), picture.values.end());
  ColorBar bar{"mean kinetic energy of a molecule", "J", 0, 1, map};
  if (values.empty()) return bar;
  const auto at = values.begin() +
                  static_cast<std::ptrdiff_t>(shown_share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  if (*at > 0) bar.high = ui::round_up(*at);
  return bar;
}

class Picture : private Page {
 public:
  Picture(QPainter& painter, const FieldFigure& figure, QSizeF points, const FigureLook& look)
      : Page(painter, points, look.font), figure_(figure) {}

  void draw() {
    const double margin = 0.6 * line_;
    double y = margin;
    write({margin, y}, text(figure_.title));
    y += 1.15 * line_;
    for (const std::string& note : figure_.notes) {
      write({margin, y}, text(note));
      y += 1.15 * line_;
    }
    const double bar_height = 3.4 * line_;
    const auto count = static_cast<int>(figure_.pictures.size());
    const int rows = std::max(1, (count + across - 1) / across);
    const double breadth = (page_.width() - 2 * margin) / across;
    const double height = (page_.height() - y - bar_height - margin) / rows;
    const double radius = std::max(1.0, std::min(breadth, height - 1.3 * line_) / 2 - 0.3 * line_);
    order_faces();
    for (int i = 0; i < count; ++i) {
      const double left = margin + breadth * (i % across), top = y + height * (i / across);
      const FieldFigure::Picture& picture = figure_.pictures[static_cast<std::size_t>(i)];
      const QString label = text(fmt::format("t = {:.6g} s", picture.t));
      write({left + (breadth - width(label)) / 2, top}, label);
      draw_sphere(picture, {left + breadth / 2, top + 1.2 * line_ + (height - 1.2 * line_) / 2},
                  radius);
    }
    draw_bar({margin + breadth / 2, page_.height() - bar_height,
              page_.width() - 2 * margin - breadth, bar_height});
  }

 private:
  struct Face {
    std::size_t index;
    std::array<QPointF, 3> corners;  // on the unit disc
  };

  /// The faces towards the eye, as they are projected. e3 is down, and the picture no mirror image.
  void order_faces() {
    const Vec3 down = Vec3::UnitZ() - figure_.eye * figure_.eye.z();
    const Vec3 below = down.normalized(), right = figure_.eye.cross(-below);
    const auto faces = figure_.mesh->faces();
    for (std::size_t f = 0; f < faces.size(); ++f) {
      if (figure_.mesh->centers().col(static_cast<Eigen::Index>(f)).dot(figure_.eye) <= 0) continue;
      Face face{f, {}};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 v = figure_.mesh->vertices().col(faces[f][k]);
        face.corners[k] = {-v.dot(right), v.dot(below)};
      }
      faces_.push_back(face);
    }
  }

  void draw_sphere(const FieldFigure::Picture& picture, QPointF center, double radius) {
    std::map<int, QPainterPath> shapes;
    const ColorBar& bar = figure_.bar;
    for (const Face& face : faces_) {
      const double part = (picture.values[face.index] - bar.low) / (bar.high - bar.low);
      const int shade = std::clamp(static_cast<int>(part * shades), 0, shades - 1);
      QPolygonF triangle;
      for (const QPointF corner : face.corners) triangle << center + radius * corner;
      QPainterPath& shape = shapes[shade];
      shape.setFillRule(Qt::WindingFill);
      shape.addPolygon(triangle);
      shape.closeSubpath();
    }
    for (const auto& [shade, shape] : shapes) {
      const QColor fill = color(bar.map, (shade + 0.5) / shades);
      // A line of their own closes the seams between faces.
      painter_.setPen(QPen(fill, 0.5 * unit_, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
      painter_.setBrush(fill);
      painter_.drawPath(shape);
    }
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(Qt::black, 0.4 * unit_));
    painter_.drawEllipse(center, radius, radius);
  }

  void draw_bar(const QRectF& place) {
    const ColorBar& bar = figure_.bar;
    const QRectF colors(place.left(), place.top() + 0.3 * line_, place.width(), 0.7 * line_);
    const double step = colors.width() / shades;
    painter_.setPen(Qt::NoPen);
    for (int k = 0; k < shades; ++k) {
      painter_.setBrush(color(bar.map, (k + 0.5) / shades));
      painter_.drawRect(QRectF(colors.left() + k * step, colors.top(),
                               std::min(1.2 * step, colors.right() - colors.left() - k * step),
                               colors.height()));
    }
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(Qt::black, 0.5 * unit_));
    painter_.drawRect(colors);
    const ui::Interval range{bar.low, bar.high};
    const ui::Ticks ticks = ui::axis_ticks({}, range, bar_labels, bar.unit);
    for (const ui::Ticks::Label& tick : ticks.labels) {
      const double x = colors.left() + (tick.at - range.low) / range.span() * colors.width();
      painter_.setPen(QPen(Qt::black, 0.5 * unit_));
      painter_.drawLine(QPointF(x, colors.bottom()), QPointF(x, colors.bottom() + 0.2 * line_));
      const QString label = text(tick.text);
      write({x - width(label) / 2, colors.bottom() + 0.25 * line_}, label);
    }
    const QString name = text(fmt::format("{} [{}]{}{}", bar.label, bar.unit,
                                          ticks.note.empty() ? "" : "  ", ticks.note));
    write({colors.center().x() - width(name) / 2, colors.bottom() + 1.25 * line_}, name);
  }

  const FieldFigure& figure_;
  std::vector<Face> faces_;
};

}  // namespace

Result<FieldFigure> make_field_figure(const PaperField& field, ColorMap map,
                                      const std::function<bool(double part)>& go_on) {
  auto scenario = read_scenario(find_preset(field.preset)->text, field.preset);
  if (!scenario) return scenario.error();
  scenario->duration = field.times.back();
  auto simulation = Simulation::create(std::move(*scenario));
  if (!simulation) return simulation.error();

  const auto mesh = std::make_shared<SurfaceField>();
  FieldFigure figure;
  figure.title =
      fmt::format("Fig. {} of Lee, Leok and McClamroch (2009): {}", field.number, field.title);
  figure.notes = {
      "Every face: mean over it and its neighbours; seen from +e₁, e₃ down. One face in a "
      "hundred is above the bar.",
      std::string(field.note)};
  figure.mesh = mesh;
  const double step = simulation->grid_step();
  for (const double t : field.times) {
    // The state at the step nearest to t.
    const std::int64_t steps = std::llround(t / step);
    while (simulation->steps() < steps) {
      if (!go_on(simulation->time() / field.times.back())) {
        figure.pictures.clear();
        return figure;
      }
      if (const auto refusal = simulation->step())
        return Error{ErrorKind::numerical, std::string(field.preset), refusal->message};
    }
    mesh->update(*simulation->system(), simulation->state(0));
    const State& state = simulation->state(0);
    figure.pictures.push_back(
        {simulation->time(),
         kinetic_energy(*simulation->system(), state) / static_cast<double>(state.size()),
         {mesh->values().begin(), mesh->values().end()}});
  }
  figure.bar = bar_of(figure.pictures, map);
  return figure;
}

void draw_field_figure(QPainter& painter, const FieldFigure& figure, QSizeF points,
                       const FigureLook& look) {
  Picture(painter, figure, points, look).draw();
}

Drawing drawing(FieldFigure figure) {
  const std::string title = figure.title;
  return {title, [shared = std::make_shared<const FieldFigure>(std::move(figure))](
                     QPainter& painter, QSizeF points, const FigureLook& look) {
            draw_field_figure(painter, *shared, points, look);
          }};
}

}  // namespace twosphere
