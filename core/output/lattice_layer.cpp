// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/lattice_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/parse_number.h"
#include "core/output/body_quantity.h"
#include "core/scenario/keys.h"
#include "core/scenario/view_entry.h"

namespace twosphere {

namespace {

using document::Value;
using json::Node;

constexpr int max_layers = 1 << 30;

const std::vector<std::string>& layer_axes() {
  static const std::vector<std::string> names{color_axis_names.begin(), color_axis_names.end()};
  return names;
}

constexpr std::string_view no_lattice = "is of a cubic lattice of spins, which the system is not";

Error no_layer(std::string message) { return {ErrorKind::usage, "layer", std::move(message)}; }

Vec3 middle(const Geometry::Arrow& arrow) { return (arrow.from + arrow.to) / 2; }

}  // namespace

LatticeLayer read_layer(const Value& layer) {
  layer.object(key_names("layer"));
  return {static_cast<int>(layer.member("axis").choice(layer_axes(), "axis")),
          static_cast<int>(layer.member("number").whole(0, max_layers))};
}

Node to_json(const LatticeLayer& layer) {
  return Node::object({{"axis", layer_axes().at(static_cast<std::size_t>(layer.axis))},
                       {"number", Node::whole(layer.number)}});
}

Result<std::optional<LatticeLayer>> layer_of_view(const Node& view, std::string_view document) {
  return entry_of_view(view, "layer", document, read_layer);
}

Result<LatticeLayer> parse_layer(const std::string& text) {
  const auto colon = text.find(':');
  const std::vector<std::string>& axes = layer_axes();
  const auto axis = std::find(axes.begin(), axes.end(), text.substr(0, colon));
  // 0 where there is no number: then it is wrong, too.
  const int number = colon == text.npos
                         ? 0
                         : parse_number<int>(std::string_view(text).substr(colon + 1)).value_or(0);
  if (axis == axes.end() || number < 1)
    return no_layer(fmt::format(
        "must be AXIS:NUMBER with e1, e2 or e3 and the number of a layer, counted from 1, not {}",
        json::quote(text)));
  return LatticeLayer{static_cast<int>(axis - axes.begin()), number - 1};
}

Result<void> check_layer(const LatticeLayer& layer, const System& system) {
  const auto axis = static_cast<std::size_t>(layer.axis);
  const int count = system.lattice_layers().at(axis);
  if (count == 0) return no_layer(std::string(no_lattice));
  if (layer.number < count) return {};
  return no_layer(fmt::format("must be from {0}:1 to {0}:{1}, not {0}:{2}", layer_axes()[axis],
                              count, layer.number + 1));
}

std::string missing_layer(const LatticeLayer& layer, const System& system) {
  const int count = system.lattice_layers().at(static_cast<std::size_t>(layer.axis));
  if (count == 0) return fmt::format("view.layer: {}; all bodies are shown", no_lattice);
  if (layer.number < count) return {};
  return fmt::format("view.layer.number: must be from 0 to {}, not {}; the last layer is shown",
                     count - 1, layer.number);
}

ShownBodies::ShownBodies(const std::optional<LatticeLayer>& layer, const System& system) {
  if (!layer) return;
  const std::array<int, 3> layers = system.lattice_layers();
  if (layers[0] == 0) return;
  axis_ = static_cast<std::size_t>(layer->axis);
  for (std::size_t k = 0; k < 2; ++k)
    across_.at(k) = static_cast<std::size_t>(layers.at((axis_ + 1 + k) % 3));
  const int number = std::min(layer->number, layers.at(axis_) - 1);
  // Body i is at (x, y, z), i = (z·ny + y)·nx + x.
  const auto [nx, ny, nz] = layers;
  for (int i = 0; i < nx * ny * nz; ++i) {
    const std::array<int, 3> place{i % nx, i / nx % ny, i / (nx * ny)};
    if (place.at(axis_) == number) only_.push_back(static_cast<std::size_t>(i));
  }
}

void ShownBodies::cut(Geometry& geometry) const {
  if (!is_layer()) return;
  keep(geometry.bodies);
  keep(geometry.arrows);
  const auto normal = static_cast<Eigen::Index>(axis_);
  const Vec3 first = middle(geometry.arrows.front());
  // The distance of neighbours, as the layer is a square lattice; a row has no cells.
  double spacing = 0;
  if (across_[0] > 1 && across_[1] > 1) spacing = (middle(geometry.arrows[1]) - first).norm();
  const double half = (geometry.arrows.front().to - geometry.arrows.front().from).norm() / 2;
  const auto in_plane = [&](const Vec3& p) { return std::abs(p[normal] - first[normal]) < half; };
  std::erase_if(geometry.guides, [&](const Geometry::Link& guide) {
    return !in_plane(guide.from) || !in_plane(guide.to);
  });
  if (!(spacing > 0)) return;
  const Vec3 u = spacing / 2 * Vec3::Unit((normal + 1) % 3),
             v = spacing / 2 * Vec3::Unit((normal + 2) % 3);
  Geometry::Cell cell{.corners = {}, .count = 4};
  std::size_t k = 0;
  for (const Vec3& corner : {Vec3(-u - v), Vec3(u - v), Vec3(u + v), Vec3(v - u)})
    cell.corners.at(k++) = corner;
  geometry.cells = {cell};
}

}  // namespace twosphere
