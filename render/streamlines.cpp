// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/streamlines.h"

#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "core/color/color_map.h"
#include "core/mechanics/isolines.h"
#include "core/mechanics/sphere_mesh.h"
#include "core/output/body_quantity.h"
#include "core/scenario/icosphere.h"
#include "render/convert.h"

namespace twosphere::render {

namespace {

constexpr std::chrono::milliseconds shortest_pause{33};  // while the run continues
constexpr double level_share = 0.3;                      // of the scale of ψ, between two lines

const SphereMesh& mesh_of_lines(bool finer) {
  if (finer) {
    static const SphereMesh fine = icosphere(stream_mesh + 1);
    return fine;
  }
  static const SphereMesh coarse = icosphere(stream_mesh);
  return coarse;
}

using Lines = std::vector<std::pair<double, std::vector<Vec3>>>;

Lines lines_of(const Fluid& fluid, const Columns& q, bool fine) {
  const SphereMesh& mesh = mesh_of_lines(fine && q.cols() <= few_stream_bodies);
  Eigen::VectorXd psi(mesh.vertices.cols());
  fluid.stream_function(q, mesh.vertices, stream_core, psi);
  Lines lines;
  const double apart = stream_spacing(fluid);
  if (!(apart > 0) || !psi.allFinite()) return lines;
  const std::span<const double> values(psi.data(), static_cast<std::size_t>(psi.size()));
  for (int k = -max_stream_levels; k <= max_stream_levels; ++k) {
    const double level = k * apart;
    if (level < psi.minCoeff() || level > psi.maxCoeff()) continue;
    for (std::vector<Vec3>& line : isolines(mesh, values, level))
      lines.emplace_back(level, std::move(line));
  }
  return lines;
}

/// The lines of the reference; those of the last picture if they still hold.
const Lines& kept_lines(const FullLane& of, bool fine, StreamlineMemory& memory) {
  const auto now = std::chrono::steady_clock::now();
  const bool same = memory.system == of.snapshot.system && memory.q.cols() == of.state().q.cols(),
             soon = of.snapshot.state == RunState::running && now - memory.found < shortest_pause;
  if (same && (soon || memory.q == of.state().q)) return memory.lines;
  memory.system = of.snapshot.system;
  memory.q = of.state().q;
  memory.found = now;
  memory.lines = lines_of(*of.snapshot.system->fluid(), memory.q, fine);
  return memory.lines;
}

}  // namespace

double stream_spacing(const Fluid& fluid) { return round_up(level_share * fluid.stream_scale()); }

glm::vec3 stream_color(double level, Palette palette) {
  const double place = level > 0 ? 1 : level < 0 ? 0 : 0.5;
  return rgb(color_at(ColorMap::diverging, place, palette));
}

void add_streamlines(const FullLane& of, const SceneStyle& style, SceneMemory& memory,
                     Scene& scene) {
  const auto add = [&](const Lines& lines) {
    for (const auto& [level, points] : lines) {
      Polyline line{.points = {},
                    .width = stream_width,
                    .color = stream_color(level, style.palette),
                    .far_side = stream_far_side};
      for (const Vec3& p : points) line.points.emplace_back(to_float(p), stream_opacity);
      scene.polylines.push_back(std::move(line));
    }
  };
  if (of.reference)
    add(kept_lines(of, style.fine, memory.streamlines));
  else
    add(lines_of(*of.snapshot.system->fluid(), of.state().q, style.fine));
}

}  // namespace twosphere::render
