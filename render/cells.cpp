// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/output/lattice_layer.h"
#include "core/record/signal.h"
#include "render/convert.h"
#include "render/dashes.h"
#include "render/geometry_shapes.h"
#include "render/scene_scales.h"

namespace twosphere::render {

namespace {

constexpr double side_by_side = 1.2;                  // width by height from which on two cells are
constexpr float narrowest = 240, lowest = 170;        // cells [logical pixels]
constexpr float reference_share = 0.6f;               // of the colour of text in its outline
constexpr float reference_line = 1.5f, gap_line = 2;  // [logical pixels]

/// A lane of a run, which a cell can show.
struct CellLane {
  const Snapshot* snapshot = nullptr;
  const std::deque<Configuration>* trail = nullptr;
  std::size_t lane = 0;
  int number = 0;  // Cell::shows
  LaneStyle style{};
  std::string name{};
  bool reference = false, present = true;
  std::optional<double> ended{}, step{};

  const Columns& q() const { return snapshot->lanes[lane].state.q; }
};

/// Its bodies that are shown.
Geometry geometry_of(const CellLane& subject, const SceneStyle& style) {
  const System& system = *subject.snapshot->system;
  Geometry geometry;
  system.geometry(subject.snapshot->lanes[subject.lane].state, geometry);
  ShownBodies(style.layer, system).cut(geometry);
  return geometry;
}

std::vector<CellLane> lanes_of(const Snapshot& snapshot, const std::deque<Configuration>& trail,
                               const SceneStyle& style) {
  const std::size_t full = full_lane(snapshot, style);
  std::vector<CellLane> list;
  for (const std::size_t lane : shown_lanes(snapshot, style))
    list.push_back({.snapshot = &snapshot,
                    .trail = &trail,
                    .lane = lane,
                    .number = static_cast<int>(lane),
                    .style = style_of_lane(snapshot, lane, style),
                    .name = snapshot.lanes[lane].title(),
                    .reference = lane == full});
  return list;
}

std::vector<CellLane> runs_of(std::span<const CellRun> runs, const SceneStyle& style) {
  std::vector<CellLane> list;
  for (const CellRun& run : runs)
    if (const std::size_t lane = full_lane(run.snapshot, style); lane < run.snapshot.lanes.size())
      list.push_back({.snapshot = &run.snapshot,
                      .trail = &run.trail,
                      .lane = lane,
                      .number = run.number,
                      .style = LaneStyle{run.color},
                      .name = run.name,
                      .reference = run.reference,
                      .present = run.present,
                      .ended = run.ended,
                      .step = run.step});
  return list;
}

CellCaption caption_of(const CellLane& subject, const CellLane& reference) {
  const Snapshot& snapshot = *subject.snapshot;
  CellCaption caption{subject.style, subject.name, subject.step};
  if (!caption.step && snapshot.present && subject.lane < snapshot.present->lanes.size())
    caption.step = snapshot.present->lanes[subject.lane].step;
  if (const double error = snapshot.lanes[subject.lane].sample[Quantity::energy_error];
      std::isfinite(error))
    caption.energy_error = error;
  if (&subject != &reference) caption.distance = distance(subject.q(), reference.q());
  if (subject.ended) caption.note = fmt::format("ended at {:.4g} s", *subject.ended);
  return caption;
}

/// A great circle on a sphere about the origin, from a to b.
std::vector<Vec3> great_circle(const Vec3& a, const Vec3& b) {
  const Vec3 from = a.normalized(), to = b.normalized();
  const double angle = std::atan2(from.cross(to).norm(), from.dot(to));
  Vec3 across = to - to.dot(from) * from;
  if (!(across.norm() > 1e-9)) across = from.unitOrthogonal();
  across.normalize();
  const int pieces = std::max(static_cast<int>(std::ceil(angle / gap_chord)), 1);
  std::vector<Vec3> points;
  for (int k = 0; k <= pieces; ++k) {
    const double share = static_cast<double>(k) / pieces, at = share * angle;
    const double radius = (1 - share) * a.norm() + share * b.norm();
    points.emplace_back(radius * (std::cos(at) * from + std::sin(at) * across));
  }
  return points;
}

/// Joins each body with where the reference has it, if that is far away.
void add_gaps(const Geometry& reference, const Geometry& geometry, double radius, glm::vec3 color,
              Scene& scene) {
  const std::size_t n = std::min(geometry.bodies.size(), reference.bodies.size());
  if (n > max_gaps) return;
  const auto place = [](const Geometry& of, std::size_t i) {
    return of.arrows.empty() ? of.bodies[i].position : of.arrows[i].to;
  };
  const auto gap = [&](std::size_t i) { return (place(geometry, i) - place(reference, i)).norm(); };
  std::size_t largest = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (gap(i) > gap(largest)) largest = i;
  for (std::size_t i = 0; i < n; ++i) {
    if ((n > few_gaps && i != largest) ||
        !(gap(i) > smallest_gap * radius * geometry.bodies[i].size))
      continue;
    const Vec3 from = place(reference, i), to = place(geometry, i);
    Polyline line{.points = {}, .width = gap_line, .color = color};
    for (const Vec3& p : geometry.sphere ? great_circle(from, to) : std::vector<Vec3>{from, to})
      line.points.emplace_back(to_float(p), 1);
    cut_into_dashes(line, Dash::dashed, dash_unit * scene.radius);
    scene.polylines.push_back(std::move(line));
  }
}

/// Mixes all colours of a scene with its background.
void make_pale(const Theme& theme, Scene& scene) {
  const auto byte = [](float part) {
    return static_cast<std::uint32_t>(std::lround(255 * std::clamp(part, 0.0f, 1.0f)));
  };
  const auto color_of = [&](glm::vec3 c) {
    return Color{byte(c.x) << 16 | byte(c.y) << 8 | byte(c.z)};
  };
  const Color ground = color_of(theme.background_bottom);
  const auto all = [&](auto& shapes) {
    for (auto& shape : shapes) shape.color = rgb(pale(color_of(shape.color), ground));
  };
  all(scene.spheres);
  all(scene.dots);
  all(scene.rings);
  all(scene.cylinders);
  all(scene.cones);
  all(scene.polylines);
  for (Tube& tube : scene.tubes) all(tube.points);
  for (Mesh* mesh : {&scene.mesh, &scene.lattice.mesh})
    for (glm::vec3& color : mesh->colors) color = rgb(pale(color_of(color), ground));
}

Scene scene_of(const CellLane& subject, const CellLane& reference, const SceneStyle& style,
               SceneMemory& memory) {
  const bool is_reference = &subject == &reference;
  Scene scene =
      build_lane(*subject.snapshot, subject.lane, is_reference, *subject.trail, style, memory);
  const Theme colors = theme(style);
  if (subject.ended) make_pale(colors, scene);
  if (is_reference) return scene;
  const Geometry own = geometry_of(subject, style), other = geometry_of(reference, style);
  // The field takes the place of a crowd.
  if (shows_field(*subject.snapshot->system, own, style) && is_dense(own)) return scene;
  const double radius = body_radius(own, subject.snapshot->system->extent().radius);
  const glm::vec3 quiet = mix(colors.background_bottom, colors.text, reference_share);
  add_outline(other, radius, look_in(quiet), style.fine, scene,
              {.line = reference_line, .ring = reference_line, .opacity = 1, .beside = &own});
  add_gaps(other, own, radius, rgb(subject.style.color), scene);
  return scene;
}

}  // namespace

CellLayout cell_layout(const CellArea& whole, std::size_t count, float pixel_ratio) {
  const std::size_t shown = std::min(count, max_cells);
  if (shown == 0) return {};
  if (shown == 1) return {.areas = {whole}};
  const bool stacked = shown == 2 && whole.width < side_by_side * whole.height;
  const int columns = stacked ? 1 : 2, rows = shown == 2 && !stacked ? 1 : 2;
  const int width = whole.width / columns, height = whole.height / rows;
  if (static_cast<float>(width) < narrowest * pixel_ratio ||
      static_cast<float>(height) < lowest * pixel_ratio)
    return {};
  CellLayout layout;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      // The last ones have the pixels that are left over.
      const CellArea area{whole.x + column * width, whole.y + row * height,
                          column + 1 < columns ? width : whole.width - column * width,
                          row + 1 < rows ? height : whole.height - row * height};
      if (layout.areas.size() < shown)
        layout.areas.push_back(area);
      else
        layout.spare = area;
    }
  return layout;
}

Cells cells(const CellArea& whole, float pixel_ratio, const Snapshot& snapshot,
            const std::deque<Configuration>& trail, const SceneStyle& style, SceneMemory& memory,
            std::span<const CellRun> runs) {
  Cells made;
  if (style.split == Split::none || snapshot.system == nullptr) return made;
  const std::vector<CellLane> subjects =
      style.split == Split::lanes ? lanes_of(snapshot, trail, style) : runs_of(runs, style);
  if (subjects.size() < 2) return made;
  const auto alone = std::find_if(subjects.begin(), subjects.end(), [&](const CellLane& subject) {
    return subject.number == style.alone;
  });
  const bool one = alone != subjects.end();
  const CellLayout layout = cell_layout(whole, one ? 1 : subjects.size(), pixel_ratio);
  made.too_small = layout.areas.empty();
  if (made.too_small) return made;
  made.spare = layout.spare;
  const auto found = std::find_if(subjects.begin(), subjects.end(),
                                  [](const CellLane& subject) { return subject.reference; });
  const CellLane& reference = found == subjects.end() ? subjects.front() : *found;
  made.reference = scene_of(reference, reference, style, memory);
  const auto first = one ? static_cast<std::size_t>(alone - subjects.begin()) : 0;
  const int low = layout.areas.back().y;
  for (std::size_t k = 0; k < layout.areas.size(); ++k) {
    const CellLane& subject = subjects[first + k];
    const CellArea& area = layout.areas[k];
    const bool again = &subject == &reference;
    made.list.push_back({area, subject.number, subject.present,
                         again ? made.reference : scene_of(subject, reference, style, memory),
                         area.x == whole.x && area.y == low, caption_of(subject, reference)});
  }
  if (!one && subjects.size() > layout.areas.size())
    made.list.back().caption.note =
        fmt::format("{} of {}; hide one to see another", layout.areas.size(), subjects.size());
  return made;
}

std::vector<PicturePart> picture_parts(const Cells& cells, const Camera& camera) {
  static const Scene nothing{};
  std::vector<PicturePart> parts;
  for (const Cell& cell : cells.list) parts.push_back({cell.scene, camera, cell.area, cell.axes});
  if (cells.spare) parts.push_back({nothing, camera, *cells.spare, false});
  return parts;
}

}  // namespace twosphere::render
