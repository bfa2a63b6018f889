// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/output/csv.h"
#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_task.h"
#include "tests/complete_to_end.h"
#include "tests/core/studies/sweep_cases.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::sweep_test {
namespace {

/// Spins whose start is generated.
Scenario random_spins(int seed) {
  return value_of(read_scenario(fmt::format(R"({{"twosphere": 1,
      "system": {{"type": "spins", "lattice": {{"type": "chain", "size": [8]}}}},
      "initial": {{"generator": {{"type": "random", "seed": {}}}}},
      "integrator": {{"type": "spherical_midpoint", "step": 0.1}}, "duration": 1}})",
                                            seed),
                                "s"));
}

TEST(SweepPlan, VariesTheSeedOfAGeneratedStart) {
  const Sweep sweep = sweep_of(random_spins(1), {"initial.generator.seed=2:4:3"}, {"cost"});
  // Through the folder, where a plan is a file.
  const std::string text = write_sweep(sweep);
  const Sweep read = value_of(read_sweep(text, "sweep.json"));
  EXPECT_EQ(write_sweep(read), text);
  for (int k = 0; k < 3; ++k)
    for (const Sweep* one : {&sweep, &read})
      EXPECT_EQ(value_of(sweep_scenario(*one, static_cast<std::size_t>(k))).q,
                random_spins(2 + k).q);
  EXPECT_TRUE(succeeds(check_starts(read)));
  // Plans that do not vary it have the directions.
  EXPECT_EQ(
      write_sweep(sweep_of(random_spins(1), {"system.exchange=1:2:3"}, {"cost"})).find("generator"),
      std::string::npos);
}

/// Molecules whose velocities are those of two vortices.
Scenario stirred(double amplitude) {
  return value_of(read_scenario(fmt::format(R"({{"twosphere": 1,
      "system": {{"type": "lennard_jones", "masses": 1, "epsilon": 0.01, "sigma": 0.1}},
      "initial": {{"generator": {{"type": "icosphere", "subdivisions": 0}},
      "velocity": {{"type": "two_vortices", "amplitude": {}, "separation": 30, "width": 15}}}},
      "integrator": {{"type": "variational", "step": 0.01}}, "duration": 1}})",
                                            amplitude),
                                "s"));
}

TEST(SweepPlan, VariesTheVorticesOfAStart) {
  const Sweep sweep = sweep_of(stirred(1.5), {"initial.velocity.amplitude=1,2"}, {"cost"});
  const std::string text = write_sweep(sweep);
  const Sweep read = value_of(read_sweep(text, "sweep.json"));
  EXPECT_EQ(write_sweep(read), text);
  for (int k = 0; k < 2; ++k)
    for (const Sweep* one : {&sweep, &read})
      EXPECT_EQ(value_of(sweep_scenario(*one, static_cast<std::size_t>(k))).omega,
                stirred(1 + k).omega);
}

TEST(SweepAxis, IsARangeOrAList) {
  EXPECT_EQ(axis("a=1:2:5").values[1].number, 1.25);
  EXPECT_EQ(axis("a=1:20:200").values.size(), 200U);
  EXPECT_EQ(axis("a=1:20:200").values.back().number, 20);
  EXPECT_NEAR(axis("a=1e-3:10:5:log").values[2].number, 0.1, 1e-15);
  EXPECT_EQ(axis("a=-3:3:2").values[0].number, -3);
  EXPECT_EQ(axis("a=1,2,pi").values[2].number, std::acos(-1));
  EXPECT_EQ(axis("integrator.type=rk4,rk45").values[1].text, "rk45");
  EXPECT_EQ(axis("system.potential=q[0].e2,-q[0].e2").values[1].text, "(-q[0].e2)");
  // With a scenario in the unit of its setting.
  const Scenario scenario = preset();
  const auto turned = value_of(parse_axis("initial.angles[0][0]=-180 deg:180 deg:3", &scenario));
  EXPECT_NEAR(turned.values[2].number, std::acos(-1), 1e-15);
  EXPECT_EQ(parse_axis("system.lengths[0]=20 cm,1", &scenario)->values[0].number, 0.2);
  EXPECT_FALSE(parse_axis("system.lengths[0]=20 kg,1", &scenario));
  for (const char* text : {"a", "a=", "=1", "a=1:2", "a=1:2:1", "a=1:2:x", "a=0:1:3:log",
                           "a=1:2:3:lin", "a=1:2:3:4:5", "a=1,b", "a=[1]", "a[01]=1"})
    EXPECT_FALSE(parse_axis(text)) << text;
  EXPECT_EQ(parse_axis("system.gravity=1:2:1e2")->values.size(), 100U);
  for (const auto& [text, why] :
       {std::pair("system.gravity=1:2:1e9", "must be a whole number from 2 to 1000000, not"),
        {"system.gravity=1:2:2.5", "must be a whole number from 2 to 1000000, not"},
        {"system.gravity=1,,2", "\"1,,2\": value 2 of the list is missing"},
        {"system.gravity=1,2,", "\"1,2,\": value 3 of the list is missing"}}) {
    const auto axis = parse_axis(text);
    ASSERT_FALSE(axis) << text;
    EXPECT_TRUE(says(axis.error().message, why));
  }
}

TEST(SweepMeasure, IsReadAndWritten) {
  const Scenario s = preset();
  for (const char* text : {"energy_error.max", "work.last", "angular_momentum_z.mean",
                           "tangency_error.min", "t_stop", "lyapunov", "lyapunov[7]", "megno",
                           "fli", "frequency", "frequency[31]", "diffusion", "cost"}) {
    const auto measure = parse_measure(text, s);
    ASSERT_TRUE(measure) << text;
    EXPECT_EQ(measure->key(), text);
  }
  for (const char* text :
       {"energy_error", "energy_error.median", "time.last", "lyapunov[8]", "lyapunov[-1]",
        "frequency[32]", "frequency[]", "diffusion[1]", "angular_momentum_x.last", ""})
    EXPECT_FALSE(parse_measure(text, s)) << text;
  EXPECT_TRUE(
      says(parse_measure("energy_eror.max", s).error().message, "did you mean energy_error.max"));
}

TEST(SweepMeasure, MayBeOfAPlotOfTheScenario) {
  const Scenario s = with_plots();
  for (const auto& [text, unit] : {std::pair("plots.depth, of both.max", "cm"),
                                   {"plots.depth, of both.last", "cm"},
                                   {"plots.energy.max.min", "N"},
                                   {"plots.energy.max.mean", "N"}}) {
    const auto measure = parse_measure(text, s);
    ASSERT_TRUE(measure) << text;
    EXPECT_EQ(measure->key(), text);
    EXPECT_EQ(measure->unit(), unit);
    EXPECT_EQ(measure->needs_rows(), !std::string_view(text).ends_with(".last"));
    EXPECT_FALSE(parse_measure(text, preset())) << text;
  }
  // A comma is part of a name, or between two measures.
  const auto keys = [&](const char* text) {
    std::vector<std::string> all;
    if (const auto some = parse_measures(text, s))
      for (const SweepMeasure& one : *some) all.push_back(one.key());
    return all;
  };
  EXPECT_EQ(keys("plots.depth, of both.max"), std::vector<std::string>{"plots.depth, of both.max"});
  EXPECT_EQ(keys("megno,plots.energy.max.min"),
            (std::vector<std::string>{"megno", "plots.energy.max.min"}));
  for (const char* text : {"megno,", "megno,megna", "megno, fli"})
    EXPECT_FALSE(parse_measures(text, s)) << text;
  const auto message = [](const char* text, const Scenario& scenario) {
    const auto measure = parse_measure(text, scenario);
    return measure ? std::string() : measure.error().message;
  };
  for (const char* text : {"plots.energy.max", "plots.depth, of both", "plots.depht, of both.max",
                           "plots..max", "depth, of both.max"})
    EXPECT_TRUE(says(message(text, s),
                     "a measure is a column of the CSV or a plot (plots.depth, of "
                     "both, plots.energy.max) with .last, .max, .mean or .min"))
        << text << ": " << message(text, s);
  EXPECT_TRUE(
      says(message("plots.depht, of both.max", s), "did you mean plots.depth, of both.max?"));
  EXPECT_TRUE(says(message("plots.x.max", preset()), "a column of the CSV with .last"));
}

TEST(Sweep, IsWrittenAndReadAgain) {
  Sweep sweep = small();
  sweep.members = 3;
  sweep.spread = 1e-8;
  sweep.seed = 7;
  const std::string text = write_sweep(sweep);
  const auto read = value_of(read_sweep(text, "sweep.json"));
  EXPECT_EQ(write_sweep(read), text);
  EXPECT_EQ(read.tasks(), 36U);
  EXPECT_EQ(read.point(35), (std::vector<std::size_t>{3, 2, 2}));
  EXPECT_FALSE(read_sweep("{}", "sweep.json"));
  std::string other = text;
  other.replace(other.find("energy_error.max"), 16, "energy_error.most");
  EXPECT_TRUE(says(error_of(read_sweep(other, "sweep.json")).text(), "sweep.json:"));
  // Tasks are counted before there is anything for each.
  for (const char* path : {"duration", "system.masses[0]", "system.masses[1]"})
    sweep.axes.push_back(axis(std::string(path) + "=1:2:1000"));
  EXPECT_TRUE(says(error_of(read_sweep(write_sweep(sweep), "sweep.json")).text(),
                   "axes: 3.6e+10 tasks are more than 100000000"));
}

TEST(Sweep, FieldsOfAFormHaveTheirUnits) {
  const auto driven = value_of(read_scenario(R"({"twosphere": 1,
    "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1],
      "control_torque": {"type": "sine", "amplitude": [0, 1, 0], "frequency": 0.5}},
    "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
    "integrator": {"type": "variational", "step": 0.01}, "duration": 1})",
                                             "driven"));
  EXPECT_EQ(setting_unit(driven, "system.control_torque.amplitude[1]"), "N m");
  EXPECT_EQ(setting_unit(driven, "system.control_torque.frequency"), "Hz");
  EXPECT_EQ(setting_unit(driven, "system.control_torque.phase"), "rad");
}

TEST(Sweep, TasksHaveTheirSettings) {
  const Sweep sweep = small();
  ASSERT_EQ(sweep.tasks(), 12U);
  const auto task = sweep_scenario(sweep, 7);  // 2, 1
  ASSERT_TRUE(task);
  EXPECT_EQ(task->parameters.at("gravity")[0], sweep.axes[0].values[2].number);
  EXPECT_EQ(task->omega(1, 1), 0);
  EXPECT_EQ(setting_unit(sweep.scenario, "system.gravity"), "m/s²");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.omega[1][1]"), "rad/s");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.q[1][1]"), "1");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.angles[1][1]"), "rad");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.base.position[1]"), "m");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.base.velocity[1]"), "m/s");
  EXPECT_EQ(setting_unit(sweep.scenario, "initial.velocity.width"), "deg");
  EXPECT_EQ(setting_unit(sweep.scenario, "integrator.step"), "s");
  EXPECT_EQ(setting_unit(sweep.scenario, "integrator.type"), "");
  EXPECT_EQ(setting_unit(sweep.scenario, "system.tip_force[0]"), "N");
  EXPECT_EQ(setting_unit(sweep.scenario, "system.tip_force.frequency"), "");
}

TEST(Sweep, AnAxisOfTheStepLeavesEventsAtTheirTimes) {
  Scenario scenario = preset();
  scenario.lanes[0].step = 0.01;
  scenario.events = {{.step = 40, .set = {{"system.gravity", 2}}}};
  const Sweep sweep = sweep_of(scenario, {"integrator.step=0.02,0.005,0.03"}, {"cost"});
  EXPECT_EQ(sweep_scenario(sweep, 0)->events[0].step, 20);
  EXPECT_EQ(sweep_scenario(sweep, 1)->events[0].step, 80);
  const Error refused = error_of(sweep_scenario(sweep, 2));
  EXPECT_TRUE(
      refused.text().starts_with("integrator.step: step 40 of an event would become step 13.3"))
      << refused.text();
}

TEST(Sweep, MembersOfABaseThatFliesBeginAtOtherPlaces) {
  Sweep sweep = sweep_of(preset("drone_with_load"), {"duration=1,2"}, {"cost"});
  sweep.members = 100;
  sweep.spread = 1e-3;
  EXPECT_FALSE(value_of(sweep_scenario(sweep, 0)).base);
  const auto system = value_of(Simulation::create(sweep.scenario)).system();
  const auto state_of = [&](const Scenario& s) { return start_state(s, *system, s.q, s.omega); };
  const State exact = state_of(sweep.scenario);
  double square = 0;
  for (std::size_t k = 1; k < 100; ++k) {
    const auto near = value_of(sweep_scenario(sweep, k));
    square += (state_of(near).x - exact.x).squaredNorm() / (99 * 3);
    EXPECT_EQ(value_of(read_scenario(write_scenario(near), "")).base, near.base);
  }
  EXPECT_NEAR(std::sqrt(square), 1.5e-3, 2e-4) << "L = 1.5 m";
}

TEST(Sweep, OfTheSameEnergyCountsTheFlightOfTheBase) {
  const auto base = json::parse(R"({"velocity": [3, 0, 1]})", "");
  Sweep sweep = sweep_of(with(preset("drone_with_load"), "initial.base", value_of(base)),
                         {"system.base_mass=1,2"}, {"cost"});
  sweep.same_energy = true;
  const auto energy = [](const Scenario& s) {
    Simulation run = value_of(Simulation::create(s));
    return total_energy(*run.system(), run.state(0));
  };
  const double wanted = energy(sweep.scenario);
  for (const std::size_t k : {0u, 1u})
    EXPECT_NEAR(energy(value_of(sweep_scenario(sweep, k))), wanted, 1e-10) << k;
}

TEST(Sweep, MembersAreSpreadBySeedTaskAndBody) {
  Sweep sweep = small();
  sweep.members = 200;
  sweep.spread = 1e-3;
  const auto exact = value_of(sweep_scenario(sweep, 0));
  double square = 0;
  for (std::size_t k = 1; k < 200; ++k) {
    const auto near = value_of(sweep_scenario(sweep, k));
    for (Eigen::Index i = 0; i < 2; ++i) {
      EXPECT_NEAR(near.q.col(i).norm(), 1, 1e-15);
      EXPECT_NEAR(near.q.col(i).dot(near.omega.col(i)), 0, 1e-15);
      square += (near.q.col(i) - exact.q.col(i)).squaredNorm() / (199 * 2 * 2);
    }
    // As a file it is the same bit for bit.
    const auto again = value_of(read_scenario(write_scenario(near), ""));
    EXPECT_TRUE(again.q == near.q && again.omega == near.omega);
  }
  EXPECT_NEAR(std::sqrt(square), 1e-3, 1e-4);
  const auto first = sweep_scenario(sweep, 5);
  EXPECT_TRUE(first->q == sweep_scenario(sweep, 5)->q);
  EXPECT_FALSE(first->q == sweep_scenario(sweep, 6)->q);
  sweep.seed = 2;
  EXPECT_FALSE(first->q == sweep_scenario(sweep, 5)->q);
}

TEST(SweepPlan, RefusesWhatCannotBeRunAndSaysWhere) {
  const auto refused = [](Sweep sweep, std::string_view location, std::string_view text) {
    const auto settled = complete_to_end(sweep);
    ASSERT_FALSE(settled) << text;
    EXPECT_EQ(settled.error().location, location) << text;
    EXPECT_TRUE(says(settled.error().message, text));
  };
  Sweep fine = small();
  ASSERT_TRUE(complete_to_end(fine));
  const auto with = [&](auto&& change) {
    Sweep sweep = small();
    change(sweep);
    return sweep;
  };
  refused(with([](Sweep& s) { s.measures.clear(); }), "measure", "is missing");
  refused(with([](Sweep& s) { s.measures.push_back(s.measures[0]); }), "measure",
          "energy_error.max is given twice");
  refused(with([](Sweep& s) { s.axes.clear(); }), "axis", "is missing");
  refused(with([](Sweep& s) { s.axes.push_back(s.axes[0]); }), "axis",
          "system.gravity is given twice");
  for (const char* twice : {"system.gravity=1,2,1", "system.gravity=1:1:2", "system.gravity=1,1e0"})
    refused(with([&](Sweep& s) { s.axes = {axis(twice)}; }), "axis",
            "system.gravity has the value 1 twice");
  for (const bool part_first : {true, false})
    refused(with([&](Sweep& s) {
              s.axes = {axis("system.masses=1,2"), axis("system.masses[0]=1,2")};
              if (part_first) std::swap(s.axes[0], s.axes[1]);
            }),
            "axis", "system.masses[0] is a part of system.masses, which is an axis, too");
  refused(with([](Sweep& s) { s.members = 2; }), "spread", "is missing");
  refused(with([](Sweep& s) { s.members = 2, s.spread = 0.2; }), "spread", "at most 0.1");
  refused(with([](Sweep& s) { s.members = 2, s.spread = std::nan(""); }), "spread", "at most 0.1");
  refused(with([](Sweep& s) {
            s.axes.push_back(axis("duration=1:2:4000"));
            s.axes.push_back(axis("integrator.step=1:2:4000"));
          }),
          "axis", "1.92e+08 tasks are more than 100000000");
  refused(with([](Sweep& s) { s.axes.push_back(axis("system.masses[0]=-1,-2")); }), "axis",
          "system.masses[0]");
  refused(with([](Sweep& s) { s.axes.push_back(axis("integrator.type=rk4,rk2")); }), "measure",
          "no tangent map");
  refused(with([](Sweep& s) { s.scenario.lanes.push_back(s.scenario.lanes[0]); }), "scenario",
          "several integrators");
}

// The first, the middle and the last of the tasks can begin.
TEST(SweepPlan, RefusesAStepThatDoesNotDivideTheTimesOfEvents) {
  Scenario scenario = lasting(1);
  scenario.lanes[0].step = 0.01;
  scenario.events = {{.step = 40, .set = {{"system.gravity", 2}}}};
  const auto planned = [&](const std::string& step) {
    Sweep sweep = sweep_of(scenario, {step, "system.gravity=1,2"}, {"total_energy.last"});
    return complete_to_end(sweep);
  };
  EXPECT_TRUE(planned("integrator.step=0.02,0.01,0.005"));
  for (const std::string path : {"integrator.step", "lanes[0].step"}) {
    const auto settled = planned(path + "=0.02,0.03,0.01,0.005");
    ASSERT_FALSE(settled) << path;
    EXPECT_EQ(settled.error().location, "axis");
    EXPECT_TRUE(settled.error().message.starts_with(
        path + "=0.03: step 40 of an event would become step 13.3"))
        << settled.error().message;
  }
  // Other reasons are the tasks' own.
  EXPECT_TRUE(planned("integrator.step=0.02,-1,0.005"));
}

TEST(SweepPlan, TakesFewRowsWhereNoMeasureNeedsThem) {
  Sweep rows = small();
  ASSERT_TRUE(complete_to_end(rows));
  EXPECT_EQ(rows.scenario.every, 0) << "a mean is over the rows of the run";
  Scenario scenario = lasting(1);
  Sweep none = sweep_of(scenario, {"system.gravity=1,2"}, {"total_energy.last", "cost"});
  ASSERT_TRUE(complete_to_end(none));
  EXPECT_EQ(none.scenario.every, 1000);
  Sweep stopping = none;
  stopping.scenario.every = 0;
  stopping.scenario.stop.push_back({Quantity::potential_energy, true, -15});
  ASSERT_TRUE(complete_to_end(stopping));
  EXPECT_EQ(stopping.scenario.every, 1000) << "stop conditions are checked at every step";
  none.scenario.every = 7;
  ASSERT_TRUE(complete_to_end(none));
  EXPECT_EQ(none.scenario.every, 7);
}

}  // namespace
}  // namespace twosphere::test::sweep_test
