// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/checkpoint.h"

#include <algorithm>

#include "core/run/cloud.h"

namespace twosphere {

namespace {

/// The part of the heap that a block of so many bytes takes: with its size, in units of 16 bytes.
std::size_t on_heap(std::size_t bytes) {
  constexpr std::size_t size = 8, unit = 16, min_bytes = 32;
  return bytes == 0 ? 0 : std::max(min_bytes, (bytes + size + unit - 1) / unit * unit);
}

template <class T>
std::size_t on_heap(const std::vector<T>& list) {
  return on_heap(list.capacity() * sizeof(T));
}

std::size_t on_heap(const std::vector<Lane::Checkpoint>& lanes) {
  std::size_t sum = on_heap(lanes.capacity() * sizeof(Lane::Checkpoint));
  for (const Lane::Checkpoint& lane : lanes) {
    for (const Columns* columns : {&lane.state.q, &lane.state.w})
      sum += on_heap(static_cast<std::size_t>(columns->size()) * sizeof(double));
    sum += on_heap(lane.memory);
    for (const auto& [name, values] : lane.memory)
      // Short names lie within the string itself.
      sum += on_heap(values) + on_heap(name.size() < sizeof(std::string) / 2 ? 0 : name.size() + 1);
  }
  return sum;
}

}  // namespace

std::size_t RunCheckpoint::bytes() const {
  // With the counts of a shared pointer.
  constexpr std::size_t count_of_owners = 16;
  std::size_t sum = on_heap(sizeof(RunCheckpoint) + count_of_owners) + on_heap(lanes) +
                    on_heap(reached) + on_heap(start_distances) + on_heap(pulls) +
                    on_heap(guard.warnings()) + on_heap(guard.watching());
  if (cloud) sum += on_heap(sizeof(CloudCheckpoint)) + on_heap(cloud->members.lanes);
  return sum;
}

}  // namespace twosphere
