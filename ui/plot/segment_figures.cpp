// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/segment_figures.h"

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

SegmentFigures::Figures SegmentFigures::of(const History& history, int lane, const Signal& signal,
                                           IndexRange samples, std::uint64_t generation) {
  if (generation_ != generation) sums_.clear();
  generation_ = generation;
  const Trace trace(history, signal);
  const IndexRange values = trace.of(samples);
  Sum& sum = sums_[{lane, signal, samples.first}];
  const auto is_last = [&](double value) {
    return value == sum.last_value || (std::isnan(value) && std::isnan(sum.last_value));
  };
  const bool valid = sum.values.last > values.first && sum.values.first == values.first &&
                     sum.values.last <= values.last &&
                     trace.time(sum.values.last - 1) == sum.last_time &&
                     is_last(trace.value(sum.values.last - 1));
  if (!valid) sum = {{values.first, values.first}, 0, {}, 0};
  for (; sum.values.last < values.last; ++sum.values.last) {
    const double value = trace.value(sum.values.last);
    if (std::isnan(value)) continue;  // missing
    sum.magnitude.add(std::abs(value));
    ++sum.counted;
  }
  sum.last_time = trace.time(values.last - 1);
  sum.last_value = trace.value(values.last - 1);
  const Range range = trace.range(values.first, values.last);
  return {sum.magnitude.value() / static_cast<double>(sum.counted),
          std::max(std::abs(range.low), std::abs(range.high))};
}

}  // namespace twosphere::ui
