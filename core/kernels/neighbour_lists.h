// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/kernels/aligned.h"
#include "core/kernels/bands.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// The neighbours of points near the unit sphere: of each group of four points all those within a
/// reach of at least one of them, in ascending order of their numbers.
///
/// Lists contain what lies within the reach and a skin, so that they stay valid until a point has
/// moved by half the skin. Which further points a list contains, and what is in a group, therefore
/// depends on earlier calls. Sums over a list must not depend on it: a further point adds zero, and
/// each point of a group has its own sum.
class NeighbourLists {
 public:
  static constexpr std::size_t group = Bands::group;

  /// Takes q as the positions, and makes the lists anew if they are not valid for them. The reach
  /// must be less than 1. Returns false, with no lists, if a point is not finite or does not have
  /// 1/4 < |q|² ≤ 4, or if lists were made and two points coincide. Cost: O(n), parallel. Allocates
  /// memory if lists become longer.
  bool update(const Columns& q, double reach);

  /// Whether these may be the lists of an earlier q on the way to this one: some of the points have
  /// moved by less than the skin on average. Cost: O(1).
  bool may_suit(const Columns& q, double reach) const;

  std::size_t groups() const { return bands_.slots() / group; }
  /// The number of the point in a slot, negative if it is empty; a group has the slots from
  /// `group` times its index on, of which the first is not empty.
  std::int32_t point(std::size_t slot) const { return bands_.point(slot); }
  /// x, y, z and a fourth number for each slot; an empty one is far from all points.
  const double* positions() const { return positions_.data(); }

  /// Room for the positions after these, and the squares of how far a point may be from origins()
  /// there.
  double* next_positions() { return next_.data(); }
  const double* origins() const { return origins_.data(); }
  double way_squared() const { return skin_ * skin_ / 4 * (1 - 1e-9); }
  /// Makes next_positions() the positions. They must be within that way.
  void advance() { std::swap(positions_, next_); }
  /// Whether lists are kept for all positions within that way.
  bool kept() const { return kept_; }

  /// Neighbours as 4 times their slot, the place of their position.
  struct List {
    const std::uint32_t* begin;
    const std::uint32_t* end;
  };

  /// The list of group g; until the next call on this thread it may be in memory of the thread.
  List neighbours(std::size_t g) const {
    return kept_ ? parts_[g / part_groups].list(g % part_groups) : find(g);
  }

  /// Calls use(begin, end) for ranges of groups, in any order and on all threads.
  template <class Use>
  void for_each_part(const Use& use) const {
    const std::size_t all = groups(), parts = (all + part_groups - 1) / part_groups;
    const auto part = [&](std::size_t k) {
      use(k * part_groups, std::min(all, (k + 1) * part_groups));
    };
    if (parts > 8) {
      parallel_for(parts, part);
    } else {
      for (std::size_t k = 0; k < parts; ++k) part(k);
    }
  }

 private:
  /// Groups that one thread deals with one after the other.
  static constexpr std::size_t part_groups = 64;
  struct Part {
    std::vector<std::uint32_t> entries;                  // the lists, one after the other
    std::array<std::uint32_t, part_groups + 1> begin{};  // by group, where its list begins

    List list(std::size_t g) const {
      return {entries.data() + begin[g], entries.data() + begin[g + 1]};
    }
  };

  /// Copies q to the slots. Whether all points are within half the skin of where they were when
  /// the lists were made.
  bool move(const Columns& q);
  /// Sorts the points, and makes the lists if there is room for them.
  bool make(const Columns& q);
  /// The neighbours of group g, in memory of the calling thread. `coincide`, if given, is set if
  /// one of its points coincides with another.
  List find(std::size_t g, std::atomic<bool>* coincide = nullptr) const;

  Bands bands_;
  // What there are lists for, valid or not.
  Eigen::Index points_ = 0;
  double reach_ = 0, skin_ = 0;
  bool valid_ = false;
  bool kept_ = false;                           // else each list is found when it is used
  Aligned<double> positions_, next_, origins_;  // by slot; origins: when the lists were made
  Aligned<std::uint32_t> slot_of_;              // by point
  std::vector<Part> parts_;
};

}  // namespace twosphere
