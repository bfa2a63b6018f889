// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>

#include "core/mechanics/state.h"
#include "core/studies/orbit_family.h"

namespace twosphere::test {

/// A family of orbits, which nothing stops.
inline Family followed(const OrbitProblem& problem, const OrbitSolution& first,
                       const FamilyPlan& plan) {
  return follow_family(problem, first, plan, [](std::size_t) { return true; });
}

/// A pendulum at an angle from where it hangs [rad], with an angular velocity in the same plane.
inline State in_plane(double angle, double rate) {
  State s{0, Columns(3, 1), Columns(3, 1)};
  s.q.col(0) << std::sin(angle), 0, std::cos(angle);
  s.w.col(0) << 0, rate, 0;
  return s;
}

}  // namespace twosphere::test
