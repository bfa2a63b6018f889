// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

/// Springs between the midpoints of hanging rods, for the members of an ensemble together, one in
/// each element of a vector. The operations and their order are those of PendulumNetwork for one,
/// so that each has the same bit for bit.
namespace twosphere::springs_kernel {

struct Spring {
  Eigen::Index i, j;
  double stiffness;  ///< κ [N/m]
  Vec3 rest;         ///< r = pivot_j − pivot_i [m]
  double relaxed;    ///< |r|
};

/// g_i = weight_i e3 − Σ_s κ x e/|e| l_i/2, g_j with +; see PendulumNetwork.
void gradient_together(const Eigen::VectorXd& weights, const Eigen::VectorXd& lengths,
                       std::span<const Spring> springs, const double* q, double* g);
/// V = −Σ m_i g l_i e3·q_i + Σ_s κ/2 x², one number for each member.
void potential_together(double gravity, const Eigen::VectorXd& masses,
                        const Eigen::VectorXd& lengths, std::span<const Spring> springs,
                        const double* q, double* v);

}  // namespace twosphere::springs_kernel
