// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/run/cloud.h"
#include "core/run/simulation.h"

namespace twosphere {

/// A cloud at the rows of a run.
struct CloudStudy {
  std::vector<double> times;                ///< [s]
  std::vector<Cloud::Distances> distances;  ///< one for each time
  int lost = 0;                             ///< members whose steps failed
  std::optional<std::string> failure{};     ///< of the run itself, which ended it

  /// Of the median.
  GrowthRate rate() const;
};

/// Runs lane 0 of a run without events to its end, with a cloud around its present state.
/// `go_on` is called after each row; if it returns false, the study ends there.
CloudStudy run_cloud_study(Simulation& run, const CloudSpec& spec,
                           const std::function<bool()>& go_on);

/// "time [s],distance_median [1],distance_low [1],distance_high [1],members [1]", one row for each
/// time.
std::string cloud_table(const CloudStudy& study);

}  // namespace twosphere
