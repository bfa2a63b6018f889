// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "core/studies/orbit.h"
#include "core/studies/turning_potential.h"

/// Where the search for an orbit begins.
namespace twosphere {

/// The stable equilibrium nearest to a configuration, of index 0: where newton_equilibrium() ends
/// if that is one, else the nearest of find_equilibria() with its default tries, which for more
/// than 10 bodies are made only if it is `needed`. Empty if there is none, and if proceed() has
/// ended the search.
std::optional<Equilibrium> nearest_minimum(const System& rest, const Columns& q, bool needed,
                                           int threads, const SearchProgress& proceed);

/// The amplitude at which an orbit is begun in a mode [rad]: 1°.
inline constexpr double mode_amplitude = 0.017453292519943295;
/// The orbit of a mode: at rest in its shape at mode_amplitude, T = 2π/ν. Fails with kind usage
/// for a number that the list does not have, and with kind check for a mode that does not
/// oscillate.
Result<OrbitPoint> mode_start(const Equilibrium& equilibrium, const Modes& modes,
                              std::size_t number);

/// Where the other modes grow so much in a period that the orbit needs several segments, their
/// starts in the motion of the mode: of a point of mode_start() with its steps, whose period is
/// that of the mode over `order`.
std::vector<OrbitStation> mode_stations(const Equilibrium& equilibrium, const Modes& modes,
                                        std::size_t number, int order, const OrbitPoint& point);

/// A state in which all bodies turn about an axis like a rigid body, and continue to do so.
struct TurningStart {
  TurningSystem turning;  ///< about the axis after `to`
  Mat3 to;                ///< TurningAxis::to
  State state;
  Vec3 turn;      ///< Ω e [rad/s]
  Vec3 momentum;  ///< J [J s]
};
/// A state as a relative equilibrium about an axis of turning_axis() that is conserved: with
/// velocities as of rigid_rate() and torques of at most 1e-9 of their scale. None otherwise, and in
/// axes that rotate. Uses the systems while it exists.
std::optional<TurningStart> turning_start(const System& system, const System& rest,
                                          const State& state, const Vec3& axis);
/// The orbit of a small motion about it, of relative_modes(): at mode_amplitude in the frame that
/// turns, T = 2π/ν, without φ = ΩT. Fails as mode_start() and relative_modes().
Result<OrbitPoint> turning_mode_start(const TurningStart& start, std::size_t number);

/// A return of a motion, and the places that bodies have taken there.
struct NearestReturn {
  OrbitPoint point;
  std::vector<int> places;
};
/// The nearest return of the motion from a state over a duration [s]: of up to 800 states of it,
/// evenly spaced, the two with the least distance after R_e(−φ) P, over all φ of a relative orbit,
/// among those between which the motion goes away and comes back. The distance is
/// PhaseCoordinates::distance() from the first state. P is that of the problem. With several
/// `places` in its stead it is the earliest of all returns that are no farther than the nearest one
/// and the way between two states there. Fails with kind check if a step fails, if nothing returns,
/// and if this thread is interrupted.
Result<NearestReturn> nearest_return(const OrbitProblem& problem, const State& start,
                                     double duration, std::vector<std::vector<int>> places = {});
/// The start of an orbit of driven forces: of the states at multiples of their period over the
/// duration [s] the two that are closest, after R_e(−φ), at most 12 periods apart; the earliest of
/// the numbers of periods with which they are no farther than ten times that. With `given` one
/// period apart. Fails with kind check if a step fails, if the run is shorter than one period, and
/// if this thread is interrupted.
Result<OrbitPoint> driven_return(const OrbitProblem& problem, const State& start, double duration,
                                 const DrivenPeriod& of_forces, bool given);

/// φ of a relative orbit after a period from there, else 0. Fails like a step.
Result<double> rotation_after(const OrbitProblem& problem, const State& start, double period,
                              int steps);

}  // namespace twosphere
