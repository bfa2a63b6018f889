// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/scenario/scenario.h"

namespace twosphere {

/// The steps of the changes that the user made of a run, ascending. Pulls that follow one another
/// are one, as are the changes of a gesture; what a run does by itself is none.
std::vector<std::int64_t> changes_of(const Scenario& record);

/// The steps of a run at which a presentation halts, ascending: its start, each of
/// changes_of(), the steps nearest to `times` on its clock [s], such as those of the markers, and
/// the head.
std::vector<std::int64_t> stops_of(const Scenario& record, std::int64_t head,
                                   std::span<const double> times);
/// The first of them after a step, or the last one before it; none if there is none.
std::optional<std::int64_t> next_stop(std::span<const std::int64_t> stops, std::int64_t step);
std::optional<std::int64_t> previous_stop(std::span<const std::int64_t> stops, std::int64_t step);

}  // namespace twosphere
