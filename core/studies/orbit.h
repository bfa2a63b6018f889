// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/phase_coordinates.h"
#include "core/mechanics/return_map.h"
#include "core/mechanics/system.h"
#include "core/studies/orbit_problem.h"

/// Periodic orbits, and relative ones, which close after a rotation: as fixed points of N steps.
namespace twosphere {

/// In how many segments an orbit is solved for whose neighbours part by so much in a period: one up
/// to 1e4, else ⌈lg growth/3⌉, at most four.
std::size_t orbit_segments(double growth);

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

/// Newton's method for an orbit, of conservative forces. With the coordinates x of PhaseCoordinates
/// at z, z ⊕ x the state there, ⊖ the coordinates of a difference, and F = R_e(−φ) P Φ_h^N(z) ⊖ z,
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
/// Of other forces (OrbitForces) the energy is not kept and no row. A relative orbit has the row of
/// Y_e alone. Where forces are driven, T is theirs: δ ln T = 0 stands for X·x = 0, h is T/N also in
/// the column of θ, with which T may change, and the components of J that the forces leave alone
/// stay those of the guess, if they are not prescribed.
///
/// A step is at most 0.3 rad for a body, and 0.3 of ln T and φ. Ends at |F| ≤ 1e-12 growth, or
/// 1e-12 where neighbours shrink, of each segment, at most after 25 iterations, each at the cost of
/// ReturnMap::at() and O(n³). Fails with kind check: not converged, with the residuals; a step that
/// fails; growth above 1e12; not isolated; and but for driven forces rest, or a relative
/// equilibrium, which closes after any time. With kind usage where there is no system at θ.
Result<OrbitSolution> solve_orbit(const OrbitProblem& problem, const OrbitPoint& guess,
                                  const OrbitConditions& conditions);

/// T(2N), the period of the same orbit, in the system at its θ, with twice as many steps. By
/// Newton's method with the derivatives of the solution, which are nearly those there: each
/// iteration takes 2N steps without tangent vectors. Where that does not converge, and for other
/// conditions than energy and momentum, by solve_orbit(). Fails as that does.
Result<double> refined_period(const OrbitProblem& problem, const OrbitSolution& at,
                              const OrbitConditions& conditions);

/// How far the start of an orbit is from that with twice as many steps, |x| by one step of Newton's
/// method: about the error that the steps make where T is given. Costs 2N steps. Fails like one of
/// them.
Result<double> start_change(const OrbitProblem& problem, const OrbitSolution& at);

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

/// The coordinates of dz/dt without its part along the conserved rotations: 0 at rest and of a
/// relative equilibrium.
Eigen::VectorXd flow_across_rotations(const OrbitProblem& problem, const PhaseCoordinates& at);

/// The angle φ with which R_e(−φ) P takes the state `to` closest to `from`; 0 of an orbit that is
/// not relative.
double closing_angle(const Closure& closure, const State& from, const State& to);

}  // namespace twosphere
