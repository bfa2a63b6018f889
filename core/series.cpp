// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace twosphere {

namespace {

constexpr std::size_t block = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Range nothing{infinity, -infinity};

// Comparisons with NaN are false, so NaN never gets in.
void include(Range& range, double value) {
  if (value < range.low) range.low = value;
  if (value > range.high) range.high = value;
}

void include(Range& range, const Range& other) {
  if (other.low < range.low) range.low = other.low;
  if (other.high > range.high) range.high = other.high;
}

template <class T>
Range extremes(const std::vector<T>& entries, std::size_t first, std::size_t last) {
  Range range = nothing;
  for (std::size_t i = first; i < last; ++i) include(range, entries[i]);
  return range;
}

/// Takes the entries of [first, last) before its first and after its last whole block into `range`;
/// leaves [first, last) as blocks.
template <class T>
void trim(const std::vector<T>& entries, std::size_t& first, std::size_t& last, Range& range) {
  const std::size_t from = std::min(last, (first + block - 1) / block * block);
  include(range, extremes(entries, first, from));
  const std::size_t to = std::max(from, last / block * block);
  include(range, extremes(entries, to, last));
  first = from / block;
  last = first + (to - from) / block;
}

/// Takes a value into the largest magnitude and the sum of those that are finite.
void count(double value, double& worst, CompensatedSum& sum) {
  const double size = std::abs(value);
  if (!(size <= worst) && !std::isnan(worst)) worst = size;
  if (std::isfinite(size)) sum.add(size);
}

}  // namespace

void Series::append(double value) {
  values_.push_back(value);
  count(value, worst_, magnitude_);

  // Every 16th entry of a level completes one of the next.
  std::size_t filled = values_.size();
  for (std::size_t k = 0; filled % block == 0; ++k) {
    const Range range = k == 0 ? extremes(values_, filled - block, filled)
                               : extremes(levels_[k - 1], filled - block, filled);
    if (levels_.size() == k) levels_.emplace_back();
    levels_[k].push_back(range);
    filled /= block;
  }
}

void Series::clear() {
  values_.clear();
  levels_.clear();
  magnitude_ = {};
  worst_ = 0;
}

Range Series::range(std::size_t first, std::size_t last) const {
  assert(first < last && last <= size());
  Range range = nothing;
  trim(values_, first, last, range);
  for (std::size_t k = 0; first < last; ++k) trim(levels_[k], first, last, range);
  return range.low <= range.high ? range : Range{nan, nan};
}

std::size_t Series::lower_bound(double x) const {
  return static_cast<std::size_t>(std::lower_bound(values_.begin(), values_.end(), x) -
                                  values_.begin());
}

double Series::mean_magnitude() const {
  if (values_.empty() || !std::isfinite(worst_)) return worst_;
  return magnitude_.value() / static_cast<double>(values_.size());
}

void Series::thin(std::size_t factor) {
  assert(factor > 0);
  if (factor == 1) return;
  // In place: a long run has little memory to spare, and grows into it again.
  std::size_t filled = (values_.size() + factor - 1) / factor;
  magnitude_ = {};
  worst_ = 0;
  for (std::size_t i = 0; i < filled; ++i) {
    values_[i] = values_[i * factor];
    count(values_[i], worst_, magnitude_);
  }
  values_.resize(filled);
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    filled /= block;
    for (std::size_t i = 0; i < filled; ++i)
      levels_[k][i] = k == 0 ? extremes(values_, block * i, block * (i + 1))
                             : extremes(levels_[k - 1], block * i, block * (i + 1));
    levels_[k].resize(filled);
  }
}

}  // namespace twosphere
