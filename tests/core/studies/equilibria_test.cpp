// SPDX-License-Identifier: GPL-3.0-or-later
// Where systems rest: configurations that are known in closed form, their index and their kind, and
// that a search gives the same list however it is carried out.
#include "core/studies/equilibria.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/tangent_hessian.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/equilibria_table.h"
#include "tests/cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/windy.h"

namespace twosphere::test::equilibria_test {
namespace {

using Shared = std::shared_ptr<const System>;

bool always(std::size_t /*done*/, std::size_t /*all*/) { return true; }

Shared resting(Shared system) {
  const Columns q = random_directions(system->size(), 1);
  return value_of(system_at_rest(std::move(system), 0, q));
}

Shared resting_chain(int n, Values values = {}) {
  const std::vector<double> ones(static_cast<std::size_t>(n), 1);
  values.try_emplace("masses", ones);
  values.try_emplace("lengths", ones);
  return resting(system_of("chain_pendulum", n, std::move(values)));
}

Equilibria search(const System& rest, const EquilibriumSearch& how = {}, int threads = 2) {
  return find_equilibria(rest, random_directions(rest.size(), 7), how, threads, always);
}

Columns one(double x, double y, double z) {
  Columns q(3, 1);
  q.col(0) = Vec3(x, y, z).normalized();
  return q;
}

TEST(TangentHessian, IsTheSecondDerivativeOfThePotentialAlongGreatCircles) {
  int taken = 0;
  for (const SystemCase& c : system_cases()) {
    SCOPED_TRACE(c.name);
    if (c.n > 20) continue;
    ++taken;
    const auto [system, s] = started(c, 11);
    const Columns d = random_tangents(s.q, 5);
    Columns image(3, c.n);
    const TangentHessian hessian(*system, s.q);
    hessian.times(d, image);
    EXPECT_LE(image.cwiseProduct(s.q).colwise().sum().cwiseAbs().maxCoeff(),
              1e-12 * (1 + image.norm()))
        << "an image is not tangent";
    // d/dt of the slope along q cos t + d sin t, by differences of five points.
    const auto slope = [&, q = s.q](double t) {
      const Columns at = std::cos(t) * q + std::sin(t) * d;
      const Columns along = std::cos(t) * d - std::sin(t) * q;
      Columns g(3, q.cols());
      system->gradient(at, g);
      return g.cwiseProduct(along).sum();
    };
    const double h = 1e-4;
    const double found = (8 * (slope(h) - slope(-h)) - (slope(2 * h) - slope(-2 * h))) / (12 * h);
    EXPECT_NEAR(image.cwiseProduct(d).sum(), found, 1e-6 * (1 + image.norm()));
    const Eigen::VectorXd x = to_tangent_coordinates(s.q, d);
    EXPECT_NEAR(x.dot(tangent_matrix(hessian, s.q) * x), image.cwiseProduct(d).sum(),
                1e-11 * (1 + image.norm()));
    EXPECT_LE((from_tangent_coordinates(s.q, x) - d).norm(), 1e-14 * std::sqrt(c.n));
  }
  EXPECT_GE(taken, 28);
}

TEST(Equilibria, OfTheDoublePendulumAreFour) {
  const Equilibria found = search(*resting_chain(2, {{"gravity", {9.81}}}));
  ASSERT_EQ(found.list.size(), 4U);
  EXPECT_EQ(found.starts, 1U + 4 + 200);
  const std::vector<double> energies{-3, -1, 1, 3};
  const std::vector<int> indices{0, 2, 2, 4};
  const std::vector<EquilibriumKind> kinds{EquilibriumKind::minimum, EquilibriumKind::saddle,
                                           EquilibriumKind::saddle, EquilibriumKind::maximum};
  for (std::size_t k = 0; k < 4; ++k) {
    const Equilibrium& e = found.list[k];
    EXPECT_NEAR(e.potential_energy, 9.81 * energies[k], 1e-13) << k;
    EXPECT_EQ(e.index, indices[k]) << k;
    EXPECT_EQ(e.nullity, 0) << k;
    EXPECT_EQ(e.rotations, 0) << "straight: no rotation about e3 moves them";
    EXPECT_EQ(e.kind(), kinds[k]) << k;
    EXPECT_EQ(e.q.row(2).cwiseAbs().minCoeff(), 1) << k;
  }
}

TEST(Equilibria, OfAChainAreAllCombinationsOfUpAndDown) {
  const Equilibria found = search(*resting_chain(3));
  ASSERT_EQ(found.list.size(), 8U);
  for (const Equilibrium& e : found.list) {
    const auto up = (e.q.row(2).array() < 0).count();
    EXPECT_EQ(e.index, 2 * up);
    EXPECT_EQ(e.nullity, 0);
  }
}

TEST(Equilibria, AConstantForceTiltsAPendulum) {
  const Shared rest = resting_chain(
      1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}, {"tip_force", {0, 3, 0, 0}}});
  const Equilibria found = search(*rest);
  ASSERT_EQ(found.list.size(), 2U);
  const Vec3 along = Vec3(3, 0, 18).normalized();
  EXPECT_LE((found.list[0].q.col(0) - along).norm(), 1e-12);
  EXPECT_LE((found.list[1].q.col(0) + along).norm(), 1e-12);
  EXPECT_NEAR(found.list[0].potential_energy, -std::hypot(9.0, 1.5), 1e-12);
  EXPECT_EQ(rest->conserved_momentum(), (std::array<bool, 3>{}));
}

TEST(Equilibria, DampingChangesNeitherThemNorTheirRotations) {
  const Shared plain = resting_chain(2), thick = resting_chain(2, {{"damping", {0.3}}});
  EXPECT_EQ(plain->conserved_momentum(), thick->conserved_momentum());
  EXPECT_EQ(equilibria_table(search(*plain)), equilibria_table(search(*thick)));
}

/// Two bodies on one sphere with this potential.
Shared pair(const std::string& potential) {
  const auto scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "custom", "inertia": "diag(1)", "potential": ")json" +
          potential + R"json("},
    "initial": {"q": [[1, 0, 0], [0, 0, 1]], "omega": [[0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
      "test"));
  return resting(start(scenario).system());
}

TEST(Equilibria, ThatDifferByARotationCountOnce) {
  const Equilibria found = search(*pair("(q[0].q[1] - 0.5)^2"));
  ASSERT_EQ(found.list.size(), 3U);
  // At 60 degrees every rotation moves the pair; along a line two of three do.
  EXPECT_NEAR(found.list[0].q.col(0).dot(found.list[0].q.col(1)), 0.5, 1e-12);
  EXPECT_EQ(found.list[0].rotations, 3);
  EXPECT_EQ(found.list[0].nullity, 3);
  EXPECT_EQ(found.list[0].kind(), EquilibriumKind::minimum);
  for (const std::size_t k : {1U, 2U}) {
    EXPECT_EQ(found.list[k].rotations, 2) << k;
    EXPECT_EQ(found.list[k].nullity, 2) << k;
    EXPECT_EQ(found.list[k].index, 2) << k;
    EXPECT_EQ(found.list[k].kind(), EquilibriumKind::maximum) << k;
  }
}

TEST(Equilibria, ThatAreNotIsolatedAreListedOnceForEachEnergy) {
  // On the equator each body is free to turn by itself about e3: not a rotation of both. The others
  // have a body at a pole, or both.
  const Equilibria found = search(*pair("e3.q[0]^2 + 2*e3.q[1]^2"));
  ASSERT_EQ(found.list.size(), 1U + 2 + 2 + 4);
  EXPECT_EQ(found.list[0].kind(), EquilibriumKind::degenerate);
  EXPECT_EQ(found.list[0].nullity, 2);
  EXPECT_EQ(found.list[0].rotations, 1);
  EXPECT_EQ(found.list[1].kind(), EquilibriumKind::saddle);
  EXPECT_EQ(found.list[8].kind(), EquilibriumKind::maximum);
}

// The energy of a ball is the same everywhere: its Hessian is rounding, however it is directed.
TEST(Equilibria, WhereTheEnergyIsFlatEveryEigenvalueVanishes) {
  const Values ball{{"moments", {3, 3, 3}}, {"angular_momentum", {0.7}}, {"rotor", {0, 0, 0}}};
  const Shared rest = resting(system_of("rigid_body", 1, ball));
  for (const auto& q : {one(0.1, 1, 1), one(0.3, -0.2, 0.5), one(0, 0, 1), one(2, 1, 3)}) {
    const Equilibrium at = equilibrium_at(*rest, q);
    EXPECT_EQ(at.index, 0);
    EXPECT_EQ(at.nullity, 2);
  }
  EXPECT_EQ(search(*rest).list.size(), 1U) << "rotations leave the energy as it is";
}

TEST(Equilibria, TurnsAreCountedAfterTheRotationThatBringsThemClosest) {
  const Columns a = random_directions(5, 3);
  const Mat3 r = Eigen::AngleAxisd(2.2, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  EXPECT_NEAR(turn_between(a, r * a, {true, true, true}), 0, 1e-12);
  EXPECT_GT(turn_between(a, r * a, {false, false, true}), 0.1);
  const Mat3 about = Eigen::AngleAxisd(-2.9, Vec3::UnitY()).toRotationMatrix();
  EXPECT_NEAR(turn_between(a, about * a, {false, true, false}), 0, 1e-12);
  EXPECT_NEAR(turn_between(one(1, 0, 0), one(0, 0, -1), {}), std::acos(0.0), 1e-15);
}

TEST(Equilibria, AreTheSameForAnyNumberOfThreadsAndOthersForAnotherSeed) {
  const Scenario magnets = preset("dipole_array");
  const Shared rest = resting(start(magnets).system());
  const auto table = [&](int threads, std::uint64_t seed) {
    return equilibria_table(
        find_equilibria(*rest, magnets.q, {.tries = 20, .seed = seed}, threads, always));
  };
  const std::string alone = table(1, 1);
  EXPECT_EQ(table(4, 1), alone);
  EXPECT_NE(table(1, 2), alone);
}

TEST(Equilibria, ASearchEndsWhenItIsAskedTo) {
  const Shared rest = resting_chain(10);
  const Equilibria found = find_equilibria(*rest, random_directions(10, 1), {.tries = 100'000}, 2,
                                           [](std::size_t, std::size_t) { return false; });
  EXPECT_FALSE(found.complete);
}

TEST(Equilibria, NewtonsMethodConvergesQuadraticallyAndSaysWhereItDoesNot) {
  const Shared rest = resting_chain(2);
  Columns q(3, 2);
  q << 0.3, 0, 0, 0.2, std::sqrt(1 - 0.09), std::sqrt(1 - 0.04);
  const NewtonEnd end = newton_equilibrium(*rest, q);
  EXPECT_TRUE(end.converged);
  EXPECT_LE(end.balance.torque, 1e-13 * end.balance.scale);
  EXPECT_LE((end.q - Columns(Eigen::MatrixXd::Zero(3, 2).colwise() + Vec3::UnitZ())).norm(), 1e-13);
  EXPECT_FALSE(balance(*rest, q).within(1e-9));
}

TEST(Equilibria, OneIsChosenByWhereItIsOrByItsNumber) {
  const Shared rest = resting_chain(2);
  const auto chosen = [&](const Columns& q, const std::string& at) {
    return chosen_equilibrium(*rest, q, value_of(parse_equilibrium_choice(at)), 2, always);
  };
  const Columns away = random_directions(2, 4);
  Columns up(3, 2);
  up << 0, 0, 0, 0, -1, -1;
  EXPECT_EQ((*value_of(chosen(up, "start"))).index, 4);
  EXPECT_TRUE(value_of(chosen(away, "nearest")).has_value());
  EXPECT_EQ((*value_of(chosen(away, "1"))).index, 2);
  EXPECT_EQ(error_of(chosen(away, "start")).kind, ErrorKind::check);
  EXPECT_TRUE(says(error_of(chosen(away, "4")).text(), "at: must be from 0 to 3"));
  for (const char* wrong : {"", "here", "-1", "1.5", "1 "})
    EXPECT_TRUE(says(error_of(parse_equilibrium_choice(wrong)).text(), "at: must be start"))
        << wrong;
}

TEST(Equilibria, InAxesThatRotateAPendulumRestsOnACone) {
  // V_eff = −g cos θ − ½ Ω² sin² θ: where cos θ = g/Ω², all around.
  const Shared pendulum = system_of(
      "chain_pendulum", 1,
      {{"masses", {1}}, {"lengths", {1}}, {"gravity", {9}}, {"frame_rotation", {0, 0, 5}}});
  const auto rest = value_of(system_at_rest(pendulum, 0, random_directions(1, 1)));
  const Equilibria found = find_equilibria(*rest, random_directions(1, 1), {}, 2,
                                           [](std::size_t, std::size_t) { return true; });
  ASSERT_EQ(found.list.size(), 3U);
  const Equilibrium &cone = found.list[0], &down = found.list[1], &up = found.list[2];
  EXPECT_NEAR(cone.q(2, 0), 9.0 / 25, 1e-12);
  EXPECT_NEAR(cone.potential_energy, -9 * 9.0 / 25 - 12.5 * (1 - 81.0 / 625), 1e-12);
  EXPECT_EQ(cone.kind(), EquilibriumKind::minimum);
  EXPECT_EQ(cone.rotations, 1);
  EXPECT_EQ(cone.nullity, 1);
  for (const Equilibrium* one : {&down, &up}) EXPECT_EQ(one->kind(), EquilibriumKind::maximum);
  EXPECT_NEAR(down.potential_energy, -9, 1e-12);
  EXPECT_NEAR(up.potential_energy, 9, 1e-12);
}

TEST(Equilibria, StartsInThemAreNotGenerated) {
  const Scenario scenario = preset("vortex_clusters");
  ASSERT_NE(scenario.generator.directions.kind, json::Kind::null);
  Equilibrium rest;
  rest.q = scenario.q;
  EXPECT_EQ(scenario_at_rest(scenario, rest).generator.directions.kind, json::Kind::null);
}

TEST(Equilibria, ForcesWithoutAPotentialAreRefused) {
  const auto refusal = [](Shared system) {
    const Columns q = random_directions(system->size(), 1);
    return error_of(system_at_rest(std::move(system), 0, q)).text();
  };
  const auto chain = [](Values values) -> Shared {
    values.merge(Values{{"masses", {1, 1}}, {"lengths", {1, 1}}});
    return system_of("chain_pendulum", 2, std::move(values));
  };
  // A torque at the base, a force that is a sine of time, and one of velocities.
  EXPECT_TRUE(says(refusal(chain({{"control_torque", {0, 1, 0, 0}}})), "depend on q"));
  EXPECT_TRUE(says(refusal(chain({{"tip_force", {1, 1, 0, 0, 0.5, 0}}})), "depend on the time t"));
  EXPECT_TRUE(
      says(refusal(std::make_shared<Windy>(chain({}), Wind{.drag = 1})), "depend on velocities"));
  EXPECT_TRUE(says(refusal(start(preset("lennard_jones")).system()), "has 642 bodies"));
}

}  // namespace
}  // namespace twosphere::test::equilibria_test
