// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/history.h"
#include "core/run/cloud.h"
#include "core/run/live_cloud.h"
#include "core/run/simulation.h"

namespace twosphere {

/// A cloud at the rows of a run.
struct CloudStudy {
  std::vector<double> times;                ///< [s]
  std::vector<Cloud::Distances> distances;  ///< one for each time
  int lost = 0;                             ///< members whose steps failed
  GrowthRate growth{};                      ///< of the median
  std::optional<std::string> failure{};     ///< of the run itself, which ended it
};

/// Runs lane 0 of a run without events to its end, with a cloud around its present state.
/// `proceed` is called after each row; if it returns false, the study ends there.
CloudStudy run_cloud_study(Simulation& run, const CloudSpec& spec,
                           const std::function<bool()>& proceed);

/// The cloud that follows a run, at its beginning and at the later samples of its lane.
CloudStudy cloud_study(const CloudView& cloud, const History& history);

/// "time [s],distance_median [1],distance_low [1],distance_high [1],members [1]", one row for each
/// time.
std::string cloud_table(const CloudStudy& study);

}  // namespace twosphere
