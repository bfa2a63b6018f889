// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/series.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace twosphere {

namespace {

constexpr std::size_t ratio = 16;  // branching factor of the pyramid
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Range nothing{infinity, -infinity};

// Comparisons with NaN are false, so NaN is ignored.
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

/// Includes the entries of [first, last) outside whole blocks in `range`, by extremes(first, last).
/// Afterwards [first, last) are the indices of the whole blocks.
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

/// Extremes of the values that are not NaN.
Range extremes_of(const double* values, std::size_t count) {
  // Two independent chains, because each comparison depends on the one before.
  Range even = nothing, odd = nothing;
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    include(even, values[i]);
    include(odd, values[i + 1]);
  }
  if (count % 2 != 0) include(even, values[count - 1]);
  include(even, odd);
  return even;
}

}  // namespace

void Series::append(const double* first, std::size_t count, std::size_t pitch) {
  while (count > 0) {
    if (tail_.size() == CompressedBlock::count) pack();
    if (tail_.empty()) tail_.reserve(CompressedBlock::count);
    const std::size_t filled = tail_.size(), taken = std::min(count, piece - filled % piece);
    tail_.resize(filled + taken);
    for (std::size_t i = 0; i < taken; ++i) tail_[filled + i] = first[i * pitch];
    first += taken * pitch;
    count -= taken;
    if (tail_.size() % piece == 0) count_last();
  }
}

void Series::count_last() {
  const double* last = tail_.data() + (tail_.size() - piece);
  if (counted_ + piece == stored()) {
    magnitude_.add(last, piece);
    counted_ += piece;
  }
  // Every 128th value completes an entry of the pyramid, every 16th of these one
  // of the next level.
  Range range = extremes_of(last, piece);
  std::size_t filled = stored() / piece;
  for (std::size_t k = 0;; ++k) {
    if (levels_.size() == k) levels_.emplace_back();
    levels_[k].push_back(range);
    if (filled % ratio != 0) return;
    range = extremes_of(levels_[k], filled - ratio, filled);
    filled /= ratio;
  }
}

void Series::pack() {
  const std::span<const double, CompressedBlock::count> values(tail_);
  if (a_) {
    const std::size_t first = CompressedBlock::count * blocks_.size();
    // The constant c, from the first number of the block.
    const double origin = has_origin_ ? predicted(first, 0) - values[0] : 0;
    std::array<double, CompressedBlock::count> prediction, left;
    predict(first, CompressedBlock::count, origin, prediction.data());
    // Differences, if adding them to the prediction restores every bit.
    bool exact = std::isfinite(origin);
    for (std::size_t i = 0; i < CompressedBlock::count; ++i) {
      left[i] = values[i] - prediction[i];
      exact &= std::isfinite(left[i]) && std::bit_cast<std::uint64_t>(prediction[i] + left[i]) ==
                                             std::bit_cast<std::uint64_t>(values[i]);
    }
    blocks_.emplace_back(exact ? std::span<const double, CompressedBlock::count>(left) : values);
    origins_.push_back(exact ? origin : nan);
  } else {
    blocks_.emplace_back(values);
  }
  tail_.clear();
}

void Series::follow(const Series& a, const Series& b, bool origin) {
  assert(empty() || a_);
  a_ = &a;
  b_ = &b;
  has_origin_ = origin;
}

void Series::clear() {
  Series fresh;
  fresh.a_ = a_;
  fresh.b_ = b_;
  fresh.has_origin_ = has_origin_;
  *this = std::move(fresh);
}

void Series::predict(std::size_t position, std::size_t count, double origin, double* out) const {
  std::array<double, CompressedBlock::count> b;
  if (skips()) {
    a_->read_stored(position, position + count, out);
    b_->read_stored(position, position + count, b.data());
  } else {
    a_->read(position, position + count, out);
    b_->read(position, position + count, b.data());
  }
  for (std::size_t i = 0; i < count; ++i) out[i] = (out[i] - origin) - b[i];
}

void Series::read_stored(std::size_t first, std::size_t last, double* out) const {
  while (first < last) {
    const std::size_t block = first / CompressedBlock::count,
                      start = block * CompressedBlock::count;
    const std::size_t from = first - start, to = std::min(last - start, CompressedBlock::count);
    if (block < blocks_.size()) {
      blocks_[block].read(from, to, out);
      if (follows(block)) {
        std::array<double, CompressedBlock::count> prediction;
        predict(first, to - from, origins_[block], prediction.data());
        for (std::size_t i = 0; i < to - from; ++i) out[i] = prediction[i] + out[i];
      }
    } else {
      std::copy(tail_.data() + from, tail_.data() + to, out);
    }
    out += to - from;
    first = start + to;
  }
}

void Series::read(std::size_t first, std::size_t last, double* out) const {
  assert(first <= last && last <= size());
  for (; first < std::min(last, kept_); ++first) *out++ = at(position(first));
  if (first < last) read_stored(position(first), position(last - 1) + 1, out);
}

std::vector<double> Series::values(std::size_t first, std::size_t last) const {
  std::vector<double> result(last - first);
  read(first, last, result.data());
  return result;
}

Range Series::extremes(std::size_t first, std::size_t last) const {
  std::array<double, piece> values;
  Range range = nothing;
  for (std::size_t end = first; first < last; first = end) {
    end = std::min(last, first + piece);
    read_stored(first, end, values.data());
    include(range, extremes_of(values.data(), end - first));
  }
  return range;
}

Range Series::range(std::size_t first, std::size_t last) const {
  assert(first < last && last <= size());
  first = position(first);
  last = position(last - 1) + 1;
  Range range = nothing;
  trim(piece, first, last, range,
       [this](std::size_t from, std::size_t to) { return extremes(from, to); });
  for (std::size_t k = 0; first < last; ++k)
    trim(ratio, first, last, range, [&level = levels_[k]](std::size_t from, std::size_t to) {
      return extremes_of(level, from, to);
    });
  return range.low <= range.high ? range : Range{nan, nan};
}

template <class Before>
std::size_t Series::first_not(IndexRange within, const Before& before) const {
  std::size_t first = within.first;
  for (std::size_t count = within.size(); count > 0;) {
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
  return first_not({0, size()}, [x](double value) { return value < x; });
}

std::size_t Series::boundary(double x, IndexRange within) const {
  const bool falls = within.size() > 1 && (*this)[within.last - 1] < (*this)[within.first];
  return first_not(within, [&](double value) { return (value < x) != falls; });
}

Magnitude Series::magnitude() const {
  const std::size_t waiting = tail_.size() % piece;
  std::array<double, piece> some;
  for (; counted_ + waiting < stored(); counted_ += piece) {
    read_stored(counted_, counted_ + piece, some.data());
    magnitude_.add(some.data(), piece);
  }
  Magnitude all = magnitude_;
  all.add(tail_.data() + (tail_.size() - waiting), waiting);
  return all;
}

double Series::mean_magnitude() const { return magnitude().mean(); }

double Series::worst_magnitude() const { return magnitude().worst; }

void Series::thin(std::size_t factor) {
  assert(factor > 0 && !a_);
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

void Series::cut(std::size_t count) {
  assert(!skips() && count <= size());
  if (count == size()) return;
  const std::size_t whole = count / CompressedBlock::count;
  std::vector<double> tail = values(whole * CompressedBlock::count, count);
  if (whole < blocks_.size()) {
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(whole), blocks_.end());
    if (a_) origins_.resize(whole);
  }
  tail_ = std::move(tail);
  tail_.reserve(CompressedBlock::count);
  if (counted_ > count) {
    magnitude_ = {};
    counted_ = 0;
  }
  std::size_t filled = count / piece;
  for (std::vector<Range>& level : levels_) {
    level.resize(filled);
    filled /= ratio;
  }
}

std::size_t Series::bytes() const {
  std::size_t sum = tail_.capacity() * sizeof(double);
  sum += origins_.size() * sizeof(double);
  for (const CompressedBlock& block : blocks_) sum += block.bytes();
  for (const auto& level : levels_) sum += level.size() * sizeof(Range);
  return sum;
}

}  // namespace twosphere
