// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decompositions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

namespace twosphere::decompositions_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index n = 9;
constexpr double tolerance = 1e-12;  // measured: 1e-14

MatrixXd random_matrix(Index rows, Index columns, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<double> entry(-1, 1);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return entry(random); });
}
/// Positive definite, its eigenvalues at least 1.
MatrixXd definite() {
  const MatrixXd a = random_matrix(n, n, 1);
  return a * a.transpose() + MatrixXd::Identity(n, n);
}
/// The matrix without what lies above its diagonal.
MatrixXd lower_half(const MatrixXd& a) {
  MatrixXd half = a;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
  return half;
}

TEST(Factors, SolveSquareSystems) {
  // A zero on the diagonal needs pivoting.
  MatrixXd a = random_matrix(n, n, 2);
  a(0, 0) = 0;
  const VectorXd wanted = random_matrix(n, 1, 3);
  LuFactors lu(n);
  VectorXd x(n);
  lu.compute(a);
  lu.solve(a * wanted, x);
  EXPECT_LT((x - wanted).norm(), tolerance);
  lu.compute(MatrixXd::Zero(n, n));
  lu.solve(wanted, x);
  EXPECT_FALSE(x.allFinite()) << "of a singular matrix";
}

TEST(Factors, OfPositiveDefiniteMatricesReadTheLowerHalf) {
  const MatrixXd a = definite(), wanted = random_matrix(n, 3, 4);
  CholeskyFactors factors(n);
  MatrixXd x = wanted;
  factors.solve_in_place(x);
  EXPECT_EQ(x, wanted) << "those of the identity at first";
  ASSERT_TRUE(factors.compute(lower_half(a)));
  x = a * wanted;
  factors.solve_in_place(x);
  EXPECT_LT((x - wanted).norm(), tolerance);
  EXPECT_FALSE(factors.compute(a - 100 * MatrixXd::Identity(n, n)));
}

TEST(Factors, DefiniteMatricesAreToldFromOthers) {
  MatrixXd a = definite();
  EXPECT_TRUE(is_positive_definite(a));
  a = definite() - 1000 * MatrixXd::Identity(n, n);
  EXPECT_FALSE(is_positive_definite(a));
  a = MatrixXd::Zero(n, n);
  EXPECT_FALSE(is_positive_definite(a));
  a = definite();
  a(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_positive_definite(a));
}

TEST(Factors, SemidefiniteSystemsAreSolved) {
  // Of rank n − 2, and a right side in its range.
  const MatrixXd b = random_matrix(n, n - 2, 5), a = b * b.transpose();
  const VectorXd right = a * random_matrix(n, 1, 6);
  EXPECT_LT((a * solve_semidefinite(a, right) - right).norm(), tolerance);
  EXPECT_LT((a * solve_semidefinite(-a, right) + right).norm(), tolerance);
}

TEST(Factors, LeastSquaresAreOfLeastNorm) {
  // Rank 2: the residue is orthogonal to the columns, the solution is in the range of Aᵀ.
  const MatrixXd left = random_matrix(n, 2, 7), right = random_matrix(2, 5, 8), a = left * right;
  const VectorXd b = random_matrix(n, 1, 9), x = least_squares(a, b);
  EXPECT_LT((a.transpose() * (a * x - b)).norm(), tolerance);
  const VectorXd outside =
      x - right.transpose() * (right * right.transpose()).inverse() * right * x;
  EXPECT_LT(outside.norm(), tolerance);
}

TEST(Factors, EigenvaluesAscend) {
  // The second difference: 2 − 2 cos(k π/(n + 1)).
  const VectorXd diagonal = VectorXd::Constant(n, 2), beside = VectorXd::Constant(n - 1, -1);
  MatrixXd a = MatrixXd::Zero(n, n);
  a.diagonal() = diagonal;
  a.diagonal(-1) = beside;
  const VectorXd dense = symmetric_eigenvalues(lower_half(a));
  const VectorXd sparse = tridiagonal_eigenvalues(diagonal, beside);
  ASSERT_EQ(dense.size(), n);
  ASSERT_EQ(sparse.size(), n);
  for (Index k = 0; k < n; ++k) {
    const double wanted = 2 - 2 * std::cos(static_cast<double>(k + 1) * std::numbers::pi /
                                           static_cast<double>(n + 1));
    EXPECT_NEAR(dense[k], wanted, tolerance);
    EXPECT_NEAR(sparse[k], wanted, tolerance);
  }
}

TEST(Factors, EigenvaluesOfARotationWithGrowthAreComplex) {
  Eigen::Matrix2d a;
  a << 0.5, -2, 2, 0.5;
  const ComplexEigenSystem found = general_eigensystem(a);
  ASSERT_EQ(found.values.size(), 2);
  EXPECT_NEAR(found.values[0].real(), 0.5, 1e-14);
  EXPECT_NEAR(std::abs(found.values[0].imag()), 2, 1e-14);
  EXPECT_NEAR(std::abs(found.values[0] - std::conj(found.values[1])), 0, 1e-14);
  const Eigen::MatrixXcd image = a.cast<std::complex<double>>() * found.vectors;
  EXPECT_LE((image - found.vectors * found.values.asDiagonal()).norm(), 1e-14);
}

TEST(Factors, EigenvaluesThatAreNotFoundAreNotFinite) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const ComplexEigenSystem found = general_eigensystem(Eigen::MatrixXd::Constant(3, 3, none));
  ASSERT_EQ(found.values.size(), 3);
  EXPECT_FALSE(std::isfinite(found.values[0].real()));
}

TEST(Factors, AnEmptyMatrixHasNoEigenvalues) {
  const EigenSystem found = generalised_eigensystem(Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 0));
  EXPECT_EQ(found.values.size(), 0);
}

}  // namespace
}  // namespace twosphere::decompositions_test
