// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace twosphere {

/// P A = L U of a square matrix, by Gaussian elimination with partial pivoting. The decompositions
/// of this header are those of Eigen, compiled in one place: they take seconds to compile.
class LuFactors {
 public:
  explicit LuFactors(Eigen::Index n);

  /// Requires n×n. Not finite solutions if A is singular.
  void compute(const Eigen::MatrixXd& a);
  /// x = A⁻¹ b
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// A = L Lᵀ of a symmetric matrix, of which the lower half is read.
class CholeskyFactors {
 public:
  /// Of the n×n identity, so that copies are valid.
  explicit CholeskyFactors(Eigen::Index n);

  /// Requires n×n. Whether A is positive definite: else there are no factors.
  bool compute(const Eigen::MatrixXd& a);
  /// B := A⁻¹ B.
  void solve_in_place(Eigen::MatrixXd& b) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

/// Whether a symmetric matrix, of which the lower half is read and overwritten, is positive
/// definite: finite, and with a Cholesky decomposition.
bool is_positive_definite(Eigen::MatrixXd& a);

/// A⁻¹ b for a symmetric positive or negative semidefinite A, by L D Lᵀ with pivoting.
Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// The x of least norm among those that minimise |A x − b|, for A of any shape and rank.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

/// det A of a square matrix.
double determinant(const Eigen::MatrixXd& a);

/// A = U diag(σ) Vᵀ of any real matrix with at least as many rows as columns: σ in descending
/// order, with as many columns of U and V.
struct SingularSystem {
  Eigen::MatrixXd left;
  Eigen::VectorXd values;
  Eigen::MatrixXd right;

  /// The x of least norm among those that minimise |A x − b|, where σ below `part` of the largest
  /// count as zero.
  Eigen::VectorXd solve(const Eigen::VectorXd& b, double part) const;
};
SingularSystem singular_system(const Eigen::MatrixXd& a);

/// The eigenvalues of a symmetric matrix, of which the lower half is read, in ascending order.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& a);

/// Eigenvalues in ascending order, and eigenvectors as the columns of a matrix.
struct EigenSystem {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
/// Of a symmetric matrix, of which the lower half is read; with orthonormal vectors.
EigenSystem symmetric_eigensystem(const Eigen::MatrixXd& a);
/// Of A x = λ B x with a symmetric A and a positive definite B, of which the lower halves are read;
/// with xᵀ B x = 1.
EigenSystem generalised_eigensystem(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// Of any real square matrix: complex eigenvalues in no order, vectors of length 1; not finite if
/// they are not found.
struct ComplexEigenSystem {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
ComplexEigenSystem general_eigensystem(const Eigen::MatrixXd& a);

/// An orthonormal basis of the space orthogonal to the columns of a matrix, which are linearly
/// independent.
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& a);

/// The eigenvalues of a symmetric tridiagonal matrix: n numbers on the diagonal, n − 1 beside it.
Eigen::VectorXd tridiagonal_eigenvalues(const Eigen::VectorXd& diagonal,
                                        const Eigen::VectorXd& beside);

}  // namespace twosphere
