// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/mechanics/exponents.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/system.h"
#include "core/run/section_crossings.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Projects a state that has drifted onto T(S²)ⁿ; returns the largest | |q_i| − 1 | that was found.
/// A state that is on the manifold to rounding is not changed.
double project_to_manifold(State& state);

/// The state of a lane without the variables of its method: what its steps change.
struct LaneState {
  State state;          ///< of a lane, ω is up to date only after finish_state()
  CompensatedSum work;  ///< W [J]
  StepClock clock;      ///< the lane's own clock, with the step h [s] and the direction of the run
  double energy_reference = 0;   ///< E_0 [J]
  std::int64_t steps = 0;        ///< steps of length h since the start of the lane
  std::int64_t inner_steps = 0;  ///< inner steps of an adaptive method since the start of the lane
  std::int64_t rejected = 0;     ///< rejected inner steps
  /// The shortest inner step since the guard has seen a row [s].
  double shortest_step = std::numeric_limits<double>::infinity();
  std::optional<Exponents> exponents;         ///< if tangent vectors follow the lane
  std::optional<SectionCrossings> crossings;  ///< if the points of a section are found
};

/// One integrator with its state, in the system that all lanes of a run share.
struct Lane : LaneState {
  std::string name;
  const IntegratorInfo* info = nullptr;
  std::int64_t substeps = 1;  ///< H/h: own steps per step of the run
  std::unique_ptr<Integrator> integrator;
  bool complete = true;
  bool stale = false;  ///< preparing the integrator was interrupted and has to be repeated
  StepReport last;     ///< of the last attempted step

  /// A saved state of a lane: with ω up to date.
  struct Checkpoint : LaneState {
    IntegratorState memory;  ///< the variables of the method

    /// All members, to be written or read (core/base/fields.h), without the points of a section,
    /// which change nothing in a run.
    template <class Fields>
    void transfer(Fields& fields) {
      IntegratorState tangent;
      if (exponents) exponents->save(tangent);
      fields(state, memory, work, clock, energy_reference, steps, inner_steps, rejected,
             shortest_step, tangent);
      if constexpr (Fields::reads)
        if (fields.ok()) exponents = Exponents::load(tangent, state.size());
    }
  };

  /// Lane `index` of a scenario, at its start or at its saved state.
  static Result<Lane> create(const Scenario& scenario, std::size_t index, const System& system);

  /// A lane that begins at the present time of the run. The ω of `state` must be up to date.
  static Lane begin(const LaneSpec& spec, State state, const RunClock& clock, const System& system);

  /// Takes `count` steps, or as many as succeed; returns the number of steps taken. If it is less
  /// than `count`, `last` gives the reason.
  std::int64_t advance(const System& system, std::int64_t count);
  /// Takes up to `count` steps in lanes of an ensemble together, at most as many as
  /// Integrator::width() says; all of the same method, step and system, without section, and all
  /// with exponents of one vector each, or none. Stops before the first step that fails in any of
  /// them; returns the number of steps, 0 in a heat bath.
  static std::int64_t advance_together(const System& system, std::int64_t count,
                                       std::span<Lane* const> lanes);
  /// Prepares the method for the present state, with the ω that q has in a system of first order.
  void prepare(const System& system);
  /// Computes ω from the variables of the integrator.
  void finish_state(const System& system);
  void save(const System& system, Checkpoint& to);
  /// Restores a checkpoint, which must have been saved with the present method.
  void roll_back(const System& system, const Checkpoint& from);
  /// Repeats an interrupted preparation of the method. False if it is interrupted again.
  bool refresh(const System& system);
  /// Changes name, method and step during the run. (q, ω) are kept, or set to `edited`; the change
  /// of E is added to W; a new step h restarts the clock. `former`: the previous system if it has
  /// changed, else null. Returns the largest | |q_i| − 1 | if the new method normalises its start,
  /// else 0.
  double reconfigure(const LaneSpec& before, const LaneSpec& now, const System& system,
                     const System* former, const State* edited);
  /// The part of a state file that describes the lane, except (q, ω).
  RestartState::Lane restart_state() const;

 private:
  StepReport take_step(const System& system, double h);
  StepReport take_step_in(const System& system, double h);
  StepReport advance_across(const System& system, double h);

  Columns noise_;  // of the last step in a heat bath
};

}  // namespace twosphere
