// SPDX-License-Identifier: GPL-3.0-or-later
// At which equilibrium runs come to rest, how finely basins are mixed, and the orbits of tasks.
#include "core/studies/basins.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/mechanics/turn_between.h"
#include "core/scenario/reader.h"
#include "core/studies/equilibria_table.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_folder.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_run.h"
#include "core/studies/sweep_task.h"
#include "tests/complete_to_end.h"
#include "tests/long_rod.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/temporary_folder.h"

namespace twosphere::test::basins_test {
namespace {

const std::atomic<bool> never = false;

bool always(std::size_t /*done*/, std::size_t /*all*/) { return true; }

Sweep plan(Scenario scenario, const std::vector<std::string>& axes,
           const std::vector<std::string>& measures) {
  Sweep sweep{.scenario = std::move(scenario), .version = version, .isa = std::string(isa_level())};
  for (const std::string& text : axes) sweep.axes.push_back(value_of(parse_axis(text)));
  for (const std::string& text : measures)
    sweep.measures.push_back(value_of(parse_measure(text, sweep.scenario)));
  return sweep;
}

Sweep completed(Sweep sweep) {
  EXPECT_TRUE(complete_to_end(sweep));
  return sweep;
}

SweepRow result(const Sweep& sweep, std::size_t task, std::string* why = nullptr) {
  return value_of(value_of(run_sweep_task(sweep, "", task, {}, never, why)));
}

json::Node numbers(const std::vector<double>& values) { return json::Node::array(values); }

/// A pendulum over three equal magnets at the corners of a triangle.
Scenario magnets(double friction = 0.5) {
  const double x = -0.15, y = 0.15 * std::sqrt(3.0), z = 1.1;
  return with(preset("custom/magnetic_pendulum"),
              {{"system.p2", numbers({x, y, z})},
               {"system.p3", numbers({x, -y, z})},
               {"system.c", friction},
               {"initial.angles", *json::parse_value("[[0.5, 0]]")},
               {"initial.rates", *json::parse_value("[[0, 0]]")},
               {"duration", 40.0}});
}

/// Starts at rest at four angles from the vertical, each in three directions 120° apart.
Sweep turned_starts(const std::vector<std::string>& measures) {
  return plan(
      magnets(),
      {"initial.angles[0][0]=0.01,0.35,0.5,0.9", "initial.angles[0][1]=0.2,0.2+2*pi/3,0.2+4*pi/3"},
      measures);
}

TEST(Basins, OfThreeMagnetsHaveThreefoldSymmetry) {
  const Sweep sweep = completed(turned_starts({"basin", "t_stop"}));
  ASSERT_EQ(sweep.equilibria.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k)
    EXPECT_EQ(sweep.equilibria[k].kind() == EquilibriumKind::minimum, k < 4) << k;
  for (std::size_t task = 0; task < sweep.tasks(); ++task) {
    const SweepRow row = result(sweep, task);
    EXPECT_EQ(row.status, TaskStatus::stopped) << task;
    // In the middle, or at the first magnet or the second in the first of the three directions.
    const std::size_t first = task / 3 == 1 ? 0 : 1;
    EXPECT_EQ(row.values[0], static_cast<double>(task < 3 ? 3 : (first + task) % 3)) << task;
    EXPECT_LT(row.values[1], 40) << task;
    if (task >= 3) {
      EXPECT_GT(row.values[1], 1) << task;
    }
  }
}

TEST(Basins, ARunThatDoesNotComeToRestHasNone) {
  Sweep sweep = turned_starts({"basin", "t_stop"});
  sweep.scenario.duration = 1;
  sweep = completed(std::move(sweep));
  const SweepRow row = result(sweep, 6);
  EXPECT_EQ(row.status, TaskStatus::done);
  EXPECT_EQ(row.values[0], no_basin);
  EXPECT_EQ(row.values[1], 1);
}

TEST(Basins, ARunEndsAtTheFirstStateInWhichItHasSettled) {
  const Sweep sweep = completed(turned_starts({"basin", "t_stop"}));
  const SweepRow row = result(sweep, 7);
  const Scenario scenario = value_of(sweep_scenario(sweep, 7));
  Simulation run = start(scenario);
  const BasinWatch watch =
      value_of(BasinWatch::create(sweep.equilibria, sweep.scenario, scenario, run.system()));
  bool turned = false;
  while (!watch.settled_at(run.state(0))) {
    turned |= watch.at(run.state(0)).has_value();
    ASSERT_FALSE(run.advance_to(run.steps() + 1));
  }
  EXPECT_TRUE(turned) << "swings that become small turn near the equilibrium";
  EXPECT_EQ(run.time(), row.values[1]);
  EXPECT_EQ(static_cast<double>(*watch.settled_at(run.state(0))), row.values[0]);
  // At rest, but elsewhere; and there, but moving.
  State state = run.state(0);
  state.w.setZero();
  EXPECT_TRUE(watch.at(state));
  state.q.col(0) = Vec3(0.35, 0, std::sqrt(1 - 0.35 * 0.35));
  EXPECT_FALSE(watch.at(state));
  state = run.state(0);
  state.w.col(0) = state.q.col(0).cross(Vec3::UnitX()).normalized();
  EXPECT_FALSE(watch.at(state));
}

TEST(Basins, ARunMayEndAtRestBeforeItHasSettled) {
  // A small swing about the first magnet, let go at rest.
  Sweep sweep = turned_starts({"basin"});
  sweep.scenario = with(
      sweep.scenario, {{"initial.angles", *json::parse_value("[[0.23, 0]]")}, {"duration", 0.005}});
  sweep.axes = {value_of(parse_axis("duration=0.005,0.1"))};
  sweep = completed(std::move(sweep));
  EXPECT_EQ(result(sweep, 0).values[0], 0);
  EXPECT_EQ(result(sweep, 0).status, TaskStatus::done);
  EXPECT_EQ(result(sweep, 1).values[0], no_basin) << "it moves through the middle";
}

TEST(Basins, EquilibriaAreFollowedToTheParametersOfATask) {
  // The first magnet is moved by more than the angle of rest.
  const Scenario scenario =
      with(magnets(), {{"initial.angles", *json::parse_value("[[0.226, 0]]")}});
  const Sweep sweep = completed(
      plan(scenario, {"system.p1[1]=0,0.1", "initial.angles[0][1]=0.351,4.177"}, {"basin"}));
  const Scenario moved = value_of(sweep_scenario(sweep, 2));
  for (const Equilibrium& own : value_of(value_of(basin_equilibria(moved, 1, always))))
    if (own.kind() == EquilibriumKind::minimum) {
      EXPECT_GT(turn_between(own.q, sweep.equilibria[0].q, {}), basin_angle);
    }
  EXPECT_EQ(result(sweep, 2).values[0], 0);
  EXPECT_EQ(result(sweep, 3).values[0], 2);
}

TEST(Basins, RowsHaveTheSameBytesForAnyPartsAndThePlanIsReadBack) {
  const TemporaryFolder temporary;
  const Sweep sweep = completed(turned_starts({"basin", "t_stop", "energy_error.max"}));
  EXPECT_EQ(write_sweep(value_of(read_sweep(write_sweep(sweep), ""))), write_sweep(sweep));
  const auto go_on = [](const SweepProgress&) { return true; };
  std::vector<std::string> tables;
  for (const int parts : {1, 3}) {
    const auto folder = value_of(make_sweep(temporary.in(std::to_string(parts)), sweep));
    const auto equilibria = value_of(read_file(folder.inside(equilibria_file), 1 << 20));
    EXPECT_EQ(equilibria, equilibria_table({.list = sweep.equilibria}));
    const auto opened = value_of(open_sweep(folder.path));
    EXPECT_EQ(opened.name, folder.name);
    for (int part = parts; part >= 1; --part) {
      SweepRun how;
      how.part = {part, parts};
      how.jobs = parts;
      EXPECT_TRUE(value_of(run_sweep(opened, how, go_on)));
    }
    tables.push_back(sweep_table(opened, value_of(read_rows(opened))));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_TRUE(says(tables[0], ",stopped\r\n"));
}

TEST(Basins, WhatHasNoneIsRefusedWithTheReason) {
  const auto why = [](Sweep sweep) {
    const auto done = complete_to_end(sweep);
    return done ? std::string() : done.error().text();
  };
  EXPECT_EQ(why(plan(magnets(0), {"system.k=0.1,1"}, {"basin"})),
            "measure: basin: needs damping, without which no run comes to rest, and there is none");
  // Damping may be an axis.
  EXPECT_EQ(why(plan(magnets(0), {"system.c=0,1"}, {"basin"})), "");
  const Sweep some = completed(plan(magnets(0), {"system.c=0,1"}, {"basin"}));
  std::string reason;
  EXPECT_EQ(result(some, 0, &reason).status, TaskStatus::refused);
  EXPECT_TRUE(says(reason, "needs damping"));
  EXPECT_TRUE(says(why(plan(preset("custom/spin_ring"), {"duration=1,2"}, {"basin"})),
                   "systems of first order have none"));
  // A free particle on a sphere rests everywhere, and nowhere stably.
  EXPECT_TRUE(says(why(plan(with(preset("double_spherical_pendulum"),
                                 {{"system.gravity", 0.0}, {"system.damping", 1.0}}),
                            {"duration=1,2"}, {"basin"})),
                   "needs a stable equilibrium"));
  Scenario changed = magnets();
  changed.events.push_back({.step = 10, .set = {{"system.c", 1.0}}});
  EXPECT_TRUE(says(why(plan(changed, {"system.k=0.1,1"}, {"basin"})), "scenario with events"));
}

TEST(UncertainFraction, OfASmoothBoundaryHasTheExponentOne) {
  constexpr std::size_t n = 600;
  std::vector<double> values(n * n);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) values[y * n + x] = 2 * x + y > 777 ? 2 : 1;
  const UncertainFraction found = uncertain_fraction(values, {n, n}, {0, 1});
  ASSERT_TRUE(found.exponent);
  EXPECT_NEAR(found.exponent->first, 1, 0.02);
  EXPECT_LT(found.exponent->second, 0.02);
  ASSERT_EQ(found.list.size(), 4U);
  EXPECT_EQ(found.list[3].cells, 8);
  EXPECT_EQ(found.list[3].pairs, 2 * n * (n - 8));
  EXPECT_TRUE(says(found.text(), "uncertain fraction ∝ ε^")) << found.text();
  // Points without a basin do not count: here one side.
  for (double& value : values)
    if (value == 2) value = no_basin;
  EXPECT_EQ(uncertain_fraction(values, {n, n}, {0, 1}).text(),
            "uncertain fraction: 0, there is no boundary");
}

TEST(UncertainFraction, OfACantorSetHasItsDimension) {
  // The gaps of the Cantor set are basins by their level, its points the boundary.
  constexpr int levels = 9;
  std::vector<double> values;
  for (int at = 0; at < 19683; ++at) {
    double basin = 0;
    int rest = at;
    for (int level = levels; level > 0; --level, rest /= 3)
      if (rest % 3 == 1) basin = level;
    values.push_back(basin);
  }
  const UncertainFraction found = uncertain_fraction(values, {values.size()}, {0});
  ASSERT_TRUE(found.exponent);
  EXPECT_NEAR(found.dimensions - found.exponent->first, std::log(2) / std::log(3), 0.02);
}

TEST(UncertainFraction, NeedsThreeDistances) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(uncertain_fraction(std::vector{nan, nan}, {2}, {0}).text(), "");
  const UncertainFraction few = uncertain_fraction(std::vector{0.0, 1.0, nan, 1.0}, {4}, {0});
  ASSERT_EQ(few.list.size(), 2U);
  EXPECT_EQ(few.list[0].fraction, 1);
  EXPECT_EQ(few.list[1].fraction, 0);
  EXPECT_FALSE(few.exponent);
  EXPECT_EQ(few.fractions(), "1, 0 of pairs 1, 2 cells apart");
  EXPECT_EQ(few.text(), "uncertain fraction: too few points for an exponent");
}

Scenario pendulum() {
  return with(preset("custom/pendulum"), {{"initial.angles", *json::parse_value("[[1, 0]]")},
                                          {"initial.rates", *json::parse_value("[[0, 0]]")},
                                          {"duration", 6.0}});
}

TEST(TaskOrbit, OfAPendulumHasItsPeriod) {
  const Sweep sweep = completed(
      plan(pendulum(), {"initial.angles[0][0]=pi/2,3", "system.g=9.81"}, {"orbit.period"}));
  EXPECT_EQ(sweep.orbit, OrbitPlan{});
  const SweepRow row = result(sweep, 0);
  EXPECT_EQ(row.status, TaskStatus::done);
  EXPECT_NEAR(row.values[0], 2.36784194757624, 1e-9);
  EXPECT_NEAR(result(sweep, 1).values[0], 5.15806675426787, 1e-8);
}

TEST(TaskOrbit, HasTheMagnitudesOfItsMultipliersInFallingOrder) {
  Sweep sweep = plan(
      preset("double_spherical_pendulum"), {"system.gravity=9.81,5"},
      {"orbit.period", "orbit.multiplier", "orbit.multiplier[3]", "orbit.multiplier[7]", "cost"});
  sweep.scenario.duration = 1;
  sweep.orbit = OrbitPlan{.from = "mode:0", .energy = "rest+50"};
  sweep = completed(std::move(sweep));
  const SweepRow row = result(sweep, 0);
  EXPECT_EQ(row.status, TaskStatus::done);
  EXPECT_GT(row.values[0], 1);
  EXPECT_NEAR(row.values[1], 1, 1e-9);
  EXPECT_NEAR(row.values[2], 1, 1e-9);
  EXPECT_TRUE(std::isnan(row.values[3])) << "there are four";
  EXPECT_GT(row.values[4], 0) << "the run is taken, too";
  EXPECT_EQ(write_sweep(value_of(read_sweep(write_sweep(sweep), ""))), write_sweep(sweep));
  // What is noted of an orbit: near twice the period it closes twice.
  Sweep twice = completed(plan(pendulum(), {"system.g=9.81,9"}, {"orbit.period"}));
  twice.orbit = OrbitPlan{.from = "start", .period = 4.3};
  std::string note;
  EXPECT_LT(result(twice, 0, &note).values[0], 2.2);
  EXPECT_TRUE(says(note, "orbit: it closes 2 times as early as asked for")) << note;
  // Where no orbit is found a note says why.
  sweep.orbit->from = "mode:9";
  std::string why;
  const SweepRow none = result(sweep, 0, &why);
  EXPECT_EQ(none.status, TaskStatus::done);
  EXPECT_TRUE(std::isnan(none.values[0]));
  EXPECT_TRUE(says(why, "no orbit: ")) << why;
}

TEST(TaskOrbit, IsThatOfAScenarioThatSaysItHasOne) {
  Scenario scenario = pendulum();
  scenario.orbit = ClosedOrbit{.period = 2.2, .axis = Vec3::UnitZ(), .steps = 120};
  const OrbitPlan made = default_orbit_plan(scenario);
  EXPECT_EQ(made.from, "start");
  EXPECT_EQ(made.period, 2.2);
  EXPECT_EQ(made.relative, "0,0,1");
  scenario.orbit->axis.setZero();
  const Sweep sweep = completed(plan(scenario, {"initial.angles[0][0]=1,pi/2"}, {"orbit.period"}));
  EXPECT_NEAR(result(sweep, 1).values[0], 2.36784194757624, 1e-9);
}

TEST(TaskOrbit, IsThatOfTheStartAlsoWhereARunGoesOnPastAnEvent) {
  const TemporaryFolder temporary;
  Scenario scenario = pendulum();
  scenario.every = 25;
  scenario.events.push_back({.step = 100, .set = {{"system.g", 2.0}}});
  const Sweep sweep =
      completed(plan(scenario, {"initial.angles[0][0]=pi/2,3"}, {"orbit.period", "cost"}));
  std::atomic<bool> stop = false;
  int rows = 0;
  const TaskStates states{temporary.in(""), "state.json", 0, [&] { stop = ++rows == 6; }};
  ASSERT_FALSE(value_of(run_sweep_task(sweep, "name", 0, states, stop)));
  const auto row =
      value_of(run_sweep_task(sweep, "name", 0, TaskStates{states.folder, states.name}, never));
  ASSERT_TRUE(row);
  EXPECT_NEAR(row->values[0], 2.36784194757624, 1e-9);
  EXPECT_EQ(row->values, result(sweep, 0).values);
}

TEST(TaskOrbit, WhatCannotBeFoundIsRefusedWithTheReason) {
  const auto why = [](Scenario scenario, OrbitPlan orbit, const char* measure = "orbit.period") {
    Sweep sweep = plan(std::move(scenario), {"duration=1,2"}, {measure});
    sweep.orbit = std::move(orbit);
    const auto done = complete_to_end(sweep);
    return done ? std::string() : done.error().text();
  };
  EXPECT_EQ(why(pendulum(), {.from = "start"}),
            "period: is needed with start: near which T to look");
  EXPECT_TRUE(
      says(why(pendulum(), {.from = "mode"}), "from: must be mode:K, start, return or rest"));
  EXPECT_TRUE(says(why(pendulum(), {.relative = "e9"}), "relative: must be e1, e2, e3"));
  EXPECT_TRUE(says(why(pendulum(), {.relative = "e1"}), "about which the system is symmetric"));
  EXPECT_TRUE(says(why(pendulum(), {.energy = "rest"}), "energy: must be E in J or rest+E"));
  EXPECT_TRUE(says(why(pendulum(), {.relabel = "1"}), "relabel: must name each body"));
  EXPECT_TRUE(says(why(pendulum(), {}, "cost"), "from: is of the measures orbit.period"));
  EXPECT_TRUE(says(why(magnets(), {}), "measure: system: has damping and no force"));
  EXPECT_FALSE(parse_measure("orbit.multiplier[4]", pendulum()));
}

TEST(Basins, ThePlanOfASweepEndsWhenItIsAskedTo) {
  Sweep rod = plan(value_of(read_scenario(long_rod(), "rod")), {"duration=1,2"}, {"basin"});
  std::size_t starts = 0;
  EXPECT_FALSE(value_of(complete_sweep(rod, 2, [&](std::size_t, std::size_t all) {
    starts = all;
    return false;
  })));
  EXPECT_GT(starts, 200U);
  EXPECT_TRUE(rod.equilibria.empty());

  const std::atomic<bool> stop = true;
  const Interruptible interruptible(stop);
  Sweep few = plan(magnets(), {"system.k=0.1,1"}, {"t_stop"});
  for (Sweep* sweep : {&rod, &few}) EXPECT_FALSE(value_of(complete_sweep(*sweep, 2, always)));
  EXPECT_TRUE(rod.equilibria.empty());
}

}  // namespace
}  // namespace twosphere::test::basins_test
