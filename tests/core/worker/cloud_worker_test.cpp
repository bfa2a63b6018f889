// SPDX-License-Identifier: GPL-3.0-or-later
// Clouds that follow a run in the worker: the run stays the same bit for bit, and the members are
// those of runs of their own.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/mechanics/random_state.h"
#include "core/record/history.h"
#include "core/studies/cloud_study.h"
#include "core/worker/worker.h"
#include "tests/runs.h"
#include "tests/workers.h"

namespace twosphere::test::cloud_worker_test {
namespace {

using namespace std::chrono_literals;

const CloudSpec few{.members = 9, .spread = 1e-5, .seed = 4};

/// Double pendulum, h = 0.01 s, a row at every K-th step.
Scenario pendulum(double duration, int every = 1) {
  return with(preset(), {{"duration", duration}, {"every", json::Node::whole(every)}});
}

/// The lanes of the run, from all rows so far.
std::vector<History> histories(Worker& worker) {
  std::vector<SampleRows> rows;
  worker.drain_samples(rows);
  std::vector<History> lanes(worker.snapshot().lanes.size());
  for (const SampleRows& some : rows)
    for (std::size_t i = 0; some.generation == worker.snapshot().generation && i < some.lanes; ++i)
      lanes[i].append(some, i);
  return lanes;
}

/// Member k of a cloud around the start of a scenario, numbered from 1, as a separate run.
Simulation member_alone(Scenario scenario, const CloudSpec& spec, int k) {
  scatter(scenario.q, scenario.omega, spec.spread, static_cast<std::uint64_t>(k), spec.seed);
  return start(scenario);
}

/// The directions of a member in the snapshot, numbered from 1.
Columns member(const Snapshot& s, int k) {
  const Eigen::Index n = s.system->size();
  return s.cloud->positions.middleCols((k - 1) * n, n);
}

TEST(CloudWorker, HasTheRowsOfTheStudyAndLeavesTheRunAsItIs) {
  const Scenario scenario = pendulum(8, 5);
  Worker worker(start(scenario));
  after(worker, {FollowCloud{few, 0}, TakeSteps{800}});
  const Snapshot& s = worker.snapshot();
  ASSERT_TRUE(s.cloud);
  EXPECT_EQ(s.cloud->spec, few);
  EXPECT_EQ(s.cloud->since, 0);
  EXPECT_EQ(s.error_count, 0u);

  Simulation run = start(scenario);
  const CloudStudy study = run_cloud_study(run, few, [] { return true; });
  const std::vector<History> lanes = histories(worker);
  EXPECT_EQ(cloud_table(cloud_study(*s.cloud, lanes[0])), cloud_table(study));
  EXPECT_EQ(study.times.size(), 161u);
  const GrowthRate& rate = study.growth;
  EXPECT_EQ(s.cloud->growth.rate, rate.rate);
  EXPECT_EQ(s.cloud->growth.error, rate.error);
  EXPECT_EQ(s.cloud->growth.rows, rate.rows);
  EXPECT_GT(rate.rate, 0);

  for (int k = 1; k <= few.members; ++k) {
    Simulation alone = member_alone(scenario, few, k);
    march(alone, 800);
    EXPECT_EQ(member(s, k), alone.state(0).q) << k;
  }
  // The run itself is that of one without.
  Simulation plain = start(scenario, 800);
  EXPECT_EQ(s.lanes[0].state.q, plain.state(0).q);
  EXPECT_EQ(s.lanes[0].state.w, plain.state(0).w);
  EXPECT_EQ(s.record->events.size(), 0u);
}

TEST(CloudWorker, AnyPaceGivesTheSame) {
  const Scenario scenario = pendulum(2, 3);
  std::vector<std::string> tables;
  for (const Pace& pace :
       {Pace{Pacing::fastest, 1}, Pace{Pacing::real_time, 7}, Pace{Pacing::every_step, 1}}) {
    Worker worker(start(scenario));
    after(worker, {FollowCloud{few, 0}, pace, Play{}});
    // Interrupted again and again.
    for (int i = 0; i < 5 && after(worker, {Pause{}}).state == RunState::paused; ++i)
      after(worker, {Play{}});
    ASSERT_TRUE(reaches(worker, RunState::finished));
    tables.push_back(cloud_table(cloud_study(*worker.snapshot().cloud, histories(worker)[0])));
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(tables[0], tables[2]);
}

TEST(CloudWorker, ChangesPullsAndEventsGoOnInTheMembers) {
  const Scenario scenario = pendulum(100);
  Worker worker(start(scenario));
  after(worker, {FollowCloud{few, 0}, TakeSteps{50}, Change{{{"system.gravity", 3.0}}},
                 TakeSteps{40}, PullBody{{1, {3, 0, -2}, 25}}, TakeSteps{30},
                 Change{{{"integrator.step", 0.005}}}, TakeSteps{20},
                 Change{{{"integrator.type", "rk4"}}}, TakeSteps{20}, Reverse{}, TakeSteps{15}});
  const Snapshot& s = worker.snapshot();
  ASSERT_EQ(s.error_count, 0u) << s.error->text();
  ASSERT_EQ(s.record->events.size(), 5u);
  EXPECT_EQ(s.cloud->since, 0);
  EXPECT_EQ(s.cloud->lost, 0);
  // A member alone to which the same happens.
  for (const int k : {1, few.members}) {
    Scenario alone = *s.record;
    scatter(alone.q, alone.omega, few.spread, static_cast<std::uint64_t>(k), few.seed);
    Simulation run = start(alone, s.steps);
    EXPECT_EQ(member(s, k), run.state(0).q) << k;
  }
  // A record whose events come of themselves gives the same.
  Worker again(start(*s.record));
  const Snapshot& t = after(again, {FollowCloud{few, 0}, TakeSteps{s.steps}});
  EXPECT_EQ(t.cloud->positions, s.cloud->positions);
  EXPECT_EQ(t.lanes[0].state.q, s.lanes[0].state.q);
}

TEST(CloudWorker, BeginsAtItsStepAndAnewAtTheStart) {
  Worker worker(start(pendulum(100)));
  const Snapshot& s = after(worker, {TakeSteps{30}, FollowCloud{few, 0, 30}});
  EXPECT_EQ(s.cloud->since, 30);
  EXPECT_DOUBLE_EQ(s.cloud->began, 0.3);
  EXPECT_LT(s.cloud->distances.high, 1e-4);
  EXPECT_EQ(s.cloud->distances.median, s.cloud->first.median);
  after(worker, {TakeSteps{1200}});
  EXPECT_GT(worker.snapshot().cloud->distances.median, 2e-5);
  // Rewind: the same seed at the start.
  const Snapshot& rewound = after(worker, {Rewind{}});
  EXPECT_EQ(rewound.cloud->since, 0);
  Simulation first = member_alone(pendulum(100), few, 3);
  EXPECT_EQ(member(rewound, 3), first.state(0).q);
  // An edit of the state: anew, at once.
  const json::Node omega = json::Node::array({0.5, 0.0, 0.0});
  const Snapshot& edited = after(worker, {TakeSteps{40}, Change{{{"state.omega[0]", omega}}}});
  ASSERT_EQ(edited.error_count, 0u) << edited.error->text();
  EXPECT_EQ(edited.cloud->since, 40);
  EXPECT_LT(edited.cloud->distances.high, 1e-4);
  // Where the record repeats the edit, too.
  Worker again(start(*edited.record));
  EXPECT_EQ(after(again, {FollowCloud{few, 0}, TakeSteps{60}}).cloud->since, 40);
  // Another run of this start that is continued.
  after(worker, {TakeSteps{60}});
  const auto record = worker.snapshot().record;
  const auto checkpoints = worker.snapshot().checkpoints;
  const Snapshot& branch =
      after(worker, {ContinueRun{record, checkpoints->before(50), checkpoints, 50, 1, 51, {}}});
  ASSERT_EQ(branch.error_count, 0u) << branch.error->text();
  EXPECT_FALSE(branch.cloud) << "it waits for its beginning";
  EXPECT_EQ(branch.cloud_plan, (CloudPlan{few, 0, 0}));
  // Another scenario has none, and neither has a run whose cloud is switched off.
  EXPECT_FALSE(after(worker, {Load{pendulum(1), nullptr}}).cloud);
  after(worker, {FollowCloud{few, 0}});
  EXPECT_TRUE(worker.snapshot().cloud);
  EXPECT_TRUE(worker.snapshot().cloud_checkpoints->newest()->cloud);
  EXPECT_FALSE(after(worker, {FollowCloud{}}).cloud);
  EXPECT_FALSE(worker.snapshot().cloud_plan || worker.snapshot().cloud_checkpoints);
}

TEST(CloudWorker, BeginsAtThePresentStepOfARunThatGoesOn) {
  Worker worker(start(pendulum(1e6, 1000)));
  constexpr auto now = std::numeric_limits<std::int64_t>::max();
  const Snapshot& s =
      after(worker, {TakeSteps{5}, Pace{Pacing::fastest, 1}, Play{}, FollowCloud{few, 0, now}});
  ASSERT_TRUE(s.cloud);
  EXPECT_GE(s.cloud->since, 5);
  EXPECT_EQ(s.cloud->since, s.cloud_plan->from);
}

TEST(CloudWorker, TheRunBeforeItCanBeAddedLater) {
  // A run that continues from a saved state, before it has been repeated up to there.
  Simulation run = start(pendulum(100));
  const auto kept = std::make_shared<Checkpoints>(), earlier = std::make_shared<Checkpoints>();
  earlier->add(std::make_shared<const RunCheckpoint>(run.checkpoint()), {});
  march(run, 40);
  const auto head = std::make_shared<const RunCheckpoint>(run.checkpoint());
  for (const auto& list : {kept, earlier}) list->add(head, {});
  const auto record = std::make_shared<const Scenario>(run.record());
  Worker worker(start(pendulum(100)));
  after(worker, {ContinueRun{record, head, kept, 40, 1, 41, {}}, FollowCloud{few, 0, 40}});
  EXPECT_FALSE(worker.snapshot().cloud_checkpoints->before(39));
  const Snapshot& s = after(worker, {AddCheckpoints{earlier, 40}});
  ASSERT_EQ(s.error_count, 0u) << s.error->text();
  ASSERT_TRUE(s.cloud_checkpoints->before(39)) << "a past instant is computed from it";
  EXPECT_EQ(s.cloud_checkpoints->before(39)->step(), 0);
  EXPECT_TRUE(s.cloud_checkpoints->newest()->cloud);
}

TEST(CloudWorker, FollowsOneLaneOfSeveral) {
  json::Node lanes = json::Node::array();
  for (const auto& [type, step] : {std::pair("variational", 0.01), std::pair("rk4", 0.005)}) {
    json::Node lane = json::Node::object();
    lane.set("type", type);
    lane.set("step", step);
    lanes.items.push_back(lane);
  }
  const Scenario scenario = with(pendulum(100), {{"lanes", lanes}});
  Worker worker(start(scenario));
  const Snapshot& s = after(worker, {FollowCloud{few, 1}, TakeSteps{100}});
  EXPECT_EQ(s.cloud->lane, 1);
  Scenario other = scenario;
  scatter(other.q, other.omega, few.spread, 5, few.seed);
  Simulation alone = start(other, 100);
  EXPECT_EQ(member(s, 5), alone.state(1).q);
  const std::vector<History> rows = histories(worker);
  EXPECT_TRUE(cloud_study(*s.cloud, rows[1]).times.size() == 101);
  EXPECT_EQ(cloud_study(*s.cloud, rows[0]).times.size(), 1u) << "only its beginning";
  // The step of the other lane changes that of the run.
  after(worker, {Change{{{"lanes[0].step", 0.02}}}, TakeSteps{10}});
  ASSERT_EQ(worker.snapshot().error_count, 0u) << worker.snapshot().error->text();
  Simulation both = start([&] {
    Scenario same = *worker.snapshot().record;
    scatter(same.q, same.omega, few.spread, 5, few.seed);
    return same;
  }());
  march(both, 110);
  EXPECT_EQ(member(worker.snapshot(), 5), both.state(1).q);
}

TEST(CloudWorker, RefusesWhatIsOutOfRange) {
  Worker worker(start(pendulum(1)));
  const auto refused = [&](const CloudSpec& spec, int lane) {
    const std::uint64_t before = worker.snapshot().error_count;
    const Snapshot& s = after(worker, {FollowCloud{spec, lane}});
    EXPECT_EQ(s.error_count, before + 1);
    EXPECT_FALSE(s.cloud);
    return s.error->text();
  };
  EXPECT_EQ(refused({.members = 0}, 0),
            "cloud.members: must be a whole number from 1 to 4096, not 0");
  EXPECT_EQ(refused({.members = 4097}, 0),
            "cloud.members: must be a whole number from 1 to 4096, not 4097");
  EXPECT_EQ(refused({.spread = 0.2}, 0), "cloud.spread: must be above 0 and at most 0.1, not 0.2");
  EXPECT_EQ(refused({.spread = std::nan("")}, 0),
            "cloud.spread: must be above 0 and at most 0.1, not nan");
  static_assert(LiveCloud::max_members(64) == 4096 && LiveCloud::max_members(642) == 408 &&
                LiveCloud::max_members(1'000'000) == 1);
  EXPECT_EQ(refused({}, 1), "cloud.lane: there is no lane of this number");
  Worker large(start(preset("lennard_jones")));
  EXPECT_EQ(after(large, {FollowCloud{{{.members = 500}}, 0}}).error->text(),
            "cloud.members: must be a whole number from 1 to 408 with 642 bodies, not 500");
  // A cloud that follows stays as it is.
  after(worker, {FollowCloud{few, 0}, FollowCloud{{{.members = 5000}}, 0}});
  ASSERT_TRUE(worker.snapshot().cloud);
  EXPECT_EQ(worker.snapshot().cloud->spec, few);
}

TEST(CloudWorker, CommandsAreAnsweredWhileMembersAreSlow) {
  // A step of all members takes long: Pause does not wait for it, and the run continues as it was.
  const Scenario scenario = with(preset("lennard_jones"), {{"every", json::Node::whole(1)}});
  const CloudSpec many{.members = 40, .spread = 1e-9, .seed = 1};
  Worker worker(start(scenario));
  const auto begun = std::chrono::steady_clock::now();
  after(worker, {FollowCloud{many, 0}});
  worker.send(Pace{Pacing::fastest, 1});
  for (int i = 0; i < 4; ++i) {
    worker.send(Play{});
    std::this_thread::sleep_for(20ms);
    worker.send(Pause{});
  }
  const Snapshot& s = after(worker, {TakeSteps{2}});
  Simulation alone = member_alone(scenario, many, 2);
  march(alone, s.steps);
  EXPECT_EQ(member(s, 2), alone.state(0).q);
  const std::vector<History> lanes = histories(worker);
  EXPECT_EQ(cloud_study(*s.cloud, lanes[0]).times.size(), static_cast<std::size_t>(s.steps) + 1);
  RecordProperty(
      "seconds",
      static_cast<int>(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count()));
}

}  // namespace
}  // namespace twosphere::test::cloud_worker_test
