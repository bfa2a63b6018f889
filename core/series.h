// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/diagnostics.h"

namespace twosphere {

/// Smallest and largest value of a stretch of samples.
struct Range {
  double low, high;
};

/// A growing list of numbers with a pyramid of (min, max) over blocks of 16, 16², … of them, so
/// that the extremes over any stretch cost O(log n). Appending costs O(1) on average. Memory: 8
/// bytes per value and 1/7 more.
///
/// What is not a number is kept as it came, has no part in a range, and is never hidden in a mean
/// or a worst value: both are NaN from then on. Infinities are values like any other.
class Series {
 public:
  void append(double value);
  void clear();
  void reserve(std::size_t count) { values_.reserve(count); }
  std::size_t capacity() const { return values_.capacity(); }

  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  double operator[](std::size_t index) const { return values_[index]; }
  std::span<const double> values() const { return values_; }

  /// Extremes of values [first, last), first < last ≤ size(). Both NaN if there is no number among
  /// them.
  Range range(std::size_t first, std::size_t last) const;
  /// First value that is ≥ x (size() if none) of values that never decrease, as times.
  std::size_t lower_bound(double x) const;

  /// Mean of |value|, summed in order with compensation; 0 if there are none.
  double mean_magnitude() const;
  /// Largest |value|.
  double worst_magnitude() const { return worst_; }

  /// Keeps every factor-th value, the first included, as if no other had been appended.
  void thin(std::size_t factor = 2);

 private:
  std::vector<double> values_;
  /// levels_[k]: one Range per full block of 16^(k+1) values, low > high if it has no number.
  std::vector<std::vector<Range>> levels_;
  CompensatedSum magnitude_;  // of the finite values
  double worst_ = 0;
};

}  // namespace twosphere
