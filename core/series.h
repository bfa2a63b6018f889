// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/diagnostics.h"
#include "core/packed.h"

namespace twosphere {

/// Smallest and largest value of a stretch of samples.
struct Range {
  double low, high;
};

/// A growing list of numbers with a pyramid of (min, max) over blocks of 64, 64·16, … of them, so
/// that the extremes over any stretch cost O(log n). Appending costs O(1) on average. Numbers are
/// kept bit for bit, 1024 at a time in as few bytes as they need: Packed; the pyramid takes 1/4
/// byte each.
///
/// What is not a number is kept as it came, has no part in a range, and is never hidden in a mean
/// or a worst value: both are NaN from then on. Infinities are values like any other.
class Series {
 public:
  void append(double value);
  void clear();

  std::size_t size() const { return kept_ + (stored() - skipping_); }
  bool empty() const { return stored() == 0; }
  double operator[](std::size_t index) const { return at(place(index)); }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  /// The values [first, last).
  std::vector<double> values(std::size_t first, std::size_t last) const;
  std::vector<double> values() const { return values(0, size()); }

  /// Extremes of values [first, last), first < last ≤ size(). Both NaN if there is no number among
  /// them.
  Range range(std::size_t first, std::size_t last) const;
  /// First value that is ≥ x (size() if none) of values that never decrease, as times.
  std::size_t lower_bound(double x) const;
  /// The same that is > x.
  std::size_t upper_bound(double x) const;

  /// Mean of |value|, summed in order with compensation; 0 if there are none.
  double mean_magnitude() const;
  /// Largest |value|.
  double worst_magnitude() const { return worst_; }

  /// Keeps every factor-th value, the first included, as if no other had been appended.
  void thin(std::size_t factor = 2);
  /// The same in no time: those that go are not given up but skipped, and still have their part in
  /// extremes, mean and worst magnitude. Whoever appends all that is left to another series has
  /// what thin() makes.
  void skip(std::size_t factor = 2);
  bool skips() const { return factor_ > 1; }

  /// Memory [bytes].
  std::size_t bytes() const;

 private:
  std::size_t stored() const { return Packed::count * blocks_.size() + tail_.size(); }
  double at(std::size_t place) const {
    const std::size_t block = place / Packed::count;
    return block < blocks_.size() ? blocks_[block][place % Packed::count]
                                  : tail_[place % Packed::count];
  }
  /// Where a value is among those stored.
  std::size_t place(std::size_t index) const {
    return index < kept_ ? index * factor_ : index - kept_ + skipping_;
  }
  Range extremes(std::size_t first, std::size_t last) const;
  template <class Before>
  std::size_t first_not(const Before& before) const;

  std::vector<Packed> blocks_;
  std::vector<double> tail_;  // what does not fill a block yet
  /// levels_[k]: one Range per full block of 64·16^k stored values, low > high if it has no number.
  std::vector<std::vector<Range>> levels_;
  CompensatedSum magnitude_;  // of the finite values
  double worst_ = 0;
  /// Of the first `skipping_` stored values only every factor-th counts: `kept_` of them.
  std::size_t factor_ = 1, skipping_ = 0, kept_ = 0;
};

}  // namespace twosphere
