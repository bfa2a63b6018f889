// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/state.h"
#include "core/scenario/setting_path.h"
#include "core/scenario/stop_conditions.h"

namespace twosphere {

/// One integrator with its settings: a lane of the run.
struct LaneSpec {
  std::string type;  ///< key in the catalogue
  double step = 0;   ///< h [s] > 0
  Values values;     ///< the method's own parameters; those not given have their defaults
  std::string name;  ///< prefix in files; unless given, what default_names() says

  bool operator==(const LaneSpec&) const = default;
};
inline constexpr std::size_t most_lanes = 16;

/// "rk4" for the first lane of a type, "rk4.2" for the second, whatever their names are.
std::vector<std::string> default_names(const std::vector<LaneSpec>& lanes);

/// H, the step of a run: the largest step of its lanes. Each lane takes H/h steps of its own h to
/// one of the run, so that all have their samples at the same times. Steps of the run are what N,
/// `every` and the events count.
double grid_step(const std::vector<LaneSpec>& lanes);
/// So many steps may a lane take to one of the run, which is taken as a whole.
inline constexpr std::int64_t most_substeps = 10'000'000;
/// H/h, if that is whole to 1e-9 of it.
std::optional<std::int64_t> substeps(double grid, double step);

/// A value for one place of a scenario.
struct Setting {
  SettingPath path;  ///< "system.masses[0]", "integrator.type", "initial.omega[1][2]", "duration"
  json::Node value;
};

/// Something done while running, before step `step` (counted from the scenario's start): settings
/// are made, in order and all at once, or the run goes on where a stop condition has stopped it.
struct Event {
  std::int64_t step = 0;
  std::vector<Setting> set{};  ///< one or more, no path twice; none if it resumes
  bool resume = false;
};

/// What a state file has beyond a hand-written scenario: with it a run continues bit for bit.
struct RestartState {
  double time_origin = 0;  ///< of the run's clock: t = time_origin + step_index H
  std::int64_t step_index = 0;

  /// Where a lane is.
  struct Lane {
    Columns q{}, omega{};    ///< empty: the scenario's, as the first lane's always are
    double time_origin = 0;  ///< of its own clock: t = time_origin + step_index h
    std::int64_t step_index = 0;
    double energy_reference = 0;  ///< E_0 [J]
    double work = 0;              ///< W [J]
    /// The method's own variables ("integrator_state"), the compensation of W among them.
    IntegratorState memory{};
  };
  std::vector<Lane> lanes;  ///< as many as the scenario has
};

/// The entry of RestartState::memory with the compensation of W.
inline constexpr std::string_view work_compensation = "work_compensation";

/// A run as written in a scenario file: system, start, method, duration, changes.
struct Scenario {
  std::string title, description;
  std::string system;           ///< key in the catalogue
  Values parameters;            ///< of the system, complete
  Columns q, omega;             ///< start, on the sphere and tangent to rounding
  std::vector<LaneSpec> lanes;  ///< one or more; all from the same start
  double duration = 0;          ///< [s]
  std::int64_t every = 0;       ///< sampling stride; 0: ceil(N/10 000)
  std::vector<StopCondition> stop;
  std::vector<Event> events;  ///< in order of step
  std::optional<RestartState> continuation;

  int size() const { return static_cast<int>(q.cols()); }
};

/// Reads and checks a scenario (contract: format 1). Places in errors are "SOURCE:LINE: path".
/// Warnings: a start that had to be moved onto the sphere by more than rounding.
Result<Scenario> read_scenario(std::string_view text, std::string_view source,
                               std::vector<std::string>* warnings = nullptr);
/// The same from a document already parsed.
Result<Scenario> read_scenario(const json::Node& root, std::string_view source,
                               std::vector<std::string>* warnings = nullptr);
/// A whole file; kind input_output if it cannot be read.
Result<Scenario> load_scenario(const std::string& path,
                               std::vector<std::string>* warnings = nullptr);

/// The scenario as a document: every parameter explicit, lists in full. read_scenario(to_json(s))
/// gives s, bit for bit.
json::Node to_json(const Scenario& scenario);
std::string write_scenario(const Scenario& scenario);
/// Whether both are written alike, but for the signs of zeros. O(n), at a small part of the cost of
/// writing.
bool same(const Scenario& a, const Scenario& b);

/// The scenario with these settings applied in order, then checked as a whole. A change of
/// integrator.type drops the keys that the new method lacks. "integrator…" is the one lane of a
/// scenario that has one; "lanes" is the whole list, "lanes[i]…" one of them. Places in errors are
/// paths. `exact_start`: the start is taken bit for bit, like that of a saved state.
Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings = nullptr,
                               bool exact_start = false);
Result<Scenario> with_setting(const Scenario& scenario, const SettingPath& path,
                              const json::Node& value);

/// The value of "stop" in files and settings.
json::Node to_json(const std::vector<StopCondition>& conditions);

/// The fewest settings that turn the system's parameters, the start, the lanes, duration, sampling
/// and stop conditions of one scenario into the other's. Another number of lanes is another list. A
/// stride that `to` leaves open is given as the number that it comes to.
std::vector<Setting> differences(const Scenario& from, const Scenario& to);
/// The setting that makes the whole list of lanes what it is in this scenario.
Setting lanes_setting(const Scenario& scenario);

/// N = llround(T/H) where T/H is whole to 1e-9 N, else ceil; at least 1.
struct StepCount {
  std::int64_t steps;
  bool rounded_up;
};
StepCount count_steps(double duration, double step);
/// Steps of the whole run N, with the changes of step and duration that its events bring.
std::int64_t planned_steps(const Scenario& scenario);
/// Sampling stride K of a run without the events that set it: `every`, else ceil(N/10 000).
std::int64_t base_stride(const Scenario& scenario);
/// Sampling stride of all rows of a run that goes as far as `last` steps: events up to there that
/// set `every` widen it from the start on.
std::int64_t stride_through(const Scenario& scenario, std::int64_t last);
/// Stride of a run of N steps.
std::int64_t sampling_stride(const Scenario& scenario);
/// Whether an event sets `every`.
bool stride_changes(const std::vector<Event>& events);
/// The stride after one is set where another was: `given` if it is a whole multiple, `present` if
/// that is one, as rows that were left out do not come back; else nothing.
std::optional<std::int64_t> coarser_stride(std::int64_t present, std::int64_t given);

}  // namespace twosphere
