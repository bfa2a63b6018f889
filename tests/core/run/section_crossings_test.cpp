// SPDX-License-Identifier: GPL-3.0-or-later
// Points of Poincaré and stroboscopic sections.
#include "core/run/section_crossings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/interrupt.h"
#include "tests/runs.h"
#include "tests/taken.h"

namespace twosphere::test::section_crossings_test {
namespace {

using Direction = PoincareSection::Direction;
using Points = std::vector<SectionPoint>;

/// A pendulum of 1 m with the method and step, starting off the section q_y = 0.
Scenario pendulum(const std::string& method, double h, double turn = 2) {
  const std::string text = R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
    "initial": {"q": [[0.8, 0, 0.6]], "omega": [[0.6, 1, -0.8]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 10})";
  auto s = value_of(read_scenario(text, "pendulum"));
  s.omega *= turn;
  return with(s, {{"integrator.type", method}, {"integrator.step", h}});
}

Simulation following(const Scenario& scenario, const PoincareSection& section) {
  Simulation run = start(scenario);
  const auto follows = run.follow_section(section);
  EXPECT_TRUE(follows) << (follows ? "" : follows.error().text());
  return run;
}

Points points_of(const Scenario& scenario, const PoincareSection& section, std::int64_t steps) {
  Simulation run = following(scenario, section);
  march(run, steps);
  return run.take_section_points(0);
}

void expect_same(const Points& a, const Points& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].state.t, b[k].state.t);
    EXPECT_EQ(a[k].state.q, b[k].state.q);
    EXPECT_EQ(a[k].state.w, b[k].state.w);
    EXPECT_EQ(a[k].step, b[k].step);
    EXPECT_EQ(a[k].number, b[k].number);
    EXPECT_EQ(a[k].direction, b[k].direction);
  }
}

PoincareSection at(const std::string& expression, Direction direction = Direction::rising) {
  return {.expression = expression, .direction = direction};
}

TEST(SectionCrossings, PointsLieOnTheSphereAndOnTheSection) {
  int pairs = 0;
  for (const IntegratorInfo& method : integrators()) {
    for (const char* key :
         {"double_spherical_pendulum", "three_body", "custom/magnetic_pendulum"}) {
      Scenario scenario = preset(key);
      if (!takes(method, scenario)) continue;
      ++pairs;
      scenario = with(scenario, {{"integrator.type", method.key}});
      scenario = with(scenario, {{"integrator.step", scenario.lanes[0].step}});
      const Points points = points_of(scenario, at("q[0].e1", Direction::both), 800);
      EXPECT_GE(points.size(), 2u) << method.key << ' ' << key;
      for (const SectionPoint& point : points) {
        EXPECT_LT(std::abs(point.state.q(0, 0)), 1e-15) << method.key << ' ' << key;
        if (!method.keeps_sphere) continue;
        for (Eigen::Index i = 0; i < point.state.q.cols(); ++i)
          EXPECT_LE(unit_length_error(point.state.q.col(i)), 1e-15) << method.key << ' ' << key;
      }
    }
  }
  EXPECT_GE(pairs, 51);
}

TEST(SectionCrossings, PointsHaveTheOrderOfTheMethod) {
  struct Case {
    const char *preset, *expression, *method;
    int order;
    double step;
  };
  for (const Case& c : {Case{"", "q[0].e2", "variational", 2, 0.02},
                        {"", "q[0].e2", "variational4", 4, 0.02},
                        {"", "q[0].e2", "rk2", 2, 0.02},
                        {"", "q[0].e2", "rk4", 4, 0.02},
                        {"three_body", "q[1].e3 - 1/3", "rotation", 2, 0.01},
                        {"three_body", "q[1].e3 - 1/3", "rotation4", 4, 0.0025}}) {
    // The error of the fourth point and of its time.
    const auto fourth = [&c](const std::string& method, double h) {
      const Scenario scenario =
          *c.preset ? with(preset(c.preset),
                           {{"integrator.type", json::Node(method)}, {"integrator.step", h}})
                    : pendulum(method, h);
      const Points points =
          points_of(scenario, at(c.expression, Direction::both), std::llround(8 / h));
      EXPECT_GE(points.size(), 5u) << c.preset << ' ' << method;
      return points.size() < 5 ? SectionPoint{{0, scenario.q, scenario.omega}} : points[4];
    };
    const SectionPoint exact = fourth("gauss16", c.step);
    std::vector<double> errors;
    for (const double part : {1, 2, 4}) {
      const SectionPoint point = fourth(c.method, c.step / part);
      errors.push_back((point.state.q - exact.state.q).norm() +
                       std::abs(point.state.t - exact.state.t));
    }
    for (std::size_t k = 1; k < errors.size(); ++k)
      EXPECT_NEAR(std::log2(errors[k - 1] / errors[k]), c.order, 0.2)
          << c.preset << ' ' << c.method << ' ' << errors[k - 1] << ' ' << errors[k];
  }
}

TEST(SectionCrossings, PairsWithinAStepAreFound) {
  // Levels that the orbit just passes, there and back.
  Simulation run = start(pendulum("gauss16", 0.002));
  double highest = -1;
  for (int k = 0; k < 5000; ++k) {
    march(run, 1);
    highest = std::max(highest, run.state(0).q(1, 0));
  }
  int within = 0;
  for (const double below : {1e-2, 1e-3, 1e-4}) {
    for (const Direction direction : {Direction::both, Direction::rising}) {
      const PoincareSection section =
          at(fmt::format("q[0].e2 - {:.17g}", highest - below), direction);
      const Points exact = points_of(pendulum("gauss16", 0.002), section, 5000);
      const Points points = points_of(pendulum("gauss16", 0.1), section, 100);
      ASSERT_GE(exact.size(), direction == Direction::both ? 2u : 1u);
      ASSERT_EQ(points.size(), exact.size()) << below;
      for (std::size_t k = 0; k < exact.size(); ++k) {
        EXPECT_NEAR(points[k].state.t, exact[k].state.t, 1e-8) << below;
        EXPECT_EQ(points[k].direction, exact[k].direction);
        EXPECT_EQ(points[k].number, exact[k].number);
        if (k > 0) within += points[k].step == points[k - 1].step;
      }
    }
  }
  EXPECT_GE(within, 1);
}

TEST(SectionCrossings, LongStepsOfAdaptiveMethodsAreSearchedInParts) {
  const auto times = [](double step) {
    const Scenario scenario = with(preset("three_body"), {{"integrator.type", "rotation8_adaptive"},
                                                          {"integrator.step", step},
                                                          {"integrator.first_step", 0.03},
                                                          {"duration", 10.0}});
    std::vector<double> found;
    for (const SectionPoint& point :
         points_of(scenario, at("q[0].e2", Direction::both), std::llround(10 / step)))
      found.push_back(point.state.t);
    return found;
  };
  const std::vector<double> exact = times(0.1), found = times(10);
  EXPECT_EQ(exact.size(), 4u);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) EXPECT_NEAR(found[k], exact[k], 1e-8);
}

TEST(SectionCrossings, NothingIsFedBack) {
  int pairs = 0;
  for (const IntegratorInfo& method : integrators())
    for (const char* key : {"double_spherical_pendulum", "three_body", "elastic_rod",
                            "conformal_pair", "custom/shaken_pivot"}) {
      Scenario scenario = preset(key);
      if (!takes(method, scenario)) continue;
      ++pairs;
      scenario = with(scenario, {{"integrator.type", method.key}});
      Simulation alone = start(scenario);
      Simulation crossed = following(scenario, at("sin(20*t)", Direction::both));
      march(alone, 60);
      march(crossed, 60);
      if (scenario.lanes[0].step * 60 * 20 > std::numbers::pi) {
        EXPECT_FALSE(crossed.take_section_points(0).empty()) << method.key << ' ' << key;
      }
      // All that the run continues with, but for the section itself.
      Scenario a = alone.continuation(), b = crossed.continuation();
      b.section.reset();
      std::erase_if(b.continuation->lanes[0].memory,
                    [](const auto& entry) { return entry.first == section_entry; });
      EXPECT_EQ(write_scenario(a), write_scenario(b)) << method.key << ' ' << key;
      EXPECT_EQ(alone.lane(0).inner_steps, crossed.lane(0).inner_steps);
    }
  EXPECT_GE(pairs, 76);
}

TEST(SectionCrossings, ThePendulumLeavesAClosedCurve) {
  // E and J_z are conserved, so that the points with q_y = 0 lie on a curve.
  for (const double h : {0.01, 0.005}) {
    const Scenario scenario = pendulum("variational", h);
    Simulation run = following(scenario, at("q[0].e2", Direction::both));
    march(run, std::llround(300 / h));
    const Points points = run.take_section_points(0);
    ASSERT_GT(points.size(), 300u);
    const State first{0, scenario.q, scenario.omega};
    const double energy = total_energy(*run.system(), first);
    const double momentum = momentum_map(*run.system(), first).z();
    double worst = 0, widest = 0, highest = -1;
    for (const SectionPoint& point : points) {
      worst = std::max(worst, std::abs(total_energy(*run.system(), point.state) - energy));
      EXPECT_NEAR(momentum_map(*run.system(), point.state).z(), momentum, 1e-12);
      // Rates of the polar angle of both signs, and heights that differ: not a few points.
      widest = std::max(widest, std::abs(point.state.w(1, 0)));
      highest = std::max(highest, -point.state.q(2, 0));
    }
    EXPECT_LT(worst, 30 * h * h);
    EXPECT_GT(worst, 0.01 * h * h);
    EXPECT_GT(widest, 1);
  }
}

TEST(SectionCrossings, ASavedStateGoesOnWithTheNextPoint) {
  for (const char* method : {"variational", "rk4", "rk45", "variational_adaptive"}) {
    const Scenario scenario = pendulum(method, 0.05);
    for (const PoincareSection& section :
         {at("q[0].e2", Direction::both), PoincareSection{.period = "pi/7", .phase = 0.01}}) {
      const Points whole = points_of(scenario, section, 400);
      ASSERT_GT(whole.size(), 20u);
      for (const std::int64_t half : {137, 200}) {
        Simulation first = following(scenario, section);
        march(first, half);
        Points parts = first.take_section_points(0);
        const auto read = value_of(read_scenario(bytes(first), "state"));
        ASSERT_TRUE(read.section);
        Simulation second = following(read, *read.section);
        march(second, 400 - half);
        const Points rest = second.take_section_points(0);
        parts.insert(parts.end(), rest.begin(), rest.end());
        expect_same(whole, parts);
      }
    }
  }
}

TEST(SectionCrossings, EveryLaneHasThePointsThatItHasAlone) {
  Scenario both = pendulum("variational", 0.02);
  both.lanes.push_back({.type = "rk4", .step = 0.01, .values = {}, .name = "rk4"});
  Simulation run = following(both, at("q[0].e2"));
  march(run, 500);
  expect_same(run.take_section_points(0),
              points_of(pendulum("variational", 0.02), at("q[0].e2"), 500));
  expect_same(run.take_section_points(1), points_of(pendulum("rk4", 0.01), at("q[0].e2"), 1000));
  EXPECT_TRUE(run.take_section_points(1).empty()) << "each point is given once";
}

TEST(SectionCrossings, StroboscopicPointsAreAtTheirTimes) {
  // On the grid of the steps they are the states of the run.
  Scenario scenario = pendulum("variational", 0.01);
  Simulation run = following(scenario, {.period = "0.05"});
  std::vector<State> states{run.state(0)};
  for (int k = 1; k < 200; ++k) {
    march(run, 1);
    states.push_back(run.state(0));
  }
  Points points = run.take_section_points(0);
  ASSERT_EQ(points.size(), 40u);
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(points[k].state.q, states[5 * k].q);
    EXPECT_EQ(points[k].state.t, states[5 * k].t);
    EXPECT_EQ(points[k].step, static_cast<std::int64_t>(5 * k));
  }
  // Between two steps they are on the orbit, and several may lie in one step.
  points = points_of(scenario, {.period = "2*pi*sqrt(lengths[0]/gravity)/1000", .phase = -1}, 30);
  const double period = 2 * std::numbers::pi / std::sqrt(9.81) / 1000;
  EXPECT_NEAR(static_cast<double>(points.size()), 0.3 / period, 1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double j = std::round((points[k].state.t + 1) / period);
    EXPECT_NEAR(points[k].state.t, -1 + j * period, 1e-14);
    EXPECT_EQ(points[k].direction, 0);
    const auto at_step = static_cast<std::size_t>(points[k].step);
    const double since = points[k].state.t - states[at_step].t;
    EXPECT_GE(since, -1e-10);
    EXPECT_LT(since, 0.01);
    const Vec3 q = states[at_step].q.col(0), w = states[at_step].w.col(0);
    EXPECT_LT((points[k].state.q.col(0) - q - since * w.cross(q)).norm(),
              20 * since * since + 1e-14);
  }
}

TEST(SectionCrossings, DirectionsAreThoseOfTheRun) {
  const Scenario scenario = pendulum("variational", 0.01);
  const Points both = points_of(scenario, at("q[0].e2", Direction::both), 2000),
               rising = points_of(scenario, at("q[0].e2"), 2000),
               falling = points_of(scenario, at("q[0].e2", Direction::falling), 2000);
  EXPECT_EQ(both.size(), rising.size() + falling.size());
  for (std::size_t k = 0; k < both.size(); ++k) {
    EXPECT_EQ(both[k].direction, k % 2 == 0 ? both[0].direction : -both[0].direction);
    const Vec3 v = both[k].state.w.col(0).cross(both[k].state.q.col(0));
    EXPECT_GT(both[k].direction * v.y(), 0);
  }
  // The start is on the section, and counts.
  EXPECT_EQ(both[0].state.q, scenario.q);
  EXPECT_EQ(both[0].step, 0);

  // On the way back the orbit crosses at the same points the other way.
  Scenario there_and_back = scenario;
  there_and_back.events = {{.step = 1000, .reverse = true}};
  const Points all = points_of(there_and_back, at("q[0].e2", Direction::both), 1999);
  const auto there = static_cast<std::size_t>(std::count_if(
      both.begin(), both.end(), [](const SectionPoint& point) { return point.step < 1000; }));
  ASSERT_EQ(all.size(), 2 * there - 1);  // the start is not reached again
  for (std::size_t k = 1; k < there; ++k) {
    const SectionPoint &out = all[k], &back = all[all.size() - k];
    EXPECT_EQ(out.direction, -back.direction);
    // To the error of one step: a part of the step back is not what was left of the step there.
    EXPECT_NEAR(out.state.t, back.state.t, 1e-5);
    EXPECT_LT((out.state.q - back.state.q).norm(), 1e-7);
  }
}

TEST(SectionCrossings, JumpsAreNoPoints) {
  const Scenario scenario = pendulum("variational", 0.01);
  Simulation run = following(scenario, at("atan2(q[0].e2, q[0].e1)", Direction::both));
  march(run, 2000);
  const Points points = run.take_section_points(0);
  const Points planes = points_of(scenario, at("q[0].e2", Direction::both), 2000);
  EXPECT_GT(run.lane(0).crossings->jumps(), 2);
  EXPECT_EQ(points.size() + static_cast<std::size_t>(run.lane(0).crossings->jumps()),
            planes.size());
  for (const SectionPoint& point : points) EXPECT_GT(point.state.q(0, 0), 0);
}

TEST(SectionCrossings, ParametersAndEditsDuringTheRun) {
  Simulation run = following(pendulum("variational", 0.01), at("q[0].e1 - gravity/100"));
  march(run, 500);
  for (const SectionPoint& point : run.take_section_points(0))
    EXPECT_NEAR(point.state.q(0, 0), 0.0981, 1e-15);
  ASSERT_TRUE(run.set({{"system.gravity", 5.0}}));
  march(run, 500);
  const Points after = run.take_section_points(0);
  EXPECT_FALSE(after.empty());
  for (const SectionPoint& point : after) EXPECT_NEAR(point.state.q(0, 0), 0.05, 1e-15);
  // An edit carries the body across; that is no crossing.
  const double side = run.state(0).q(0, 0) > 0.05 ? -1 : 1;
  ASSERT_TRUE(run.set({{"state.q[0]", json::Node::numbers(std::array{side * 0.6, 0.0, 0.8})}}));
  march(run, 1);
  EXPECT_TRUE(run.take_section_points(0).empty());
}

/// Sets a flag in its n-th step.
class Interrupted final : public Integrator {
 public:
  Interrupted(Integrator& method, std::atomic<bool>& flag) : method_(method), flag_(flag) {}
  void prepare(const System& system, const State& state) override {
    method_.prepare(system, state);
  }
  StepReport advance(const System& system, double h, State& state) override {
    if (--left == 0) flag_ = true;
    if (flag_) return {.status = StepStatus::interrupted};
    return method_.advance(system, h, state);
  }
  void complete(const System& system, State& state) override { method_.complete(system, state); }
  void save_state(IntegratorState& memory) const override { method_.save_state(memory); }
  bool load_state(const IntegratorState& memory) override { return method_.load_state(memory); }

  int left = 0;

 private:
  Integrator& method_;
  std::atomic<bool>& flag_;
};

TEST(SectionCrossings, AnInterruptedSearchTakesTheStepBack) {
  const Scenario scenario = pendulum("variational", 0.05);
  const auto made = find_system(scenario.system)->create(1, scenario.parameters);
  const System& system = **made;
  const auto method = find_integrator("variational")->create({});
  const auto surface = value_of(SectionSurface::create(at("q[0].e1", Direction::both), scenario));
  std::atomic<bool> flag{false};
  Interrupted steps(*method, flag);
  SectionCrossings crossings(surface);
  State state{0, scenario.q, scenario.omega};
  steps.prepare(system, state);
  std::int64_t k = 0;
  const auto step = [&] {
    crossings.begin(system, steps, state);
    EXPECT_TRUE(steps.advance(system, 0.05, state).ok());
    state.t = 0.05 * static_cast<double>(k + 1);
    return crossings.end(system, steps, 0.05, state, k);
  };
  Points before;
  while (before.empty()) {  // up to the first crossing
    const State last = state;
    const IntegratorState memory = steps.saved_state();
    {
      const Interruptible interruptible(flag);
      steps.left = 4;  // within the search, if there is one
      if (!step()) {
        EXPECT_EQ(state.q, last.q);
        EXPECT_EQ(state.w, last.w);
        EXPECT_EQ(state.t, last.t);
        EXPECT_EQ(steps.saved_state(), memory);
        EXPECT_TRUE(crossings.take().empty());
        EXPECT_EQ(crossings.number(), 0);
        flag = false;
        steps.left = 0;
        ASSERT_TRUE(step());
        before = crossings.take();
        ASSERT_EQ(before.size(), 1u);
      }
    }
    ++k;
    ASSERT_LT(k, 100);
  }
  expect_same(before, {points_of(scenario, at("q[0].e1", Direction::both), 100).at(0)});
}

TEST(SectionCrossings, AnInterruptionEndsTheSearchBetweenTwoTimes) {
  const Scenario scenario = pendulum("variational", 0.05);
  const auto made = find_system(scenario.system)->create(1, scenario.parameters);
  const System& system = **made;
  const auto method = find_integrator("variational")->create({});
  const auto surface = value_of(SectionSurface::create({.period = "0.01"}, scenario));
  SectionCrossings crossings(surface);
  State state{0, scenario.q, scenario.omega};
  const State start = state;
  method->prepare(system, state);
  const IntegratorState memory = method->saved_state();
  const auto step = [&](bool stop) {
    crossings.begin(system, *method, state);
    EXPECT_TRUE(method->advance(system, 0.05, state).ok());
    state.t = 0.05;
    const std::atomic<bool> flag{stop};
    const Interruptible interruptible(flag);
    return crossings.end(system, *method, 0.05, state, 0);
  };
  EXPECT_FALSE(step(true));
  EXPECT_EQ(state.q, start.q);
  EXPECT_EQ(state.t, start.t);
  EXPECT_EQ(method->saved_state(), memory);
  EXPECT_TRUE(crossings.take().empty());
  EXPECT_TRUE(step(false));
  EXPECT_EQ(crossings.take().size(), 5u);
}

TEST(SectionCrossings, AStepThatBecomesTooLongForThePeriodHasNoPoints) {
  Simulation run = following(pendulum("variational", 0.01), {.period = "0.001"});
  march(run, 1);
  EXPECT_EQ(run.take_section_points(0).size(), 10u);
  ASSERT_TRUE(run.set({{"integrator.step", 0.2}}));
  march(run, 3);
  EXPECT_TRUE(run.take_section_points(0).empty());
  ASSERT_TRUE(run.set({{"integrator.step", 0.01}}));
  march(run, 1);
  EXPECT_EQ(run.take_section_points(0).size(), 10u);
}

TEST(SectionCrossings, SectionsAreReadAndWritten) {
  const std::string begin = R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
    "initial": {"q": [[0.8, 0, 0.6]], "omega": [[0, 1, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 10, "section": )";
  for (const char* section :
       {R"({"expression": "q[0].e2 - lengths[0]/2 m", "direction": "both"})",
        R"({"expression": "w[0].e3", "coordinates": {"height": "-q[0].e3", "p": "w[0].e2"}})",
        R"({"period": 0.25, "phase": 0.5})", R"({"period": "2*pi*0.1 s"})"}) {
    const auto read = value_of(read_scenario(begin + section + '}', "s"));
    ASSERT_TRUE(read.section);
    const auto again = value_of(read_scenario(write_scenario(read), "again"));
    EXPECT_EQ(read.section, again.section) << section;
    EXPECT_TRUE(same(read, again));
    Scenario without = read;
    without.section.reset();
    EXPECT_FALSE(same(read, without));
  }
  const std::vector<std::pair<const char*, const char*>> wrong{
      {R"({})", "section: must have"},
      {R"({"expression": "q[0]"})", "section.expression:1"},
      {R"({"expression": "q[0].e2", "period": 1})", "section.period: cannot be combined"},
      {R"({"expression": "q[0].e4"})", "section.expression:6"},
      {R"({"expression": "q[1].e1"})", "section.expression:1"},
      {R"({"expression": "q[0].e2", "direction": "rise"})", "unknown direction"},
      {R"({"period": 0})", "section.period: must be greater than 0"},
      {R"({"period": 1e-300})",
       "section.period: must be at least 1e-04 s, 1/100 of the step of 0.01 s, not 1e-300 s"},
      {R"({"period": "1e-300*masses[0]/masses[0]"})", "section.period: must be at least"},
      {R"({"period": 1, "phase": 1e300})",
       "section.phase: must be at most 2^53 - 1 periods of 1 s"},
      {R"({"period": "-masses[0]"})", "section.period"},
      {R"({"period": "3 m"})", "section.period"},
      {R"({"period": 1, "direction": "both"})", "section.direction: belongs to"},
      {R"({"expression": "t - 1", "phase": 1})", "section.phase: belongs to"},
      {R"({"period": 1, "coordinates": {}})", "section.coordinates: must have"},
      {R"({"period": 1, "coordinates": {"x": "q[0].e1 + "}})", "section.coordinates.x:"},
      {R"({"period": 1, "coordinates": {"-x": "q[0].e1"}})", "the name must not begin with -"},
      {R"({"at": 1})", "unknown key"}};
  for (const auto& [section, message] : wrong) {
    const auto read = read_scenario(begin + section + '}', "s");
    ASSERT_FALSE(read) << section;
    EXPECT_TRUE(says(read.error().text(), message)) << section << ": " << read.error().text();
  }
}

}  // namespace
}  // namespace twosphere::test::section_crossings_test
