// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <thread>

#include "core/base/file.h"
#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/mechanics/diagnostics.h"
#include "core/output/csv.h"
#include "core/output/named_values.h"
#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/measured_lane.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_order.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_run.h"
#include "core/studies/sweep_task.h"
#include "tests/complete_to_end.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/temporary_folder.h"

namespace twosphere::test::sweep_test {
namespace {

namespace fs = std::filesystem;

SweepAxis axis(const std::string& text) { return value_of(parse_axis(text)); }

Sweep sweep_of(Scenario scenario, const std::vector<std::string>& axes,
               const std::vector<std::string>& measures) {
  Sweep sweep{.scenario = std::move(scenario), .version = version, .isa = std::string(isa_level())};
  for (const std::string& text : axes) sweep.axes.push_back(axis(text));
  for (const std::string& text : measures)
    sweep.measures.push_back(value_of(parse_measure(text, sweep.scenario)));
  return sweep;
}

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

/// 4 × 3 points of the double pendulum: 100 steps each.
Sweep small() {
  Scenario scenario = lasting(1);
  return sweep_of(
      scenario, {"system.gravity=1:20:4", "initial.omega[1][1]=-1,0,1"},
      {"energy_error.max", "total_energy.last", "kinetic_energy.mean", "potential_energy.min",
       "t_stop", "lyapunov", "lyapunov[7]", "megno", "fli", "cost"});
}

struct Folder : testing::Test {
  SweepFolder folder(Sweep sweep, const std::string& name = "a") const {
    fs::create_directories(in(name));
    return {in(name), "the name", std::move(sweep)};
  }
  static bool run(const SweepFolder& folder, SweepRun how = {}) {
    return value_of(run_sweep(folder, how, [](const SweepProgress&) { return true; }));
  }
  static std::string table(const SweepFolder& folder) {
    return sweep_table(folder, value_of(read_rows(folder)));
  }

  std::string in(const std::string& name) const { return temporary_.in(name); }

  const TemporaryFolder temporary_;
};

const std::atomic<bool> never = false;

SweepRow result(const Sweep& sweep, std::size_t task, std::string* why = nullptr) {
  return value_of(value_of(run_sweep_task(sweep, "", task, {}, never, why)));
}

/// The bits of numbers, of which some may not be finite.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
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

/// The preset with two plots, whose units are given and follow from the text.
Scenario with_plots() {
  Scenario scenario = preset();
  scenario.plots = {{"depth, of both", "-lengths[0]*e3.q[0]-lengths[1]*e3.q[1]", "cm"},
                    {"energy.max", "gravity*masses[1]*e3.q[1]", "N"}};
  return scenario;
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

TEST(SweepTask, MeasuresWhatTheRowsOfTheRunShow) {
  const Sweep sweep = small();
  const SweepRow row = result(sweep, 7);
  EXPECT_EQ(row.status, TaskStatus::done);
  // The same run by itself.
  Simulation run = start(*sweep_scenario(sweep, 7));
  ASSERT_TRUE(run.follow_exponents(8));
  double worst = 0, least = run.sample(0)[Quantity::potential_energy];
  CompensatedSum mean;
  for (int k = 0;; ++k) {
    const Sample& s = run.sample(0);
    worst = std::max(worst, std::abs(s[Quantity::energy_error]));
    mean.add(s[Quantity::kinetic_energy]);
    least = std::min(least, s[Quantity::potential_energy]);
    if (k == 100) break;
    march(run, 1);
  }
  const Exponents& e = *run.lane(0).exponents;
  const std::vector<double> expected{worst,
                                     run.sample(0)[Quantity::total_energy],
                                     mean.value() / 101,
                                     least,
                                     1,
                                     e.spectrum(*run.system(), run.state(0))[0].value,
                                     e.spectrum(*run.system(), run.state(0))[7].value,
                                     e.megno(),
                                     e.fli(),
                                     100};
  EXPECT_EQ(row.values, expected);
}

TEST(SweepTask, FailingTasksAreData) {
  Scenario scenario = lasting(1);
  const Sweep sweep =
      sweep_of(scenario, {"system.masses[0]=1,-1", "integrator.step=0.01,0.5"}, {"t_stop"});
  EXPECT_EQ(result(sweep, 0).status, TaskStatus::done);
  std::string why;
  EXPECT_EQ(result(sweep, 2, &why).status, TaskStatus::refused);
  EXPECT_TRUE(says(why, "system.masses"));
  // A step that is too large.
  scenario.omega.col(1) = Vec3(0, 9, 0);
  const Sweep fast = sweep_of(scenario, {"integrator.step=0.5,0.01"}, {"t_stop", "megno"});
  const SweepRow refused = result(fast, 0, &why);
  EXPECT_EQ(refused.status, TaskStatus::refused);
  EXPECT_EQ(refused.values[0], 0);
  EXPECT_TRUE(says(why, "failed"));
  // A method without a tangent map.
  const Sweep rk4 = sweep_of(preset(), {"integrator.type=rk4,variational"}, {"megno"});
  EXPECT_EQ(result(rk4, 0, &why).status, TaskStatus::refused);
  EXPECT_TRUE(says(why, "no tangent map"));
  // A stop condition.
  scenario = preset();
  scenario.stop.push_back({Quantity::potential_energy, true, -150});
  const SweepRow stopped = result(sweep_of(scenario, {"duration=100"}, {"t_stop"}), 0);
  EXPECT_EQ(stopped.status, TaskStatus::stopped);
  EXPECT_LT(stopped.values[0], 100);
}

TEST(SweepTask, PlotsAreMeasuredWithTheParametersOfTheTask) {
  Scenario scenario = with_plots();
  scenario.duration = 2;
  scenario.every = 25;
  scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
  std::vector<std::string> measures;
  for (const char* name : {"depth, of both", "energy.max"})
    for (const char* over : {"last", "max", "mean", "min"})
      measures.push_back(std::string("plots.") + name + '.' + over);
  const Sweep sweep =
      sweep_of(scenario, {"system.gravity=2,9.81", "system.masses[1]=1,3"}, measures);
  for (std::size_t task = 0; task < sweep.tasks(); ++task) {
    SCOPED_TRACE(task);
    // The columns of a run by itself.
    Simulation alone = start(*sweep_scenario(sweep, task));
    NamedValues named(alone.record().plots);
    std::array<std::vector<double>, 2> columns, steps;
    for (bool ends = false; !ends;) {
      const std::vector<double> now = named.at(alone.present(), alone.system(), &alone.state(0));
      for (std::size_t k = 0; k < 2; ++k) {
        const double value = now[now.size() - 2 + k];
        steps[k].push_back(value);
        if (alone.at_sample()) columns[k].push_back(value);
      }
      ends = alone.finished();
      if (!ends) march(alone, 1);
    }
    std::vector<double> expected;
    for (std::size_t k = 0; k < 2; ++k) {
      CompensatedSum sum;
      for (const double value : columns[k]) sum.add(value);
      expected.insert(expected.end(), {columns[k].back(), *std::ranges::max_element(steps[k]),
                                       sum.value() / static_cast<double>(columns[k].size()),
                                       *std::ranges::min_element(steps[k])});
    }
    EXPECT_EQ(columns[0].size(), 9U);
    const SweepRow row = result(sweep, task);
    EXPECT_EQ(row.status, TaskStatus::done);
    EXPECT_EQ(row.values, expected);
  }
  // As it is read from its file.
  const auto read = value_of(read_sweep(write_sweep(sweep), "sweep.json"));
  EXPECT_EQ(read.measures, sweep.measures);
  EXPECT_EQ(result(read, 3).values, result(sweep, 3).values);
}

TEST(SweepTask, ExtremesAreThoseOfEveryStepForAnyStride) {
  Scenario scenario = with_plots();
  scenario.duration = 4;
  scenario.omega.col(1) = tangent(scenario.q.col(1), Vec3(1, 5, 2));  // a fast motion
  const std::vector<std::string> measures{"energy_error.max",        "kinetic_energy.max",
                                          "kinetic_energy.min",      "angular_momentum_z.min",
                                          "plots.energy.max.max",    "plots.energy.max.min",
                                          "plots.depth, of both.max"};
  std::vector<std::uint64_t> first;
  for (const std::int64_t every : {1, 7, 400}) {
    scenario.every = every;
    const Sweep sweep = sweep_of(scenario, {"system.gravity=9.81,5"}, measures);
    const SweepRow row = result(sweep, 0);
    EXPECT_EQ(row.status, TaskStatus::done);
    if (first.empty()) first = bits(row.values);
    EXPECT_EQ(bits(row.values), first) << every;
    // The run by itself has them, at their times.
    Simulation run = start(*sweep_scenario(sweep, 0));
    auto measured = value_of(MeasuredLane::create(sweep.measures, run.record()));
    run.observe([&](Simulation& at) { return measured.see(at); });
    while (!run.finished()) ASSERT_FALSE(run.advance_to(run.planned_steps()));
    const auto values = measured.values(run);
    ASSERT_EQ(values.size(), measures.size());
    Simulation walked = start(*sweep_scenario(sweep, 0));
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(values[k].value), first[k]) << measures[k];
    double largest = walked.sample(0)[Quantity::kinetic_energy], t = 0;
    while (!walked.finished()) {
      march(walked, 1);
      if (const double now = walked.sample(0)[Quantity::kinetic_energy]; now > largest)
        largest = now, t = walked.time();
    }
    EXPECT_EQ(values[1].value, largest);
    EXPECT_EQ(values[1].time, t);
    EXPECT_GT(t, 0);
  }
}

TEST(SweepTask, TheClosestApproachIsFoundBetweenRows) {
  Scenario scenario = lasting(2, preset("three_body"));
  std::vector<double> found;
  for (const std::int64_t every : {1, 100}) {
    scenario.every = every;
    found.push_back(
        result(sweep_of(scenario, {"system.gamma=1,0.5"}, {"closest_angle.min"}), 0).values[0]);
  }
  EXPECT_EQ(found[0], found[1]);
  Simulation run = start(scenario);
  double least = run.system()->closest_encounter(run.state(0).q)->angle;
  while (!run.finished()) {
    march(run, 1);
    least = std::min(least, run.system()->closest_encounter(run.state(0).q)->angle);
  }
  EXPECT_EQ(found[0], least);
  EXPECT_FALSE(parse_measure("closest_angle.min", preset()));
}

TEST(SweepTask, ExtremesGoOnWithASavedState) {
  Scenario scenario = lasting(4);
  scenario.every = 50;
  Simulation whole = start(scenario), before = start(scenario);
  std::vector<SweepMeasure> measures;
  for (const char* text : {"kinetic_energy.max", "kinetic_energy.min", "kinetic_energy.mean"})
    measures.push_back(*parse_measure(text, scenario));
  const auto go = [](Simulation& run, MeasuredLane& lane, std::int64_t to) {
    run.observe([&](Simulation& at) { return lane.see(at); });
    while (run.steps() < to) {
      ASSERT_FALSE(run.advance_to(to));
      if (run.at_sample()) lane.add_row(run);
    }
  };
  MeasuredLane all = value_of(MeasuredLane::create(measures, scenario)),
               part = value_of(MeasuredLane::create(measures, scenario));
  all.add_row(whole);
  go(whole, all, 400);
  part.add_row(before);
  go(before, part, 150);
  Simulation after = loaded(before);
  const json::Node saved = part.saved(before.steps());
  const document::Origin source{"state"};
  MeasuredLane rest = value_of(MeasuredLane::create(measures, scenario));
  ASSERT_TRUE(rest.restore(document::Value(source, saved, "")));
  go(after, rest, 250);
  const auto expected = all.values(whole), values = rest.values(after);
  for (std::size_t k = 0; k < measures.size(); ++k) {
    EXPECT_EQ(values[k].value, expected[k].value) << k;
    EXPECT_EQ(values[k].time, expected[k].time) << k;
  }
}

/// How many of its tasks go together.
std::size_t width_of(const Sweep& sweep) {
  Simulation run = start(*sweep_scenario(sweep, 0));
  const int vectors = sweep.vectors();
  EXPECT_TRUE(vectors == 0 || run.follow_exponents(vectors));
  return run.width();
}

/// Members of two systems, of which some stop or fail on their way.
std::vector<Sweep> families() {
  const std::vector<std::string> measures{
      "energy_error.max",    "kinetic_energy.mean", "angular_momentum_z.last", "t_stop", "cost",
      "plots.energy.max.max"};
  const std::vector<std::string> tangent{"energy_error.max", "lyapunov", "megno", "fli", "t_stop"};
  std::vector<Sweep> all;
  const std::vector<std::pair<const char*, std::vector<std::string>>> kinds{
      {"variational", measures},
      {"variational6", measures},
      {"rk4", measures},
      {"variational", tangent},
      {"variational4", tangent}};
  for (const auto& [method, values] : kinds) {
    Scenario scenario = with(with_plots(), {{"integrator.type", method}});
    scenario.duration = 3;
    scenario.every = 25;
    scenario.stop.push_back({Quantity::potential_energy, true, -15});
    scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
    all.push_back(
        sweep_of(scenario, {"system.masses[1]=1,2", "initial.omega[1][1]=-4:4:19"}, values));
    all.back().members = 2;
    all.back().spread = 1e-3;
  }
  // Steps of some radians fail.
  Scenario fast = with(preset(), {{"integrator.step", 0.1}});
  fast.duration = 2;
  fast.every = 7;
  fast.plots = with_plots().plots;
  for (const auto& values : {measures, tangent})
    all.push_back(sweep_of(fast, {"initial.omega[1][1]=0:25:40"}, values));
  Scenario bodies = lasting(0.5, preset("three_body"));
  bodies.every = 10;
  all.push_back(sweep_of(bodies, {"system.gamma=0.5,1", "initial.omega[0][2]=-0.5:0.5:40"},
                         {"energy_error.max", "total_energy.last", "t_stop"}));
  return all;
}

std::vector<std::size_t> all_tasks(const Sweep& sweep) {
  std::vector<std::size_t> tasks(sweep.tasks());
  std::iota(tasks.begin(), tasks.end(), 0);
  return tasks;
}

/// On every instruction set level of this processor.
struct Groups : testing::TestWithParam<std::string_view> {
  void SetUp() override { ASSERT_TRUE(force_isa_level(GetParam())); }
  void TearDown() override { ASSERT_TRUE(force_isa_level("")); }
};
INSTANTIATE_TEST_SUITE_P(Levels, Groups, testing::ValuesIn(isa_levels()),
                         [](const auto& p) { return std::string(p.param); });

TEST_P(Groups, GiveWhatEachTaskGivesAlone) {
  std::set<TaskStatus> seen;
  for (const Sweep& sweep : families()) {
    SCOPED_TRACE(sweep.scenario.system + ' ' + sweep.scenario.lanes[0].type + ' ' +
                 std::to_string(sweep.vectors()));
    const auto groups = groups_of_tasks(sweep, all_tasks(sweep), 1);
    EXPECT_EQ(groups.size() < sweep.tasks(), width_of(sweep) > 1);
    std::map<std::size_t, SweepRow> rows;
    for (const std::vector<std::size_t>& group : groups) {
      const TaskCalls calls{[](std::size_t) { return TaskStates{}; },
                            [&](EndedTask ended) {
                              ASSERT_TRUE(ended.row);
                              EXPECT_TRUE(rows.emplace(ended.index, *ended.row).second);
                            }};
      ASSERT_TRUE(run_sweep_tasks(sweep, "", group, calls, never));
    }
    ASSERT_EQ(rows.size(), sweep.tasks());
    for (const auto& [task, row] : rows) {
      const SweepRow alone = result(sweep, task);
      EXPECT_EQ(row.task, task);
      EXPECT_EQ(row.status, alone.status) << task;
      EXPECT_EQ(bits(row.values), bits(alone.values)) << task;
      seen.insert(row.status);
    }
  }
  EXPECT_EQ(seen, (std::set{TaskStatus::done, TaskStatus::stopped, TaskStatus::refused}));
}

TEST(SweepTask, GroupsAreOfTasksThatDifferInTheirStarts) {
  for (const Sweep& sweep : families()) {
    const std::vector<std::size_t> tasks = coarse_to_fine(sweep.shape());
    const std::size_t width = width_of(sweep);
    for (const int threads : {1, 2, 1000}) {
      std::vector<std::size_t> found;
      std::size_t largest = 0;
      for (const std::vector<std::size_t>& group : groups_of_tasks(sweep, tasks, threads)) {
        const Scenario first = *sweep_scenario(sweep, group[0]);
        for (const std::size_t task : group)
          EXPECT_EQ(sweep_scenario(sweep, task)->parameters, first.parameters);
        found.insert(found.end(), group.begin(), group.end());
        largest = std::max(largest, group.size());
      }
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, all_tasks(sweep));
      // Some vectors of tasks, of which a processor with short ones takes more at a time.
      if (threads == 1000)
        EXPECT_EQ(largest, 1);
      else
        EXPECT_TRUE(largest >= width && largest % width == 0) << largest << " by " << threads;
    }
  }
  // Several tangent vectors, or the starts are the same.
  for (const Sweep& sweep : {small(), sweep_of(preset(), {"system.gravity=1:9:99"}, {"t_stop"})})
    EXPECT_EQ(groups_of_tasks(sweep, all_tasks(sweep), 1).size(), sweep.tasks());
  // Many, so that a task that has ended makes room for another.
  for (const char* measure : {"t_stop", "megno"}) {
    const Sweep many = sweep_of(preset(), {"initial.omega[1][1]=-4:4:2000"}, {measure});
    const std::size_t width = width_of(many);
    EXPECT_EQ(groups_of_tasks(many, all_tasks(many), 1)[0].size(), width > 1 ? 8 * width : 1);
  }
}

/// As many runs of starts of the preset as go together.
std::vector<Simulation> runs_of_starts(const std::vector<Setting>& settings) {
  Scenario scenario = with(preset(), settings);
  scenario.every = 25;
  std::vector<Simulation> runs;
  do {
    scenario.omega(1, 1) += 0.1;
    runs.push_back(start(scenario));
  } while (runs.size() < runs[0].width());
  return runs;
}
std::vector<Simulation*> all_of(std::vector<Simulation>& runs) {
  std::vector<Simulation*> out;
  for (Simulation& run : runs) out.push_back(&run);
  return out;
}

TEST(SweepTask, RunsGoTogetherWhateverStepsTheyAreAt) {
  std::vector<Simulation> runs = runs_of_starts({});
  if (runs.size() == 1) GTEST_SKIP();
  // The first is a row ahead, as are those of a group when another one has ended.
  while (runs[0].steps() < 25) ASSERT_FALSE(runs[0].advance_to(25));
  Simulation::advance_together(all_of(runs));
  for (std::size_t k = 0; k < runs.size(); ++k) EXPECT_EQ(runs[k].steps(), k == 0 ? 49 : 24) << k;
  // One that has other settings by now.
  ASSERT_TRUE(runs[1].set({{"system.gravity", 5.0}}));
  for (Simulation& run : runs) march(run, 1);
  Simulation::advance_together(all_of(runs));
  for (std::size_t k = 0; k < runs.size(); ++k) EXPECT_EQ(runs[k].steps(), k == 0 ? 50 : 25) << k;
}

TEST_F(Folder, ATaskThatIsPastAnEventGoesOnBesideThoseBeforeIt) {
  Scenario scenario = preset();
  scenario.every = 25;
  scenario.duration = 3;
  scenario.events.push_back({.step = 110, .set = {{"system.gravity", 5.0}}});
  const Sweep sweep = sweep_of(scenario, {"initial.omega[1][1]=-2:2:8"}, {"energy_error.max"});
  const auto states = [&](std::size_t task) {
    return TaskStates{in(""), std::to_string(task) + ".json", 0};
  };
  // A task as it is when it was interrupted there.
  std::atomic<bool> stop = false;
  int rows = 0;
  TaskStates first = states(2);
  first.saved = [&] { stop = ++rows == 6; };
  ASSERT_FALSE(value_of(run_sweep_task(sweep, "name", 2, first, stop)));
  std::size_t ended = 0;
  const TaskCalls calls{states, [&](EndedTask end) {
                          ASSERT_TRUE(end.row);
                          ++ended;
                          EXPECT_EQ(end.row->values, result(sweep, end.index).values) << end.index;
                        }};
  ASSERT_TRUE(run_sweep_tasks(sweep, "name", all_tasks(sweep), calls, never));
  EXPECT_EQ(ended, sweep.tasks());
}

TEST_F(Folder, GroupsGoOnFromTheirStatesBitForBit) {
  Scenario scenario = preset();
  scenario.every = 20;
  scenario.duration = 10;
  // With tangent vectors, and without.
  const Sweep plain =
      sweep_of(scenario, {"initial.omega[1][1]=-2:2:16"}, {"energy_error.max", "t_stop", "cost"});
  const Sweep followed =
      sweep_of(scenario, {"initial.omega[1][1]=-2:2:16"}, {"megno", "fli", "lyapunov"});
  for (const Sweep& sweep : {plain, followed}) {
    std::map<std::size_t, SweepRow> rows;
    std::vector<std::size_t> left = all_tasks(sweep);
    int interruptions = 0;
    for (; !left.empty(); ++interruptions) {
      ASSERT_LT(interruptions, 5000);
      std::atomic<bool> stop = false;
      std::jthread interrupter([&stop, interruptions] {
        std::this_thread::sleep_for(std::chrono::microseconds(700 + 377 * (interruptions % 40)));
        stop = true;
      });
      const TaskCalls calls{[&](std::size_t task) {
                              return TaskStates{in(""), std::to_string(task) + ".json", 0};
                            },
                            [&](EndedTask ended) {
                              if (ended.row) rows[ended.index] = *ended.row;
                            }};
      ASSERT_TRUE(run_sweep_tasks(sweep, "name", left, calls, stop));
      std::erase_if(left, [&](std::size_t task) { return rows.contains(task); });
    }
    EXPECT_GT(interruptions, 3);
    for (const auto& [task, row] : rows) EXPECT_EQ(row.values, result(sweep, task).values) << task;
    EXPECT_TRUE(fs::is_empty(temporary_.path()));
  }
}

TEST_F(Folder, GroupsGiveTheSameBytesHoweverTheyAreDivided) {
  const std::vector<Sweep> all = families();
  for (const std::size_t k : {0, 3}) {
    const Sweep& sweep = all[k];
    const std::string name = std::to_string(sweep.vectors());
    const SweepFolder one = folder(sweep, name + "one");
    ASSERT_TRUE(run(one));
    const std::string expected = table(one);
    const SweepFolder threads = folder(sweep, name + "threads");
    ASSERT_TRUE(run(threads, {.jobs = 3}));
    EXPECT_EQ(table(threads), expected);
    const SweepFolder parts = folder(sweep, name + "parts");
    for (const int part : {2, 3, 1}) ASSERT_TRUE(run(parts, {.part = {part, 3}}));
    EXPECT_EQ(table(parts), expected);
    const SweepFolder alone = folder(sweep, name + "alone");
    ASSERT_TRUE(run(alone, {.jobs = 1000}));
    EXPECT_EQ(table(alone), expected);
  }
}

TEST_F(Folder, ATaskGoesOnFromItsStateBitForBit) {
  Scenario scenario = preset();
  scenario.every = 20;
  scenario.duration = 20;
  // An event, and adaptive inner steps, too.
  scenario.events.push_back({.step = 1500, .set = {{"system.gravity", 5.0}}});
  Sweep sweep = sweep_of(
      scenario, {"system.masses[1]=1,2"},
      {"energy_error.max", "kinetic_energy.mean", "potential_energy.min", "t_stop", "lyapunov",
       "lyapunov[7]", "megno", "fli", "frequency", "frequency[1]", "diffusion", "cost"});
  for (const char* method : {"variational", "variational4", "variational_adaptive"}) {
    SCOPED_TRACE(method);
    sweep.scenario = with(sweep.scenario, {{"integrator.type", method}});
    if (std::string(method) == "variational_adaptive")
      std::erase_if(sweep.measures, [](const SweepMeasure& m) { return m.vectors() > 0; });
    const SweepRow whole = result(sweep, 1);
    // A state at every row; interrupted a thousand times where it likes.
    const TaskStates states{in(""), "state.json", 0};
    std::optional<SweepRow> row;
    int interruptions = 0;
    while (!row) {
      std::atomic<bool> stop = false;
      std::jthread interrupter([&stop, interruptions] {
        std::this_thread::sleep_for(std::chrono::microseconds(500 + 377 * (interruptions % 40)));
        stop = true;
      });
      row = value_of(run_sweep_task(sweep, "name", 1, states, stop));
      ++interruptions;
      ASSERT_LT(interruptions, 5000);
    }
    EXPECT_GT(interruptions, 3);
    EXPECT_EQ(row->status, whole.status);
    EXPECT_EQ(row->values, whole.values);
    EXPECT_FALSE(fs::exists(in("state.json")));
  }
}

TEST_F(Folder, EveryDivisionAndInterruptionGivesTheSameBytes) {
  const SweepFolder one = folder(small(), "one");
  ASSERT_TRUE(run(one));
  const std::string expected = table(one);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 13);
  const SweepFolder threads = folder(small(), "threads");
  ASSERT_TRUE(run(threads, {.jobs = 4}));
  EXPECT_EQ(table(threads), expected);
  const SweepFolder parts = folder(small(), "parts");
  for (const int k : {3, 1, 5, 2, 4}) ASSERT_TRUE(run(parts, {.part = {k, 5}}));
  EXPECT_EQ(table(parts), expected);
  // Another division finds nothing left.
  std::size_t before = 0;
  ASSERT_TRUE(run_sweep(parts, {}, [&](const SweepProgress& p) {
    before = p.before;
    return true;
  }));
  EXPECT_EQ(before, 12U);
  // Stopped after every look.
  const SweepFolder stopped = folder(small(), "stopped");
  for (int k = 0; k < 200; ++k) {
    const auto done = value_of(run_sweep(stopped, {}, [](const SweepProgress&) { return false; }));
    if (done) break;
  }
  EXPECT_EQ(table(stopped), expected);
}

TEST_F(Folder, TornAndChangedRowsAreRunAgain) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a));
  const std::string expected = table(a), file = a.inside("rows/1-of-1.csv");
  const auto whole = value_of(read_file(file, 1 << 20));
  for (const std::size_t cut : {std::size_t{1}, std::size_t{7}, std::size_t{60}, whole.size() / 2,
                                whole.size() - 70, whole.size()}) {
    ASSERT_TRUE(write_file(file, std::string_view(whole).substr(0, whole.size() - cut)));
    ASSERT_TRUE(run(a));
    EXPECT_EQ(table(a), expected) << cut;
  }
  // A digit of a row in the middle.
  std::string changed = whole;
  const std::size_t at = changed.find("\n3,done,") + 9;
  changed[at] = changed[at] == '5' ? '6' : '5';
  ASSERT_TRUE(write_file(file, changed));
  EXPECT_NE(table(a), expected);
  ASSERT_TRUE(run(a));
  EXPECT_EQ(table(a), expected);
  // Rows of another sweep.
  SweepFolder other = a;
  other.name = "another";
  EXPECT_FALSE(read_rows(other));
  EXPECT_FALSE(run_sweep(other, {}, [](const SweepProgress&) { return true; }));
}

TEST_F(Folder, AFileThatHasNoRowsOfThisSweepStays) {
  const SweepFolder a = folder(small());
  fs::create_directories(a.inside("rows"));
  const std::string file = a.inside("rows/1-of-1.csv");
  for (const std::string mine : {"my notes", "my notes\n", "task,1,2\n3,4\n"}) {
    SCOPED_TRACE(mine);
    ASSERT_TRUE(write_file(file, mine));
    const Error ran = error_of(run_sweep(a, {}, [](const SweepProgress&) { return true; }));
    EXPECT_EQ(ran.kind, ErrorKind::input_output);
    EXPECT_EQ(ran.text(),
              file +
                  ": does not begin as the rows of this sweep; move it away to run its tasks "
                  "again");
    EXPECT_FALSE(read_rows(a));
    EXPECT_FALSE(SweepReader(a).read());
    EXPECT_EQ(*read_file(file, 1 << 20), mine);
  }
}

TEST_F(Folder, LinksInAFolderLeadNowhere) {
  ASSERT_TRUE(write_file(in("mine"), "mine"));
  fs::create_directories(in("own"));
  for (const std::string link : {"rows", "times", "states", "running", "reasons", "notes",
                                 "rows/1-of-1.csv", "times/1-of-1.csv", "running/1-of-1.txt"}) {
    SCOPED_TRACE(link);
    const SweepFolder a = folder(small());
    const bool whole = link.find('/') == link.npos;
    fs::create_directories(fs::path(a.inside(link)).parent_path());
    fs::create_symlink(in(whole ? "own" : "mine"), a.inside(link));
    const Error ran = error_of(run_sweep(a, {}, [](const SweepProgress&) { return true; }));
    EXPECT_EQ(ran.text(),
              a.inside(link) + ": is a symbolic link, and none is followed in this folder");
    EXPECT_EQ(read_rows(a).has_value(), !link.starts_with("rows"));
    fs::remove_all(a.path);
  }
  EXPECT_EQ(*read_file(in("mine"), 100), "mine");
  EXPECT_TRUE(fs::is_empty(in("own")));
}

TEST_F(Folder, TasksSayHowFarTheirSignalsAreMeasured) {
  const Scenario scenario =
      with(preset("custom/pendulum"), {{"integrator.type", "rk45"}, {"duration", 80.0}});
  const SweepFolder a =
      folder(sweep_of(scenario, {"integrator.step=0.05,2"}, {"frequency", "energy_error.max"}));
  ASSERT_TRUE(run(a));
  EXPECT_EQ(note_of(a, 0), "");
  EXPECT_TRUE(says(note_of(a, 1),
                   "more than half a turn in the 2 s between samples: frequencies "
                   "beyond 0.25 Hz appear as lower ones"));
  EXPECT_EQ(notes_of(a).size(), 1U);
  // A run that stops says why in the words of its summary.
  const Scenario stops = with(scenario, {{"stop", *json::parse_value(R"([{"time": 3}])")}});
  const SweepFolder b = folder(sweep_of(stops, {"integrator.step=0.05"}, {"frequency"}), "b");
  ASSERT_TRUE(run(b));
  Simulation alone = start(*sweep_scenario(b.sweep, 0));
  while (!alone.stopped()) ASSERT_FALSE(alone.advance_to(alone.planned_steps()));
  EXPECT_EQ(note_of(b, 0), "stopped: " + *alone.stopped());
  // Where no signal is measured the status says it.
  const SweepFolder c = folder(sweep_of(stops, {"integrator.step=0.05"}, {"cost"}), "c");
  ASSERT_TRUE(run(c));
  EXPECT_TRUE(notes_of(c).empty());
}

TEST_F(Folder, MissingTasksAreMarked) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a, {.part = {2, 3}}));
  const std::string text = table(a);
  EXPECT_TRUE(says(text, "0,1,-1,,,,,,,,,,,missing\r\n"));
  EXPECT_TRUE(says(text, ",done\r\n"));
  EXPECT_TRUE(
      text.starts_with("task,system.gravity [m/s²],initial.omega[1][1] [rad/s],"
                       "energy_error.max [J],"))
      << text;
}

TEST_F(Folder, TasksAreRunCoarseToFine) {
  const SweepFolder a = folder(small());
  ASSERT_TRUE(run(a));
  const auto text = value_of(read_file(a.inside("rows/1-of-1.csv"), 1 << 20));
  std::vector<std::size_t> numbers;
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1))
    numbers.push_back(std::stoul(text.substr(at + 1)));
  EXPECT_EQ(numbers, coarse_to_fine({4, 3}));
  // Those of a part in the same order.
  const SweepFolder part = folder(small(), "part");
  ASSERT_TRUE(run(part, {.part = {2, 2}}));
  const auto rows = value_of(SweepReader(part).read());
  std::vector<std::size_t> odd = coarse_to_fine({4, 3}), read;
  std::erase_if(odd, [](std::size_t k) { return k % 2 == 0; });
  for (const SweepRow& row : rows) read.push_back(row.task);
  EXPECT_EQ(read, odd);
}

TEST_F(Folder, NewRowsAreReadAsTheyAreWritten) {
  const SweepFolder whole = folder(small(), "whole"), grows = folder(small(), "grows");
  ASSERT_TRUE(run(whole));
  const auto text = value_of(read_file(whole.inside("rows/1-of-1.csv"), 1 << 20));
  fs::create_directories(grows.inside("rows"));
  SweepReader reader(grows);
  std::vector<SweepRow> rows;
  const auto take = [&] {
    auto fresh = reader.read();
    EXPECT_TRUE(fresh) << (fresh ? "" : fresh.error().text());
    if (fresh) rows.insert(rows.end(), fresh->begin(), fresh->end());
    return fresh ? fresh->size() : 0;
  };
  EXPECT_EQ(take(), 0U);
  // A byte at a time.
  const std::string file = grows.inside("rows/1-of-1.csv");
  for (const char c : text) {
    std::ofstream(file, std::ios::app) << c;
    EXPECT_LE(take(), 1U);
  }
  EXPECT_EQ(take(), 0U);
  const auto all = value_of(read_rows(whole));
  ASSERT_EQ(rows.size(), 12U);
  for (const SweepRow& row : rows) {
    EXPECT_EQ(row.status, all[row.task].status);
    EXPECT_EQ(row.values, all[row.task].values);
  }
  // A torn line is read once it is whole; another part is found.
  std::ofstream(file, std::ios::app) << "3,do";
  EXPECT_EQ(take(), 0U);
  ASSERT_TRUE(run(grows, {.part = {1, 2}}));
  EXPECT_EQ(take(), 0U) << "all tasks of that part had rows";
  SweepFolder other = grows;
  other.name = "another";
  EXPECT_FALSE(SweepReader(other).read());
}

TEST_F(Folder, NetcdfAndZarrAreTheSameBytesEveryTime) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  Scenario scenario = lasting(0.1);
  scenario.title = "ω₁, 𝑞, \"é\"";
  Sweep sweep =
      sweep_of(scenario, {"system.gravity=1:20:3", "integrator.type=variational,variational4"},
               {"energy_error.max", "megno"});
  sweep.members = 2;
  sweep.spread = 1e-6;
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  for (const char* name : {"1.nc", "2.nc", "1.zarr", "2.zarr", "2.zarr"}) {
    ASSERT_TRUE(succeeds(write_netcdf(a, rows, in(name))));
  }
  const auto bytes_of = [](const std::string& path) {
    const auto text = read_file(path, 1 << 24);
    EXPECT_TRUE(text) << path;
    return text ? *text : path;
  };
  EXPECT_EQ(bytes_of(in("1.nc")), bytes_of(in("2.nc")));
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(in("1.zarr"))) {
    if (!entry.is_regular_file()) continue;
    const std::string inside = fs::relative(entry.path(), in("1.zarr")).string();
    EXPECT_EQ(bytes_of(entry.path()), bytes_of(in("2.zarr/" + inside))) << inside;
    if (entry.path().filename() == ".zattrs") {
      for (const char c : bytes_of(entry.path()))
        ASSERT_LT(static_cast<unsigned char>(c), 0x80) << inside;
    }
    ++files;
  }
  EXPECT_GT(files, 10U);
  const std::string texts = bytes_of(in("1.zarr/.zattrs"));
  EXPECT_TRUE(says(texts, R"("sweep of: \\u03c9\\u2081, \\ud835\\udc5e, \"\\u00e9\"")"));
  EXPECT_TRUE(says(bytes_of(in("1.zarr/system_gravity/.zattrs")), R"("units": "m/s2")"));
  // No status is missing, so that there is no number for it; all descriptions are in one file.
  const std::string status = bytes_of(in("1.zarr/status/.zarray"));
  EXPECT_TRUE(says(status, "\"fill_value\": null"));
  const std::string megno = bytes_of(in("1.zarr/megno/.zarray"));
  EXPECT_TRUE(says(megno, "\"fill_value\": NaN"));
  const std::string all = bytes_of(in("1.zarr/.zmetadata"));
  EXPECT_TRUE(says(all, "\"zarr_consolidated_format\": 1"));
  EXPECT_TRUE(says(all, "\"status/.zarray\": " + status));
  EXPECT_TRUE(says(all, "\"integrator_type/.zattrs\": {"));
  EXPECT_TRUE(says(all, "\".zattrs\": {"));
  // A link stays, and leads to the new group or file.
  fs::create_symlink("1.zarr", in("link.zarr"));
  fs::create_symlink("3.nc", in("link.nc"));
  for (const char* name : {"link.zarr", "link.nc"}) {
    ASSERT_TRUE(write_netcdf(a, rows, in(name)));
    EXPECT_TRUE(fs::is_symlink(in(name)));
  }
  EXPECT_EQ(bytes_of(in("3.nc")), bytes_of(in("1.nc")));
  // What is there and is no Zarr group stays.
  fs::create_directories(in("mine.zarr"));
  EXPECT_FALSE(write_netcdf(a, rows, in("mine.zarr")));
  EXPECT_EQ(variable_name("initial.omega[1][2]"), "initial_omega_1_2");
}

TEST_F(Folder, AxesWhoseNamesAreAlikeAreVariablesOfTheirOwn) {
  const std::string text = R"json({"twosphere": 1,
"system": {"type": "custom", "parameters": {"k": [1, 2], "k_0": 3}, "inertia": "diag(1)",
           "potential": "sum(i: k[i]*k_0*q[i].e3)"},
"initial": {"q": [[1, 0, 0], [0, 1, 0]], "omega": [[0, 0, 1], [0, 0, 1]]},
"integrator": {"type": "variational", "step": 0.01}, "duration": 0.1})json";
  const auto scenario = value_of(read_scenario(text, "two.json"));
  Sweep sweep = sweep_of(scenario, {"system.k[0]=1,2", "system.k_0=3,4,5"}, {"energy_error.max"});
  EXPECT_EQ(axis_names(sweep), (std::vector<std::string>{"system_k_0", "system_k_0_2"}));
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  if (has_netcdf())
    for (const char* name : {"a.nc", "a.zarr"}) {
      EXPECT_TRUE(succeeds(write_netcdf(a, rows, in(name))));
    }
  // One setting by two paths is given twice.
  sweep.axes[1] = axis("system.parameters.k[0]=3,4,5");
  EXPECT_EQ(error_of(complete_to_end(sweep)).message, "system.parameters.k[0] is given twice");
}

TEST_F(Folder, ManyWordsWithSpacesAreFlags) {
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  Scenario scenario = lasting(0.01);
  Sweep sweep = sweep_of(scenario, {"system.gravity=1,2"}, {"energy_error.max"});
  SweepAxis words = axis("title=first one,second");
  for (int k = 0; k < 200; ++k) words.values.emplace_back(fmt::format("title {}", k));
  sweep.axes = {words};
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  ASSERT_TRUE(succeeds(write_netcdf(a, value_of(read_rows(a)), in("a.zarr"))));
  const auto flags = value_of(read_file(in("a.zarr/title/.zattrs"), 1 << 20));
  EXPECT_TRUE(says(flags, "\"first_one second title_0 "));
  EXPECT_TRUE(says(flags, ",199,200,201]"));
}

TEST_F(Folder, PlotsWhoseNamesAreAlikeAreVariablesOfTheirOwn) {
  Scenario scenario = lasting(0.1);
  for (const char* name : {"a b", "a-b", "α"}) scenario.plots.push_back({name, "e3.q[1]", "1"});
  const Sweep sweep = sweep_of(scenario, {"system.gravity=1,2"},
                               {"plots.a b.max", "plots.a-b.max", "plots.α.max", "megno"});
  EXPECT_EQ(measure_names(sweep),
            (std::vector<std::string>{"plots_a_b_max", "plots_a_b_max_2", "plots_max", "megno"}));
  const SweepFolder a = folder(sweep);
  ASSERT_TRUE(run(a));
  const auto rows = value_of(read_rows(a));
  if (!has_netcdf()) GTEST_SKIP() << "this build has no netCDF";
  ASSERT_TRUE(succeeds(write_netcdf(a, rows, in("a.zarr"))));
  const auto second = value_of(read_file(in("a.zarr/plots_a_b_max_2/.zattrs"), 1 << 20));
  EXPECT_TRUE(says(second, R"("long_name": "plots.a-b.max")"));
}

TEST(Checksum, IsTheCrc32OfTheStandard) {
  EXPECT_EQ(checksum("123456789"), 0xcbf43926U);
  EXPECT_EQ(checksum(""), 0U);
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
