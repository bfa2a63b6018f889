// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/record/compressed_block.h"
#include "core/record/magnitude.h"

namespace twosphere {

/// Smallest and largest value of a range of samples.
struct Range {
  double low, high;
};

/// Entries [first, last) of a sequence.
struct IndexRange {
  std::size_t first = 0, last = 0;

  std::size_t size() const { return last - first; }
};

/// A growing list of numbers with a pyramid of (min, max) over blocks of 128, 128·16, … numbers, so
/// that the extremes of any range cost O(log n). Appending costs O(1) on average. Numbers are
/// stored without loss in blocks of 1024 (CompressedBlock); the pyramid takes 1/8 byte per number.
/// Numbers that are predicted from two other lists are stored as differences from the prediction.
///
/// NaN stands for a missing value: it is stored and ignored in all statistics. Infinities are
/// treated like other values.
class Series {
 public:
  /// Numbers per entry of the lowest level of the pyramid: range() between multiples of it reads no
  /// numbers.
  static constexpr std::size_t piece = 128;

  void append(double value) {
    if (tail_.size() == CompressedBlock::count) pack();
    if (tail_.empty()) tail_.reserve(CompressedBlock::count);
    tail_.push_back(value);
    if (tail_.size() % piece == 0) count_last();
  }
  /// Appends first[0], first[pitch], …
  void append(const double* first, std::size_t count, std::size_t pitch = 1);
  void clear();
  /// How many numbers can be appended before the next block is packed.
  std::size_t room() const {
    return CompressedBlock::count - tail_.size() % CompressedBlock::count;
  }

  /// Predicts number i as the rounded (a_i − c) − b_i with a constant c (0 unless `origin`); only
  /// the difference from this is stored, without loss. Both lists must contain number i before
  /// number i + 1 is appended here, must not follow other lists, and must keep their addresses.
  /// They must skip() together with this one and be thinned after it.
  void follow(const Series& a, const Series& b, bool origin);

  std::size_t size() const { return kept_ + (stored() - skipping_); }
  bool empty() const { return stored() == 0; }
  double operator[](std::size_t index) const { return at(position(index)); }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  /// Reads values [first, last), faster than one at a time.
  void read(std::size_t first, std::size_t last, double* out) const;
  std::vector<double> values(std::size_t first, std::size_t last) const;
  std::vector<double> values() const { return values(0, size()); }

  /// Extremes of values [first, last), first < last ≤ size(). Both are NaN if every value is NaN.
  Range range(std::size_t first, std::size_t last) const;
  /// Index of the first value ≥ x (size() if none). The values must not decrease.
  std::size_t lower_bound(double x) const;
  /// For a range of monotonic values: the index that separates the values < x from the others.
  std::size_t boundary(double x, IndexRange within) const;

  /// Mean of |value|, summed in order with compensation; 0 if there are none, and infinite if one
  /// is.
  double mean_magnitude() const;
  /// Largest |value|.
  double worst_magnitude() const;

  /// Removes all values except every factor-th, starting with the first, as if the others had never
  /// been appended.
  void thin(std::size_t factor = 2);
  /// Like thin(), in O(1): the values are not removed but skipped, and still count in extremes,
  /// mean and largest magnitude. Appending the remaining values to another series gives the result
  /// of thin().
  void skip(std::size_t factor = 2);
  bool skips() const { return factor_ > 1; }

  /// Removes all values after the first `count`, as if they had never been appended. Complete
  /// blocks stay shared with copies. Values are not read now; the next mean or largest magnitude
  /// reads them once. Not while values are skipped; lists that this one follows must be cut after
  /// it.
  void cut(std::size_t count);

  /// Memory [bytes].
  std::size_t bytes() const;

 private:
  std::size_t stored() const { return CompressedBlock::count * blocks_.size() + tail_.size(); }
  double at(std::size_t position) const {
    const std::size_t block = position / CompressedBlock::count;
    if (block >= blocks_.size()) return tail_[position % CompressedBlock::count];
    const double value = blocks_[block][position % CompressedBlock::count];
    return follows(block) ? predicted(position, origins_[block]) + value : value;
  }
  /// Stored values [first, last).
  void read_stored(std::size_t first, std::size_t last, double* out) const;
  /// Position of a value among the stored ones.
  std::size_t position(std::size_t index) const {
    return index < kept_ ? index * factor_ : index - kept_ + skipping_;
  }
  /// Whether a block contains differences from the predicted values.
  bool follows(std::size_t block) const { return a_ && !std::isnan(origins_[block]); }
  double predicted(std::size_t position, double origin) const {
    return skips() ? (a_->at(position) - origin) - b_->at(position)
                   : ((*a_)[position] - origin) - (*b_)[position];
  }
  /// Predicts `count` values, starting at a stored position.
  void predict(std::size_t position, std::size_t count, double origin, double* out) const;
  /// Compresses the tail, which is full, into a block.
  void pack();
  /// Adds the last `piece` values of the tail to the pyramid and the magnitudes.
  void count_last();
  /// Includes the values that are not counted in magnitude_ yet, and counts the pieces among them.
  Magnitude magnitude() const;
  Range extremes(std::size_t first, std::size_t last) const;
  template <class Before>
  std::size_t first_not(IndexRange within, const Before& before) const;

  std::vector<CompressedBlock> blocks_;
  std::vector<double>
      tail_;  // values after the last block; a full tail is packed by the next append()
  /// levels_[k]: one Range per full block of 128·16^k stored values; low > high if all are NaN.
  std::vector<std::vector<Range>> levels_;
  // Covers the first `counted_` values: all but the last size() % piece, unless there was a cut.
  mutable Magnitude magnitude_;
  mutable std::size_t counted_ = 0;
  /// Of the first `skipping_` stored values only every factor-th is valid: `kept_` of them.
  std::size_t factor_ = 1, skipping_ = 0, kept_ = 0;
  const Series *a_ = nullptr, *b_ = nullptr;  // the lists that this one follows, or null
  bool has_origin_ = false;
  std::vector<double> origins_;  // c of each block if this list follows others; NaN: the block
                                 // contains plain values
};

}  // namespace twosphere
