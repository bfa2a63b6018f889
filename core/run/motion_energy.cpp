// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/motion_energy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace twosphere {

/// The bin of T, which is not that of the row before or may become a new highest one.
std::size_t MotionEnergy::bin_of(double kinetic) {
  if (!(kinetic > 0)) return 0;
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
    median_rows_ = -1;
  }
  const auto below = static_cast<std::size_t>(highest_ - k), last = counts_.size() - 1;
  bin_ = last - std::min(below, last);
  // All T that have this k, whatever the logarithms are rounded to.
  constexpr double rounding = 1e-9, least = 1e-290;
  low_ = unit_ * std::exp2((k - 0.5) / 2) * (1 + rounding);
  high_ = low_ > least ? unit_ * std::exp2((k + 0.5) / 2) * (1 - rounding) : 0;
  return bin_;
}

/// Moves the median to the bin in which half of the rows are reached, or finds it if it was not
/// known before the last row.
void MotionEnergy::move_median(bool known) {
  auto& [middle, below, energy] = median_;
  if (!known) {
    median_ = search();
    return;
  }
  while (2 * below < rows_ && middle + 1 < counts_.size()) below += counts_[++middle];
  while (middle > 0 && 2 * (below - counts_[middle]) >= rows_) below -= counts_[middle--];
  energy = energy_of(middle);
}

/// The bin in which half of the rows are reached.
MotionEnergy::Median MotionEnergy::search() const {
  Median found{0, counts_[0], 0};
  while (2 * found.below < rows_ && found.bin + 1 < counts_.size())
    found.below += counts_[++found.bin];
  found.value = energy_of(found.bin);
  return found;
}

/// The lowest bin stands for 0.
double MotionEnergy::energy_of(std::size_t bin) const {
  if (bin == 0) return 0;
  return unit_ *
         std::exp2((highest_ + static_cast<double>(bin + 1) - static_cast<double>(counts_.size())) /
                   2);
}

double MotionEnergy::median() const {
  return median_rows_ == rows_ ? median_.value : search().value;
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
