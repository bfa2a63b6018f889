// SPDX-License-Identifier: GPL-3.0-or-later
// Point vortices: signs, closed forms, encounters.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/decompositions.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/fluid.h"
#include "tests/cases.h"
#include "tests/direction.h"
#include "tests/outcome.h"

namespace twosphere::test::vortices_test {
namespace {

constexpr double four_pi = 4 * std::numbers::pi;

std::unique_ptr<const System> vortices_of(const std::vector<double>& circulations,
                                          double rotation = 0) {
  return system_of("vortices", static_cast<int>(circulations.size()),
                   {{"circulations", circulations}, {"rotation", {rotation}}});
}

/// q̇ of all vortices.
Columns velocities(const System& system, const Columns& q) {
  Columns w(3, q.cols()), v(3, q.cols());
  first_order_velocity(system, 0, q, w);
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = Vec3(w.col(i)).cross(q.col(i));
  return v;
}

State at(const Columns& q) { return {0, q, Columns::Zero(3, q.cols())}; }

/// n vortices at the corners of a polygon.
Columns polygon(int n, double colatitude) {
  Columns q(3, n);
  for (int i = 0; i < n; ++i) q.col(i) = direction(colatitude, 2 * std::numbers::pi * i / n);
  return q;
}

TEST(Vortices, APositiveOneTurnsTheOthersCounterClockwiseSeenFromOutside) {
  const auto system = vortices_of({1, 1e-9});
  Columns q(3, 2);
  q << Vec3::UnitZ(), direction(0.3, 0);
  // About e3, from above: from e1 towards e2.
  const Columns v = velocities(*system, q);
  EXPECT_GT(v(1, 1), 0);
  EXPECT_NEAR(v(1, 1), std::sin(0.3) / (four_pi * (1 - std::cos(0.3))), 1e-12);
  EXPECT_NEAR(v.col(0).norm(), 0, 1e-8);
}

TEST(Vortices, TheRotationOfTheFluidTurnsAllAboutE3) {
  const Columns q = polygon(5, 0.7);
  const Columns still = velocities(*vortices_of({1, -2, 0.5, 3, -1}), q),
                turned = velocities(*vortices_of({1, -2, 0.5, 3, -1}, 0.4), q);
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    EXPECT_LT((turned.col(i) - still.col(i) - 0.4 * Vec3::UnitZ().cross(q.col(i))).norm(), 1e-14);
}

TEST(Vortices, TwoTurnAboutTheirMomentum) {
  const auto system = vortices_of({1, 0.5});
  Columns q(3, 2);
  q << direction(0.4, 0), direction(0.9, 1);
  const Vec3 j = q.col(0) + 0.5 * q.col(1);
  const double rate = j.norm() / (four_pi * (1 - q.col(0).dot(q.col(1))));
  State state = at(q);
  const auto method = prepared("spherical_midpoint8", *system, state);
  ASSERT_TRUE(march(*system, *method, 0.01, 500, state));
  const Columns expected = Eigen::AngleAxisd(5 * rate, j.normalized()).toRotationMatrix() * q;
  EXPECT_LT((state.q - expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Vortices, APolygonTurnsAsOne) {
  constexpr int n = 5;
  constexpr double colatitude = 0.4, circulation = 2;
  const auto system = vortices_of(std::vector<double>(n, circulation));
  const Columns q = polygon(n, colatitude), v = velocities(*system, q);
  const double sine = std::sin(colatitude),
               rate = (n - 1) * circulation * std::cos(colatitude) / (four_pi * sine * sine);
  for (Eigen::Index i = 0; i < n; ++i)
    EXPECT_LT((v.col(i) - rate * Vec3::UnitZ().cross(q.col(i))).norm(), 1e-13);
}

/// How fast the largest growth of small deviations is: the spectral radius of the linearised
/// equation at a relative equilibrium, in the frame that turns with it.
double growth(int n, double colatitude) {
  const auto system = vortices_of(std::vector<double>(static_cast<std::size_t>(n), 1.0));
  const Columns q = polygon(n, colatitude);
  const double sine = std::sin(colatitude),
               rate = (n - 1) * std::cos(colatitude) / (four_pi * sine * sine);
  const Vec3 turn = rate * Vec3::UnitZ();
  // δq̇ = (K δq) × q + g × δq − Ω e3 × δq in tangent coordinates.
  Columns g(3, n), h(3, n), moved(3, n);
  system->gradient(q, g);
  std::vector<Eigen::Matrix<double, 3, 2>> basis;
  for (Eigen::Index i = 0; i < n; ++i) basis.push_back(tangent_basis(q.col(i)));
  Eigen::MatrixXd linear(2 * n, 2 * n);
  for (int k = 0; k < 2 * n; ++k) {
    moved.setZero();
    moved.col(k / 2) = basis[static_cast<std::size_t>(k / 2)].col(k % 2);
    system->hessian_times(q, moved, h);
    for (int i = 0; i < n; ++i) {
      const Vec3 change =
          Vec3(h.col(i)).cross(q.col(i)) + (Vec3(g.col(i)) - turn).cross(moved.col(i));
      linear.block<2, 1>(2 * i, k) = basis[static_cast<std::size_t>(i)].transpose() * change;
    }
  }
  return general_eigensystem(linear).values.real().maxCoeff();
}

TEST(Vortices, APolygonGrowsApartAsLinearTheorySays) {
  EXPECT_NEAR(growth(7, 0.8), 0.94128599, 1e-7);
  EXPECT_NEAR(growth(6, 0.3), 0, 1e-6);
  // The bounds of stability: cos²θ = 1/3, 1/2, 4/5.
  for (const auto& [n, bound] : {std::pair{4, 1.0 / 3}, {5, 0.5}, {6, 0.8}}) {
    EXPECT_LT(growth(n, std::acos(std::sqrt(bound + 0.01))), 1e-5) << n;
    EXPECT_GT(growth(n, std::acos(std::sqrt(bound - 0.01))), 1e-3) << n;
  }
}

TEST(Vortices, AHeptagonInARunGrowsApart) {
  const auto system = vortices_of(std::vector<double>(7, 1.0));
  Columns q = polygon(7, 0.8);
  q.col(0) = direction(0.8 + 1e-6, 0);
  State state = at(q);
  const auto method = prepared("spherical_midpoint", *system, state);
  const auto deviation = [&] { return (state.q.row(2).array() - std::cos(0.8)).matrix().norm(); };
  ASSERT_TRUE(march(*system, *method, 0.01, 1000, state));
  const double before = deviation();
  ASSERT_TRUE(march(*system, *method, 0.01, 200, state));
  EXPECT_NEAR(std::log(deviation() / before) / 2, 0.9413, 0.0094);
}

// 10⁵ steps with TWOSPHERE_LONG set.
TEST(Vortices, ASmallHexagonInARunStaysTogether) {
  const auto system = vortices_of(std::vector<double>(6, 1.0));
  Columns q = polygon(6, 0.3);
  q.col(0) = direction(0.3 + 1e-6, 0);
  State state = at(q);
  const auto method = prepared("spherical_midpoint", *system, state);
  const int parts = std::getenv("TWOSPHERE_LONG") != nullptr ? 1000 : 20;
  for (int k = 0; k < parts; ++k) {
    ASSERT_TRUE(march(*system, *method, 0.01, 100, state));
    EXPECT_LT((state.q.row(2).array() - std::cos(0.3)).matrix().norm(), 1e-6) << k;
  }
}

TEST(Vortices, TheClosestPairTurnsAtItsRate) {
  const auto system = vortices_of({1, -0.5, 2, 1});
  Columns q(3, 4);
  q << direction(0.2, 0), direction(1.2, 1), direction(1.21, 1), direction(2.5, -2);
  const auto pair = system->closest_encounter(q);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1);
  EXPECT_EQ(pair->second, 2);
  EXPECT_NEAR(pair->angle, 0.01, 1e-14);
  const Vec3 sum = -0.5 * q.col(1) + 2 * q.col(2);
  EXPECT_NEAR(pair->rate, sum.norm() / (four_pi * (1 - std::cos(0.01))), 1e-8 * pair->rate);
}

TEST(Vortices, TheRateOfEncountersChangesAsItSays) {
  const auto system = vortices_of({1, -0.5, 2, 1});
  Columns q(3, 4);
  q << direction(0.2, 0), direction(1.2, 1), direction(1.5, 1.4), direction(2.5, -2);
  State state = at(q);
  const auto method = prepared("spherical_midpoint4", *system, state);
  const auto rate = [&] { return system->encounter_rate(state.q, state.w)->square; };
  constexpr double h = 1e-3;
  ASSERT_TRUE(march(*system, *method, h, 1, state));
  const double change = system->encounter_rate(state.q, state.w)->change;
  ASSERT_TRUE(march(*system, *method, h, 1, state));
  const double ahead = rate();
  ASSERT_TRUE(march(*system, *method, -h, 2, state));
  EXPECT_NEAR((ahead - rate()) / (2 * h), change, 1e-5 * std::abs(change));
}

TEST(Vortices, CloseOnesHaveAccurateVelocities) {
  // Two 1e-5 rad apart, with opposite velocities.
  const auto system = vortices_of({1, 1});
  Columns q(3, 2);
  q << direction(1, 0.5), direction(1 + 1e-5, 0.5);
  const Columns v = velocities(*system, q);
  const double exact = 1 / (four_pi * std::tan(0.5e-5));
  EXPECT_NEAR(v.col(0).norm(), exact, 1e-10 * exact);
  EXPECT_LT((v.col(0) + v.col(1)).norm(), 2e-5 * exact);
}

TEST(Vortices, ThoseWithoutCirculationAndThoseThatMeetAreRefused) {
  const SystemInfo& info = *find_system("vortices");
  const auto none = info.create(3, {{"circulations", {1, 0, 2}}, {"rotation", {0}}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().location, "circulations[1]");
  EXPECT_EQ(none.error().kind, ErrorKind::usage);
  Columns q(3, 3);
  q << direction(0.2, 0), direction(1.2, 1), direction(1.2, 1);
  const auto met = info.check_start(q, {});
  ASSERT_FALSE(met);
  EXPECT_EQ(met.error().location, "q[2]");
  EXPECT_TRUE(says(met.error().message, "coincides with body 1"));
  q.col(2) = -q.col(1);
  EXPECT_TRUE(info.check_start(q, {})) << "antipodes are no singularity";
}

TEST(Vortices, TheirColourIsTheirCirculation) {
  const auto system = vortices_of({1, -8});
  const Columns q = polygon(2, 0.5);
  std::vector<double> colors;
  system->own_color_values(0, q, q, colors);
  EXPECT_EQ(colors, (std::vector<double>{1, -8}));
  EXPECT_EQ(system->own_color()->unit, "m²/s");
  Geometry geometry;
  system->geometry(q, geometry);
  EXPECT_TRUE(geometry.sphere);
  EXPECT_DOUBLE_EQ(geometry.bodies[0].size, 0.5);
  EXPECT_DOUBLE_EQ(geometry.bodies[1].size, 1);
}

// A vortex without strength would move with ∇ψ × x.
TEST(Vortices, CarryTheFluidAlongTheStreamFunction) {
  const double rotation = 0.3;
  const std::vector<double> circulations{1, -2, 0.5};
  const auto system = vortices_of(circulations, rotation);
  ASSERT_TRUE(system->fluid());
  Columns q(3, 3);
  q << direction(0.4, 0.2), direction(1.5, 2), direction(2.2, -1);
  const auto psi = [&](const Vec3& x) {
    Eigen::VectorXd value(1);
    system->fluid()->stream_function(q, x.normalized(), 1e-3, value);
    return value[0];
  };
  for (const Vec3& x : {direction(1, 1), direction(2.8, 3), direction(0.7, 0.3)}) {
    Vec3 gradient = Vec3::Zero(), expected = rotation * Vec3::UnitZ().cross(x);
    constexpr double step = 1e-5;
    for (int k = 0; k < 3; ++k) {
      const Vec3 along = step * Vec3::Unit(k);
      gradient[k] = (psi(x + along) - psi(x - along)) / (2 * step);
    }
    for (int j = 0; j < 3; ++j)
      expected += circulations[static_cast<std::size_t>(j)] / four_pi * Vec3(q.col(j)).cross(x) /
                  (1 - x.dot(q.col(j)));
    EXPECT_LT((gradient.cross(x) - expected).norm(), 1e-8);
  }
  // Its mean over the sphere is 0: by the midpoint rule in equal zones.
  double mean = 0;
  constexpr int zones = 200;
  for (int i = 0; i < zones; ++i)
    for (int k = 0; k < zones; ++k)
      mean +=
          psi(direction(std::acos(1 - (2 * i + 1.0) / zones), 2 * std::numbers::pi * k / zones)) /
          (zones * zones);
  EXPECT_NEAR(mean, 0, 1e-4);
  EXPECT_FALSE(vortices_of(std::vector<double>(1001, 1.0))->fluid()) << "too many";
}

}  // namespace
}  // namespace twosphere::test::vortices_test
