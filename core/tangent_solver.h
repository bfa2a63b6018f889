// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <optional>
#include <vector>

#include "core/inertia.h"

namespace twosphere {

/// Solves the linear problem behind accelerations, velocities from momenta, Newton corrections and
/// damping: find a_i ⟂ e_i and λ_i with
///
///   Σ_j M_ij (n_j + a_j) + d_i a_i + r_i = λ_i c_i.
///
/// c_i ("left") is the direction in which a constraint force acts, e_i ("right") the one in which
/// a_i may not move, n_i a part of the solution that is known already; any lengths but 0.
/// Diagonal M: closed form. Chain and rod: a recursion from tip to base with one 3×3 matrix per
/// link and one 2×2 solve, O(n). Matrices: with X = (M + diag d)⁻¹ the n×n system
/// Σ_j X_ij (e_i·c_j) λ_j = e_i·[X (r + M n)]_i, O(n³).
/// Not finite where the system is singular. Allocates only when made.
class TangentSolver {
 public:
  /// For this kind of inertia and its number of bodies.
  explicit TangentSolver(const Inertia& inertia);

  struct Problem {
    const Columns& left;
    const Columns& right;
    const Columns& rest;                     ///< r
    const Columns* known = nullptr;          ///< n; zero if null
    const Eigen::VectorXd* extra = nullptr;  ///< d; zero if null
  };
  /// Writes a; q is where a variable inertia is taken. `a` must be none of the inputs. With left =
  /// right, false if M + diag d is not positive definite on the tangent space: a is then void.
  bool solve(const Inertia& inertia, const Columns& q, const Problem& problem, Columns& a);

 private:
  struct Node {
    Mat3 a;  ///< force above a mass = a X + b, X its acceleration
    Vec3 b;
    Eigen::Matrix<double, 3, 2> left, right;  ///< bases of the planes orthogonal to c and e
    Eigen::Matrix2d inverse;                  ///< of the link's 2×2 system
  };
  bool solve_serial(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                    const Eigen::VectorXd* own, const Problem& problem, Columns& a);
  bool solve_matrix(const Problem& problem, Columns& a);

  std::vector<Node> nodes_;
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
