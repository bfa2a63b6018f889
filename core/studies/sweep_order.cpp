// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace twosphere {

namespace {

/// A binary digit of the index on an axis.
struct Digit {
  std::size_t axis = 0;
  std::size_t value = 1;  ///< a power of two
};

/// The digits of the key from the highest down.
std::vector<Digit> digits_of(const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> lengths;  // in digits
  for (const std::size_t length : shape)
    lengths.push_back(length > 1 ? static_cast<std::size_t>(std::bit_width(length - 1)) : 0);
  const std::size_t max_length =
      shape.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::vector<Digit> digits;
  for (std::size_t level = max_length; level-- > 0;)
    for (std::size_t axis = shape.size(); axis-- > 0;)
      if (level < lengths[axis])
        digits.push_back({axis, std::size_t{1} << (lengths[axis] - 1 - level)});
  return digits;
}

/// Appends the points that begin with these digits.
class Collector {
 public:
  explicit Collector(const std::vector<std::size_t>& shape)
      : shape_(shape), digits_(digits_of(shape)), strides_(shape.size(), 1), at_(shape.size(), 0) {
    std::size_t points = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      strides_[axis] = points;
      points *= shape[axis];
    }
    order_.reserve(points);
    if (points > 0) collect(0, 0);
  }

  std::vector<std::size_t> take() { return std::move(order_); }

 private:
  void collect(std::size_t digit, std::size_t number) {
    if (digit == digits_.size()) {
      order_.push_back(number);
      return;
    }
    const auto [axis, value] = digits_[digit];
    collect(digit + 1, number);
    if (at_[axis] + value >= shape_[axis]) return;
    at_[axis] += value;
    collect(digit + 1, number + value * strides_[axis]);
    at_[axis] -= value;
  }

  const std::vector<std::size_t>& shape_;
  const std::vector<Digit> digits_;
  std::vector<std::size_t> strides_, at_, order_;
};

}  // namespace

std::vector<std::size_t> coarse_to_fine(const std::vector<std::size_t>& shape) {
  return Collector(shape).take();
}

std::vector<std::size_t> block_of(const std::vector<std::size_t>& shape,
                                  const std::vector<std::size_t>& point) {
  // The digits above the highest that is not zero are those of finer points.
  std::vector<std::size_t> lengths(shape.size(), 1);
  for (const auto& [axis, value] : digits_of(shape)) {
    if ((point[axis] & value) != 0) break;
    lengths[axis] *= 2;
  }
  return lengths;
}

}  // namespace twosphere
