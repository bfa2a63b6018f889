// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/motion_energy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace twosphere {

void MotionEnergy::add(double kinetic, double potential) {
  ++rows_;
  kinetic_ = kinetic;
  potential_ = potential;
  if (unit_ == 0) unit_ = kinetic;
  std::size_t index = 0;
  if (kinetic > 0) {
    // Kinetic energies are counted by half octaves of the first one.
    const auto k = static_cast<int>(std::lround(2 * (std::log2(kinetic) - std::log2(unit_))));
    if (k > highest_) {
      // A new highest one moves the bins down; those that fall out join the lowest.
      const auto by = std::min(static_cast<std::size_t>(k - highest_), counts_.size() - 1);
      for (std::size_t i = 1; i <= by; ++i) counts_[0] += counts_[i];
      std::move(counts_.begin() + static_cast<std::ptrdiff_t>(by) + 1, counts_.end(),
                counts_.begin() + 1);
      std::fill(counts_.end() - static_cast<std::ptrdiff_t>(by), counts_.end(), 0);
      highest_ = k;
    }
    const auto below = static_cast<std::size_t>(highest_ - k), last = counts_.size() - 1;
    index = last - std::min(below, last);
  }
  ++counts_[index];
  if (rows_ == 1) min_potential_ = max_potential_ = potential;
  // V at a peak of T counts only while the peak lasts, in value().
  if (rows_ > min_rows && kinetic > peak * median()) return;
  min_potential_ = std::min(min_potential_, potential);
  max_potential_ = std::max(max_potential_, potential);
}

double MotionEnergy::median() const {
  // The bin in which half of the rows are reached; the lowest one stands for 0.
  std::int64_t below = counts_[0];
  std::size_t i = 0;
  while (2 * below < rows_ && i + 1 < counts_.size()) below += counts_[++i];
  if (i == 0) return 0;
  return unit_ *
         std::exp2((highest_ + static_cast<double>(i + 1) - static_cast<double>(counts_.size())) /
                   2);
}

double MotionEnergy::value() const {
  const double middle = median();
  const double range = std::max(max_potential_, potential_) - std::min(min_potential_, potential_);
  return std::max({middle, range, kinetic_ > peak * middle ? kinetic_ : 0});
}

bool MotionEnergy::valid() const {
  constexpr int max_halves = 5000;  // of octaves, between two numbers
  std::int64_t left = rows_;
  for (const std::int64_t count : counts_) {
    if (count < 0 || count > left) return false;
    left -= count;
  }
  return left == 0 && unit_ >= 0 && std::isfinite(unit_) && std::abs(highest_) <= max_halves;
}

}  // namespace twosphere
