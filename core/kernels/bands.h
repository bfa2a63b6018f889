// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// Points near the unit sphere sorted by place, so that all within a distance of neighbouring
/// points stand in a few stretches of the order.
///
/// The sphere is cut into bands of equal height around e3, at least as high as the distance is
/// wide, and each band along its circle into bins, about two to a point. The order runs by band, by
/// bin, and within a bin by index: a function of the points alone. A stretch holds too many points
/// rather than too few, and what is in it follows from whole bins. Cost: O(n) time and memory,
/// shared by the threads.
class Bands {
 public:
  /// Slots [begin, end) of the order.
  struct IndexRange {
    std::size_t begin, end;
  };
  /// Those of three bands, each in two where it closes.
  class Stretches {
   public:
    void add(std::size_t begin, std::size_t end) { found_[count_++] = {begin, end}; }
    const IndexRange* begin() const { return found_.data(); }
    const IndexRange* end() const { return begin() + count_; }

   private:
    std::array<IndexRange, 6> found_;
    std::size_t count_ = 0;
  };

  /// Sorts the points for this distance. False, and nothing is sorted, where that would not help:
  /// few points, a distance of more than a quarter of a great circle's half, a point far from the
  /// sphere or not finite.
  bool sort(const Columns& q, double distance);

  /// Each band begins at a multiple of eight slots, so some slots are empty.
  std::size_t slots() const { return slots_; }
  bool empty(std::size_t slot) const { return placed_[slot].point < 0; }
  /// The point in a slot that is not empty.
  std::int32_t point(std::size_t slot) const { return placed_[slot].point; }
  /// Components of the points by slot, readable in whole vectors.
  const double* x() const { return x_.data(); }
  const double* y() const { return y_.data(); }
  const double* z() const { return z_.data(); }

  /// Where all points within the distance of those in [begin, end), at most eight slots of one
  /// eight, are, themselves among them, in ascending order; stretches may be empty. The first slot
  /// is not empty.
  Stretches around(std::size_t begin, std::size_t end) const;

 private:
  struct Band {
    std::size_t first_bin, bins;        // and one more bin, where the last ends
    std::size_t first_slot, last_slot;  // and behind the last point
    /// By how much of a turn points within the distance can differ, one in this band, one in that
    /// below, in this, in that above; 1 where there is no band.
    std::array<double, 3> turn;
  };

  struct Placed {
    std::int32_t point;  // -1 where there is none
    std::uint32_t bin;   // within its band
  };

  std::size_t first(const Band& band, std::size_t bin) const {
    return bin == 0 ? band.first_slot : end_[band.first_bin + bin - 1];
  }

  /// Bands and their bins for n points and this half of a chord.
  void cut(std::size_t n, double half_chord);

  std::vector<Band> bands_;
  std::size_t cut_for_ = 0;  // points
  double half_chord_ = 0;    // for which bands_ was made
  std::size_t slots_ = 0;
  Aligned<double> theta_, turn_;    // by point: angle from e3 [rad], part of a turn about it [1]
  Aligned<double> least_;           // by chunk of points: least |q|²
  Aligned<std::uint16_t> band_;     // by point
  Aligned<std::uint32_t> bin_;      // by point, within its band
  Aligned<std::uint32_t> next_;     // by chunk and band: where its next point goes
  Aligned<std::int32_t> members_;   // the points of each band in order, from its first slot on
  Aligned<std::uint32_t> end_;      // by bin: the slot behind its last
  Aligned<Placed> placed_;          // by slot
  Aligned<std::uint16_t> band_of_;  // by eight slots
  Aligned<double> x_, y_, z_;       // by slot
};

}  // namespace twosphere
