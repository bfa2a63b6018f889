// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/motion_box.h"

#include <memory>

#include "core/catalog.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

namespace {

constexpr double tolerance = 1e-4;
constexpr int instants = 200;
constexpr int evaluations = 7;              // of the forces in an inner step
constexpr double overhead = 60;             // of an evaluation, per body [operations]
constexpr double max_box_operations = 3e7;  // about 50 ms
constexpr double fewest_steps = 100;

}  // namespace

void extend_box(const Geometry& geometry, Box& box) {
  const auto add = [&box](const Vec3& point) {
    if (point.allFinite()) box.extend(point);
  };
  const auto add_ends = [&add](const auto& things) {
    for (const auto& thing : things) add(thing.from), add(thing.to);
  };
  for (const Vec3& pivot : geometry.pivots) add(pivot);
  for (const auto* balls : {&geometry.bodies, &geometry.fixed})
    for (const Geometry::Body& ball : *balls) add(ball.position);
  add_ends(geometry.links);
  add_ends(geometry.springs);
  add_ends(geometry.arrows);
  add_ends(geometry.guides);
  add_ends(geometry.frame);
}

std::optional<Box> motion_box(const System& system, const State& state, double seconds) {
  double left =
      max_box_operations / (evaluations * (system.operations() + overhead * system.size()));
  if (left < fewest_steps) return {};
  const IntegratorInfo& method = *find_integrator("rk45");
  Values values = default_values(method.parameters);
  values["relative_tolerance"] = values["absolute_tolerance"] = {tolerance};
  const std::unique_ptr<Integrator> integrator = method.create(values);
  State now = state;
  integrator->prepare(system, now);
  Box box;
  Geometry geometry;
  system.geometry(now, geometry);
  extend_box(geometry, box);
  for (int i = 1; i <= instants; ++i) {
    const StepReport report = integrator->advance(system, seconds / instants, now);
    left -= report.inner_steps + report.rejected;
    if (!report.ok() || left < 0) {
      if (i <= instants / 5) return {};
      break;
    }
    now.t = state.t + seconds * i / instants;
    system.geometry(now, geometry);
    extend_box(geometry, box);
  }
  if (box.isEmpty()) return {};
  return box;
}

}  // namespace twosphere
