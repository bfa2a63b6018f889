// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/edit_distance.h"
#include "core/base/json.h"
#include "core/scenario/names.h"

namespace twosphere {

namespace {

bool precedes(const Event& event, std::int64_t step) { return event.step < step; }

}  // namespace

std::vector<Event>::const_iterator first_from(const std::vector<Event>& events, std::int64_t step) {
  return std::lower_bound(events.begin(), events.end(), step, precedes);
}

std::string why_no_branch_name(std::string_view name) {
  if (name.size() > longest_branch_name)
    return fmt::format("must have at most {} bytes, not {}", longest_branch_name, name.size());
  return why_no_name(name);
}

std::vector<Event> events_before(const Scenario& scenario, std::int64_t step) {
  return {scenario.events.begin(), first_from(scenario.events, step)};
}

std::int64_t first_difference(const std::vector<Event>& a, const std::vector<Event>& b) {
  const auto [first, second] =
      std::mismatch(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Event& x, const Event& y) { return same(x, y); });
  // The earlier of the two events that differ; no limit where the lists are the same.
  std::int64_t step = std::numeric_limits<std::int64_t>::max();
  if (first != a.end()) step = std::min(step, first->step);
  if (second != b.end()) step = std::min(step, second->step);
  return step;
}

Scenario main_record(Scenario scenario) {
  scenario.branches.clear();
  scenario.view = {};
  return scenario;
}

Result<Scenario> branch_record(const Scenario& scenario, std::string_view name) {
  const auto found = std::find_if(scenario.branches.begin(), scenario.branches.end(),
                                  [name](const BranchSpec& branch) { return branch.name == name; });
  if (found != scenario.branches.end()) {
    // The events up to the fork are shared, those from it on its own.
    Scenario record = main_record(scenario);
    record.events = events_before(scenario, found->from_step);
    record.events.insert(record.events.end(), found->events.begin(), found->events.end());
    return record;
  }
  std::vector<std::string> names, quoted;
  for (const BranchSpec& branch : scenario.branches) {
    names.push_back(branch.name);
    quoted.push_back(json::quote(branch.name));
  }
  std::string message = fmt::format("unknown branch {}; ", json::quote(name));
  if (names.empty())
    message += "the scenario has no branches";
  else if (const std::string near = nearest(name, names); !near.empty())
    message += fmt::format("did you mean {}? ", json::quote(near));
  if (!names.empty()) message += fmt::format("known: {}", fmt::join(quoted, ", "));
  return Error{ErrorKind::usage, "", std::move(message)};
}

BranchSpec branch_of(const Scenario& scenario, const Scenario& record, std::string name,
                     std::int64_t fork) {
  // A branch begins no later than where its events differ.
  fork = std::min(fork, first_difference(scenario.events, record.events));
  return {std::move(name), fork, {first_from(record.events, fork), record.events.end()}};
}

}  // namespace twosphere
