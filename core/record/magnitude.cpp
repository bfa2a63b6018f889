// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/magnitude.h"

namespace twosphere {

void Magnitude::add(const double* values, std::size_t number, std::size_t stride) {
  CompensatedSum next = sum;
  double largest = worst;
  for (std::size_t i = 0; i < number; ++i) {
    const double size = std::abs(values[i * stride]);
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
  for (std::size_t i = 0; i < number; ++i) add(values[i * stride]);
}

void Magnitude::add(std::span<const Sample> samples, Quantity quantity) {
  static_assert(sizeof(Sample) == quantity_count * sizeof(double));
  if (!samples.empty())
    add(&samples[0].values[static_cast<std::size_t>(quantity)], samples.size(), quantity_count);
}

}  // namespace twosphere
