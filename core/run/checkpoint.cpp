// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint.h"

namespace twosphere {

std::size_t RunCheckpoint::bytes() const {
  std::size_t sum = sizeof(RunCheckpoint) + lanes.capacity() * sizeof(Lane::Checkpoint);
  for (const Lane::Checkpoint& lane : lanes) {
    sum += static_cast<std::size_t>(lane.state.q.size() + lane.state.w.size()) * sizeof(double);
    for (const auto& [name, values] : lane.memory)
      sum += sizeof(lane.memory[0]) + values.capacity() * sizeof(double);
  }
  return sum;
}

}  // namespace twosphere
