// SPDX-License-Identifier: GPL-3.0-or-later
// Small motions in axes that rotate: frequencies that are known in closed form, and runs that begin
// in a mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <string>

#include "core/studies/equilibria_table.h"
#include "core/studies/modes.h"
#include "tests/cases.h"
#include "tests/found_modes.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::modes_in_axes_test {
namespace {

using namespace found_modes;

/// A pendulum of 1 kg and 1 m, g = 9, in axes that turn about the vertical.
std::shared_ptr<const System> turning_pendulum(double rate, double damping = 0) {
  return system_of("chain_pendulum", 1,
                   {{"masses", {1}},
                    {"lengths", {1}},
                    {"gravity", {9}},
                    {"damping", {damping}},
                    {"frame_rotation", {0, 0, rate}}});
}

TEST(ModesInAxes, AxesThatRotateSplitThoseOfAPendulum) {
  // Seen from the axes the circles of ν = 3 turn with 3 ∓ Ω; the first in the sense of Ω, unless
  // the axes overtake it, with an energy below rest.
  for (const double rate : {0.5, -0.5, 5.0}) {
    SCOPED_TRACE(rate);
    const Found here = found(turning_pendulum(rate), down(1), "start");
    EXPECT_EQ(here.at.index, std::abs(rate) > 3 ? 2 : 0);
    ASSERT_EQ(here.modes.list.size(), 2U);
    const double omega = std::abs(rate);
    const Mode &slow = here.modes.list[0], &fast = here.modes.list[1];
    EXPECT_NEAR(two_pi * slow.frequency, std::abs(3 - omega), 1e-12);
    EXPECT_NEAR(two_pi * fast.frequency, 3 + omega, 1e-12);
    EXPECT_EQ(slow.energy_sign, omega > 3 ? -1 : 1);
    EXPECT_EQ(fast.energy_sign, 1);
    const auto sense = [](const Mode& mode) {
      return Vec3(mode.shape.col(0)).cross(Vec3(-mode.imaginary.col(0))).z();
    };
    EXPECT_NEAR(sense(slow), (omega > 3 ? -1 : 1) * std::copysign(1, rate), 1e-10);
    EXPECT_NEAR(sense(fast), -std::copysign(1, rate), 1e-10);
  }
}

TEST(ModesInAxes, OfFoucaultsPendulumDifferByTwiceTheVerticalRotation) {
  const Scenario scenario = preset("foucault");
  const Found here = of_preset("foucault");
  EXPECT_EQ(here.at.kind(), EquilibriumKind::minimum);
  ASSERT_EQ(here.modes.list.size(), 2U);
  const double difference = here.modes.list[1].frequency - here.modes.list[0].frequency;
  const Vec3 turn = start(scenario).system()->frame_rotation();
  EXPECT_NEAR(std::numbers::pi * difference, std::abs(turn.dot(Vec3(here.at.q.col(0)))), 1e-6);
}

TEST(ModesInAxes, ATetherLibratesAsItShould) {
  // √3 n₀ in the plane of the orbit and 2 n₀ across, whatever its masses.
  const Found tether = of_preset("tether_satellite");
  EXPECT_EQ(tether.at.kind(), EquilibriumKind::minimum);
  EXPECT_NEAR(std::abs(tether.at.q(0, 0)), 1, 1e-12);
  ASSERT_EQ(tether.modes.list.size(), 24U);
  const Mode &in_plane = tether.modes.list[0], &across = tether.modes.list[1];
  EXPECT_NEAR(two_pi * in_plane.frequency / 0.0011, std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(two_pi * across.frequency / 0.0011, 2, 1e-9);
  EXPECT_NEAR(in_plane.shape.row(1).cwiseAbs().minCoeff(), 1, 1e-7);
  EXPECT_NEAR(across.shape.row(2).cwiseAbs().minCoeff(), 1, 1e-7);
}

TEST(ModesInAxes, ASleepingTopIsSeenFromAxesThatRotate) {
  // Its motions turn against e3 for S > 0: faster by Ω, and with S < 0 slower.
  const double root = std::sqrt(13.0);
  for (const double spin : {7.0, -7.0}) {
    SCOPED_TRACE(spin);
    const double by = std::copysign(0.5, spin);
    const Modes modes = found(system_of("pendulum_network", 1,
                                        {{"masses", {1}},
                                         {"lengths", {1}},
                                         {"gravity", {9}},
                                         {"pivots", {0, 0, 0}},
                                         {"strength", {spin}},
                                         {"frame_rotation", {0, 0, 0.5}}}),
                              -down(1), "start")
                            .modes;
    ASSERT_EQ(modes.list.size(), 2U);
    EXPECT_NEAR(two_pi * modes.list[0].frequency, (7 - root) / 2 + by, 1e-12);
    EXPECT_NEAR(two_pi * modes.list[1].frequency, (7 + root) / 2 + by, 1e-12);
  }
}

TEST(ModesInAxes, DampingInAxesThatRotateActsInThem) {
  // z̈ + (c + 2iΩ) ż + (9 − Ω²) z = 0 of z = x + iy.
  const std::complex<double> half(0.1, 0.5), root = std::sqrt(half * half - (9 - 0.25));
  const Modes modes = found(turning_pendulum(0.5, 0.2), down(1), "start").modes;
  ASSERT_EQ(modes.list.size(), 2U);
  EXPECT_FALSE(modes.has_energy_signs());
  for (const std::complex<double> s : {-half + root, -half - root}) {
    const auto nearest =
        std::min_element(modes.list.begin(), modes.list.end(), [&](const Mode& a, const Mode& b) {
          return std::abs(two_pi * a.frequency - std::abs(s.imag())) <
                 std::abs(two_pi * b.frequency - std::abs(s.imag()));
        });
    EXPECT_NEAR(two_pi * nearest->frequency, std::abs(s.imag()), 1e-12);
    EXPECT_NEAR(nearest->growth, s.real(), 1e-12);
  }
}

TEST(ModesInAxes, ARunInAxesThatRotateBeginsInAMode) {
  const std::shared_ptr<const System> system =
      system_of("chain_pendulum", 2,
                {{"masses", {1, 2}}, {"lengths", {1, 0.5}}, {"frame_rotation", {0.7, -0.4, 1.1}}});
  const Found here = found(system, down(2));
  ASSERT_EQ(here.modes.list.size(), 4U);
  for (const Mode& mode : here.modes.list) {
    State state = start_in_mode(here.at.q, mode, 1e-5);
    const auto method = prepared("variational8", *system, state);
    ASSERT_TRUE(march(*system, *method, 0.01, 100, state));
    const double turned = two_pi * mode.frequency;
    const Columns moved = (state.q - here.at.q) / 1e-5,
                  as_mode = std::cos(turned) * mode.shape - std::sin(turned) * mode.imaginary;
    EXPECT_LE((moved - as_mode).norm(), 1e-4);
  }
}

TEST(ModesInAxes, InAxesThatRotateHaveTheFrequencyOfRungeKuttaMethodsOnly) {
  const Scenario scenario = value_of(read_scenario(
      R"json({"twosphere": 1, "system": {"type": "chain_pendulum", "masses": [28], "lengths": [67], "gravity": 9.81,
    "frame_rotation": [0, 0, -0.008]}, "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "lanes": [{"type": "variational", "step": 0.05}, {"type": "rk4", "step": 0.05}], "duration": 1})json",
      "test"));
  const Found here = of_preset("foucault");
  const std::string table = ModeTable{scenario, here.at, here.modes, 2}.csv();
  EXPECT_FALSE(says(table, "variational/frequency"));
  EXPECT_TRUE(says(table, "rk4/frequency"));
}

}  // namespace
}  // namespace twosphere::test::modes_in_axes_test
