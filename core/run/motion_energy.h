// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace twosphere {

/// The energy [J] that errors of a motion are compared with, from its rows so far:
///
///   max(median of T, max V − min V)
///
/// V at a peak of T above 10 times the median, as in an encounter, counts only while the peak
/// lasts, and T with it. Another zero of V, or other units of energy and time, change nothing else.
/// Memory and cost of a row are constant; the median is one of the powers of √2 times the first T.
/// It moves with the rows, so that a row takes neither a sum over the counts nor, where T is about
/// that of the row before, a logarithm.
class MotionEnergy {
 public:
  /// So many rows are known before a peak is one, and before the value is taken for the motion's.
  static constexpr int min_rows = 20;

  void add(double kinetic, double potential) {
    kinetic_ = kinetic;
    potential_ = potential;
    if (unit_ == 0) unit_ = kinetic;
    count(kinetic >= low_ && kinetic < high_ ? bin_ : bin_of(kinetic));
    if (rows_ == 1) min_potential_ = max_potential_ = potential;
    // V at a peak of T counts only while the peak lasts, in value().
    if (rows_ > min_rows && kinetic > peak * median_.value) return;
    min_potential_ = std::min(min_potential_, potential);
    max_potential_ = std::max(max_potential_, potential);
  }
  std::int64_t rows() const { return rows_; }
  double median() const;  ///< of T; 0 if it is less than 2⁻³² of the largest
  double value() const;   ///< at the last row; 0 before the first one
  /// What value() of this row and of later ones is not below.
  double least() const { return max_potential_ - min_potential_; }

  /// Whether, after it has been read, it is that of some rows.
  bool valid() const;
  /// All members, to be written or read (core/base/fields.h).
  template <class Fields>
  void transfer(Fields& fields) {
    fields(rows_, unit_, highest_, min_potential_, max_potential_, kinetic_, potential_);
    fields.bytes(counts_.data(), sizeof counts_);
    // What follows from these is found at the next row.
    if constexpr (Fields::reads) median_rows_ = -1, low_ = high_ = 0;
  }

 private:
  static constexpr double peak = 10;  // of T, times the median

  /// The median of T, as a bin, and the rows up to the end of that bin.
  struct Median {
    std::size_t bin = 0;
    std::int64_t below = 0;
    double value = 0;  // [J]
  };
  /// Counts a row in this bin. The median seldom moves.
  void count(std::size_t bin) {
    const bool known = median_rows_ == rows_;
    ++counts_[bin];
    median_rows_ = ++rows_;
    if (bin <= median_.bin) ++median_.below;
    const std::int64_t before = median_.below - counts_[median_.bin];
    if (!known || 2 * median_.below < rows_ || (median_.bin > 0 && 2 * before >= rows_))
      move_median(known);
  }
  std::size_t bin_of(double kinetic);
  void move_median(bool known);
  Median search() const;
  double energy_of(std::size_t bin) const;

  std::int64_t rows_ = 0;
  double unit_ = 0;  // the first T > 0 [J]
  int highest_ = 0;  // of the k with T about unit_ 2^{k/2}
  // Rows with each k, up to the highest; the first has all that are lower.
  std::array<std::int64_t, 64> counts_{};
  double min_potential_ = 0, max_potential_ = 0;  // without peaks
  double kinetic_ = 0, potential_ = 0;            // at the last row

  // From the members above: the median after so many rows, and the bin of all T from low to high.
  Median median_;
  std::int64_t median_rows_ = 0;
  double low_ = 0, high_ = 0;  // [J]
  std::size_t bin_ = 0;
};

}  // namespace twosphere
