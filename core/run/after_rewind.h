// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// The settings with which Rewind begins a run anew: the present ones and those that wait for it,
/// because they cannot change during a run.
struct AfterRewind {
  Scenario settings;        ///< at the new start
  bool lanes_wait = false;  ///< they have another list of lanes than the run

  /// These with further changes, for a run with this record and these present settings. Fails where
  /// a setting cannot change, or has an invalid value.
  Result<AfterRewind> with(const std::vector<Setting>& changes, const Scenario& record,
                           const Scenario& present) const;
  /// The settings that wait: Simulation::set() with them turns `present` into these.
  std::vector<Setting> pending(const Scenario& present) const;
  /// The scenario of the new run: Simulation::rewound().
  Scenario start(const Scenario& record, const Scenario& present) const;
};

}  // namespace twosphere
