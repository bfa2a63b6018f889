// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "app/session/live_run.h"
#include "core/worker/pacing.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

/// Computes the signals of the state that plots show, before each frame for a while: of a run that
/// computes 5 % of the time, and of one that rests 15 ms. The plots show what is there.
class SignalPreparer {
 public:
  static constexpr std::chrono::milliseconds longest{15};  ///< in one frame
  static constexpr double share_while_running = 0.05;

  /// Call before a frame with these plots.
  void prepare(const LiveRun& run, const std::vector<ui::PlotSpec>& plots, Clock::time_point now);
  /// Whether the last call has computed all.
  bool complete() const { return complete_; }
  /// What the last call might take.
  Clock::duration allowance() const { return allowance_; }

 private:
  Clock::time_point before_{};
  Clock::duration left_{0};  // of the time allowed; negative if more was taken
  Clock::duration allowance_{0};
  std::size_t first_ = 0;  // the plot that comes first next time
  bool complete_ = true;
};

}  // namespace twosphere
