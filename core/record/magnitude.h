// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "core/mechanics/diagnostics.h"

namespace twosphere {

/// Mean and largest |value| of a list. Missing values (NaN) are left out.
struct Magnitude {
  CompensatedSum sum;  // of finite values
  double worst = 0;
  std::size_t count = 0;

  void add(double value) {
    const double size = std::abs(value);
    if (size > worst) worst = size;
    if (std::isfinite(size)) sum.add(size);
    if (!std::isnan(size)) ++count;
  }
  void add(const double* values, std::size_t number, std::size_t stride = 1);
  void add(std::span<const Sample> samples, Quantity quantity);
  /// Infinite if a value is; 0 if there are none.
  double mean() const {
    return count == 0 || !std::isfinite(worst) ? worst : sum.value() / static_cast<double>(count);
  }
};

}  // namespace twosphere
