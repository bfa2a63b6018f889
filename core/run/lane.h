// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Puts a state that drifted onto T(S²)ⁿ; returns how far the worst |q| was from 1. Leaves alone
/// what is there to rounding.
double project_to_manifold(State& state);

/// One integrator with its state, in the system that all lanes of a run share.
struct Lane {
  std::string name;
  const IntegratorInfo* info = nullptr;
  StepClock clock;            ///< its own; its step is h [s], in the direction of the run
  std::int64_t substeps = 1;  ///< H/h, to one step of the run
  std::unique_ptr<Integrator> integrator;
  State state;  ///< ω only up to date after finish_state()
  bool complete = true;
  bool stale = false;            ///< the integrator was to be prepared while interrupted
  double energy_reference = 0;   ///< E_0 [J]
  CompensatedSum work;           ///< W [J]
  StepReport last;               ///< of the last step tried
  std::int64_t steps = 0;        ///< of length h, since its start
  std::int64_t inner_steps = 0;  ///< of an adaptive method, since its start
  std::int64_t rejected = 0;     ///< and those tried in vain

  /// A lane as it was.
  struct Checkpoint {
    State state;
    IntegratorState memory;
    CompensatedSum work;
    StepClock clock;
    double energy_reference = 0;
    std::int64_t steps = 0, inner_steps = 0, rejected = 0;
  };

  /// Lane `index` of a scenario, at its start or where its saved state is.
  static Result<Lane> create(const Scenario& scenario, std::size_t index, const System& system);

  /// A lane that begins at the present time of the run; ω of the state is up to date.
  static Lane begin(const LaneSpec& spec, State state, const RunClock& clock, const System& system);

  /// Takes so many steps, or as many as can be taken; returns how many. Why there are no more is in
  /// its last report.
  std::int64_t advance(const System& system, std::int64_t count);
  /// Brings ω up to date.
  void finish_state(const System& system);
  void save(const System& system, Checkpoint& to);
  /// Goes back to what was saved with the present method.
  void roll_back(const System& system, const Checkpoint& from);
  /// Prepares the method anew if that was interrupted. False if this is, too.
  bool refresh(const System& system);
  /// Changes name, method and step while running; (q, ω) stay, or are those of `edited`; the jump
  /// of E goes to W, and a new step starts the clock anew. `former`: the system before, if that has
  /// changed. Returns how far |q| was off if the new method takes the start normalised, else 0.
  double reconfigure(const LaneSpec& before, const LaneSpec& now, const System& system,
                     const System* former, const State* edited);
  /// What a state file says of it, but for (q, ω).
  RestartState::Lane restart_state() const;
};

}  // namespace twosphere
