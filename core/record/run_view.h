// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/record/history.h"
#include "core/run/simulation.h"

namespace twosphere {

/// What came out of a run up to a moment, to be read on another thread while the run goes on: it
/// shares the blocks of samples and states, which never change. Cost: O(blocks).
struct RunView {
  std::vector<History> lanes;  ///< History::views()
  std::shared_ptr<const Scenario> record;
  std::vector<RunMarker> tags;
};

}  // namespace twosphere
