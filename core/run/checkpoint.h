// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/run/guard.h"
#include "core/run/lane.h"
#include "core/run/stop_conditions.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"
#include "core/scenario/schedule.h"

namespace twosphere {

struct CloudCheckpoint;

/// Something that happened to the run, marked in the plots.
struct RunMarker {
  std::int64_t step = 0;
  double t = 0;
  std::string text;
  /// The results of a lane are meaningless from here on: Simulation::warnings().
  bool warning = false;
  /// Paths of the settings that were changed, such as "system.gravity"; empty: none.
  std::string paths{};
  std::optional<std::int64_t> since{};  ///< Event::since of that change

  template <class Fields>
  void transfer(Fields& fields) {
    fields(step, t, text, warning, paths, since);
  }
};

/// A pull that acts until a step of the run.
struct ActivePull {
  Pull pull;
  std::int64_t end = 0;

  bool operator==(const ActivePull&) const = default;
  template <class Fields>
  void transfer(Fields& fields) {
    fields(pull.body, pull.force, pull.steps, end);
  }
};

/// Distance of a lane from its start when a reversed run is back at the time of the start.
struct StartDistance {
  double q = 0;           ///< the largest |q_i − q_i(0)|
  double omega = 0;       ///< the largest |ω_i − ω_i(0)| [rad/s]
  std::int64_t step = 0;  ///< of the run, at which it was back
  /// |x_0 − x_0(0)| [m] and |ẋ_0 − ẋ_0(0)| [m/s] of a base that flies; else 0.
  double place = 0, velocity = 0;

  template <class Fields>
  void transfer(Fields& fields) {
    fields(q, omega, step, place, velocity);
  }
};

/// All that the steps and events of a run change, apart from its lanes and its markers. A value: a
/// Simulation holds one, and a checkpoint is a copy.
struct RunProgress {
  /// The part that only changes of settings replace; shared by all states between two of them.
  struct Settings {
    Scenario present;
    std::shared_ptr<const System> system;
  };

  RunClock clock;
  SampleStride stride;
  std::size_t events_applied = 0;  ///< the first so many events of the record have been applied
  std::shared_ptr<const Settings> settings;
  std::vector<ActivePull> pulls;
  StopConditions stops;
  std::optional<std::string> stopped;  ///< why the run stops here
  std::optional<double> stop_time;     ///< of the first crossing, if it was located [s]
  Guard guard;
  bool guarded = false;                        ///< the guard has seen the first row
  std::vector<StartDistance> start_distances;  ///< Simulation::start_distances()
  /// The samples of the lanes before the changes at this step (Simulation::row()); empty if nothing
  /// was changed.
  std::vector<Sample> reached;
};

/// The state of a run after one of its steps, with everything that the following steps need:
/// Simulation::at() continues from it bit for bit. Immutable, so that threads and branches can
/// share it.
struct RunCheckpoint : RunProgress {
  std::vector<Lane::Checkpoint> lanes;
  bool changed = false;  ///< events of this very step have been applied
  std::shared_ptr<const std::vector<RunMarker>> markers;  ///< those up to this step
  std::shared_ptr<const CloudCheckpoint> cloud{};         ///< of a cloud that follows; null: none

  /// All that the next steps depend on, to be written or read (core/base/fields.h), without
  /// settings, pulls, markers and cloud. `stops` must already watch the conditions of the settings.
  template <class Fields>
  void transfer(Fields& fields) {
    fields(clock, stride, lanes, events_applied, changed, stops, stopped, guard, guarded);
  }

  std::int64_t step() const { return clock.steps(); }
  /// Memory with the cloud, without the other shared parts [bytes].
  std::size_t bytes() const;
};

}  // namespace twosphere
