// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/system.h"

/// What acts on small motions besides the potential, in tangent coordinates at q, with B_i =
/// tangent_basis(q_i): matrices of 2n rows.
namespace twosphere {

/// K_ij = M_ij B_iᵀ B_j. Requires kinetic energy.
Eigen::MatrixXd tangent_inertia(const System& system, const Columns& q);

/// κ_i J_i − c_i I on the diagonal, J_i = B_iᵀ (q_i × B_i): the torques of strengths and damping
/// are these times ẋ.
Eigen::MatrixXd velocity_torques(const System& system, const Columns& q);

/// G of the torques −G ẋ in a frame that turns with Ω, antisymmetric: the part of
///
///   θ_i = Σ_j M_ij Ω × q_j,  G = ∂θ/∂q − (∂θ/∂q)ᵀ
///
/// in tangent coordinates, which is 2 M_ij B_iᵀ (Ω × B_j) for a constant M. Requires kinetic
/// energy.
Eigen::MatrixXd turning_torques(const System& system, const Columns& q, const Vec3& turn);

}  // namespace twosphere
