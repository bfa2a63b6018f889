// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/repeated_rows.h"

#include <algorithm>
#include <utility>

#include "core/scenario/schedule.h"

namespace twosphere {

Result<Simulation> repeatable(Scenario record, std::int64_t steps) {
  // The rows are those of the whole run even if it ends earlier, as on the command line.
  if (stride_changes(record.events))
    record.every = stride_through(record, std::max(planned_steps(record), steps));
  return Simulation::create(std::move(record));
}

Result<bool> repeat_rows(Simulation& simulation, std::int64_t steps, Progress& progress,
                         const std::function<bool()>& row) {
  bool going = row();
  std::int64_t sampled = 0;
  while (simulation.steps() < steps && !simulation.stopped() && going) {
    if (progress.cancelled) return false;
    if (const auto failure = simulation.step())
      return Error{ErrorKind::numerical, "", failure->message};
    progress.share = static_cast<double>(simulation.steps()) / static_cast<double>(steps);
    if (!simulation.at_sample()) continue;
    going = row();
    sampled = simulation.steps();
  }
  if (sampled != simulation.steps()) row();
  return true;
}

}  // namespace twosphere
