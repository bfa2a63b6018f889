// SPDX-License-Identifier: GPL-3.0-or-later
// Where the other runs are at the time shown.
#include "app/scene/ghosts.h"

#include <gtest/gtest.h>

#include <QThread>
#include <atomic>
#include <utility>

#include "core/catalog.h"
#include "core/scenario/reader.h"

namespace twosphere::ghosts_test {
namespace {

constexpr int patience = 60'000;  // [ms]

class GhostsOf : public testing::Test {
 protected:
  template <class Condition>
  void until(const Condition& condition) {
    for (int i = 0; i < patience; ++i) {
      run_.update();
      if (condition()) return;
      QThread::usleep(200);
    }
    FAIL() << "not reached";
  }
  template <class T>
  void carry_out(T command) {
    const auto number = run_.send(std::move(command));
    until([&] { return run_.snapshot().commands >= number; });
  }
  /// Continues from a past step, in a new run.
  void fork(std::int64_t step) {
    run_.show(step);
    const auto id = run_.fork();
    ASSERT_TRUE(id);
    until([&] { return run_.present_branch() == id; });
  }
  static Simulation sparse() {
    auto scenario = read_scenario(find_preset("three_body")->text, "preset");
    scenario->duration = 1e6;
    scenario->every = 1000;
    return std::move(*Simulation::create(std::move(*scenario)));
  }

  LiveRun run_{sparse()};
  std::atomic<int> woken_ = 0;
  Ghosts ghosts_{[this] { ++woken_; }};
};

// Two runs without a difference: the ghost lies over the bodies, bit for bit, however sparse the
// samples are.
TEST_F(GhostsOf, AreExactlyAtTheTimeShown) {
  carry_out(TakeSteps{3000});
  fork(500);
  carry_out(TakeSteps{1777});
  std::vector<Ghost> found;
  until([&] {
    found = ghosts_.find(run_, false);
    return !found.empty();
  });
  EXPECT_GT(woken_, 0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].q, run_.shown().lanes[0].state.q);
  for (const std::int64_t step : {2000, 1234, 501}) {
    run_.show(step);
    until([&] { return run_.exact(); });
    until([&] {
      found = ghosts_.find(run_, false);
      return !found.empty();
    });
    EXPECT_EQ(found[0].q, run_.shown().lanes[0].state.q) << step;
  }
  // What both share is drawn once.
  run_.show(500);
  until([&] { return run_.exact(); });
  EXPECT_TRUE(ghosts_.find(run_, false).empty());
  found = ghosts_.find(run_, false, true);
  ASSERT_EQ(found.size(), 1u) << "unless all are asked for";
  EXPECT_EQ(found[0].q, run_.shown().lanes[0].state.q);
  EXPECT_FALSE(found[0].ended);
  EXPECT_FALSE(found[0].overlaid) << "nothing is drawn twice where cells are too small";
}

TEST_F(GhostsOf, EndWithTheirRunsAndAreNearWhileTheBodiesMove) {
  carry_out(TakeSteps{1500});
  fork(1000);
  carry_out(TakeSteps{400});
  std::vector<Ghost> found;
  // Asked for while the bodies move, then a little later: the last one known is carried there.
  until([&] {
    found = ghosts_.find(run_, true);
    return !found.empty();
  });
  carry_out(TakeSteps{5});
  found = ghosts_.find(run_, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].overlaid);
  EXPECT_LT((found[0].q - run_.shown().lanes[0].state.q).cwiseAbs().maxCoeff(), 0.01);
  EXPECT_LT((found[0].q.colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
  carry_out(TakeSteps{95});
  until([&] { return !ghosts_.find(run_, false).empty(); });
  EXPECT_EQ(run_.snapshot().steps, 1500);
  carry_out(TakeSteps{2});
  EXPECT_TRUE(ghosts_.find(run_, false).empty()) << "the other one has ended";
  found = ghosts_.find(run_, false, true);
  ASSERT_EQ(found.size(), 1u) << "with all, it is where it ended";
  ASSERT_TRUE(found[0].ended);
  EXPECT_NEAR(*found[0].ended, 1500 * run_.snapshot().present->lanes[0].step, 1e-9);
  EXPECT_FALSE(found[0].overlaid);
}

TEST_F(GhostsOf, LeaveOutHiddenRuns) {
  carry_out(TakeSteps{1000});
  const int first = run_.present_branch();
  fork(100);
  carry_out(TakeSteps{900});
  until([&] { return !ghosts_.find(run_, false).empty(); });
  BranchLook look = *run_.look(first);
  look.hidden = true;
  ASSERT_TRUE(run_.set_look(first, look));
  EXPECT_TRUE(ghosts_.find(run_, false).empty());
}

}  // namespace
}  // namespace twosphere::ghosts_test
