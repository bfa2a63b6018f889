// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/record/history.h"
#include "core/scenario/scenario.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// Samples of a lane that one integrator made. A line goes on to the next segment's first sample.
struct Segment {
  IndexRange samples;
  std::string integrator;  ///< key in the catalogue
};

/// A lane's run from swap to swap of its integrator, in order and without gaps: every sample is in
/// one segment. `record` is the run's: start and events.
std::vector<Segment> segments(const History& history, const Scenario& record, int lane);

/// The integrator whose looks a lane has where `integrator` made it: lane_look() among these lanes.
std::string look(const std::vector<LaneSpec>& lanes, int lane, std::string_view integrator);

/// Path of a lane's setting: "integrator.step", or "lanes[1].step" where there are several.
std::string lane_path(const Scenario& scenario, int lane, std::string_view key);

}  // namespace twosphere::ui
