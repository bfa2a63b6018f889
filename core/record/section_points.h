// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace twosphere {

/// The points in which a lane crosses a section: time, step, direction and coordinates of each, bit
/// for bit. Memory: 17 bytes and 8 per coordinate. A copy shares the points and is a view: it
/// keeps those it has, which another thread may read while the original grows. Only the original
/// may be changed.
class SectionPoints {
 public:
  /// `number`: of the first crossing.
  explicit SectionPoints(std::size_t coordinates = 0, std::int64_t number = 0)
      : coordinates_(coordinates), number_(number) {}

  void add(double t, std::int64_t step, int direction, std::span<const double> values);
  /// Keeps the first `size` points.
  void cut(std::size_t size);

  /// A view without the first points.
  SectionPoints since(std::size_t first) const;

  std::size_t size() const { return size_ - first_; }
  std::size_t coordinates() const { return coordinates_; }
  /// Changes if points are no longer what they were; not if more are added.
  std::uint64_t version() const { return cuts_ << 32 ^ first_; }

  double t(std::size_t point) const { return of(point).t[at(point)]; }  ///< [s]
  std::int64_t step(std::size_t point) const { return of(point).step[at(point)]; }
  int direction(std::size_t point) const { return of(point).direction[at(point)]; }
  /// Of the crossing.
  std::int64_t number(std::size_t point) const {
    return number_ + static_cast<std::int64_t>(first_ + point);
  }
  std::span<const double> values(std::size_t point) const {
    return {of(point).values.data() + at(point) * coordinates_, coordinates_};
  }

 private:
  static constexpr std::size_t block = 4096;
  struct Block {
    std::array<double, block> t;
    std::array<std::int64_t, block> step;
    std::array<signed char, block> direction;
    std::vector<double> values;
  };
  const Block& of(std::size_t point) const { return *blocks_[(first_ + point) / block]; }
  std::size_t at(std::size_t point) const { return (first_ + point) % block; }

  std::size_t coordinates_ = 0, size_ = 0, first_ = 0;
  std::int64_t number_ = 0;
  std::uint64_t cuts_ = 0;
  std::vector<std::shared_ptr<Block>> blocks_;
};

}  // namespace twosphere
