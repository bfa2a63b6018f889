// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/branches/run_tree.h"
#include "core/scenario/document.h"
#include "core/worker/worker.h"

/// How a scenario holds runs: its own, its branches, and what its `view` keeps of them, so that
/// they need not be repeated before they can be shown, and of the runs that Rewind left:
///
///   "run", "color", "steps"  of its own run
///   "runs"     [{"name", "id", "states", "pending"}…]: of the run itself and of its branches, some
///              states as write_states() gives them, in Base64, and the settings that wait for
///              Rewind
///   "rewound"  [scenario…]: the runs of other starts, oldest first, each with its branches and
///   view
///
/// Nothing of it changes a result: states are checked by repeating the runs (BranchRepeater).
namespace twosphere {

inline constexpr const char *saved_runs_key = "runs", *rewound_key = "rewound";

/// Largest number of lanes in the window.
inline constexpr std::size_t max_shown_lanes = 4;
/// Fails if a scenario, or one of its branches, has more lanes.
Result<void> check_shown_lanes(const Scenario& scenario);

/// The runs of one start without their samples, first the one that is or was the present one.
using SavedFamily = std::vector<Branch>;
/// All runs, the present start last.
using SavedRuns = std::vector<SavedFamily>;
/// All runs of a tree. The present one, of which these are the checkpoints, lacks its record.
SavedRuns saved_runs(const RunTree& tree, std::shared_ptr<const Checkpoints> present);
/// With that record, and up to the state that was captured with it.
SavedRuns with_present(SavedRuns runs, const Worker::Captured& captured);
/// The record with the other runs of its family as its branches.
Scenario with_branches(Scenario record, const SavedFamily& family);
/// The scenario of the present run with all runs and their states, for a session.
Scenario with_runs(const Worker::Captured& captured, SavedRuns runs);
/// Sets "runs" and "rewound". `numbered`: with the numbers of the runs.
void write_saved_runs(json::Node& view, const SavedRuns& runs, bool numbered);
/// Fails if "runs" or "rewound" cannot be read.
Result<void> check_saved_runs(const json::Node& view, const std::string& source);

struct OpenedRuns {
  std::vector<RunFamily> families;  ///< that of the scenario's own run last, which is present there
  /// The numbers that the runs had where they were saved, and those that they have here.
  std::map<int, int> ids{};
};
/// Makes the runs of a scenario. Those whose states were saved are continued from the newest of
/// these; of the others only the record is known. What cannot be read of a view is left out.
OpenedRuns runs_of(const Scenario& scenario, RunTree& tree);
/// A run without anything, as that of a new start.
OpenedRuns new_run(RunTree& tree);

/// Settings as an object of their paths, and the inverse, which throws a Failure.
json::Node settings_object(const std::vector<Setting>& settings);
std::vector<Setting> settings_in(const document::Value& object);
/// Numbers of runs are smaller.
inline constexpr std::int64_t max_run_id = std::int64_t{1} << 30;

}  // namespace twosphere
