// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/studies/equilibria.h"
#include "core/studies/linear_flow.h"

/// Small motions about an equilibrium.
namespace twosphere {

/// The largest number of bodies with kinetic energy and damping, a strength or axes that rotate:
/// the complex eigenvalue problem has 4n rows.
inline constexpr int max_damped_mode_bodies = 100;

/// One small motion q_i(t) = q_i + a Re(δq_i e^{st}), δq_i ⟂ q_i. Without damping s = iν or, where
/// ν² < 0, s = ±σ.
struct Mode {
  double square = 0;     ///< ν² = −s² [rad²/s²], of a complex one the real part
  double frequency = 0;  ///< |Im s|/2π [Hz]
  /// σ of the growing solution e^{σt} [1/s]; of an elliptic mode Re s, negative where it decays.
  double growth = 0;
  /// Q = |s|/(2 |Re s|) of a damped oscillation, where the damping is weak 2π times the number of
  /// periods in which the energy falls to e^(−1); NaN without damping or without oscillation.
  double quality = std::numeric_limits<double>::quiet_NaN();
  /// δq [1], the largest |δq_i| being 1. Of an elliptic mode the real part, whose component that is
  /// largest in magnitude has no imaginary part.
  Columns shape;
  Columns imaginary;  ///< of δq; empty unless the mode is elliptic
  /// Of an elliptic mode without damping the sign of its energy, FlowMode::energy_sign.
  int energy_sign = 0;
};

struct Modes {
  bool damped = false;
  /// Bodies move on ellipses, with a complex δq: where there is damping or a strength κ, and in
  /// axes that rotate.
  bool elliptic = false;
  bool axes_rotate = false;  ///< the motion is that in axes that rotate
  /// In the order of ν², without those of rotations about conserved axes, along which nothing
  /// changes. Modes of one ν² are chosen each as concentrated on one body as possible, unless they
  /// are elliptic.
  std::vector<Mode> list;

  /// Whether there is Mode::energy_sign.
  bool has_energy_signs() const { return elliptic && !damped; }
};

/// The modes at an equilibrium of the system and its system_at_rest(), with M_ij at q, the Hessian
/// H in tangent coordinates and B_i = tangent_basis(q_i):
///
///   H x = ν² K x,  K_ij = M_ij B_iᵀ B_j;  with damping c_i: (s² K + s C + H) x = 0, C_ii = c_i I
///
/// and with strengths κ_i, J_i = B_iᵀ (q_i × B_i): C_ii = c_i I − κ_i J_i; in axes that rotate with
/// Ω the Hessian is that of V_eff and C_ij has 2 M_ij B_iᵀ (Ω × B_j) more; in systems of first
/// order
///
///   H x = s (κ_i J_i − c_i) x
///
/// O(n³). Fails with kind usage for more than max_damped_mode_bodies with kinetic energy and
/// damping, strengths or axes that rotate, and with kind check if the inertia is not positive
/// definite at q, or if eigenvalues are not found.
Result<Modes> modes_at(const System& system, const System& rest, const Equilibrium& equilibrium);

/// The elliptic mode of a solution of flow_modes() at q: z, or of a second-order flow its first
/// half, are tangent coordinates.
Mode elliptic_mode(const FlowMode& solution, const Columns& q);

/// The configuration of an animation of a mode, at a phase of its oscillation [rad]: each q_i moved
/// along a great circle by Re(a δq_i e^{iφ}). Beyond small amplitudes this is not a motion of the
/// system.
Columns moved_by_mode(const Columns& q, const Mode& mode, double amplitude, double phase);
/// The configuration at which a mode of this amplitude, max_i |angle| [rad], turns back: each q_i
/// moved along a great circle by a δq_i.
Columns along_mode(const Columns& q, const Columns& shape, double amplitude);
/// The start of a motion in one mode: along_mode() at rest; of an elliptic mode with the velocity
/// that it has there. Only for small amplitudes is the motion that of the mode.
State start_in_mode(const Columns& q, const Mode& mode, double amplitude);

}  // namespace twosphere
