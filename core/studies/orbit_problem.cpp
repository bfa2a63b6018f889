// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/phase_tangent.h"
#include "core/mechanics/time_scales.h"
#include "core/studies/equal_bodies.h"

namespace twosphere {

namespace {

/// An axis that is conserved with J: e in the span of the conserved components.
bool conserved_about(const System& system, const Vec3& axis) {
  const auto conserved = system.conserved_momentum();
  for (int k = 0; k < 3; ++k)
    if (!conserved[static_cast<std::size_t>(k)] && std::abs(axis[k]) > 1e-12) return false;
  return true;
}

}  // namespace

std::vector<Vec3> conserved_axes(const System& system) {
  const auto conserved = system.conserved_momentum();
  std::vector<Vec3> axes;
  for (int k = 0; k < 3; ++k)
    if (conserved[static_cast<std::size_t>(k)]) axes.push_back(Vec3::Unit(k));
  return axes;
}

Vec3 orbit_momentum(const System& system, const State& state) {
  const TangentNorm norm = tangent_norm(system, state);
  const double rate = first_order(system) ? 1 : std::sqrt(norm.square);
  const double size = norm.weight.sum() * rate;
  return momentum_map(system, state).unaryExpr([&](double sum) {
    return without_rounding(sum, size);
  });
}

OrbitProblem problem_at(const OrbitProblem& problem, const OrbitPoint& point) {
  return {point.system ? *point.system : problem.system, problem.method, problem.closure};
}

const IntegratorInfo& orbit_method(const System& system) {
  if (first_order(system)) return *find_integrator("spherical_midpoint8");
  return *find_integrator(
      std::holds_alternative<DiagonalInertia>(system.inertia()) ? "rotation8" : "variational8");
}

Result<void> check_orbit(const System& system, const IntegratorInfo& method,
                         const Closure& closure) {
  if (system.size() > max_orbit_bodies)
    return Error{ErrorKind::usage, "system",
                 fmt::format("has {} bodies; orbits are found for at most {}", system.size(),
                             max_orbit_bodies)};
  if (const std::string missing = ReturnMap::missing(system, method); !missing.empty())
    return Error{ErrorKind::usage, "orbit", "cannot be found, because " + missing};
  if (closure.relative() && !conserved_about(system, closure.axis))
    return Error{ErrorKind::usage, "relative",
                 "must be an axis about which the system is symmetric, so that J about it is "
                 "conserved"};
  if (closure.places.empty()) return {};
  std::vector<int> sorted = closure.places;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < static_cast<int>(sorted.size()); ++i)
    if (static_cast<int>(sorted.size()) != system.size() ||
        sorted[static_cast<std::size_t>(i)] != i)
      return Error{ErrorKind::usage, "relabel",
                   fmt::format("must name each body from 0 to {} once", system.size() - 1)};
  if (!equal_bodies(system, closure.places))
    return Error{ErrorKind::usage, "relabel",
                 "exchanges bodies that are not equal: it changes the energy"};
  return {};
}

int default_steps(const System& system, const State& state, double period) {
  const double fastest = time_scales(system, state).fastest();
  const double wanted = std::max<double>(
      min_orbit_steps, steps_per_fastest_period * period * fastest / (2 * std::numbers::pi));
  if (!(wanted <= max_orbit_steps)) return 0;
  return min_orbit_steps * static_cast<int>(std::ceil(wanted / min_orbit_steps));
}

OrbitPoint OrbitPoint::refined() const {
  OrbitPoint out = *this;
  out.steps *= 2;
  for (OrbitStation& station : out.stations) station.step *= 2;
  return out;
}

}  // namespace twosphere
