// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/studies/equilibria.h"
#include "core/studies/sweep.h"

namespace twosphere {

/// Checks the starts of a sweep or a study: one lane that starts afresh, axes given once each,
/// members with a spread, at most Sweep::max_tasks tasks, of which the first, the middle or the
/// last can begin, and events and branches that begin at whole steps for every value of an axis of
/// the step. The location of errors is "axis", "measure", "spread" or "scenario".
Result<void> check_starts(const Sweep& sweep);
/// The same for a new sweep before its file is written, with an axis or members, and measures given
/// once each. If no measure needs rows, and the scenario gives no stride, it gets one of 1000
/// steps; if orbits are measured and it does not say how they are found, default_orbit_plan(); if
/// basins are, basin_equilibria(), which are found on so many threads. Returns whether the sweep is
/// complete: false if proceed(), which is told the starts of that search, has ended it, or if this
/// thread is interrupted.
Result<bool> complete_sweep(Sweep& sweep, int threads, const SearchProgress& proceed);

}  // namespace twosphere
