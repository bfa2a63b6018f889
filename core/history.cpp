// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history.h"

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

}  // namespace

void History::Column::append(double value) {
  values.push_back(value);
  const double size = std::abs(value);
  if (!(size <= worst) && !std::isnan(worst)) worst = size;
  if (std::isfinite(size)) magnitude.add(size);

  // Every 16th entry of a level completes one of the next.
  std::size_t filled = values.size();
  for (std::size_t k = 0; filled % block == 0; ++k) {
    const Range range = k == 0 ? extremes(values, filled - block, filled)
                               : extremes(levels[k - 1], filled - block, filled);
    if (levels.size() == k) levels.emplace_back();
    levels[k].push_back(range);
    filled /= block;
  }
}

void History::clear() {
  for (Column& column : columns_) {
    column.values.clear();
    column.levels.clear();
    column.magnitude = {};
    column.worst = 0;
  }
  steps_.clear();
}

void History::append(std::int64_t step, const Sample& sample) {
  // Capacities that differ keep the columns from growing, which copies them, all at once.
  if (columns_[0].values.capacity() == 0)
    for (std::size_t i = 0; i < quantity_count; ++i) columns_[i].values.reserve(1024 + 64 * i);
  for (std::size_t i = 0; i < quantity_count; ++i) columns_[i].append(sample.values[i]);
  steps_.push_back(step);
}

std::span<const double> History::column(Quantity q) const { return at(q).values; }

Sample History::sample(std::size_t index) const {
  assert(index < size());
  Sample s;
  for (std::size_t i = 0; i < quantity_count; ++i) s.values[i] = columns_[i].values[index];
  return s;
}

Range History::range(Quantity q, std::size_t first, std::size_t last) const {
  assert(first < last && last <= size());
  const Column& column = at(q);
  Range range = nothing;
  trim(column.values, first, last, range);
  for (std::size_t k = 0; first < last; ++k) trim(column.levels[k], first, last, range);
  return range.low <= range.high ? range : Range{nan, nan};
}

std::size_t History::lower_bound(double t) const {
  const auto& times = at(Quantity::time).values;
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
}

double History::mean_magnitude(Quantity q) const {
  const Column& column = at(q);
  if (column.values.empty() || !std::isfinite(column.worst)) return column.worst;
  return column.magnitude.value() / static_cast<double>(column.values.size());
}

double History::worst_magnitude(Quantity q) const { return at(q).worst; }

}  // namespace twosphere
