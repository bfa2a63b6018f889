// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/record/compressed_block.h"

namespace twosphere {

/// Smallest and largest value of a stretch of samples.
struct Range {
  double low, high;
};

/// A growing list of numbers with a pyramid of (min, max) over blocks of 128, 128·16, … of them, so
/// that the extremes over any stretch cost O(log n). Appending costs O(1) on average. Numbers are
/// kept bit for bit, 1024 at a time in as few bits as they need: CompressedBlock; the pyramid takes
/// 1/8 byte each. Of numbers that follow from those of two other lists it is kept what they differ
/// by.
///
/// What is not a number is kept as it came, has no part in a range, and is never hidden in a mean
/// or a worst value: both are NaN from then on. Infinities are values like any other.
class Series {
 public:
  /// So many numbers have one entry in the pyramid: range() between multiples of it reads none.
  static constexpr std::size_t piece = 128;

  void append(double value) {
    if (tail_.size() == CompressedBlock::count) pack();
    if (tail_.empty()) tail_.reserve(CompressedBlock::count);
    tail_.push_back(value);
    if (tail_.size() % piece == 0) count_last();
  }
  /// The numbers first[0], first[pitch], …, as one by one.
  void append(const double* first, std::size_t count, std::size_t pitch = 1);
  void clear();
  /// So many can be appended until the next block has to be packed.
  std::size_t room() const {
    return CompressedBlock::count - tail_.size() % CompressedBlock::count;
  }

  /// Most numbers will be about (a_i − c) − b_i with one c (0 unless there is an origin), as
  /// rounded. What differs is kept, whatever it is. Both lists must have number i before number i +
  /// 1 is appended here, do not follow others, and stay where they are; they skip() together with
  /// this one and are thinned after it.
  void follow(const Series& a, const Series& b, bool origin);

  std::size_t size() const { return kept_ + (stored() - skipping_); }
  bool empty() const { return stored() == 0; }
  double operator[](std::size_t index) const { return at(place(index)); }
  double front() const { return (*this)[0]; }
  double back() const { return (*this)[size() - 1]; }
  /// Values [first, last), in less time than one by one.
  void read(std::size_t first, std::size_t last, double* out) const;
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
  double worst_magnitude() const;

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
  /// Of magnitudes; NaN if one of them is.
  struct Magnitude {
    CompensatedSum sum;  // of the finite ones
    double worst = 0;

    void add(const double* values, std::size_t count);
  };

  std::size_t stored() const { return CompressedBlock::count * blocks_.size() + tail_.size(); }
  double at(std::size_t place) const {
    const std::size_t block = place / CompressedBlock::count;
    if (block >= blocks_.size()) return tail_[place % CompressedBlock::count];
    const double value = blocks_[block][place % CompressedBlock::count];
    return follows(block) ? expected(place, origins_[block]) + value : value;
  }
  /// Stored values [first, last).
  void read_stored(std::size_t first, std::size_t last, double* out) const;
  /// Where a value is among those stored.
  std::size_t place(std::size_t index) const {
    return index < kept_ ? index * factor_ : index - kept_ + skipping_;
  }
  /// Whether a block has what is left of the expected values.
  bool follows(std::size_t block) const { return a_ && !std::isnan(origins_[block]); }
  double expected(std::size_t place, double origin) const {
    return skips() ? (a_->at(place) - origin) - b_->at(place)
                   : ((*a_)[place] - origin) - (*b_)[place];
  }
  /// Of `count` values from a place on.
  void expect(std::size_t place, std::size_t count, double origin, double* out) const;
  /// Makes a block of the tail, which is full.
  void pack();
  /// Takes the last `piece` values of the tail into the pyramid and the magnitudes.
  void count_last();
  /// With those that are not counted yet.
  Magnitude magnitude() const;
  Range extremes(std::size_t first, std::size_t last) const;
  template <class Before>
  std::size_t first_not(const Before& before) const;

  std::vector<CompressedBlock> blocks_;
  std::vector<double> tail_;  // what is in no block yet; a full one waits for what comes next
  /// levels_[k]: one Range per full block of 128·16^k stored values, low > high if it has no
  /// number.
  std::vector<std::vector<Range>> levels_;
  Magnitude magnitude_;  // of all but the last values, fewer than `piece`
  /// Of the first `skipping_` stored values only every factor-th counts: `kept_` of them.
  std::size_t factor_ = 1, skipping_ = 0, kept_ = 0;
  const Series *a_ = nullptr, *b_ = nullptr;  // that this one follows, if any
  bool has_origin_ = false;
  std::vector<double> origins_;  // one per block if this one follows; NaN: the block does not
};

}  // namespace twosphere
