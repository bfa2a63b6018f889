// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/series.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace twosphere {

namespace {

constexpr std::size_t base = 64, ratio = 16;  // of the pyramid
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

Range extremes_of(const std::vector<Range>& entries, std::size_t first, std::size_t last) {
  Range range = nothing;
  for (std::size_t i = first; i < last; ++i) include(range, entries[i]);
  return range;
}

/// Takes the entries of [first, last) before its first and after its last whole block into `range`,
/// by extremes(first, last); leaves [first, last) as blocks.
template <class Extremes>
void trim(std::size_t block, std::size_t& first, std::size_t& last, Range& range,
          const Extremes& extremes) {
  const std::size_t from = std::min(last, (first + block - 1) / block * block);
  include(range, extremes(first, from));
  const std::size_t to = std::max(from, last / block * block);
  include(range, extremes(to, last));
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
  if (tail_.empty()) tail_.reserve(Packed::count);
  tail_.push_back(value);
  count(value, worst_, magnitude_);

  // Every 64th value completes an entry of the pyramid, every 16th of these one of the next level.
  std::size_t filled = tail_.size();
  if (filled % base == 0) {
    filled = stored();
    Range range = extremes(filled - base, filled);
    filled /= base;
    for (std::size_t k = 0;; ++k) {
      if (levels_.size() == k) levels_.emplace_back();
      levels_[k].push_back(range);
      if (filled % ratio != 0) break;
      range = extremes_of(levels_[k], filled - ratio, filled);
      filled /= ratio;
    }
  }
  if (tail_.size() < Packed::count) return;
  blocks_.emplace_back(std::span<const double, Packed::count>(tail_));
  tail_.clear();
}

void Series::clear() { *this = {}; }

std::vector<double> Series::values(std::size_t first, std::size_t last) const {
  assert(first <= last && last <= size());
  std::vector<double> result;
  result.reserve(last - first);
  for (std::size_t i = first; i < last; ++i) result.push_back((*this)[i]);
  return result;
}

Range Series::extremes(std::size_t first, std::size_t last) const {
  Range range = nothing;
  while (first < last) {
    const std::size_t block = first / Packed::count, start = block * Packed::count;
    const std::size_t from = first - start, to = std::min(last - start, Packed::count);
    if (block < blocks_.size())
      for (std::size_t i = from; i < to; ++i) include(range, blocks_[block][i]);
    else
      for (std::size_t i = from; i < to; ++i) include(range, tail_[i]);
    first = start + to;
  }
  return range;
}

Range Series::range(std::size_t first, std::size_t last) const {
  assert(first < last && last <= size());
  first = place(first);
  last = place(last - 1) + 1;
  Range range = nothing;
  trim(base, first, last, range,
       [this](std::size_t from, std::size_t to) { return extremes(from, to); });
  for (std::size_t k = 0; first < last; ++k)
    trim(ratio, first, last, range, [&level = levels_[k]](std::size_t from, std::size_t to) {
      return extremes_of(level, from, to);
    });
  return range.low <= range.high ? range : Range{nan, nan};
}

template <class Before>
std::size_t Series::first_not(const Before& before) const {
  std::size_t first = 0;
  for (std::size_t count = size(); count > 0;) {
    const std::size_t half = count / 2;
    if (before((*this)[first + half])) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

std::size_t Series::lower_bound(double x) const {
  return first_not([x](double value) { return value < x; });
}

std::size_t Series::upper_bound(double x) const {
  return first_not([x](double value) { return value <= x; });
}

double Series::mean_magnitude() const {
  if (empty() || !std::isfinite(worst_)) return worst_;
  return magnitude_.value() / static_cast<double>(stored());
}

void Series::thin(std::size_t factor) {
  assert(factor > 0);
  if (factor == 1) return;
  Series thinned;
  for (std::size_t i = 0; i < size(); i += factor) thinned.append((*this)[i]);
  *this = std::move(thinned);
}

void Series::skip(std::size_t factor) {
  assert(factor > 0 && !skips());
  factor_ = factor;
  skipping_ = factor == 1 ? 0 : stored();
  kept_ = (skipping_ + factor - 1) / factor;
}

std::size_t Series::bytes() const {
  std::size_t sum = tail_.capacity() * sizeof(double);
  for (const Packed& block : blocks_) sum += block.bytes();
  for (const auto& level : levels_) sum += level.size() * sizeof(Range);
  return sum;
}

}  // namespace twosphere
