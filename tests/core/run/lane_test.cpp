// SPDX-License-Identifier: GPL-3.0-or-later
// Several integrators in lockstep from one start.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/output/csv.h"
#include "core/output/lane_style.h"
#include "core/record/history.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/sample_row.h"
#include "tests/six_spins.h"

namespace twosphere::test::lane_test {
namespace {

json::Node parsed(const std::string& text) { return value_of(json::parse(text, "test")); }

/// A preset with these lanes.
Result<Scenario> with_lanes(std::string_view key, const std::string& lanes) {
  return with_setting(preset(key), "lanes", parsed(lanes));
}

/// Three methods with three steps.
Scenario mixed() {
  return value_of(with_lanes("double_spherical_pendulum",
                             R"([{"type": "variational", "step": 0.02},
                          {"type": "rk45", "step": 0.01, "relative_tolerance": 1e-6},
                          {"type": "rk4", "step": 0.004, "formulation": "momentum"}])"));
}

Scenario only(const Scenario& scenario, std::size_t lane) {
  Scenario s = scenario;
  s.lanes = {s.lanes[lane]};
  return s;
}

/// Two lanes at the same place of their runs, bit for bit. The time of samples is the run's.
void expect_same(Simulation& a, int lane_a, Simulation& b, int lane_b, const std::string& what) {
  EXPECT_EQ(a.state(lane_a).t, b.state(lane_b).t) << what;
  EXPECT_EQ(a.state(lane_a).q, b.state(lane_b).q) << what;
  EXPECT_EQ(a.state(lane_a).w, b.state(lane_b).w) << what;
  EXPECT_EQ(a.lane(lane_a).integrator->saved_state(), b.lane(lane_b).integrator->saved_state())
      << what;
  EXPECT_EQ(a.lane(lane_a).steps, b.lane(lane_b).steps) << what;
  EXPECT_EQ(a.lane(lane_a).inner_steps, b.lane(lane_b).inner_steps) << what;
  Sample x = a.sample(lane_a), y = b.sample(lane_b);
  EXPECT_NEAR(x[Quantity::time], y[Quantity::time], 1e-14 * std::abs(x[Quantity::time])) << what;
  x[Quantity::time] = y[Quantity::time] = 0;
  EXPECT_EQ(x.values, y.values) << what;
}

/// Every pair of the methods for a scenario, each with the step of its own, beside each other and
/// alone. Adds the methods to a list.
void compare_pairs(Scenario scenario, double grid, std::set<std::string>& taken) {
  constexpr int steps = 25;
  constexpr double parts[] = {1, 3, 6};
  std::vector<LaneSpec> lanes;
  for (const IntegratorInfo& method : integrators()) {
    const auto one = with_settings(scenario, {{"integrator.type", method.key},
                                              {"integrator.step", grid / parts[lanes.size() % 3]}});
    if (!one) continue;  // not for this system
    lanes.push_back(one->lanes[0]);
    taken.emplace(method.key);
  }
  std::vector<Simulation> alone;
  for (const LaneSpec& lane : lanes) {
    scenario.lanes = {lane};
    alone.push_back(start(scenario));
    march(alone.back(), steps * std::llround(grid / lane.step));
  }
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t j = 0; j < lanes.size(); ++j) {
      scenario.lanes = {lanes[i], lanes[j]};
      scenario.lanes[1].name += "'";
      Simulation pair = start(scenario);
      const double longest = std::max(lanes[i].step, lanes[j].step);
      march(pair, steps * std::llround(grid / longest));
      const std::string what = lanes[i].type + " beside " + lanes[j].type;
      expect_same(pair, 0, alone[i], 0, what);
      expect_same(pair, 1, alone[j], 0, what);
    }
}

TEST(Lanes, a_lane_is_the_same_whatever_runs_beside_it) {
  std::set<std::string> taken;
  compare_pairs(preset("pendulum_network"), 0.01, taken);
  compare_pairs(preset("vortex_polygons"), 0.01, taken);
  compare_pairs(six_spins(), 0.05, taken);
  EXPECT_EQ(taken.size(), integrators().size());
}

TEST(Lanes, go_in_steps_of_the_largest_and_have_samples_at_the_same_times) {
  Simulation run = start(mixed());
  EXPECT_EQ(run.grid_step(), 0.02);
  EXPECT_EQ(run.planned_steps(), 5000);
  EXPECT_EQ(run.stride(), 1);
  march(run, 7);
  EXPECT_EQ(run.steps(), 7);
  EXPECT_EQ(run.time(), 7 * 0.02);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run.sample(i)[Quantity::time], run.time());
    EXPECT_NEAR(run.state(i).t, run.time(), 1e-15);
  }
  EXPECT_EQ(run.lane(0).steps, 7);
  EXPECT_EQ(run.lane(1).steps, 14);
  EXPECT_EQ(run.lane(2).steps, 35);
  EXPECT_EQ(run.lane(2).state.t, 35 * 0.004);
}

TEST(Lanes, steps_that_do_not_fit_are_refused_with_both) {
  const Error refused =
      error_of(with_lanes("double_spherical_pendulum",
                          R"([{"type": "rk4", "step": 0.01}, {"type": "heun", "step": 0.01},
                                      {"type": "rk2", "step": 0.003}])"));
  EXPECT_EQ(refused.location, "lanes[2].step");
  EXPECT_TRUE(says(refused.message,
                   "0.01 s, the step of lanes[0], is not a whole number of "
                   "steps of 0.003 s"));
  EXPECT_EQ(substeps(0.03, 0.01), 3);
  EXPECT_EQ(substeps(0.01, 0.01), 1);
  EXPECT_EQ(substeps(1, 1 / (3 + 2e-9)), 3);
  EXPECT_FALSE(substeps(1, 1 / (3 + 4e-9)));
  EXPECT_FALSE(substeps(1, 1e-300));

  // Live as well: nothing has changed then.
  Simulation run = start(mixed(), 3);
  const std::string before = bytes(run);
  EXPECT_EQ(error_of(run.set({{"lanes[0].step", 0.015}})).location, "lanes[1].step");
  EXPECT_EQ(bytes(run), before);
  // Together they fit.
  EXPECT_TRUE(
      run.set({{"lanes[0].step", 0.015}, {"lanes[1].step", 0.005}, {"lanes[2].step", 0.003}}));
  EXPECT_EQ(run.grid_step(), 0.015);
}

TEST(Lanes, names_are_the_types_and_told_apart) {
  const auto s =
      value_of(with_lanes("double_spherical_pendulum",
                          R"([{"type": "rk4", "step": 0.01}, {"type": "variational", "step": 0.01},
                                {"type": "rk4", "step": 0.005, "name": "half"},
                                {"type": "rk4", "step": 0.0025}])"));
  const char* names[] = {"rk4", "variational", "half", "rk4.3"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(s.lanes[i].name, names[i]);
  EXPECT_EQ(value_of(read_scenario(write_scenario(s), "again")).lanes, s.lanes);
  // Only what is not the default is written.
  EXPECT_EQ(to_json(s).find("lanes")->items[3].find("name"), nullptr);
  EXPECT_NE(to_json(s).find("lanes")->items[2].find("name"), nullptr);

  EXPECT_TRUE(
      csv_header(*find_system(s.system), s.lanes).starts_with("time [s],rk4/kinetic_energy [J],"));
  const auto swapped = value_of(with_setting(s, "lanes[0].type", "variational"));
  EXPECT_EQ(swapped.lanes[0].name, "variational");
  EXPECT_EQ(swapped.lanes[1].name, "variational.2");
  EXPECT_EQ(swapped.lanes[3].name, "rk4.2");
  const auto named = value_of(with_setting(s, "lanes[1].name", "symplectic"));
  EXPECT_EQ(named.lanes[1].name, "symplectic");
  EXPECT_EQ(with_settings(named, differences(named, s))->lanes, s.lanes);

  const Error taken = error_of(with_setting(s, "lanes[1].name", "rk4"));
  EXPECT_EQ(taken.location, "lanes[1].name");
  EXPECT_TRUE(says(taken.message, "is already used by lanes[0]"));
  for (const char* name : {"", "a/b", "a\tb", "a\nb", "\x7f"}) {
    const auto refused = with_setting(s, "lanes[1].name", name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().location, "lanes[1].name");
  }
}

TEST(Lanes, paths_say_which_lane_is_meant) {
  const Scenario three = mixed();
  const Error vague = error_of(with_setting(three, "integrator.step", 1));
  EXPECT_EQ(vague.location, "integrator.step");
  EXPECT_TRUE(says(vague.message,
                   "there are 3 lanes: lanes[0] (variational), lanes[1] "
                   "(rk45), lanes[2] (rk4); specify one, as in lanes[0].step"));
  EXPECT_TRUE(
      says(error_of(with_setting(three, "lanes[3].step", 1)).message, "lanes[0] to lanes[2]"));
  const Scenario one = preset("double_spherical_pendulum");
  EXPECT_EQ(with_setting(one, "lanes[1].step", 1).error().message, "there is one lane");
  EXPECT_EQ(with_setting(one, "lanes[0].step", 1)->lanes[0].step, 1);
  // A list for one lane and back.
  const Setting list = lanes_setting(three), single = lanes_setting(one);
  EXPECT_EQ(list.path, "lanes");
  EXPECT_EQ(single.path, "integrator");
  EXPECT_EQ(with_settings(one, differences(one, three))->lanes, three.lanes);
  EXPECT_EQ(with_settings(three, differences(three, one))->lanes, one.lanes);

  std::string many = "[";
  for (std::size_t i = 0; i <= max_lanes; ++i)
    many += std::string(i > 0 ? "," : "") + R"({"type": "rk4", "step": 0.01})";
  EXPECT_EQ(error_of(with_lanes("double_spherical_pendulum", many + "]")).message,
            "must have at most 16 entries, not 17");
}

TEST(Lanes, of_very_many_bodies_are_fewer) {
  EXPECT_EQ(max_lanes_of(1), 16U);
  EXPECT_EQ(max_lanes_of(65'536), 16U);
  EXPECT_EQ(max_lanes_of(65'537), 15U);
  EXPECT_EQ(max_lanes_of(163'842), 6U);
  EXPECT_EQ(max_lanes_of(10'000'000), 1U);
  std::string lanes;
  for (int i = 0; i < 7; ++i)
    lanes += std::string(i > 0 ? "," : "") + R"({"type": "rotation", "step": 0.001})";
  const Error refused = error_of(read_scenario(
      R"({"twosphere": 1, "system": {"type": "lennard_jones", "masses": 1, "epsilon": 1,
        "sigma": 0.005, "cutoff": 0.01},
      "initial": {"generator": {"type": "icosphere", "subdivisions": 7},
        "velocity": {"type": "two_vortices", "amplitude": 1, "separation": 30, "width": 15}},
      "lanes": [)" +
          lanes + R"(], "duration": 0.01})",
      "many"));
  EXPECT_EQ(refused.message, "must have at most 6 entries with 163842 bodies, not 7");
}

TEST(Lanes, of_molecules_take_many_steps_as_one_by_one) {
  Scenario scenario = value_of(read_scenario(
      R"({"twosphere": 1, "system": {"type": "lennard_jones", "masses": 1, "epsilon": 0.01,
        "sigma": "auto", "cutoff": 0.33},
      "initial": {"generator": {"type": "icosphere", "subdivisions": 3},
        "velocity": {"type": "two_vortices", "amplitude": 1.5, "separation": 30, "width": 15}},
      "integrator": {"type": "variational", "step": 0.005}, "duration": 1})",
      "molecules"));
  scenario.every = 20;
  const auto advance = [](Simulation& run, std::int64_t last) {
    while (run.steps() < last) ASSERT_FALSE(run.advance_to(last));
  };
  Simulation single = start(scenario, 60), at_once = start(scenario), half = start(scenario);
  advance(at_once, 60);
  expect_same(at_once, 0, single, 0, "at once");
  advance(half, 31);
  Simulation rest = loaded(half);
  advance(half, 60);
  expect_same(half, 0, single, 0, "in two parts");
  advance(rest, 29);  // counted from there
  EXPECT_EQ(rest.state(0).t, single.state(0).t);
  EXPECT_TRUE(rest.state(0).q == single.state(0).q);
  EXPECT_TRUE(rest.state(0).w == single.state(0).w);
}

TEST(Lanes, continue_bit_for_bit_from_their_state_file) {
  int presets_compared = 0;
  for (const Preset& p : presets()) {
    Scenario scenario = preset(p.key);
    if (scenario.size() > 100) continue;
    const double h = scenario.lanes[0].step;
    static constexpr const char* second_order = R"([{{"type": "{2}", "step": {0}}},
                               {{"type": "rk45", "step": {1}, "formulation": "angular_momentum"}},
                               {{"type": "rk2", "step": {0}, "formulation": "momentum"}},
                               {{"type": "{2}", "step": {1}, "name": "finer"}}])";
    // Systems of first order have one formulation.
    static constexpr const char* first_order = R"([{{"type": "spherical_midpoint", "step": {0}}},
                               {{"type": "rk45", "step": {1}}}, {{"type": "rk2", "step": {0}}},
                               {{"type": "spherical_midpoint", "step": {1}, "name": "finer"}}])";
    const std::string whole_step = json::shortest(h), half_step = json::shortest(h / 2);
    const std::string symplectic =
        find_integrator("variational")->supports(*start(scenario).system())
            ? "variational"
            : scenario.lanes[0].type;
    const auto made = value_of(
        with_lanes(p.key, info_of(scenario).first_order
                              ? fmt::format(first_order, whole_step, half_step)
                              : fmt::format(second_order, whole_step, half_step, symplectic)));
    Simulation whole = start(made, 60), half = start(made);
    march(half, 30);
    Simulation rest = loaded(half);
    EXPECT_EQ(rest.time(), half.time());
    for (int i = 0; i < rest.lane_count(); ++i)
      EXPECT_EQ(rest.sample(i).values, half.sample(i).values) << p.key << ", lane " << i;
    march(rest, 30);
    EXPECT_EQ(bytes(rest), bytes(whole)) << p.key;
    ++presets_compared;
  }
  EXPECT_GE(presets_compared, 9);
}

TEST(Lanes, a_state_of_several_says_what_is_each_lanes_own) {
  Simulation run = start(mixed(), 5);
  const json::Node file = to_json(run.continuation());
  EXPECT_EQ(file.find("step_index")->number, 5);
  EXPECT_EQ(file.find("energy_reference"), nullptr);
  const auto& lanes = file.find("lanes")->items;
  EXPECT_EQ(lanes[0].find("initial"), nullptr) << "it is the scenario's";
  EXPECT_EQ(lanes[2].find("step_index")->number, 25);
  for (std::size_t i = 1; i < 3; ++i) {
    const State& state = run.state(static_cast<int>(i));
    EXPECT_EQ(lanes[i].find("initial")->find("q")->items[0].items[0].number, state.q(0, 0));
  }
  json::Node torn = file;
  torn.set("work", 0.0);
  EXPECT_TRUE(says(from_json(torn, "torn").error().message, "each entry of lanes"));
  torn = file;
  std::erase_if(torn.find("lanes")->items[1].members,
                [](const auto& member) { return member.first == "work"; });
  EXPECT_EQ(from_json(torn, "torn").error().location, "torn: lanes[1]");
  torn = file;
  torn.find("lanes")->items[1].find("initial")->find("q")->items.pop_back();
  EXPECT_FALSE(from_json(torn, "torn"));
}

TEST(Lanes, a_failed_step_moves_none_and_names_the_lane) {
  // The variational integrator refuses a quarter turn that Runge-Kutta takes; the first lane has
  // moved by then, and the second has taken a step of two.
  auto scenario =
      value_of(with_lanes("double_spherical_pendulum",
                          R"([{"type": "rk45", "step": 0.8}, {"type": "variational", "step": 0.4},
                                 {"type": "rk4", "step": 0.8}])"));
  scenario.omega *= 4;
  Simulation run = start(scenario);
  std::optional<StepFailure> failure;
  std::string before;
  for (int k = 0; k < 1000 && !failure; ++k) {
    before = bytes(run);
    failure = run.step();
  }
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->lane, 1);
  EXPECT_TRUE(failure->message.starts_with("variational: step ")) << failure->message;
  EXPECT_TRUE(says(failure->message, " of 2: "));
  EXPECT_EQ(bytes(run), before);
  EXPECT_EQ(failure->t, run.time());
  const std::int64_t steps = run.steps();
  EXPECT_EQ(run.lane(1).steps, 2 * steps);
  // A smaller step of that lane alone continues.
  ASSERT_TRUE(run.set({{"lanes[1].step", 0.1}}));
  march(run, 1);
  EXPECT_EQ(run.lane(1).steps, 2 * steps + 8);
}

TEST(Lanes, a_live_change_of_one_leaves_the_others_alone) {
  const Scenario scenario = mixed();
  Simulation run = start(scenario);
  Simulation first = start(only(scenario, 0)), last = start(only(scenario, 2));
  march(run, 10);
  ASSERT_TRUE(run.set({{"lanes[1].type", "heun"}}));
  ASSERT_TRUE(run.set({{"lanes[1].step", 0.005}}));
  EXPECT_EQ(run.lane(1).info->key, "heun");
  EXPECT_EQ(run.lane(1).name, "heun");
  EXPECT_EQ(run.lane(1).clock.index, 0);
  EXPECT_EQ(run.lane(0).clock.index, 10);
  march(run, 10);
  ASSERT_TRUE(run.set({{"lanes[2].formulation", "velocity"}, {"lanes[1].type", "rk2"}}));
  march(run, 10);
  march(first, 30);
  expect_same(run, 0, first, 0, "the first");
  march(last, 100);
  ASSERT_TRUE(last.set({{"integrator.formulation", "velocity"}}));
  march(last, 50);
  expect_same(run, 2, last, 0, "the last");
  EXPECT_EQ(run.record().events.size(), 3u);

  Simulation again = repeated(run, 30);
  EXPECT_EQ(bytes(again), bytes(run));
}

TEST(Lanes, a_larger_step_of_one_is_a_new_grid_for_all) {
  Simulation run = start(mixed(), 10);
  ASSERT_TRUE(run.set({{"lanes[1].step", 0.04}}));
  EXPECT_EQ(run.grid_step(), 0.04);
  EXPECT_EQ(run.planned_steps(), 10 + (5000 - 10) / 2);
  EXPECT_EQ(run.lane(0).substeps, 2);
  EXPECT_EQ(run.lane(0).clock.index, 10) << "its own clock continues";
  march(run, 5);
  EXPECT_NEAR(run.time(), 0.4, 1e-15);
  EXPECT_EQ(run.lane(0).clock.index, 20);
  const auto record = value_of(read_scenario(write_scenario(run.record()), "record"));
  EXPECT_EQ(planned_steps(record), run.planned_steps());
  Simulation again = start(record, 15);
  EXPECT_EQ(bytes(again), bytes(run));
  Simulation rest = start(*read_scenario(bytes(run), "state"), 20);
  march(run, 20);
  EXPECT_EQ(bytes(rest), bytes(run));
}

TEST(Lanes, another_list_waits_for_rewind) {
  Simulation run = start(mixed());
  const Setting four = lanes_setting(
      *with_lanes("double_spherical_pendulum", R"([{"type": "variational", "step": 0.02},
         {"type": "rk4", "step": 0.004, "formulation": "momentum"}, {"type": "heun", "step": 0.02}])"));
  march(run, 10);
  const Setting before = lanes_setting(run.present());
  ASSERT_TRUE(run.set({four}));
  EXPECT_EQ(run.lane_count(), 3);
  EXPECT_EQ(run.lane(1).info->key, "rk45");
  EXPECT_TRUE(run.record().events.empty());
  ASSERT_EQ(run.pending().size(), 1u);
  EXPECT_EQ(run.pending()[0].path, "lanes");
  // What is set in that list waits with it, even where the numbers agree; the system does not.
  ASSERT_TRUE(run.set({{"lanes[2].type", "rk2"}, {"system.gravity", 5}}));
  EXPECT_EQ(run.lane(2).info->key, "rk4");
  EXPECT_EQ(run.present().parameters.at("gravity")[0], 5);
  EXPECT_EQ(run.pending().size(), 1u);
  march(run, 5);
  // A record that was kept takes it up again.
  Simulation again = start(run.record(), 15);
  ASSERT_TRUE(again.set(run.pending()));
  EXPECT_EQ(again.after_rewind().lanes, run.after_rewind().lanes);
  EXPECT_EQ(bytes(again), bytes(run));

  Simulation back = start(run.rewound());
  ASSERT_EQ(back.lane_count(), 3);
  EXPECT_EQ(back.lane(1).info->key, "rk4");
  EXPECT_EQ(back.lane(2).info->key, "rk2");
  EXPECT_EQ(back.state(2).q, start(mixed()).state(0).q);
  // Taken back, changes are live again.
  ASSERT_TRUE(run.set({before}));
  EXPECT_TRUE(run.pending().empty());
  ASSERT_TRUE(run.set({{"lanes[2].type", "heun"}}));
  EXPECT_EQ(run.lane(2).info->key, "heun");
}

TEST(Lanes, before_the_first_step_a_list_is_taken_at_once) {
  Simulation run = start(preset("double_spherical_pendulum"));
  ASSERT_TRUE(run.set({lanes_setting(mixed())}));
  EXPECT_EQ(run.lane_count(), 3);
  EXPECT_TRUE(run.pending().empty());
  ASSERT_TRUE(run.set({lanes_setting(preset("double_spherical_pendulum"))}));
  EXPECT_EQ(run.lane_count(), 1);
}

TEST(Lanes, a_name_is_changed_at_once_and_alone) {
  Simulation run = start(mixed(), 5), untouched = start(mixed());
  march(untouched, 10);
  ASSERT_TRUE(run.set({{"lanes[0].name", "symplectic"}}));
  EXPECT_EQ(run.lane(0).name, "symplectic");
  EXPECT_TRUE(run.pending().empty());
  march(run, 5);
  for (int lane = 0; lane < 3; ++lane)
    EXPECT_EQ(run.state(lane).q, untouched.state(lane).q) << "the motion continues as it was";
  // A lane without its own name follows its type.
  ASSERT_TRUE(run.set({{"lanes[1].type", "variational"}}));
  EXPECT_EQ(run.lane(1).name, "variational.2");
  march(run, 5);
  EXPECT_EQ(start(run.rewound()).lane(0).name, "symplectic");
  // Rows have the columns that the file began with.
  EXPECT_EQ(run.record().lanes[0].name, "variational");
  EXPECT_EQ(run.record().lanes[1].name, "rk45");
  // The events repeat it, and undo takes it back.
  Simulation again = start(run.record(), 15);
  EXPECT_EQ(again.lane(0).name, "symplectic");
  EXPECT_EQ(again.state(0).q, run.state(0).q);
  ASSERT_TRUE(run.set({{"lanes[0].name", "variational"}, {"lanes[1].type", "rk45"}}));
  EXPECT_EQ(run.lane(0).name, "variational");
  // A lane alone can have one, too.
  Simulation one = start(preset("double_spherical_pendulum"), 5);
  ASSERT_TRUE(one.set({{"integrator.name", "symplectic"}}));
  EXPECT_EQ(one.lane(0).name, "symplectic");
}

TEST(Lanes, events_of_a_file_are_checked_by_their_lane) {
  const Scenario three = mixed();
  const auto with_event = [&](const char* set) {
    json::Node root = to_json(three);
    root.set("events", parsed(fmt::format(R"([{{"step": 3, "set": {}}}])", set)));
    return from_json(root, "file");
  };
  EXPECT_TRUE(with_event(R"({"lanes[1].relative_tolerance": 1e-4, "lanes[2].type": "heun"})"));
  for (const auto& [set, words] : {
           std::pair(R"({"integrator.step": 0.01})", "specify one"),
           std::pair(R"({"lanes[3].step": 0.01})", "lanes[0] to lanes[2]"),
           std::pair(R"({"lanes[0].step": 0.015})", "is not a whole number of steps"),
           std::pair(R"({"lanes[0].name": "rk4"})", "already used"),
           std::pair(R"({"lanes": []})", "needs a reset"),
           std::pair(R"({"lanes[0].relative_tolerance": 1})", "no such value"),
       }) {
    const auto refused = with_event(set);
    ASSERT_FALSE(refused) << set;
    EXPECT_TRUE(says(refused.error().message, words));
  }
}

TEST(Lanes, a_loaded_state_is_rewound_to_where_each_lane_was) {
  Simulation first = start(mixed(), 50);
  Simulation run = start(value_of(read_scenario(bytes(first), "state")), 5);
  Simulation same = start(run.rewound());
  EXPECT_EQ(bytes(same), bytes(first));

  // Other parameters: energies begin anew, each lane stays where it was.
  ASSERT_TRUE(run.set({{"system.gravity", 5}}));
  Simulation other = start(run.rewound());
  EXPECT_EQ(other.time(), first.time());
  EXPECT_EQ(other.state(2).q, first.state(2).q);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(other.sample(i)[Quantity::energy_error], 0) << i;

  // Another list: all of them where the first was, which stays as it is.
  ASSERT_TRUE(run.set({{"system.gravity", 9.81}}));
  Scenario two = only(run.present(), 2);
  two.lanes.push_back(run.present().lanes[0]);
  ASSERT_TRUE(run.set({lanes_setting(two)}));
  EXPECT_TRUE(read_scenario(write_scenario(run.after_rewind()), "wanted"));
  Simulation fewer = start(run.rewound());
  ASSERT_EQ(fewer.lane_count(), 2);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(fewer.state(i).q, first.state(0).q) << i;
  ASSERT_TRUE(run.set({lanes_setting(run.present())}));
  EXPECT_EQ(bytes(same), write_scenario(run.rewound()));
}

TEST(Lanes, stop_conditions_watch_every_lane) {
  auto scenario = value_of(with_setting(
      mixed(), "stop", parsed(R"([{"quantity": "unit_length_error", "above": 1e-9}])")));
  Simulation run = start(scenario);
  for (int k = 0; k < 5000 && !run.stopped(); ++k) march(run, 1);
  ASSERT_TRUE(run.stopped());
  EXPECT_TRUE(run.stopped()->starts_with("rk4")) << *run.stopped();
}

TEST(Lanes, their_distance_is_the_largest_angle_between_their_directions) {
  Simulation run = start(mixed());
  std::vector<History> histories(3);
  for (int k = 0; k < 40; ++k) {
    march(run, 1);
    for (int i = 0; i < 3; ++i)
      histories[static_cast<std::size_t>(i)].append(
          row_of(run.steps(), run.sample(i), run.state(i), run.system()), 0);
    if (k == 20)
      for (History& history : histories) {
        history.compare_with(&histories[1]);
        EXPECT_EQ(history.view(Signal::distance()).values->size(), 21u);
      }
  }
  const auto largest = [&](const State& a, const State& b) {
    double worst = 0;
    for (Eigen::Index i = 0; i < a.q.cols(); ++i)
      worst = std::max(
          worst, std::acos(std::min(1.0, a.q.col(i).normalized().dot(b.q.col(i).normalized()))));
    return worst;
  };
  for (const int lane : {0, 2}) {
    const auto& history = histories[static_cast<std::size_t>(lane)];
    const SignalView view = history.view(Signal::distance());
    ASSERT_EQ(view.values->size(), 40u);
    for (std::size_t k = 0; k < 40; ++k) {
      const double apart = largest(history.state_at(k), histories[1].state_at(k));
      EXPECT_NEAR((*view.values)[k], apart, 1e-7);  // of acos near 1
      EXPECT_EQ((*view.times)[k], history.column(Quantity::time)[k]);
    }
    EXPECT_GT((*view.values)[39], 1e-8);
  }
  EXPECT_EQ(histories[1].view(Signal::distance()).values->worst_magnitude(), 0);
  // From another lane it is another; from none there is none.
  const double before = (*histories[0].view(Signal::distance()).values)[39];
  histories[0].compare_with(&histories[2]);
  EXPECT_NE((*histories[0].view(Signal::distance()).values)[39], before);
  histories[0].thin(3);
  histories[2].thin(3);
  EXPECT_EQ(histories[0].view(Signal::distance()).values->size(), 14u);
  histories[0].compare_with(nullptr);
  EXPECT_EQ(histories[0].view(Signal::distance()).values->size(), 0u);

  const SystemInfo& system = *find_system("chain_pendulum");
  EXPECT_FALSE(Signal::distance().exists(system, 2, 1));
  EXPECT_TRUE(Signal::distance().exists(system, 2, 2));
  EXPECT_EQ(signals(system, 2, 2).size(), signals(system, 2).size() + 1);
  EXPECT_EQ(Signal::parse("distance"), Signal::distance());
  EXPECT_EQ(Signal::distance().unit(), "rad");
}

TEST(Lanes, of_a_kind_look_different) {
  using Types = std::vector<std::string_view>;
  for (const IntegratorInfo& method : integrators()) {
    const Types four(4, method.key);
    std::set<std::uint32_t> colors;
    for (std::size_t i = 0; i < 4; ++i)
      colors.insert(integrator_look(lane_look(four, i)).light.rgb);
    EXPECT_EQ(colors.size(), 4u) << method.key;
    EXPECT_EQ(lane_look(four, 0), method.key);
  }
  const Types most(max_lanes, "rk4");
  std::set<std::uint32_t> colors;
  for (std::size_t i = 0; i < max_lanes; ++i)
    colors.insert(integrator_look(lane_look(most, i)).light.rgb);
  EXPECT_EQ(colors.size(), max_lanes) << "looks are lent without a number too";
  const Types lanes{"rk45", "variational", "rk45", "rk4"};
  EXPECT_EQ(lane_look(lanes, 1), "variational");
  EXPECT_EQ(lane_look(lanes, 3), "rk4");
  EXPECT_EQ(lane_look(lanes, 2), "rk2_projected") << "not one that another lane has";
}

}  // namespace
}  // namespace twosphere::test::lane_test
