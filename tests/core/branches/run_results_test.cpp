// SPDX-License-Identifier: GPL-3.0-or-later
// What comes from a worker becomes histories and a trail.
#include "core/branches/run_results.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/run/state_stride.h"
#include "tests/runs.h"
#include "tests/workers.h"

namespace twosphere::test::run_results_test {
namespace {

class Results : public testing::Test {
 protected:
  explicit Results(const WorkerOptions& options = {})
      : worker_(start(with(preset(), {{"every", json::Node::whole(1)}})), {}, options) {
    const Snapshot& first = worker_.snapshot();
    tree_.present().histories = tree_.fresh_histories(*first.system, first.lanes.size());
    results_.begin(first.generation);
    take();
  }
  void carry_out(const Command& command) { ASSERT_TRUE(done(worker_, worker_.send(command))); }
  const Snapshot& take() {
    const Snapshot& now = worker_.snapshot();
    results_.drain(worker_);
    results_.append(now, span, worker_);
    return now;
  }
  const History& history() const { return tree_.branches()[0].histories[0]; }

  static constexpr double span = 0.5;  // [s]
  Worker worker_;
  RunTree tree_{StateStride::budget};
  RunResults results_{tree_};
};

TEST_F(Results, AreTheSamplesUpToTheSnapshotAndTheTrailBeforeIt) {
  EXPECT_EQ(history().size(), 1u);
  EXPECT_FALSE(results_.trail_since());
  carry_out(TrailSpan{span});
  take();
  carry_out(TakeSteps{200});
  const Snapshot& now = take();
  ASSERT_EQ(history().size(), 201u);
  EXPECT_EQ(history().sample(200).values, now.lanes[0].sample.values);
  ASSERT_FALSE(results_.trail().empty());
  EXPECT_GE(results_.trail().front().t, now.elapsed - span);
  EXPECT_LE(results_.trail().back().t, now.elapsed);
  EXPECT_EQ(results_.trail_since(), 0.0);
}

TEST_F(Results, EndWithTheRunThatIsLeftAndBeginWithTheNext) {
  carry_out(TakeSteps{10});
  carry_out(Change{{{"system.gravity", 3.0}}});
  const auto checkpoints = worker_.snapshot().checkpoints;
  carry_out(Rewind{});
  carry_out(TakeSteps{4});
  const Snapshot& now = worker_.snapshot();
  ASSERT_GT(now.generation, results_.generation());
  results_.drain(worker_);
  const auto head = checkpoints->newest();
  results_.end(*head, *now.system, worker_);
  EXPECT_EQ(history().size(), 11u);
  tree_.present().histories = tree_.fresh_histories(*now.system, now.lanes.size());
  results_.begin(now.generation);
  results_.append(now, span, worker_);
  EXPECT_EQ(history().size(), 5u);
}

class FewResults : public Results {
 protected:
  FewResults() : Results({.max_samples = 100}) {}
};

TEST_F(FewResults, AreThinnedWhenTheStrideGrows) {
  carry_out(TakeSteps{50});
  take();
  EXPECT_EQ(history().size(), 51u);
  carry_out(TakeSteps{200});
  const std::int64_t stride = take().stride;
  EXPECT_GT(stride, 1);
  EXPECT_EQ(results_.stride(), stride);
  EXPECT_TRUE(results_.is_thinning());
  results_.continue_thinning(1'000'000);
  EXPECT_FALSE(results_.is_thinning());
  EXPECT_EQ(static_cast<std::int64_t>(history().size()), 250 / stride + 1);
}

}  // namespace
}  // namespace twosphere::test::run_results_test
