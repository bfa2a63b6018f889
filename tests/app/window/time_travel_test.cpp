// SPDX-License-Identifier: GPL-3.0-or-later
// Back and forth in a run by mouse and keys: the time line, the keys, plots, the time box, replays.
#include <fmt/format.h>

#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/output/configuration_table.h"
#include "core/scenario/writer.h"
#include "tests/app/run_fixture.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::time_travel_test {
namespace {

using namespace test;

struct TimeTravel : RunWindow {
  /// The list of runs; null if it does not open.
  QDialog* open_runs(const Caller& at = Caller::here()) {
    key(Qt::Key_B, Qt::ControlModifier);
    QDialog* dialog = nullptr;
    const bool opens = eventually([&] {
      dialog = window_->findChild<QDialog*>(QStringLiteral("runs_dialog"));
      return dialog && dialog->isVisible();
    });
    if (!opens) end_test(at, "the list of runs does not open");
    return dialog;
  }
};

TEST_F(TimeTravel, GoesAnywhereByTheMouse) {
  for (const char* key : {"double_spherical_pendulum", "three_body", "elastic_rod"}) {
    SCOPED_TRACE(key);
    open_window(key);
    record(400);
    go_to(0.25);
    EXPECT_TRUE(run().in_past());
    EXPECT_NEAR(static_cast<double>(run().shown().steps), 100, 2);
    expect_as_fresh();
    EXPECT_TRUE(eventually([&] { return label("State") == QLatin1String("in the past"); }));
    EXPECT_EQ(label("Step"), QStringLiteral("step %1").arg(run().shown().steps));
    drag(middle("progress/handle"), on_line(0.75));
    arrive();
    EXPECT_NEAR(static_cast<double>(run().shown().steps), 300, 2);
    expect_as_fresh();
    EXPECT_EQ(now().steps, 400) << "the run is where it was";
    click("to_head");
    EXPECT_FALSE(run().in_past());
    EXPECT_FALSE(has("to_head"));
  }
}

TEST_F(TimeTravel, GoesAnywhereByKeys) {
  record(300);
  key(Qt::Key_Left);
  EXPECT_EQ(run().requested_step(), 299);
  key(Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_EQ(run().requested_step(), 289);
  key(Qt::Key_Left, Qt::ControlModifier);
  EXPECT_EQ(run().requested_step(), 189);
  arrive();
  expect_as_fresh();
  key(Qt::Key_Right, Qt::ShiftModifier);
  key(Qt::Key_Right);
  EXPECT_EQ(run().requested_step(), 200);
  key(Qt::Key_Home);
  EXPECT_EQ(run().requested_step(), 0);
  arrive();
  expect_as_fresh();
  key(Qt::Key_Left);
  EXPECT_EQ(run().requested_step(), 0) << "there is nothing before";
  key(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(run().requested_step(), 100);
  key(Qt::Key_End);
  EXPECT_FALSE(run().in_past());
  EXPECT_EQ(now().steps, 300) << "so far no step was taken";
  EXPECT_TRUE(after_key(Qt::Key_Right, [&] { return now().steps == 301; })) << "at the head one is";
  // A typed time.
  key(Qt::Key_G, Qt::ControlModifier);
  wait_until_drawn();
  QTest::keyClicks(&view(), QStringLiteral("1.23"));
  key(Qt::Key_Return);
  EXPECT_EQ(run().requested_step(), 123);
  arrive();
  EXPECT_NEAR(run().shown().t, 1.23, 1e-12);
}

TEST_F(TimeTravel, AClickInAPlotGoesThereWithFourLanes) {
  for (int k = 0; k < 3; ++k) key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 4; }));
  record(200);
  const ui::Rect plot = rect("plot/energy_error");
  click_at(QPointF(plot.x + plot.width / 2, plot.y + plot.height / 2).toPoint());
  arrive();
  EXPECT_NEAR(static_cast<double>(run().shown().steps), 100, 2);
  expect_as_fresh();
  ASSERT_TRUE(has("to_head"));
}

TEST_F(TimeTravel, TheRunGoesOnWhileThePastIsShown) {
  run().send(Pace{Pacing::fastest});
  run().send(Change{{{"duration", 1e6}}});
  run_by_key_beyond(2000);
  click_at(on_line(0));
  EXPECT_TRUE(run().in_past());
  const auto before = now().steps;
  EXPECT_TRUE(eventually([&] { return now().steps > before + 2000; }));
  arrive();
  expect_as_fresh();
  key(Qt::Key_End);
  EXPECT_FALSE(run().in_past());
  EXPECT_TRUE(run().plays());
  pause_by_key();
}

TEST_F(TimeTravel, SpaceReplaysWhatIsRecordedAndThenTheRunGoesOn) {
  advance(100, 100);
  key(Qt::Key_Home);
  arrive();
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return run().requested_step() > 10; }));
  EXPECT_EQ(now().steps, 100) << "nothing is computed";
  key(Qt::Key_Space);
  const auto paused = run().requested_step();
  QTest::qWait(200);
  EXPECT_EQ(run().requested_step(), paused);
  EXPECT_TRUE(run().in_past());
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return !run().in_past() && now().steps > 100; }));
  EXPECT_TRUE(run().plays());
  pause_by_key();
}

// Also if a picture of an earlier instant was being drawn when the replay ended.
TEST_F(TimeTravel, TheSceneAtTheEndOfPlayingIsThatOfTheClock) {
  open_window("close_encounters");
  key(Qt::Key_C, Qt::ShiftModifier);
  record(60);
  for (const double factor : {1.0, 5.0, 20.0, 100.0})
    for (const Qt::Key end : {Qt::Key_unknown, Qt::Key_unknown, Qt::Key_Space, Qt::Key_End}) {
      SCOPED_TRACE(testing::Message() << "at " << factor << ", ended by key " << end);
      run().send(Pace{Pacing::real_time, factor});
      key(Qt::Key_Left, Qt::ShiftModifier);
      arrive();
      QTest::keyClick(&view(), Qt::Key_Space);
      if (end != Qt::Key_unknown) QTest::keyClick(&view(), end);
      ASSERT_TRUE(eventually([&] { return end == Qt::Key_Space || !run().in_past(); }));
      ASSERT_TRUE(eventually([&] { return view().at_rest() && run().exact(); }));
      EXPECT_EQ(view().drawn_step(), run().shown().steps);
      key(Qt::Key_End);
    }
}

// Also while a picture takes longer than the steps that it shows, and the mouse asks for answers.
TEST_F(TimeTravel, TheClockIsThatOfThePictureInEveryFrame) {
  open_window("close_encounters");
  key(Qt::Key_C, Qt::ShiftModifier);
  const int steps = 200, enough = 25;
  run().send(Change{{{"duration", steps * now().present->lanes[0].step}}});
  const auto slowly = [&] { run().send(Pace{Pacing::real_time, 0.3}); };
  slowly();
  const auto expect_one_instant_while = [&](const Condition& goes) {
    int frames = 0, others = 0;
    const auto drawn = QObject::connect(&view(), &Viewport::drawn, &view(), [&] {
      const ui::Rect bar = rect("progress"), handle = rect("progress/handle");
      const float share = (handle.x + handle.width / 2 - bar.x) / bar.width;
      ++frames;
      others += view().drawn_step() != std::lround(share * static_cast<float>(steps));
    });
    for (int k = 0; goes() && frames < enough && k < patience / 5; ++k) {
      move(scene_point(0.3 + 0.001 * (k % 400), 0.3));
      QTest::qWait(5);
    }
    QObject::disconnect(drawn);
    run().send(Pace{Pacing::real_time, 10});
    EXPECT_TRUE(eventually([&] { return !goes(); }));
    EXPECT_GT(frames, 10);
    EXPECT_EQ(others, 0) << "of " << frames;
  };
  run_by_key_beyond(20);
  wait_until_drawn();
  expect_one_instant_while([&] { return run().snapshot().steps < steps - 20; });
  ASSERT_TRUE(eventually([&] { return now().state == RunState::finished; }));
  slowly();
  key(Qt::Key_Home);
  arrive();
  QTest::keyClick(&view(), Qt::Key_Space);
  expect_one_instant_while([&] { return run().in_past() && run().requested_step() < steps - 20; });
}

TEST_F(TimeTravel, TheClockGoesToTheHeadBeforeItsPictureIsThere) {
  record(60);
  key(Qt::Key_Home);
  arrive();
  wait_until_drawn();
  EXPECT_EQ(view().shown().steps, 0);
  std::int64_t steps = 0;
  const auto moved = QObject::connect(&view().replay(), &Replay::changed, &view(),
                                      [&] { steps = view().shown().steps; });
  key(Qt::Key_End);
  QObject::disconnect(moved);
  EXPECT_EQ(steps, 60);
}

// Of a run that plays the picture may be a few steps behind.
TEST_F(TimeTravel, TheConfigurationThatIsCopiedIsThatOfThePicture) {
  open_window("close_encounters");
  move(scene_point(0.5, 0.5));
  run().send(Pace{Pacing::real_time, 5});
  run_by_key_beyond(20);
  for (int k = 0; k < 40; ++k) {
    QTest::qWait(5);
    run().update();
    std::vector<LaneConfiguration> pictured;
    for (const Snapshot::LaneView& lane : view().shown().lanes)
      pictured.push_back({lane.name, lane.state});
    window_->findChild<QAction*>(QStringLiteral("copy_pose"))->trigger();
    ASSERT_EQ(QGuiApplication::clipboard()->text().toStdString(), configuration_table(pictured));
  }
}

TEST_F(TimeTravel, GoingOnBeyondThePlannedEndIsSaid) {
  record(20);
  ASSERT_EQ(now().state, RunState::finished);
  run_by_key_beyond(20);
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QStringLiteral("planned end")));
}

// Between the checkpoints, too: what is shown of a replay never jumps back.
TEST_F(TimeTravel, AReplayOnlyGoesForward) {
  open_window("elastic_rod");
  run().send(Pace{Pacing::fastest});
  record(20'000);
  key(Qt::Key_Home);
  arrive();
  std::vector<std::int64_t> steps;
  const auto drawn = QObject::connect(&view(), &Viewport::drawn, &view(), [&] {
    if (run().in_past()) steps.push_back(run().shown().steps);
  });
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return !run().in_past(); }));
  QObject::disconnect(drawn);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_GT(steps.size(), 20u) << "in five seconds";
  EXPECT_EQ(now().steps, 20'000) << "the run was at its end";
}

TEST_F(TimeTravel, APastThatRestsDrawsNothing) {
  record(100);
  go_to(0.5);
  point_at(scene_point(0.3, 0.3));
  QTest::qWait(500);
  const auto before = view().frames();
  QTest::qWait(1000);
  EXPECT_EQ(view().frames(), before);
}

TEST_F(TimeTravel, ALoopReplaysAgainAndAgain) {
  record(50);
  click("loop");
  key(Qt::Key_Space);
  int turns = 0;
  std::int64_t last = 0;
  EXPECT_TRUE(eventually([&] {
    const std::int64_t step = run().requested_step();
    turns += step < last;
    last = step;
    return turns >= 2;
  }));
  EXPECT_EQ(now().steps, 50);
  EXPECT_TRUE(run().in_past());
  key(Qt::Key_Space);
  key(Qt::Key_O);
  EXPECT_FALSE(view().interface().loops());
}

TEST_F(TimeTravel, ALoopBeginsAgainWhereTheRunEnds) {
  run().send(Change{{{"duration", 0.5}}});
  click("loop");
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state == RunState::finished; }));
  int turns = 0;
  std::int64_t last = 50;
  EXPECT_TRUE(eventually([&] {
    const std::int64_t step = run().requested_step();
    turns += step < last;
    last = step;
    return turns >= 2;
  })) << "two rounds";
  EXPECT_EQ(now().steps, 50);
  EXPECT_TRUE(run().in_past());
}

TEST_F(TimeTravel, WhatIsShownIsThatOfTheInstant) {
  run().send(TakeSteps{100});
  run().send(Change{{{"system.gravity", 3.0}}});
  advance(100, 200);
  point_at(scene_point(0.5, 0.05));
  EXPECT_TRUE(has("reset/gravity"));
  const ui::Rect middle_of_scene{scene().x + scene().width * 0.2F, scene().y + 60,
                                 scene().width * 0.6F, scene().height - 160};
  const QImage head = picture();
  QTest::keyClick(&view(), Qt::Key_Left, Qt::ControlModifier);
  key(Qt::Key_Left, Qt::ShiftModifier);
  arrive();
  EXPECT_EQ(run().shown().steps, 90);
  expect_as_fresh();
  EXPECT_GT(changed(head, picture(), middle_of_scene), 0.0005);
  EXPECT_FALSE(has("reset/gravity")) << "gravity was still that of the preset";
}

// The run so far is kept, in the list of runs, and comes back by Undo.
TEST_F(TimeTravel, GoesOnFromThePastAsAnotherRun) {
  record(300);
  const int first = run().present_branch();
  const Columns head = now().lanes[0].state.q;
  go_to(1.0 / 3);
  const std::int64_t fork = run().shown().steps;
  EXPECT_FALSE(has("run"));
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().present_branch() != first && now().steps > fork; }));
  const int second = run().present_branch();
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state != RunState::running; }));
  wait_until_drawn();
  EXPECT_EQ(run().branches().size(), 2u);
  EXPECT_EQ(run().branches()[1].fork_step, fork);
  EXPECT_TRUE(has("run"));
  EXPECT_TRUE(has("branch/" + std::to_string(first)));
  expect_as_fresh();

  ASSERT_TRUE(after_undo([&] { return run().present_branch() == first; }));
  EXPECT_EQ(now().steps, 300);
  EXPECT_TRUE((now().lanes[0].state.q.array() == head.array()).all());
  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return run().present_branch() == second; }));
  wait_until_drawn();
  ASSERT_TRUE(after_click_entry("run", "run 1", [&] { return run().present_branch() == first; }));
  wait_until_drawn();
  ASSERT_TRUE(window_->session().edit_run(second, {}));
  wait_until_drawn();
  EXPECT_FALSE(has("run"));
  undo();
  EXPECT_TRUE(run().look(second));
  wait_until_drawn();
  EXPECT_TRUE(has("run"));
}

// Both futures are seen side by side: the other one pale.
TEST_F(TimeTravel, AChangeInThePastBeginsAnotherRun) {
  record(300);
  go_to(1.0 / 3);
  const std::int64_t fork = run().shown().steps;
  move(scene_point(0.5, 0.05));
  change_gravity(3);
  EXPECT_EQ(now().steps, fork);
  ASSERT_EQ(run().branches().size(), 2u);
  key(Qt::Key_Right, Qt::ControlModifier);
  ASSERT_TRUE(
      after_key(Qt::Key_Right, Qt::ControlModifier, [&] { return now().steps == fork + 200; }));
  wait_until_drawn();
  expect_as_fresh();
  const ui::Rect plot = rect("plot/energy_error");
  const QImage both = picture();
  const int other = run().branches()[0].id;
  ASSERT_TRUE(run().set_look(other, {}));
  point_at(scene_point(0.4, 0.05));
  EXPECT_GT(changed(both, picture(), plot), 0.0005) << "its curve was there";
  EXPECT_GT(changed(both, picture(), scene()), 0.0002) << "its configuration, too";
}

// At the start, too.
TEST_F(TimeTravel, AWarningOffersToGoOnFromBeforeIt) {
  open_window("three_body");
  run().send(Change{{{"duration", 12.0}}});
  run().send(Pace{Pacing::fastest});
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state == RunState::finished; }));
  wait_until_drawn();
  ASSERT_EQ(now().warnings.size(), 1u);
  const std::int64_t before = now().warnings[0].last_good_step;
  ASSERT_LT(before, now().warnings[0].step);
  click("warning/step_back");
  arrive();
  EXPECT_EQ(run().shown().steps, before);
  expect_as_fresh();
  click("to_head");
  EXPECT_EQ(now().steps, 2400);
  const std::size_t runs = run().branches().size();
  const int first = run().present_branch();
  // A run that is repeated has its stride in its settings.
  const auto settings_now = [this] {
    Scenario settings = *now().after_rewind;
    settings.every = now().record->every;
    return write_scenario(settings);
  };
  const std::string record = write_scenario(*now().record), settings = settings_now();
  ASSERT_TRUE(after_click("warning/rotation8_adaptive",
                          [&] { return now().lanes[0].info->key == "rotation8_adaptive"; }));
  EXPECT_EQ(run().branches().size(), runs + 1) << "the run so far is kept";
  EXPECT_TRUE(eventually([&] { return now().state == RunState::finished; }))
      << "it continues, as it did";
  EXPECT_TRUE(now().warnings.empty());
  EXPECT_FALSE(has("warning"));
  // One edit, which leaves the other run.
  const int other = run().present_branch();
  EXPECT_EQ(window_->session().undo_label(),
            fmt::format("“Continue from {:.10g} s”",
                        static_cast<double>(before) * now().record->lanes[0].step));
  ASSERT_TRUE(after_undo([&] { return run().present_branch() == first && !run().is_switching(); }));
  EXPECT_EQ(write_scenario(*now().record), record);
  EXPECT_EQ(settings_now(), settings);
  EXPECT_TRUE(eventually([&] { return now().steps == 2400; }));
  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return run().present_branch() == other; }));
  EXPECT_TRUE(eventually([&] { return now().lanes[0].info->key == "rotation8_adaptive"; }));
}

TEST_F(TimeTravel, BackwardsPausesAtTheStartAndSpaceGoesPastIt) {
  record(100);
  run().send(Pace{Pacing::fastest});
  ASSERT_TRUE(after_key(Qt::Key_R, [&] { return now().state == RunState::finished; }));
  EXPECT_EQ(now().steps, 200);
  EXPECT_EQ(now().t, 0);
  EXPECT_TRUE(eventually([&] { return has("return"); }));
  EXPECT_TRUE(run().keeps_its_start()) << "Rewind replays it";
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return now().steps > 200; }));
  pause_by_key();
  EXPECT_LT(now().t, 0);
}

TEST_F(TimeTravel, EveryEditInThePastBeginsAnotherRun) {
  record(100);
  const int first = run().present_branch();
  key(Qt::Key_Home);
  arrive();
  ASSERT_TRUE(after_key(Qt::Key_R, [&] { return now().reversed && now().steps > 5; }));
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state != RunState::running; }));
  EXPECT_LT(now().t, 0);
  expect_as_fresh();
  ASSERT_EQ(run().branches().size(), 2u);
  EXPECT_EQ(run().branches()[1].fork_step, 0);
  ASSERT_TRUE(after_undo([&] { return run().present_branch() == first; }));
  EXPECT_EQ(now().steps, 100);
  EXPECT_FALSE(now().reversed);

  key(Qt::Key_Home);
  arrive();
  move(scene_point(0.5, 0.05));
  change_gravity(3);
  EXPECT_EQ(run().branches().size(), 3u);
  EXPECT_EQ(now().record->parameters.at("gravity")[0], 9.81) << "that of all of them";
  change_gravity(4);
  EXPECT_EQ(run().branches().size(), 3u);
  ASSERT_EQ(now().record->events.size(), 1u);
  ASSERT_TRUE(after_key(Qt::Key_Right, Qt::ControlModifier, [&] { return now().steps == 100; }));
  wait_until_drawn();
  expect_as_fresh();
}

TEST_F(TimeTravel, ALaneBeginsAtTheHeadAndInThePast) {
  record(200);
  const int first = run().present_branch();
  ASSERT_TRUE(after_key(Qt::Key_L, Qt::ShiftModifier, [&] { return now().lanes.size() == 2; }));
  EXPECT_EQ(run().branches().size(), 1u);
  advance(100, 300);
  wait_until_drawn();
  expect_as_fresh();
  EXPECT_EQ(run().histories()[1].first(), 201u);
  // Undo waits for Rewind, and redo has it stay.
  ASSERT_TRUE(after_undo([&] { return now().after_rewind->lanes.size() == 1; }));
  EXPECT_EQ(now().lanes.size(), 2u);
  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return now().after_rewind->lanes.size() == 2; }));
  EXPECT_TRUE(now().pending.empty());

  // In the past it belongs to another run, which begins there.
  run().show(150);
  arrive();
  EXPECT_EQ(run().shown().lanes.size(), 1u);
  ASSERT_TRUE(
      after_key(Qt::Key_L, Qt::ShiftModifier, [&] { return run().present_branch() != first; }));
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 2; }));
  EXPECT_EQ(now().steps, 150);
  advance(50, 200);
  wait_until_drawn();
  expect_as_fresh();
  ASSERT_EQ(run().histories().size(), 2u);
  EXPECT_EQ(run().histories()[1].first(), 151u);
  ASSERT_TRUE(after_undo([&] { return run().present_branch() == first; }));
  EXPECT_EQ(now().steps, 300);
  EXPECT_TRUE(now().pending.empty());
  wait_until_drawn();
  expect_as_fresh();
}

// Undo is of what was done at the head.
TEST_F(TimeTravel, UndoOfAnEditLeavesThePast) {
  record(100);
  change_gravity(5);
  key(Qt::Key_Left, Qt::ControlModifier);
  arrive();
  ASSERT_TRUE(run().in_past());
  EXPECT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  EXPECT_FALSE(run().in_past());
  EXPECT_EQ(run().branches().size(), 1u);
}

// Everything in the list of runs by keys.
TEST_F(TimeTravel, RunsAreNamedHiddenAndDeleted) {
  record(300);
  go_to(1.0 / 3);
  ASSERT_TRUE(after_key(Qt::Key_R, [&] { return run().branches().size() == 2 && now().reversed; }));
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state != RunState::running; }));
  const int other = run().branches()[0].id;
  const ui::Rect line = rect("branch/" + std::to_string(other)), bar = rect("progress");
  EXPECT_NEAR(line.width, bar.width * 2 / 3, 3) << "200 of 300 steps";
  const ui::Rect plot = rect("plot/energy_error");
  move(scene_point(0.4, 0.05));
  const QImage both = picture();

  QDialog* const dialog = open_runs();
  auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("runs"));
  ASSERT_TRUE(list);
  ASSERT_EQ(list->topLevelItemCount(), 2);
  const auto press = [&](const char* name) {
    auto* button = dialog->findChild<QPushButton*>(QLatin1String(name));
    ASSERT_TRUE(button);
    ASSERT_TRUE(button->isEnabled());
    QTest::keyClick(button, Qt::Key_Space);
  };
  list->setFocus();
  list->setCurrentItem(list->topLevelItem(0));
  QTest::keyClick(list, Qt::Key_F2);
  auto* line_edit = list->findChild<QLineEdit*>();
  ASSERT_TRUE(line_edit);
  QTest::keyClick(line_edit, Qt::Key_A, Qt::ControlModifier);
  QTest::keyClicks(line_edit, QStringLiteral("forwards"));
  QTest::keyClick(line_edit, Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return run().look(other)->name == "forwards"; }));
  const int color = run().look(other)->color;
  press("color");
  EXPECT_EQ(run().look(other)->color, color + 1);
  QTest::keyClick(list, Qt::Key_Space);
  EXPECT_TRUE(run().look(other)->hidden);
  move(scene_point(0.4, 0.05));
  EXPECT_GT(changed(both, picture(), plot), 0.0001) << "its curve was there";
  EXPECT_FALSE(has("branch/" + std::to_string(other)));
  press("delete");
  EXPECT_FALSE(run().look(other));
  list->setCurrentItem(list->topLevelItem(0));
  EXPECT_FALSE(dialog->findChild<QPushButton*>(QStringLiteral("delete"))->isEnabled());
  for (int k = 0; k < 4; ++k) window_->session().undo();
  ASSERT_TRUE(run().look(other));
  EXPECT_EQ(*run().look(other), (BranchLook{"run 1", color, false}));
  ASSERT_EQ(list->topLevelItemCount(), 2);
  list->setCurrentItem(list->topLevelItem(0));
  press("go_on");
  EXPECT_TRUE(eventually([&] { return run().present_branch() == other; }));
  dialog->close();
}

TEST_F(TimeTravel, DistancesAreMeasuredToTheRunThatIsChosen) {
  view().interface().settings().plots = {*ui::parse_plot("distance")};
  record(300);
  const int first = run().present_branch();
  for (const double at : {0.3, 0.5}) {
    go_to(at);
    const int before = run().present_branch();
    ASSERT_TRUE(after_type("parameter/gravity", QString::number(10 * at),
                           [&] { return run().present_branch() != before; }));
    const std::int64_t from = now().steps;
    advance(200, from + 200);
  }
  const auto title = [&] { return view().interface().plots().reference; };
  wait_until_drawn();
  EXPECT_EQ(title(), "run 3");
  const QImage to_present = picture();
  QDialog* const dialog = open_runs();
  auto* references = dialog->findChild<QComboBox*>(QStringLiteral("reference"));
  ASSERT_TRUE(references);
  ASSERT_EQ(references->count(), 4);
  EXPECT_EQ(references->currentText(), QStringLiteral("the current run"));
  references->setFocus();
  QTest::keyClick(references, Qt::Key_Down);
  wait_until_drawn();
  EXPECT_EQ(references->currentText(), QStringLiteral("run 1"));
  EXPECT_EQ(run().reference_branch(), first);
  EXPECT_EQ(title(), "run 1");
  EXPECT_GT(changed(to_present, picture(), rect("plot/distance")), 0.001);
  ASSERT_TRUE(window_->session().edit_run(first, BranchLook{"the first", 0, false}));
  wait_until_drawn();
  EXPECT_EQ(title(), "the first");
  EXPECT_EQ(references->currentText(), QStringLiteral("the first"));
  window_->session().undo();
  window_->session().undo();
  wait_until_drawn();
  EXPECT_EQ(title(), "run 3");
  EXPECT_EQ(references->currentText(), QStringLiteral("the current run"));
  window_->session().redo();
  wait_until_drawn();
  EXPECT_EQ(title(), "run 1");
  dialog->close();
}

TEST_F(TimeTravel, ChoosingARunToCompareWithShowsAPlotOfDistances) {
  record(100);
  go_to(0.5);
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().branches().size() == 2 && now().steps > 60; }));
  EXPECT_EQ(window_->statusBar()->currentMessage(),
            QStringLiteral("Another run begins here; the one so far is kept."));
  key(Qt::Key_Space);
  wait_until_drawn();
  EXPECT_FALSE(has("plot/distance"));
  const std::vector<ui::PlotSpec> before = view().interface().settings().plots;
  QDialog* const dialog = open_runs();
  auto* references = dialog->findChild<QComboBox*>(QStringLiteral("reference"));
  references->setFocus();
  QTest::keyClick(references, Qt::Key_Down);
  EXPECT_TRUE(eventually([&] { return has("plot/distance"); }));
  EXPECT_EQ(view().interface().plots().reference, "run 1");
  QTest::keyClick(references, Qt::Key_Down);
  wait_until_drawn();
  EXPECT_EQ(view().interface().settings().plots.size(), before.size() + 1) << "one plot of them";
  window_->session().undo();
  window_->session().undo();
  wait_until_drawn();
  EXPECT_EQ(view().interface().settings().plots, before);
  EXPECT_EQ(references->currentText(), QStringLiteral("the current run"));
  dialog->close();
  EXPECT_TRUE(eventually([&] { return window_->statusBar()->currentMessage().isEmpty(); }))
      << "a short note stays for some seconds";
}

TEST_F(TimeTravel, ThePictureOverTheTimeLineIsThatOfItsInstant) {
  record(400);
  const auto picture_at = [&](double share) {
    move(on_line(share));
    EXPECT_TRUE(eventually([&] {
      const auto there = run().previewed_instant();
      return has("time_picture") && there && there->steps == std::llround(400 * share);
    }));
    wait_until_drawn();
    const ui::Rect place = rect("time_picture");
    return view().grabFramebuffer().copy(
        QRectF(place.x, place.y, place.width, place.height).toRect());
  };
  const ui::Rect all{1, 1, 214, 100};
  const QImage early = picture_at(0.25), late = picture_at(0.75);
  EXPECT_GT(changed(early, late, all), 0.002);
  EXPECT_FALSE(run().in_past()) << "nothing else has moved";
  EXPECT_LT(changed(early, picture_at(0.25), all), 0.0005);
  point_at(scene_point(0.5, 0.2));
  EXPECT_FALSE(has("time_picture"));
  EXPECT_EQ(run().previewed_instant(), nullptr);
  // With the window's camera.
  view().look_along(2, false);
  EXPECT_GT(changed(early, picture_at(0.25), all), 0.002);
  choose(QStringLiteral("View"), QStringLiteral("toggle_time_pictures"));
  EXPECT_FALSE(view().interface().settings().time_pictures);
  move(on_line(0.5));
  QTest::qWait(400);
  wait_until_drawn();
  EXPECT_FALSE(has("time_picture"));
}

// What was left may be gone: the edits before are undone all the same.
TEST_F(TimeTravel, UndoGoesPastARunThatWasDeleted) {
  type("parameter/gravity", QStringLiteral("4"));
  record(300);
  const int first = run().present_branch();
  go_to(0.5);
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().present_branch() != first; }));
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state != RunState::running; }));
  ASSERT_TRUE(run().set_look(first, {}));
  undo();
  EXPECT_TRUE(after_undo([&] { return gravity() == 9.81; }));
}

// The value at the instant counts, not that at the head.
TEST_F(TimeTravel, UndoOfAChangeInThePastRestoresTheValueOfThen) {
  advance(200, 200);
  type("parameter/gravity", QStringLiteral("5"));
  advance(100, 300);
  run().show(100);
  arrive();
  move(scene_point(0.5, 0.05));
  change_gravity(3);
  EXPECT_TRUE(after_undo([&] { return gravity() == 9.81; })) << gravity();
}

// With a body's card open, which reads the instant in the same frame.
TEST_F(TimeTravel, LeavesThePastInTheMiddleOfAFrame) {
  record(100);
  key(Qt::Key_N);
  go_to(0.5);
  click("to_head");
  EXPECT_FALSE(run().in_past());
  drag(middle("progress/handle"), on_line(0.3));
  drag(middle("progress/handle"), on_line(1));
  EXPECT_FALSE(run().in_past());
}

TEST_F(TimeTravel, RewindLosesNoRun) {
  record(100);
  const int first = run().present_branch();
  go_to(0.5);
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().present_branch() != first && now().steps > 60; }));
  const int second = run().present_branch();
  ASSERT_TRUE(after_click("rewind", [&] { return run().shown().steps == 0 && run().exact(); }));
  EXPECT_EQ(window_->statusBar()->currentMessage(),
            QStringLiteral("At the start of the record. Space replays it, then continues."));
  EXPECT_EQ(run().branches().size(), 2u);
  EXPECT_TRUE(eventually([&] { return now().state != RunState::running; }));
  EXPECT_GT(now().steps, 60);
  // Space replays it.
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return run().shown().steps > 5; }));
  key(Qt::Key_Space);
  EXPECT_EQ(run().branches().size(), 2u);
  // With another start all of it waits for Undo.
  key(Qt::Key_End);
  run().send(Change{{{"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")}}});
  ASSERT_TRUE(eventually([&] { return now().pending.size() == 1; }));
  ASSERT_TRUE(after_key(Qt::Key_Backspace,
                        [&] { return now().steps == 0 && run().branches().size() == 1; }));
  EXPECT_EQ(now().record->omega(0, 1), 0.125);
  ASSERT_TRUE(after_undo([&] { return run().present_branch() == second; }));
  EXPECT_EQ(run().branches().size(), 2u);
  EXPECT_TRUE(eventually([&] { return now().pending.size() == 1; })) << "it waits again";
}

// After Rewind with the settings of the start, Space repeats all that was done, and Ctrl+Space
// nothing of it; the window says so.
TEST_F(TimeTravel, AfterRewindSpaceReplaysWhatWasDone) {
  run().send(Change{{{"duration", 1000.0}}});
  const auto go_on = [this](std::int64_t steps) { advance(20, steps); };
  go_on(20);
  run().send(PullBody{{1, Vec3(30, 0, 0), 10}});
  run().send(TakeSteps{10});
  run().send(PullBody{{1, Vec3(20, 5, 0), 7}});  // the same pull continues
  ASSERT_TRUE(eventually([&] { return now().steps == 30; }));
  advance(10, 40);
  static constexpr std::array east{0.0, 1.0, 0.0};
  run().send(Change{{{"state.q[1]", json::Node::numbers(east)}}});
  go_on(60);
  const Columns end = now().lanes[0].state.q;
  const int first = run().present_branch();
  ASSERT_TRUE(
      after_key(Qt::Key_Backspace, [&] { return run().shown().steps == 0 && run().exact(); }));
  EXPECT_EQ(window_->statusBar()->currentMessage(),
            QStringLiteral("At the start of the record. Space replays it with its 2 changes; "
                           "Ctrl+Space begins another run without them."));
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return !run().in_past() && now().steps > 60; }));
  pause_by_key();
  EXPECT_EQ(run().present_branch(), first);
  run().show(60);
  ASSERT_TRUE(eventually([&] { return run().exact(); }));
  EXPECT_EQ(run().shown().lanes[0].state.q, end);

  ASSERT_TRUE(
      after_key(Qt::Key_Backspace, [&] { return run().shown().steps == 0 && run().exact(); }));
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().present_branch() != first && now().steps > 30; }));
  pause_by_key();
  EXPECT_TRUE(now().record->events.empty());
  auto untouched = value_of(Simulation::create(*now().record));
  while (untouched.steps() < now().steps) ASSERT_FALSE(untouched.step());
  EXPECT_EQ(now().lanes[0].state.q, untouched.state(0).q);
}

TEST_F(TimeTravel, AnotherPresetLeavesThePast) {
  record(50);
  key(Qt::Key_Home);
  key(Qt::Key_Space);
  window_->session().open(test::preset("three_body"), {});
  EXPECT_TRUE(eventually([&] { return !run().in_past() && now().system_info->key == "n_body"; }));
  QTest::qWait(100);
  EXPECT_EQ(now().steps, 0) << "the replay is over, and starts no run";
}

}  // namespace
}  // namespace twosphere::time_travel_test
