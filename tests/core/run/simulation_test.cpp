// SPDX-License-Identifier: GPL-3.0-or-later
// Runs: clocks, live changes as events, exact continuation, refusals.
#include "core/run/simulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "tests/runs.h"
#include "tests/six_spins.h"
#include "tests/taken.h"

namespace twosphere::test::simulation_test {
namespace {

TEST(Simulation, TimeIsTheStepIndexTimesTheStep) {
  Simulation run = start(preset(), 7);
  EXPECT_EQ(run.time(), 7 * 0.01);
  EXPECT_EQ(run.steps(), 7);
  EXPECT_EQ(run.planned_steps(), 10'000);
  EXPECT_EQ(run.stride(), 1);
}

TEST(Simulation, SamplingDoesNotChangeTheRun) {
  Simulation looked = start(preset()), unseen = start(preset());
  for (int k = 0; k < 500; ++k) {
    march(looked, 1);
    (void)looked.sample(0);
    march(unseen, 1);
  }
  EXPECT_EQ(looked.state(0).q, unseen.state(0).q);
  EXPECT_EQ(looked.state(0).w, unseen.state(0).w);
}

TEST(Simulation, ContinuesBitForBitFromItsStateFile) {
  Taken taken;
  for (const Preset& p : presets()) {
    const Scenario original = preset(p.key);
    const Simulation run = start(original);
    for (const IntegratorInfo& method : integrators()) {
      if (!method.supports(*run.system())) continue;
      // Its matrices are 3n×3n.
      if (method.key == "variational_cayley" && run.system()->size() > 20) continue;
      auto scenario = value_of(with_setting(original, "integrator.type", method.key));
      Simulation whole = start(scenario), half = start(scenario);
      const int steps = scenario.size() > 100 ? 2 : 100;
      march(whole, 2 * steps);
      march(half, steps);
      Simulation rest = loaded(half);
      EXPECT_EQ(rest.time(), half.time());
      EXPECT_EQ(rest.sample(0).values, half.sample(0).values);
      march(rest, steps);
      EXPECT_EQ(write_scenario(rest.continuation()), write_scenario(whole.continuation()))
          << p.key << " " << method.key;
      taken.add(p, method);
    }
  }
  taken.expect_all(109);
}

TEST(Simulation, DrivenRunContinuesWithItsWork) {
  auto scenario = value_of(with_setting(preset("chain_pendulum"), "system.tip_force[0]", 0.3));
  Simulation whole = start(scenario, 400), half = start(scenario);
  march(half, 200);
  EXPECT_NE(half.lane(0).work.value(), 0);
  auto read = value_of(read_scenario(write_scenario(half.continuation()), "state"));
  Simulation rest = start(read, 200);
  EXPECT_EQ(write_scenario(rest.continuation()), write_scenario(whole.continuation()));
  EXPECT_EQ(rest.sample(0).values, whole.sample(0).values);
}

TEST(Simulation, LiveChangesAreEventsThatRepeatTheRun) {
  Simulation live = start(preset(), 100);
  ASSERT_TRUE(live.set({{"system.gravity", 5}}));
  march(live, 50);
  ASSERT_TRUE(live.set({{"integrator.type", "rk4"}}));
  march(live, 50);
  ASSERT_TRUE(live.set({{"integrator.step", 0.02}}));
  march(live, 50);
  ASSERT_TRUE(live.set({{"integrator.type", "variational"}}));
  ASSERT_TRUE(live.set({{"system.masses[1]", 3}}));
  march(live, 50);
  EXPECT_EQ(live.record().events.size(), 5u);
  EXPECT_EQ(live.markers().size(), 6u) << "five changes and one normalisation";

  auto read = value_of(read_scenario(write_scenario(live.record()), "record"));
  Simulation repeated = start(read, 300);
  EXPECT_EQ(repeated.state(0).q, live.state(0).q);
  EXPECT_EQ(repeated.state(0).w, live.state(0).w);
  EXPECT_EQ(repeated.sample(0).values, live.sample(0).values);
  EXPECT_EQ(write_scenario(repeated.continuation()), write_scenario(live.continuation()));
}

TEST(Simulation, ChangesTogetherAreOneEventWithOneJump) {
  Simulation live = start(preset(), 50);
  ASSERT_TRUE(live.set({{"system.gravity", 5}, {"system.masses[0]", 2}}));
  march(live, 50);
  ASSERT_TRUE(live.set({{"integrator.type", "rk45"},
                        {"integrator.relative_tolerance", 1e-6},
                        {"integrator.step", 0.02}}));
  march(live, 50);
  ASSERT_EQ(live.record().events.size(), 2u);
  EXPECT_EQ(live.record().events[0].set.size(), 2u);
  EXPECT_EQ(live.record().events[1].set.size(), 3u);
  EXPECT_EQ(live.markers().size(), 2u);

  auto read = value_of(read_scenario(write_scenario(live.record()), "record"));
  Simulation repeated = start(read, 150);
  EXPECT_EQ(repeated.sample(0).values, live.sample(0).values);
  EXPECT_EQ(write_scenario(repeated.continuation()), write_scenario(live.continuation()));

  // Of two that do not go together none is made.
  const std::string before = write_scenario(live.continuation());
  EXPECT_FALSE(live.set({{"system.gravity", 1}, {"system.masses[0]", -1}}));
  EXPECT_EQ(write_scenario(live.continuation()), before);
  EXPECT_EQ(write_scenario(live.after_rewind()), write_scenario(live.present()));
  EXPECT_EQ(live.record().events.size(), 2u);
  // What changes nothing is no event.
  ASSERT_TRUE(live.set({{"system.gravity", 5}, {"integrator.type", "rk45"}}));
  EXPECT_EQ(live.record().events.size(), 2u);
  EXPECT_EQ(live.markers().size(), 2u);
}

TEST(Simulation, ASettingThatTakesAResetWaitsForIt) {
  Simulation run = start(preset(), 10);
  Simulation untouched = start(preset(), 10);
  const json::Node turned = *json::parse("[0, 0.6, 0.8]", "q"),
                   speed = *json::parse("[1, 0, 0]", "omega");
  ASSERT_TRUE(run.set({{"initial.q[0]", turned}, {"initial.omega[0]", speed}}));
  EXPECT_TRUE(run.record().events.empty());
  EXPECT_TRUE(run.markers().empty());
  EXPECT_EQ(write_scenario(run.continuation()), write_scenario(untouched.continuation()));
  EXPECT_EQ(run.present().q, preset().q);
  auto pending = differences(run.present(), run.after_rewind());
  ASSERT_EQ(pending.size(), 2u);
  EXPECT_EQ(pending[0].path, "initial.q[0]");
  EXPECT_EQ(pending[1].path, "initial.omega[0]");

  // Beside one that acts at once; that is the event.
  ASSERT_TRUE(
      run.set({{"initial.omega[1]", *json::parse("[0, 2, 0]", "omega")}, {"system.gravity", 3}}));
  ASSERT_EQ(run.record().events.size(), 1u);
  ASSERT_EQ(run.record().events[0].set.size(), 1u);
  EXPECT_EQ(run.record().events[0].set[0].path, "system.gravity");
  EXPECT_EQ(differences(run.present(), run.after_rewind()).size(), 2u) << "all of omega, and q[0]";
  EXPECT_EQ(run.present().parameters.at("gravity")[0], 3);

  // Invalid ones are refused when they are given.
  EXPECT_FALSE(run.set({{"initial.q[1]", *json::parse("[0, 0, 2]", "q")}}));
  EXPECT_FALSE(run.set({{"initial.q", *json::parse("[[0, 0, 1]]", "q")}}));
  EXPECT_FALSE(run.set({{"title", "t"}}));
  EXPECT_FALSE(run.set({{"work", 1}}));

  Simulation rewound = start(run.rewound());
  EXPECT_EQ(rewound.present().q.col(0), Vec3(0, 0.6, 0.8));
  EXPECT_EQ(rewound.present().omega.col(1), Vec3(0, 2, 0));
  EXPECT_EQ(rewound.present().parameters.at("gravity")[0], 3);
  EXPECT_TRUE(differences(rewound.present(), rewound.after_rewind()).empty());

  // Taken back, nothing waits.
  ASSERT_TRUE(run.set(differences(run.after_rewind(), run.present())));
  EXPECT_TRUE(differences(run.present(), run.after_rewind()).empty());
}

TEST(Simulation, MoreBodiesWaitForAReset) {
  Simulation run = start(preset(), 10);
  ASSERT_TRUE(run.set({{"system.masses", *json::parse("[1, 2, 3]", "m")},
                       {"system.lengths", 2},
                       {"system.gravity", 4},
                       {"initial.q", *json::parse("[[0,0,1], [0,0,1], [1,0,0]]", "q")},
                       {"initial.omega", *json::parse("[[0,0,0], [0,1,0], [0,0,0]]", "w")}}));
  EXPECT_EQ(run.present().size(), 2);
  EXPECT_EQ(run.present().parameters.at("gravity")[0], 4);
  EXPECT_EQ(run.present().parameters.at("lengths"), preset().parameters.at("lengths"));
  march(run, 10);
  const auto pending = differences(run.present(), run.after_rewind());
  auto again = value_of(with_settings(run.present(), pending));
  EXPECT_EQ(write_scenario(again), write_scenario(run.after_rewind()));
  Simulation rewound = start(run.rewound());
  EXPECT_EQ(rewound.system()->size(), 3);
  march(rewound, 10);
}

TEST(Simulation, TheStartOfASavedStateWaitsLikeAnyOther) {
  Simulation first = start(preset(), 40);
  Simulation run = start(first.continuation());
  ASSERT_TRUE(run.set({{"initial.q[0]", *json::parse("[0, 0.6, 0.8]", "q")},
                       {"initial.omega[0]", *json::parse("[1, 0, 0]", "omega")}}));
  EXPECT_FALSE(run.set({{"initial.q[0]", *json::parse("[0, 0, 0.5]", "q")}})) << "off the sphere";
  EXPECT_EQ(write_scenario(run.continuation()), write_scenario(first.continuation()));
  march(run, 5);
  Simulation rewound = start(run.rewound());
  EXPECT_EQ(rewound.time(), first.time());
  EXPECT_EQ(rewound.state(0).q.col(0), Vec3(0, 0.6, 0.8));
  EXPECT_EQ(rewound.sample(0)[Quantity::energy_error], 0);
  march(rewound, 5);
}

TEST(Simulation, ALiveChangeLeavesStateAndEnergyErrorContinuous) {
  Simulation run = start(preset(), 137);
  const Sample before = run.sample(0);
  const State state = run.state(0);
  ASSERT_TRUE(run.set({{"system.gravity", 3}}));
  const Sample after = run.sample(0);
  EXPECT_EQ(run.state(0).q, state.q);
  EXPECT_EQ(run.state(0).w, state.w);
  EXPECT_GT(std::abs(after[Quantity::total_energy] - before[Quantity::total_energy]), 1);
  EXPECT_NEAR(after[Quantity::energy_error], before[Quantity::energy_error], 1e-12);
  EXPECT_NEAR(after[Quantity::work], after[Quantity::total_energy] - before[Quantity::total_energy],
              1e-12);
}

TEST(Simulation, TheRowOfAStepIsTheOneBeforeChanges) {
  Simulation run = start(preset(), 10);
  const Sample before = run.sample(0);
  EXPECT_EQ(run.row(0).values, before.values);
  ASSERT_TRUE(run.set({{"system.gravity", 3}}));
  ASSERT_TRUE(run.set({{"system.gravity", 4}}));
  EXPECT_EQ(run.row(0).values, before.values);
  EXPECT_NE(run.sample(0).values, before.values);
  march(run, 1);
  EXPECT_EQ(run.row(0).values, run.sample(0).values);
}

TEST(Simulation, ANewStepStartsTheClockAnew) {
  Simulation run = start(preset(), 100);
  ASSERT_TRUE(run.set({{"integrator.step", 0.03}}));
  EXPECT_EQ(run.lane(0).clock.index, 0);
  march(run, 10);
  EXPECT_EQ(run.time(), 100 * 0.01 + 10 * 0.03);
  EXPECT_EQ(run.planned_steps(), 100 + 3300);
}

TEST(Simulation, SwappingToTheSphereNormalisesOnceAndSaysSo) {
  auto scenario = with_setting(preset(), "integrator.type", "rk4");
  ASSERT_TRUE(scenario);
  scenario = with_setting(*scenario, "integrator.step", 0.1);
  ASSERT_TRUE(scenario);
  Simulation run = start(*scenario, 300);
  const Sample drifted = run.sample(0);
  EXPECT_GT(drifted[Quantity::unit_length_error], 1e-6);
  ASSERT_TRUE(run.set({{"integrator.type", "variational"}}));
  const Sample settled = run.sample(0);
  EXPECT_LE(settled[Quantity::unit_length_error], 4e-16);
  EXPECT_NEAR(settled[Quantity::energy_error], drifted[Quantity::energy_error], 1e-12);
  bool said = false;
  for (const RunMarker& tag : run.markers())
    said |= tag.text.find("normalised") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Simulation, EditsBeforeTheFirstStepChangeTheStart) {
  Simulation run = start(preset());
  ASSERT_TRUE(run.set({{"system.gravity", 3}}));
  EXPECT_TRUE(run.record().events.empty());
  EXPECT_EQ(run.record().parameters.at("gravity")[0], 3);
  EXPECT_EQ(run.sample(0)[Quantity::energy_error], 0);
}

TEST(Simulation, BadChangesAreRefusedAndChangeNothing) {
  Simulation run = start(preset(), 10);
  const std::string before = write_scenario(run.continuation());
  for (const auto& [path, value] : {std::pair<const char*, json::Node>{"system.masses[1]", -1},
                                    {"system.masses[7]", 1},
                                    {"system.mases", 1},
                                    {"integrator.step", 0},
                                    {"integrator.type", "rk5"},
                                    {"initial.q[0][0]", 0.1}}) {
    const auto done = run.set({{path, value}});
    ASSERT_FALSE(done) << path;
    EXPECT_FALSE(done.error().message.empty());
  }
  EXPECT_EQ(write_scenario(run.continuation()), before);
  EXPECT_TRUE(run.record().events.empty());
}

TEST(Simulation, AFailedStepSaysWhichWayItIsToBeChanged) {
  for (const auto& [step, advice] : {std::pair{1e-320, "try a step larger than 1e-320 s."},
                                     {30., "try a step smaller than 30 s."}})
    for (const bool back : {false, true}) {
      const auto brief = value_of(with_setting(preset(), "duration", 10 * step));
      const auto scenario = value_of(with_setting(brief, "integrator.step", step));
      Simulation run = start(scenario);
      if (back) run.reverse();
      const auto failure = run.step();
      ASSERT_TRUE(failure) << step;
      EXPECT_TRUE(failure->message.ends_with(advice)) << failure->message;
    }
}

TEST(Simulation, AFailedStepIsNamedAndCanBeRetried) {
  auto scenario = value_of(with_setting(preset(), "integrator.step", 0.01));
  Simulation run = start(scenario, 20);
  ASSERT_TRUE(run.set({{"integrator.step", 30}}));
  const std::string before = write_scenario(run.continuation());
  const auto failure = value_of(run.step());
  EXPECT_EQ(failure.step, 21);
  EXPECT_TRUE(says(failure.message, "body"));
  EXPECT_TRUE(says(failure.message, "variational"));
  EXPECT_EQ(write_scenario(run.continuation()), before);
  ASSERT_TRUE(run.set({{"integrator.step", 0.01}}));
  march(run, 20);
}

TEST(Simulation, AFailureSaysAfterHowManyIterations) {
  std::set<bool> several;
  for (const auto& [type, step] : {std::pair("variational", 3.0), std::pair("gauss16", 10.0)}) {
    Simulation run = start(
        with(preset(), {{"integrator.type", type}, {"integrator.step", step}, {"duration", step}}));
    const auto failure = run.step();
    ASSERT_TRUE(failure) << type;
    ASSERT_EQ(failure->report.status, StepStatus::not_converged) << failure->message;
    const int count = failure->report.iterations;
    EXPECT_TRUE(says(failure->message, count == 1 ? std::string("1 iteration)")
                                                  : fmt::format("{} iterations)", count)))
        << failure->message;
    several.insert(count > 1);
  }
  EXPECT_EQ(several.size(), 2u) << "one iteration, and more";
}

// The plan counts what a run comes to, whatever its events do to step and duration.
TEST(Simulation, PlansTheStepsThatAreTaken) {
  std::mt19937 generator(11);
  const auto pick = [&](std::vector<double> values) { return values[generator() % values.size()]; };
  for (int k = 0; k < 60; ++k) {
    Scenario scenario = preset();
    scenario.duration = pick({0.7, 1, 2.345});
    if (k % 3 == 0) {
      Simulation before = start(scenario, 13);
      scenario = before.continuation();
    }
    std::int64_t step = 0;
    for (int i = 0; i < 4; ++i) {
      step += static_cast<std::int64_t>(generator() % 60);
      Event event{step, {{"system.gravity", pick({1.62, 3.7})}}};
      if (generator() % 2)
        event.set.push_back({"integrator.step", pick({0.01, 0.003, 0.0101, 0.02})});
      if (generator() % 2) event.set.push_back({"duration", pick({0.3, 1.1, 2})});
      if (generator() % 4 == 0) event.set.push_back({"integrator.type", "rk4"});
      scenario.events.push_back(event);
    }
    Simulation run = start(scenario);
    while (!run.finished()) march(run, 1);
    EXPECT_EQ(planned_steps(scenario), run.steps());
    EXPECT_EQ(base_stride(scenario), 1);
  }
}

TEST(Simulation, SmallerStepsToComeAddNoRows) {
  Scenario scenario = preset();
  scenario.events = {{100, {{"integrator.step", 0.0005}}}};
  Simulation run = start(scenario);
  EXPECT_EQ(planned_steps(scenario), 100 + 99 * 2000);
  EXPECT_EQ(run.stride(), 20);
  EXPECT_LE(planned_steps(scenario) / run.stride() + 2, 10'001);
}

TEST(Simulation, EventsSetTheStrideOfTheWholeRun) {
  Scenario scenario = preset();
  scenario.duration = 1;  // 100 steps
  scenario.events = {{20, {{"every", 2}}},
                     {30, {{"every", 6}, {"system.gravity", 5}}},
                     {100, {{"every", 12}}},
                     {101, {{"every", 24}}}};
  Simulation run = start(*read_scenario(write_scenario(scenario), "file"));
  EXPECT_EQ(run.stride(), 12);
  march(run, 101);
  EXPECT_EQ(run.stride(), 12);
  EXPECT_EQ(run.present().parameters.at("gravity")[0], 5);
  march(run, 1);  // past the plan
  EXPECT_EQ(run.stride(), 24);
  EXPECT_EQ(run.rewound().every, 0);
  EXPECT_EQ(run.first_stride(), 1);
}

TEST(Simulation, ADoubledStrideIsAnEventThatRepeatsTheRun) {
  Simulation run = start(preset(), 10);
  run.double_stride();
  march(run, 10);
  run.double_stride();
  EXPECT_EQ(run.stride(), 4);
  ASSERT_EQ(run.record().events.size(), 2u);
  EXPECT_EQ(run.record().events[1].step, 20);
  EXPECT_EQ(run.markers().size(), 2u);
  Scenario saved = *read_scenario(write_scenario(run.record()), "record");
  EXPECT_EQ(start(saved).stride(), 4);
  EXPECT_EQ(stride_through(saved, 19), 2);
  EXPECT_EQ(stride_through(saved, 9), 1);
  // What is left of it continues.
  Simulation half = start(saved, 15);
  const auto state = value_of(read_scenario(write_scenario(half.continuation()), "state"));
  EXPECT_EQ(state.events.size(), 1u);
  EXPECT_EQ(state.every, 2);
  EXPECT_EQ(start(state).stride(), 4);
  march(half, 10);
  EXPECT_EQ(half.continuation().every, 4);
}

// Another duration takes a change of the stride in, or leaves it out; the record tells either way.
TEST(Simulation, TheStrideFollowsThePlanButNeverShrinks) {
  Scenario scenario = preset();
  scenario.duration = 1;
  scenario.events = {{150, {{"every", 4}}}};
  Simulation run = start(scenario);
  EXPECT_EQ(run.stride(), 1);
  march(run, 10);
  ASSERT_TRUE(run.set({{"duration", 2}}));
  EXPECT_EQ(run.stride(), 4);
  EXPECT_EQ(sampling_stride(*read_scenario(write_scenario(run.record()), "record")), 4);
  march(run, 10);
  ASSERT_TRUE(run.set({{"duration", 1}}));
  EXPECT_EQ(run.stride(), 4);
  EXPECT_EQ(sampling_stride(*read_scenario(write_scenario(run.record()), "record")), 4);
  march(run, 80);
  EXPECT_TRUE(run.finished());
}

// Steps that get smaller while it runs do not change the rows, and the record knows which.
TEST(Simulation, ALiveChangeOfTheStepKeepsTheStride) {
  Simulation run = start(preset(), 100);
  ASSERT_TRUE(run.set({{"integrator.step", 0.0005}}));
  EXPECT_EQ(run.stride(), 1);
  EXPECT_EQ(start(*read_scenario(write_scenario(run.record()), "record")).stride(), 1);
  EXPECT_EQ(run.rewound().every, 0);
}

TEST(Simulation, RewoundKeepsSettingsAndForgetsEvents) {
  Simulation run = start(preset(), 10);
  ASSERT_TRUE(run.set({{"system.gravity", 3}}));
  march(run, 10);
  const Scenario again = run.rewound();
  EXPECT_TRUE(again.events.empty());
  EXPECT_EQ(again.parameters.at("gravity")[0], 3);
  EXPECT_EQ(again.q, preset().q);
  // From a state file the time stays and the energy reference is new.
  Simulation loaded = start(run.continuation());
  ASSERT_TRUE(loaded.set({{"system.gravity", 7}}));
  march(loaded, 5);
  Simulation back = start(loaded.rewound());
  EXPECT_EQ(back.time(), run.time());
  EXPECT_EQ(back.sample(0)[Quantity::energy_error], 0);
}

TEST(Simulation, RewoundAfterASwapToTheSphereStartsOnIt) {
  auto scenario = with_setting(preset(), "integrator.type", "rk4");
  ASSERT_TRUE(scenario);
  scenario = with_setting(*scenario, "integrator.step", 0.1);
  ASSERT_TRUE(scenario);
  Simulation drifting = start(*scenario, 300);
  Simulation loaded = start(drifting.continuation());
  EXPECT_GT(loaded.sample(0)[Quantity::unit_length_error], 1e-6);
  ASSERT_TRUE(loaded.set({{"integrator.type", "variational"}}));
  Simulation back = start(loaded.rewound());
  EXPECT_LE(back.sample(0)[Quantity::unit_length_error], 4e-16);
  EXPECT_EQ(back.sample(0)[Quantity::energy_error], 0);
}

/// Steps until the run stops; at most so many.
std::int64_t until_stopped(Simulation& run, std::int64_t most) {
  const std::int64_t from = run.steps();
  while (!run.stopped() && run.steps() < from + most) march(run, 1);
  return run.steps();
}

TEST(Simulation, StopsAtATime) {
  for (const double h : {0.01, 0.1, 1.0 / 3, 0.07}) {
    // A time that the steps reach exactly, but for rounding; and one in between.
    for (const auto& [time, step] : {std::pair{29 * h, 29}, {h * 29.5, 30}}) {
      auto scenario = value_of(with_setting(stopping("[]"), "integrator.step", h));
      scenario.stop = {{{}, true, time}};
      Simulation run = start(scenario);
      EXPECT_EQ(until_stopped(run, 1000), step) << h << " " << time;
      ASSERT_TRUE(run.stopped());
      EXPECT_NE(run.stopped()->find("time " + json::shortest(time) + " s is reached"),
                std::string::npos)
          << *run.stopped();
      march(run, 1);
      EXPECT_FALSE(run.stopped());
    }
  }
}

TEST(Simulation, StopsWhereARowIsBeyondABoundAndSaysByHowMuch) {
  Scenario scenario = stopping(R"([{"quantity": "energy_error", "above": 1e-3}])");
  scenario.every = 8;
  Simulation plain = start(preset());
  std::int64_t first = 0;
  while (std::abs(plain.sample(0)[Quantity::energy_error]) <= 1e-3 || first % 8 != 0) {
    march(plain, 1);
    ++first;
  }
  ASSERT_LT(plain.sample(0)[Quantity::energy_error], 0) << "compared by magnitude";
  Simulation run = start(scenario);
  EXPECT_EQ(until_stopped(run, 10'000), first);
  ASSERT_TRUE(run.stopped());
  EXPECT_EQ(run.sample(0).values, plain.sample(0).values);
  const std::string message = *run.stopped();
  for (const std::string& part : {std::string("variational: step ") + std::to_string(first),
                                  std::string("energy error = "), std::string("J, above 0.001 J")})
    EXPECT_TRUE(says(message, part));
}

TEST(Simulation, StopsAtTheWorstBody) {
  Scenario scenario = stopping(R"([{"quantity": "unit_length_error", "above": 1e-8},
                                   {"quantity": "total_energy", "below": -1e9}])",
                               preset("chain_pendulum"));
  scenario.lanes[0].type = "rk4";
  Simulation run = start(scenario);
  until_stopped(run, 100'000);
  ASSERT_TRUE(run.stopped());
  double worst = 0;
  int body = 0;
  for (int i = 0; i < 10; ++i)
    if (const double off = unit_length_error(run.state(0).q.col(i)); off > worst)
      worst = off, body = i + 1;
  EXPECT_EQ(worst, run.sample(0)[Quantity::unit_length_error]);
  EXPECT_NE(run.stopped()->find("of body " + std::to_string(body) + " of 10"), std::string::npos)
      << *run.stopped();
  EXPECT_EQ(run.stopped()->find(" 1,"), std::string::npos) << "a pure number has no unit";
}

TEST(Simulation, IsArmedAgainOnceBackWithin) {
  const Scenario scenario = stopping(R"([{"quantity": "kinetic_energy", "above": 130}])");
  Simulation run = start(scenario), plain = start(preset());
  // The upward crossings, seen from outside.
  std::vector<std::int64_t> crossings, stops;
  bool beyond = false;
  for (int k = 1; k <= 3000; ++k) {
    march(plain, 1);
    const bool now = plain.sample(0)[Quantity::kinetic_energy] > 130;
    if (now && !beyond) crossings.push_back(k);
    beyond = now;
    march(run, 1);
    if (run.stopped()) stops.push_back(k);
  }
  EXPECT_GT(crossings.size(), 3u);
  EXPECT_EQ(stops, crossings);
  EXPECT_EQ(run.sample(0).values, plain.sample(0).values) << "stopping changes no number";

  // The record continues where this run continued, and stops where it stopped.
  ASSERT_EQ(run.record().events.size(), stops.size());
  auto record = value_of(read_scenario(write_scenario(run.record()), "record"));
  EXPECT_EQ(write_scenario(record), write_scenario(run.record()));
  record.events.pop_back();
  Simulation repeated = start(record);
  EXPECT_EQ(until_stopped(repeated, 3000), stops.back());
  EXPECT_EQ(repeated.markers().size(), stops.size() - 1);
}

TEST(Simulation, ASavedStateGoesOnFromWhereItStopped) {
  const char* conditions = R"([{"quantity": "kinetic_energy", "above": 130}, {"time": 3}])";
  Simulation whole = start(stopping(conditions)), half = start(stopping(conditions));
  std::vector<std::int64_t> stops;
  for (int k = 0; k < 2000; ++k) {
    march(whole, 1);
    if (whole.stopped()) stops.push_back(whole.steps());
  }
  ASSERT_GT(stops.size(), 4u);
  const std::int64_t before = until_stopped(half, 2000);
  EXPECT_EQ(before, stops[0]);
  auto saved = value_of(read_scenario(write_scenario(half.continuation()), "state"));
  EXPECT_EQ(saved.stop.size(), 2u);
  EXPECT_TRUE(saved.events.empty());
  Simulation rest = start(saved);
  EXPECT_FALSE(rest.stopped());
  EXPECT_EQ(until_stopped(rest, 2000), stops[1] - before);
  // A start written by hand that is beyond a bound stops there.
  Simulation beyond = start(stopping(R"([{"quantity": "total_energy", "above": -1e9}])"));
  EXPECT_EQ(until_stopped(beyond, 100), 0);
}

TEST(Simulation, StopConditionsAreSettings) {
  Simulation run = start(preset(), 100);
  ASSERT_TRUE(run.set({{"stop", *json::parse(R"([{"time": 1.5}, {"time": 2}])", "stop")}}));
  EXPECT_EQ(until_stopped(run, 1000), 150);
  // One of the two stays as it is: passed. The new one is passed at once.
  ASSERT_TRUE(run.set({{"stop", *json::parse(R"([{"time": 1.5}, {"time": 1.7}])", "stop")}}));
  EXPECT_TRUE(run.stopped());
  EXPECT_EQ(until_stopped(run, 1000), 150);
  march(run, 1);
  EXPECT_EQ(until_stopped(run, 1000), 170);
  EXPECT_EQ(run.markers().back().text, "resumed");
  EXPECT_EQ(run.markers().front().text, "stop at time 1.5 s, time 2 s");
  ASSERT_TRUE(run.set({{"stop", json::Node::array()}}));
  EXPECT_EQ(run.markers().back().text, "no stop");
  EXPECT_FALSE(run.set({{"stop", *json::parse(R"([{"time": "now"}])", "stop")}}));
  march(run, 100);

  auto read = value_of(read_scenario(write_scenario(run.record()), "record"));
  Simulation repeated = start(read);
  EXPECT_EQ(until_stopped(repeated, 1000), 1000) << "it continued everywhere";
  EXPECT_EQ(repeated.present().stop.size(), 0u);
  EXPECT_EQ(run.rewound().stop.size(), 0u);
}

/// Heavy pendula, integrated badly: their energy overflows, with the defaults at the second step;
/// their state does not.
Simulation exploding(std::int64_t every, double step = 0.5, double mass = 1e300) {
  Scenario scenario = preset("pendulum_network");
  scenario.lanes[0].type = scenario.lanes[0].name = "rk2";
  scenario.lanes[0].step = step;
  scenario.every = every;
  scenario.parameters["masses"] = {mass, mass, mass, mass};
  return start(scenario);
}

/// Continues until a row is refused; returns the steps taken.
std::int64_t until_a_row_is_refused(Simulation run) {
  std::optional<StepFailure> failure;
  Sample last;
  std::string state;
  while (!failure && run.steps() < 10'000) {
    last = run.sample(0);
    state = write_scenario(run.continuation());
    EXPECT_TRUE(finite(last));
    failure = run.step();
  }
  if (!failure) return run.steps();
  EXPECT_EQ(failure->report.status, StepStatus::not_finite);
  EXPECT_EQ(failure->step, run.steps() + 1);
  EXPECT_TRUE(says(failure->message, "the kinetic energy would be inf J"));
  EXPECT_TRUE(says(failure->message, "rk2: step "));
  EXPECT_TRUE(says(failure->message, " of 4: "));
  // The last good state is as it was, and can be saved and loaded.
  EXPECT_EQ(run.sample(0).values, last.values);
  EXPECT_EQ(write_scenario(run.continuation()), state);
  EXPECT_TRUE(read_scenario(state, "state"));
  EXPECT_TRUE(run.step()) << "again";
  EXPECT_EQ(write_scenario(run.continuation()), state);
  return run.steps();
}

TEST(Simulation, RefusesARowThatIsNotFinite) {
  EXPECT_EQ(until_a_row_is_refused(exploding(1)), 1);
  // Many rows from where the lane was last kept.
  std::set<std::int64_t> steps;
  for (const auto& [step, mass] : {std::pair{0.06, 1e304}, {0.045, 1e304}, {0.05, 3e306}})
    steps.insert(until_a_row_is_refused(exploding(1, step, mass)) % 64);
  EXPECT_EQ(steps.size(), 3u);
  EXPECT_GT(*steps.begin(), 10);

  // Between rows nobody looks; a row further on, the step to it is refused.
  Simulation rare = exploding(2);
  march(rare, 1);
  EXPECT_TRUE(rare.step());
  EXPECT_EQ(rare.steps(), 1);
  EXPECT_EQ(rare.sample(0).values, [] {
    Simulation good = exploding(1);
    march(good, 1);
    return good.sample(0).values;
  }());
  Simulation never = exploding(7);
  march(never, 2);
  EXPECT_FALSE(finite(never.sample(0)));
}

TEST(Simulation, RefusesAChangeThatMakesTheEnergyOverflow) {
  // The first body starts at rest and gets fast.
  Scenario scenario = preset();
  scenario.omega.col(1) *= 1e3;
  scenario.lanes[0].type = scenario.lanes[0].name = "rk4";
  scenario.lanes[0].step = 1e-5;
  Simulation run = start(scenario, 200);
  const std::string before = write_scenario(run.continuation());
  const Error done = error_of(run.set({{"system.masses[0]", 1e304}}));
  EXPECT_EQ(done.text(), "system.masses[0]: the energy of rk4 would not be a finite number");
  EXPECT_EQ(write_scenario(run.continuation()), before);
  EXPECT_EQ(write_scenario(run.after_rewind()), write_scenario(run.present()));
  march(run, 1);
}

// A drag: many values at one step are one event, and the run is that of the last value alone.
TEST(Simulation, ValuesSetAgainAtAStepAreOneEvent) {
  for (const char* path : {"system.gravity", "integrator.step", "duration"}) {
    Simulation dragged = start(preset(), 100), once = start(preset());
    march(once, 100);
    const bool step = std::string_view(path) == "integrator.step";
    const double scale = step ? 0.01 : 10;
    for (int k = 1; k <= 200; ++k) ASSERT_TRUE(dragged.set({{path, scale + k * scale / 400}}));
    ASSERT_TRUE(once.set({{path, scale * 1.5}}));
    ASSERT_EQ(dragged.record().events.size(), 1u) << path;
    EXPECT_EQ(dragged.events_applied(), 1u);
    EXPECT_EQ(dragged.markers().size(), 1u);
    EXPECT_EQ(dragged.markers()[0].text, once.markers()[0].text);
    EXPECT_EQ(dragged.planned_steps(), once.planned_steps());
    EXPECT_EQ(dragged.row(0).values, once.row(0).values) << "as the step was reached";
    EXPECT_EQ(write_scenario(dragged.record()), write_scenario(once.record()));
    EXPECT_EQ(write_scenario(dragged.continuation()), write_scenario(once.continuation()));
    march(dragged, 50);
    auto read = value_of(read_scenario(write_scenario(dragged.record()), "record"));
    Simulation repeated = start(read, 150);
    EXPECT_EQ(write_scenario(repeated.continuation()), write_scenario(dragged.continuation()));
    EXPECT_EQ(repeated.sample(0).values, dragged.sample(0).values);
    // At another step it is another event.
    ASSERT_TRUE(dragged.set({{path, scale}}));
    EXPECT_EQ(dragged.record().events.size(), 2u);
  }
}

TEST(Simulation, ValuesThatAreSetBackLeaveNoEvent) {
  for (const char* method : {"variational", "rk45", "rk4"}) {
    auto scenario = value_of(with_setting(preset(), "integrator.type", method));
    Simulation touched = start(scenario, 100), left = start(scenario);
    march(left, 100);
    const std::string before = write_scenario(touched.continuation());
    ASSERT_TRUE(touched.set({{"integrator.type", "rotation"}}) ||
                touched.set({{"integrator.type", "rk2_projected"}}));
    ASSERT_TRUE(touched.set({{"system.gravity", 3}}));
    EXPECT_EQ(touched.record().events.size(), 2u) << "two values, two events";
    ASSERT_TRUE(touched.set({{"system.gravity", 4}}));
    EXPECT_EQ(touched.record().events.size(), 1u) << "set again, all at once";
    ASSERT_TRUE(touched.set({{"integrator.type", method}, {"system.gravity", 9.81}}));
    EXPECT_TRUE(touched.record().events.empty()) << method;
    EXPECT_TRUE(touched.markers().empty());
    EXPECT_EQ(write_scenario(touched.continuation()), before) << method;
    march(touched, 100);
    march(left, 100);
    EXPECT_EQ(write_scenario(touched.continuation()), write_scenario(left.continuation()));
    EXPECT_EQ(write_scenario(touched.record()), write_scenario(left.record()));
  }
}

TEST(Simulation, AValueThatIsRefusedLeavesThoseBefore) {
  Simulation run = start(preset(), 10);
  ASSERT_TRUE(run.set({{"system.gravity", 5}}));
  const std::string state = write_scenario(run.continuation());
  EXPECT_FALSE(run.set({{"system.gravity", 1e308}}));
  EXPECT_EQ(run.record().events.size(), 1u);
  EXPECT_EQ(run.present().parameters.find("gravity")->second[0], 5);
  EXPECT_EQ(write_scenario(run.continuation()), state);
}

TEST(Simulation, LanesKeepTheNamesOfTheirColumnsAfterASwapAndALoad) {
  auto scenario = value_of(
      with_setting(preset(), "lanes", *json::parse_value(R"([{"type": "variational", "step": 0.01},
                                                     {"type": "rk45", "step": 0.01}])")));
  Simulation whole = start(scenario, 5);
  ASSERT_TRUE(whole.set({{"lanes[1].type", "rk4"}}));
  march(whole, 5);
  auto read = value_of(read_scenario(write_scenario(whole.continuation()), "state"));
  Simulation rest = start(read);
  EXPECT_EQ(rest.record().lanes[1].name, "rk45");
  EXPECT_EQ(rest.record().lanes[1].type, "rk4");
  EXPECT_EQ(rest.record().lanes[0].name, "variational");
  march(rest, 5);
  march(whole, 5);
  EXPECT_EQ(write_scenario(rest.continuation()), write_scenario(whole.continuation()));
}

TEST(Simulation, AStepThatIsInterruptedWasNeverTaken) {
  const std::string bodies = [] {
    // More than the kernels sum up without looking.
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    Scenario many = preset("three_body");
    const int n = 1200;
    many.q.resize(3, n);
    many.omega.setZero(3, n);
    for (Eigen::Index i = 0; i < n; ++i)
      many.q.col(i) = Vec3(normal(random), normal(random), normal(random)).normalized();
    many.parameters["masses"] = std::vector<double>(n, 1.0);
    many.parameters["gamma"] = {1e-9};
    return write_scenario(many);
  }();
  auto many = value_of(read_scenario(bodies, "test"));
  std::vector<Scenario> scenarios{many,
                                  preset("lennard_jones"),
                                  preset("conformal_pair"),
                                  preset("double_spherical_pendulum"),
                                  preset("vortex_leapfrog"),
                                  six_spins()};
  int compared = 0;
  std::set<std::string> methods, stopped_within;
  for (Scenario& scenario : scenarios) {
    for (const IntegratorInfo& method : integrators()) {
      auto chosen = with_setting(scenario, "integrator.type", method.key);
      if (!chosen || (method.key == "variational_cayley" && scenario.size() > 20)) continue;
      Simulation stopped = start(*chosen, 2), free = start(*chosen);
      march(free, 2);
      const std::string before = write_scenario(stopped.continuation());
      std::atomic<bool> flag{true};
      std::optional<StepFailure> failure;
      {
        const Interruptible interruptible(flag);
        failure = stopped.step();
      }
      if (failure) {
        EXPECT_TRUE(failure->interrupted()) << failure->message;
        EXPECT_EQ(write_scenario(stopped.continuation()), before) << method.key;
      } else {
        march(free, 1);  // it takes no time
      }
      march(stopped, 1);
      march(free, 1);
      EXPECT_EQ(write_scenario(stopped.continuation()), write_scenario(free.continuation()))
          << scenario.system << " " << method.key;
      if (scenario.size() > 1000) {
        EXPECT_TRUE(failure) << method.key;
        stopped_within.emplace(method.key);
      }
      methods.emplace(method.key);
      ++compared;
    }
  }
  EXPECT_GE(compared, 54);
  EXPECT_EQ(methods, keys_of(integrators()));
  EXPECT_GE(stopped_within.size(), 12U);
}

TEST(Simulation, LanesOfManyStepsAreInterruptedWithinThem) {
  auto scenario = value_of(with_setting(preset("elastic_rod"), "lanes", *json::parse_value(R"([
                                            {"type": "variational", "step": 1e-4},
                                            {"type": "rk4", "step": 10}])")));
  Simulation run = start(scenario);
  const std::string before = write_scenario(run.continuation());
  std::atomic<bool> flag{false};
  std::thread other([&flag] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    flag = true;
  });
  const Interruptible interruptible(flag);
  const auto begun = std::chrono::steady_clock::now();
  const auto failure = run.step();
  const auto taken = std::chrono::steady_clock::now() - begun;
  other.join();
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->interrupted());
  EXPECT_LT(taken, std::chrono::seconds(1));
  EXPECT_EQ(run.steps(), 0);
  EXPECT_EQ(write_scenario(run.continuation()), before);
}

/// A run in the very state: what it continues with, its rows, marks, warnings and reasons to stop.
void expect_same(Simulation& a, Simulation& b) {
  ASSERT_EQ(a.steps(), b.steps());
  EXPECT_EQ(a.time(), b.time());
  EXPECT_EQ(a.stride(), b.stride());
  EXPECT_EQ(a.planned_steps(), b.planned_steps());
  EXPECT_EQ(a.stopped(), b.stopped());
  EXPECT_EQ(write_scenario(a.continuation()), write_scenario(b.continuation()));
  EXPECT_EQ(write_scenario(a.record()), write_scenario(b.record()));
  ASSERT_EQ(a.markers().size(), b.markers().size());
  for (std::size_t i = 0; i < a.markers().size(); ++i)
    EXPECT_EQ(a.markers()[i].text, b.markers()[i].text);
  ASSERT_EQ(a.warnings().size(), b.warnings().size());
  for (int i = 0; i < a.lane_count(); ++i) {
    EXPECT_EQ(a.row(i).values, b.row(i).values);
    EXPECT_EQ(a.lane(i).steps, b.lane(i).steps);
    EXPECT_EQ(a.lane(i).inner_steps, b.lane(i).inner_steps);
    EXPECT_EQ(a.lane(i).last.status, b.lane(i).last.status);
    EXPECT_EQ(a.lane(i).last.iterations, b.lane(i).last.iterations);
  }
}

struct Compared {
  int runs = 0, refusals = 0, stops = 0;
};

/// Runs of the scenarios with rows of three strides, by calls of random length and step by step.
Compared compare_calls(std::vector<Scenario> scenarios) {
  std::mt19937 random(3);
  Compared out;
  for (Scenario& scenario : scenarios) {
    for (const std::int64_t every : {1, 7, 50}) {
      scenario.every = every;
      Simulation at_once = start(scenario), by_step = start(scenario);
      SCOPED_TRACE(scenario.system + " " + scenario.lanes[0].type);
      ++out.runs;
      while (by_step.steps() < 120) {
        const std::int64_t before = at_once.steps(), last = before + 1 + random() % 40;
        const auto failure = at_once.advance_to(last);
        std::optional<StepFailure> expected;
        const std::int64_t calls = at_once.steps() - before + (failure ? 1 : 0);
        EXPECT_GE(calls, 1);
        EXPECT_LE(at_once.steps(), last);
        for (std::int64_t k = 0; k < calls; ++k) {
          EXPECT_FALSE(expected);
          EXPECT_TRUE(k == 0 || (!by_step.stopped() && by_step.steps() % by_step.stride() != 0 &&
                                 by_step.steps() != by_step.planned_steps()))
              << "there was something to look at";
          expected = by_step.step();
        }
        EXPECT_EQ(failure.has_value(), expected.has_value());
        expect_same(at_once, by_step);
        if (testing::Test::HasFailure()) return out;
        if (by_step.stopped()) ++out.stops;
        if (!failure) continue;
        EXPECT_EQ(failure->message, expected->message);
        EXPECT_EQ(failure->step, expected->step);
        ++out.refusals;
        break;
      }
    }
  }
  return out;
}

// Every preset with its method and another one beside it, and runs with all that can happen in one.
TEST(Simulation, ManyStepsInOneCallAreThoseOfManyCalls) {
  std::vector<Scenario> scenarios;
  for (const Preset& p : presets()) {
    const Scenario scenario = preset(p.key);
    if (scenario.size() > 500) continue;
    scenarios.push_back(scenario);
    const double h = scenario.lanes[0].step;
    scenarios.push_back(value_of(
        with_setting(scenario, "lanes",
                     *json::parse_value(fmt::format(
                         R"([{{"type": "{}", "step": {}}}, {{"type": "rk45", "step": {}}}])",
                         scenario.lanes[0].type, h, h / 4)))));
  }
  const auto eventful = [](const char* lanes, const char* events) {
    auto s = with_settings(preset(), {{"lanes", *json::parse_value(lanes)},
                                      {"duration", 2},
                                      {"events", *json::parse_value(events)},
                                      {"stop", *json::parse_value(R"([{"time": 0.35}])")}});
    EXPECT_TRUE(s) << s.error().text();
    return *s;
  };
  constexpr const char* events = R"([{"step": 7, "set": {"system.gravity": 5}},
    {"step": 8, "set": {"lanes[0].step": 0.02}}, {"step": 20, "set": {"every": 350}},
    {"step": 31, "set": {"stop": []}}, {"step": 40, "set": {"duration": 1}},
    {"step": 41, "set": {"lanes[0].type": "rk4"}}, {"step": 45, "set": {"lanes[0].step": 2}}])";
  scenarios.push_back(eventful(R"([{"type": "variational", "step": 0.01}])", events));
  scenarios.push_back(eventful(
      R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.005}])", events));
  const Compared all = compare_calls(std::move(scenarios));
  EXPECT_GE(all.runs, 150);
  EXPECT_GE(all.refusals, 3);
  EXPECT_EQ(all.stops, 6);
}

// Takes long as there are over 400 pairs of a preset and a method.
TEST(Simulation, ManyStepsInOneCallAreThoseOfManyCallsWithEveryMethod) {
  std::vector<Scenario> scenarios;
  std::set<std::string> methods;
  for (const Preset& p : presets()) {
    const Scenario scenario = preset(p.key);
    if (scenario.size() > 500) continue;
    for (const IntegratorInfo& method : integrators()) {
      auto chosen = with_setting(scenario, "integrator.type", method.key);
      if (!chosen) continue;  // not for this inertia
      scenarios.push_back(std::move(*chosen));
      methods.emplace(method.key);
    }
  }
  EXPECT_GE(compare_calls(std::move(scenarios)).runs, 324);
  EXPECT_EQ(methods, keys_of(integrators()));
}

TEST(Simulation, ManyStepsInOneCallAreInterruptedBetweenTwo) {
  Scenario scenario = preset();
  scenario.duration = 1e9;
  scenario.every = std::int64_t{1} << 50;
  Simulation run = start(scenario, 1);
  std::atomic<bool> flag{false};
  std::thread other([&flag] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    flag = true;
  });
  std::optional<StepFailure> failure;
  {
    const Interruptible interruptible(flag);
    failure = run.advance_to(std::int64_t{1} << 40);
  }
  other.join();
  ASSERT_TRUE(failure);
  EXPECT_TRUE(failure->interrupted());
  const std::int64_t steps = run.steps();
  EXPECT_GT(steps, 1);
  Simulation again = start(scenario);
  while (again.steps() < steps) ASSERT_FALSE(again.advance_to(steps));
  EXPECT_EQ(write_scenario(run.continuation()), write_scenario(again.continuation()));
  march(run, 1);
  march(again, 1);
  expect_same(run, again);
}

}  // namespace
}  // namespace twosphere::test::simulation_test
