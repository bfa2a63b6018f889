// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

#include "core/record/history.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Mean and largest magnitude of a range of samples of a lane. Partial sums are cached, so that a
/// growing range costs only the new samples.
class SegmentFigures {
 public:
  struct Figures {
    double mean = 0, worst = 0;
  };
  /// `generation` is that of the run. The range must contain values. Steps without a value of a
  /// step quantity do not count.
  Figures of(const History& history, int lane, const Signal& signal, IndexRange samples,
             std::uint64_t generation);

 private:
  struct Sum {
    IndexRange values;
    // Time and value of the last one counted, which show whether the history was thinned, or given
    // the distances of another cloud.
    double last_time = 0, last_value = 0;
    CompensatedSum magnitude;
    std::size_t counted = 0;
  };
  std::uint64_t generation_ = 0;
  std::map<std::tuple<int, Signal, std::size_t>, Sum> sums_;  // by lane, signal, first sample
};

}  // namespace twosphere::ui
