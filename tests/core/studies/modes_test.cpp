// SPDX-License-Identifier: GPL-3.0-or-later
// Small motions: frequencies that are known in closed form for every kind of inertia, and that a
// run which begins in a mode is that mode.
#include "core/studies/modes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/coarse_step.h"
#include "core/studies/equilibria_table.h"
#include "tests/cases.h"
#include "tests/charged.h"
#include "tests/found_modes.h"
#include "tests/outcome.h"
#include "tests/recast.h"
#include "tests/runs.h"
#include "tests/spin_ring.h"

namespace twosphere::test::modes_test {
namespace {

using namespace found_modes;

std::vector<double> squares(const Modes& modes) {
  std::vector<double> out;
  for (const Mode& mode : modes.list) out.push_back(mode.square);
  return out;
}

void expect_squares(const Modes& modes, const std::vector<double>& wanted, double allowed) {
  ASSERT_EQ(modes.list.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    EXPECT_NEAR(modes.list[k].square, wanted[k], allowed) << k;
}

TEST(Modes, OfTheDoublePendulum) {
  // In g/l, each twice.
  const double r = std::sqrt(2.0);
  const std::vector<std::vector<double>> wanted{{2 - r, 2 - r, 2 + r, 2 + r},
                                                {-r, -r, r, r},
                                                {-r, -r, r, r},
                                                {-2 - r, -2 - r, -2 + r, -2 + r}};
  for (std::size_t k = 0; k < 4; ++k) {
    SCOPED_TRACE(k);
    expect_squares(of_preset("double_spherical_pendulum", std::to_string(k)).modes, wanted[k],
                   1e-13);
  }
  const Modes modes = of_preset("double_spherical_pendulum", "1").modes;
  EXPECT_NEAR(modes.list[0].growth, std::sqrt(r), 1e-13);
  EXPECT_EQ(modes.list[0].frequency, 0);
  EXPECT_NEAR(modes.list[3].frequency, std::sqrt(r) / two_pi, 1e-14);
  EXPECT_EQ(modes.list[3].growth, 0);
}

TEST(Modes, MoveTheBodiesAsTheyShould) {
  // Down: the second link by √2 as far as the first, on the same side in the slow mode.
  const Found pendulum = of_preset("double_spherical_pendulum", "0");
  for (const std::size_t k : {0U, 1U, 2U, 3U}) {
    const Columns& shape = pendulum.modes.list[k].shape;
    EXPECT_NEAR(shape.col(0).norm(), std::sqrt(0.5), 1e-12) << k;
    EXPECT_NEAR(shape.col(1).norm(), 1, 1e-12) << k;
    EXPECT_NEAR(shape.col(0).dot(shape.col(1)), std::sqrt(0.5) * (k < 2 ? 1 : -1), 1e-12) << k;
    // Of the two of one frequency, one is along e1 and the other along e2.
    EXPECT_NEAR(shape.row(k % 2 == 0 ? 0 : 1).cwiseAbs().sum(), 1 + std::sqrt(0.5), 1e-12) << k;
  }
}

TEST(Modes, OfPendulaJoinedBySprings) {
  const Modes modes = of_preset("pendulum_network", "0").modes;
  const std::vector<double> wanted{1.5763572,  1.5763572,  1.5763572,  1.5763572,
                                   1.93685746, 2.24007402, 2.50687982, 2.74790124};
  ASSERT_EQ(modes.list.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    EXPECT_NEAR(modes.list[k].frequency, wanted[k], k < 4 ? 5e-8 : 5e-9) << k;
}

TEST(Modes, OfElasticRods) {
  const auto rates = [](const char* key) {
    const Modes modes = of_preset(key).modes;
    return std::pair(two_pi * modes.list.front().frequency, two_pi * modes.list.back().frequency);
  };
  const auto [low, high] = rates("elastic_rod");
  EXPECT_NEAR(low, 8.47672804, 5e-9);
  EXPECT_NEAR(high, 379.677650, 5e-7);
  const auto [consistent_low, consistent_high] = rates("elastic_rod_consistent");
  EXPECT_NEAR(consistent_low, 6.95078802, 5e-9);
  EXPECT_NEAR(consistent_high, 2093.91031, 5e-6);
}

TEST(Modes, OfAMatrixAreThoseOfTheChainThatItIs) {
  const std::vector<double> masses{1, 2, 0.5, 0.3}, lengths{0.4, 1, 0.7, 0.2};
  const auto chain = [&]() -> std::unique_ptr<const System> {
    return system_of("chain_pendulum", 4, {{"masses", masses}, {"lengths", lengths}});
  };
  const Found plain = found(chain(), down(4), "start"),
              dense = found(as_matrix(chain()), down(4), "start");
  expect_squares(dense.modes, squares(plain.modes), 1e-10);
}

TEST(Modes, AConstantForceIsPartOfThePotential) {
  const std::shared_ptr<const System> pendulum = system_of(
      "chain_pendulum", 1,
      {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}, {"tip_force", {0, 3, 0, 0}}});
  // ν² = |F|/(m l) with the whole force on the mass.
  const double square = std::hypot(18.0, 3.0) / (2 * 0.5);
  expect_squares(found(pendulum, down(1)).modes, {square, square}, 1e-12);
}

TEST(Modes, DampingGivesThemAQuality) {
  // M = m l² = 0.5, so that s² + (c/M) s + g/l = 0.
  const auto pendulum = [](double c) -> std::shared_ptr<const System> {
    return system_of("chain_pendulum", 1,
                     {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}, {"damping", {c}}});
  };
  const Modes weak = found(pendulum(0.2), down(1), "start").modes;
  ASSERT_EQ(weak.list.size(), 2U);
  EXPECT_TRUE(weak.damped);
  for (const Mode& mode : weak.list) {
    EXPECT_NEAR(mode.growth, -0.2, 1e-12);
    EXPECT_NEAR(mode.frequency, std::sqrt(18 - 0.04) / two_pi, 1e-12);
    EXPECT_NEAR(mode.quality, std::sqrt(18.0) / 0.4, 1e-10);
    EXPECT_NEAR(mode.square, 18 - 0.08, 1e-10);
    EXPECT_NEAR(mode.shape.colwise().norm().maxCoeff(), 1, 1e-12);
  }
  // Overdamped: s = −5 ± √7, each in two directions.
  const Modes strong = found(pendulum(5), down(1), "start").modes;
  ASSERT_EQ(strong.list.size(), 4U);
  for (const Mode& mode : strong.list) {
    EXPECT_EQ(mode.frequency, 0);
    EXPECT_TRUE(std::isnan(mode.quality));
    EXPECT_NEAR(std::abs(mode.growth + 5), std::sqrt(7.0), 1e-6);
  }
  // Without any, the same as the limit.
  EXPECT_NEAR(found(pendulum(1e-6), down(1), "start").modes.list[0].frequency,
              std::sqrt(18.0) / two_pi, 1e-9);
}

TEST(Modes, RotationsAreNotCounted) {
  const auto scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "custom", "parameters": {"m": [1, 2]}, "inertia": "diag(m)",
    "potential": "(q[0].q[1] - 0.5)^2"},
    "initial": {"q": [[1, 0, 0], [0, 0, 1]], "omega": [[0, 0, 0], [0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})json",
      "test"));
  const Found pair = found(start(scenario).system(), scenario.q);
  EXPECT_EQ(pair.at.rotations, 3);
  // The angle θ between them: V = (cos θ − ½)², 1/μ = 1 + 1/2, V″ = 2 sin² θ = 3/2.
  expect_squares(pair.modes, {1.5 * 1.5}, 1e-12);
}

TEST(Modes, ThereIsNoneWhereRotationsAreAllThatMoves) {
  const Found free =
      found(system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {0}}}),
            down(1), "start");
  EXPECT_EQ(free.at.rotations, 2);
  EXPECT_TRUE(free.modes.list.empty());
}

class ModeRun : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Every, ModeRun,
                         testing::Values("double_spherical_pendulum", "pendulum_network",
                                         "elastic_rod_consistent", "inverted_double_pendulum"));

TEST_P(ModeRun, StaysInTheModeWithTheFrequencyOfTheMethod) {
  Scenario scenario = preset(GetParam());
  // Without the damping of PD control.
  if (scenario.parameters.contains("control_torque"))
    scenario = with(scenario, "system.control_torque", value_of(json::parse("[0, 0, 0]", "t")));
  const Found here = found(start(scenario).system(), scenario.q, "0");
  constexpr double amplitude = 1e-5;
  const std::size_t last = here.modes.list.size() - 1;
  const Mode& mode = here.modes.list[last];
  Scenario begun = scenario_in_mode(scenario, here.at, here.modes, last, amplitude);
  // 40 steps in a period, so that the method's own frequency is another one than that of the mode.
  const double h = 1 / (40 * mode.frequency);
  begun = with(begun, {{"integrator.step", h}, {"duration", 110 * h}});
  Simulation run = start(begun, 110);
  const IntegratorInfo& method = *find_integrator(begun.lanes[0].type);
  const double turned = 110 * oscillation_turn(method, h * two_pi * mode.frequency);
  EXPECT_NEAR(turned, 110 * 2 * std::asin(std::numbers::pi / 40), 1e-6);
  const Columns moved = (run.state(0).q - here.at.q) / amplitude;
  EXPECT_LE((moved - std::cos(turned) * mode.shape).norm(), 2e-3);
  EXPECT_GT((moved - std::cos(110 * two_pi / 40) * mode.shape).norm(), 1e-2);
}

TEST(Modes, AStartHasTheAmplitudeThatWasAskedFor) {
  const Found here = of_preset("double_spherical_pendulum", "0");
  const State up = start_in_mode(here.at.q, here.modes.list[0], 0.5);
  EXPECT_NEAR(angle(up.q.col(1), Vec3::UnitZ()), 0.5, 1e-14);
  EXPECT_NEAR(angle(up.q.col(0), Vec3::UnitZ()), 0.5 * std::sqrt(0.5), 1e-12);
  EXPECT_EQ(up.w.norm(), 0);
}

TEST(Modes, AnAnimationSwingsThroughTheEquilibrium) {
  const Found here = of_preset("double_spherical_pendulum", "0");
  const Mode& mode = here.modes.list[0];
  const double half = std::numbers::pi / 2;
  EXPECT_LE(
      (moved_by_mode(here.at.q, mode, 0.5, 0) - along_mode(here.at.q, mode.shape, 0.5)).norm(),
      1e-15);
  EXPECT_LE((moved_by_mode(here.at.q, mode, 0.5, half) - here.at.q).norm(), 1e-14);
  EXPECT_LE(
      (moved_by_mode(here.at.q, mode, half, 2 * half) - along_mode(here.at.q, mode.shape, -half))
          .norm(),
      1e-14);
}

TEST(Modes, ADampedStartMovesAsTheMode) {
  const auto pendulum = std::shared_ptr<const System>(
      system_of("chain_pendulum", 1,
                {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}, {"damping", {0.2}}}));
  const Found here = found(pendulum, down(1), "start");
  const State begun = start_in_mode(here.at.q, here.modes.list[0], 1e-3);
  // q̇ = Re s δq where the displacement is largest.
  const Vec3 v = begun.w.col(0).cross(begun.q.col(0));
  EXPECT_NEAR(v.dot(here.modes.list[0].shape.col(0)), -0.2e-3, 1e-8);
}

TEST(Modes, OfSpinsOnARingAreSpinWaves) {
  // κ ν = |B + 2J (1 − cos k) + 2D sin k| of spins along B, each ν with a wave number of its own.
  constexpr int n = 7;
  constexpr double strength = 0.8, exchange = 1.3, dm = 0.4, field = 0.9;
  const std::shared_ptr<const System> ring = make_spin_ring(n, {{"strength", {strength}},
                                                                {"exchange", {exchange}},
                                                                {"dm", {0, 0, dm}},
                                                                {"field", {0, 0, field}}});
  const Found here = found(ring, down(n), "start");
  EXPECT_TRUE(here.modes.elliptic);
  EXPECT_FALSE(here.modes.damped);
  std::vector<double> wanted;
  for (int k = 0; k < n; ++k) {
    const double wave = two_pi * k / n;
    wanted.push_back(
        std::abs(field + 2 * exchange * (1 - std::cos(wave)) + 2 * dm * std::sin(wave)) / strength);
  }
  std::sort(wanted.begin(), wanted.end());
  ASSERT_EQ(here.modes.list.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const Mode& mode = here.modes.list[k];
    EXPECT_NEAR(two_pi * mode.frequency, wanted[k], 1e-12) << k;
    EXPECT_EQ(mode.growth, 0) << k;
    EXPECT_EQ(mode.energy_sign, 1) << k;
    // Each spin precesses on a circle.
    for (Eigen::Index i = 0; i < n; ++i) {
      EXPECT_NEAR(mode.shape.col(i).norm(), 1, 1e-10);
      EXPECT_NEAR(mode.imaginary.col(i).norm(), 1, 1e-10);
      EXPECT_NEAR(mode.shape.col(i).dot(mode.imaginary.col(i)), 0, 1e-10);
    }
  }
}

TEST(Modes, OfAnAntiferromagnetAreWithoutItsRotations) {
  // κ ν = 2 |J sin k|, and the wave numbers 0 and π are rotations of all spins.
  Columns q = down(4);
  q(2, 1) = q(2, 3) = -1;
  const Found here = found(make_spin_ring(4, {{"exchange", {-1.5}}}), q, "start");
  EXPECT_EQ(here.at.rotations, 2);
  ASSERT_EQ(here.modes.list.size(), 2U);
  for (const Mode& mode : here.modes.list) EXPECT_NEAR(two_pi * mode.frequency, 3, 1e-10);
}

TEST(Modes, ASpinAgainstItsFieldPrecessesWithLessEnergyAndDampingMakesItGrow) {
  const auto spin = [](double c) -> std::shared_ptr<const System> {
    return make_spin_ring(1, {{"strength", {2}}, {"damping", {c}}, {"field", {0, 0, -3}}});
  };
  const Modes free = found(spin(0), down(1), "start").modes;
  ASSERT_EQ(free.list.size(), 1U);
  EXPECT_NEAR(two_pi * free.list[0].frequency, 1.5, 1e-14);
  EXPECT_EQ(free.list[0].energy_sign, -1);
  // s = B/(c ± iκ).
  const Modes thick = found(spin(1), down(1), "start").modes;
  ASSERT_EQ(thick.list.size(), 1U);
  EXPECT_NEAR(thick.list[0].growth, 3.0 / 5, 1e-14);
  EXPECT_NEAR(two_pi * thick.list[0].frequency, 6.0 / 5, 1e-14);
  EXPECT_NEAR(thick.list[0].quality, std::sqrt(5.0) / 2, 1e-12);
}

class VortexPolygon : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Every, VortexPolygon, testing::Values(3, 4, 5, 6, 7));

TEST_P(VortexPolygon, HasTheModesOfTheLinearTheory) {
  // Γ² m(n − m) [m(n − m) − (n − 1)(1 + cos² θ)]/(4π sin² θ)², m = 1 … n − 1, in a fluid that turns
  // against the polygon: Polvani and Dritschel 1993.
  const int n = GetParam();
  const double z = std::cos(0.8), r = std::sin(0.8), unit = 4 * std::numbers::pi * r * r;
  Columns q(3, n);
  for (int i = 0; i < n; ++i)
    q.col(i) = Vec3(r * std::cos(two_pi * i / n), r * std::sin(two_pi * i / n), z);
  const std::vector<double> circulations(static_cast<std::size_t>(n), 1);
  const Found here =
      found(system_of("vortices", n,
                      {{"circulations", circulations}, {"rotation", {-(n - 1) * z / unit}}}),
            q, "start");
  EXPECT_EQ(here.at.rotations, 1);
  // m and n − m are one pair of modes; the m = 0 of a rotation is none.
  std::vector<double> wanted;
  for (int m = 1; m < n; ++m) {
    const double of = m * (n - m);
    wanted.push_back(of * ((n - 1) * (1 + z * z) - of) / (unit * unit));
  }
  std::sort(wanted.begin(), wanted.end());
  expect_squares(here.modes, wanted, 1e-9);
}

TEST(Modes, AStrengthSplitsTheModesOfAPendulum) {
  // M = m l² = 0.5, κ = 0.3: ν = ±κ/2M + (κ²/4M² + g/l)^½.
  const std::shared_ptr<const System> plain =
      system_of("chain_pendulum", 1, {{"masses", {2}}, {"lengths", {0.5}}, {"gravity", {9}}});
  const Found here = found(std::make_shared<Charged>(plain, 0.3), down(1), "start");
  ASSERT_EQ(here.modes.list.size(), 2U);
  const double root = std::sqrt(0.09 + 18);
  EXPECT_NEAR(two_pi * here.modes.list[0].frequency, root - 0.3, 1e-12);
  EXPECT_NEAR(two_pi * here.modes.list[1].frequency, root + 0.3, 1e-12);
}

/// Lagrange tops of 1 kg that spin with S, 1 m above their points.
Found upright_top(double spin, double damping = 0) {
  return found(system_of("pendulum_network", 1,
                         {{"masses", {1}},
                          {"lengths", {1}},
                          {"gravity", {9}},
                          {"pivots", {0, 0, 0}},
                          {"strength", {spin}},
                          {"damping", {damping}}}),
               -down(1), "start");
}

TEST(Modes, ASleepingTopPrecessesAndNutates) {
  // ν = (S ∓ (S² − 4 m g l I₁)^½)/2I₁, with S² = 49 or 25 and 4 m g l I₁ = 36.
  const double root = std::sqrt(13.0);
  for (const double spin : {7.0, -7.0}) {
    SCOPED_TRACE(spin);
    const Found top = upright_top(spin);
    EXPECT_EQ(top.at.kind(), EquilibriumKind::maximum);
    ASSERT_EQ(top.modes.list.size(), 2U);
    const Mode &slow = top.modes.list[0], &fast = top.modes.list[1];
    EXPECT_NEAR(two_pi * slow.frequency, (7 - root) / 2, 1e-12);
    EXPECT_NEAR(two_pi * fast.frequency, (7 + root) / 2, 1e-12);
    for (const Mode* mode : {&slow, &fast}) {
      EXPECT_EQ(mode->growth, 0);
      // On a circle, in the direction of the spin.
      EXPECT_NEAR(mode->imaginary.col(0).norm(), 1, 1e-10);
      const Vec3 turn = Vec3(mode->shape.col(0)).cross(Vec3(-mode->imaginary.col(0)));
      EXPECT_NEAR(turn.z(), spin < 0 ? 1 : -1, 1e-10);
    }
    EXPECT_EQ(slow.energy_sign, -1) << "it is lower than the sleeping top";
    EXPECT_EQ(fast.energy_sign, 1);
  }
  // Damping makes the precession grow.
  const Modes damped = upright_top(7, 0.1).modes;
  ASSERT_EQ(damped.list.size(), 2U);
  EXPECT_GT(damped.list[0].growth, 0);
  EXPECT_LT(damped.list[1].growth, 0);
}

TEST(Modes, ATopThatSpinsTooSlowlyFalls) {
  const Modes modes = upright_top(5).modes;
  ASSERT_EQ(modes.list.size(), 2U);
  double growth = 0;
  for (const Mode& mode : modes.list) {
    EXPECT_NEAR(two_pi * mode.frequency, 2.5, 1e-12);
    EXPECT_NEAR(std::abs(mode.growth), std::sqrt(11.0) / 2, 1e-12);
    EXPECT_EQ(mode.energy_sign, 0);
    growth += mode.growth;
  }
  EXPECT_NEAR(growth, 0, 1e-12) << "one grows, one decays";
}

TEST(Modes, ATopBeginsInItsNutation) {
  const Found top = upright_top(7);
  const Mode& mode = top.modes.list[1];
  State state = start_in_mode(top.at.q, mode, 1e-5);
  const auto system = system_of("pendulum_network", 1,
                                {{"masses", {1}},
                                 {"lengths", {1}},
                                 {"gravity", {9}},
                                 {"pivots", {0, 0, 0}},
                                 {"strength", {7}}});
  const auto method = prepared("rotation8", *system, state);
  ASSERT_TRUE(march(*system, *method, 0.01, 100, state));
  const double turned = two_pi * mode.frequency;
  const Columns moved = (state.q - top.at.q) / 1e-5,
                as_mode = std::cos(turned) * mode.shape - std::sin(turned) * mode.imaginary;
  EXPECT_LE((moved - as_mode).norm(), 1e-4);
}

TEST(Modes, OfATopHaveNoFrequencyOfASplitting) {
  const Scenario scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "pendulum_network", "masses": [1], "lengths": [1], "gravity": 9,
    "pivots": [[0, 0, 0]], "springs": [], "strength": [7]}, "initial": {"q": [[0, 0, -1]], "omega": [[0, 0, 0]]},
    "lanes": [{"type": "rotation", "step": 0.01}, {"type": "rk4", "step": 0.01}], "duration": 1})json",
      "test"));
  const Found top = upright_top(7);
  const std::string table = ModeTable{scenario, top.at, top.modes, 2}.csv();
  EXPECT_FALSE(says(table, "rotation/frequency"));
  EXPECT_TRUE(says(table, "rk4/frequency"));
}

TEST(Modes, ARunOfSpinsBeginsInAMode) {
  const Scenario scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "spins", "strength": 1, "lattice": {"type": "chain", "size": [6]},
    "exchange": 1, "field": [0, 0, 0.2]},
    "initial": {"q": [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]},
    "integrator": {"type": "spherical_midpoint", "step": 0.05}, "duration": 1})json",
      "test"));
  const Found here = found(start(scenario).system(), scenario.q, "start");
  const Mode& mode = here.modes.list.back();
  Scenario begun =
      scenario_in_mode(scenario, here.at, here.modes, here.modes.list.size() - 1, 1e-5);
  EXPECT_GT(begun.omega.norm(), 1e-6);
  const double h = 1 / (40 * mode.frequency);
  begun = with(begun, {{"integrator.step", h}, {"duration", 50 * h}});
  Simulation run = start(begun, 50);
  const double turned =
      50 * oscillation_turn(*find_integrator("spherical_midpoint"), h * two_pi * mode.frequency);
  const Columns moved = (run.state(0).q - here.at.q) / 1e-5,
                as_mode = std::cos(turned) * mode.shape - std::sin(turned) * mode.imaginary;
  EXPECT_LE((moved - as_mode).norm(), 1e-3);
}

TEST(Modes, TooManyBodiesWithDampingAreRefused) {
  const std::vector<double> ones(101, 1);
  const std::shared_ptr<const System> chain =
      system_of("chain_pendulum", 101, {{"masses", ones}, {"lengths", ones}, {"damping", {0.1}}});
  const auto rest = value_of(system_at_rest(chain, 0, down(101)));
  const Equilibrium at = equilibrium_at(*rest, down(101));
  EXPECT_TRUE(says(error_of(modes_at(*chain, *rest, at)).text(), "at most 100"));
}

TEST(Modes, TheirTableHasTheFrequencyOfEachLane) {
  const Scenario scenario = preset();
  const Found here = of_preset("double_spherical_pendulum", "0");
  const ModeTable table{scenario, here.at, here.modes, 2};
  EXPECT_TRUE(says(table.csv(), "growth [1/s],variational/frequency [Hz],delta_q0_x [1]"));
  EXPECT_TRUE(says(table.companion(), "\"kind\": \"minimum\""));
  EXPECT_EQ(table.document().find("modes")->items.size(), 2U);
  EXPECT_TRUE(says(table.text(here.at.q, *here.rest), "index 0, nullity 0"));
}

TEST(Modes, SplittingsHaveNoFrequencyOfAnEllipticMode) {
  const Scenario scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "spins", "lattice": {"type": "chain", "size": [4]}, "field": [0, 0, 0.2]},
    "initial": {"q": [[0, 0, 1], [0, 0, 1], [0, 0, 1], [0, 0, 1]]},
    "lanes": [{"type": "spherical_midpoint", "step": 0.05}, {"type": "pair_rotation", "step": 0.05},
              {"type": "depondt_mertens", "step": 0.05}, {"type": "rk4", "step": 0.05}],
    "duration": 1})json",
      "test"));
  const Found here = found(start(scenario).system(), scenario.q, "start");
  const ModeTable table{scenario, here.at, here.modes, 1};
  EXPECT_TRUE(says(table.csv(),
                   "energy_sign [1],spherical_midpoint/frequency [Hz],rk4/frequency [Hz],delta_q"));
}

}  // namespace
}  // namespace twosphere::test::modes_test
