// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/state.h"
#include "core/scenario/closed_orbit.h"
#include "core/scenario/complex_signal.h"
#include "core/scenario/plotted_expression.h"
#include "core/scenario/poincare_section.h"
#include "core/scenario/setting.h"
#include "core/scenario/stop_condition.h"

namespace twosphere {

class CompiledDefinition;
class System;
struct SystemInfo;

/// One integrator with its settings: a lane of the run.
struct LaneSpec {
  std::string type;  ///< key in the catalogue
  double step = 0;   ///< h [s] > 0
  Values values;     ///< the method's own parameters; missing ones have their defaults
  std::string name;  ///< prefix in files; default_names() unless given

  bool operator==(const LaneSpec&) const = default;
};
inline constexpr std::size_t max_lanes = 16;
/// How many lanes a run of so many bodies may have: fewer where many bodies need the memory, which
/// is about a kilobyte for a body in a lane.
constexpr std::size_t max_lanes_of(int bodies) {
  constexpr std::size_t max_in_all = std::size_t{1} << 20;
  return std::clamp<std::size_t>(max_in_all / static_cast<std::size_t>(std::max(1, bodies)), 1,
                                 max_lanes);
}

/// Default names: "rk4" for the first lane of a type, "rk4.2" for the second, independently of the
/// names given.
std::vector<std::string> default_names(const std::vector<LaneSpec>& lanes);

std::vector<std::string> names_of(const std::vector<LaneSpec>& lanes);

/// A lane that is added during a run and begins at the present state of another one.
struct AddedLane {
  LaneSpec lane;         ///< with its name
  std::size_t from = 0;  ///< index of the lane whose q and ω it copies

  bool operator==(const AddedLane&) const = default;
};

/// A constant force at the point of a body (System::lever()), over a number of steps of the run.
struct Pull {
  int body = 0;
  Vec3 force = Vec3::Zero();  ///< [N]
  std::int64_t steps = 1;

  bool operator==(const Pull&) const = default;
};

/// A change made before step `step` (counted from the start of the scenario). It does one of these:
/// applies settings in order and all at once, resumes a run that a stop condition has stopped,
/// reverses the direction of time, pulls a body, or adds a lane.
struct Event {
  std::int64_t step = 0;
  /// One or more, each path once; empty if the event does something else.
  std::vector<Setting> set{};
  /// If the settings were changed by a gesture, such as a drag, that had already changed some: the
  /// step of its first event. All events of a gesture are one mark; the run does not depend on it.
  std::optional<std::int64_t> since{};
  bool resume = false;
  bool reverse = false;
  std::optional<Pull> pull{};  ///< in every lane; overlapping pulls add up
  std::optional<AddedLane> add_lane{};
};

/// A record that shares its beginning with that of the scenario: it has the start and settings of
/// the scenario, the scenario's events before step `from_step`, and then its own events.
struct BranchSpec {
  std::string name;
  std::int64_t from_step = 0;
  std::vector<Event> events{};  ///< from step `from_step` on, in order of step
  // Used by the window:
  std::int64_t steps = 0;      ///< steps taken; 0: unknown
  std::optional<int> color{};  ///< branch_color(); none: chosen by the window
  bool hidden = false;
};

/// The content of a state file beyond a hand-written scenario, so that the run continues bit
/// for bit.
struct RestartState {
  double time_origin = 0;  ///< of the run's clock: t = time_origin + step_index H
  std::int64_t step_index = 0;
  bool reversed = false;  ///< time decreases
  /// Active pulls with their remaining steps, 0 for a pull that has just ended.
  std::vector<Pull> pulls{};

  /// The saved state of a lane.
  struct Lane {
    Columns q{}, omega{};    ///< empty: those of the scenario, as always for the first lane
    double time_origin = 0;  ///< of its own clock: t = time_origin + step_index h
    std::int64_t step_index = 0;
    double energy_reference = 0;  ///< E_0 [J]
    double work = 0;              ///< W [J]
    /// The variables of the method ("integrator_state"), including the compensation of W.
    IntegratorState memory{};
  };
  std::vector<Lane> lanes;  ///< as many as the scenario has lanes
};

/// The key of the compensation of W in the variables of a lane.
inline constexpr std::string_view work_compensation = "work_compensation";
/// The key of X and Ẋ of a base that flies, among the variables of a lane.
inline constexpr std::string_view centre_entry = "centre_of_mass";
/// The key of an attitude in space, State::x, among the variables of a lane.
inline constexpr std::string_view attitude_entry = "attitude";
/// The key of the number of the next crossing of the section, among the variables of a lane.
inline constexpr std::string_view section_entry = "section_crossings";
/// Whether a variable of a lane with this key is its own, not one of its method, besides those of
/// exponents.
inline bool is_entry_of_lane(std::string_view key) {
  return key == work_compensation || key == centre_entry || key == attitude_entry ||
         key == section_entry;
}

/// How a base that flies starts.
struct BaseStart {
  Vec3 position = Vec3::Zero();  ///< x_0 [m]
  Vec3 velocity = Vec3::Zero();  ///< ẋ_0 [m/s]

  bool operator==(const BaseStart&) const = default;
};

/// What a start is generated by; each is null if there is none.
struct GeneratedStart {
  json::Node directions;  ///< "generator" of "initial", which has made q
  json::Node velocities;  ///< "velocity" of "initial", vortices that have made ω
};

/// The contents of a scenario file: system, start, methods, duration, events.
struct Scenario {
  std::string schema;  ///< the address of the JSON Schema, for editors; empty: none
  std::string title, description;
  std::string system;  ///< key in the catalogue
  /// The definition of a system of the type "custom"; null for all others. The present values of
  /// its parameters are in `parameters`.
  std::shared_ptr<const CompiledDefinition> definition;
  Values parameters;  ///< all parameters of the system
  Columns q, omega;   ///< start, on the sphere and tangent to rounding
  GeneratedStart generator;
  std::optional<BaseStart> base{};  ///< of a base that flies; none: at rest at the origin
  std::vector<LaneSpec> lanes;      ///< one or more, from the same start; events can add lanes
  double duration = 0;              ///< [s]
  std::int64_t every = 0;           ///< sampling stride; 0: ceil(N/10 000)
  std::vector<StopCondition> stop;
  std::optional<PoincareSection> section{};  ///< whose points are recorded on request
  std::optional<ComplexSignal> signal{};     ///< whose frequencies are measured on request
  std::vector<PlottedExpression> plots{};    ///< each with its own name
  std::vector<Event> events;                 ///< in order of step
  std::vector<BranchSpec> branches;    ///< always empty in a run in progress, which is one record
  std::optional<ClosedOrbit> orbit{};  ///< the periodic orbit that the start is on, if it says so
  json::Node view;                     ///< an object: how a window shows the run; null if not given
  std::optional<RestartState> continuation;

  int size() const { return static_cast<int>(q.cols()); }
};

/// The record of its system: that of the catalogue, or of the definition, with which it lives.
const SystemInfo& info_of(const Scenario& scenario);
/// A system with its parameters. The errors are those of SystemInfo::create.
Result<std::unique_ptr<const System>> create_system(const Scenario& scenario);

/// Whether its system has a parameter of this name; lists of pairs are none.
bool has_parameter(const Scenario& scenario, std::string_view key);

/// Whether both are of one type, and of one definition but for values of parameters.
bool same_kind(const Scenario& a, const Scenario& b);
/// Whether both have the same system, with the same parameters.
bool same_system(const Scenario& a, const Scenario& b);

/// All lanes of a record: those at its start, then those that its events add, in order. Columns and
/// files are named after them.
std::vector<LaneSpec> recorded_lanes(const Scenario& record);

bool same(const Event& a, const Event& b);
/// Whether both would be written alike, except for signs of zeros. O(n), much faster than writing
/// them.
bool same(const Scenario& a, const Scenario& b);

}  // namespace twosphere
