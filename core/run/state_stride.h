// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>

namespace twosphere {

/// Which samples of a run keep their states beside their quantities: every s-th, where s is a power
/// of two that doubles whenever more states than the budget allows would be kept. Whoever takes the
/// samples and whoever keeps them have one each and tell it the same: then both agree.
class StateStride {
 public:
  /// For the states of all lanes of a run [bytes].
  static constexpr std::size_t budget = std::size_t{40} << 20;

  /// No limit: the state of every sample.
  StateStride() = default;
  /// At most `bytes` for q and ω of so many bodies in so many lanes; the first state always.
  StateStride(int bodies, int lanes, std::size_t bytes = budget) { limit(bodies, lanes, bytes); }
  /// The same from the next sample on.
  void limit(int bodies, int lanes, std::size_t bytes = budget) {
    most_ = std::max<std::size_t>(1, bytes / bytes_per_sample(bodies, lanes));
  }

  /// q and ω of every body in every lane.
  static constexpr std::size_t bytes_per_sample(int bodies, int lanes) {
    return 6 * sizeof(double) * static_cast<std::size_t>(bodies) * static_cast<std::size_t>(lanes);
  }

  /// Sample `index`, which follows the last one told of, is taken: whether its state is kept. Of
  /// those kept before, only every factor-th stays where the stride grows by that factor.
  bool take(std::size_t index) {
    exponent_ = exponent_at(index);
    return takes(index);
  }
  /// What take() would return.
  bool takes(std::size_t index) const {
    return index % (std::size_t{1} << exponent_at(index)) == 0;
  }
  /// Of the samples every factor-th stays.
  void thin(std::size_t factor) {
    assert(factor > 0);
    exponent_ -= std::min(exponent_, std::countr_zero(factor));
  }
  /// A new run of the same size.
  void restart() { exponent_ = 0; }
  std::size_t stride() const { return std::size_t{1} << exponent_; }

 private:
  int exponent_at(std::size_t index) const {
    int exponent = exponent_;
    while (index >> exponent >= most_) ++exponent;
    return exponent;
  }

  std::size_t most_ = std::numeric_limits<std::size_t>::max();
  int exponent_ = 0;  // s = 2^exponent
};

}  // namespace twosphere
