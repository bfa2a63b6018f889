// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/return_map.h"
#include "core/mechanics/system.h"

/// What is asked of an orbit, and the points and directions among which it is looked for.
namespace twosphere {

/// The largest number of bodies: matrices of 4n rows are decomposed as a whole.
inline constexpr int max_orbit_bodies = 50;
/// The most steps of an orbit.
inline constexpr int max_orbit_steps = 100'000;
/// Steps for the period of the fastest small motion.
inline constexpr int steps_per_fastest_period = 40;
/// The least number of steps for the whole orbit, of which others are multiples, so that parts of
/// the period are whole steps.
inline constexpr int min_orbit_steps = 120;

/// What forces do with the orbits of a system.
enum class OrbitForces : std::uint8_t {
  conservative,  ///< they keep the energy: orbits are in families over it
  driven,        ///< some depend on t: orbits repeat with them, after a multiple of their period
  dissipative,   ///< they change the energy and do not depend on t: the period is unknown
};
OrbitForces orbit_forces(const System& system);
/// The system whose orbits are looked for: of conservative forces its system_at_rest(), else the
/// system itself. Fails with kind usage as that does, and where there is damping and no force that
/// puts energy in: forces of velocities, and those that have no potential.
Result<std::shared_ptr<const System>> orbit_system(std::shared_ptr<const System> system, double t,
                                                   const Columns& q);

/// The period of an orbit of driven forces, and how many times it is System::force_period().
struct DrivenPeriod {
  double period = 0;  ///< T [s]
  int times = 0;      ///< 0: the period of the forces is not known
};
/// That near a given one, which must be a multiple of that of the forces to 1e-3, or that of the
/// forces. Fails with kind usage and the location "period", also where the forces do not repeat.
Result<DrivenPeriod> driven_period(const System& system, const std::optional<double>& given);

/// A parameter θ of the system that changes along a family.
struct OrbitParameter {
  /// The orbit_system() at a value of θ, with the symmetry and the OrbitForces of that of the
  /// problem. Fails where there is none.
  SystemAt system;
  double scale = 1;  ///< a typical size of θ, in which its changes are measured
};

/// Whose orbits are looked for, and by which steps. The system must be an orbit_system(), and
/// outlive it, as must the parameter.
struct OrbitProblem {
  const System& system;
  const IntegratorInfo& method;
  Closure closure{};
  const OrbitParameter* parameter = nullptr;  ///< unknown beside the others; null: there is none
  int times = 0;                              ///< DrivenPeriod::times of driven forces
};
/// Why a system has no orbits of this kind, as an error; none if nothing is in the way: gyroscopic
/// terms, a base that flies, damping that brings it to rest, too many bodies, a method without the
/// derivative by the step, bodies that change places and are not equal, or where the energy is not
/// kept, an axis that is none of the symmetry.
Result<void> check_orbit(const System& system, const IntegratorInfo& method,
                         const Closure& closure);
/// The method that takes the steps where none is named: `rotation8` for uncoupled bodies,
/// `spherical_midpoint8` for systems of first order, else `variational8`.
const IntegratorInfo& orbit_method(const System& system);

/// A state on the way along an orbit, where another of its segments begins.
struct OrbitStation {
  State state;
  int step = 0;  ///< steps from the start of the orbit
};
/// A point of an orbit with its period: what is solved for.
struct OrbitPoint {
  State state;
  double period = 0;    ///< T [s]
  double rotation = 0;  ///< φ [rad]
  int steps = 0;        ///< N; h = T/N
  /// Where the segments after the first begin, in their order; none of an orbit in one.
  std::vector<OrbitStation> stations{};
  double parameter = 0;                    ///< θ of a problem with a parameter
  std::shared_ptr<const System> system{};  ///< of the solution at θ; null: that of the problem

  /// The same with twice as many steps.
  OrbitPoint refined() const;
};
/// The problem of a solution at its θ, which does not change: with the system there.
OrbitProblem problem_at(const OrbitProblem& problem, const OrbitPoint& point);
/// The number of steps for a period T from there: steps_per_fastest_period, a multiple of
/// min_orbit_steps. 0 if it is above max_orbit_steps.
int default_steps(const System& system, const State& state, double period);

/// A direction in the space of these points: (δq, δω), δ ln T, δφ and δθ/scale.
struct OrbitDirection {
  TangentVector vector;
  double period = 0, rotation = 0, parameter = 0;
  std::vector<TangentVector> stations{};  ///< of those of the point
};

/// What is asked of an orbit besides that it closes.
struct OrbitConditions {
  std::optional<double> energy;    ///< E [J]
  std::optional<double> momentum;  ///< e·J of a relative orbit [J s]
  std::optional<double> period;    ///< T [s]
  /// θ of a problem with a parameter, which then is no unknown.
  std::optional<double> parameter{};
  /// Corrections are orthogonal to this direction: the orbit is that of a family beside the guess.
  const OrbitDirection* across = nullptr;
  bool isolated = true;  ///< an orbit that is not is refused; at bifurcations none is
};

/// The axes of the components of J that are conserved, as unit vectors.
std::vector<Vec3> conserved_axes(const System& system);
/// Whether J about an axis is conserved.
bool keeps_momentum(const System& system, const Vec3& axis);
/// The axes about which rotations turn orbits into orbits: conserved_axes(), or, where forces are
/// not conservative, System::turning_axes().
std::vector<Vec3> orbit_axes(const System& system);
/// J of an orbit at one of its states [J s], without_rounding() of the terms that it has along the
/// orbit: Σ M_ii ω₀, with ω₀ of tangent_norm(), of systems of first order Σ |κ_i|. Those at a point
/// where all bodies turn back are smaller.
Vec3 orbit_momentum(const System& system, const State& state);

}  // namespace twosphere
