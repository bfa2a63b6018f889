// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/record/history.h"
#include "core/run/simulation.h"

namespace twosphere {

/// The results of a run at one moment, which can be read on another thread while the run continues.
/// Shares the immutable blocks of samples and states. Cost: O(blocks).
struct RunView {
  std::vector<History> lanes;  ///< History::views()
  std::shared_ptr<const Scenario> record;
  std::vector<RunMarker> markers;
  /// The lanes of the run that distances are measured to, if it is another one.
  std::shared_ptr<const std::vector<History>> reference{};
};

}  // namespace twosphere
