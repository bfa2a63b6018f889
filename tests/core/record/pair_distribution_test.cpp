// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/pair_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "tests/cases.h"

namespace twosphere::test::pair_distribution_test {
namespace {

using std::numbers::pi;

/// Directions that are uniform and independent.
Columns ideal_gas(int n, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Columns q(3, n);
  for (int i = 0; i < n; ++i) q.col(i) = drawn(normal, generator).normalized();
  return q;
}

/// ∫ g ½ sin θ dθ.
double integral(const PairDistribution& g) {
  double sum = 0;
  for (int b = 0; b < g.bins(); ++b) sum += g.value(b) * g.uniform_share(b);
  return sum;
}

TEST(PairDistribution, OfAnIdealGasIsOne) {
  std::mt19937 generator(81);
  PairDistribution g(400, 45);
  for (int row = 0; row < 50; ++row) g.add(ideal_gas(400, generator));
  EXPECT_EQ(g.rows(), 50);
  EXPECT_EQ(g.max_angle(), pi);
  for (int b = 0; b < g.bins(); ++b) {
    // Pairs of independent directions are independent: √N of the counts, here five times.
    const double expected = 50 * 400 * 399 / 2.0 * g.uniform_share(b);
    EXPECT_NEAR(g.value(b), 1, 5 / std::sqrt(expected)) << b;
  }
  EXPECT_NEAR(integral(g), 1, 1e-14);
}

TEST(PairDistribution, IntegratesToOneHoweverTheBodiesLie) {
  for (const int bins : {1, 7, 180, 10'000}) {
    PairDistribution g(30, bins);
    for (unsigned seed = 0; seed < 3; ++seed) g.add(generic_start(30, 0.5, 0, seed).q);
    EXPECT_NEAR(integral(g), 1, 1e-13) << bins;
    double share = 0;
    for (int b = 0; b < bins; ++b) share += g.uniform_share(b);
    EXPECT_NEAR(share, 1, 1e-13) << bins;
  }
}

TEST(PairDistribution, OfTwoBodiesIsOneBin) {
  for (const double apart : {0.0, 1e-9, 0.7005, 2.5, pi}) {
    PairDistribution g(2, 1000);
    Columns q(3, 2);
    q << 1, std::cos(apart), 0, std::sin(apart), 0, 0;
    for (int row = 0; row < 4; ++row) g.add(1.5 * q);  // of any length
    const int bin = std::min(static_cast<int>(apart / g.width()), 999);
    for (int b = 0; b < g.bins(); ++b) {
      EXPECT_EQ(g.pairs(b), b == bin ? 4 : 0) << b << " at " << apart;
      if (b != bin) {
        EXPECT_EQ(g.value(b), 0);
      }
    }
    EXPECT_DOUBLE_EQ(g.value(bin), 1 / g.uniform_share(bin));
    EXPECT_NEAR(g.angle(bin), apart, g.width() / 2 * (1 + 1e-9));
  }
}

TEST(PairDistribution, OfALatticeHasItsShells) {
  // The corners of an octahedron: 12 pairs at a right angle, 3 at half a turn.
  Columns q(3, 6);
  q << Mat3::Identity(), -Mat3::Identity();
  PairDistribution g(6, 181);
  g.add(q);
  EXPECT_EQ(g.pairs(90), 12);
  EXPECT_EQ(g.pairs(180), 3);
  EXPECT_NEAR(g.value(90), 12 / 15.0 / g.uniform_share(90), 1e-12);
}

TEST(PairDistribution, OfManyBodiesEndsWhereItsPairsAreMany) {
  // The same pairs as all of them, as far as they go.
  std::mt19937 generator(82);
  constexpr int n = 6000;
  const Columns q = ideal_gas(n, generator);
  PairDistribution g(n, 50);
  const double share = PairDistribution::max_pairs / (0.5 * n * (n - 1));
  EXPECT_NEAR(1 - std::cos(g.max_angle()), 2 * share, 1e-12);
  g.add(q);
  std::vector<std::int64_t> expected(50);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double angle = std::acos(q.col(i).dot(q.col(j)));
      if (angle < g.max_angle()) ++expected[static_cast<std::size_t>(angle / g.width())];
    }
  std::int64_t all = 0;
  for (int b = 0; b < g.bins(); ++b) {
    EXPECT_NEAR(static_cast<double>(g.pairs(b)),
                static_cast<double>(expected[static_cast<std::size_t>(b)]), 2)
        << "but for rounding at the borders";
    all += g.pairs(b);
  }
  EXPECT_NEAR(static_cast<double>(all), PairDistribution::max_pairs,
              0.02 * PairDistribution::max_pairs);
}

}  // namespace
}  // namespace twosphere::test::pair_distribution_test
