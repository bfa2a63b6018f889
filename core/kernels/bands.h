// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/aligned.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

namespace bands_kernel {

/// The smallest and the largest |q|² of some points, and 1.
struct Squares {
  double smallest = 1, largest = 1;
};

}  // namespace bands_kernel

/// Points near the unit sphere sorted by position, so that groups of consecutive points are close
/// together and all points within a given distance of a group lie in a few index ranges.
///
/// The sphere is divided into bands of equal angular width around e3, two mean distances of
/// neighbours high, and each band along its circle into bins, about two per point. Points are
/// sorted by band, by bin, and within a bin by index, so the order depends only on the points.
/// Ranges consist of whole bins and may contain further points. Cost: O(n) time and memory,
/// parallel.
class Bands {
 public:
  /// Consecutive slots that form a group, of about two by two points.
  static constexpr std::size_t group = 4;

  /// Sorts the points for this distance. Returns false, without sorting, if one of them is not
  /// finite or does not have 1/4 < |q|² ≤ 4.
  bool sort(const Columns& q, double distance);

  /// Each band begins with a new group, so some slots at the ends of bands are empty.
  std::size_t slots() const { return slots_; }
  /// The most slots that so many points can have.
  std::size_t max_slots() const { return cut_for_ + group * bands_.size(); }
  bool empty(std::size_t slot) const { return placed_[slot].point < 0; }
  /// The point in a slot, negative if it is empty.
  std::int32_t point(std::size_t slot) const { return placed_[slot].point; }
  /// The smallest and the largest |q|² of the points that were sorted last, and 1.
  const bands_kernel::Squares& squares() const { return squares_; }

  /// Calls use(begin, end) for ranges of slots that contain all points within the distance of the
  /// points in the slots [first, last), including these: at most two ranges for each band, none of
  /// which overlap. [first, last) must lie within one group and have no empty slot.
  template <class Use>
  void for_each_range(std::size_t first, std::size_t last, const Use& use) const {
    const std::size_t k = band_of_[first / group];
    const double per_bin = 1 / static_cast<double>(bands_[k].bins);
    const double low = placed_[first].bin * per_bin, high = (placed_[last - 1].bin + 1.0) * per_bin;
    const double* const turns = turns_.data() + k * (2 * sides_ + 1) + sides_ - k;
    for (std::size_t other = k < sides_ ? 0 : k - sides_;
         other <= std::min(bands_.size() - 1, k + sides_); ++other) {
      const double turn = turns[other];
      if (turn < 0) continue;
      const Band& band = bands_[other];
      const auto bins = static_cast<std::int64_t>(band.bins);
      const double size = static_cast<double>(bins);
      // Bin numbers of the periodic band, counted from one turn before its first, so that none is
      // negative.
      auto from = static_cast<std::int64_t>((low - turn + 1) * size);
      auto to = static_cast<std::int64_t>((high + turn + 1) * size) + 1;
      if (to - from >= bins) from = bins, to = 2 * bins;
      // Split the range where the band closes.
      const auto slot = [&](std::int64_t b) { return start_of(band, static_cast<std::size_t>(b)); };
      if (from < bins) {
        use(slot(0), slot(to - bins));
        use(slot(from), slot(bins));
      } else if (to > 2 * bins) {
        use(slot(0), slot(to - 2 * bins));
        use(slot(from - bins), slot(bins));
      } else {
        use(slot(from - bins), slot(to - bins));
      }
    }
  }

 private:
  struct Band {
    std::size_t first_bin, bins;
    std::size_t first_slot, last_slot;  // last_slot is one past the last point
  };

  struct Placed {
    std::int32_t point;  // -1 where there is none
    std::uint32_t bin;   // within its band
  };

  std::size_t start_of(const Band& band, std::size_t bin) const {
    return bin == 0 ? band.first_slot : end_[band.first_bin + bin - 1];
  }

  /// Computes the bands and bins for n points and this half chord.
  void cut(std::size_t n, double half_chord);

  std::vector<Band> bands_;
  std::size_t sides_ = 0;  // bands above and below one that are within the distance
  /// For each band, from sides_ below it to sides_ above: largest difference of azimuth, as a
  /// fraction of a turn, of points within the distance in the two bands; negative if there are
  /// none.
  std::vector<double> turns_;
  std::size_t cut_for_ = 0;  // points
  double half_chord_ = 0;    // for which bands_ was made
  std::size_t slots_ = 0;
  bands_kernel::Squares squares_;
  Aligned<double> theta_, turn_;  // by point: angle from e3 [rad], azimuth as a fraction of a turn
  Aligned<bands_kernel::Squares> squares_of_;  // by chunk of points
  Aligned<std::uint16_t> band_;                // by point
  Aligned<std::uint32_t> bin_;                 // by point, within its band
  Aligned<std::uint32_t> next_;                // by chunk and band: slot of its next point
  Aligned<std::int32_t> members_;   // the points of each band in order, from its first slot on
  Aligned<std::uint32_t> end_;      // by bin: one past its last slot
  Aligned<Placed> placed_;          // by slot
  Aligned<std::uint16_t> band_of_;  // by group
};

}  // namespace twosphere
