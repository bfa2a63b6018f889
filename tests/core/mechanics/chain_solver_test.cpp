// SPDX-License-Identifier: GPL-3.0-or-later
// The solver of chains and rods against the dense one and against the equation itself.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <variant>

#include "core/base/decompositions.h"
#include "core/mechanics/chain_inverse.h"
#include "core/mechanics/tangent_solver.h"
#include "tests/cases.h"

namespace twosphere::test::chain_solver_test {
namespace {

/// Any numbers for a chain of n links with inertias of their own, masses and lengths unequal.
struct Given {
  Inertia inertia;
  Columns c, e, r;
  Eigen::VectorXd normal, extra;
};

enum class Own { none, negative, positive };

Given given(int n, Own own, double bent, unsigned seed, double base = 0) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return drawn(uniform, generator); };
  Eigen::VectorXd mass(n), length(n), inertia(n);
  Given g{ChainInertia(Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(n)),
          Columns(3, n),
          Columns(3, n),
          Columns(3, n),
          Eigen::VectorXd(n),
          Eigen::VectorXd(n)};
  for (int i = 0; i < n; ++i) {
    mass[i] = 1 + 0.5 * uniform(generator);
    length[i] = 0.5 + 0.2 * uniform(generator);
    inertia[i] = (own == Own::positive ? 2.0 : -0.06) * length[i] * length[i];
    const double scale = 1 + 0.1 * uniform(generator);
    g.c.col(i) = (Vec3::UnitZ() + bent * vector()) * scale;
    g.e.col(i) = g.c.col(i) + 0.1 * vector();
    g.r.col(i) = vector() + Vec3(0, 0, -9.81 * (n - i));
    g.normal[i] = uniform(generator);
    g.extra[i] = 0.02 * uniform(generator);
  }
  if (own == Own::none)
    g.inertia = ChainInertia(mass, length, base);
  else
    g.inertia = RodInertia(mass, length, inertia, base);
  return g;
}

TEST(SerialSolver, AgreesWithTheDenseSolution) {
  for (const int n : {1, 2, 3, 4, 5, 8, 9, 30})
    for (const Own own : {Own::none, Own::negative, Own::positive})
      for (const double bent : {0.0, 0.3, 2.0}) {
        Given g = given(n, own, bent, 61 + static_cast<unsigned>(n));
        if (bent == 0) g.e = g.c;
        const Inertia matrix = DenseInertia(dense(g.inertia, g.c));
        TangentSolver serial(g.inertia), full(matrix);
        for (const bool symmetric : {true, false}) {
          const Columns& e = symmetric ? g.c : g.e;
          for (const bool rest_only : {true, false}) {
            const TangentSolver::Problem p{.left = g.c,
                                           .right = e,
                                           .rest = g.r,
                                           .normal = rest_only ? nullptr : &g.normal,
                                           .extra = rest_only ? nullptr : &g.extra};
            Columns a(3, n), expected(3, n);
            serial.solve(g.inertia, g.c, p, a);
            full.solve(matrix, g.c, p, expected);
            const double scale = expected.cwiseAbs().maxCoeff();
            EXPECT_LE((a - expected).cwiseAbs().maxCoeff(), 1e-12 * n * scale)
                << n << " links, bent by " << bent << ", symmetric " << symmetric;
            for (int i = 0; i < n; ++i)
              EXPECT_LE(std::abs(e.col(i).dot(a.col(i))), 4e-16 * e.col(i).norm() * scale);
          }
        }
      }
}

TEST(SerialSolver, OfAFreeBaseAgreesWithTheDenseSolution) {
  for (const int n : {1, 2, 3, 4, 5, 8, 9, 30})
    for (const Own own : {Own::none, Own::negative, Own::positive})
      for (const double base : {0.6, 1.7}) {  // M + diag(extra) is positive definite
        const Given g = given(n, own, 0.3, 71 + static_cast<unsigned>(n), base);
        // M − s sᵀ/m_t, from that of the fixed base.
        const Given fixed = given(n, own, 0.3, 71 + static_cast<unsigned>(n));
        const auto suspended = [](const auto& serial) {
          return Eigen::VectorXd(serial.length.cwiseProduct(serial.suspended_mass));
        };
        const auto* chain = std::get_if<ChainInertia>(&g.inertia);
        const Eigen::VectorXd s =
            chain ? suspended(*chain) : suspended(std::get<RodInertia>(g.inertia));
        const double all =
            base + s[0] / (chain ? chain->length[0] : std::get<RodInertia>(g.inertia).length[0]);
        const Eigen::MatrixXd m = dense(fixed.inertia, g.c) - s * s.transpose() / all;
        const Inertia matrix = DenseInertia(m);
        EXPECT_LE((dense(g.inertia, g.c) - m).norm(), 1e-14 * m.norm());
        Eigen::VectorXd entries;
        diagonal(g.inertia, g.c, entries);
        EXPECT_LE((entries - m.diagonal()).norm(), 1e-14 * m.norm());
        Columns product(3, n), expected(3, n), a(3, n);
        multiply(g.inertia, g.c, g.r, product);
        multiply(matrix, g.c, g.r, expected);
        EXPECT_LE((product - expected).norm(), 1e-13 * expected.norm());
        EXPECT_NEAR(kinetic_energy(g.inertia, g.c, g.r), kinetic_energy(matrix, g.c, g.r),
                    1e-13 * kinetic_energy(matrix, g.c, g.r));
        if (chain) {
          // M⁻¹ M = 1, tridiagonal with 1/m_0 before the first mass.
          apply_inverse(
              *chain, [&](Eigen::Index i) -> Vec3 { return product.col(i); },
              [&](Eigen::Index i, const Vec3& x) { a.col(i) = x; });
          EXPECT_LE((a - g.r).norm(), 1e-12 * n * g.r.norm());
          Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(n, n);
          inverse.diagonal() = chain->inverse_diagonal;
          if (n > 1) inverse.diagonal<1>() = inverse.diagonal<-1>() = chain->inverse_off_diagonal;
          EXPECT_LE((inverse * m - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-12 * n);
        }
        TangentSolver serial(g.inertia), full(matrix);
        for (const bool symmetric : {true, false}) {
          const TangentSolver::Problem p{.left = g.c,
                                         .right = symmetric ? g.c : g.e,
                                         .rest = g.r,
                                         .normal = &g.normal,
                                         .extra = &g.extra};
          serial.solve(g.inertia, g.c, p, a);
          full.solve(matrix, g.c, p, expected);
          EXPECT_LE((a - expected).cwiseAbs().maxCoeff(),
                    1e-12 * n * expected.cwiseAbs().maxCoeff())
              << n << " links, base " << base << ", symmetric " << symmetric;
        }
      }
}

TEST(SerialSolver, SolvesTheEquationForAThousandLinks) {
  using Exact = Eigen::Matrix<long double, 3, 1>;
  for (const Own own : {Own::none, Own::negative})
    for (const double bent : {1e-4, 0.3}) {
      const int n = 1001;
      const Given g = given(n, own, bent, 62);
      TangentSolver solver(g.inertia);
      Columns a(3, n);
      solver.solve(g.inertia, g.c, {.left = g.c, .right = g.c, .rest = g.r, .normal = &g.normal},
                   a);
      const auto* rod = std::get_if<RodInertia>(&g.inertia);
      const Eigen::VectorXd& mass = rod ? rod->mass : std::get<ChainInertia>(g.inertia).mass;
      const Eigen::VectorXd& length = rod ? rod->length : std::get<ChainInertia>(g.inertia).length;
      // Σ_j M_ij (ν_j e_j + a_j) + r_i, along the sphere, against the size of its terms.
      std::vector<Exact> moved(n), velocity(n);
      Exact sum = Exact::Zero();
      for (int i = 0; i < n; ++i) {
        moved[static_cast<std::size_t>(i)] =
            (g.normal[i] * g.c.col(i) + a.col(i)).cast<long double>();
        sum += length[i] * moved[static_cast<std::size_t>(i)];
        velocity[static_cast<std::size_t>(i)] = sum;
      }
      sum.setZero();
      long double worst = 0, scale = 0;
      for (int i = n; i-- > 0;) {
        sum += mass[i] * velocity[static_cast<std::size_t>(i)];
        Exact left = length[i] * sum + g.r.col(i).cast<long double>();
        if (rod) left += rod->rotary_inertia[i] * moved[static_cast<std::size_t>(i)];
        const Exact c = g.c.col(i).cast<long double>();
        scale = std::max(scale, length[i] * sum.norm() + g.r.col(i).norm());
        worst = std::max(worst, (left - c * (c.dot(left) / c.squaredNorm())).norm());
      }
      EXPECT_LE(worst, 1e-12L * scale) << "bent by " << bent;
    }
}

TEST(SerialSolver, KnowsWhetherTheTangentFormIsDefinite) {
  for (const auto& [n, base] : {std::pair{1, 0.0}, {2, 0.0}, {5, 0.0}, {150, 0.0}, {5, 0.4}}) {
    const Given g = given(n, Own::negative, 0.5, 63, base);
    TangentSolver solver(g.inertia);
    const Eigen::MatrixXd m = dense(g.inertia, g.c);
    int definite = 0;
    for (int k = 0; k < 40; ++k) {
      const double d = -0.01 * k;
      Eigen::MatrixXd form(2 * n, 2 * n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          form.block<2, 2>(2 * i, 2 * j) = (m(i, j) + (i == j ? d : 0)) *
                                           tangent_basis(g.c.col(i)).transpose() *
                                           tangent_basis(g.c.col(j));
      const double least = symmetric_eigenvalues(form)[0];
      EXPECT_EQ(solver.definite(g.inertia, g.c, Eigen::VectorXd::Constant(n, d)), least > 0) << d;
      definite += least > 0;
    }
    EXPECT_TRUE(0 < definite && definite < 40) << definite;
  }
}

}  // namespace
}  // namespace twosphere::test::chain_solver_test
