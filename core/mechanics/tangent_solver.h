// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <optional>

#include "core/mechanics/chain_solver.h"
#include "core/mechanics/inertia.h"

namespace twosphere {

/// Solves the linear problem behind accelerations, velocities from momenta, Newton corrections and
/// damping: find a_i ⟂ e_i and λ_i with
///
///   Σ_j M_ij (ν_j e_j + a_j) + d_i a_i + r_i = λ_i c_i.
///
/// c_i ("left") is the direction in which a constraint force acts, e_i ("right") the one in which
/// a_i may not move, ν_i e_i the part of the solution along it, known already; any lengths but 0.
/// Diagonal M: closed form. Chain and rod: SerialSolver, O(n). Matrices: with X = (M + diag d)⁻¹
/// the n×n system Σ_j X_ij (e_i·c_j) λ_j = e_i·[X (r + M (ν∘e))]_i, O(n³).
/// Not finite where the system is singular. Allocates only when made.
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
  /// Writes a; q is where a variable inertia is taken. `a` must be none of the inputs. `again`:
  /// only `rest` differs from the last problem, which had no `normal`; of matrices O(n²) then.
  void solve(const Inertia& inertia, const Columns& q, const Problem& problem, Columns& a,
             bool again = false);

  /// Whether M + diag d is positive definite on the tangent space at q; of matrices, everywhere.
  /// Cost about that of solve().
  bool definite(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& d);

 private:
  void solve_matrix(const Problem& problem, Columns& a, bool again);

  std::optional<SerialSolver> serial_;
  struct Matrices {
    explicit Matrices(int n);
    Eigen::MatrixXd m, inverse, system;
    Eigen::LLT<Eigen::MatrixXd> llt;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    Eigen::VectorXd right, lambda;
    Columns rest, scaled;
  };
  std::optional<Matrices> matrices_;
};

}  // namespace twosphere
