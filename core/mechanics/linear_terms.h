// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

/// Terms of the Lagrangian that are linear in velocities, of systems with kinetic energy: strengths
/// κ_i, the rotation Ω of the frame, and where it is at rest any field A,
///
///   L = ½ Σ_ij M_ij u_i·u_j + Σ_i [κ_i a(q_i)·u_i + A_i(q)·q̇_i] − V(q),  u_i = q̇_i + Ω × q_i
///
/// with a the potential of the monopole of unit strength. Momenta are those in inertial axes,
/// J = Σ q_i × (Σ_j M_ij u_j + A_i) + κ_i q_i. The energy that is conserved is
///
///   H = T_in + V − Ω·J = ½ Σ M_ij q̇_i·q̇_j + V_eff(q)
///
///   V_eff = V − ½ Σ M_ij (Ω × q_i)·(Ω × q_j) − Ω·Σ κ_i q_i
///
/// and the equations of motion are those of V with the forces −2 Σ_j M_ij Ω × q̇_j − Σ_j M_ij Ω ×
/// (Ω × q_j) + κ_i q_i × u_i + Σ_j [(∂A_j/∂q_i)ᵀ − ∂A_i/∂q_j] q̇_j, of which the first, κ_i q_i ×
/// q̇_i and the last do no work. The symplectic form is Σ δq_i ∧ (δp_i + δA_i) + κ_i q_i·(δq_i ×
/// δ'q_i), p_i = Σ_j M_ij u_j.
namespace twosphere {

/// Whether bodies with inertia have strengths.
bool has_strength(const System& system);
/// Whether Ω ≠ 0.
bool has_frame_rotation(const System& system);
/// Whether there are terms Σ A_i(q)·q̇_i.
bool has_gyroscopic(const System& system);
/// Whether any of these is so.
bool has_linear_terms(const System& system);

/// The components of J that a rotation of the frame leaves alone: all if Ω = 0, or that along Ω.
std::array<bool, 3> axes_along(const Vec3& frame_rotation);

/// V_eff [J]; V itself without linear terms. Cost: the potential, with Ω one product with M.
double effective_potential(const System& system, const Columns& q);
/// g_i += what is ∂V_eff/∂q_i − ∂V/∂q_i in the tangent planes [J].
void add_effective_gradient(const System& system, const Columns& q, Columns& g);
/// Columns for add_linear_terms(), of the size of q.
struct LinearTermsWorkspace {
  Columns rate, product;
};
/// g_i += 2 Σ_j M_ij Ω × v_j + Σ_j M_ij Ω × (Ω × q_j) − κ_i q_i × (v_i + Ω × q_i) + Σ_j [∂A_i/∂q_j
/// − (∂A_j/∂q_i)ᵀ] v_j: the forces with the opposite sign at the velocities v = q̇. Taken literally
/// where |q| ≠ 1. Allocates nothing.
void add_linear_terms(const System& system, const Columns& q, const Columns& v, Columns& g,
                      LinearTermsWorkspace& work);

/// v_i += Ω × q_i: inertial velocities of those in the frame.
void add_frame_velocity(const Vec3& frame_rotation, const Columns& q, Columns& v);

/// p_i += Σ_j M_ij Ω × δq_j − ½ κ_i q_i × δq_i + Σ_j ∂A_i/∂q_j δq_j: with δp_i = Σ_j M_ij δq̇_j, up
/// to parts along q_i, the form Σ (δq·δ'p − δ'q·δp) is then that of the system.
void add_to_form(const System& system, const Columns& q, const Columns& dq, Columns& p);

}  // namespace twosphere
