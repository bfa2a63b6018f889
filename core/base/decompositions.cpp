// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <limits>

namespace twosphere {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LuFactors::LuFactors(Eigen::Index n) : lu_(n) {}

void LuFactors::compute(const MatrixXd& a) { lu_.compute(a); }

void LuFactors::solve(const VectorXd& b, VectorXd& x) const { x = lu_.solve(b); }

CholeskyFactors::CholeskyFactors(Eigen::Index n) : llt_(MatrixXd::Identity(n, n)) {}

bool CholeskyFactors::compute(const MatrixXd& a) {
  return llt_.compute(a).info() == Eigen::Success;
}

void CholeskyFactors::solve_in_place(MatrixXd& b) const { llt_.solveInPlace(b); }

bool is_positive_definite(MatrixXd& a) {
  return a.allFinite() && Eigen::LLT<Eigen::Ref<MatrixXd>>(a).info() == Eigen::Success;
}

VectorXd solve_semidefinite(const MatrixXd& a, const VectorXd& b) { return a.ldlt().solve(b); }

VectorXd least_squares(const MatrixXd& a, const VectorXd& b) {
  return a.completeOrthogonalDecomposition().solve(b);
}

double determinant(const MatrixXd& a) { return a.determinant(); }

VectorXd SingularSystem::solve(const VectorXd& b, double part) const {
  VectorXd along = left.transpose() * b;
  for (Eigen::Index k = 0; k < along.size(); ++k)
    along[k] = values[k] > part * values[0] ? along[k] / values[k] : 0;
  return right * along;
}

// One-sided rotations keep the digits of small values.
SingularSystem singular_system(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& a) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

EigenSystem symmetric_eigensystem(const MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

EigenSystem generalised_eigensystem(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() == 0) return {};  // Eigen's solver requires a row
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(a, b);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

ComplexEigenSystem general_eigensystem(const MatrixXd& a) {
  const Eigen::EigenSolver<MatrixXd> solver(a);
  if (solver.info() == Eigen::Success) return {solver.eigenvalues(), solver.eigenvectors()};
  const double none = std::numeric_limits<double>::quiet_NaN();
  return {Eigen::VectorXcd::Constant(a.rows(), none),
          Eigen::MatrixXcd::Constant(a.rows(), a.rows(), none)};
}

MatrixXd orthogonal_complement(const MatrixXd& a) {
  MatrixXd basis = MatrixXd::Identity(a.rows(), a.rows());
  if (a.cols() > 0) basis = Eigen::HouseholderQR<MatrixXd>(a).householderQ() * basis;
  return basis.rightCols(a.rows() - a.cols());
}

VectorXd tridiagonal_eigenvalues(const VectorXd& diagonal, const VectorXd& beside) {
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

}  // namespace twosphere
