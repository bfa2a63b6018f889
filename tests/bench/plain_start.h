// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/catalog.h"
#include "core/mechanics/dynamics.h"
#include "core/scenario/scenario.h"
#include "tests/bench/plain_pendulum.h"

namespace twosphere::test {

/// The start of a double pendulum for loops that know neither systems nor scenarios.
inline PlainStart plain_start(const Scenario& scenario) {
  const auto system = create_system(scenario);
  const Eigen::MatrixXd inertia = dense((*system)->inertia(), scenario.q);
  Columns gradient(3, 2), force(3, 2);
  generalised_gradient(**system, 0, scenario.q, gradient, force);
  PlainPair g, q, v;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const Vec3 velocity = scenario.omega.col(at).cross(scenario.q.col(at));
    for (std::size_t c = 0; c < 3; ++c) {
      const auto row = static_cast<Eigen::Index>(c);
      g[i][c] = gradient(row, at);
      q[i][c] = scenario.q(row, at);
      v[i][c] = velocity[row];
    }
  }
  return {{{{inertia(0, 0), inertia(0, 1)}, {inertia(1, 0), inertia(1, 1)}}}, g, q, v};
}

}  // namespace twosphere::test
