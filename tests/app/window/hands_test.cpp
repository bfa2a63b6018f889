// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are moved, turned, spun and pulled by the mouse.
#include <QTemporaryDir>
#include <QWheelEvent>
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/session/run_table.h"
#include "core/base/file.h"
#include "core/scenario/writer.h"
#include "tests/app/child_program.h"
#include "tests/app/run_fixture.h"

namespace twosphere::hands_test {
namespace {

using namespace test;

using Hands = RunWindow;

TEST_F(Hands, MoveABodyOfTheStart) {
  const State before = shown();
  const auto camera = view().camera().where();
  const QPointF from = seen(1), to = from + QPointF(50, -40);
  point_at(from);
  EXPECT_TRUE(has("hint"));
  pull(from, to);
  EXPECT_LT(distance(seen(1), to), near);
  EXPECT_TRUE((shown().q.col(0).array() == before.q.col(0).array()).all());
  expect_on_spheres();
  EXPECT_TRUE(now().record->events.empty()) << "the start is another one";
  EXPECT_EQ(view().camera().where(), camera);
  pull(seen(0), seen(0) + QPointF(-30, -20));
  EXPECT_TRUE(after_undo([&] { return distance(seen(1), to) < near; })) << "one edit a drag";
  ASSERT_TRUE(after_undo([&] { return shown().q == before.q; }));
  EXPECT_EQ(shown().w, before.w);
}

TEST_F(Hands, MoveABodyOfARunAndUndo) {
  record(100);
  const State before = shown();
  const QPointF from = seen(1), to = towards(from, seen(0));
  pull(from, to);
  EXPECT_LT(distance(seen(1), to), near);
  expect_on_spheres();
  ASSERT_EQ(now().record->events.size(), 1u) << "one for the whole drag";
  EXPECT_EQ(now().record->events[0].step, 100);
  EXPECT_EQ(now().record->events[0].set[0].path, "state.q[1]");
  // ω is carried along.
  const Vec3 a = before.q.col(1), b = shown().q.col(1);
  EXPECT_LT((shown().w.col(1) - carried(a, b, before.w.col(1))).norm(), 1e-12);
  advance(50, 150);
  expect_as_fresh();
  EXPECT_LT(std::abs(now().lanes[0].sample[Quantity::energy_error]), 0.1);
  const State after = shown();
  // Undo goes back to before; the run with the drag is kept.
  ASSERT_TRUE(after_undo([&] { return now().steps == 100; }));
  EXPECT_EQ(shown().q, before.q);
  EXPECT_EQ(shown().w, before.w);
  EXPECT_EQ(run().branches().size(), 2u);
  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return now().steps == 150; }));
  EXPECT_EQ(shown().q, after.q);
  EXPECT_TRUE(after_undo([&] { return now().steps == 100; }));
  EXPECT_EQ(run().branches().size(), 2u);
}

TEST_F(Hands, UndoTakesBackOneOfSeveralDragsAtAStep) {
  record(100);
  type("parameter/gravity", QStringLiteral("5"));
  const State before = shown();
  pull(seen(1), towards(seen(1), seen(0)));
  const State once = shown();
  pull(seen(0), seen(0) + QPointF(-20, -5));
  EXPECT_NE(shown().q, once.q);
  ASSERT_TRUE(after_undo([&] { return shown().q == once.q && shown().w == once.w; }));
  EXPECT_EQ(gravity(), 5);
  EXPECT_TRUE(after_undo([&] { return shown().q == before.q; }));
}

TEST_F(Hands, UndoGoesPastARewindToADrag) {
  type("parameter/gravity", QStringLiteral("5"));
  record(100);
  const State before = shown();
  pull(seen(1), towards(seen(1), seen(0)));
  const int first = run().present_branch();
  type("parameter/gravity", QStringLiteral("6"));
  ASSERT_TRUE(after_key(Qt::Key_Backspace,
                        [&] { return now().steps == 0 && run().present_branch() != first; }));
  ASSERT_TRUE(after_undo([&] { return run().present_branch() == first; }));
  ASSERT_TRUE(after_undo([&] { return gravity() == 5; }));
  ASSERT_TRUE(after_undo([&] { return shown().q == before.q; }));
  for (int k = 0; k < 2; ++k) undo();
  EXPECT_TRUE(eventually([&] { return gravity() == 9.81; }));
}

TEST_F(Hands, ADragIsMadeWhenTheRunStartsMeanwhile) {
  run().send(Change{{{"duration", 1000.0}}});
  run().send(TakeSteps{100});
  ASSERT_TRUE(eventually([&] { return now().steps == 100 && !run().plays(); }));
  wait_until_drawn();
  const State before = shown();
  const QPointF from = seen(1), to = towards(from, seen(0));
  take(from);
  hold(from + QPointF(9, 9));
  hold(to);
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  const State held = shown();
  EXPECT_TRUE(now().shows_edit);
  EXPECT_NE(held.q, before.q);
  EXPECT_TRUE(now().record->events.empty());
  run_by_key_beyond(110);
  hold(from);
  let_go(from);
  pause_by_key();
  ASSERT_EQ(now().record->events.size(), 1u);
  EXPECT_EQ(now().record->events[0].step, 100);
  EXPECT_EQ(now().record->events[0].set[0].path, "state.q[1]");
  expect_as_fresh();
  ASSERT_TRUE(after_undo([&] { return now().steps == 100 && shown().q == before.q; }));
}

// A lane that diverges stops all of them; what is changed there is what a run without a window
// changes.
TEST_F(Hands, MoveABodyWhereALaneCannotGoOn) {
  open_window("elastic_rod");
  for (int k = 0; k < 3; ++k) key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 4; }));
  run().send(Change{{{"lanes[3].step", 32 * now().present->lanes[3].step}}});
  run().send(TakeSteps{20'000});
  ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  ASSERT_EQ(now().state, RunState::failed);
  const std::int64_t head = now().steps;
  const int lane = now().failure->lane;
  EXPECT_EQ(now().lanes[static_cast<std::size_t>(lane)].info->key, "rk2");
  wait_until_drawn();
  EXPECT_FALSE(has("failure/undo"));
  expect_as_fresh();
  key(Qt::Key_N);
  ASSERT_TRUE(
      after_key(Qt::Key_Right, Qt::AltModifier, [&] { return !now().record->events.empty(); }));
  EXPECT_EQ(now().record->events.back().step, head);
  expect_as_fresh();
  ASSERT_TRUE(after_undo([&] { return now().steps == head && now().record->events.empty(); }));
  expect_as_fresh();
}

TEST_F(Hands, AltTurnsAllThatHangsOnABody) {
  open_window("chain_pendulum");
  record(20);
  const State before = shown();
  const QPointF from = seen(2), to = towards(from, seen(1));
  pull(from, to, Qt::AltModifier);
  EXPECT_LT(distance(seen(2), to), near);
  expect_on_spheres();
  const int n = before.size();
  for (int i = 0; i < n; ++i) {
    if (i < 2) {
      EXPECT_EQ(Vec3(shown().q.col(i)), Vec3(before.q.col(i)));
      continue;
    }
    for (int j = i; j < n; ++j)
      EXPECT_NEAR(shown().q.col(i).dot(shown().q.col(j)), before.q.col(i).dot(before.q.col(j)),
                  1e-14);
    EXPECT_NEAR(shown().w.col(i).norm(), before.w.col(i).norm(), 1e-13);
  }
  EXPECT_EQ(now().record->events.back().step, 20);
  advance(30, 50);
  expect_as_fresh();
}

TEST_F(Hands, TheTipOfAnArrowSetsTheAngularVelocity) {
  record(100);
  view().interface().settings().arrows[static_cast<std::size_t>(BodyVector::angular_velocity)] =
      true;
  wait_until_drawn();
  const State before = shown();
  const auto tips = view().drawn_scene().spin_tips;
  ASSERT_EQ(tips.size(), 2u);
  const QPointF from = seen(Vec3(tips[1].second.x, tips[1].second.y, tips[1].second.z));
  pull(from, from + QPointF(25, 20));
  EXPECT_EQ(shown().q, before.q);
  EXPECT_EQ(Vec3(shown().w.col(0)), Vec3(before.w.col(0)));
  EXPECT_GT((shown().w.col(1) - before.w.col(1)).norm(), 1e-3);
  expect_on_spheres();
  EXPECT_EQ(now().record->events.back().set.back().path, "state.omega[1]");
  EXPECT_EQ(window_->session().undo_label(), "angular velocity of body 2");
  advance(10, 110);
  expect_as_fresh();
}

TEST_F(Hands, ManyMovesAreUndoneAndRedoneWithoutOtherRuns) {
  record(100);
  const int count = static_cast<int>(max_branches) + 2;
  std::vector<State> states{shown()};
  for (int k = 0; k < count; ++k) {
    pull(seen(1), seen(1) + QPointF(k % 2 == 0 ? 25 : -25, 12));
    states.push_back(shown());
    EXPECT_NE(states[states.size() - 2].q, states.back().q);
  }
  const auto arrives = [&](const State& at) {
    return eventually([&] { return now().steps == 100 && shown().q == at.q && shown().w == at.w; });
  };
  for (int k = count - 1; k >= 0; --k) {
    undo();
    ASSERT_TRUE(arrives(states[static_cast<std::size_t>(k)])) << k;
    EXPECT_EQ(run().branches().size(), 1u);
  }
  for (int k = 1; k <= count; ++k) {
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(arrives(states[static_cast<std::size_t>(k)])) << k;
    EXPECT_EQ(run().branches().size(), 1u);
  }
}

TEST_F(Hands, CtrlPullsARunningBody) {
  play();
  const QPointF to = scene_point(0.85, 0.35);
  const std::int64_t begun = now().steps;
  take(seen(1), Qt::ControlModifier);
  const double away = distance(seen(1), to);
  // In slow motion it follows as slowly as it moves.
  for (int i = 0; i < 40 || (i < 1000 && distance(seen(1), to) >= away); ++i)
    hold(to, Qt::ControlModifier);
  ASSERT_TRUE(has("pull[0]"));
  EXPECT_LT(distance(seen(1), to), away);
  const auto pulls = [&] {
    return std::count_if(now().record->events.begin(), now().record->events.end(),
                         [](const Event& event) { return event.pull.has_value(); });
  };
  EXPECT_GT(pulls(), 5);
  EXPECT_EQ(now().record->events.back().pull->body, 1);
  let_go(to, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return now().pulls.empty(); }));
  const auto number = pulls();
  pause_by_key();
  EXPECT_EQ(pulls(), number) << "it was let go";
  EXPECT_EQ(run().present_branch(), run().branches()[0].id);
  expect_as_fresh();
  const Sample& sample = now().lanes[0].sample;
  EXPECT_LT(std::abs(sample[Quantity::energy_error]),
            0.05 * (sample[Quantity::kinetic_energy] + 96));  // m g l = 96 J
  EXPECT_TRUE(after_undo([&] { return now().record->events.size() < 2; })) << "one edit";
  EXPECT_GE(now().steps, begun - 60);
  EXPECT_EQ(run().branches().size(), 2u);
}

// Every frame of a pull sends the spring's end to the run, and answers it.
TEST_F(Hands, ThePictureMovesWhileABodyIsPulled) {
  play();
  const QPointF to = scene_point(0.85, 0.35);
  take(seen(1), Qt::ControlModifier);
  hold(to, Qt::ControlModifier);
  std::set<std::int64_t> steps;
  int frames = 0;
  const auto connection = QObject::connect(&view(), &Viewport::drawn, &view(), [&] {
    ++frames;
    if (const auto step = view().drawn_step()) steps.insert(*step);
  });
  ASSERT_TRUE(eventually([&] { return frames >= 60; }));
  QObject::disconnect(connection);
  EXPECT_FALSE(now().pulls.empty());
  EXPECT_GE(steps.size(), 8u) << "of 60 frames";
  let_go(to, Qt::ControlModifier);
}

// The wheel makes the spring of a pull weaker or stronger, and does not zoom meanwhile.
TEST_F(Hands, TheWheelChangesTheStrengthOfAPull) {
  play();
  const QPointF to = scene_point(0.85, 0.35);
  take(seen(1), Qt::ControlModifier);
  const auto camera = view().camera().where();
  const auto turn = [&](int notches) {
    QWheelEvent event(to, view().mapToGlobal(to), {}, {0, 120 * notches}, Qt::LeftButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view(), &event);
    wait_until_drawn();
  };
  // The largest force of the pulls that begin from now on.
  const auto force = [&] {
    const std::size_t before = now().record->events.size();
    for (int i = 0; i < 8; ++i) hold(to, Qt::ControlModifier);
    double largest = 0;
    const auto& events = now().record->events;
    for (std::size_t k = before; k < events.size(); ++k)
      if (events[k].pull) largest = std::max(largest, events[k].pull->force.norm());
    EXPECT_GT(largest, 0);
    return largest;
  };
  const double usual = force();
  turn(-8);
  hold(to, Qt::ControlModifier);
  const double weak = force();
  EXPECT_LT(weak, usual / 3);
  turn(-20);
  hold(to, Qt::ControlModifier);
  const double weakest = force();
  EXPECT_GT(weakest, weak / 8) << "a sixteenth of the usual frequency at least";
  turn(8);
  hold(to, Qt::ControlModifier);
  EXPECT_GT(force(), 3 * weakest);
  EXPECT_TRUE(view().camera().where() == camera);
  let_go(to, Qt::ControlModifier);
  pause_by_key();
  expect_as_fresh();
  wheel(to.toPoint(), 3);
  EXPECT_FALSE(view().camera().where() == camera) << "it zooms again";
  // The next pull is as strong as usual.
  key(Qt::Key_Space);
  take(seen(1), Qt::ControlModifier);
  EXPECT_GT(force(), 3 * weakest);
  let_go(to, Qt::ControlModifier);
  key(Qt::Key_Space);
}

TEST_F(Hands, APlainDragOfARunningBodyTurnsTheView) {
  play();
  const auto camera = view().camera().where();
  const QPointF from = seen(0);
  pull(from, from + QPointF(60, 0));
  EXPECT_FALSE(view().camera().where() == camera);
  EXPECT_TRUE(now().record->events.empty());
  key(Qt::Key_Space);
}

TEST_F(Hands, AmongManyBodiesADragTurnsTheViewUnlessCtrlIsHeld) {
  open_window("lennard_jones");
  const State before = shown();
  const auto camera = view().camera().where();
  const QPointF from = scene_point(0.5, 0.5);
  pull(from, from + QPointF(60, 0));
  EXPECT_FALSE(view().camera().where() == camera);
  EXPECT_EQ(shown().q, before.q);
  point_at(from);
  pull(from, from + QPointF(8, 5), Qt::ControlModifier);
  EXPECT_NE(shown().q, before.q);
  expect_on_spheres();
}

TEST_F(Hands, ADragInThePastBeginsAnotherRunInEveryLane) {
  for (int k = 0; k < 3; ++k) key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 4; }));
  record(200);
  const int first = run().present_branch();
  for (const double share : {0.5, 0.0}) {
    go_to(share);
    const std::int64_t step = run().shown().steps;
    const QPointF from = seen(1), to = towards(from, seen(0));
    pull(from, to);
    ASSERT_TRUE(
        eventually([&] { return run().present_branch() != first && !run().is_switching(); }));
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
    EXPECT_EQ(now().steps, step);
    for (std::size_t lane = 0; lane < 4; ++lane)
      EXPECT_EQ(Vec3(shown(lane).q.col(1)), Vec3(shown().q.col(1)));
    EXPECT_LT(distance(seen(1), to), near);
    advance(100, step + 100);
    expect_as_fresh();
    ASSERT_TRUE(after_undo([&] { return run().present_branch() == first; })) << "one edit";
    ASSERT_TRUE(eventually([&] { return now().steps == 200; }));
  }
}

// What somebody does who opens the program for the first time: takes hold of a ball and throws it,
// goes back, throws it otherwise, and sees both futures side by side. Repeated without a window.
TEST_F(Hands, ThrowABallGoBackAndThrowItOtherwise) {
  const auto throw_it = [&](const QPointF& by) {
    take(seen(1), Qt::ControlModifier);
    const QPointF from = seen(1);
    for (int i = 1; i <= 8; ++i) hold(from + by * i / 8, Qt::ControlModifier);
    let_go(from + by, Qt::ControlModifier);
  };
  play();
  throw_it({120, -40});
  ASSERT_TRUE(eventually([&] { return now().steps > 200; }));
  pause_by_key();
  const int first = run().present_branch();
  const std::string first_table = RunTable(run()).text();
  go_to(0);
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return run().requested_step() > 5; }));
  throw_it({-120, -60});
  ASSERT_TRUE(eventually([&] { return run().present_branch() != first; }));
  ASSERT_TRUE(eventually([&] { return now().steps > 200; })) << "it continues by itself";
  pause_by_key();
  wait_until_drawn();
  ASSERT_EQ(run().branches().size(), 2u);
  EXPECT_TRUE(has("branch/" + std::to_string(first)));
  expect_as_fresh();

  // The one that was left: its record gives its last state.
  const Branch& left = run().branches()[0];
  ASSERT_TRUE(left.record);
  Simulation fresh = std::move(*Simulation::create(*left.record));
  const auto head = left.checkpoints->newest();
  while (fresh.steps() < head->step()) ASSERT_FALSE(fresh.step());
  Simulation kept = Simulation::at(*left.record, *head);
  EXPECT_EQ(fresh.state(0).q, kept.state(0).q);
  EXPECT_EQ(fresh.state(0).w, kept.state(0).w);
  EXPECT_EQ(fresh.lane(0).work.value(), kept.lane(0).work.value());

  // Both from one file, without a window.
  const Scenario both = with_branches(*now().record, window_->session().saved_runs().back());
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("both.json"));
  const std::string text = write_scenario(both);
  ASSERT_TRUE(write_file(path.toStdString(), text));
  const auto repeated = [&](std::int64_t steps, const QStringList& more) {
    return output_of_program(QStringList{QStringLiteral("run"), path, QStringLiteral("--steps"),
                                         QString::number(steps), QStringLiteral("--csv"),
                                         QStringLiteral("-"), QStringLiteral("--quiet")} +
                             more);
  };
  EXPECT_EQ(repeated(now().steps, {}), RunTable(run()).text());
  EXPECT_EQ(
      repeated(head->step(), {QStringLiteral("--branch"), QString::fromStdString(left.look.name)}),
      first_table);
  const std::size_t events = left.record->events.size() + now().record->events.size();
  EXPECT_LT(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), events / 8 + 90)
      << "many pulls to a line";
}

}  // namespace
}  // namespace twosphere::hands_test
