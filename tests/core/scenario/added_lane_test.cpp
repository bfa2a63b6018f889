// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that begin in the middle of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/catalog.h"
#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/run/simulation.h"
#include "core/scenario/branches.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/timetable.h"
#include "core/scenario/writer.h"
#include "core/worker/seeker.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/sample_row.h"

namespace twosphere::test::added_lane_test {
namespace {

json::Node parsed(const std::string& text) { return value_of(json::parse_value(text)); }

json::Node lane(const std::string& type, double step, int from = 0) {
  return parsed(fmt::format(R"({{"type": "{}", "step": {}, "from": {}}})", type, step, from));
}

void add(Simulation& run, const json::Node& added) { ASSERT_TRUE(succeeds(run.add_lane(added))); }

/// A scenario with these events.
Result<Scenario> with_events(const Scenario& scenario, const std::string& events) {
  json::Node root = to_json(scenario);
  root.set("events", parsed(events));
  return from_json(root, "");
}

Scenario with_added(const Scenario& scenario, const std::string& events) {
  return value_of(with_events(scenario, events));
}

/// A run that begins where a lane is, at the same time.
Simulation from_here(Simulation& run, int from, const LaneSpec& spec) {
  Scenario scenario = run.present();
  scenario.q = run.state(from).q;
  scenario.omega = run.state(from).w;
  scenario.lanes = {spec};
  RestartState& at = scenario.continuation.emplace();
  at.time_origin = run.time();
  at.lanes = {{.time_origin = run.time(),
               .energy_reference = total_energy(*run.system(), run.state(from))}};
  // Where a base flies, its centre of mass is there, too, bit for bit.
  if (const State& here = run.state(from); here.x.cols() > 0) {
    scenario.base = base_of(here, *run.system());
    at.lanes[0].memory.emplace_back(
        centre_entry, std::vector<double>{here.x(0, 0), here.x(1, 0), here.x(2, 0), here.v(0, 0),
                                          here.v(1, 0), here.v(2, 0)});
  }
  return start(scenario);
}

void expect_same(Simulation& a, int lane_a, Simulation& b, int lane_b, const std::string& what) {
  ASSERT_EQ(a.state(lane_a).q, b.state(lane_b).q) << what;
  ASSERT_EQ(a.state(lane_a).w, b.state(lane_b).w) << what;
  EXPECT_EQ(a.lane(lane_a).integrator->saved_state(), b.lane(lane_b).integrator->saved_state())
      << what;
  EXPECT_EQ(a.lane(lane_a).steps, b.lane(lane_b).steps) << what;
  EXPECT_EQ(a.lane(lane_a).energy_reference, b.lane(lane_b).energy_reference) << what;
  Sample x = a.sample(lane_a), y = b.sample(lane_b);
  x[Quantity::time] = y[Quantity::time] = 0;
  EXPECT_EQ(x.values, y.values) << what;
}

TEST(AddedLane, IsARunFromThatStateOfEveryPresetAndMethod) {
  int pairs = 0;
  for (const Preset& p : presets())
    for (const IntegratorInfo& method : integrators()) {
      Scenario scenario = preset(p.key);
      if (scenario.size() > 100) continue;
      Simulation run = start(scenario);
      if (!method.supports(*run.system())) continue;
      ++pairs;
      march(run, 12);
      add(run, lane(std::string(method.key), run.grid_step() / 2));
      ASSERT_EQ(run.lane_count(), 2);
      Simulation alone = from_here(run, 0, run.present().lanes[1]);
      expect_same(run, 1, alone, 0, std::string(p.key) + " " + std::string(method.key));
      march(run, 20);
      march(alone, 40);
      expect_same(run, 1, alone, 0, std::string(p.key) + " " + std::string(method.key));
      // The lane that was there continues as if alone.
      Simulation other = start(scenario, 32);
      expect_same(run, 0, other, 0, "the first lane");
    }
  EXPECT_GE(pairs, 165);
}

TEST(AddedLane, LiveItIsAnEventThatRepeatsTheRun) {
  Simulation live = start(preset(), 10);
  add(live, lane("rk4", 0.005));
  march(live, 10);
  add(live, lane("rk45", 0.01, 1));
  add(live, lane("rk4", 0.002));
  ASSERT_TRUE(live.set({{"lanes[1].step", 0.0025}, {"system.gravity", 5.0}}));
  march(live, 30);
  ASSERT_TRUE(live.set({{"lanes[0].type", "rk4"}}));
  march(live, 10);

  const auto record = value_of(read_scenario(write_scenario(live.record()), "record"));
  ASSERT_TRUE(same(record, live.record()));
  Simulation again = start(record);
  EXPECT_EQ(again.lane_count(), 1);
  march(again, 60);
  EXPECT_EQ(bytes(again), bytes(live));
  EXPECT_EQ(again.markers().size(), live.markers().size());
  EXPECT_EQ(again.planned_steps(), live.planned_steps());
  for (int i = 0; i < 4; ++i) EXPECT_EQ(again.sample(i).values, live.sample(i).values) << i;
  // And in one go.
  Simulation fast = start(record);
  while (fast.steps() < 60) ASSERT_FALSE(fast.advance_to(60));
  EXPECT_EQ(bytes(fast), bytes(live));
  std::vector<std::string> names = names_of(recorded_lanes(live.record()));
  EXPECT_EQ(names, (std::vector<std::string>{"variational", "rk4", "rk45", "rk4.2"}));
}

TEST(AddedLane, ContinuesBitForBitFromAStateFile) {
  const Scenario scenario =
      with_added(preset("chain_pendulum"),
                 R"([{"step": 10, "add_lane": {"type": "rk45", "step": 0.005}},
          {"step": 20, "add_lane": {"type": "variational4", "step": 0.0025, "from": 1}},
          {"step": 25, "set": {"lanes[2].type": "rk4"}},
          {"step": 30, "pull": {"body": 2, "force": [0, 1, 0], "steps": 9}},
          {"step": 40, "add_lane": {"type": "rk4", "step": 0.005, "from": 2, "name": "late"}},
          {"step": 45, "reverse": true}])");
  Simulation whole = start(scenario, 60);
  for (const int at : {5, 10, 15, 20, 33, 40, 41, 50}) {
    Simulation half = start(scenario, at);
    const auto names = names_of(recorded_lanes(half.continuation()));
    EXPECT_EQ(names, names_of(recorded_lanes(scenario))) << at;
    Simulation rest = loaded(half);
    march(rest, 60 - at);
    ASSERT_EQ(bytes(rest), bytes(whole)) << at;
  }
}

TEST(AddedLane, BeginsALaneOnALoadedState) {
  Simulation first = start(preset(), 10);
  const auto state = value_of(read_scenario(bytes(first), "state"));
  Simulation run = start(state);
  add(run, lane("rk4", 0.005));
  march(run, 10);
  ASSERT_TRUE(run.set({{"system.gravity", 4.0}}));
  ASSERT_TRUE(run.set({{"lanes[1].step", 0.0025}}));
  march(run, 10);
  EXPECT_TRUE(run.pending().empty());
  Simulation again = repeated(run, 20);
  EXPECT_EQ(bytes(again), bytes(run));
  // Rewind has both begin there.
  const Scenario rewound = run.rewound();
  ASSERT_EQ(rewound.lanes.size(), 2u);
  ASSERT_TRUE(succeeds(read_scenario(write_scenario(rewound), "rewound")));
  Simulation both = start(rewound);
  EXPECT_EQ(both.time(), start(state).time());
  EXPECT_EQ(both.state(0).q, both.state(1).q);
  EXPECT_EQ(both.state(0).q, state.q);
}

TEST(AddedLane, EnergyCountsFromItsBeginning) {
  Simulation run = start(preset(), 10);
  ASSERT_TRUE(run.set({{"system.gravity", 5.0}}));
  march(run, 10);
  const double before = run.sample(0)[Quantity::total_energy];
  add(run, lane("rk4", 0.01));
  EXPECT_EQ(run.lane(1).energy_reference, before);
  EXPECT_EQ(run.sample(1)[Quantity::energy_error], 0);
  EXPECT_EQ(run.sample(1)[Quantity::work], 0);
  EXPECT_NE(run.sample(0)[Quantity::work], 0);
  // It has no row here, and the first lane has the one that it had.
  EXPECT_TRUE(std::isnan(run.row(1)[Quantity::total_energy]));
  EXPECT_EQ(run.row(1)[Quantity::time], run.time());
  EXPECT_EQ(run.row(0)[Quantity::total_energy], before);
  march(run, 1);
  EXPECT_TRUE(finite(run.row(1)));
}

TEST(AddedLane, IsPutOntoTheSphereIfItsMethodKeepsIt) {
  Simulation run = start(with(preset("three_body"), {{"integrator.type", "rk2"}}), 200);
  ASSERT_GT(run.sample(0)[Quantity::unit_length_error], 1e-12);
  add(run, lane("variational", 0.005));
  EXPECT_LT(run.sample(1)[Quantity::unit_length_error], 1e-15);
  EXPECT_TRUE(run.markers().back().text.starts_with("variational: normalised, |q| was off by"));
  const std::string unlike = run.markers()[run.markers().size() - 2].text;
  EXPECT_EQ(unlike, "variational begins where rk2 is");
}

TEST(AddedLane, IsWatchedLikeTheOthers) {
  Scenario scenario = lasting(12, preset("three_body"));
  scenario.stop = {{Quantity::total_energy, false, 1e9}, {Quantity::energy_error, true, 1e-3}};
  Simulation run = start(scenario);
  EXPECT_TRUE(run.stopped());
  march(run, 101);
  add(run, lane("heun", 0.005));
  // Where it begins it is beyond the first bound, which is not met then.
  march(run, 1);
  EXPECT_FALSE(run.stopped());
  while (!run.stopped() && !run.finished()) march(run, 1);
  ASSERT_TRUE(run.stopped());
  EXPECT_TRUE(run.stopped()->starts_with("heun: ")) << *run.stopped();
  while (run.warnings().empty() && run.steps() < 3000)
    if (run.step()) break;
  ASSERT_FALSE(run.warnings().empty());
  EXPECT_EQ(run.warnings()[0].lane, 1);
}

TEST(AddedLane, EventsToComeMeanTheLanesThatTheyMeantBefore) {
  const Scenario scenario =
      with_added(preset(), R"([{"step": 20, "set": {"integrator.type": "rk4"}},
                    {"step": 30, "add_lane": {"type": "heun", "step": 0.01}},
                    {"step": 40, "set": {"lanes[1].step": 0.005, "lanes[0].step": 0.01}},
                    {"step": 50, "add_lane": {"type": "rk45", "step": 0.01, "from": 1}}])");
  Simulation run = start(scenario, 10);
  add(run, lane("rk2", 0.01));
  march(run, 50);
  const auto& lanes = run.present().lanes;
  ASSERT_EQ(lanes.size(), 4u);
  EXPECT_EQ(lanes[0].type, "rk4");
  EXPECT_EQ(lanes[1].type, "rk2");
  EXPECT_EQ(lanes[1].step, 0.01);
  EXPECT_EQ(lanes[2].type, "heun");
  EXPECT_EQ(lanes[2].step, 0.005);
  EXPECT_EQ(run.record().events.back().add_lane->from, 2u);
  Simulation again = repeated(run, 60);
  EXPECT_EQ(bytes(again), bytes(run));
}

TEST(AddedLane, RewindHasAllLanesBeginAtTheStart) {
  Simulation run = start(preset(), 10);
  add(run, lane("rk4", 0.005));
  EXPECT_TRUE(run.pending().empty());
  march(run, 10);
  const Scenario rewound = run.rewound();
  EXPECT_TRUE(rewound.events.empty());
  ASSERT_EQ(rewound.lanes.size(), 2u);
  EXPECT_EQ(rewound.lanes[1].name, "rk4");
  EXPECT_EQ(start(rewound).steps(), 0);

  // Removing it waits for that; meanwhile none can be added.
  ASSERT_TRUE(run.set({{"integrator", lanes_setting(preset()).value}}));
  EXPECT_EQ(run.lane_count(), 2);
  ASSERT_FALSE(run.pending().empty());
  EXPECT_EQ(error_of(run.add_lane(lane("rk4", 0.01))).message,
            "another list of lanes waits for Rewind");
  EXPECT_EQ(run.rewound().lanes.size(), 1u);
}

TEST(AddedLane, WhatCannotBeAddedChangesNothing) {
  Simulation fresh = start(preset());
  ASSERT_FALSE(fresh.add_lane(lane("rk4", 0.01)));
  EXPECT_EQ(fresh.lane_count(), 1);

  Simulation run = start(preset(), 5);
  const std::string before = bytes(run);
  struct Case {
    const char *lane, *location, *message;
  };
  for (const auto& [added, location, message] : std::vector<Case>{
           {R"({"type": "rk44", "step": 0.01})", "add_lane.type", "did you mean rk4?"},
           {R"({"type": "rk4", "step": 0.01, "from": 1})", "add_lane.from",
            "must be a whole number from 0 to 0, not 1"},
           {R"({"type": "rk4", "step": 0.02})", "add_lane.step",
            "must be 0.01 s, the step of the run, or that divided by a whole number up to 100000, "
            "not 0.02 s"},
           {R"({"type": "rk4", "step": 0.003})", "add_lane.step", "divided by a whole number"},
           {R"({"type": "rk4", "step": 9e-8})", "add_lane.step", "up to 100000"},
           {R"({"type": "rk4", "step": 0.01, "name": "variational"})", "add_lane.name",
            "the name \"variational\" is already used by another lane; names must be unique"},
           {R"({"type": "rk4", "step": 0.01, "name": "a/b"})", "add_lane.name", "slash"},
           {R"({"type": "rk4", "step": 0.01, "initial": {}})", "add_lane.initial", "unknown key"},
           {R"(3)", "add_lane", "must be an object"}}) {
    const auto refused = run.add_lane(parsed(added));
    ASSERT_FALSE(refused) << added;
    EXPECT_TRUE(refused.error().location.starts_with(location)) << refused.error().text();
    EXPECT_TRUE(says(refused.error().message, message));
    // In a file, too, with the place there.
    const auto bad =
        with_events(preset(), fmt::format(R"([{{"step": 3, "set": {{"system.gravity": 3}}}},
                                  {{"step": 5, "add_lane": {}}}])",
                                          added));
    ASSERT_FALSE(bad) << added;
    EXPECT_TRUE(bad.error().location.starts_with(std::string("events[1].") + location))
        << bad.error().text();
    EXPECT_TRUE(says(bad.error().message, message));
  }
  EXPECT_EQ(bytes(run), before);
  EXPECT_EQ(run.lane_count(), 1);

  for (std::size_t k = 1; k < max_lanes; ++k) add(run, lane("rk4", 0.01));
  EXPECT_EQ(error_of(run.add_lane(lane("rk4", 0.01))).message,
            "there are 16 lanes, and no more are possible");
  EXPECT_EQ(run.present().lanes.back().name, "rk4.15");
}

TEST(AddedLane, InAFileTheStepsBeforeCount) {
  // What was set before makes the step too large, or the name taken.
  const Error large =
      error_of(with_events(preset(), R"([{"step": 3, "set": {"integrator.step": 0.005}},
                    {"step": 5, "add_lane": {"type": "rk4", "step": 0.01}}])"));
  EXPECT_EQ(large.location, "events[1].add_lane.step");
  const Error twice = error_of(with_events(
      preset(), R"([{"step": 3, "add_lane": {"type": "rk4", "step": 0.01, "name": "new"}},
                    {"step": 5, "add_lane": {"type": "rk4", "step": 0.01, "name": "new"}}])"));
  EXPECT_EQ(twice.location, "events[1].add_lane.name");
  const Error vague =
      error_of(with_events(preset(), R"([{"step": 3, "add_lane": {"type": "rk4", "step": 0.01}},
                    {"step": 5, "set": {"integrator.step": 0.005}}])"));
  EXPECT_TRUE(says(vague.message, "there are 2 lanes"));
  const Error both = error_of(with_events(
      preset(), R"([{"step": 3, "add_lane": {"type": "rk4", "step": 0.01}, "reverse": true}])"));
  EXPECT_TRUE(says(both.message, "cannot be combined with"));
  // Changed live to less than the step of an event to come: refused when it is due.
  Simulation run =
      start(with_added(preset(), R"([{"step": 5, "add_lane": {"type": "rk4", "step": 0.01}}])"));
  march(run, 2);
  ASSERT_TRUE(run.set({{"integrator.step", 0.005}}));
  march(run, 3);
  const auto failure = value_of(run.step());
  EXPECT_TRUE(failure.message.starts_with("event before step 6: add_lane.step: must be 0.005 s"))
      << failure.message;
  EXPECT_EQ(run.lane_count(), 1);
}

TEST(AddedLane, TheTimetableHasItsSteps) {
  const Scenario scenario =
      with_added(preset(), R"([{"step": 100, "add_lane": {"type": "rk4", "step": 0.005}},
                    {"step": 200, "set": {"lanes[0].step": 0.02}}])");
  Simulation run = start(scenario, 300);
  EXPECT_EQ(Timetable(scenario).time(300), run.time());
  EXPECT_EQ(run.time(), 4);
}

TEST(AddedLane, AnyStepIsFoundFromCheckpointsOnBothSides) {
  const Scenario scenario =
      with_added(preset(), R"([{"step": 20, "add_lane": {"type": "rk4", "step": 0.005}},
                    {"step": 40, "add_lane": {"type": "rk45", "step": 0.01}},
                    {"step": 40, "add_lane": {"type": "variational4", "step": 0.01, "from": 1}}])");
  Simulation run = start(scenario);
  std::vector<RunCheckpoint> checkpoints;
  std::vector<std::string> states;
  for (int k = 0; k <= 60; ++k) {
    checkpoints.push_back(run.checkpoint());
    states.push_back(bytes(run));
    march(run, 1);
  }
  for (const std::size_t from : {0u, 19u, 20u, 21u, 39u, 40u, 41u})
    for (const std::size_t to : {19u, 20u, 21u, 40u, 41u, 60u}) {
      if (from > to) continue;
      Simulation there = Simulation::at(run.record(), checkpoints[from]);
      EXPECT_EQ(there.lane_count(), from <= 20 ? 1 : from <= 40 ? 2 : 4);
      march(there, static_cast<std::int64_t>(to - from));
      EXPECT_EQ(bytes(there), states[to]) << from << " … " << to;
    }
}

TEST(AddedLane, ABranchHasLanesOfItsOwn) {
  json::Node root = to_json(preset());
  root.set("events", parsed(R"([{"step": 10, "add_lane": {"type": "rk4", "step": 0.01}}])"));
  root.set("branches", parsed(R"([{"name": "early", "from_step": 5, "events":
                                    [{"step": 7, "add_lane": {"type": "heun", "step": 0.01}}]},
                                  {"name": "late", "from_step": 12, "events":
                                    [{"step": 15, "set": {"lanes[1].type": "heun"}},
                                     {"step": 16, "add_lane": {"type": "rk4", "step": 0.01}}]}])"));
  const auto scenario = value_of(from_json(root, ""));
  EXPECT_EQ(write_scenario(*read_scenario(write_scenario(scenario), "")), write_scenario(scenario));
  const auto early = branch_record(scenario, "early"), late = branch_record(scenario, "late");
  ASSERT_TRUE(early && late);
  EXPECT_EQ(names_of(recorded_lanes(*early)), (std::vector<std::string>{"variational", "heun"}));
  // "rk4" is the column of the lane that has become another.
  EXPECT_EQ(names_of(recorded_lanes(*late)),
            (std::vector<std::string>{"variational", "rk4", "rk4.2"}));
  Simulation run = start(*late, 20);
  EXPECT_EQ(run.lane_count(), 3);
}

TEST(AddedLane, ATableHasEmptyFieldsBeforeIt) {
  const Scenario scenario =
      with_added(preset(), R"([{"step": 2, "add_lane": {"type": "rk4", "step": 0.01}}])");
  const SystemInfo& system = *find_system(scenario.system);
  const std::string header = csv_header(system, recorded_lanes(scenario));
  EXPECT_TRUE(header.starts_with("time [s],variational/kinetic_energy [J]")) << header;
  EXPECT_TRUE(says(header, ",rk4/kinetic_energy [J],"));
  Simulation run = start(scenario);
  const std::string row = csv_row(system, {run.sample(0), missing_sample(0)});
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  EXPECT_TRUE(row.ends_with(",,,,,,,,\r\n")) << row;
  EXPECT_FALSE(says(row, "nan"));
}

TEST(AddedLane, AHistoryThatBeginsLaterIsMissingBefore) {
  Simulation run = start(preset());
  std::vector<History> lanes(1);
  const auto keep = [&] {
    for (std::size_t i = 0; i < lanes.size(); ++i)
      lanes[i].append(row_of(run.steps(), run.sample(static_cast<int>(i)),
                             run.state(static_cast<int>(i)), run.system()),
                      0);
  };
  constexpr std::size_t before = 1500, after = 1200;
  for (std::size_t k = 0; k < before; ++k) keep(), march(run, 1);
  add(run, lane("rk4", 0.01));
  march(run, 1);
  lanes.push_back(History::beginning_after(lanes[0]));
  lanes[0].compare_with(&lanes[1]);
  lanes[1].compare_with(&lanes[0]);
  History fresh;  // the same without what is missing
  for (std::size_t k = 0; k < after; ++k) {
    keep();
    fresh.append(row_of(run.steps(), run.sample(1), run.state(1), run.system()), 0);
    march(run, 1);
  }
  const auto check = [&](std::size_t first) {
    const History& late = lanes[1];
    ASSERT_EQ(late.size(), lanes[0].size());
    ASSERT_EQ(late.state_count(), lanes[0].state_count());
    EXPECT_EQ(late.first(), first);
    for (const std::size_t k : {std::size_t{0}, first - 1}) {
      EXPECT_EQ(late.column(Quantity::time)[k], lanes[0].column(Quantity::time)[k]);
      EXPECT_TRUE(std::isnan(late.column(Quantity::total_energy)[k]));
      EXPECT_TRUE(std::isnan(late.state_at(k).q(0, 0)));
      EXPECT_TRUE(std::isnan((*late.view(*Signal::parse("q0_x")).values)[k]));
      for (const History& lane : lanes)
        EXPECT_TRUE(std::isnan((*lane.view(Signal::distance()).values)[k]));
    }
    for (std::size_t k = first; k < late.size(); k += 7) {
      EXPECT_EQ(late.sample(k).values, fresh.sample(k - first).values);
      EXPECT_EQ(late.state_at(k).q, fresh.state_at(k - first).q);
      for (const char* key : {"omega1_z", "angular_momentum_z_error"})
        EXPECT_EQ((*late.view(*Signal::parse(key)).values)[k],
                  (*fresh.view(*Signal::parse(key)).values)[k - first])
            << key;
      EXPECT_EQ((*late.view(Signal::distance()).values)[k],
                distance(late.state_at(k).q, lanes[0].state_at(k).q));
    }
    for (const Quantity q : {Quantity::energy_error, Quantity::potential_energy}) {
      EXPECT_EQ(late.mean_magnitude(q), fresh.mean_magnitude(q));
      EXPECT_EQ(late.worst_magnitude(q), fresh.worst_magnitude(q));
      EXPECT_EQ(late.range(q, 0, late.size()).high, fresh.range(q, 0, fresh.size()).high);
    }
  };
  check(before);
  // A view on another thread, cut before it, and cut after it.
  const std::vector<History> views = History::views(lanes);
  EXPECT_EQ(views[1].first(), before);
  for (History& lane : lanes) lane.cut(static_cast<std::int64_t>(before) + 600);
  fresh.cut(static_cast<std::int64_t>(before) + 600);
  check(before);
  for (History& lane : lanes) lane.thin(3);
  fresh.thin(3);
  check(before / 3);
  for (History& lane : lanes) lane.cut(700);
  EXPECT_EQ(lanes[1].first(), lanes[1].size());
  EXPECT_EQ(lanes[1].mean_magnitude(Quantity::energy_error), 0);
}

TEST(AddedLane, AnErrorNamesItsPlace) {
  Scenario scenario = preset();
  AddedLane added;
  added.lane = scenario.lanes[0];
  for (std::size_t k = 0; k <= max_lanes; ++k) {
    added.lane.name = fmt::format("lane {}", k);
    scenario.events.push_back({.step = 1, .add_lane = added});
  }
  Simulation run = start(scenario, 1);
  const auto refused = value_of(run.step());
  EXPECT_TRUE(says(refused.message, fmt::format("add_lane: there are {} lanes", max_lanes)));
}

}  // namespace
}  // namespace twosphere::test::added_lane_test
