// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// Small motions z(t) about a state that is at rest, or at rest in a turning frame: S ż = A z.
///
/// S is regular and A the second derivative of the energy. In a conservative system S is
/// antisymmetric: with s also −s is an eigenvalue.
struct LinearFlow {
  Eigen::MatrixXd form;    ///< S
  Eigen::MatrixXd energy;  ///< A, symmetric
  /// Directions r in which symmetries move the state, A r = 0, as linearly independent columns.
  Eigen::MatrixXd neutral;
  bool conservative = true;
};

/// One solution Re(z e^{st}).
struct FlowMode {
  std::complex<double> s;  ///< [1/s]
  Eigen::VectorXcd z;
  /// The sign of its energy z*·A z: −1 for an oscillation that lowers the energy, which damping
  /// makes grow. 0 where something is damped, and where s is not imaginary.
  int energy_sign = 0;
};

/// The solutions but for those of symmetries, with Im s ≥ 0, in the order of −Re s². Of a
/// conservative flow half as many as there are dimensions: of two real ±s the growing one.
///
/// Besides r itself, a direction r takes out what changes the quantity r·S z, which is conserved:
/// the eigenvalues are those of A in {z: r·S z = 0} modulo the r that are in this space. A real or
/// imaginary part of at most 1e-9 of the largest |s| counts as 0 in a conservative flow, as does
/// one of at most 1e-12 otherwise. O(n³). Fails with kind check if S is singular, or if the
/// eigenvalues are not found.
Result<std::vector<FlowMode>> flow_modes(const LinearFlow& flow);

/// The solutions of K ẍ + D ẋ + H x = 0 with a positive definite K: those of flow_modes() for z =
/// (x, ẋ/ω₀), with ω₀² = |H|/|K|. `neutral`: columns with H r = 0.
struct SecondOrderFlow {
  const Eigen::MatrixXd& hessian;   ///< H
  const Eigen::MatrixXd& inertia;   ///< K
  const Eigen::MatrixXd& velocity;  ///< D: gyroscopic, antisymmetric, or damping
  const Eigen::MatrixXd& neutral;
  bool conservative = true;
};
Result<std::vector<FlowMode>> flow_modes(const SecondOrderFlow& flow);

}  // namespace twosphere
