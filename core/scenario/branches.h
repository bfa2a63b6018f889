// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/scenario.h"

/// Branches: records that share their start and first events with the record of a scenario.
namespace twosphere {

/// The name and appearance of a run among those of the same start.
struct BranchLook {
  std::string name;
  int color = 0;        ///< branch_color()
  bool hidden = false;  ///< unless it is the present run

  bool operator==(const BranchLook&) const = default;
};

/// Why a branch cannot have this name; empty if it can.
std::string why_no_branch_name(std::string_view name);

/// The first of these events, which are in order, at or after a step.
std::vector<Event>::const_iterator first_from(const std::vector<Event>& events, std::int64_t step);
/// The events that a branch from `step` shares with the scenario: those before that step.
std::vector<Event> events_before(const Scenario& scenario, std::int64_t step);

/// The step of the first event in which two records differ; the largest number if there is none.
std::int64_t first_difference(const std::vector<Event>& a, const std::vector<Event>& b);

/// The scenario without branches and view: what runs if no branch is chosen.
Scenario main_record(Scenario scenario);
/// The record of a branch: the start and settings of the scenario, the events before the branch and
/// those of the branch, without branches. The error lists the names of the branches.
Result<Scenario> branch_record(const Scenario& scenario, std::string_view name);

/// The inverse: the branch of `scenario` that runs `record`, which has the same start and settings.
/// It begins at step `fork`, or earlier if the events first differ there.
BranchSpec branch_of(const Scenario& scenario, const Scenario& record, std::string name,
                     std::int64_t fork);

}  // namespace twosphere
