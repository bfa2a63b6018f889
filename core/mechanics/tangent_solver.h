// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/decompositions.h"
#include "core/mechanics/chain_solver.h"
#include "core/mechanics/inertia.h"

namespace twosphere {

/// Solves the linear problem behind accelerations, velocities from momenta, Newton corrections and
/// damping: find a_i ⟂ e_i and λ_i with
///
///   Σ_j M_ij (ν_j e_j + a_j) + d_i a_i + r_i = λ_i c_i.
///
/// c_i ("left") is the direction of a constraint force, e_i ("right") the direction to which a_i is
/// orthogonal, and ν_i e_i the known part of the solution along it. c_i and e_i may have any
/// nonzero length. Diagonal M: closed form. Chain and rod: SerialSolver, O(n). Matrices: with X =
/// (M + diag d)⁻¹ the n×n system Σ_j X_ij (e_i·c_j) λ_j = e_i·[X (r + M (ν∘e))]_i, O(n³). Not
/// finite if the system is singular. Without inertia there is no such problem. Allocates memory
/// only in the constructor.
class TangentSolver {
 public:
  /// For this kind of inertia and its number of bodies.
  explicit TangentSolver(const Inertia& inertia);

  struct Problem {
    const Columns& left;
    const Columns& right;
    const Columns& rest;                      ///< r
    const Eigen::VectorXd* normal = nullptr;  ///< ν; zero if null
    const Eigen::VectorXd* extra = nullptr;   ///< d; zero if null
  };
  /// Writes a, which must not alias an input; q is the configuration at which a variable inertia is
  /// evaluated. `again`: only `rest` and `normal` differ from the last problem, and there is no
  /// `normal` if there is an `extra`; matrices then cost O(n²).
  void solve(const Inertia& inertia, const Columns& q, const Problem& problem, Columns& a,
             bool again = false);

  /// Whether M + diag d is positive definite on the tangent space at q; for matrices, in the whole
  /// space. Cost about that of solve().
  bool definite(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& d);

 private:
  void solve_matrix(const Problem& problem, Columns& a, bool again);

  std::optional<SerialSolver> serial_;
  struct Matrices {
    explicit Matrices(int n);
    Eigen::MatrixXd m, inverse, system;
    CholeskyFactors cholesky;
    LuFactors lu;
    Eigen::VectorXd right, lambda;
    Columns rest, scaled;
  };
  std::optional<Matrices> matrices_;
};

}  // namespace twosphere
