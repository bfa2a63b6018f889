// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/magnitude.h"

namespace twosphere {

void Magnitude::add(const double* values, std::size_t number) {
  CompensatedSum next = sum;
  double largest = worst;
  for (std::size_t i = 0; i < number; ++i) {
    const double size = std::abs(values[i]);
    if (size > largest) largest = size;
    next.add(size);
  }
  if (std::isfinite(next.sum)) {
    sum = next;
    worst = largest;
    count += number;
    return;
  }
  // A value is not finite: it is left out of the sum.
  for (std::size_t i = 0; i < number; ++i) add(values[i]);
}

}  // namespace twosphere
