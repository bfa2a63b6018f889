// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/phase_tangent.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/time_scales.h"
#include "core/studies/equal_bodies.h"
#include "core/studies/equilibria.h"

namespace twosphere {

namespace {

/// Whether e is in the span of the axes.
bool is_about(const std::vector<Vec3>& axes, Vec3 e) {
  for (const Vec3& axis : axes) e -= axis * axis.dot(e);
  return e.cwiseAbs().maxCoeff() <= 1e-12;
}

std::vector<Vec3> axes_of(const std::array<bool, 3>& which) {
  std::vector<Vec3> axes;
  for (int k = 0; k < 3; ++k)
    if (which[static_cast<std::size_t>(k)]) axes.push_back(Vec3::Unit(k));
  return axes;
}

/// Why a system that is damped has no orbits; empty where a force may put energy in.
std::string comes_to_rest(const std::shared_ptr<const System>& system, double t, const Columns& q) {
  if (orbit_forces(*system) != OrbitForces::dissipative || system->has_velocity_force() ||
      !system_at_rest(system, t, q))
    return {};
  return "has damping and no force that puts energy in, under which it comes to rest; give it a "
         "force of the time or one without a potential, or set the damping to 0";
}

Error wrong_period(std::string message) { return {ErrorKind::usage, "period", std::move(message)}; }

}  // namespace

OrbitForces orbit_forces(const System& system) {
  if (system.time_dependent() && (system.has_external_force() || system.has_velocity_force()))
    return OrbitForces::driven;
  return velocity_dependent(system) ? OrbitForces::dissipative : OrbitForces::conservative;
}

Result<std::shared_ptr<const System>> orbit_system(std::shared_ptr<const System> system, double t,
                                                   const Columns& q) {
  if (orbit_forces(*system) == OrbitForces::conservative)
    return system_at_rest(std::move(system), t, q);
  if (std::string why = comes_to_rest(system, t, q); !why.empty())
    return Error{ErrorKind::usage, "system", std::move(why)};
  return system;
}

Result<DrivenPeriod> driven_period(const System& system, const std::optional<double>& given) {
  constexpr double near = 1e-3;
  const double of_forces = system.force_period();
  if (of_forces > 0) {
    const double times = given ? std::round(*given / of_forces) : 1;
    if (given && !(times >= 1 && std::abs(*given - times * of_forces) <= near * of_forces))
      return wrong_period(
          fmt::format("must be a multiple of the period of the forces, {:.10g} s, not {:.10g} s",
                      of_forces, *given));
    return DrivenPeriod{times * of_forces, static_cast<int>(times)};
  }
  if (!given)
    return wrong_period(
        "is needed: the period after which the forces of the time repeat is not known; give it, or "
        "a multiple of it");
  if (!(*given > 0)) return wrong_period(fmt::format("must be above 0 s, not {:g} s", *given));
  if (!system.repeats_after(*given))
    return wrong_period(
        fmt::format("of {:.10g} s is no period of the forces as far as is known: give a time after "
                    "which all of them repeat, with twelve digits",
                    *given));
  return DrivenPeriod{*given, 0};
}

std::vector<Vec3> conserved_axes(const System& system) {
  return axes_of(system.conserved_momentum());
}

bool keeps_momentum(const System& system, const Vec3& axis) {
  return is_about(conserved_axes(system), axis);
}

std::vector<Vec3> orbit_axes(const System& system) {
  return orbit_forces(system) == OrbitForces::conservative ? conserved_axes(system)
                                                           : axes_of(system.turning_axes());
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
  return {point.system ? *point.system : problem.system, problem.method, problem.closure, nullptr,
          problem.times};
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
  const OrbitForces forces = orbit_forces(system);
  const std::shared_ptr<const System> unowned(std::shared_ptr<const System>(), &system);
  if (const std::string why = comes_to_rest(unowned, 0, random_directions(system.size(), 0));
      !why.empty())
    return Error{ErrorKind::usage, "system", why};
  if (closure.relative() && !is_about(orbit_axes(system), closure.axis))
    return Error{ErrorKind::usage, "relative",
                 forces == OrbitForces::conservative
                     ? "must be an axis about which the system is symmetric, so that J about it is "
                       "conserved"
                     : "must be an axis about which the system and its forces are symmetric"};
  if (closure.places.empty()) return {};
  if (forces != OrbitForces::conservative)
    return Error{ErrorKind::usage, "relabel",
                 "needs a system without damping and without forces of the time or of velocities"};
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
