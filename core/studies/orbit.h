// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/return_map.h"
#include "core/mechanics/system.h"

/// Periodic orbits, and relative ones, which close after a rotation: as fixed points of N steps.
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

/// A parameter θ of the system that changes along a family.
struct OrbitParameter {
  /// The system_at_rest() at a value of θ, with the symmetry of that of the problem. Fails where
  /// there is none.
  SystemAt system;
  double scale = 1;  ///< a typical size of θ, in which its changes are measured
};

/// Whose orbits are looked for, and by which steps. The system must be a system_at_rest(), whose
/// potential has all forces, and outlive it, as must the parameter.
struct OrbitProblem {
  const System& system;
  const IntegratorInfo& method;
  Closure closure{};
  const OrbitParameter* parameter = nullptr;  ///< unknown beside the others; null: there is none
};
/// Why a system has no orbits of this kind, as an error; none if nothing is in the way: strengths
/// of bodies with inertia, damping and forces of velocities or time, too many bodies, a method
/// without the derivative by the step, bodies that change places and are not equal, an axis that is
/// none of the symmetry.
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
/// In how many segments an orbit is solved for whose neighbours part by so much in a period: one up
/// to 1e4, else ⌈lg growth/3⌉, at most four.
std::size_t orbit_segments(double growth);
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

/// An orbit that closes, with the derivatives there.
struct OrbitSolution {
  OrbitPoint point;
  ReturnMap::Image image;
  /// Of each segment, in the coordinates of the next; none of an orbit in one. `image` has their
  /// points and the product of their derivatives.
  std::vector<ReturnMap::Image> segments{};
  double residual = 0;  ///< |F| [1], the largest of all segments
  double growth = 0;    ///< the norm of R P DΦ^N
  /// How well the orbit is determined: the least singular value of the equations over their
  /// rounding. Below 1e3 it is not isolated.
  double gap = 0;
  int iterations = 0;  ///< steps of Newton's method until it closed

  /// The segments, or the whole as the only one.
  std::span<const ReturnMap::Image> parts() const {
    return segments.empty() ? std::span(&image, 1) : std::span(segments);
  }
};

/// Newton's method for an orbit. With the coordinates x of PhaseCoordinates at z, z ⊕ x the state
/// there, ⊖ the coordinates of a difference, and F = R_e(−φ) P Φ_h^N(z) ⊖ z,
///
///   [R P DΦ^N − 1, ∂F/∂ln h, ∂F/∂φ] (x, δ ln T, δφ) = −F
///   X·x = 0,  Y_k·x = 0,  dE·x = E* − E,  dJ·x = J* − J,  δ ln T = ln(T*/T),
///   or d·(x, δ ln T, δφ) = 0
///
/// with X along the flow and Y_k along the rotations of each conserved component of J, without
/// which the steps wander along the group; dE = Ω(X, ·) and dJ = Ω(Y, ·), all rows of length 1. A
/// relative orbit of a system that conserves all of J has J along e: the rows are then Y_e·x = 0
/// and, for the components across e, dJ·x = −J, because other rotations turn J away from e. The
/// least-squares solution is by singular values. φ is a column only for a relative orbit. Of a
/// problem with a parameter there is a column of δθ/scale, too: ∂F/∂θ, and ∂E/∂θ and ∂J/∂θ in the
/// rows of E and J, all by ParameterSlope. The closure is redundant by its integrals, but all
/// columns are needed: where they are not independent, the orbit is not isolated.
///
/// Where the growth is above 1e4, the guess of one state does not say where the orbit leads: the
/// unknowns are then the states x_s at the starts of orbit_segments(growth) segments of N_s steps
/// (multiple shooting), and the closure
///
///   Φ_h^{N_s}(z_s) ⊖ z_{s+1} = 0,  of the last one R_e(−φ) P Φ_h^{N_s}(z_s) ⊖ z_1 = 0
///
/// with the other rows at z_1. The segments begin at the stations of the guess, if it has as many,
/// else at the points of its motion. Growth of up to 1e12 makes at most four.
///
/// A step is at most 0.3 rad for a body, and 0.3 of ln T and φ. Ends at |F| ≤ 1e-12 growth, of each
/// segment, at most after 25 iterations, each at the cost of ReturnMap::at() and O(n³). Fails with
/// kind check:
/// not converged, with the residuals; a step that fails; growth above 1e12; not isolated; rest, or
/// a relative equilibrium, which closes after any time. With kind usage where there is no system at
/// θ.
Result<OrbitSolution> solve_orbit(const OrbitProblem& problem, const OrbitPoint& guess,
                                  const OrbitConditions& conditions);

/// T(2N), the period of the same orbit, in the system at its θ, with twice as many steps. By
/// Newton's method with the derivatives of the solution, which are nearly those there: each
/// iteration takes 2N steps without tangent vectors. Where that does not converge, and for other
/// conditions than energy and momentum, by solve_orbit(). Fails as that does.
Result<double> refined_period(const OrbitProblem& problem, const OrbitSolution& at,
                              const OrbitConditions& conditions);

/// What the orbits of a family have in common: relative orbits have E and e·J as parameters, of
/// which one is held; others have one parameter. Over θ all of these are held.
enum class Held : std::uint8_t { nothing, energy, momentum, all };
/// The direction of the family through a solution: the null vector of the equations, of length 1,
/// on the side of `like`. The problem is that of the solution, with its parameter.
OrbitDirection family_direction(const OrbitProblem& problem, const OrbitSolution& at, Held held,
                                const OrbitDirection* like = nullptr);
/// The point at a distance s along a direction, without the system at its θ.
OrbitPoint moved_along(const OrbitProblem& problem, const OrbitPoint& from,
                       const OrbitDirection& by, double s);

/// The axes of the components of J that are conserved, as unit vectors.
std::vector<Vec3> conserved_axes(const System& system);
/// The angle φ with which R_e(−φ) P takes the state `to` closest to `from`; 0 of an orbit that is
/// not relative.
double closing_angle(const Closure& closure, const State& from, const State& to);

}  // namespace twosphere
