// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/section_points.h"

#include <algorithm>

namespace twosphere {

void SectionPoints::add(double t, std::int64_t step, int direction,
                        std::span<const double> values) {
  const std::size_t at = size_ % block;
  if (size_ / block == blocks_.size()) {
    blocks_.push_back(std::make_shared<Block>());
    blocks_.back()->values.resize(block * coordinates_);
  }
  Block& to = *blocks_.back();
  to.t[at] = t;
  to.step[at] = step;
  to.direction[at] = static_cast<signed char>(direction);
  std::copy(values.begin(), values.end(),
            to.values.begin() + static_cast<std::ptrdiff_t>(at * coordinates_));
  ++size_;
}

void SectionPoints::cut(std::size_t size) {
  if (size >= size_) return;
  size_ = size;
  ++cuts_;
  blocks_.resize((size + block - 1) / block);
  // Views keep the points that are about to be replaced.
  if (size % block != 0) blocks_.back() = std::make_shared<Block>(*blocks_.back());
}

SectionPoints SectionPoints::since(std::size_t first) const {
  SectionPoints view = *this;
  view.first_ = std::min(first_ + first, size_);
  return view;
}

}  // namespace twosphere
