// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/record/history.h"
#include "ui/plot/lane_style.h"
#include "ui/plot/plot_spec.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Samples of a lane that one integrator made. The line goes on to the next one's first sample.
struct Curve {
  int lane = 0;
  const History* history = nullptr;
  IndexRange samples;
  LaneStyle style;
  Signal signal = Quantity::time;  ///< over time: what it shows, as curves_of() sets it
};

/// The curves of a plot: of each of its signals one for each of these stretches of lanes, but no
/// distance of the reference lane from itself.
std::vector<Curve> curves_of(const PlotSpec& spec, const std::vector<Curve>& stretches,
                             int reference = -1, const BodyLook& bodies = {});

}  // namespace twosphere::ui
