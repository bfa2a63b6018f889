// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a signal of a copy of a run: those of the run itself, whatever its rows are, through
// edits and ways back.
#include "core/studies/followed_signal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

#include "core/base/interrupt.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::followed_signal_test {
namespace {

using std::chrono::milliseconds;

std::shared_ptr<const Scenario> shared(const Scenario& scenario) {
  return std::make_shared<const Scenario>(scenario);
}

const ComplexSignal turning{.real = "q[1].e1", .imaginary = "q[1].e2", .window = 2};

/// Continues until all samples are there.
void finish(FollowedSignal& followed, const FollowedSignal::Wanted& wanted) {
  for (int turn = 0; turn < 100'000; ++turn) {
    const auto done = value_of(followed.proceed(wanted, milliseconds(1)));
    if (done) return;
  }
  FAIL() << "it does not end";
}

FollowedSignal::Wanted wanted(const Simulation& run) {
  return {.record = shared(run.record()), .steps = run.steps(), .signal = turning};
}

/// The samples that a run takes itself from here on.
class Sampled {
 public:
  explicit Sampled(Simulation& run) : samples_(*SignalSamples::create(turning, run.present())) {
    run.observe([this](Simulation& at) { return samples_.see(at, 0); });
  }
  Sampled(const Sampled&) = delete;
  Sampled& operator=(const Sampled&) = delete;

  void expect(const SignalRows& rows) const {
    EXPECT_TRUE(std::ranges::equal(rows.samples, samples_.samples()));
    EXPECT_EQ(rows.interval, samples_.interval());
    EXPECT_EQ(rows.turn, samples_.spacing().turn);
  }

 private:
  SignalSamples samples_;
};

TEST(FollowedSignal, HasTheSamplesOfTheRunWhateverItsRowsAre) {
  for (const int every : {1, 500}) {
    Scenario scenario = preset();
    scenario.every = every;
    scenario.duration = 1e4;
    Simulation run = start(scenario);
    Sampled own(run);
    FollowedSignal followed;
    for (const int steps : {1000, 40'000}) {  // beyond 2^15 they are thinned
      while (run.steps() < steps) ASSERT_FALSE(run.advance_to(steps));
      finish(followed, wanted(run));
      const SignalRows rows = followed.rows(0);
      own.expect(rows);
      EXPECT_EQ(rows.from, 0);
      EXPECT_EQ(rows.to, run.time());
      EXPECT_FALSE(rows.after_change);
      EXPECT_TRUE(followed.notes(0).empty());
    }
  }
}

TEST(FollowedSignal, BeginsAfterTheLastChangeAndGoesBackBeforeIt) {
  Simulation run = start(preset(), 600);
  FollowedSignal followed;
  finish(followed, wanted(run));
  const FollowedSignal::Wanted before = wanted(run);
  const SignalRows first = followed.rows(0);
  EXPECT_EQ(first.samples.size(), 601U);

  ASSERT_TRUE(run.set({{"system.gravity", 5.0}}));
  march(run, 1);
  Sampled own(run);
  march(run, 299);
  finish(followed, wanted(run));
  const SignalRows rows = followed.rows(0);
  own.expect(rows);
  EXPECT_TRUE(rows.after_change);
  EXPECT_EQ(rows.to, run.time());
  // What is before the change is there, too, if it is wanted.
  FollowedSignal::Wanted all = wanted(run);
  all.before_changes = true;
  FollowedSignal other;
  finish(other, all);
  EXPECT_EQ(other.rows(0).samples, rows.samples);
  EXPECT_EQ(other.rows(0).from, rows.from);
  EXPECT_TRUE(other.rows(0).after_change);
  const SignalRows in_range = other.rows_in_range(0);
  ASSERT_EQ(in_range.samples.size(), 901U);
  EXPECT_EQ(in_range.from, 0);
  EXPECT_EQ(in_range.to, run.time());
  EXPECT_TRUE(std::equal(first.samples.begin(), first.samples.end(), in_range.samples.begin()));
  // The expression has the parameters of that time.
  FollowedSignal::Wanted gravity = wanted(run);
  gravity.signal = {.real = "gravity", .imaginary = ""};
  finish(followed, gravity);
  EXPECT_EQ(followed.rows(0).samples[0], 5.0);

  finish(followed, before);
  EXPECT_EQ(followed.rows(0).samples, first.samples);
  // What does not change the motion is no change.
  ASSERT_TRUE(run.set({{"duration", 90.0}}));
  march(run, 50);
  finish(followed, wanted(run));
  EXPECT_EQ(followed.rows(0).samples.size(), 350U);

  run.reverse();
  march(run, 80);
  finish(followed, wanted(run));
  EXPECT_EQ(followed.rows(0).samples.size(), 80U);
  EXPECT_LT(followed.rows(0).interval, 0);
  EXPECT_EQ(followed.rows(0).to, run.time());
  // Samples are of one direction, and of one step.
  FollowedSignal::Wanted back = wanted(run);
  back.before_changes = true;
  finish(other, back);
  EXPECT_EQ(other.rows_in_range(0).samples.size(), 80U);
  EXPECT_LT(other.rows_in_range(0).interval, 0);
}

TEST(FollowedSignal, IsOfARangeOfTime) {
  Simulation run = start(preset(), 1000);
  FollowedSignal followed;
  finish(followed, wanted(run));
  const SignalRows all = followed.rows(0);
  FollowedSignal::Wanted part = wanted(run);
  part.low = run.time() / 4;
  part.high = run.time() / 2;
  finish(followed, part);
  const SignalRows rows = followed.rows(0);
  EXPECT_NEAR(rows.from, part.low, 1e-9);
  EXPECT_NEAR(rows.to, part.high, 1e-9);
  ASSERT_EQ(rows.samples.size(), 251U);
  EXPECT_TRUE(std::equal(rows.samples.begin(), rows.samples.end(), all.samples.begin() + 250));
  // Where the run has not been there are none.
  part.low = run.time() + 1;
  part.high = run.time() + 2;
  finish(followed, part);
  EXPECT_TRUE(followed.rows(0).samples.empty());
}

TEST(FollowedSignal, OfALaneBeginsWithItAndKnowsNothingOfAnother) {
  Simulation run = start(preset(), 300);
  ASSERT_TRUE(run.add_lane(*json::parse_value(R"({"type": "rk4", "step": 0.01, "from": 0})")));
  march(run, 200);
  FollowedSignal followed;
  finish(followed, wanted(run));
  EXPECT_EQ(followed.rows(0).samples.size(), 501U);
  EXPECT_EQ(followed.rows(1).samples.size(), 200U);

  Simulation two = start(with(preset(), {{"lanes", *json::parse_value(R"([
      {"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])")}}));
  march(two, 300);
  ASSERT_TRUE(two.set({{"lanes[1].type", "heun"}}));
  march(two, 100);
  finish(followed, wanted(two));
  EXPECT_EQ(followed.rows(0).samples.size(), 401U);
  EXPECT_EQ(followed.rows(1).samples.size(), 100U);
}

TEST(FollowedSignal, MayBeOfAQuantity) {
  Simulation run = start(preset());
  FollowedSignal::Wanted energy = wanted(run);
  energy.quantity = Signal(Quantity::kinetic_energy);
  FollowedSignal followed;
  finish(followed, energy);
  ASSERT_EQ(followed.rows(0).samples.size(), 1U);
  EXPECT_EQ(followed.rows(0).samples[0], run.sample(0)[Quantity::kinetic_energy]);
}

TEST(FollowedSignal, SaysWhatIsWrongAndCanBeInterrupted) {
  Simulation run = start(preset(), 100);
  FollowedSignal followed;
  FollowedSignal::Wanted wrong = wanted(run);
  wrong.signal.imaginary = "q[5].e1";
  const Error done = error_of(followed.proceed(wrong, milliseconds(1000)));
  EXPECT_TRUE(done.location.starts_with("signal.imaginary:column")) << done.text();
  {
    const std::atomic<bool> stop{true};
    const Interruptible interruptible(stop);
    EXPECT_FALSE(value_of(followed.proceed(wanted(run), milliseconds(1000))));
    EXPECT_TRUE(followed.rows(0).samples.empty());
  }
  finish(followed, wanted(run));
  EXPECT_EQ(followed.rows(0).samples.size(), 101U);
}

}  // namespace
}  // namespace twosphere::test::followed_signal_test
