// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/kernels/aligned.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/integrator.h"

/// Tangent vectors of a step of the variational integrator of a chain with a constant gradient,
/// several together, one in each element of a vector.
///
/// The equations, and the order of their operations, are those of step_tangent.cpp for one vector
/// and K = 0, with its stretch, so that the results are the same, bit for bit, at every level. O(n)
/// per vector.
namespace twosphere::chain_kernel {

/// The matrix (M⁻¹)_ij (right_i·left_j), factorised by the Thomas algorithm.
struct Factors {
  explicit Factors(Eigen::Index links) : pivot(links), lower(links), upper(links) {}
  void compute(const ChainInertia& chain, const Columns& left, const Columns& right);

  Eigen::VectorXd pivot, lower, upper;
};

/// What the derivative of a step by h needs of it, see StepTangent.
struct StepSlope {
  double kick;              ///< κ
  const Columns& velocity;  ///< v_k
  const Columns& change;    ///< d
  const Columns& gradient;  ///< G
};

/// A step that was taken; see StepTangent for the notation.
struct StepTaken {
  const ChainInertia& chain;
  double h;
  const Columns &q, &q_next;      ///< q_k and q_{k+1}
  const Columns &omega, &v_next;  ///< ω_k and v_{k+1}
  const Eigen::VectorXd &lambda, &mu;
  const Factors &to_end, &at_end;  ///< from q_k to q_{k+1}, and at q_{k+1}
  StepSlope slope;                 ///< for vectors with a stretch
};

/// Replaces each vector at the beginning of the step by its image at the end. `workspace`: reused.
void carry(const StepTaken& step, std::span<TangentVector> vectors, Aligned<double>& workspace);

}  // namespace twosphere::chain_kernel
