// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are held by hand while a run rests. What is counted: every allocation of the program,
// on the worker's thread and on that which reads, from the command that a movement of the mouse
// sends to the snapshot that shows it.
#include "core/worker/drag_edit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "core/worker/worker.h"
#include "tests/allocations.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::test::drag_edit_test {
namespace {

/// A snapshot after the last of the commands sent so far.
const Snapshot& after(Worker& worker, std::uint64_t number) {
  for (;;) {
    const Snapshot& now = worker.snapshot();
    if (now.commands >= number) return now;
    std::this_thread::yield();
  }
}
const Snapshot& after(Worker& worker, Command command) {
  return after(worker, worker.send(std::move(command)));
}

/// The k-th movement of a drag from q.
Vec3 dragged(const Vec3& q, int k) {
  const Vec3 along = q.unitOrthogonal();
  const double angle = 1e-4 * (k + 1);
  return (std::cos(angle) * q + std::sin(angle) * along).normalized();
}

enum class Gesture { move, turn, spin };

DragEdit hold(Gesture gesture, const State& from, int k) {
  DragEdit to{.body = 0, .below = gesture == Gesture::turn};
  if (gesture == Gesture::spin)
    to.omega = Vec3(0.1, 0.2, 1e-3 * k);
  else
    to.q = dragged(from.q.col(0).normalized(), k);
  return to;
}

/// Those that a system takes: ω of one of first order follows from q.
std::vector<Gesture> gestures(const Scenario& scenario) {
  if (info_of(scenario).first_order) return {Gesture::move, Gesture::turn};
  return {Gesture::move, Gesture::turn, Gesture::spin};
}

std::vector<Scenario> scenarios() {
  std::vector<Scenario> list;
  for (const Preset& p : presets())
    if (Scenario s = preset(p.key); s.size() <= 1000) list.push_back(std::move(s));
  return list;
}

void expect_same(const Sample& a, const Sample& b, double tolerance) {
  const double scale = 1 + std::abs(b[Quantity::kinetic_energy]) +
                       std::abs(b[Quantity::potential_energy]) + std::abs(b[Quantity::work]);
  for (std::size_t k = 0; k < quantity_count; ++k)
    EXPECT_NEAR(a.values[k], b.values[k], tolerance * scale) << quantities()[k].key;
}

TEST(DragEdit, ADragAllocatesNothingAfterItsFirstMovements) {
  for (const Scenario& scenario : scenarios())
    for (const std::int64_t steps : {0, 3}) {
      Worker worker(start(scenario));
      if (steps > 0) after(worker, TakeSteps{steps});
      const State from = worker.snapshot().lanes[0].state;
      for (const Gesture gesture : gestures(scenario)) {
        // Each of the three snapshots that are in turn filled has to grow once.
        for (int k = 0; k < 6; ++k) after(worker, hold(gesture, from, k));
        const long before = allocations;
        const int moves = scenario.size() == 2 ? 200 : 20;  // each waits for the other thread
        for (int k = 0; k < moves; ++k)
          ASSERT_TRUE(after(worker, hold(gesture, from, k)).shows_edit) << scenario.title;
        EXPECT_EQ(allocations - before, 0)
            << scenario.title << ", step " << steps << ", gesture " << static_cast<int>(gesture);
        EXPECT_EQ(worker.snapshot().error_count, 0U);
        after(worker, Release{});
      }
    }
}

TEST(DragEdit, APullToAnotherPlaceAllocatesNothing) {
  Worker worker(start(preset("chain_pendulum")));
  after(worker, MousePull{.body = 2});
  for (int k = 0; k < 4; ++k) after(worker, MousePull{.body = 2, .target = Vec3(0, 0, 1e-3 * k)});
  const long before = allocations;
  for (int k = 0; k < 1000; ++k)
    after(worker, MousePull{.body = 2, .target = Vec3(0, 0, 1e-3 * k)});
  EXPECT_EQ(allocations - before, 0);
}

TEST(DragEdit, ShowsTheEditThatItsEndMakes) {
  for (const Scenario& scenario : scenarios())
    for (const Gesture gesture : gestures(scenario)) {
      SCOPED_TRACE(fmt::format("{}, gesture {}", scenario.title, static_cast<int>(gesture)));
      Worker worker(start(scenario));
      after(worker, TakeSteps{5});
      const Snapshot::LaneView before = worker.snapshot().lanes[0];
      after(worker, hold(gesture, before.state, 400));
      const Snapshot::LaneView shown = after(worker, hold(gesture, before.state, 99)).lanes[0];
      EXPECT_TRUE(worker.snapshot().record->events.empty()) << "not made yet";
      EXPECT_EQ(shown.row.values, before.row.values) << "the step was reached without the edit";
      const Snapshot& made = after(worker, Release{});
      EXPECT_FALSE(made.shows_edit);
      ASSERT_EQ(made.error_count, 0U) << made.error->text();
      EXPECT_EQ(made.lanes[0].state.q, shown.state.q);
      EXPECT_EQ(made.lanes[0].state.w, shown.state.w);
      expect_same(shown.sample, made.lanes[0].sample, 1e-13);
      ASSERT_EQ(made.record->events.size(), 1U) << "one event for the whole drag";
      EXPECT_EQ(made.record->events[0].step, 5);
      if (gesture == Gesture::spin) {
        EXPECT_EQ(shown.state.q, before.state.q);
      } else {
        EXPECT_LT((Vec3(shown.state.q.col(0)) - *hold(gesture, before.state, 99).q).norm(), 1e-15);
      }
      // The record repeats it to the byte.
      after(worker, TakeSteps{3});
      const Worker::Captured live = worker.capture().get();
      Simulation repeated = start(live.record, 8);
      EXPECT_EQ(write_scenario(live.scenario), bytes(repeated));
    }
}

TEST(DragEdit, OfTheStartMovesTheEnergyThatErrorsAreMeasuredFrom) {
  for (const Scenario& scenario : scenarios())
    for (const Gesture gesture : gestures(scenario)) {
      SCOPED_TRACE(fmt::format("{}, gesture {}", scenario.title, static_cast<int>(gesture)));
      Worker worker(start(scenario));
      if (!worker.snapshot().edits_start) continue;
      const State from = worker.snapshot().lanes[0].state;
      const Snapshot::LaneView shown = after(worker, hold(gesture, from, 99)).lanes[0];
      EXPECT_EQ(shown.sample[Quantity::energy_error], 0);
      EXPECT_EQ(shown.row.values, shown.sample.values);
      const Snapshot& made = after(worker, Release{});
      ASSERT_EQ(made.error_count, 0U) << made.error->text();
      EXPECT_TRUE(made.record->events.empty());
      EXPECT_LT((made.lanes[0].state.q - shown.state.q).cwiseAbs().maxCoeff(), 4e-16);
      // Where ω follows from q, the rounding of q changes it.
      const double allowed = info_of(scenario).first_order ? 1e-12 : 1e-15;
      EXPECT_LT((made.lanes[0].state.w - shown.state.w).cwiseAbs().maxCoeff(),
                allowed * (1 + from.w.cwiseAbs().maxCoeff()));
      // A base that flies stays where it is.
      const State& to = made.lanes[0].state;
      EXPECT_LT((to.x - shown.state.x).norm() + (to.v - shown.state.v).norm(), 1e-14);
      expect_same(shown.sample, made.lanes[0].sample, 1e-13);
    }
}

TEST(DragEdit, IsMadeBeforeTheRunGoesOn) {
  Worker worker(start(preset()));
  const State from = worker.snapshot().lanes[0].state;
  after(worker, hold(Gesture::move, from, 50));
  EXPECT_TRUE(after(worker, Pace{Pacing::real_time, 2}).shows_edit)
      << "the pace has nothing to do with it";
  const Snapshot& now = after(worker, TakeSteps{1});
  EXPECT_FALSE(now.shows_edit);
  EXPECT_LT((now.record->q.col(0) - *hold(Gesture::move, from, 50).q).norm(), 1e-15);
  EXPECT_FALSE(after(worker, Release{}).shows_edit);
  EXPECT_TRUE(worker.snapshot().record->events.empty());
}

TEST(DragEdit, KeepsTheLastValidPlace) {
  const Scenario molecules = preset("lennard_jones");
  Worker worker(start(molecules));
  const State from = worker.snapshot().lanes[0].state;
  const State valid = after(worker, hold(Gesture::move, from, 3)).lanes[0].state;
  const Snapshot& refused = after(worker, DragEdit{.body = 0, .q = Vec3(from.q.col(1))});
  EXPECT_EQ(refused.error_count, 1U);
  EXPECT_TRUE(says(refused.error->message, "finite")) << refused.error->text();
  EXPECT_EQ(refused.lanes[0].state.q, valid.q);
  for (const DragEdit& wrong :
       {DragEdit{.lane = 7, .q = Vec3(1, 0, 0)}, DragEdit{.body = -1, .q = Vec3(1, 0, 0)},
        DragEdit{.body = from.size(), .q = Vec3(1, 0, 0)}, DragEdit{.q = Vec3(1, 1, 0)},
        DragEdit{.omega = Vec3(0, 0, NAN)}}) {
    const auto errors = worker.snapshot().error_count;
    EXPECT_EQ(after(worker, wrong).error_count, errors + 1);
    EXPECT_EQ(worker.snapshot().lanes[0].state.q, valid.q);
  }
  EXPECT_EQ(after(worker, Release{}).lanes[0].state.q, valid.q);
}

TEST(DragEdit, IsRefusedWhileTheRunRuns) {
  Worker worker(start(with(preset(), {{"duration", 1e4}})));
  after(worker, Play{});
  const State from = worker.snapshot().lanes[0].state;
  EXPECT_EQ(after(worker, hold(Gesture::move, from, 3)).error_count, 1U);
  EXPECT_FALSE(worker.snapshot().shows_edit);
}

}  // namespace
}  // namespace twosphere::test::drag_edit_test
