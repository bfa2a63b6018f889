// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "app/base/progress.h"
#include "core/base/result.h"
#include "core/run/simulation.h"

namespace twosphere {

/// A run at its start, whose rows after `steps` steps are those of the whole run, as on the command
/// line.
Result<Simulation> repeatable(Scenario record, std::int64_t steps);

/// Takes `steps` steps, or as many as there are until it stops, and calls `row` at every sample,
/// the first and the last state included, until it returns false. False if it was cancelled.
Result<bool> repeat_rows(Simulation& simulation, std::int64_t steps, Progress& progress,
                         const std::function<bool()>& row);

}  // namespace twosphere
