// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

#include "core/record/history.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Mean and worst magnitude of a stretch of a lane's samples. What was summed is kept, so that a
/// growing stretch costs only what is new.
class SegmentFigures {
 public:
  struct Figures {
    double mean = 0, worst = 0;
  };
  /// `generation`: of the run. The stretch is not empty of values. Of what steps cost, those that
  /// had no such cost do not count.
  Figures of(const History& history, int lane, const Signal& signal, IndexRange samples,
             std::uint64_t generation);

 private:
  struct Sum {
    IndexRange values;
    double last_time = 0;  // of the last value counted: tells whether the history was thinned
    CompensatedSum magnitude;
    std::size_t counted = 0;
  };
  std::uint64_t generation_ = 0;
  std::map<std::tuple<int, Signal, std::size_t>, Sum> sums_;  // by lane, signal, first sample
};

}  // namespace twosphere::ui
