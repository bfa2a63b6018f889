// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/inertia.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// Determinant and condition of the 3n×3n matrix of [P1] (2.11), by which the equations of motion
/// are solved for ω̇: blocks M_ii I on the diagonal and −M_ij q̂_i q̂_j beside it.
///
/// Each q_i is an eigenvector of its block with the eigenvalue M_ii; the others are those of the
/// 2n×2n matrix on the tangent planes. For n = 2, with c = q_1·q_2, the determinant is
///   M_11 M_22 (M_11 M_22 − M_12² c²)(M_11 M_22 − M_12²).
struct OmegaMatrix {
  double determinant;  ///< in SI units, (kg m²)³ⁿ; not finite if it overflows
  double condition;    ///< the largest eigenvalue over the smallest
};
/// O(n³), for uncoupled bodies O(n).
OmegaMatrix omega_matrix(const Inertia& inertia, const Columns& q);
/// The most bodies for which it is plotted and written: those take 2 ms for each row, 32 bodies
/// 0.4 ms.
inline constexpr int max_omega_matrix_bodies = 64;

}  // namespace twosphere
