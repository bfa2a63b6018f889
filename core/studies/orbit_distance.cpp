// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/mechanics/first_order.h"
#include "core/mechanics/turn_between.h"

namespace twosphere {

namespace {

/// A state after the rotation about axes of the symmetry that brings it closest to another one.
State turned_to(const State& to, const State& state, double rate, const std::array<bool, 3>& axes) {
  const auto both = [rate](const State& of) {
    Columns out(3, 2 * of.q.cols());
    out << of.q, of.w / rate;
    return out;
  };
  const Mat3 turn = alignment(both(state), both(to), axes);
  return {to.t, turn * state.q, turn * state.w};
}

}  // namespace

double distance_from_orbit(const OrbitProblem& problem, const OrbitSolution& orbit,
                           const State& state) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const System& system = problem.system;
  const bool driven = orbit_forces(system) == OrbitForces::driven;
  const int steps = orbit.point.steps, times = std::max(1, problem.times),
            apart = !driven              ? 1
                    : steps % times == 0 ? steps / times
                                         : steps;
  std::array<bool, 3> axes{};
  for (const Vec3& axis : orbit_axes(system))
    for (int k = 0; k < 3; ++k)
      if (axis[k] != 0) axes[static_cast<std::size_t>(k)] = true;
  const double rate = first_order(system) ? 1 : PhaseCoordinates(system, state).rate();

  double least = infinite;
  State near, placed = state, there;
  for (int exchange = 0; exchange < problem.closure.order(); ++exchange) {
    for (int k = apart; k <= steps; k += apart) {
      const State& point = orbit.image.points[static_cast<std::size_t>(k)];
      const State turned = turned_to(point, placed, rate, axes);
      const double distance = PhaseCoordinates(system, point).distance(turned);
      if (distance >= least) continue;
      least = distance;
      near = point;
      there = placed;
    }
    placed = problem.closure.applied(placed, 0);
  }
  if (driven) return least;
  // Along the flow to where the difference is across it.
  constexpr int most = 8;
  constexpr double enough = 1e-12;  // of the period
  const ReturnMap map(system, problem.method, {});
  for (int i = 0; i < most; ++i) {
    const PhaseCoordinates at(system, near);
    const State turned = turned_to(near, there, rate, axes);
    least = at.distance(turned);
    const Eigen::VectorXd flow = flow_across_rotations(problem, at);
    const double ahead = flow.dot(at.difference(turned)) / flow.squaredNorm();
    if (!(std::abs(ahead) > enough * orbit.point.period)) break;
    auto moved = map.end(near, ahead, 1, 0);
    if (!moved) return infinite;
    near = std::move(*moved);
  }
  return least;
}

}  // namespace twosphere
