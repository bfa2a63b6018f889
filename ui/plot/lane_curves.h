// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/history.h"
#include "core/scenario/scenario.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Samples of a lane computed by one integrator in one direction of time. A line continues to the
/// first sample of the next segment.
struct Segment {
  IndexRange samples;
  std::string integrator;  ///< key in the catalogue
  bool way_back = false;   ///< time decreases
};

/// The segments of a lane between changes of its integrator and of the direction of time, in order
/// and without gaps: every sample is in one segment. `record` is that of the run, with start and
/// events.
std::vector<Segment> segments(const History& history, const Scenario& record, int lane);

/// Path of a setting of a lane: "integrator.step", or "lanes[1].step" with several lanes.
std::string lane_path(const Scenario& scenario, int lane, std::string_view key);

}  // namespace twosphere::ui
