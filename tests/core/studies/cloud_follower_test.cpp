// SPDX-License-Identifier: GPL-3.0-or-later
// A cloud that is switched on late: it is followed along the record beside the run, and is then to
// the bit the one that would have followed the run all along.
#include "core/studies/cloud_follower.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/record/history.h"
#include "core/studies/cloud_study.h"
#include "core/worker/seeker.h"
#include "core/worker/worker.h"
#include "tests/runs.h"
#include "tests/workers.h"

namespace twosphere::test::cloud_follower_test {
namespace {

using std::chrono::milliseconds;

const CloudSpec few{.members = 9, .spread = 1e-5, .seed = 4};

/// Double pendulum, h = 0.01 s, a row at every third step.
Scenario pendulum() {
  return with(preset(), {{"duration", 100.0}, {"every", json::Node::whole(3)}});
}

json::Node vector(double x, double y, double z) { return json::Node::array({x, y, z}); }

using Commands = std::vector<Command>;

/// A run of 180 steps through changes of all kinds.
Commands changes() {
  return {TakeSteps{50}, Change{{{"system.gravity", 3.0}}},
          TakeSteps{40}, PullBody{{1, {3, 0, -2}, 25}},
          TakeSteps{31}, Change{{{"integrator.step", 0.005}}},
          TakeSteps{20}, Change{{{"integrator.type", "rk4"}}},
          TakeSteps{20}, Reverse{},
          TakeSteps{19}};
}

/// The same with an edit of the state at step 50.
Commands edits() {
  Commands list = changes();
  list.insert(list.begin() + 1, Change{{{"state.omega[0]", vector(0.5, 0, 0)}}});
  return list;
}

/// The worker of a run, its rows, and a cloud that it waits for.
class Followed {
 public:
  explicit Followed(const Scenario& scenario) : worker_(start(scenario)) {}

  const Snapshot& send(const Commands& commands) {
    std::uint64_t last = 0;
    for (const Command& command : commands) last = worker_.send(command);
    EXPECT_TRUE(done(worker_, last));
    EXPECT_EQ(now().error_count, 0u) << now().error->text();
    return now();
  }
  const Snapshot& now() { return worker_.snapshot(); }

  CloudFollower::Wanted wanted() {
    EXPECT_TRUE(now().cloud_plan);
    return {now().record, *now().cloud_plan, now().steps, now().stride, now().generation};
  }
  /// Follows the cloud to the head.
  std::shared_ptr<const CloudBeginning> beginning() {
    const CloudFollower::Wanted at = wanted();
    for (int turn = 0; turn < 100'000; ++turn) {
      const auto reached = follower_.proceed(at, milliseconds(1));
      EXPECT_TRUE(reached) << (reached ? "" : reached.error().text());
      if (!reached || *reached == at.steps) break;
    }
    return follower_.beginning();
  }
  const Snapshot& join(std::shared_ptr<const CloudBeginning> beginning) {
    const CloudPlan plan = *now().cloud_plan;
    return send({FollowCloud{plan.spec, plan.lane, plan.from, std::move(beginning)}});
  }

  /// The table of the cloud, from the rows of the run.
  std::string table() {
    worker_.drain_samples(rows_);
    History history;
    for (const SampleRows& some : rows_)
      if (some.generation == now().generation) history.append(some, 0);
    if (now().cloud_rows) history.give_cloud(*now().cloud_rows);
    return cloud_table(cloud_study(*now().cloud, history));
  }
  /// The cloud at a past instant.
  std::optional<CloudView> past(std::int64_t step) {
    Seeker seeker([] {});
    const std::uint64_t request = seeker.seek(now().record, now().cloud_checkpoints, step);
    for (int i = 0; i < 60'000; ++i) {
      const auto found = seeker.instant();
      if (found && found->request == request && found->exact) return found->snapshot.cloud;
      std::this_thread::sleep_for(milliseconds(1));
    }
    ADD_FAILURE() << "step " << step;
    return {};
  }

 private:
  Worker worker_;
  CloudFollower follower_;
  std::vector<SampleRows> rows_;
};

void expect_same(const CloudView& a, const CloudView& b) {
  EXPECT_EQ(a.spec, b.spec);
  EXPECT_EQ(a.since, b.since);
  EXPECT_EQ(a.began, b.began);
  EXPECT_EQ(a.lost, b.lost);
  EXPECT_EQ(a.first.median, b.first.median);
  EXPECT_EQ(a.distances.median, b.distances.median);
  EXPECT_EQ(a.distances.low, b.distances.low);
  EXPECT_EQ(a.distances.high, b.distances.high);
  EXPECT_EQ(a.growth.rows, b.growth.rows);
  EXPECT_TRUE(a.growth.rate == b.growth.rate || std::isnan(a.growth.rate));
  EXPECT_TRUE(a.positions.cols() == b.positions.cols() && a.positions == b.positions);
}

TEST(CloudFollower, GivesTheCloudThatHasFollowedFromTheStart) {
  for (const Commands& run : {changes(), edits()}) {
    Followed always(pendulum()), late(pendulum());
    always.send({FollowCloud{few}});
    always.send(run);
    late.send(run);
    const Snapshot& waits = late.send({FollowCloud{few}});
    EXPECT_FALSE(waits.cloud);
    EXPECT_FALSE(waits.cloud_checkpoints);
    const Snapshot& joined = late.join(late.beginning());
    ASSERT_TRUE(joined.cloud);
    EXPECT_EQ(joined.cloud->since, run.size() > changes().size() ? 50 : 0);
    expect_same(*joined.cloud, *always.now().cloud);
    EXPECT_EQ(late.table(), always.table());
    // At past instants, too, before the events of their steps.
    for (const std::int64_t step : {0, 49, 50, 51, 90, 133, 179}) {
      SCOPED_TRACE(step);
      const auto a = late.past(step), b = always.past(step);
      ASSERT_TRUE(a && b);
      expect_same(*a, *b);
      Followed short_run(*late.now().record);
      expect_same(*a, *short_run.send({FollowCloud{few}, TakeSteps{step}}).cloud);
    }
    // And they continue alike.
    for (Followed* one : {&always, &late}) one->send({Reverse{}, TakeSteps{30}});
    expect_same(*late.now().cloud, *always.now().cloud);
    EXPECT_EQ(late.table(), always.table());
  }
}

TEST(CloudFollower, ItsCloudJoinsARunThatHasGoneOn) {
  Followed always(pendulum()), late(pendulum());
  always.send({FollowCloud{few}, TakeSteps{200}});
  late.send({TakeSteps{120}, FollowCloud{few}});
  const auto beginning = late.beginning();
  late.send({Change{{{"system.gravity", 3.0}}}, TakeSteps{80}});
  EXPECT_EQ(late.join(beginning).cloud->since, 0);
  Followed same(*late.now().record);
  same.send({FollowCloud{few}, TakeSteps{200}});
  expect_same(*late.now().cloud, *same.now().cloud);
  EXPECT_EQ(late.table(), same.table());
  // Not another run, nor one without a cloud, or with another one.
  Followed other(pendulum());
  other.send({TakeSteps{200}, FollowCloud{{{.members = 3}}}});
  EXPECT_FALSE(other.send({FollowCloud{few, 0, 0, beginning}}).cloud);
  EXPECT_FALSE(other.send({FollowCloud{}, FollowCloud{few, 0, 0, beginning}}).cloud);
  const auto record = other.now().record;
  const auto checkpoints = other.now().checkpoints;
  other.send({FollowCloud{few},
              ContinueRun{record, checkpoints->before(150), checkpoints, 150, 3, 51, {}}});
  EXPECT_FALSE(other.now().cloud);
  EXPECT_EQ(other.now().cloud_plan->from, 0) << "it waits in the branch as well";
  EXPECT_FALSE(other.send({FollowCloud{few, 0, 0, beginning}}).cloud);
}

TEST(CloudFollower, BeginsAtALaterStep) {
  Followed run(pendulum());
  run.send({TakeSteps{100}, FollowCloud{few, 0, 61}});
  EXPECT_EQ(run.join(run.beginning()).cloud->since, 61);
  EXPECT_FALSE(run.past(60));
  const auto first = value_of(run.past(63));
  // The members are those of a cloud that begins there.
  Followed same(pendulum());
  same.send({TakeSteps{61}, FollowCloud{few, 0, 61}, TakeSteps{2}});
  EXPECT_EQ(same.now().cloud->since, 61);
  expect_same(first, *same.now().cloud);
  EXPECT_EQ(run.now().cloud_rows->front().step, 63);
  EXPECT_EQ(run.now().cloud_rows->back().step, 99);
}

TEST(CloudFollower, AroundALaneThatWasAddedItBeginsWithTheLane) {
  const json::Node added = *json::parse_value(R"({"type": "rk4", "step": 0.005, "name": "late"})");
  Followed run(pendulum());
  run.send({TakeSteps{40}, AddLane{added}, TakeSteps{40}, FollowCloud{few, 1}});
  EXPECT_EQ(run.join(run.beginning()).cloud->since, 40);
  Followed same(pendulum());
  same.send({TakeSteps{40}, AddLane{added}, FollowCloud{few, 1, 40}, TakeSteps{40}});
  expect_same(*run.now().cloud, *same.now().cloud);
}

TEST(CloudFollower, GoesOnWithTheRecordAndBackWhereItChanges) {
  Followed run(pendulum());
  run.send({TakeSteps{150}, FollowCloud{few}});
  const auto first = run.beginning();
  EXPECT_EQ(first->checkpoints->newest()->step(), 150);
  // Another run that forks from it at step 90, and goes further.
  const auto record = run.now().record;
  const auto checkpoints = run.now().checkpoints;
  run.send({ContinueRun{record, checkpoints->before(90), checkpoints, 90, 3, 31, {}},
            Change{{{"system.gravity", 3.0}}}, TakeSteps{80}});
  run.join(run.beginning());
  Followed same(*run.now().record);
  expect_same(*run.now().cloud, *same.send({FollowCloud{few}, TakeSteps{170}}).cloud);
  EXPECT_EQ(first->rows.back().step, 150) << "what was given stays";
}

TEST(CloudFollower, BeginsAnewAfterAnInterruption) {
  Followed run(pendulum());
  run.send({TakeSteps{150}, FollowCloud{few}});
  const CloudFollower::Wanted wanted = run.wanted();
  CloudFollower follower;
  ASSERT_TRUE(follower.proceed(wanted, milliseconds(0)));
  {
    const std::atomic<bool> leaving{true};
    const Interruptible interruptible(leaving);
    EXPECT_FALSE(follower.proceed(wanted, milliseconds(1000)));
  }
  const auto reached = value_of(follower.proceed(wanted, milliseconds(60'000)));
  EXPECT_EQ(reached, 150);
  run.join(follower.beginning());
  Followed same(pendulum());
  expect_same(*run.now().cloud, *same.send({FollowCloud{few}, TakeSteps{150}}).cloud);
}

TEST(CloudFollower, KeepsRowsWhereTheRunHasStates) {
  Followed run(pendulum());
  run.send({TakeSteps{150}, FollowCloud{few}});
  CloudFollower::Wanted wanted = run.wanted();
  CloudFollower follower;
  ASSERT_TRUE(follower.proceed(wanted, milliseconds(60'000)));
  wanted.every = 6;
  ASSERT_TRUE(follower.proceed(wanted, milliseconds(60'000)));
  const auto beginning = follower.beginning();
  ASSERT_EQ(beginning->rows.size(), 26u);
  for (std::size_t k = 0; k < beginning->rows.size(); ++k)
    EXPECT_EQ(beginning->rows[k].step, 6 * static_cast<std::int64_t>(k));
}

}  // namespace
}  // namespace twosphere::test::cloud_follower_test
