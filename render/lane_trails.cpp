// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/lane_trails.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "render/dashes.h"

namespace twosphere::render {

namespace {

constexpr float trail_far_side = 0.6f;
constexpr std::size_t few_trails = 4, few_alike = 12,
                      few_tips = 36;         // limits for individual trails
constexpr double positions_per_frame = 2e5;  // limit of body positions computed for a trail
constexpr float trail_opacity = 0.95f, trail_width = 2;

}  // namespace

void each_configuration(const Snapshot& snapshot, std::size_t lane,
                        const std::deque<Configuration>& trail, double span,
                        const std::function<void(const Configuration&, const Columns&)>& use) {
  const double now = snapshot.elapsed;
  const int n = snapshot.system->size();
  const State& state = snapshot.lanes[lane].state;
  const Eigen::Index columns = n + state.x.cols();
  const double most = std::max(64.0, positions_per_frame / n);
  const double slot = static_cast<double>(trail.size()) > most ? span / most : 0;
  double last_slot = -std::numeric_limits<double>::infinity();
  for (const Configuration& configuration : trail) {
    if (configuration.generation != snapshot.generation || !(configuration.t >= now - span) ||
        !(configuration.t < now))
      continue;
    if (lane >= configuration.lanes.size() || configuration.lanes[lane].cols() != columns) continue;
    if (slot > 0) {
      const double index = std::floor(configuration.t / slot);
      if (index <= last_slot) continue;
      last_slot = index;
    }
    use(configuration, configuration.lanes[lane]);
  }
}

Mat3 turn_since(const Configuration& was, const State& now, const SceneStyle& style) {
  return style.frame ? style.frame->carry(was.time, now.t) : Mat3(Mat3::Identity());
}

std::size_t first_trail(const Geometry& geometry, bool full) {
  const std::size_t n = geometry.bodies.size();
  if (!geometry.arrows.empty()) return full && n <= few_tips ? 0 : n;
  const bool alike = geometry.sphere || !geometry.springs.empty();
  if (n > (alike ? few_alike : few_trails)) return alike ? n : n - 1;
  return full ? 0 : n - 1;
}

void add_curves(const Trails& trails, const Snapshot& snapshot, const Geometry& geometry,
                std::size_t first, bool on_sphere, const SceneStyle& style, const LaneLook& look,
                Dash dash, Scene& scene) {
  // A base comes after the bodies, in the colour of its links.
  const std::size_t bodies = geometry.bodies.size();
  for (std::size_t i = first; i < trails.size(); ++i) {
    Polyline line = trails.curve(i, snapshot.elapsed, style.trail_span, trail_opacity);
    if (line.points.size() < 2) continue;
    line.width = trail_width;
    line.color = i < bodies ? body_color(geometry, i, look, {}) : look.parts.link;
    if (on_sphere) line.far_side = trail_far_side;
    cut_into_dashes(line, dash, dash_unit * scene.radius);
    scene.polylines.push_back(std::move(line));
  }
}

void add_trails(const Snapshot& snapshot, std::size_t lane, const std::deque<Configuration>& trail,
                const SceneStyle& style, const ShownBodies& shown, const LaneLook& look, bool full,
                Dash dash, Geometry& geometry, Scene& scene) {
  if (!style.trail || !(style.trail_span > 0)) return;
  const System& system = *snapshot.system;
  const std::size_t n = geometry.bodies.size();
  if (n == 0) return;
  const std::size_t first = first_trail(geometry, full);
  if (first == n) return;
  const bool base = full && !geometry.frame.empty() && !geometry.sphere;
  Trails trails(system.extent().radius, n + (base ? 1 : 0), geometry.sphere);
  const State& now = snapshot.lanes[lane].state;
  const auto add = [&](double t, const Columns& q, const Mat3& turn, bool newest) {
    system.geometry(q, geometry);
    for (std::size_t i = first; i < n; ++i) {
      if (!shown.has(i)) continue;
      trails.add(
          i, t,
          turn * (geometry.arrows.empty() ? geometry.bodies[i].position : geometry.arrows[i].to),
          newest);
    }
    if (base) trails.add(n, t, turn * geometry.links.front().from, newest);
  };
  each_configuration(snapshot, lane, trail, style.trail_span,
                     [&](const Configuration& was, const Columns& q) {
                       add(was.t, q, turn_since(was, now, style), false);
                     });
  // Where bodies are held, the run has not been yet.
  if (!snapshot.shows_edit) add(snapshot.elapsed, positions(now), Mat3::Identity(), true);
  add_curves(trails, snapshot, geometry, first, geometry.sphere, style, look, dash, scene);
}

}  // namespace twosphere::render
