// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/run/checkpoints.h"
#include "core/run/followed_cloud.h"
#include "core/run/simulation.h"
#include "core/run/state_stride.h"
#include "core/worker/drag_edit.h"
#include "core/worker/mouse_pull.h"
#include "core/worker/snapshot.h"

namespace twosphere {

// Commands, as values. They take effect between two steps, in order; commands after TakeSteps wait
// until its steps are taken. A command that cannot be carried out changes nothing; the snapshot
// gives the reason.

/// Runs up to the planned number of steps; if it has been reached, until paused.
struct Play {};
/// Takes effect at once: a long step in progress is abandoned without effect. Cuts TakeSteps short.
struct Pause {};
/// Takes `count` steps as fast as possible (or one by one if every step is to be shown), even
/// beyond the planned number, and pauses.
struct TakeSteps {
  std::int64_t count = 1;
};
/// Pauses at the start of another run, with the present settings and those that waited for Rewind.
/// The run so far is left as by ContinueRun. Cuts TakeSteps short.
struct Rewind {};
/// Pauses at the start of another scenario. Cuts TakeSteps short.
struct Load {
  Scenario scenario;
  /// The scenario that Reset parameters restores, if it is not the scenario itself.
  std::shared_ptr<const Scenario> original = nullptr;
  /// If not empty, the run is not computed but read from this file as another process writes it,
  /// from its start on (core/worker/live_file.h): its states and rows are those of that process,
  /// and commands that change it are refused.
  std::string live_file{};
};
/// From here on the run that was read from a file is computed: it pauses at the last state read.
struct Detach {};
/// Changes settings, all of them or none, as part of a gesture: see Simulation::set(). Allows a run
/// that has failed or finished to continue.
struct Change {
  std::vector<Setting> settings;
  std::uint64_t gesture = 0;
  /// If another run begins with it, in the past, they are undone together.
  bool continues = false;
};
/// Continues backwards in time, or forwards again: see Simulation::reverse(). Also allows a run
/// that has failed or finished to continue.
struct Reverse {
  bool to_start = false;
};
// DragEdit (core/worker/drag_edit.h) shows the run with an edit of the state that is not made yet;
// the run must rest. The next one replaces it. Release makes the edit by Simulation::set(), and so
// does every other command before it takes effect, except those with keeps_drag. MousePull
// (core/worker/mouse_pull.h) holds a body while the run goes on. Pull acts as Simulation::pull().

/// Makes the edit that is held. Ends a MousePull, whose last pull runs out.
struct Release {};
/// Begins a lane at the state of another one: see Simulation::add_lane().
struct AddLane {
  json::Node lane;
};
/// Sets the pacing. `factor` > 0: ratio of simulated to real time.
struct Pace {
  Pacing pacing = Pacing::real_time;
  double factor = 1;
};
/// Sets the simulated time that the trail spans [s]; 0: no trail.
struct TrailSpan {
  double span = 0;
};
/// From now on Exponents::usual() tangent vectors follow the lanes that can have them, in this run
/// and those after it, or no longer: Simulation::follow_where_possible(). They begin anew after a
/// change of the method.
struct FollowExponents {
  bool on = true;
};
/// From now on a cloud of at most LiveCloud::max_members() follows a lane, from a step of this run
/// on, and of its branches; after Rewind from the start; not in another scenario. None: no longer.
/// Where the run is past that step, a FollowedCloud finds what the members have done since, with
/// which the same command is sent again: the cloud then joins the run. It takes the steps of the
/// run since, and joins later if that is interrupted.
struct FollowCloud {
  std::optional<CloudSpec> spec;
  int lane = 0;
  std::int64_t from = 0;  ///< later than the present step: the present step
  std::shared_ptr<const CloudBeginning> beginning = nullptr;
};
/// Pauses at a step of a run of the same start, to continue from there; the step is computed from a
/// checkpoint. The checkpoints of the run that is left remain in its Snapshot::checkpoints; the
/// last of them is its head. Cuts TakeSteps short.
struct ContinueRun {
  std::shared_ptr<const Scenario> record;     ///< of the run to continue
  std::shared_ptr<const RunCheckpoint> from;  ///< a checkpoint of that record; null: its start
  /// Checkpoints of that record, up to `from` at least.
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t step = 0;
  // The samples of that run up to the step that already exist: their stride, their number per lane,
  // and which of them have states.
  std::int64_t every = 1;
  std::size_t samples = 0;
  StateStride states{};
};
/// Adds checkpoints of the run up to a step, where those that it has may begin. Nothing else
/// changes.
struct AddCheckpoints {
  std::shared_ptr<const Checkpoints> earlier;
  std::int64_t last = 0;
};

/// What has to be known of a kind of command, besides what it does.
struct CommandTraits {
  bool is_edit = false;  ///< changes the run itself, not only its pace or extent
  /// Refused while the run is computed elsewhere.
  bool needs_own_run = is_edit;
  bool interrupts = false;   ///< a step in progress is abandoned, and TakeSteps is cut short
  bool keeps_drag = false;   ///< an edit that is held is not made before
  bool finishes_row = true;  ///< the row of the present state is written before
};

template <class C>
struct CommandRecord {
  CommandTraits traits{};
};

/// Every command with its traits; Worker::Impl has a function carry_out() for each, without which
/// it does not compile.
inline constexpr std::tuple command_list{
    CommandRecord<Play>{{.needs_own_run = true}},
    CommandRecord<Pause>{{.interrupts = true, .finishes_row = false}},
    CommandRecord<TakeSteps>{{.needs_own_run = true}},
    CommandRecord<Rewind>{{.needs_own_run = true, .interrupts = true}},
    CommandRecord<Load>{{.interrupts = true, .finishes_row = false}},
    CommandRecord<Change>{{.is_edit = true}},
    CommandRecord<Reverse>{{.is_edit = true}},
    CommandRecord<DragEdit>{{.is_edit = true, .keeps_drag = true}},
    CommandRecord<Pull>{{.is_edit = true}},
    CommandRecord<MousePull>{{.is_edit = true}},
    CommandRecord<Release>{},
    CommandRecord<AddLane>{{.is_edit = true}},
    CommandRecord<Pace>{{.keeps_drag = true, .finishes_row = false}},
    CommandRecord<TrailSpan>{{.keeps_drag = true}},
    CommandRecord<FollowExponents>{{.keeps_drag = true}},
    CommandRecord<FollowCloud>{{.needs_own_run = true, .keeps_drag = true}},
    CommandRecord<ContinueRun>{{.needs_own_run = true, .interrupts = true}},
    CommandRecord<AddCheckpoints>{{.keeps_drag = true, .finishes_row = false}},
    CommandRecord<Detach>{},
};

template <class... C>
std::variant<C...> command_of(const std::tuple<CommandRecord<C>...>& list);
using Command = decltype(command_of(command_list));

/// Those of a command of the list.
template <const auto& list = command_list, class AnyCommand>
const CommandTraits& traits_of(const AnyCommand& command) {
  static constexpr auto all =
      std::apply([](const auto&... record) { return std::array{record.traits...}; }, list);
  return all[command.index()];
}

}  // namespace twosphere
