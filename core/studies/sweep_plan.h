// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/sweep.h"

namespace twosphere {

/// Checks a new sweep before its file is written: one lane that starts afresh, axes and measures
/// given once each, members with a spread, at most Sweep::most_tasks tasks, of which the first, the
/// middle or the last can begin. If no measure needs rows, and the scenario gives no stride, it
/// gets one of 1000 steps. The place of errors is "axis", "measure", "spread" or "scenario".
Result<void> settle_sweep(Sweep& sweep);

}  // namespace twosphere
