// SPDX-License-Identifier: GPL-3.0-or-later
// The three ways to the field of magnets, as the system chooses among them; what of them is found
// once, when the system is made.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/kernels/dipoles.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/diagnostics.h"
#include "tests/cases.h"

namespace twosphere::test::dipole_array_test {
namespace {

/// Each way by itself, on every instruction set level of this processor.
struct DipoleKernels : testing::TestWithParam<std::string_view> {
  void SetUp() override { ASSERT_TRUE(force_isa_level(GetParam())); }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, DipoleKernels, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

/// Magnets of both signs at places that doubles hold exactly, and what the plain sum gives for
/// them.
struct Magnets {
  explicit Magnets(const Columns& pivots)
      : points(pivots), moments(pivots.cols()), q(generic_start(size(), everywhere, 0, 63).q) {
    for (int i = 0; i < size(); ++i) moments[i] = (i % 3 == 2 ? -0.1 : 0.1) * (1 + i % 7);
    q *= 1.01;  // off the sphere too
  }
  int size() const { return static_cast<int>(points.cols()); }

  /// The largest difference of g from the plain sum, among at most 50 magnets, relative to the
  /// largest of all.
  double error(const Columns& g) const {
    double worst = 0;
    for (int i = 0; i < size(); i += 1 + size() / 50) {
      Vec3 sum = Vec3::Zero();
      for (int j = 0; j < size(); ++j)
        if (j != i)
          sum +=
              dipole_kernel::pair(points.col(j) - points.col(i), moments[i], moments[j]) * q.col(j);
      worst = std::max(worst, (g.col(i) - sum).cwiseAbs().maxCoeff());
    }
    return worst / std::max(g.cwiseAbs().maxCoeff(), 1e-300);
  }
  double error(const dipole_kernel::Coupling& coupling) const {
    Columns g = Columns::Constant(3, size(), 1e300);
    coupling.multiply(q, g);
    return error(g);
  }

  Columns points;
  Eigen::VectorXd moments;
  Columns q;
};

TEST_P(DipoleKernels, AnywhereByTheMatrixAndByPairs) {
  std::mt19937 generator(64);
  std::uniform_int_distribution<int> place(-4000, 4000);
  for (const int n : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 48, 50, 64, 100}) {
    Columns points(3, n);
    for (double& x : points.reshaped()) x = place(generator) / 1024.0;
    const Magnets magnets(points);
    EXPECT_LT(magnets.error(*dipole_kernel::dense(points, magnets.moments)), 1e-14) << n;
    EXPECT_LT(magnets.error(*dipole_kernel::pairs(points, magnets.moments)), 1e-14) << n;
    Columns g(3, n);
    dipole_kernel::plain_multiply(points, magnets.moments, magnets.q, g);
    EXPECT_LT(magnets.error(g), 4e-15) << n;  // measured: 0, the same sum
  }
}

TEST_P(DipoleKernels, AtDistancesWhoseSquaresOverflowOrVanish) {
  for (const double unit : {1e-90, 1e-30, 1e30, 1e90}) {
    Columns points(3, 9);
    for (int i = 0; i < 9; ++i) points.col(i) = unit * Vec3(i % 3, i / 3, i % 2);
    Magnets magnets(points);
    magnets.moments *= std::sqrt(unit) * unit;  // so that forces are of order 1e-7
    EXPECT_LT(magnets.error(*dipole_kernel::pairs(points, magnets.moments)), 1e-14) << unit;
  }
}

TEST_P(DipoleKernels, OnALatticeByTheFourierTransform) {
  const std::pair<int, int> lattices[] = {
      {1, 1}, {1, 2}, {2, 1},  {2, 2},  {1, 17},  {17, 1},  {2, 3},   {3, 2},   {4, 4},  {7, 9},
      {9, 7}, {8, 8}, {5, 40}, {40, 5}, {16, 17}, {33, 12}, {1, 600}, {65, 66}, {70, 65}};
  for (const auto& [rows, columns] : lattices) {
    Columns points(3, rows * columns);
    for (int i = 0; i < rows * columns; ++i) points.col(i) = Vec3(i % columns, i / columns, 0) / 32;
    const Magnets magnets(points);
    const auto coupling = dipole_kernel::lattice(rows, columns, 1.0 / 32, magnets.moments);
    EXPECT_LT(magnets.error(*coupling), 1e-14) << rows << " x " << columns;
    // Other moments and directions with the workspace of the first.
    Magnets others = magnets;
    others.q.rowwise().reverseInPlace();
    EXPECT_LT(others.error(*coupling), 1e-14) << rows << " x " << columns;
  }
}

/// A number of magnets, on a lattice or anywhere.
struct Array {
  const char* name;
  int n;
  std::vector<double> lattice;  ///< none: anywhere
};
void PrintTo(const Array& a, std::ostream* out) { *out << a.name; }

Columns anywhere(int n) {
  std::mt19937 generator(91);
  std::uniform_real_distribution<double> off(-0.25, 0.25);
  Columns points(3, n);
  for (int i = 0; i < n; ++i)
    points.col(i) = 0.024 * (Vec3(i % 7, i / 7 % 7, i / 49) + drawn(off, generator));
  return points;
}

struct Dipoles : testing::TestWithParam<Array> {
  Dipoles() {
    const int n = GetParam().n;
    std::mt19937 generator(92);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution(low, high)(generator);
    };
    for (int i = 0; i < n; ++i) {
      masses_.push_back(between(0.02, 0.08));
      lengths_.push_back(between(0.01, 0.03));
      moments_.push_back(between(-0.2, 0.2));
    }
    if (GetParam().lattice.empty()) {
      points_ = anywhere(n);
    } else {
      const int columns = static_cast<int>(GetParam().lattice[1]);
      points_.resize(3, n);
      for (int i = 0; i < n; ++i)
        points_.col(i) = GetParam().lattice[2] * Vec3(i % columns, i / columns, 0);
    }
    system_ = make();
    q_ = generic_start(n, everywhere, 0, 93).q;
  }

  std::unique_ptr<const System> make() const {
    Values values{{"masses", masses_}, {"lengths", lengths_}, {"moments", moments_}};
    values["lattice"] = GetParam().lattice;
    if (GetParam().lattice.empty())
      values["positions"].assign(points_.data(), points_.data() + points_.size());
    return system_of("dipole_array", GetParam().n, values);
  }

  std::vector<double> masses_, lengths_, moments_;
  Columns points_, q_;
  std::unique_ptr<const System> system_;
};
// Just below and above the sizes at which another way is faster; and far above.
INSTANTIATE_TEST_SUITE_P(
    Arrays, Dipoles,
    testing::Values(Array{"one", 1, {1, 1, 0.03125}}, Array{"square_of_16", 16, {4, 4, 0.03125}},
                    Array{"square_of_49", 49, {7, 7, 0.03125}},
                    Array{"row_of_49", 49, {1, 49, 0.03125}},
                    Array{"row_of_50", 50, {1, 50, 0.03125}},
                    Array{"column_of_50", 50, {50, 1, 0.03125}},
                    Array{"rectangle_of_56", 56, {7, 8, 0.03125}},
                    Array{"rectangle_of_63", 63, {9, 7, 0.03125}},
                    Array{"square_of_256", 256, {16, 16, 0.03125}}, Array{"anywhere_1", 1, {}},
                    Array{"anywhere_49", 49, {}}, Array{"anywhere_160", 160, {}},
                    Array{"anywhere_161", 161, {}}, Array{"anywhere_300", 300, {}}),
    [](const auto& p) { return p.param.name; });

TEST_P(Dipoles, ForcesAndEnergyAreThoseOfAllPairs) {
  const int n = GetParam().n;
  const Eigen::VectorXd moments = Eigen::Map<const Eigen::VectorXd>(moments_.data(), n);
  Columns plain(3, n), g(3, n);
  dipole_kernel::plain_multiply(points_, moments, q_, plain);
  system_->gradient(q_, g);
  const double largest = std::max(plain.cwiseAbs().maxCoeff(), 1e-300);
  EXPECT_LT((g - plain).cwiseAbs().maxCoeff(), 1e-14 * largest);
  double energy = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      energy += q_.col(i).dot(
          dipole_kernel::pair(points_.col(i) - points_.col(j), moments[i], moments[j]) * q_.col(j));
  EXPECT_NEAR(system_->potential(q_), energy, 1e-14 * largest * std::sqrt(n));
}

TEST_P(Dipoles, ForcesAreTheSameBitsWhateverHappensBesideThem) {
  const int n = GetParam().n;
  Columns g(3, n);
  system_->gradient(q_, g);
  const double energy = system_->potential(q_);
  // A system made later, after others; and four threads at a time.
  const auto lattice = dipole_kernel::lattice(11, 13, 1, Eigen::VectorXd::Ones(143));
  const auto again = make();
  Columns other(3, n);
  again->gradient(q_, other);
  EXPECT_EQ(other, g);
  EXPECT_EQ(again->potential(q_), energy);
  std::vector<std::thread> threads;
  std::array<bool, 4> same{};
  for (bool& equal : same)
    threads.emplace_back([&] {
      Columns mine(3, n);
      equal = true;
      for (int k = 0; k < 10; ++k) {
        system_->gradient(-q_, mine);
        system_->gradient(q_, mine);
        equal = equal && mine == g && system_->potential(q_) == energy;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, (std::array{true, true, true, true}));
}

TEST_P(Dipoles, GuidesJoinTheNearest) {
  Geometry geometry;
  system_->geometry(q_, geometry);
  double closest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < GetParam().n; ++i)
    for (int j = 0; j < i; ++j)
      closest = std::min(closest, (points_.col(i) - points_.col(j)).norm());
  std::size_t next = 0;
  for (int i = 0; i < GetParam().n; ++i)
    for (int j = 0; j < i; ++j) {
      if ((points_.col(i) - points_.col(j)).norm() > 1.001 * closest) continue;
      ASSERT_LT(next, geometry.guides.size());
      EXPECT_EQ(geometry.guides[next].from, points_.col(j));
      EXPECT_EQ(geometry.guides[next].to, points_.col(i));
      ++next;
    }
  EXPECT_EQ(next, geometry.guides.size());
  EXPECT_EQ(next > 0, GetParam().n > 1);
}

TEST_P(Dipoles, EnergyStaysAndStepsGoBack) {
  // Weak magnets anywhere may lie close to strong ones: a step that suits the stiffest.
  State s = generic_start(GetParam().n, 0.5, 2, 94);
  const State start = s;
  auto integrator = prepared("variational4", *system_, s);
  const double before = total_energy(*system_, s), h = 1e-3;
  const double kinetic = before - system_->potential(s.q);
  ASSERT_TRUE(march(*system_, *integrator, h, 20, s));
  EXPECT_NEAR(total_energy(*system_, s), before, 1e-7 * kinetic);  // measured: 6e-9
  EXPECT_GT(distance(s, start), 1e-3);
  ASSERT_TRUE(march(*system_, *integrator, -h, 20, s));
  EXPECT_LT(distance(s, start), 2e-13);  // measured: 2e-14
}

TEST(DipoleArray, NoMemoryGrowsWithTheSquareOfTheirNumber) {
  // A matrix for these would take 127 GB.
  const int n = 200 * 210;
  const auto lattice = system_of("dipole_array", n,
                                 {{"masses", std::vector<double>(n, 0.05)},
                                  {"lengths", std::vector<double>(n, 0.02)},
                                  {"moments", std::vector<double>(n, 0.1)},
                                  {"lattice", {200, 210, 0.024}}});
  Columns q = Columns::Zero(3, n), g(3, n);
  q(0, 0) = 1;
  lattice->gradient(q, g);
  // One magnet's field: −2 ahead of and behind it, +1 beside it, in units of 10⁻⁷ ν²/a³.
  const double k = 1e-9 / (0.024 * 0.024 * 0.024);
  // Measured: 4e-16, 2e-16 and 6e-17.
  EXPECT_NEAR(g(0, 1), -2 * k, 4e-15 * k);
  EXPECT_NEAR(g(0, 210), k, 4e-15 * k);
  EXPECT_NEAR(g(0, 0), 0, 4e-15 * k);
}

TEST(Coincidence, IsTheFirstOfAll) {
  std::mt19937 generator(95);
  for (int k = 0; k < 300; ++k) {
    const int n = k % 30;
    std::uniform_int_distribution<int> place(-2, 2);
    Columns points(3, n);
    for (double& x : points.reshaped()) x = k % 2 ? place(generator) : -0.0 * place(generator);
    if (k % 2 == 0 && n > 0) points.row(1).setLinSpaced(n, 0, 1);
    if (k % 4 == 0 && n > 5) points.col(n / 2) = points.col(n / 3);
    std::optional<std::pair<Eigen::Index, Eigen::Index>> expected;
    for (int i = n; i-- > 0;)
      for (int j = i; j-- > 0;)
        if (points.col(i) == points.col(j)) expected = {i, j};
    EXPECT_EQ(coincidence(points), expected) << k;
  }
}

}  // namespace
}  // namespace twosphere::test::dipole_array_test
