// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/field_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int across = 3;   // pictures per row
constexpr int shades = 64;  // steps of the colour map: all faces of one colour are one shape
constexpr int bar_labels = 6;
// The bar excludes the largest values: one face in a hundred is above its end.
constexpr double shown_share = 0.99;

ui::Ink shade_of(ColorMap map, int shade) {
  return {color_at(map, (shade + 0.5) / shades, Palette::light)};
}

/// A bar from 0 to a round number above this fraction of all values.
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

class Layout {
 public:
  Layout(ui::DrawList& list, const FieldFigure& figure, ui::Point page,
         const ui::TextMeasure& letters)
      : list_(list),
        figure_(figure),
        page_(page),
        letters_(letters),
        line_(letters.height(ui::Face::text)) {}

  void draw() {
    list_.box({{0, 0}, page_}, {{0xffffff}});
    const double margin = 0.6 * line_;
    double y = margin;
    write({margin, y}, figure_.title);
    y += 1.15 * line_;
    for (const std::string& note : figure_.notes) {
      write({margin, y}, note);
      y += 1.15 * line_;
    }
    const double bar_height = 3.4 * line_;
    const auto count = static_cast<int>(figure_.pictures.size());
    const int rows = std::max(1, (count + across - 1) / across);
    const double breadth = (page_.x - 2 * margin) / across;
    const double height = (page_.y - y - bar_height - margin) / rows;
    const double radius = std::max(1.0, std::min(breadth, height - 1.3 * line_) / 2 - 0.3 * line_);
    order_faces();
    for (int i = 0; i < count; ++i) {
      const int row = i / across, column = i % across;
      const double middle = margin + breadth * (column + 0.5), top = y + height * row;
      const FieldFigure::Picture& picture = figure_.pictures[static_cast<std::size_t>(i)];
      write_about(middle, top, fmt::format("t = {:.6g} s", picture.t));
      draw_sphere(picture, {middle, top + 1.2 * line_ + (height - 1.2 * line_) / 2}, radius);
    }
    const double left = margin + breadth / 2, top = page_.y - bar_height + 0.3 * line_;
    draw_bar({{left, top}, {page_.x - left, top + 0.7 * line_}});
  }

 private:
  struct Face {
    std::size_t index;
    std::array<ui::Point, 3> corners;  // on the unit disc
  };

  void write(ui::Point at, const std::string& text) {
    list_.text(at, ui::Face::text, ui::print_ink, text);
  }
  void write_about(double middle, double top, const std::string& text) {
    write({middle - letters_.width(ui::Face::text, text) / 2, top}, text);
  }

  /// Projects the faces towards the eye. e3 points down, and the picture is not mirrored.
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

  void draw_sphere(const FieldFigure::Picture& picture, ui::Point center, double radius) {
    std::map<int, std::vector<ui::Point>> shapes;
    const ColorBar& bar = figure_.bar;
    for (const Face& face : faces_) {
      const double part = (picture.values[face.index] - bar.low) / (bar.high - bar.low);
      std::vector<ui::Point>& shape =
          shapes[std::clamp(static_cast<int>(part * shades), 0, shades - 1)];
      for (const ui::Point corner : face.corners)
        shape.push_back({center.x + radius * corner.x, center.y + radius * corner.y});
    }
    for (const auto& [shade, shape] : shapes) list_.triangles(shape, shade_of(bar.map, shade), 0.5);
    list_.ring(center, radius, {ui::print_ink, 0.4});
  }

  void draw_bar(const ui::Box& place) {
    const ColorBar& bar = figure_.bar;
    const double step = place.width() / shades;
    for (int k = 0; k < shades; ++k) {
      const double left = place.from.x + k * step;
      list_.box({{left, place.from.y}, {std::min(left + 1.2 * step, place.to.x), place.to.y}},
                shade_of(bar.map, k));
    }
    list_.frame(place, {{}, 0}, {ui::print_ink, 0.5});
    const ui::Interval range{bar.low, bar.high};
    const ui::Ticks ticks = ui::axis_ticks({}, range, bar_labels, bar.unit);
    for (const ui::Ticks::Label& tick : ticks.labels) {
      const double x = place.from.x + (tick.at - range.low) / range.span() * place.width();
      list_.line({x, place.to.y}, {x, place.to.y + 0.2 * line_}, {ui::print_ink, 0.5});
      write_about(x, place.to.y + 0.25 * line_, tick.text);
    }
    write_about(place.center().x, place.to.y + 1.25 * line_,
                fmt::format("{}{}{}", title_of(bar), ticks.note.empty() ? "" : "  ", ticks.note));
  }

  ui::DrawList& list_;
  const FieldFigure& figure_;
  const ui::Point page_;
  const ui::TextMeasure& letters_;
  const double line_;  // height of a line of text
  std::vector<Face> faces_;
};

}  // namespace

Result<FieldFigure> make_field_figure(const PaperField& field, ColorMap map,
                                      const std::function<bool(double part)>& proceed) {
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
      "Each face shows the mean over itself and its neighbours; seen from +e₁, with e₃ pointing "
      "down. One face in a hundred exceeds the colour scale.",
      std::string(field.note)};
  figure.mesh = mesh;
  const double step = simulation->grid_step();
  for (const double t : field.times) {
    // The state at the step nearest to t.
    const std::int64_t steps = std::llround(t / step);
    while (simulation->steps() < steps) {
      if (!proceed(simulation->time() / field.times.back())) {
        figure.pictures.clear();
        return figure;
      }
      if (const auto failure = simulation->step())
        return Error{ErrorKind::numerical, std::string(field.preset), failure->message};
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

Figure as_figure(FieldFigure field) {
  const std::string title = field.title;
  return {title,
          [shared = std::make_shared<const FieldFigure>(std::move(field))](
              ui::DrawList& list, ui::Point page, const ui::FigureLook&,
              const ui::TextMeasure& letters) { Layout(list, *shared, page, letters).draw(); }};
}

}  // namespace twosphere
