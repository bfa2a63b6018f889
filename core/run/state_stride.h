// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>

namespace twosphere {

/// Selects the samples of a run that store states beside quantities: every s-th, where s is a power
/// of two that doubles whenever the states would exceed the budget. The producer and the consumer
/// of the samples each have one and make the same calls, so that their selections agree.
class StateStride {
 public:
  /// Budget for the states of all lanes of a run [bytes].
  static constexpr std::size_t budget = std::size_t{40} << 20;

  /// No limit: the state of every sample.
  StateStride() = default;
  /// At most `bytes` for q and ω of all bodies in all lanes; the first state is always stored.
  StateStride(int bodies, int lanes, std::size_t bytes = budget) { limit(bodies, lanes, bytes); }
  /// Changes the limit from the next sample on.
  void limit(int bodies, int lanes, std::size_t bytes = budget) {
    max_ = std::max<std::size_t>(1, bytes / bytes_per_sample(bodies, lanes));
  }

  /// Size of q and ω of every body in every lane.
  static constexpr std::size_t bytes_per_sample(int bodies, int lanes) {
    return 6 * sizeof(double) * static_cast<std::size_t>(bodies) * static_cast<std::size_t>(lanes);
  }

  /// Call for sample `index`, in ascending order. Returns whether its state is stored. If the
  /// stride grows by a factor, only every factor-th of the states stored before is kept.
  bool take(std::size_t index) {
    exponent_ = exponent_at(index);
    return takes(index);
  }
  /// The value that take() would return.
  bool takes(std::size_t index) const {
    return index % (std::size_t{1} << exponent_at(index)) == 0;
  }
  /// Only every factor-th sample is kept.
  void thin(std::size_t factor) {
    assert(factor > 0);
    exponent_ -= std::min(exponent_, std::countr_zero(factor));
  }
  /// Begins a new run of the same size.
  void restart() { exponent_ = 0; }
  std::size_t stride() const { return std::size_t{1} << exponent_; }

 private:
  int exponent_at(std::size_t index) const {
    int exponent = exponent_;
    while (index >> exponent >= max_) ++exponent;
    return exponent;
  }

  std::size_t max_ = std::numeric_limits<std::size_t>::max();
  int exponent_ = 0;  // s = 2^exponent
};

}  // namespace twosphere
