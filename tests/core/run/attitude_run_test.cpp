// SPDX-License-Identifier: GPL-3.0-or-later
// The attitude of tops in space: methods, runs, files and tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/step_map.h"
#include "core/output/body_reading.h"
#include "core/output/csv.h"
#include "core/scenario/as_text.h"
#include "core/scenario/reader.h"
#include "tests/cases.h"
#include "tests/replaced.h"
#include "tests/runs.h"

namespace twosphere::test::attitude_run_test {
namespace {

constexpr const char* in_space = R"(, "attitude": "in_space")";
const Vec3 moments(1, 2, 3);
constexpr double size = 1.5;

/// Two equal tops, or one, in space.
Scenario tops(const std::string& method = "spherical_midpoint", bool two = true,
              const std::string& attitude = in_space, const std::string& step = "0.05") {
  return value_of(read_scenario(
      R"({"twosphere": 1, "system": {"type": "rigid_body", "moments": [1, 2, 3],
          "angular_momentum": 1.5)" +
          attitude + R"(}, "initial": {"q": [[0.48, 0.6, 0.64])" +
          (two ? ", [0.02, 0.9997999799959989, 0]" : "") + R"(]}, "integrator": {"type": ")" +
          method + R"(", "step": )" + step + R"(}, "duration": 20})",
      "tops"));
}

/// How far (a, b, q) of a body are from the rows of a rotation.
double off(const State& state, Eigen::Index i) {
  Mat3 rows;
  rows << state.x.col(2 * i), state.x.col(2 * i + 1), state.q.col(i);
  return std::max((rows.transpose() * rows - Mat3::Identity()).cwiseAbs().maxCoeff(),
                  std::abs(rows.determinant() - 1));
}

State beginning(const System& system, const Vec3& q) {
  State state{0, q.normalized(), Columns::Zero(3, 1)};
  state.x = first_attitude(state.q);
  state.v.setZero(3, 2);
  complete_first_order(system, 0, state);
  return state;
}

// Δφ of docs/numerics.md, 0.886582156197 and two turns.
TEST(Attitude, InOnePeriodATopTurnsByTheClosedForm) {
  const auto system = system_of(
      "rigid_body", 1, {{"moments", {1, 2, 3}}, {"angular_momentum", {size}}, {"attitude", {1}}});
  State state = beginning(*system, {0.2, 0.3, 1});
  const State start = state;
  const double energy = system->potential(start.q), l2 = size * size;
  const auto [i1, i2, i3] = std::array{moments[0], moments[1], moments[2]};
  ASSERT_GT(l2, 2 * energy * i2);
  const double lambda = std::sqrt((i3 - i2) * (l2 - 2 * energy * i1) / (i1 * i2 * i3)),
               k2 = (i2 - i1) * (2 * energy * i3 - l2) / ((i3 - i2) * (l2 - 2 * energy * i1)),
               k = std::sqrt(k2), period = 4 * std::comp_ellint_1(k) / lambda,
               largest = (1 / i1 - 2 * energy / l2) / (1 / i1 - 1 / i3);  // q₃²
  const double turn = size * period / i3 + (2 * energy / size - size / i3) / (1 - largest) * 4 /
                                               lambda *
                                               std::comp_ellint_3(k, -largest * k2 / (1 - largest));
  EXPECT_NEAR(std::remainder(turn, 2 * std::numbers::pi), 0.886582156197, 1e-12);
  constexpr int steps = 1000;
  const auto method = prepared("spherical_midpoint8", *system, state);
  ASSERT_TRUE(march(*system, *method, period / steps, steps, state));
  EXPECT_LT((state.q - start.q).norm(), 1e-11);
  EXPECT_NEAR(system->own_quantity("precession about L", start), 0, 1e-15);
  EXPECT_NEAR(system->own_quantity("precession about L", state),
              std::remainder(turn, 2 * std::numbers::pi), 1e-10);
}

TEST(Attitude, EveryMethodFollowsItToItsOrderAndLeavesQAsItIs) {
  int taken = 0;
  for (const IntegratorInfo& info : integrators()) {
    const auto system = value_of(Simulation::make_system(tops()));
    if (!info.supports(*system)) continue;
    ++taken;
    SCOPED_TRACE(info.key);
    const std::string method(info.key);
    Simulation run = start(tops(method), 200), plain = start(tops(method, true, ""), 200),
               reference = start(tops("gauss16"), 200);
    if (!info.adaptive) {
      EXPECT_EQ(run.state(0).q, plain.state(0).q);
    }
    EXPECT_EQ(plain.state(0).x.cols(), 0);
    const State &end = run.state(0), &exact = reference.state(0);
    // With half the step the error falls by its power, down to rounding.
    Simulation half = start(tops(method, true, in_space, "0.025"), 400);
    const double error = (end.x - exact.x).norm(), less = (half.state(0).x - exact.x).norm();
    if (!info.adaptive && less > 1e-11) {
      EXPECT_GT(std::log2(error / less), info.order - 0.2);
    } else {
      EXPECT_LE(error, info.adaptive ? 1e-2 : 1e-9);
    }
    EXPECT_GT((end.x - run.record().q.replicate(1, 2)).norm(), 0.1);
    for (Eigen::Index i = 0; i < 2; ++i) EXPECT_LE(off(end, i), info.keeps_sphere ? 1e-14 : 1e-3);
    // ẋ = Ω × x, Ω = −I⁻¹ L q.
    const Vec3 rate = -(size * Vec3(end.q.col(1))).cwiseQuotient(moments);
    EXPECT_LE((end.v.col(3) - rate.cross(Vec3(end.x.col(3)))).norm(), 1e-14);
  }
  EXPECT_GE(taken, 10);
}

TEST(Attitude, ASavedStateContinuesItBitForBit) {
  for (const char* method : {"spherical_midpoint6", "implicit_midpoint", "semi_implicit",
                             "depondt_mertens", "rk4", "rk45", "gauss16"}) {
    SCOPED_TRACE(method);
    Simulation whole = start(tops(method), 40), first = start(tops(method), 17);
    Simulation second = loaded(first);
    march(second, 23);
    EXPECT_EQ(whole.state(0).x, second.state(0).x);
    EXPECT_EQ(whole.state(0).v, second.state(0).v);
    EXPECT_EQ(whole.state(0).q, second.state(0).q);
  }
}

// Runge-Kutta methods leave the spheres: a and b shrink as q does, and more.
TEST(Attitude, ASavedStateThatHasDriftedIsContinued) {
  Scenario scenario = tops("rk4");
  scenario.lanes[0].step = 0.5;
  scenario.duration = 200;
  Simulation run = start(scenario, 300);
  EXPECT_LT(run.state(0).x.col(0).norm(), 1 - 5e-3);
  Simulation second = loaded(run);
  march(run, 10);
  march(second, 10);
  EXPECT_EQ(run.state(0).x, second.state(0).x);
}

TEST(Attitude, ReversedItGoesBack) {
  Simulation run = start(tops());
  const Columns x = run.state(0).x;
  march(run, 100);
  EXPECT_GT((run.state(0).x - x).norm(), 0.1);
  run.reverse();
  march(run, 100);
  EXPECT_LE((run.state(0).x - x).norm(), 1e-12);
}

TEST(Attitude, ADirectionThatIsSetTakesItAlong) {
  Simulation run = start(tops(), 10);
  const State before = run.state(0);
  const Vec3 to = Vec3(1, 2, 2) / 3;
  ASSERT_TRUE(succeeds(run.set({{"state.q[1]", json::Node::numbers({to.data(), 3})}})));
  const State& now = run.state(0);
  EXPECT_LT((now.q.col(1) - to).norm(), 1e-15);
  EXPECT_LE(off(now, 1), 1e-15);
  EXPECT_LT((now.x.col(2) - carried(before.q.col(1), to, before.x.col(2))).norm(), 1e-14);
  EXPECT_LT((now.x.leftCols(2) - before.x.leftCols(2)).norm(), 1e-15);
  march(run, 10);
  EXPECT_LE(off(run.state(0), 1), 1e-14);
  // The same again from its record.
  Simulation again = repeated(run, 20);
  EXPECT_EQ(again.state(0).x, run.state(0).x);
}

TEST(Attitude, TheSceneIsThatOfSpace) {
  Simulation run = start(tops("spherical_midpoint", false), 33);
  const State& state = run.state(0);
  Geometry geometry;
  run.system()->geometry(state, geometry);
  ASSERT_EQ(geometry.bodies.size(), 1U);
  ASSERT_EQ(geometry.links.size(), 1U);
  ASSERT_EQ(geometry.frame.size(), 2U);
  EXPECT_TRUE(geometry.ellipsoid.isZero(0));
  const Vec3 third(state.x(2, 0), state.x(2, 1), state.q(2, 0));
  EXPECT_LT((geometry.bodies[0].position - third).norm(), 1e-15);
  EXPECT_NEAR(geometry.frame[0].to.dot(geometry.frame[1].to), 0, 1e-15);
  EXPECT_NEAR(geometry.frame[0].to.norm() / geometry.frame[1].to.norm(), std::sqrt(2), 1e-14);
  // The velocity of the ball is that of its place.
  const BodyReading reading = read_body(*run.system(), state, 0, 0);
  const Vec3 rate(state.v(2, 0), state.v(2, 1), state.w.col(0).cross(state.q.col(0)).z());
  EXPECT_LT((reading.velocity - rate).norm(), 1e-15);
  EXPECT_GT(rate.norm(), 0.1);
}

TEST(Attitude, TablesAndHistoriesHaveIt) {
  Simulation run = start(tops());
  const std::string header = trajectory_header(run.system_info(), *run.system());
  EXPECT_TRUE(says(header, "a0_x [1],a0_y [1],a0_z [1],b0_x [1]"));
  EXPECT_TRUE(says(header, "b1_z [1]"));
  const std::string row = trajectory_row(*run.system(), run.state(0));
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  EXPECT_EQ(json::parse(trajectory_companion(run.record()), "t")->find("columns")->items.size(),
            1U + 24);
}

// It is passive: the phase space of the checks has q alone.
TEST(Attitude, ChecksOfAStepAreThoseOfQ) {
  for (const char* method : {"spherical_midpoint", "rk4"}) {
    const auto defect = [&](const Scenario& scenario) {
      const auto system = value_of(Simulation::make_system(scenario));
      Simulation run = start(scenario);
      const IntegratorInfo& info = method_info(method);
      return value_of(symplecticity_defect({*system, info, default_values(info.parameters), 0.05},
                                           run.state(0), {}));
    };
    const auto with = defect(tops(method)), without = defect(tops(method, true, ""));
    EXPECT_EQ(with.dimension, without.dimension);
    EXPECT_EQ(with.defect, without.defect);
  }
}

TEST(Attitude, WhatIsNotPossibleSaysWhy) {
  const Error text = error_of(as_text(tops()));
  EXPECT_EQ(text.location, "system.attitude");
  EXPECT_TRUE(succeeds(as_text(tops("spherical_midpoint", true, ""))));
  Simulation run = start(tops(), 3);
  const std::string file = bytes(run);
  const auto refused = [&](const std::string& from, const std::string& to) {
    return error_of(read_scenario(replaced(file, from, to), "state")).text();
  };
  EXPECT_TRUE(says(refused("\"attitude\": \"in_space\"", "\"attitude\": \"none\""),
                   "does not follow the attitude"));
  EXPECT_TRUE(
      says(refused("\"attitude\": [", "\"attitude\": [1, "), "must have 12 numbers, not 13"));
  const auto first = [&run](double sign) {
    const Vec3 a = sign * run.state(0).x.col(0);
    return "\"attitude\": [" + json::shortest(a[0]) + ", " + json::shortest(a[1]) + ", " +
           json::shortest(a[2]);
  };
  EXPECT_TRUE(says(refused(first(1), first(-1)),
                   "a and b of body 0 must be right-handed with its q; a × b · q is -"));
  // In a run it waits for Rewind.
  EXPECT_TRUE(succeeds(run.set({{"system.attitude", json::Node("none")}})));
  march(run, 3);
  EXPECT_TRUE(run.system()->follows_attitude());
  EXPECT_TRUE(run.state(0).has_attitude());
}

}  // namespace
}  // namespace twosphere::test::attitude_run_test
