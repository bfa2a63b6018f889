// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/body_records.h"

#include <cstddef>

namespace twosphere {

std::vector<BodyRecord> body_records(const System& system, const State& state) {
  const Eigen::Index n = state.q.cols();
  Columns velocity(3, n), momentum(3, n);
  for (Eigen::Index i = 0; i < n; ++i) velocity.col(i) = state.w.col(i).cross(state.q.col(i));
  multiply(system.inertia(), state.q, velocity, momentum);
  Geometry here, moved, origin;
  system.geometry(state.q, here);
  system.geometry(velocity, moved);
  system.geometry(Columns::Zero(3, n), origin);
  std::vector<BodyRecord> list;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    list.push_back({here.bodies[k].position, moved.bodies[k].position - origin.bodies[k].position,
                    state.q.col(i), state.w.col(i), velocity.col(i).dot(momentum.col(i)) / 2});
  }
  return list;
}

}  // namespace twosphere
