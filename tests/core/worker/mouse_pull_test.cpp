// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are held by a spring while a run continues.
#include "core/worker/mouse_pull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/mechanics/integrator.h"
#include "core/run/simulation.h"
#include "tests/runs.h"

namespace twosphere::test::mouse_pull_test {
namespace {

TEST(PullSpring, FeelsTheMassOfTheFreeBody) {
  int taken = 0;
  for (const Preset& p : presets()) {
    Simulation run = start(preset(p.key));
    const System& system = *run.system();
    const int n = system.size();
    if (n > 100) continue;
    ++taken;
    const State& now = run.state(0);
    const Columns& q = now.q;
    const bool has_mass = !first_order(system);
    const Eigen::MatrixXd inverse = dense(system.inertia(), q).inverse();
    for (const int body : {0, n / 2, n - 1}) {
      Eigen::VectorXd a(n);
      for (int j = 0; j < n; ++j) a[j] = system.lever(body, j);
      // Where a base flies, all masses move, too.
      const double flight = system.free_base() ? 1 / system.free_base()->mass : 0;
      const double mass = has_mass ? 1 / (a.dot(inverse * a) + flight) : 0;
      EXPECT_NEAR(PullSpring(system, q, body).mass(), mass, 1e-9 * mass) << p.key << " " << body;
      // Where it is drawn, and how fast that moves.
      const PullSpring spring(system, q, body);
      Geometry geometry;
      system.geometry(now, geometry);
      EXPECT_LT(
          (spring.point(now) - geometry.bodies[static_cast<std::size_t>(body)].position).norm(),
          1e-12);
      State moved = now;
      const double dt = 1e-6;
      moved.x += dt * now.v;
      for (int j = 0; j < n; ++j) {
        const Vec3 u = q.col(j);
        moved.q.col(j) = u + dt * Vec3(now.w.col(j)).cross(u);
      }
      const Vec3 v = (spring.point(moved) - spring.point(now)) / dt;
      EXPECT_LT((v - spring.velocity(now)).norm(), 1e-6 * (1 + v.norm())) << p.key;
    }
  }
  EXPECT_GE(taken, 11);
}

TEST(PullSpring, ItsForceIsThatOfADampedSpring) {
  Simulation run = start(preset("chain_pendulum"));
  const State& s = run.state(0);
  const int body = run.system()->size() - 1;
  const PullSpring spring(*run.system(), s.q, body);
  const Vec3 target = spring.point(s) + Vec3(1e-3, 2e-3, 0);
  const double w = 7, h = 0.005;
  const Vec3 damping = 2 * w * spring.velocity(s), elastic = w * w * Vec3(1e-3, 2e-3, 0);
  const auto close = [&](const Vec3& force, const Vec3& per_mass) {
    return (force - spring.mass() * per_mass).norm() < 1e-12 * (1 + force.norm());
  };
  EXPECT_TRUE(close(spring.force(s, target, {w, h}), elastic - damping));
  EXPECT_TRUE(close(spring.force(s, target, {w, h, true}), elastic + damping));
  // However far away that is.
  const double reach = PullSpring::max_turn * run.system()->lever(body, body) / (h * w);
  const Vec3 far = spring.force(s, spring.point(s) + Vec3(1e6, 0, 0), {w, h});
  EXPECT_TRUE(close(far, Vec3(w * w * reach, 0, 0) - damping));
}

// Light links that carry what is pulled would swing across it faster than steps can follow.
TEST(PullSpring, TensionNeverMakesALinkTooStiff) {
  int strongest = 0;
  for (const Preset& p : presets()) {
    Simulation run = start(preset(p.key));
    const System& system = *run.system();
    const int n = system.size();
    if (n > 100 || first_order(system)) continue;
    const State& now = run.state(0);
    const Eigen::MatrixXd inverse = dense(system.inertia(), now.q).inverse();
    const double h = run.grid_step(), frequency = PullSpring::max_phase / h;
    for (const int body : {0, n / 2, n - 1}) {
      double lightest = 0;
      for (int j = 0; j < n; ++j)
        lightest = std::max(lightest, std::abs(system.lever(body, j)) * inverse(j, j));
      const PullSpring spring(system, now.q, body);
      for (const double away : {1e-3, 1e3}) {
        State fast = now;
        fast.w *= away;
        const Vec3 target = spring.point(now) + away * system.extent().radius * Vec3(1, 0, 0);
        const double force = spring.force(fast, target, {frequency, h}).norm();
        const double most = PullSpring::max_turn / (h * h * lightest);
        EXPECT_LT(force, (1 + 1e-9) * most) << p.key << " " << body;
        strongest += force > (1 - 1e-9) * most;
      }
    }
  }
  EXPECT_GE(strongest, 1);
}

/// A pendulum of length 1 m at rest, with g [m/s²] and a step of `h` [s].
Scenario hanging(double g, double h) {
  return with(value_of(read_scenario(R"({"twosphere": 1,
                "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
                "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
                "integrator": {"type": "variational", "step": 0.01}, "duration": 20})",
                                     "hanging")),
              {{"integrator.step", h}, {"duration", 1e4 * h}, {"system.gravity", g}});
}

TEST(PullSpring, KnowsHowFastThePendulumSwings) {
  for (const double g : {9.81, 1e12}) {
    Simulation run = start(hanging(g, 1e-3 / std::sqrt(g)));
    for (const double angle : {0.0, 0.7, 1.5707963267948966, 2.5, 3.1}) {
      Columns q(3, 1);
      q << std::sin(angle), 0, std::cos(angle);
      const double rate = PullSpring(*run.system(), q, 0).rate();
      EXPECT_GT(rate, 0.99 * std::sqrt(g)) << angle;
      EXPECT_LT(rate, 1.06 * std::sqrt(g)) << angle;
    }
  }
}

/// The work, in units of m g l, of a hand that moves by 0.5 m in one second of its own.
double work_by_hand(const Scenario& scenario, double g, double pace) {
  Simulation run = start(scenario);
  MousePull grab{.body = 0, .target = Vec3(0, 0, 1)};
  MousePulls hand(grab, run);
  while (run.elapsed() < pace) {
    const double s = run.elapsed() / pace;
    grab.target.x() = 0.5 * s * s * (3 - 2 * s);
    hand.move(grab);
    EXPECT_TRUE(hand.pull(run, pace));
    const auto failure = run.step();
    if (failure) {
      ADD_FAILURE() << failure->message;
      return 0;
    }
  }
  return run.sample(0)[Quantity::work] / g;
}

TEST(PullSpring, DoesTheSameWorkAtAnyPace) {
  for (const double faster : {1.0, 1e6}) {  // the motion of seconds, and of microseconds
    const double g = 9.81 * faster * faster;
    std::vector<double> work;
    for (const double pace : {0.05, 1.0, 20.0})
      work.push_back(work_by_hand(hanging(g, 0.002 / faster), g, pace / faster));
    const auto [least, most] = std::minmax_element(work.begin(), work.end());
    EXPECT_GT(*least, 0.02) << faster;
    EXPECT_LT(*most, 3 * *least) << faster;
  }
}

/// The frequency [rad/s] of the spring that pulls a pendulum with a gravity of `g` [m/s²].
double spring_frequency(double g, double pace) {
  Simulation run = start(hanging(g, 1e-4));
  MousePulls hand({.body = 0, .target = Vec3(1e-3, 0, 1)}, run);
  EXPECT_TRUE(hand.pull(run, pace));
  EXPECT_EQ(run.pulls().size(), 1u);
  const PullSpring spring(*run.system(), run.state(0).q, 0);
  return std::sqrt(run.pulls().back().pull.force.norm() / (1e-3 * spring.mass()));
}

TEST(PullSpring, SwingsInNoLessThanAHandCanFollow) {
  // Four times the rate of the pendulum, 0.25 rad/s, unless that is 20 rad/s of real time.
  EXPECT_NEAR(spring_frequency(0.0625, 1), 1, 0.01);
  EXPECT_NEAR(spring_frequency(0.0625, 20), 2 * std::numbers::pi / 0.4 / 20, 0.01);
  // What swings so fast by itself is held by twice its rate.
  EXPECT_NEAR(spring_frequency(9, 20), 6, 0.06);
}

TEST(PullSpring, MovesWhatHardlyMovesByItself) {
  for (const double g : {0.0, 1e-30, 1e-9, 1e-3})
    for (const double pace : {0.05, 1.0, 20.0}) {
      Simulation run = start(hanging(g, 0.002));
      MousePulls hand({.body = 0, .target = Vec3(0.5, 0, 1)}, run);
      while (run.elapsed() < 3 * pace) {
        ASSERT_TRUE(hand.pull(run, pace));
        const auto failure = run.step();
        ASSERT_FALSE(failure) << failure->message;
      }
      EXPECT_GT(run.state(0).q(0, 0), 0.05) << g << " at " << pace;
    }
}

/// As the worker pulls, with the stiffest spring: a force is held for `length` steps.
void pull_about(const Scenario& scenario, std::int64_t length, unsigned seed) {
  Simulation run = start(scenario);
  const int n = run.system()->size();
  const Extent extent = run.system()->extent();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> away(-3, 3);
  const double h = run.grid_step(),
               frequency = PullSpring::max_phase / (static_cast<double>(length) * h);
  for (const int body : {n - 1, n / 2}) {
    const PullSpring spring(*run.system(), run.state(0).q, body);
    Vec3 target;
    for (int k = 0; k < 60; ++k) {
      if (k % 10 == 0)
        target = extent.center + extent.radius * Vec3(away(random), away(random), away(random));
      const Vec3 force = spring.force(run.state(0), target, {frequency, h, false});
      ASSERT_TRUE(run.pull({body, force, length}));
      for (std::int64_t i = 0; i < length; ++i) {
        const auto failure = run.step();
        ASSERT_FALSE(failure) << failure->message << " after " << k << " pulls of body " << body;
      }
    }
  }
}

// Bodies that attract each other, and vortices, can be pulled into each other; explicit methods of
// second order hardly hold the rods by themselves, and a pull on a rod changes its motion faster
// than steps that follow it.
TEST(PullSpring, NoPullBlowsARunUp) {
  int pairs = 0;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      Scenario scenario = preset(p.key);
      if (scenario.size() > 100 || info_of(scenario).encounters) continue;
      const bool rough =
          method.reversible ? method.adaptive : method.explicit_method && method.order <= 2;
      if (rough && scenario.system == "elastic_rod") continue;
      if (!method.supports(*start(scenario).system())) continue;
      scenario = with(scenario, {{"integrator.type", method.key}});
      SCOPED_TRACE(std::string(p.key) + " " + std::string(method.key));
      for (const std::int64_t length : {1, 5}) pull_about(scenario, length, 1);
      ++pairs;
    }
  EXPECT_GE(pairs, 119);
}

}  // namespace
}  // namespace twosphere::test::mouse_pull_test
