// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/output/lane_style.h"
#include "core/record/history.h"
#include "ui/plot/plot_spec.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Samples of a lane computed by one integrator. The line continues to the first sample of the next
/// curve of the lane.
struct Curve {
  int lane = 0;
  const History* history = nullptr;
  IndexRange samples;
  LaneStyle style;
  Signal signal = Quantity::time;  ///< the signal over time, set by curves_of()
};

/// The curves of a plot: one for each signal and each of `stretches`, without the distance of a
/// lane from itself.
std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             const BodyLook& bodies = {});

}  // namespace twosphere::ui
