// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/run/saved_states.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// What the `view` of a scenario file keeps of its runs, so that they need not be repeated before
/// they can be shown, and of the runs that Rewind left:
///
///   "runs"     [{"name", "id", "states", "pending"}…]: of the run itself and of its branches, some
///              states as write_states() gives them, in Base64, and the settings that wait for
///              Rewind
///   "rewound"  [scenario…]: the runs of other starts, oldest first, each with its branches and
///   view
///
/// Nothing of it changes a result: states are checked by repeating the runs.
struct KeptRun {
  std::string name;      ///< of the run or branch
  int id = 0;            ///< the number of the run where it was kept
  std::string states{};  ///< bytes of write_states(); empty: none
  std::vector<Setting> pending{};
};
struct KeptRuns {
  std::vector<KeptRun> runs;
  std::vector<Scenario> rewound;

  /// Null if nothing is kept of a run of this name.
  const KeptRun* find(std::string_view name) const;
};

/// The keys that keep_runs() sets.
inline constexpr const char *kept_runs_key = "runs", *rewound_key = "rewound";
void keep_runs(json::Node& view, const KeptRuns& kept);
/// The inverse; a view without these keys keeps nothing.
Result<KeptRuns> read_kept_runs(const json::Node& view, const std::string& source);

/// Settings as an object of their paths, and the inverse.
json::Node settings_object(const std::vector<Setting>& settings);
Result<std::vector<Setting>> read_settings_object(const json::Node& object,
                                                  std::string_view source);

}  // namespace twosphere
