// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/diagnostics.h"

namespace twosphere {

/// Smallest and largest value of a stretch of samples.
struct Range {
  double low, high;
};

/// Every sample of one lane of a run, column by column, with a pyramid of (min, max) over blocks of
/// 16, 16², … samples, so that the extremes over any stretch cost O(log n). Appending costs O(1) on
/// average. Memory: 8 bytes per value and 1/7 more.
///
/// What is not a number is kept as it came, has no part in a range, and is never hidden in a mean
/// or a worst value: both are NaN from then on. Infinities are values like any other.
class History {
 public:
  void clear();
  void append(std::int64_t step, const Sample& sample);

  std::size_t size() const { return steps_.size(); }
  std::span<const double> column(Quantity q) const;
  std::span<const std::int64_t> steps() const { return steps_; }
  Sample sample(std::size_t index) const;

  /// Extremes of a column over samples [first, last), first < last ≤ size(). Both NaN if there is
  /// no number among them.
  Range range(Quantity q, std::size_t first, std::size_t last) const;
  /// First sample whose time is ≥ t (size() if none). Times never decrease.
  std::size_t lower_bound(double t) const;

  /// Mean over all samples of |value|: of the energy error this is the papers' mean energy
  /// variation. 0 if there are none.
  double mean_magnitude(Quantity q) const;
  /// Largest |value| over all samples.
  double worst_magnitude(Quantity q) const;

 private:
  struct Column {
    std::vector<double> values;
    /// levels[k]: one Range per full block of 16^(k+1) samples, low > high if it has no number.
    std::vector<std::vector<Range>> levels;
    CompensatedSum magnitude;  ///< of the finite values
    double worst = 0;

    void append(double value);
  };
  const Column& at(Quantity q) const { return columns_[static_cast<std::size_t>(q)]; }

  std::array<Column, quantity_count> columns_;
  std::vector<std::int64_t> steps_;
};

}  // namespace twosphere
