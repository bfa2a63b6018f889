// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

/// Which bodies of a system are equal, and may change places: Closure::places.
namespace twosphere {

/// Whether the system is the same after these places are taken: T and V of three random states, to
/// 1e-10, and the strengths.
bool equal_bodies(const System& system, const std::vector<int>& places);

/// What takes the bodies of a system to one another.
class EqualBodies {
 public:
  /// Cost: at most V of some 3n² states, mostly of 6n.
  explicit EqualBodies(const System& system);

  /// A number for each body. Those with the same one may change places two by two.
  const std::vector<int>& kinds() const { return kinds_; }
  /// Shifts of the numbers of all bodies, along a ring, and reversals, from one end to the other,
  /// that leave the system as it is and are more than exchanges within a kind. The identity is the
  /// first.
  const std::vector<std::vector<int>>& orders() const { return orders_; }
  /// What comes of both, the identity first: all places that are taken, or of more than `max_count`
  /// those that fewest exchanges, shifts and reversals make.
  std::vector<std::vector<int>> all(std::size_t max_count) const;

  /// Whether places exist after which a rotation about conserved axes takes `a` to within this
  /// angle of `b` [rad], turn_between().
  bool same(const Columns& a, const Columns& b, double within) const;

 private:
  std::array<bool, 3> axes_;
  std::vector<int> kinds_;
  std::vector<std::vector<int>> orders_;
};

}  // namespace twosphere
