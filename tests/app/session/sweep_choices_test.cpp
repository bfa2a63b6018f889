// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep_choices.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/simd_level.h"
#include "core/base/version.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/setting_unit.h"
#include "core/studies/sweep_task.h"
#include "tests/complete_to_end.h"
#include "tests/long_rod.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::sweep_choices_test {
namespace {

/// What Start would run at first.
Sweep usual(const Scenario& scenario) {
  const DefaultSweep plan = default_sweep(scenario);
  Sweep sweep{.scenario = one_lane(scenario, plan.lane),
              .version = version,
              .isa = std::string(isa_level())};
  const auto settings = sweep_settings(sweep.scenario);
  for (const std::string& path : plan.axes) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const SweepSetting& s) { return s.path == path; });
    EXPECT_NE(found, settings.end()) << path;
    auto axis = value_of(parse_axis(path + "=" + json::shortest(found->low) + ":" +
                                    json::shortest(found->high) + ":5" +
                                    (found->logarithmic ? ":log" : "")));
    sweep.axes.push_back(axis);
  }
  const auto measure =
      value_of(parse_measure(default_measure(exponents_on(sweep)), sweep.scenario));
  sweep.measures.push_back(measure);
  return sweep;
}

TEST(SweepChoices, EveryPresetHasAMapAtOnce) {
  int with_megno = 0;
  for (const Preset& one : presets()) {
    SCOPED_TRACE(one.key);
    Sweep sweep = usual(preset(one.key));
    ASSERT_EQ(sweep.axes.size(), 2U);
    EXPECT_TRUE(succeeds(complete_to_end(sweep)));
    with_megno += sweep.vectors() > 0 ? 1 : 0;
    // A few steps of all its tasks, but of the largest systems.
    if (sweep.scenario.size() > 20) continue;
    sweep.scenario.duration = 10 * sweep.scenario.lanes[0].step;
    const std::atomic<bool> never = false;
    for (std::size_t k = 0; k < sweep.tasks(); ++k) {
      std::string why;
      const auto row = run_sweep_task(sweep, "", k, {}, never, &why);
      ASSERT_TRUE(row && *row);
      EXPECT_NE((*row)->status, TaskStatus::missing);
      if (sweep.axes[0].path.key() == "initial" && sweep.axes[1].path.key() == "initial") {
        EXPECT_NE((*row)->status, TaskStatus::refused) << k << ": " << why;
      }
    }
  }
  EXPECT_GE(with_megno, 10);
}

TEST(SweepChoices, TheDoublePendulumIsMappedOverTwoAngularVelocities) {
  const DefaultSweep plan = default_sweep(preset("double_spherical_pendulum"));
  ASSERT_EQ(plan.axes.size(), 2U);
  EXPECT_TRUE(plan.axes[0].starts_with("initial.omega[1]")) << plan.axes[0];
  EXPECT_TRUE(plan.axes[1].starts_with("initial.omega[0]")) << plan.axes[1];
  EXPECT_EQ(usual(preset("double_spherical_pendulum")).measures[0].key(), "megno");
}

/// A map of a preset over one axis.
Sweep over(std::string_view key, const char* axis) {
  Sweep sweep{.scenario = one_lane(preset(key), 0)};
  sweep.axes.push_back(value_of(parse_axis(axis, &sweep.scenario)));
  return sweep;
}

TEST(SweepChoices, ExponentsAreOfferedWhereTheAxesLeaveATangentMap) {
  const auto expect = [](const Sweep& sweep, bool somewhere, bool everywhere, const char* why) {
    const MapExponents found = exponents_on(sweep);
    EXPECT_EQ(found.somewhere, somewhere) << why;
    EXPECT_EQ(found.everywhere, everywhere) << why;
    EXPECT_TRUE(says(found.why, why));
    EXPECT_EQ(default_measure(found), everywhere ? "megno" : "energy_error.max");
  };
  const char* pendulum = "double_spherical_pendulum";
  expect(over(pendulum, "system.gravity=1:20:5"), true, true, "");
  expect(over(pendulum, "system.damping=1e-4:10:5:log"), false, false, "coupled bodies are damped");
  expect(over(pendulum, "system.damping=0:1:5"), true, false, "coupled bodies are damped");
  expect(over("inverted_double_pendulum", "system.gravity=1:20:5"), false, false, "PD control");
  expect(over("inverted_double_pendulum", "initial.angles[0][0]=1:3:5"), false, false,
         "PD control");
  expect(over("close_encounters", "system.gamma=1:2:5"), false, false, "adapts its steps");
  // What is offered is what Start accepts.
  for (const char* axis : {"system.damping=1e-4:10:5:log", "system.damping=0:1:5"}) {
    Sweep sweep = over(pendulum, axis);
    sweep.measures.push_back({.kind = SweepMeasure::Kind::megno});
    EXPECT_EQ(exponents_on(sweep).somewhere, bool(complete_to_end(sweep))) << axis;
  }
  // Masses that are refused say nothing.
  expect(over(pendulum, "system.masses[0]=-1:1:5"), true, true, "");
}

TEST(SweepChoices, ABodyWithOneFreeComponentIsMappedOverItsRates) {
  for (const char* key : {"custom/magnetic_pendulum", "custom/kepler", "foucault"})
    EXPECT_EQ(default_sweep(preset(key)).axes,
              (std::vector<std::string>{"initial.rates[0][0]", "initial.rates[0][1]"}))
        << key;
  EXPECT_EQ(default_sweep(preset("chain_pendulum")).axes,
            (std::vector<std::string>{"initial.rates[9][0]", "initial.rates[0][0]"}));
}

TEST(SweepChoices, ASystemOfFirstOrderIsMappedOverADirection) {
  const DefaultSweep plan = default_sweep(preset("vortex_leapfrog"));
  EXPECT_EQ(plan.axes, (std::vector<std::string>{"initial.angles[3][0]", "initial.angles[3][1]"}));
  for (const SweepSetting& s : sweep_settings(one_lane(preset("vortex_leapfrog"), 0))) {
    EXPECT_FALSE(s.path.starts_with("initial.omega")) << s.path;
    EXPECT_FALSE(s.path.starts_with("initial.rates")) << s.path;
  }
}

TEST(SweepChoices, ATaskThatDiffersInItsMethodAloneIsALane) {
  const Scenario open = preset("double_spherical_pendulum");
  const auto task = [&](const char* axis) {
    Sweep sweep{.scenario = one_lane(open, 0)};
    sweep.axes.push_back(value_of(parse_axis(axis, &sweep.scenario)));
    sweep.scenario.duration = 3;
    return value_of(sweep_scenario(sweep, 0));
  };
  const auto why = [&](const Scenario& to, const char* axis) {
    const auto lane = as_lane_of(to, task(axis));
    EXPECT_FALSE(lane) << axis;
    return lane ? std::string() : lane.error().message;
  };
  const auto half = value_of(as_lane_of(open, task("integrator.step=0.005")));
  EXPECT_EQ(half.type, "variational");
  EXPECT_EQ(half.step, 0.005);
  EXPECT_EQ(half.name, "variational.2");
  EXPECT_EQ(value_of(as_lane_of(open, task("integrator.type=rk4"))).name, "rk4");

  const std::string shares = "; a lane shares system and start: click to open it as a run";
  EXPECT_EQ(why(open, "system.gravity=1"), "differs in system.gravity" + shares);
  EXPECT_EQ(why(open, "initial.omega[1][1]=2"), "differs in initial.omega[1]" + shares);
  EXPECT_EQ(why(preset("pendulum_network"), "integrator.step=0.005"),
            "differs in system, initial" + shares);
  EXPECT_EQ(why(open, "duration=7"), "is a lane of the run already: variational");
  EXPECT_EQ(why(open, "integrator.step=0.003").find("cannot be a lane: "), 0U);
  Scenario full = open;
  for (const double step : {0.005, 0.0025, 0.00125}) {
    full.lanes.push_back(open.lanes[0]);
    full.lanes.back().step = step;
    full.lanes.back().name = default_names(full.lanes).back();
  }
  EXPECT_EQ(why(full, "integrator.type=rk4"),
            "cannot be a lane: the run has 4, and the window shows no more");
}

TEST(SweepChoices, APlanIsDescribedInWords) {
  Sweep sweep{.scenario = one_lane(preset("double_spherical_pendulum"), 0)};
  for (const char* axis :
       {"system.gravity=1:20:40", "initial.omega[1][1]=-3:3:60", "integrator.type=variational,rk4"})
    sweep.axes.push_back(*parse_axis(axis, &sweep.scenario));
  for (const char* key : {"megno", "energy_error.last"})
    sweep.measures.push_back(*parse_measure(key, sweep.scenario));
  sweep.members = 4;
  sweep.spread = 1e-8;
  using Rows = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(describe(sweep), (Rows{{"Scenario", "Double spherical pendulum"},
                                   {"Horizontal axis", "Gravity g [m/s²]: 1 to 20, 40 values"},
                                   {"Vertical axis", "Start ω₂·e₂ [rad/s]: −3 to 3, 60 values"},
                                   {"Axis 3", "integrator.type: variational, rk4"},
                                   {"Members", "4, spread 1e-08"},
                                   {"Measures", "MEGNO; Energy error, at the end"},
                                   {"Integrator", "Variational (VI), h = 0.01 s"},
                                   {"Duration", "100 s"}}));
}

TEST(SweepChoices, MostTasksOfTheUsualMapsReachTheirEnd) {
  int maps = 0;
  for (const Preset& one : presets()) {
    Sweep sweep = usual(preset(one.key));
    if (sweep.scenario.size() > 4 || sweep.vectors() == 0) continue;
    SCOPED_TRACE(one.key);
    const std::int64_t steps = default_sweep(preset(one.key)).steps;
    EXPECT_LE(steps, 10'000);
    sweep.scenario.duration = static_cast<double>(steps) * sweep.scenario.lanes[0].step;
    sweep.scenario.every = steps;
    const std::atomic<bool> never = false;
    std::size_t refused = 0;
    for (std::size_t k = 0; k < sweep.tasks(); ++k) {
      const auto row = run_sweep_task(sweep, "", k, {}, never);
      ASSERT_TRUE(row && *row);
      refused += failed((*row)->status) ? 1 : 0;
    }
    EXPECT_LE(refused, sweep.tasks() / 3);  // 6 of 25 of three bodies, none of the others
    ++maps;
  }
  EXPECT_EQ(maps, 11);
}

TEST(SweepChoices, EverySettingOffersARangeThatCanBeSet) {
  int taken = 0;
  for (const Preset& one : presets()) {
    const Scenario scenario = one_lane(preset(one.key), 0);
    if (scenario.size() > 20) continue;
    ++taken;
    SCOPED_TRACE(one.key);
    const auto settings = sweep_settings(scenario);
    EXPECT_GE(settings.size(), 3U);
    std::set<std::string> paths;
    for (const SweepSetting& s : settings) {
      EXPECT_TRUE(paths.insert(s.path).second) << s.path << " is offered twice";
      EXPECT_LT(s.low, s.high) << s.path;
      EXPECT_FALSE(s.label.empty()) << s.path;
      EXPECT_TRUE(!s.logarithmic || s.low > 0) << s.path;
      // A value near the middle can be set; at angles of 0 bodies may meet.
      Sweep sweep{.scenario = scenario, .version = version, .isa = std::string(isa_level())};
      const double middle = s.low + 0.45 * (s.high - s.low);
      auto axis = value_of(
          parse_axis(s.path + "=" + json::shortest(s.whole ? std::floor(middle) : middle)));
      sweep.axes.push_back(axis);
      const auto set = sweep_scenario(sweep, 0);
      EXPECT_TRUE(set) << s.path << ": " << set.error().text();
      EXPECT_EQ(setting_unit(scenario, s.path), s.unit) << s.path;
    }
  }
  EXPECT_GE(taken, 11);
}

TEST(SweepChoices, WhatCannotBeSetAloneHasAnAngleInItsPlace) {
  const Scenario scenario = one_lane(preset("double_spherical_pendulum"), 0);
  // q₁ = (√3/2, 0, 1/2), q₂ = e₃.
  for (const auto& [path, expected] : {std::pair("initial.q[0][0]", "initial.angles[0][1]"),
                                       {"initial.q[0][1]", "initial.angles[0][1]"},
                                       {"initial.q[0][2]", "initial.angles[0][0]"},
                                       {"initial.q[1][0]", "initial.angles[1][0]"},
                                       {"initial.q[1][2]", "initial.angles[1][0]"},
                                       {"initial.omega[0][0]", "initial.rates[0][0]"},
                                       {"initial.omega[0][1]", "initial.omega[0][1]"},
                                       {"initial.omega[0][2]", "initial.rates[0][1]"},
                                       {"initial.omega[1][0]", "initial.omega[1][0]"},
                                       {"initial.omega[1][2]", "initial.rates[1][0]"},
                                       {"system.gravity", "system.gravity"},
                                       {"duration", "duration"},
                                       {"initial.q[7][0]", "initial.q[7][0]"}}) {
    EXPECT_EQ(sweep_path(scenario, path), expected) << path;
  }
  // Every component of every preset leads to a setting that is offered and changes the start.
  for (const Preset& one : presets()) {
    SCOPED_TRACE(one.key);
    const Scenario start = one_lane(preset(one.key), 0);
    const int last = start.size() - 1;
    for (const std::string_view key : {"q", "omega"})
      for (int k = 0; k < 3; ++k) {
        // There ω follows from q, and is no setting.
        if (key == "omega" && info_of(start).first_order) continue;
        const std::string path = sweep_path(start, fmt::format("initial.{}[{}][{}]", key, last, k));
        const auto settings = sweep_settings(start, path);
        const auto found = std::find_if(settings.begin(), settings.end(),
                                        [&](const SweepSetting& s) { return s.path == path; });
        ASSERT_NE(found, settings.end()) << path;
        EXPECT_LT(found->low, found->high);
      }
  }
}

TEST(SweepChoices, TheDurationAndNumbersOfBodiesBeyondTheFirstAreOffered) {
  const auto has = [](const std::vector<SweepSetting>& settings, const std::string& path) {
    return std::any_of(settings.begin(), settings.end(),
                       [&](const SweepSetting& s) { return s.path == path; });
  };
  const Scenario molecules = one_lane(preset("lennard_jones"), 0);
  EXPECT_TRUE(has(sweep_settings(molecules), "duration"));
  const std::string far = "initial.angles[600][0]";
  EXPECT_FALSE(has(sweep_settings(molecules), far));
  EXPECT_TRUE(has(sweep_settings(molecules, far), far));
}

TEST(SweepChoices, RangesThatADefinitionDeclaresAreOffered) {
  const Scenario scenario = one_lane(preset("custom/double_pendulum"), 0);
  const auto settings = sweep_settings(scenario);
  int declared = 0;
  for (const auto& [path, low, high] : {std::tuple("system.g", 0.0, 30.0),
                                        {"system.m", 0.1, 10.0},
                                        {"system.m[1]", 0.1, 10.0},
                                        {"system.l[0]", 0.1, 20.0}})
    for (const SweepSetting& s : settings)
      if (s.path == path) {
        EXPECT_EQ(s.low, low) << path;
        EXPECT_EQ(s.high, high) << path;
        ++declared;
      }
  EXPECT_EQ(declared, 4);
}

TEST(SweepChoices, SeedsAreWholeNumbers) {
  const auto seeds = [](const Scenario& scenario) {
    std::vector<std::string> found;
    for (const SweepSetting& s : sweep_settings(one_lane(scenario, 0)))
      if (s.path.ends_with("seed"))
        found.push_back(
            fmt::format("{} {} {} {} {} {}", s.path, s.label, s.unit, s.low, s.high, s.whole));
    return found;
  };
  EXPECT_EQ(seeds(preset("vortex_clusters")),
            (std::vector<std::string>{"initial.generator.seed Seed of the start 1 2 11 true"}));
  EXPECT_EQ(
      seeds(preset("skyrmion")),
      (std::vector<std::string>{"initial.generator[1].seed Seed of generator 2 1 1 10 true"}));
  EXPECT_TRUE(seeds(preset("spin_waves")).empty());
  EXPECT_EQ(seeds(with(preset("domain_wall"), "system.temperature", 0.02)),
            (std::vector<std::string>{"system.seed Seed s 1 0 9 true"}))
      << "of a heat bath";
  const std::vector<Setting> hot{{"system.damping", "0.1"}, {"system.temperature", "0.2"}};
  EXPECT_TRUE(seeds(preset("custom/spin_ring")).empty());
  EXPECT_EQ(seeds(with(preset("custom/spin_ring"), hot)),
            (std::vector<std::string>{"system.seed Seed of the noise 1 0 9 true"}));
}

TEST(SweepChoices, PlotsOfADefinitionAreMeasures) {
  const Scenario scenario = one_lane(preset("custom/double_pendulum"), 0);
  std::vector<std::string> found;
  for (const SweepMeasure& choice : sweep_measures(scenario))
    if (choice.key().starts_with("plots.")) found.push_back(choice.key() + ": " + choice.label());
  EXPECT_EQ(found, (std::vector<std::string>{
                       "plots.height of the last mass.max: Height of the last mass, largest",
                       "plots.height of the last mass.mean: Height of the last mass, mean",
                       "plots.height of the last mass.min: Height of the last mass, least",
                       "plots.height of the last mass.last: Height of the last mass, at the end"}));
  const auto measure = value_of(parse_measure("plots.height of the last mass.mean", scenario));
  EXPECT_EQ(measure.unit(), "m");
  EXPECT_TRUE(measure.needs_rows());
}

TEST(SweepChoices, EveryMeasureThatIsOfferedIsOne) {
  Scenario scenario = preset("double_spherical_pendulum");
  scenario.plots = {{"tilt of the second", "angle(q[1], -e3)", "rad"}};
  std::set<std::string> labels;
  for (const SweepMeasure& choice : sweep_measures(scenario)) {
    const auto measure = parse_measure(choice.key(), scenario);
    ASSERT_TRUE(measure) << choice.key();
    EXPECT_EQ(measure->label(), choice.label());
    EXPECT_FALSE(measure->meaning().empty()) << choice.key();
    EXPECT_TRUE(labels.insert(choice.label()).second) << choice.label();
  }
  EXPECT_TRUE(labels.contains("MEGNO"));
  EXPECT_TRUE(labels.contains("Energy error, largest"));
  for (const char* over : {"largest", "mean", "least", "at the end"})
    EXPECT_TRUE(labels.contains(std::string("Tilt of the second, ") + over)) << over;
}

TEST(SweepChoices, BasinsAreOfManyBodiesToo) {
  Sweep sweep{.scenario = value_of(read_scenario(long_rod(), "rod"))};
  sweep.axes.push_back(value_of(parse_axis("duration=1,2")));
  EXPECT_EQ(why_not_measured(sweep, value_of(parse_measure("basin", sweep.scenario))), "");
}

TEST(SweepChoices, SayWhereTheTimeIsTooShort) {
  const SweepMeasure megno{.kind = SweepMeasure::Kind::megno};
  EXPECT_FALSE(is_too_short(megno, 2.01, 100)) << "regular";
  EXPECT_TRUE(is_too_short(megno, 3.2, 100));
  EXPECT_FALSE(is_too_short(megno, 40, 100)) << "chaotic";
  const SweepMeasure largest{.kind = SweepMeasure::Kind::lyapunov};
  EXPECT_TRUE(is_too_short(largest, 0.1, 10));
  EXPECT_FALSE(is_too_short(largest, 0.1, 1000));
  EXPECT_FALSE(is_too_short({.kind = SweepMeasure::Kind::fli}, 3, 10));
  EXPECT_TRUE(is_too_short({.kind = SweepMeasure::Kind::basin}, -1, 10)) << "it still moves";
  EXPECT_FALSE(is_too_short({.kind = SweepMeasure::Kind::basin}, 0, 10));
}

}  // namespace
}  // namespace twosphere::test::sweep_choices_test
