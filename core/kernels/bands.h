// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// Points near the unit sphere sorted by position, so that all points within a given distance of
/// neighbouring points lie in a few index ranges.
///
/// The sphere is divided into bands of equal angular width around e3, at least as wide as the
/// distance, and each band along its circle into bins, about two per point. Points are sorted by
/// band, by bin, and within a bin by index, so the order depends only on the points. Ranges consist
/// of whole bins and may contain further points. Cost: O(n) time and memory, parallel.
class Bands {
 public:
  /// Slots [begin, end) of the order.
  struct IndexRange {
    std::size_t begin, end;
  };
  /// The ranges in three bands, each split in two where the circle closes.
  class Stretches {
   public:
    void add(std::size_t begin, std::size_t end) { found_[count_++] = {begin, end}; }
    const IndexRange* begin() const { return found_.data(); }
    const IndexRange* end() const { return begin() + count_; }

   private:
    std::array<IndexRange, 6> found_;
    std::size_t count_ = 0;
  };

  /// Sorts the points for this distance. Returns false, without sorting, if this would not help:
  /// few points, a distance that spans an angle of π/4 or more, a point far from the sphere or not
  /// finite.
  bool sort(const Columns& q, double distance);

  /// Each band begins at a multiple of eight slots, so some slots are empty.
  std::size_t slots() const { return slots_; }
  bool empty(std::size_t slot) const { return placed_[slot].point < 0; }
  /// The point in a slot that is not empty.
  std::int32_t point(std::size_t slot) const { return placed_[slot].point; }
  /// Components of the points by slot, padded to whole vectors.
  const double* x() const { return x_.data(); }
  const double* y() const { return y_.data(); }
  const double* z() const { return z_.data(); }

  /// The slots of all points within the distance of the points in [begin, end), including these, in
  /// ascending order; ranges may be empty. [begin, end) must lie within one aligned group of eight
  /// slots, and slot `begin` must not be empty.
  Stretches around(std::size_t begin, std::size_t end) const;

 private:
  struct Band {
    std::size_t first_bin, bins;        // bins, followed by one more that marks the end of the last
    std::size_t first_slot, last_slot;  // last_slot is one past the last point
    /// Largest difference of azimuth, as a fraction of a turn, between a point in this band and a
    /// point within the distance in the band below, this one, and the one above; 1 if there is no
    /// such band.
    std::array<double, 3> turn;
  };

  struct Placed {
    std::int32_t point;  // -1 where there is none
    std::uint32_t bin;   // within its band
  };

  std::size_t first(const Band& band, std::size_t bin) const {
    return bin == 0 ? band.first_slot : end_[band.first_bin + bin - 1];
  }

  /// Computes the bands and bins for n points and this half chord.
  void cut(std::size_t n, double half_chord);

  std::vector<Band> bands_;
  std::size_t cut_for_ = 0;  // points
  double half_chord_ = 0;    // for which bands_ was made
  std::size_t slots_ = 0;
  Aligned<double> theta_,
      turn_;             // by point: angle from e3 [rad], azimuth as a fraction of a turn [1]
  Aligned<double> min_;  // by chunk of points: smallest |q|²
  Aligned<std::uint16_t> band_;     // by point
  Aligned<std::uint32_t> bin_;      // by point, within its band
  Aligned<std::uint32_t> next_;     // by chunk and band: slot of its next point
  Aligned<std::int32_t> members_;   // the points of each band in order, from its first slot on
  Aligned<std::uint32_t> end_;      // by bin: one past its last slot
  Aligned<Placed> placed_;          // by slot
  Aligned<std::uint16_t> band_of_;  // by eight slots
  Aligned<double> x_, y_, z_;       // by slot
};

}  // namespace twosphere
