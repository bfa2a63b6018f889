// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mechanics/parameter.h"
#include "core/mechanics/state.h"
#include "core/scenario/setting.h"
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

std::vector<std::string> names_of(const std::vector<LaneSpec>& lanes);

/// A lane that begins during a run, in the present state of another one.
struct AddedLane {
  LaneSpec lane;         ///< named
  std::size_t from = 0;  ///< the lane whose q and ω it takes over

  bool operator==(const AddedLane&) const = default;
};

/// A constant force on the point of a body (System::lever()), over so many steps of the run.
struct Pull {
  int body = 0;
  Vec3 force = Vec3::Zero();  ///< [N]
  std::int64_t steps = 1;

  bool operator==(const Pull&) const = default;
};

/// Something done while running, before step `step` (counted from the scenario's start): settings
/// are made, in order and all at once, or the run goes on where a stop condition has stopped it, or
/// time goes the other way from here on, or a body is pulled, or a lane is added.
struct Event {
  std::int64_t step = 0;
  std::vector<Setting> set{};  ///< one or more, no path twice; none if it does something else
  bool resume = false;
  bool reverse = false;
  std::optional<Pull> pull{};  ///< in every lane; pulls that overlap add up
  std::optional<AddedLane> add_lane{};
};

/// A record that shares its beginning with the scenario's: it has the scenario's start and
/// settings, the scenario's events before step `from_step`, and then its own.
struct BranchSpec {
  std::string name;
  std::int64_t from_step = 0;
  std::vector<Event> events{};  ///< from from_step on, in order of step
  // In a window:
  std::int64_t steps = 0;      ///< that were taken; 0: not said
  std::optional<int> color{};  ///< branch_color(); none: any
  bool hidden = false;
};

/// What a state file has beyond a hand-written scenario: with it a run continues bit for bit.
struct RestartState {
  double time_origin = 0;  ///< of the run's clock: t = time_origin + step_index H
  std::int64_t step_index = 0;
  bool reversed = false;  ///< time decreases
  /// In force, with the steps that are left: 0 where one has just ended.
  std::vector<Pull> pulls{};

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
  std::vector<LaneSpec> lanes;  ///< one or more; all from the same start; events add to them
  double duration = 0;          ///< [s]
  std::int64_t every = 0;       ///< sampling stride; 0: ceil(N/10 000)
  std::vector<StopCondition> stop;
  std::vector<Event> events;         ///< in order of step
  std::vector<BranchSpec> branches;  ///< never of a run in progress, which is one record
  json::Node view;  ///< an object: how a window shows the run; null if it does not say
  std::optional<RestartState> continuation;

  int size() const { return static_cast<int>(q.cols()); }
};

/// All lanes of a record, whose names its columns and files have: those that it starts with, then
/// those that its events add, in order.
std::vector<LaneSpec> recorded_lanes(const Scenario& record);

bool same(const Event& a, const Event& b);
/// Whether both are written alike, but for the signs of zeros. O(n), at a small part of the cost of
/// writing.
bool same(const Scenario& a, const Scenario& b);

}  // namespace twosphere
