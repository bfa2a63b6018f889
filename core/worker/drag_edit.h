// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/mechanics/diagnostics.h"
#include "core/run/simulation.h"
#include "core/worker/command_traits.h"

namespace twosphere {

/// Fails if the run does not have the lane or the body.
Result<void> check_body(const Simulation& run, int lane, int body);

/// A command: takes a body elsewhere while the run rests, or gives it another ω. The edit is shown
/// but not made; the next one replaces it. Release makes it by Simulation::set(), and so does every
/// other command before it takes effect, except those with keeps_drag. A value of fixed size:
/// during a drag, one is sent for every movement of the mouse.
struct DragEdit {
  static constexpr CommandTraits traits{.is_edit = true, .keeps_drag = true};
  int lane = 0;  ///< the lane from whose state rotations begin
  int body = 0;
  bool below = false;           ///< all that hangs on the body is turned rigidly with it
  std::optional<Vec3> q{};      ///< the new direction, |q| = 1 to rounding
  std::optional<Vec3> omega{};  ///< the new ω [rad/s]; its part along q is ignored
  void carry_out(CommandDesk& desk) const;
};

/// The settings that make this edit. `from`: the state of the lane. `start`: of the start of the
/// scenario ("initial.…"), not of the present state ("state.…").
std::vector<Setting> settings_of(const DragEdit& drag, const System& system, const State& from,
                                 bool start);

/// A start with this edit. A base that flies stays where it is.
State edited(const State& start, const DragEdit& drag, const System& system);

/// An edit that is shown but not made: the states of the lanes with the last DragEdit, and their
/// samples. The run is not changed. Its memory is reused: after the first call, move() allocates
/// nothing.
class OpenDragEdit {
 public:
  /// Fails, and keeps the last valid states, if the lane or the body does not exist, if an energy
  /// is not finite there or if the inertia is not positive definite. O(n), and one evaluation of
  /// the potential, per lane.
  Result<void> move(const DragEdit& to, Simulation& simulation);
  bool active() const { return active_; }
  void end() { active_ = false; }

  /// The settings that make this edit. Requires active().
  std::vector<Setting> settings(Simulation& simulation) const;

  /// With the edit made, as Simulation gives them.
  const State& state(int lane) const { return lanes_[static_cast<std::size_t>(lane)].state; }
  const Sample& sample(int lane) const { return lanes_[static_cast<std::size_t>(lane)].sample; }
  bool of_start() const { return of_start_; }

 private:
  struct Edited {
    State state;
    Sample sample;
  };

  bool active_ = false;
  bool of_start_ = false;  // the start of the scenario is edited
  DragEdit edit_;
  std::vector<Edited> lanes_, next_;
  MeasureWorkspace measuring_;
};

}  // namespace twosphere
