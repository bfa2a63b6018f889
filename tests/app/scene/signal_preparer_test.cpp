// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/signal_preparer.h"

#include <gtest/gtest.h>

#include <QThread>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/view_limit.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::signal_preparer_test {
namespace {

using namespace std::chrono_literals;

class Preparer : public testing::Test {
 protected:
  void SetUp() override { await(run_.send(TakeSteps{300})); }
  void await(std::uint64_t number) {
    for (run_.update(); run_.snapshot().commands < number; run_.update())
      QThread::yieldCurrentThread();
  }
  /// How many values of the signal there are.
  std::size_t computed() const {
    const ViewLimit limit([] { return true; });
    return run_.histories().front().view(signal_).values->size();
  }

  LiveRun run_{test::value_of(Simulation::create(test::preset()))};
  const Signal signal_{Signal::Kind::polar, 0};
  const std::vector<ui::PlotSpec> plots_{ui::plot_of(signal_)};
  SignalPreparer preparer_;
};

TEST_F(Preparer, OfARunThatRestsItTakesAWhileInEachFrame) {
  const Clock::time_point start = Clock::now();
  int frames = 0;
  for (; frames == 0 || !preparer_.complete(); ++frames) {
    preparer_.prepare(run_, plots_, start + frames * 1ms);
    EXPECT_EQ(preparer_.allowance(), SignalPreparer::longest);
  }
  EXPECT_EQ(computed(), run_.histories().front().state_count());
  preparer_.prepare(run_, {}, start);
  EXPECT_TRUE(preparer_.complete());
}

TEST_F(Preparer, OfARunThatComputesItTakesAFewPercent) {
  const Clock::time_point start = Clock::now();
  preparer_.prepare(run_, {}, start);
  await(run_.send(Play{}));
  ASSERT_EQ(run_.snapshot().state, RunState::running);
  preparer_.prepare(run_, plots_, start);
  EXPECT_EQ(preparer_.allowance(), SignalPreparer::longest);
  EXPECT_GT(computed(), 2u);
  // What was taken is gone, and 5 % of the time that passes is added.
  preparer_.prepare(run_, {}, start);
  const Clock::duration left = preparer_.allowance();
  EXPECT_LT(left, SignalPreparer::longest);
  preparer_.prepare(run_, {}, start + 20ms);
  const Clock::duration expected = std::min<Clock::duration>(left + 1ms, SignalPreparer::longest);
  EXPECT_LE(std::chrono::abs(preparer_.allowance() - expected), 1us);
  run_.send(Pause{});
}

}  // namespace
}  // namespace twosphere::signal_preparer_test
