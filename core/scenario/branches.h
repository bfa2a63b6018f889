// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/scenario/scenario.h"

/// Branches: records that share their start and their first events with a scenario's own record.
namespace twosphere {

inline constexpr std::size_t most_branches = 8;
inline constexpr std::size_t longest_branch_name = 64;  ///< [bytes of UTF-8]

/// How a run is told from those of the same start.
struct BranchLook {
  std::string name;
  int color = 0;        ///< branch_color()
  bool hidden = false;  ///< while another is the present one

  bool operator==(const BranchLook&) const = default;
};

/// Why a branch cannot have this name; empty if it can.
std::string why_no_branch_name(std::string_view name);

/// The events of a scenario that its branches from `step` on share: those before it.
std::vector<Event> events_before(const Scenario& scenario, std::int64_t step);

/// The scenario without its branches and its view: what it runs if none is chosen.
Scenario main_record(Scenario scenario);
/// What a branch runs: the scenario's start and settings, the events before the branch, those of
/// the branch, and no branches. Fails with the names that there are.
Result<Scenario> branch_record(const Scenario& scenario, std::string_view name);

/// The inverse: the branch of `scenario` that runs `record`, which has the same start and settings.
/// It begins at step `fork`, or where the events of the two first differ if that is earlier.
BranchSpec branch_of(const Scenario& scenario, const Scenario& record, std::string name,
                     std::int64_t fork);

}  // namespace twosphere
