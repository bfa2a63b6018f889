// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_motion.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/mechanics/return_map.h"

namespace twosphere {

Result<std::vector<Columns>> orbit_motion(const System& rest, const FoundOrbit& orbit, int count) {
  const int steps = orbit.steps(), parts = std::clamp(count, 1, steps);
  const double h = orbit.period() / steps;
  const Closure turning{orbit.closure.axis, {}};
  State state = orbit.orbit.point().state;
  std::vector<Columns> motion{state.q};
  int at = 0;
  for (int k = 1; k < parts; ++k) {
    const int next = static_cast<int>(std::int64_t{k} * steps / parts);
    const ReturnMap map(rest, *orbit.method, {}, at * h);
    auto there = map.end(state, h, next - at, 0);
    if (!there) return there.error();
    state = std::move(*there);
    at = next;
    motion.push_back(turning.applied(state.q, orbit.rotation() * at / steps));
  }
  return motion;
}

}  // namespace twosphere
