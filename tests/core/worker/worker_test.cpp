// SPDX-License-Identifier: GPL-3.0-or-later
// The worker: commands, streams, pacing. Nothing here depends on how fast the machine is, except
// within wide bounds where the clock itself is the subject.
#include "core/worker/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <deque>
#include <future>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/mechanics/forwarding_system.h"
#include "core/output/csv.h"
#include "core/record/history.h"
#include "core/record/signal.h"
#include "core/run/trail.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/worker/drag_edit.h"
#include "core/worker/pacing.h"
#include "core/worker/publisher.h"
#include "tests/redefined.h"
#include "tests/runs.h"
#include "tests/sample_row.h"
#include "tests/workers.h"

namespace twosphere::test::worker_test {
namespace {

using namespace std::chrono_literals;

/// Two links, h = 0.01 s; a sample at every step.
Scenario pendulum(double duration = 100) {
  return with(preset(), {{"duration", duration}, {"every", 1.0}});
}

/// What headless gives: the samples of `steps` steps, first and last included.
std::vector<SampleRow> headless(const Scenario& scenario, std::int64_t steps) {
  Simulation run = start(scenario);
  std::vector<SampleRow> rows;
  rows.push_back(present_row(run));
  while (run.steps() < steps) {
    const auto failure = run.step();
    EXPECT_FALSE(failure) << failure->message;
    if (failure) break;
    if (run.steps() % run.stride() == 0) rows.push_back(present_row(run));
  }
  return rows;
}

/// Takes what came to the end of `rows` and gives it back.
void drain(Worker& worker, std::vector<SampleRow>& rows) {
  std::vector<SampleRows> came;
  worker.drain_samples(came);
  for (SampleRow& row : one_by_one(came)) rows.push_back(std::move(row));
  worker.give_back(came);
}

std::vector<SampleRow> drained(Worker& worker) {
  std::vector<SampleRow> rows;
  drain(worker, rows);
  return rows;
}

const Pace fastest{Pacing::fastest, 1};

void play(Worker& worker, const Pace& pace = fastest) {
  worker.send(pace);
  worker.send(Play{});
}

TEST(Worker, StandsAtTheStartAtOnce) {
  Worker worker(start(pendulum()));
  const Snapshot& s = worker.snapshot();
  EXPECT_EQ(s.state, RunState::paused);
  EXPECT_EQ(s.generation, 1u);
  EXPECT_EQ(s.steps, 0);
  EXPECT_EQ(s.planned_steps, 10'000);
  EXPECT_EQ(s.stride, 1);
  EXPECT_EQ(s.end_time, 100);
  ASSERT_EQ(s.lanes.size(), 1u);
  EXPECT_EQ(s.lanes[0].info->key, "variational");
  EXPECT_EQ(s.system_info->key, "chain_pendulum");
  EXPECT_EQ(s.system->size(), 2);
  EXPECT_EQ(s.present->lanes[0].step, 0.01);
  expect_same_rows(drained(worker), headless(pendulum(), 0));
}

/// Tells whether its extent was measured to the end.
class MeasuredSystem final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;

  Extent extent() const override {
    if (interrupts)
      std::exchange(interrupts, nullptr)->store(true);
    else
      measured = true;
    return ForwardingSystem::extent();
  }
  mutable std::atomic<bool> measured = false;
  mutable std::atomic<bool>* interrupts = nullptr;  // set in the first measurement
};

Scenario measured_pendulum() { return with_systems<MeasuredSystem>(preset("custom/pendulum")); }

// A figure may take long to measure: not on the thread that draws it.
TEST(Worker, MeasuresASystemBeforeItIsShown) {
  Worker worker(start(measured_pendulum()));
  const auto measured = [&] {
    const auto* system = dynamic_cast<const MeasuredSystem*>(worker.snapshot().system.get());
    return system && system->measured;
  };
  EXPECT_TRUE(measured());
  const System* first = worker.snapshot().system.get();
  after(worker, {Change{{{"system.g", 5.0}}}});
  EXPECT_NE(worker.snapshot().system.get(), first);
  EXPECT_TRUE(measured()) << "with another parameter";
}

TEST(Worker, ASystemWhoseMeasurementWasInterruptedIsMeasuredBeforeItIsShown) {
  Simulation run = start(measured_pendulum());
  const auto* system = dynamic_cast<const MeasuredSystem*>(run.system().get());
  ASSERT_NE(system, nullptr);
  std::atomic<bool> stop = false;
  system->interrupts = &stop;
  Publisher publisher(run);
  publisher.describe(run);
  const auto publishes = [&] {
    const Interruptible scope(stop);
    return publisher.publish(run, RunStatus{}, RateMeter{}, OpenDragEdit{}, nullptr, Clock::now());
  };
  EXPECT_FALSE(publishes());
  stop = false;
  EXPECT_TRUE(publishes());
  ASSERT_TRUE(publisher.take());
  EXPECT_EQ(publisher.taken().system.get(), system);
  EXPECT_TRUE(system->measured);
}

TEST(Worker, CommandsTakeEffectInOrder) {
  Worker worker(start(pendulum()));
  const Snapshot& s =
      after(worker, {TakeSteps{10}, Change{{{"system.gravity", 5.0}}}, TakeSteps{4}, TakeSteps{1},
                     Change{{{"system.masses[0]", 2.0}}}, TakeSteps{5}});
  EXPECT_EQ(s.steps, 20);
  EXPECT_EQ(s.state, RunState::paused);
  EXPECT_EQ(s.error_count, 0u);
  ASSERT_EQ(s.record->events.size(), 2u);
  EXPECT_EQ(s.record->events[0].step, 10);
  EXPECT_EQ(s.record->events[0].set[0].path, "system.gravity");
  EXPECT_EQ(s.record->events[1].step, 15);
  EXPECT_EQ(s.present->parameters.at("masses")[0], 2);
  EXPECT_EQ(s.markers.size(), 2u);
  expect_same_rows(drained(worker), headless(*s.record, 20));
}

TEST(Worker, GoesBackAndForth) {
  Worker worker(start(pendulum(1)));
  const auto finishes = [&] { return reaches(worker, RunState::finished); };
  worker.send(fastest);
  worker.send(TrailSpan{1});
  worker.send(Play{});
  ASSERT_TRUE(finishes());
  after(worker, {Reverse{}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_TRUE(worker.snapshot().reversed);
  EXPECT_EQ(worker.snapshot().planned_steps, 200);
  worker.send(Play{});
  ASSERT_TRUE(finishes());
  const Snapshot& s = worker.snapshot();
  EXPECT_EQ(s.steps, 200);
  EXPECT_EQ(s.t, 0);
  EXPECT_EQ(s.elapsed, 2);
  ASSERT_EQ(s.start_distances.size(), 1u);
  EXPECT_LT(s.start_distances[0].q, 1e-12);
  const std::vector<SampleRow> rows = drained(worker);
  expect_same_rows(rows, headless(*s.record, 200));
  std::vector<Configuration> configurations;
  worker.drain_configurations(configurations);
  ASSERT_FALSE(configurations.empty());
  EXPECT_GT(configurations.back().t, 1.9) << "of the time elapsed";
  // In real time, too.
  after(worker, {Reverse{}, Pace{Pacing::real_time, 10}, Play{}});
  ASSERT_TRUE(finishes());
  EXPECT_EQ(worker.snapshot().steps, 300);
}

TEST(Worker, WhatIsHeldFollowsAndTheRecordRepeatsIt) {
  for (const bool in_real_time : {true, false}) {
    Worker worker(start(pendulum(1000)));
    if (!in_real_time) worker.send(Pace{Pacing::every_step});
    const Vec3 target(0.8, 0, 1.6);
    const auto away = [&](const Snapshot& s) {
      Geometry figure;
      s.system->geometry(s.lanes[0].state.q, figure);
      return (figure.bodies[1].position - target).norm();
    };
    const double before = away(worker.snapshot());
    worker.send(Play{});
    // Stiff enough to carry the weight at the ten times real time at which steps are read here.
    after(worker, {MousePull{0, 1, target, 4}});
    EXPECT_TRUE(wait_until(worker, [&](const Snapshot& s) { return away(s) < 0.25 * before; }));
    after(worker, {Release{}});
    EXPECT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.pulls.empty(); }));
    const Snapshot& s = after(worker, {Pause{}});
    EXPECT_EQ(s.error_count, 0u);
    ASSERT_FALSE(s.record->events.empty());
    for (std::size_t k = 1; k < s.record->events.size(); ++k)
      EXPECT_LE(s.record->events[k - 1].step + s.record->events[k - 1].pull->steps,
                s.record->events[k].step)
          << "one after the other";
    EXPECT_LE(s.markers.size(), 2u) << "one gesture";
    expect_same_rows(drained(worker), headless(*s.record, s.steps));
    Simulation again = start(*s.record, s.steps);
    EXPECT_EQ(again.markers().size(), s.markers.size());
  }
}

// What was pulled at a faster pace lasts for many steps, which take long at a slower one.
TEST(WorkerClock, TheHandFollowsAtOnceAtASlowerPace) {
  Worker worker(start(pendulum(10'000)));
  worker.send(Pace{Pacing::real_time, 100});
  worker.send(Play{});
  worker.send(MousePull{0, 1, Vec3(0.8, 0, 1.6), 0.05});  // each lasts as long as it may
  const auto pulls = [](const Snapshot& s) {
    std::vector<Event> all;
    for (const Event& event : s.record->events)
      if (event.pull) all.push_back(event);
    return all;
  };
  ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) {
    const auto all = pulls(s);
    return !all.empty() && all.back().pull->steps > 50;
  }));
  after(worker, {Pace{Pacing::real_time, 0.1}});
  const std::int64_t slower = worker.snapshot().steps;
  const std::size_t before = pulls(worker.snapshot()).size();
  ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) { return pulls(s).size() >= before + 4; }));
  EXPECT_LT(worker.snapshot().steps, slower + 30);
  after(worker, {Release{}});
  EXPECT_TRUE(wait_until(worker, [](const Snapshot& s) {
    Vec3 sum = Vec3::Zero();
    for (const ActivePull& active : s.pulls) sum += active.pull.force;
    return sum.norm() < 1e-9;
  }));
  EXPECT_LT(worker.snapshot().steps, slower + 60) << "it is let go";
  const Snapshot& s = after(worker, {Pause{}});
  EXPECT_EQ(s.error_count, 0u);
  expect_same_rows(drained(worker), headless(*s.record, s.steps));
}

TEST(Worker, WhatCannotBeHeldIsRefused) {
  Worker worker(start(pendulum()));
  after(worker, {MousePull{1, 0, Vec3::Zero()}, MousePull{0, 2, Vec3::Zero()},
                 MousePull{0, 0, Vec3(0, 0, std::numeric_limits<double>::quiet_NaN())},
                 MousePull{0, 0, Vec3::Zero(), 0}});
  EXPECT_EQ(worker.snapshot().error_count, 4u);
  after(worker, {TakeSteps{10}});
  EXPECT_TRUE(worker.snapshot().record->events.empty());
}

TEST(Worker, SnapshotIsCompleteAtAnyStep) {
  Worker worker(start(with(pendulum(), "every", 1000.0)));
  after(worker, {TakeSteps{123}});
  Simulation plain = start(pendulum(), 123);
  const Snapshot& s = worker.snapshot();
  EXPECT_EQ(s.t, plain.time());
  EXPECT_EQ(s.stride, 1000);
  EXPECT_EQ(s.lanes[0].state.t, plain.time());
  EXPECT_EQ(s.lanes[0].state.q, plain.state(0).q);
  EXPECT_EQ(s.lanes[0].state.w, plain.state(0).w);
  EXPECT_EQ(s.lanes[0].sample.values, plain.sample(0).values);
  EXPECT_TRUE(s.lanes[0].last.ok());
  EXPECT_EQ(drained(worker).size(), 1u);
}

TEST(Worker, SlowReaderLosesNoSampleOfAFastRun) {
  constexpr std::int64_t steps = 100'000;
  const Scenario scenario = pendulum(1000);
  Worker worker(start(scenario));
  worker.send(fastest);
  worker.send(TrailSpan{20});
  worker.send(Play{});
  std::vector<SampleRow> rows;
  std::vector<Configuration> configurations;
  std::int64_t last_seen = 0;
  do {
    std::this_thread::sleep_for(7ms);
    const Snapshot& s = worker.snapshot();
    EXPECT_GE(s.steps, last_seen);
    last_seen = s.steps;
    drain(worker, rows);
    ASSERT_GT(static_cast<std::int64_t>(rows.size()), s.steps);  // all that belong to the snapshot
    configurations.clear();
    worker.drain_configurations(configurations);
    EXPECT_LE(configurations.size(), 600u);
  } while (worker.snapshot().state != RunState::finished);
  drain(worker, rows);
  EXPECT_EQ(worker.snapshot().steps, steps);
  expect_same_rows(rows, headless(scenario, steps));
}

TEST(Worker, PacingChangesNoNumber) {
  const Scenario scenario = pendulum(3);
  const auto want = headless(scenario, 300);
  for (const Pace pace : {fastest, Pace{Pacing::real_time, 10}, Pace{Pacing::every_step, 1}}) {
    Worker worker(start(scenario));
    play(worker, pace);
    ASSERT_TRUE(reaches(worker, RunState::finished));
    expect_same_rows(drained(worker), want);
  }
}

// The reader sits in the worker's own callback, so that nothing happens between look and command.
TEST(Worker, PauseActsBeforeTheNextStep) {
  for (const Pace pace : {fastest, Pace{Pacing::real_time, 5}, Pace{Pacing::every_step, 1}}) {
    std::atomic<Worker*> self = nullptr;
    std::atomic<std::int64_t> seen = 0;
    std::atomic<bool> asked = false, paused = false;
    Worker worker(start(pendulum(1e7)), [&] {
      Worker* w = self;
      if (!w || paused) return;
      const Snapshot& s = w->snapshot();
      if (asked) {
        paused = s.state == RunState::paused;
      } else if (s.steps >= 20) {
        seen = s.steps;
        asked = true;
        w->send(Pause{});
      }
    });
    self = &worker;
    play(worker, pace);
    for (int i = 0; i < 60'000 && !paused; ++i) std::this_thread::sleep_for(1ms);
    ASSERT_TRUE(paused);
    EXPECT_EQ(worker.snapshot().steps, seen);
    EXPECT_EQ(worker.capture().get().steps, seen);
  }
}

/// Steps of a second lane that take seconds.
Scenario long_steps() {
  return with(pendulum(), "lanes", *json::parse_value(R"([{"type": "variational", "step": 1e-5},
                                                         {"type": "rk4", "step": 100}])"));
}

TEST(WorkerClock, PauseAndTheEndActWithinAStepThatTakesLong) {
  const auto begun = std::chrono::steady_clock::now();
  {
    Worker worker(start(long_steps()));
    worker.send(fastest);
    for (int k = 0; k < 3; ++k) {
      worker.send(Play{});
      std::this_thread::sleep_for(50ms);
      const auto asked = std::chrono::steady_clock::now();
      after(worker, {Pause{}});
      EXPECT_LT(std::chrono::steady_clock::now() - asked, 1s);
      EXPECT_EQ(worker.snapshot().state, RunState::paused);
      EXPECT_EQ(worker.snapshot().steps, 0) << "the step was never begun";
    }
    EXPECT_FALSE(worker.snapshot().failure);
    worker.send(Play{});
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 4s);
}

TEST(WorkerClock, WaitsForWhoTakesTheSamples) {
  const Scenario scenario = pendulum(4000);
  const std::int64_t steps = 400'000;
  Worker worker(start(scenario), {}, {.max_undrained = std::size_t{1} << 20});
  play(worker);
  // It comes to rest long before the end, with the state of the last row there to see.
  std::int64_t before = -1;
  ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) {
    std::this_thread::sleep_for(100ms);
    return std::exchange(before, s.steps) == s.steps && s.steps > 0;
  }));
  EXPECT_LT(before, steps / 2);
  EXPECT_EQ(worker.snapshot().state, RunState::running);
  // It still obeys,
  after(worker, {Pause{}});
  EXPECT_LT(worker.snapshot().steps, steps / 2);
  worker.send(Play{});
  // and continues as samples are taken, none of which is missing.
  std::vector<SampleRow> rows;
  ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) {
    drain(worker, rows);
    return s.state == RunState::finished;
  }));
  drain(worker, rows);
  expect_same_rows(rows, headless(scenario, steps));
}

TEST(Worker, EndsWhileItWaitsForWhoTakesTheSamples) {
  Worker worker(start(pendulum(1000)), {}, {.max_undrained = 1});
  play(worker);
  std::this_thread::sleep_for(100ms);
}

TEST(Worker, TellsWarningsOnce) {
  auto bodies = preset("three_body");
  Worker worker(start(bodies));
  worker.send(fastest);
  worker.send(TakeSteps{2400});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps == 2400; }));
  ASSERT_EQ(worker.snapshot().warnings.size(), 1U);
  EXPECT_EQ(worker.snapshot().markers.size(), 1U);
  EXPECT_TRUE(worker.snapshot().markers[0].warning);
  after(worker, {Rewind{}});
  EXPECT_TRUE(worker.snapshot().warnings.empty());
}

TEST(Worker, PauseCutsTakeStepsShortAndKeepsWhatWasAskedBetween) {
  Worker worker(start(pendulum()));
  const Snapshot& s =
      after(worker, {TakeSteps{1'000'000'000'000}, Change{{{"system.gravity", 5.0}}}, Pause{}});
  EXPECT_EQ(s.state, RunState::paused);
  EXPECT_EQ(s.commands, 3u);
  EXPECT_EQ(s.present->parameters.at("gravity")[0], 5);

  worker.send(TakeSteps{1'000'000'000'000});
  ASSERT_TRUE(reaches(worker, RunState::running));
  after(worker, {Rewind{}});
  EXPECT_EQ(worker.snapshot().steps, 0);
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
}

TEST(Worker, PlaysNoFurtherThanToTheStepNextToATime) {
  Worker worker(start(pendulum()));
  const auto rests_at = [&](std::int64_t steps) {
    return wait_until(
        worker, [&](const Snapshot& s) { return s.state == RunState::paused && s.steps == steps; });
  };
  after(worker, {fastest, PauseAt{0.304}, Play{}});
  EXPECT_TRUE(rests_at(30));
  after(worker, {Play{}});
  EXPECT_TRUE(rests_at(30));
  after(worker, {TakeSteps{5}});
  EXPECT_TRUE(rests_at(35)) << "steps that are counted are taken";
  after(worker, {Rewind{}, Play{}});
  EXPECT_TRUE(rests_at(30)) << "of the run from its start, too";
  after(worker, {PauseAt{0.1}, Reverse{}, Play{}});
  EXPECT_TRUE(rests_at(50));
  EXPECT_NEAR(worker.snapshot().t, 0.1, 1e-12);
  after(worker, {PauseAt{}, Play{}});
  EXPECT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps > 60; }));
}

TEST(Worker, RewindsWithTheSettingsAsTheyAre) {
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{50}, Change{{{"system.gravity", 3.0}}}, TakeSteps{50}});
  const Snapshot& s = after(worker, {Rewind{}, TakeSteps{30}});
  EXPECT_EQ(s.generation, 2u);
  EXPECT_EQ(s.steps, 30);
  EXPECT_TRUE(s.record->events.empty());
  EXPECT_TRUE(s.markers.empty());
  auto rows = drained(worker);
  ASSERT_EQ(rows.size(), 101u + 31u);
  EXPECT_EQ(rows[100].generation, 1u);
  rows.erase(rows.begin(), rows.begin() + 101);
  EXPECT_EQ(rows[0].generation, 2u);
  expect_same_rows(rows, headless(with(pendulum(), "system.gravity", 3.0), 30));
}

TEST(Worker, LoadsAnotherScenario) {
  auto other = preset("chain_pendulum");
  Worker worker(start(pendulum()));
  const Snapshot& s = after(worker, {fastest, Play{}, Load{other}, TakeSteps{5}});
  EXPECT_EQ(s.generation, 2u);
  EXPECT_EQ(s.steps, 5);
  EXPECT_EQ(s.system->size(), 10);
  EXPECT_EQ(s.lanes[0].state.q.cols(), 10);
  EXPECT_EQ(s.end_time, other.duration);
}

TEST(Worker, RemembersWhatWasLoaded) {
  Worker worker(start(pendulum()));
  const auto gravity = [](const Scenario& s) { return s.parameters.at("gravity")[0]; };
  const double first = gravity(*worker.snapshot().loaded);
  // At the start, on the way, and rewound: what was loaded stays what it was.
  after(worker, {Change{{{"system.gravity", 3.0}}}});
  EXPECT_EQ(gravity(*worker.snapshot().loaded), first);
  EXPECT_EQ(gravity(*worker.snapshot().present), 3);
  after(worker, {TakeSteps{5}, Change{{{"system.gravity", 4.0}}}, Rewind{}});
  EXPECT_EQ(gravity(*worker.snapshot().loaded), first);
  Scenario other = pendulum();
  other.parameters.at("gravity")[0] = 1.62;
  after(worker, {Load{other}});
  EXPECT_EQ(gravity(*worker.snapshot().loaded), 1.62);
  // A load that fails leaves it alone.
  other.parameters.at("gravity")[0] = 5;
  other.system = "perpetuum_mobile";
  after(worker, {Load{other}});
  EXPECT_EQ(gravity(*worker.snapshot().loaded), 1.62);
}

// Changes at moments nobody chose; the record repeats them, as a plain loop and in a worker.
TEST(Worker, RecordRepeatsARunThatWasChangedLive) {
  Worker worker(start(pendulum(1e6)));
  play(worker);
  std::mt19937 generator(5);
  std::uint64_t last = 0;
  for (const auto& [path, value] :
       std::vector<std::pair<const char*, json::Node>>{{"system.gravity", 4.0},
                                                       {"integrator.type", "rk4"},
                                                       {"system.masses[1]", 1.5},
                                                       {"integrator.step", 0.005},
                                                       {"integrator.type", "variational"},
                                                       {"system.tip_force[2]", 0.25},
                                                       {"integrator.step", 0.0125}}) {
    std::this_thread::sleep_for(std::chrono::microseconds(generator() % 3000));
    last = worker.send(Change{{{path, value}}});
  }
  ASSERT_TRUE(done(worker, last));
  const Snapshot& s = after(worker, {Pause{}});
  EXPECT_EQ(s.error_count, 0u) << s.error->text();
  EXPECT_FALSE(s.failure) << s.failure->message;
  // Changes that came before the first step are part of the start.
  EXPECT_LE(s.record->events.size(), 7u);
  const auto rows = drained(worker);
  std::vector<SampleRow> present;
  for (const SampleRow& row : rows)
    if (row.generation == s.generation) present.push_back(row);
  expect_same_rows(present, headless(*s.record, s.steps));

  Worker again(start(*s.record));
  after(again, {TakeSteps{s.steps}});
  expect_same_rows(drained(again), present);
  EXPECT_EQ(again.snapshot().markers.size(), s.markers.size());
  EXPECT_EQ(again.snapshot().present->lanes, s.present->lanes);
}

TEST(Worker, AFailedStepKeepsTheLastGoodStateAndCanBeRetried) {
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{40}, Change{{{"integrator.step", 50.0}}}, fastest, Play{}});
  ASSERT_TRUE(reaches(worker, RunState::failed));
  {
    Simulation plain = start(pendulum(), 40);
    const Snapshot& s = worker.snapshot();
    ASSERT_TRUE(s.failure);
    EXPECT_EQ(s.failure->step, 41);
    EXPECT_FALSE(s.failure->report.ok());
    EXPECT_FALSE(s.failure->message.empty());
    EXPECT_EQ(s.steps, 40);
    EXPECT_EQ(s.lanes[0].state.q, plain.state(0).q);
    EXPECT_EQ(s.lanes[0].state.w, plain.state(0).w);
    EXPECT_EQ(s.measured_factor, 0);
  }
  // Again, to no avail.
  after(worker, {TakeSteps{3}});
  EXPECT_EQ(worker.snapshot().state, RunState::failed);
  EXPECT_EQ(worker.snapshot().steps, 40);

  after(worker, {Change{{{"integrator.step", 0.01}}}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_FALSE(worker.snapshot().failure);
  after(worker, {TakeSteps{60}});
  EXPECT_EQ(worker.snapshot().steps, 100);
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_EQ(drained(worker).size(), 101u);

  after(worker, {Change{{{"integrator.step", 50.0}}}, TakeSteps{1}, Rewind{}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_FALSE(worker.snapshot().failure);
}

TEST(Worker, FinishesAtTheDurationAndGoesOnWhenTold) {
  Worker worker(start(pendulum(0.5)));
  play(worker);
  ASSERT_TRUE(reaches(worker, RunState::finished));
  EXPECT_EQ(worker.snapshot().steps, 50);
  EXPECT_EQ(worker.snapshot().planned_steps, 50);

  worker.send(Play{});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps > 500; }));
  EXPECT_EQ(worker.snapshot().state, RunState::running);
  after(worker, {Pause{}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);

  after(worker, {Rewind{}, TakeSteps{50}});
  EXPECT_EQ(worker.snapshot().state, RunState::finished);
  after(worker, {TakeSteps{1}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_EQ(worker.snapshot().steps, 51);
}

TEST(Worker, LongerDurationLetsAFinishedRunGoOnToItsNewEnd) {
  Worker worker(start(pendulum(0.5)));
  play(worker);
  ASSERT_TRUE(reaches(worker, RunState::finished));
  after(worker, {Change{{{"duration", 0.8}}}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_EQ(worker.snapshot().planned_steps, 80);
  worker.send(Play{});
  ASSERT_TRUE(reaches(worker, RunState::finished));
  EXPECT_EQ(worker.snapshot().steps, 80);
}

TEST(Worker, StopsAtAConditionAndGoesOnWhenTold) {
  const Scenario scenario =
      with(pendulum(), "stop", *json::parse(R"([{"time": 0.4}, {"time": 0.9}])", "stop"));
  Worker worker(start(scenario));
  play(worker);
  ASSERT_TRUE(reaches(worker, RunState::stopped));
  EXPECT_EQ(worker.snapshot().steps, 40);
  EXPECT_EQ(worker.snapshot().stop_message, "step 40, t = 0.4 s: time 0.4 s is reached");
  EXPECT_TRUE(worker.snapshot().record->events.empty());

  // TakeSteps goes past it too, and is cut short by the next, what was asked for behind it not.
  after(worker, {TakeSteps{1000}, Change{{{"system.gravity", 5.0}}}});
  EXPECT_EQ(worker.snapshot().state, RunState::stopped);
  EXPECT_EQ(worker.snapshot().steps, 90);
  EXPECT_EQ(worker.snapshot().present->parameters.at("gravity")[0], 5);
  const Snapshot& s = after(worker, {TakeSteps{10}});
  EXPECT_EQ(s.state, RunState::paused);
  EXPECT_EQ(s.steps, 100);
  EXPECT_TRUE(s.stop_message.empty());
  ASSERT_EQ(s.record->events.size(), 3u);
  EXPECT_TRUE(s.record->events[0].resume);
  EXPECT_TRUE(s.record->events[2].resume);
  expect_same_rows(drained(worker), headless(*s.record, 100));

  worker.send(Rewind{});
  worker.send(Play{});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& now) {
    return now.generation == 2 && now.state == RunState::stopped;
  })) << "armed again";
  EXPECT_EQ(worker.snapshot().steps, 40);
}

TEST(Worker, StopsAtTheStartWhereAConditionHoldsAndGoesOnWhenTold) {
  Worker worker(start(with(pendulum(0.4), "stop", *json::parse(R"([{"time": 0}])", "stop"))));
  after(worker, {fastest, Play{}});
  EXPECT_EQ(worker.snapshot().state, RunState::stopped);
  EXPECT_EQ(worker.snapshot().steps, 0);
  EXPECT_EQ(worker.snapshot().stop_message, "step 0, t = 0 s: time 0 s is reached");
  worker.send(Play{});
  ASSERT_TRUE(reaches(worker, RunState::finished));
  EXPECT_EQ(worker.snapshot().steps, 40);
}

TEST(Worker, StopsAtItsLastStepToo) {
  const Scenario scenario = with(pendulum(0.4), "stop", *json::parse(R"([{"time": 0.4}])", "stop"));
  Worker worker(start(scenario));
  after(worker, {TakeSteps{40}});
  EXPECT_EQ(worker.snapshot().state, RunState::stopped);
  after(worker, {TakeSteps{1}});
  EXPECT_EQ(worker.snapshot().state, RunState::paused);
  EXPECT_EQ(worker.snapshot().steps, 41);
}

TEST(Worker, KeepsWhatTakesAResetUntilRewind) {
  Worker worker(start(pendulum()));
  after(worker,
        {TakeSteps{30}, Change{{{"initial.q[0]", *json::parse("[0, 0.6, 0.8]", "q")},
                                {"initial.omega[0]", *json::parse("[1, 0, 0]", "omega")}}}});
  {
    const Snapshot& s = worker.snapshot();
    EXPECT_EQ(s.error_count, 0u);
    EXPECT_EQ(s.generation, 1u);
    EXPECT_EQ(s.steps, 30);
    ASSERT_EQ(s.pending.size(), 2u);
    EXPECT_EQ(s.pending[0].path, "initial.q[0]");
    EXPECT_TRUE(s.record->events.empty());
    EXPECT_EQ(s.present->q, pendulum().q);
    EXPECT_EQ(s.after_rewind->q.col(0), Vec3(0, 0.6, 0.8));
  }
  EXPECT_EQ(worker.capture().get().scenario.q.col(0), worker.snapshot().lanes[0].state.q.col(0));
  const Snapshot& s = after(worker, {Rewind{}});
  EXPECT_EQ(s.generation, 2u);
  EXPECT_TRUE(s.pending.empty());
  EXPECT_EQ(s.lanes[0].state.q.col(0), Vec3(0, 0.6, 0.8));
}

// What undo does: back and forth between settings, several at a time, while it runs.
TEST(Worker, RecordRepeatsChangesTakenBackAndMadeAgain) {
  const Scenario first =
      with(pendulum(1e6), "stop",
           *json::parse(R"([{"quantity": "kinetic_energy", "above": 130}])", "s"));
  Scenario second = with(with(first, {{"integrator.type", "rk45"}, {"system.gravity", 4.0}}),
                         {{"integrator.relative_tolerance", 1e-7}, {"integrator.step", 0.02}});
  second.stop.clear();
  Worker worker(start(first));
  worker.send(fastest);
  std::mt19937 generator(11);
  std::int64_t changed = 0;  // the step of the last change, or a later one
  for (int k = 0; k < 10; ++k) {
    worker.send(Play{});
    // Changes at the same step would be one event.
    ASSERT_TRUE(wait_until(worker, [&](const Snapshot& s) { return s.steps > changed; }));
    std::this_thread::sleep_for(std::chrono::microseconds(generator() % 3000));
    after(worker, {Change{k % 2 == 0 ? differences(first, second) : differences(second, first)}});
    changed = worker.snapshot().steps;
  }
  const Snapshot& s = after(worker, {Pause{}});
  EXPECT_EQ(s.error_count, 0u) << s.error->text();
  std::size_t changes = 0;
  for (const Event& event : s.record->events) changes += event.resume ? 0 : 1;
  EXPECT_EQ(changes, 10u);
  const auto read = value_of(read_scenario(write_scenario(*s.record), "record"));
  // A run that stops is repeated to where it continued.
  Simulation again = start(read);
  while (again.steps() < s.steps) {
    ASSERT_FALSE(again.stopped()) << *again.stopped();
    ASSERT_FALSE(again.step());
  }
  expect_same_rows(drained(worker), headless(read, s.steps));
}

TEST(Worker, ReportsCommandsThatCannotBeCarriedOutAndLosesNothing) {
  Worker worker(start(pendulum(1e6)));
  play(worker);
  Scenario nowhere = pendulum();
  nowhere.system = "perpetuum_mobile";
  Scenario torn = pendulum();
  torn.continuation.emplace();
  torn.continuation->lanes = {{.memory = {{"nonsense", {1, 2, 3}}}}};
  std::uint64_t errors = 0;
  for (const Command& bad :
       {Command(Change{{{"system.gravities", 1.0}}}), Command(Change{{{"system.masses[0]", -1.0}}}),
        Command(Change{{{"integrator.type", "euler"}}}), Command(Load{nowhere}),
        Command(Load{torn}), Command(Pace{Pacing::real_time, 0}),
        Command(Pace{Pacing::real_time, std::numeric_limits<double>::infinity()}),
        Command(TrailSpan{-1})}) {
    const Snapshot& s = after(worker, {bad});
    EXPECT_EQ(s.error_count, ++errors);
    ASSERT_TRUE(s.error);
    EXPECT_FALSE(s.error->text().empty());
    EXPECT_EQ(s.state, RunState::running);
    EXPECT_EQ(s.generation, 1u);
    EXPECT_EQ(s.pacing, Pacing::fastest);
  }
  after(worker, {Pause{}});
  expect_same_rows(drained(worker), headless(pendulum(), worker.snapshot().steps));
}

TEST(Worker, ChangesBeforeTheFirstStepEditTheStart) {
  Worker worker(start(pendulum()));
  // Another step leaves the first sample as it is; other masses do not.
  after(worker, {Change{{{"integrator.step", 0.02}}}});
  EXPECT_EQ(worker.snapshot().generation, 1u);
  EXPECT_EQ(worker.snapshot().planned_steps, 5000);
  after(worker, {Change{{{"system.masses[0]", 3.0}}}});
  EXPECT_EQ(worker.snapshot().generation, 2u);
  EXPECT_TRUE(worker.snapshot().record->events.empty());
  after(worker, {TakeSteps{10}});
  auto rows = drained(worker);
  std::erase_if(rows, [](const SampleRow& row) { return row.generation != 2; });
  expect_same_rows(
      rows, headless(with(with(pendulum(), "integrator.step", 0.02), "system.masses[0]", 3.0), 10));
}

TEST(Worker, StrideFollowsAChangeBeforeTheFirstStep) {
  Worker worker(start(pendulum()));
  after(worker, {Change{{{"every", 7.0}}}, TakeSteps{30}});
  const auto rows = drained(worker);
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_EQ(rows[k].step, 7 * static_cast<std::int64_t>(k));
}

TEST(Worker, CaptureContinuesTheRunBitForBit) {
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{200}});
  const Worker::Captured captured = worker.capture().get();
  EXPECT_EQ(captured.steps, 200);
  after(worker, {TakeSteps{150}});
  Simulation rest = start(captured.scenario, 150);
  const Snapshot& s = worker.snapshot();
  EXPECT_EQ(s.lanes[0].state.t, rest.time());
  EXPECT_EQ(s.lanes[0].state.q, rest.state(0).q);
  EXPECT_EQ(s.lanes[0].state.w, rest.state(0).w);
  EXPECT_EQ(s.lanes[0].sample.values, rest.sample(0).values);
}

TEST(Worker, CaptureDoesNotWaitForTakeSteps) {
  Worker worker(start(pendulum()));
  worker.send(TakeSteps{1'000'000'000'000});
  worker.send(Change{{{"system.gravity", 5.0}}});
  const auto first = worker.capture().get();
  const auto second = worker.capture().get();
  EXPECT_LE(first.steps, second.steps);
  EXPECT_LT(second.steps, 1'000'000'000'000);
}

// Each state is that of its row, and the system is the one in force as the row was taken: a change
// acts from the next row on.
TEST(Worker, RowsCarryStatesAndTheirSystem) {
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{40}, Change{{{"system.lengths[0]", 3.0}}}, TakeSteps{60}});
  const auto rows = drained(worker);
  ASSERT_EQ(rows.size(), 101u);
  Simulation run = start(*worker.snapshot().record);
  for (const SampleRow& row : rows) {
    while (run.steps() < row.step) ASSERT_FALSE(run.step());
    ASSERT_EQ(row.states.size(), 1u);
    ASSERT_EQ(row.states[0].t, run.time());
    ASSERT_EQ(row.states[0].q, run.state(0).q);
    ASSERT_EQ(row.states[0].w, run.state(0).w);
    ASSERT_TRUE(row.system);
    const double length = row.step <= 40 ? 9.81 : 3.0;
    ASSERT_NEAR(Signal(Signal::Kind::position, 0, 2).value(*row.system, row.states[0]),
                length * row.states[0].q(2, 0), 1e-12)
        << row.step;
  }
}

// Without gravity and motion no quantity tells lengths apart, but places do.
TEST(Worker, RowsSayWhatTheirStepCost) {
  using enum StepQuantity;
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{20}});
  const auto implicit = drained(worker);
  ASSERT_EQ(implicit.size(), 21u);
  for (const double value : implicit[0].costs.at(0).values) EXPECT_TRUE(std::isnan(value));
  for (std::size_t k = 1; k < implicit.size(); ++k) {
    const StepCost& cost = implicit[k].costs.at(0);
    EXPECT_GE(cost[newton_iterations], 1);
    EXPECT_LE(cost[newton_iterations], 8);
    EXPECT_LE(cost[newton_residual], 1e-15);
    EXPECT_TRUE(std::isnan(cost[inner_steps]));
    EXPECT_GT(cost[time], 0);
  }
  EXPECT_EQ(implicit.back().costs[0][newton_iterations],
            worker.snapshot().lanes[0].last.iterations);

  const auto costs_of = [&](const char* method) {
    after(worker, {Change{{{"integrator.type", method}}}, TakeSteps{1}});
    return drained(worker).back().costs.at(0);
  };
  const StepCost explicit_step = costs_of("rk4");
  EXPECT_TRUE(std::isnan(explicit_step[newton_iterations]));
  EXPECT_TRUE(std::isnan(explicit_step[newton_residual]));
  EXPECT_GT(explicit_step[time], 0);
  const StepCost adaptive = costs_of("rk45");
  EXPECT_GE(adaptive[inner_steps], 1);
  EXPECT_GE(adaptive[rejected_steps], 0);
  // All stages of a composition: five times one or more.
  EXPECT_GE(costs_of("variational4")[newton_iterations], 5);
}

TEST(Worker, TangentVectorsFollowWhereTheyCan) {
  using enum StepQuantity;
  Worker worker(start(pendulum()));
  const auto steps = [&](std::int64_t count) {
    after(worker, {TakeSteps{count}});
    return drained(worker);
  };
  worker.send(FollowExponents{});
  const auto rows = steps(100);
  EXPECT_TRUE(std::isnan(rows[0].costs.at(0)[lyapunov_1]));
  // As on the command line, bit for bit, and the run is that without them.
  Simulation alone = start(pendulum());
  ASSERT_TRUE(alone.follow_exponents(8));
  while (alone.steps() < 100) ASSERT_FALSE(alone.advance_to(100));
  const auto spectrum = alone.lane(0).exponents->spectrum(*alone.system(), alone.state(0));
  const StepCost& last = rows.back().costs.at(0);
  EXPECT_EQ(last[lyapunov_1], spectrum[0].value);
  EXPECT_EQ(last[lyapunov_4], spectrum[3].value);
  EXPECT_EQ(last[megno], alone.lane(0).exponents->megno());
  EXPECT_EQ(last[fli], alone.lane(0).exponents->fli());
  expect_same_rows(rows, headless(*worker.snapshot().record, 100));
  ASSERT_TRUE(worker.snapshot().lanes[0].chaos);
  EXPECT_EQ(worker.snapshot().lanes[0].chaos->spectrum.size(), 8u);
  EXPECT_NEAR(worker.snapshot().lanes[0].chaos->elapsed, 1, 1e-12);
  // rk4 has no tangent map; of the variational method again they begin anew.
  worker.send(Change{{{"integrator.type", "rk4"}}});
  EXPECT_TRUE(std::isnan(steps(10).back().costs.at(0)[lyapunov_1]));
  EXPECT_FALSE(worker.snapshot().lanes[0].chaos);
  EXPECT_EQ(worker.snapshot().error_count, 0u);
  worker.send(Change{{{"integrator.type", "variational"}}});
  EXPECT_TRUE(std::isfinite(steps(10).back().costs.at(0)[lyapunov_1]));
  EXPECT_NEAR(worker.snapshot().lanes[0].chaos->elapsed, 0.1, 1e-12);
  // They continue after a change of a parameter, and begin at the start after Rewind.
  worker.send(Change{{{"system.gravity", 5.0}}});
  steps(10);
  EXPECT_NEAR(worker.snapshot().lanes[0].chaos->elapsed, 0.2, 1e-12);
  worker.send(Rewind{});
  steps(10);
  EXPECT_NEAR(worker.snapshot().lanes[0].chaos->elapsed, 0.1, 1e-12);
  // A lane that is added has its own; nobody has any after the end.
  json::Node lane = json::Node::object();
  lane.set("type", "variational4");
  lane.set("step", 0.01);
  lane.set("from", json::Node::whole(0));
  worker.send(AddLane{lane});
  steps(10);
  ASSERT_EQ(worker.snapshot().lanes.size(), 2u);
  EXPECT_NEAR(worker.snapshot().lanes[1].chaos->elapsed, 0.1, 1e-12);
  worker.send(FollowExponents{false});
  EXPECT_TRUE(std::isnan(steps(10).back().costs.at(0)[lyapunov_1]));
  EXPECT_FALSE(worker.snapshot().lanes[0].chaos);
}

TEST(Worker, StartThatOnlyMovesBodiesIsANewRun) {
  Scenario still = with(pendulum(), "system.gravity", 0.0);
  still.omega.setZero();
  Worker worker(start(still));
  after(worker, {Change{{{"system.lengths[0]", 3.0}}}});
  EXPECT_EQ(worker.snapshot().generation, 2u);
}

/// Takes in rows as the window does: the history of the first lane.
void follow(History& history, std::int64_t& every, const SampleRow& row) {
  if (row.every > every && history.size() > 1)
    history.thin(static_cast<std::size_t>(row.every / every));
  every = row.every;
  if (row.states.empty())
    history.append(row.step, row.lanes[0]);
  else
    history.append(row_of(row.step, row.lanes[0], row.states[0], row.system), 0);
}

// Through many doublings and changes of everything, and a cap that is odd: what is left are the
// rows of a run of the saved record, the same bits.
TEST(Worker, KeepsAtMostSoManySamplesAndRecordsHow) {
  for (const std::int64_t most : {2, 3, 10, 37, 64}) {
    constexpr std::size_t budget = 96 * 5;
    Worker worker(start(pendulum()), {}, {most, budget});
    History history(StateStride(2, 1, budget));
    std::int64_t every = 1;
    std::vector<SampleRow> rows;
    const auto take = [&] {
      for (SampleRow& row : drained(worker)) {
        follow(history, every, row);
        rows.push_back(std::move(row));
      }
    };
    after(worker, {TakeSteps{1}});
    take();
    after(worker, {TakeSteps{50}, Change{{{"system.gravity", 5.0}}}, TakeSteps{77}});
    take();
    worker.send(Change{{{"integrator.step", 0.004}, {"duration", 50.0}}});
    worker.send(TakeSteps{500});
    worker.send(Change{{{"system.lengths[0]", 5.0}, {"integrator.type", "rk4"}}});
    const std::int64_t last = 1 + 50 + 77 + 500 + 400;
    after(worker, {TakeSteps{400}});
    take();

    const Snapshot& s = worker.snapshot();
    ASSERT_EQ(s.steps, last);
    EXPECT_EQ(s.stride, every);
    std::int64_t expected = 1, cap_events = 0;
    while ((last / expected) + 1 > most) expected *= 2;
    EXPECT_EQ(s.stride, expected);
    for (const Event& event : s.record->events)
      for (const auto& [path, value] : event.set)
        if (path == "every") {
          EXPECT_EQ(value.number, static_cast<double>(std::int64_t{2} << cap_events));
          ++cap_events;
        }
    EXPECT_EQ(std::int64_t{1} << cap_events, expected);
    EXPECT_EQ(s.markers.size(), s.record->events.size());

    const auto saved = value_of(read_scenario(write_scenario(*s.record), "record"));
    std::vector<SampleRow> want = headless(saved, last);
    ASSERT_EQ(history.size(), want.size());
    EXPECT_LE(static_cast<std::int64_t>(history.size()), most);
    std::string text, wanted;
    for (std::size_t k = 0; k < want.size(); ++k) {
      EXPECT_EQ(history.steps()[k], want[k].step);
      text += csv_row(*s.system_info, {history.sample(k)});
      wanted += csv_row(*s.system_info, want[k].lanes);
    }
    EXPECT_EQ(text, wanted);
    std::erase_if(rows, [&](const SampleRow& row) { return row.step % s.stride != 0; });
    expect_same_rows(rows, want);

    // The states that are left belong to their samples.
    Simulation run = start(saved);
    const Signal reach(Signal::Kind::position, 1, 0);
    const SignalView view = history.view(reach);
    ASSERT_EQ(view.values->size(), (history.size() + view.stride - 1) / view.stride);
    EXPECT_LE(view.values->size(), 5u);
    for (std::size_t k = 0; k < view.values->size(); ++k) {
      while (static_cast<double>(run.steps()) < history.steps()[k * view.stride])
        ASSERT_FALSE(run.step());
      EXPECT_EQ((*view.values)[k], reach.value(*run.system(), run.state(0)));
    }
  }
}

TEST(Worker, ARewoundRunStartsWithItsOwnStride) {
  Worker worker(start(pendulum()), {}, {10});
  after(worker, {TakeSteps{100}});
  EXPECT_EQ(worker.snapshot().stride, 16);
  after(worker, {Rewind{}});
  EXPECT_EQ(worker.snapshot().stride, 1);
  EXPECT_EQ(worker.snapshot().record->every, 1);
}

// Loaded again, the record tells the stride from the start on; and no sample is taken in vain.
TEST(Worker, ALoadedRecordHasItsStrideFromTheStartOn) {
  Worker worker(start(pendulum(1)), {}, {10});
  after(worker, {TakeSteps{100}});
  const Scenario record = *worker.snapshot().record;
  (void)drained(worker);
  after(worker, {Load{record}, TakeSteps{60}});
  EXPECT_EQ(worker.snapshot().stride, 16);
  const auto rows = drained(worker);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows.back().step, 48);
}

TEST(Worker, CarriesSeveralLanes) {
  Scenario scenario = pendulum();
  scenario.lanes.push_back(scenario.lanes[0]);
  scenario.lanes[1].type = scenario.lanes[1].name = "rk4";
  Worker worker(start(scenario));
  after(worker, {TrailSpan{1}, TakeSteps{100}});
  ASSERT_EQ(worker.snapshot().lanes.size(), 2u);
  EXPECT_EQ(worker.snapshot().lanes[1].info->key, "rk4");
  EXPECT_NE(worker.snapshot().lanes[0].state.q, worker.snapshot().lanes[1].state.q);
  expect_same_rows(drained(worker), headless(scenario, 100));
  std::vector<Configuration> configurations;
  worker.drain_configurations(configurations);
  ASSERT_FALSE(configurations.empty());
  EXPECT_EQ(configurations.back().lanes[1], worker.snapshot().lanes[1].state.q);
}

TEST(Worker, TrailHasTheNewestConfigurationsAtEvenTimes) {
  Worker worker(start(with(pendulum(), "integrator.step", 0.001)));
  std::vector<Configuration> configurations;
  after(worker, {TakeSteps{100}});
  worker.drain_configurations(configurations);
  EXPECT_TRUE(configurations.empty());

  worker.send(TrailSpan{2.048});  // a configuration every 4 ms
  after(worker, {TakeSteps{1000}});
  worker.drain_configurations(configurations);
  ASSERT_EQ(configurations.size(), 251u);
  EXPECT_NEAR(configurations.front().t, 0.1, 1e-12);
  for (std::size_t k = 1; k < configurations.size(); ++k)
    EXPECT_NEAR(configurations[k].t - configurations[k - 1].t, 0.004, 1.1e-3);

  // Of many only the newest, at most a little more than the span.
  after(worker, {TakeSteps{20'000}});
  configurations.clear();
  worker.drain_configurations(configurations);
  EXPECT_GE(configurations.size(), 512u);
  EXPECT_LE(configurations.size(), 597u);
  EXPECT_NEAR(configurations.back().t, worker.snapshot().t, 0.004);
  EXPECT_LT(configurations.front().t, worker.snapshot().t - 2.048 + 0.0041);

  after(worker, {TrailSpan{0}, TakeSteps{100}});
  configurations.clear();
  worker.drain_configurations(configurations);
  EXPECT_TRUE(configurations.empty());
}

/// The configurations of a trail recorded step by step, up to a step.
std::vector<Configuration> plain_trail(const Scenario& record, double span, std::int64_t steps) {
  Simulation simulation = start(record);
  TrailRecorder trail;
  trail.configure(span, simulation.lane_count() * simulation.system()->size());
  trail.record(simulation, 0);
  while (simulation.steps() < steps) {
    EXPECT_FALSE(simulation.step());
    if (trail.due(simulation.elapsed())) trail.record(simulation, 0);
  }
  std::vector<Configuration> configurations;
  trail.take(configurations);
  return configurations;
}

TEST(WorkerClock, ATrailThatIsOutrunIsWholeInEveryPicture) {
  constexpr double span = 1;
  const Scenario scenario = with(pendulum(1000), "integrator.step", 0.001);
  Worker worker(start(scenario));
  worker.send(TrailSpan{span});
  worker.send(fastest);
  int compared = 0;
  std::deque<Configuration> shown;
  std::vector<Configuration> configurations;
  std::vector<SampleRows> rows;
  for (const Setting& change : {Setting{"system.gravity", 5.0}, Setting{"system.gravity", 7.0},
                                Setting{"lanes[0].step", 0.002}}) {
    for (int stop = 0; stop < 4; ++stop) {
      worker.send(Play{});
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(60 + 7 * stop);
      while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(1ms);
        worker.drain_samples(rows);
        worker.give_back(rows);
      }
      const Snapshot& s = after(worker, {Pause{}});
      worker.drain_configurations(configurations);
      for (Configuration& configuration : configurations) shown.push_back(std::move(configuration));
      configurations.clear();
      while (shown.front().t < s.elapsed - span) shown.pop_front();

      const auto captured = worker.capture().get();
      auto plain = plain_trail(captured.record, span, captured.steps);
      std::erase_if(plain, [&](const Configuration& configuration) {
        return configuration.t < s.elapsed - span;
      });
      ASSERT_EQ(shown.size(), plain.size()) << s.steps;
      for (std::size_t k = 0; k < plain.size(); ++k) {
        ASSERT_EQ(shown[k].t, plain[k].t);
        ASSERT_EQ(shown[k].lanes[0], plain[k].lanes[0]);
        ++compared;
      }
    }
    after(worker, {Change{{change}}});
  }
  EXPECT_GT(compared, 12 * 400);
}

TEST(Worker, MemoryOfTrailsIsBounded) {
  TrailRecorder trail;
  trail.configure(1, 2);
  EXPECT_EQ(trail.capacity(), 597u);
  trail.configure(1, 10'000);
  EXPECT_EQ(trail.capacity(), 23u);
  trail.configure(1, 163'842);
  EXPECT_EQ(trail.capacity(), 0u);
  EXPECT_FALSE(trail.due(1e9));
}

TEST(WorkerClock, ShowsEveryStepOneByOne) {
  Worker worker(start(pendulum()));
  worker.send(Pace{Pacing::every_step, 1});
  worker.send(Play{});
  std::int64_t last = 0;
  int shown = 0;
  while (last < 300) {
    const std::int64_t now = worker.snapshot().steps;
    shown += now != last;
    last = now;
    std::this_thread::sleep_for(100us);
  }
  // All of them, unless this thread was held up for long.
  EXPECT_GE(shown, 0.8 * static_cast<double>(last));
}

TEST(WorkerClock, EveryStepGoesOnSlowlyWithoutAReader) {
  Worker worker(start(pendulum()));
  const auto begun = Clock::now();
  after(worker, {Pace{Pacing::every_step, 1}, Play{}});
  const std::int64_t before = worker.snapshot().steps;
  std::this_thread::sleep_for(1s);
  const std::int64_t taken = worker.capture().get().steps - before;
  const double elapsed = std::chrono::duration<double>(Clock::now() - begun).count();
  EXPECT_GE(taken, 3);
  EXPECT_LE(static_cast<double>(taken), elapsed / 0.05 + 2);
}

// Never ahead of the clock, which holds on any machine, and not far behind, which holds on any
// machine that is not stuck.
TEST(WorkerClock, RealTimeKeepsUpWithTheClock) {
  for (const double factor : {0.05, 1.0, 40.0}) {
    const double h = 0.01;
    Worker worker(start(pendulum(1e6)));
    worker.send(Pace{Pacing::real_time, factor});
    const auto begun = Clock::now();
    worker.send(Play{});
    const auto elapsed = [&] {
      return std::chrono::duration<double>(Clock::now() - begun).count();
    };
    double t = 0;
    while (elapsed() < 1.5) {
      std::this_thread::sleep_for(5ms);
      t = worker.snapshot().t;
      EXPECT_LE(t, factor * elapsed() + 1e-9);
    }
    EXPECT_GE(t, 0.7 * factor * elapsed() - 2 * h);
    EXPECT_EQ(worker.snapshot().requested_factor, factor);
    EXPECT_NEAR(worker.snapshot().measured_factor, factor, 0.5 * factor);
    after(worker, {Pause{}});
    EXPECT_EQ(worker.snapshot().measured_factor, 0);
  }
}

TEST(WorkerClock, MeasuresItsSpeed) {
  Worker worker(start(pendulum(1e9)));
  play(worker);
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.steps_per_second > 0; }));
  const auto begun = Clock::now();
  const std::int64_t before = worker.capture().get().steps;
  std::this_thread::sleep_for(700ms);
  const std::int64_t taken = worker.capture().get().steps - before;
  const double rate =
      static_cast<double>(taken) / std::chrono::duration<double>(Clock::now() - begun).count();
  const Snapshot& s = worker.snapshot();
  EXPECT_GT(s.steps_per_second, rate / 4);
  EXPECT_LT(s.steps_per_second, rate * 4);
  EXPECT_NEAR(s.measured_factor, 0.01 * s.steps_per_second, 0.01 * s.measured_factor);
}

TEST(WorkerClock, IsIdleWhilePaused) {
  Worker worker(start(pendulum()));
  after(worker, {TakeSteps{10}});
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(500ms);
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.1);
}

TEST(WorkerClock, StopsPromptlyWhateverItDoes) {
  std::vector<std::vector<Command>> doings{{},
                                           {fastest, Play{}},
                                           {Pace{Pacing::real_time, 1e-9}, Play{}},
                                           {Pace{Pacing::every_step, 1}, Play{}},
                                           {TakeSteps{1'000'000'000'000}, Play{}, TakeSteps{5}}};
  for (const auto& commands : doings)
    for (const auto pause : {0us, 20'000us}) {
      std::future<Worker::Captured> captured;
      const auto begun = Clock::now();
      {
        Worker worker(start(pendulum(1e6)));
        for (const Command& c : commands) worker.send(c);
        std::this_thread::sleep_for(pause);
        captured = worker.capture();
      }
      EXPECT_LT(Clock::now() - begun, 5s);
      EXPECT_NO_THROW((void)captured.get());
    }
}

TEST(Worker, WakesTheReaderForEverythingNew) {
  std::atomic<int> calls = 0;
  Worker worker(start(pendulum()), [&calls] { ++calls; });
  EXPECT_EQ(calls, 0);
  for (int k = 1; k <= 20; ++k) {
    const int before = calls;
    const auto number = worker.send(TakeSteps{1});
    for (int i = 0; i < 60'000 && calls == before; ++i) std::this_thread::sleep_for(1ms);
    ASSERT_TRUE(done(worker, number));
    EXPECT_EQ(worker.snapshot().steps, k);
    EXPECT_GT(calls, before);
  }
}

TEST(Worker, OutlivesACallbackThatThrows) {
  std::atomic<bool> thrown = false;
  Worker worker(start(pendulum()), [&thrown] {
    if (!thrown.exchange(true)) throw std::runtime_error("no more windows");
  });
  worker.send(TrailSpan{1});
  ASSERT_TRUE(wait_until(worker, [](const Snapshot& s) { return s.error_count == 1; }));
  EXPECT_EQ(worker.snapshot().error->kind, ErrorKind::internal);
  EXPECT_TRUE(says(worker.snapshot().error->text(), "no more windows"));
  after(worker, {TakeSteps{10}});
  EXPECT_EQ(worker.snapshot().steps, 10);
}

// Commands, captures and snapshots from several threads at a time, for the sanitizers.
TEST(Worker, TakesCommandsFromManyThreads) {
  Worker worker(start(pendulum(1e6)));
  play(worker);
  std::vector<std::thread> senders;
  for (unsigned seed = 1; seed <= 3; ++seed)
    senders.emplace_back([&worker, seed] {
      std::mt19937 generator(seed);
      for (int k = 0; k < 100; ++k) {
        switch (generator() % 6) {
          case 0:
            worker.send(Change{{{"system.gravity", 5.0 + 0.01 * k}}});
            break;
          case 1:
            worker.send(TakeSteps{50});
            break;
          case 2:
            worker.send(Play{});
            break;
          case 3:
            worker.send(Pause{});
            break;
          case 4:
            worker.send(TrailSpan{0.1 * k});
            break;
          case 5:
            (void)worker.capture().get();
            break;
        }
      }
    });
  std::vector<SampleRow> rows;
  std::vector<Configuration> configurations;
  for (int k = 0; k < 200; ++k) {
    (void)worker.snapshot();
    drain(worker, rows);
    worker.drain_configurations(configurations);
    std::this_thread::sleep_for(100us);
  }
  for (std::thread& sender : senders) sender.join();
  after(worker, {Pause{}, Pause{}});
  drain(worker, rows);
  const Snapshot& s = worker.snapshot();
  EXPECT_EQ(s.error_count, 0u);
  std::erase_if(rows, [&s](const SampleRow& row) { return row.generation != s.generation; });
  expect_same_rows(rows, headless(*s.record, s.steps));
}

}  // namespace
}  // namespace twosphere::test::worker_test
