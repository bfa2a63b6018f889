// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/studies/equilibria.h"
#include "core/studies/modes.h"
#include "core/studies/turning_potential.h"

/// Relative equilibria: motions in which all bodies turn about an axis e like a rigid body, q̇_i = Ω
/// e × q_i.
///
/// Where J·e is conserved they are the critical points of U − ½ Ω² I − Ω k, with I and k of
/// Turning, and, at a given momentum μ = ΩI + k, those of the amended potential U + (μ − k)²/2I. In
/// a system of first order they are those of U − Ω k. Simo, Lewis, Marsden, Arch. Rational Mech.
/// Anal. 115 (1991) 15.
namespace twosphere {

enum class Stability {
  stable,           ///< proved: the energy has a minimum at this momentum, but for the rotation
  linearly_stable,  ///< small deviations oscillate; the energy does not decide
  unstable,         ///< some grow
  degenerate,       ///< a second derivative of the energy vanishes, as where a curve turns
};
/// "stable", "linearly stable", "unstable", "degenerate".
std::string_view name(Stability stability);

struct RelativeEquilibrium {
  Columns q;
  Vec3 axis = Vec3::UnitZ();  ///< e
  double rate = 0;            ///< Ω [rad/s]
  double momentum = 0;        ///< μ = J·e [J s]
  double inertia = 0;         ///< I [kg m²]; 0 in a system of first order
  double energy = 0;          ///< E = U + ½ Ω² I [J]
  /// Of the second derivative of the energy at this momentum without the rotation: the numbers of
  /// its negative eigenvalues, and of those of at most 1e-8 of the largest in magnitude.
  int index = 0, nullity = 0;
  Stability stability = Stability::stable;
  /// s of the small motions e^{st} in the frame that turns [1/s], with Im s ≥ 0, in the order of
  /// −Re s²; without those of the rotation.
  std::vector<std::complex<double>> eigenvalues;

  double growth() const;  ///< the largest Re s [1/s], or 0
};

struct RelativeEquilibria;
/// An axis of relative equilibria: e1, e2 or e3, or, of a system that all rotations leave
/// unchanged, another one, along which J is. They are then looked for about e3, after a rotation.
struct TurningAxis {
  int axis = 2;                ///< of the search, from 0
  Mat3 to = Mat3::Identity();  ///< R, which takes e to that axis

  Vec3 direction() const { return to.transpose() * Vec3::Unit(axis); }
  /// What was found after the rotation, from before it.
  void turn_back(RelativeEquilibria& found) const;
};
/// About any axis e of a system_at_rest(); none if it is none of e1, e2 and e3, and not all of J is
/// conserved.
std::optional<TurningAxis> turning_axis(const System& rest, const Vec3& axis);
/// "e1", "e2", "e3" or "J", that of a state. Fails with kind usage and the location "about".
Result<TurningAxis> read_turning_axis(const std::string& text, const System& rest,
                                      const State& state);

/// Fails with kind usage for more than max_damped_mode_bodies, with damping, and where the momentum
/// about the axis is not conserved.
Result<void> check_turning(const TurningSystem& turning);

/// What a configuration is, which must be a relative equilibrium of this rate. O(n³). Fails as
/// flow_modes(), and with kind check if the inertia is not positive definite.
Result<RelativeEquilibrium> relative_equilibrium_at(const TurningSystem& turning, const Columns& q,
                                                    double rate);

/// Its small motions in the frame that turns, as elliptic modes, of which δq is that in this frame:
/// those of RelativeEquilibrium::eigenvalues, in their order. O(n³). Fails as
/// relative_equilibrium_at().
Result<Modes> relative_modes(const TurningSystem& turning, const Columns& q, double rate);

/// A curve in the plane of momentum and energy, in the order along it, and the numbers of the
/// places where the momentum turns back.
struct RelativeCurve {
  std::vector<RelativeEquilibrium> list;
  std::vector<std::size_t> turns;
};

struct RelativeEquilibria {
  std::vector<RelativeCurve> curves;  ///< of a rate or of one momentum each is one point
  std::size_t starts = 0, converged = 0;
  bool complete = true;  ///< false if proceed() has ended the search
};

/// All relative equilibria of a rate that find_equilibria() finds, but for those in which nothing
/// moves, in the order of the energy. Fails as relative_equilibrium_at().
Result<RelativeEquilibria> relative_equilibria_of_rate(const TurningSystem& turning,
                                                       const Columns& q, double rate,
                                                       const EquilibriumSearch& search, int threads,
                                                       const SearchProgress& proceed);

/// The relative equilibria of each of these momenta, which ascend or descend, on their curves.
///
/// find_equilibria() looks for them at each momentum. From each that is on no curve yet a curve is
/// followed both ways by pseudo-arclength: with the coordinates x of the configuration and w = Ω/Ω₀
/// as unknowns, Newton's method for
///
///   ∂(U − ½ Ω² I − Ω k) = 0,  y·x = 0,  t·(x, w) = s
///
/// where y is the rotation and t the tangent of the curve, so that it passes the turns of μ. Steps
/// are at most 0.1 and halved where Newton's method does not converge in 8 iterations or t turns by
/// more than 18°. The points of the given momenta and the turns are found on it to 1e-12. It ends
/// where μ leaves their interval, where it closes, and where all bodies are on the axis; proceed()
/// is asked meanwhile, too. With one momentum there are no curves. Systems of first order have no
/// amended potential: refused with kind usage.
Result<RelativeEquilibria> relative_equilibria_of_momenta(
    const TurningSystem& turning, const Columns& q, const std::vector<double>& momenta,
    const EquilibriumSearch& search, int threads, const SearchProgress& proceed);

/// The start of the motion: ω_i = q_i × (Ω e × q_i).
State start_turning(const RelativeEquilibrium& relative);
/// The start of a motion that begins in one of its small motions, by start_in_mode() in the frame
/// that turns at Ω e, with the velocity of that frame.
State start_turning_in_mode(const Columns& q, const Vec3& turn, const Mode& mode, double amplitude);

}  // namespace twosphere
