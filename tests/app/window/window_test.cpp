// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a user works with it: what is checked is the run, the files written, and the
// picture.
#include <fmt/format.h>

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QScreen>
#include <QWindow>

#include "app/base/check_box_style.h"
#include "app/dialogs/picture_dialog.h"
#include "app/session/run_table.h"
#include "app/window/window_settings.h"
#include "core/color/color.h"
#include "core/output/csv.h"
#include "core/scenario/reader.h"
#include "tests/app/child_program.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "ui/plots/ready_plots.h"
#include "ui/shell/actions.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::window_test {
namespace {

using namespace test;

class WindowClock : public Window {};

TEST_F(Window, OpensPausedAtTheStart) {
  EXPECT_EQ(now().state, RunState::paused);
  EXPECT_EQ(now().steps, 0);
  EXPECT_TRUE(window_->windowTitle().endsWith(QLatin1String(" - twosphere")));
  EXPECT_EQ(window_->run().histories().size(), 1u);
  EXPECT_EQ(window_->run().histories()[0].size(), 1u);
}

TEST_F(WindowClock, DrawsNothingWhileIdle) {
  QTest::qWait(500);
  const auto before = view().frames();
  QTest::qWait(1500);
  EXPECT_EQ(view().frames(), before);
  run_for(10);
  point_at(scene_point(0.3, 0.3));
  QTest::qWait(500);
  const auto paused = view().frames();
  QTest::qWait(1500);
  EXPECT_EQ(view().frames(), paused);
}

TEST_F(Window, IsDrawnOnceForANewSize) {
  const ui::Rect wide = scene();
  const auto frames = view().frames();
  window_->resize(window_->size() - QSize(20, 60));
  EXPECT_EQ(view().frames(), frames) << "not by the event, and again before it is shown";
  std::optional<ui::Rect> next;
  const auto watched = QObject::connect(&view(), &Viewport::drawn, &view(), [&] {
    if (!next) next = scene();
  });
  const bool drawn = eventually([&] { return next.has_value(); });
  QObject::disconnect(watched);
  ASSERT_TRUE(drawn);
  EXPECT_EQ(next->width, wide.width - 20);
  EXPECT_EQ(next->height, wide.height - 60);
}

TEST_F(Window, AClickActsBeforeTheNextFrameIsDrawn) {
  run_for(5);
  point_at(middle("play"));
  const auto frames = view().frames();
  const auto sent = window_->run().sent();
  QTest::mouseClick(&view(), Qt::LeftButton, {}, middle("play"));
  QCoreApplication::sendPostedEvents(&view(), QEvent::MetaCall);
  EXPECT_EQ(window_->run().sent(), sent + 1);
  EXPECT_EQ(view().frames(), frames);
  ASSERT_TRUE(eventually([&] { return now().state == RunState::running; }));
  pause_by_key();
}

TEST_F(WindowClock, PausesAtTheNextStepWhileManyMoleculesRun) {
  ASSERT_TRUE(
      after_click_entry("preset", "lennard_jones", [&] { return now().system->size() == 642; }));
  choose(QStringLiteral("Simulation"), QStringLiteral("pace_fastest"));
  // Nothing of the window acts between the two captures. Where another program did, as the time
  // taken tells, it is tried again.
  LiveRun& run = window_->run();
  std::int64_t stopped = 0;
  bool alone = false;
  for (int i = 0; i < 100 && !alone; ++i) {
    run.send(Play{});
    ASSERT_TRUE(eventually([&] { return now().steps > stopped + 3; }));
    QElapsedTimer clock;
    clock.start();
    const auto before = run.capture().steps;
    run.send(Pause{});
    const double seconds = 1e-9 * static_cast<double>(clock.nsecsElapsed());
    const auto after = run.capture().steps;
    alone = seconds < 2 * now().step_seconds;
    if (alone) {
      EXPECT_LE(after - before, 2) << "the step in progress, and one begun between the two calls";
    }
    stopped = run.capture().steps;
    EXPECT_EQ(stopped, after);
  }
  EXPECT_TRUE(alone);
  ASSERT_TRUE(eventually([&] { return now().state == RunState::paused; }));
  EXPECT_EQ(now().steps, stopped);
  EXPECT_TRUE(eventually([&] {
    const auto frames = view().frames();
    QTest::qWait(300);
    return view().frames() == frames;
  })) << "nothing changes, nothing is drawn";
}

// One step of the run is 2·10⁶ of a lane's. What is copied or saved is of its end.
TEST_F(WindowClock, WaitsForNoStepToCopyOrSave) {
  window_.reset();
  auto scenario = test::preset();
  LaneSpec coarse = scenario.lanes[0];
  coarse.type = "rk4";
  coarse.values.clear();
  coarse.name = "coarse";
  coarse.step = 0.2;
  scenario.lanes[0].step = 1e-7;
  scenario.lanes.push_back(coarse);
  open_window(value_of(Simulation::create(scenario)));
  QGuiApplication::clipboard()->clear();
  window_->run().send(TakeSteps{1000});
  ASSERT_TRUE(eventually([&] { return now().steps > 0; }));
  const auto longest = [&](const char* action) {
    QElapsedTimer clock;
    qint64 most = 0;
    for (int i = 0; i < 3; ++i) {
      clock.start();
      window_->findChild<QAction*>(QLatin1String(action))->trigger();
      most = std::max(most, clock.nsecsElapsed());
      QTest::qWait(20);
    }
    return 1e-9 * static_cast<double>(most);
  };
  const double step = now().step_seconds;
  ASSERT_GT(step, 0.05);
  EXPECT_LT(longest("copy_scenario"), step / 4);
  EXPECT_LT(longest("copy_command"), step / 4);
  EXPECT_TRUE(eventually([] { return !QGuiApplication::clipboard()->text().isEmpty(); }));
  window_->run().send(Pause{});
}

// Where the processor draws, that goes in parts, between which the window takes in what the user
// does: what it shows in the end is what it draws at once.
TEST_F(WindowClock, ShowsTheLastOfManyMoleculesWhateverCameWhileTheyWereDrawn) {
  if (QGuiApplication::platformName() != QLatin1String("xcb")) GTEST_SKIP() << "no screenshots";
  const auto shows_the_last = [&] {
    EXPECT_TRUE(eventually([&] { return view().at_rest(); }));
    const QPoint at = view().mapTo(window_.get(), QPoint(0, 0));
    const QImage shown =
        window_->screen()
            ->grabWindow(window_->winId(), at.x(), at.y(), view().width(), view().height())
            .toImage();
    const QSizeF size = view().size();
    return changed(shown, view().grabFramebuffer(),
                   {0, 0, static_cast<float>(size.width()), static_cast<float>(size.height())});
  };
  ASSERT_TRUE(
      after_click_entry("preset", "lennard_jones", [&] { return now().system->size() == 642; }));
  choose(QStringLiteral("Simulation"), QStringLiteral("pace_fastest"));
  move(scene_point(0.02, 0.98));  // where no tooltip comes
  wait_until_drawn();
  for (int i = 0; i < 5; ++i) {
    QTest::keyClick(&view(), Qt::Key_Space);
    QTest::qWait(20 * i);
  }
  ASSERT_TRUE(eventually([&] { return now().state == RunState::finished; }));
  EXPECT_EQ(shows_the_last(), 0);
  for (int i = 0; i < 8; ++i) {
    QTest::keyClick(&view(), Qt::Key_Right, Qt::ShiftModifier);
    QTest::qWait(15 * i);
    QTest::keyClick(&view(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(shows_the_last(), 0) << i;
  }
}

TEST_F(Window, PlaysAndPausesByKeyAndByMouse) {
  EXPECT_TRUE(after_key(Qt::Key_Space,
                        [&] { return now().state == RunState::running && now().steps > 5; }));
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return now().state == RunState::paused; }));
  const auto steps = now().steps;
  EXPECT_TRUE(after_click("play", [&] { return now().steps > steps + 5; }));
  EXPECT_TRUE(after_click("play", [&] { return now().state == RunState::paused; }));
  EXPECT_EQ(window_->run().histories()[0].size(), static_cast<std::size_t>(now().steps) + 1);
}

TEST_F(Window, StepsAndRewinds) {
  EXPECT_TRUE(after_key(Qt::Key_Right, [&] { return now().steps == 1; }));
  EXPECT_TRUE(after_key(Qt::Key_Right, Qt::ShiftModifier, [&] { return now().steps == 11; }));
  EXPECT_TRUE(after_key(Qt::Key_Right, Qt::ControlModifier, [&] { return now().steps == 111; }));
  // The run stays, and nothing is to be undone.
  const LiveRun& run = window_->run();
  EXPECT_TRUE(after_key(Qt::Key_Backspace, [&] { return run.shown().steps == 0 && run.exact(); }));
  EXPECT_EQ(now().steps, 111);
  EXPECT_TRUE(window_->session().undo_label().empty());
  key(Qt::Key_End);
  EXPECT_EQ(run.shown().steps, 111);
}

TEST_F(Window, RewindWithOtherSettingsIsUndone) {
  const LiveRun& run = window_->run();
  const int first = run.present_branch();
  run_for(50);
  type("parameter/gravity", QStringLiteral("3"));
  run_for(50);
  const Columns q = now().lanes[0].state.q;
  const std::int64_t steps = now().steps;
  ASSERT_TRUE(after_key(Qt::Key_Backspace, [&] { return now().steps == 0; }));
  EXPECT_NE(run.present_branch(), first);
  EXPECT_EQ(now().record->parameters.at("gravity")[0], 3);
  EXPECT_TRUE(now().record->events.empty());
  const int second = run.present_branch();
  ASSERT_TRUE(after_key(Qt::Key_Right, Qt::ControlModifier, [&] { return now().steps == 100; }));
  ASSERT_TRUE(after_undo([&] { return run.present_branch() == first; }));
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(now().lanes[0].state.q, q);
  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return run.present_branch() == second; }));
  EXPECT_EQ(now().steps, 100);
}

TEST_F(Window, ShowsNumbersArrowsColoursAndTheInset) {
  run_for(5);
  const QImage plain = picture();
  EXPECT_TRUE(has("inset"));
  const ui::Rect inset = rect("inset");
  key(Qt::Key_S);
  EXPECT_FALSE(has("inset"));
  EXPECT_GT(changed(plain, picture(), inset), 0.1);
  key(Qt::Key_S);
  EXPECT_FALSE(has("body/1"));
  key(Qt::Key_D);
  EXPECT_TRUE(has("body/1") && has("body/2"));
  key(Qt::Key_W);
  EXPECT_TRUE(has("arrow_key/angular_velocity"));
  EXPECT_GT(changed(plain, picture(), scene()), 0.0005);
  EXPECT_FALSE(has("color_bar/0"));
  key(Qt::Key_Q);  // by lane
  key(Qt::Key_Q);  // by speed
  EXPECT_TRUE(has("color_bar/0"));
  window_->close();
  open_window();
  EXPECT_TRUE(has("body/1")) << "kept for the next time";
  EXPECT_TRUE(has("color_bar/0"));
}

TEST_F(Window, FollowsABody) {
  key(Qt::Key_D);
  key(Qt::Key_J);
  key(Qt::Key_J);
  EXPECT_EQ(view().interface().followed(), 1);
  const auto off = [&] {
    const QPoint away = middle("body/2") - scene_point(0.5, 0.5);
    return std::hypot(away.x(), away.y());
  };
  EXPECT_LT(off(), 60);
  run_for(60);
  EXPECT_LT(off(), 60);
  key(Qt::Key_J, Qt::ShiftModifier);
  EXPECT_EQ(view().interface().followed(), -1);
}

TEST_F(Window, CopiesAndPastesAView) {
  const QImage first = picture();
  drag(scene_point(0.4, 0.5), scene_point(0.6, 0.55));
  const QImage turned = picture();
  ASSERT_GT(changed(first, turned, scene()), 0.005);
  key(Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QLatin1String("{\"camera\"")));
  key(Qt::Key_F);
  EXPECT_GT(changed(turned, picture(), scene()), 0.005);
  key(Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_LT(changed(turned, picture(), scene()), 0.001);
  QGuiApplication::clipboard()->setText(QStringLiteral("nonsense"));
  key(Qt::Key_V, Qt::ControlModifier | Qt::AltModifier);
  EXPECT_LT(changed(turned, picture(), scene()), 0.001);
  EXPECT_TRUE(
      window_->statusBar()->currentMessage().contains(QLatin1String("not contain a copied view")));
}

TEST_F(Window, PicksAPreset) {
  EXPECT_TRUE(
      after_click_entry("preset", "chain_pendulum", [&] { return now().system->size() == 10; }));
  EXPECT_TRUE(window_->windowTitle().startsWith(QString::fromStdString(now().record->title)));
}

TEST_F(Window, ChecksTheStepWhileRunningAndChangesNothing) {
  EXPECT_FALSE(has("check"));
  run_by_key_beyond(5);
  ASSERT_TRUE(after_key(Qt::Key_K, [&] { return has("check/symplecticity[0]"); }));
  const auto steps = now().steps;
  ASSERT_TRUE(eventually([&] { return now().steps > steps + 5; })) << "the run continues";
  pause_by_key();
  auto headless = value_of(Simulation::create(*now().record));
  while (headless.steps() < now().steps) ASSERT_FALSE(headless.step());
  EXPECT_EQ(headless.state(0).q, now().lanes[0].state.q);
  EXPECT_EQ(headless.state(0).w, now().lanes[0].state.w);
  EXPECT_TRUE(now().record->events.empty());
  click("check/again");
  EXPECT_TRUE(has("check"));
  click("check/close");
  EXPECT_FALSE(has("check"));
  choose(QStringLiteral("Explore"), QStringLiteral("check_step"));
  EXPECT_TRUE(eventually([&] { return has("check"); }));
}

TEST_F(Window, ACheckOfTheStepGoesWithItsRun) {
  run_for(20);
  const auto check = [&] {
    key(Qt::Key_K);
    return eventually([&] { return has("check/symplecticity[0]"); });
  };
  const auto gone = [&] { return eventually([&] { return !has("check"); }); };
  ASSERT_TRUE(check());
  click_entry("integrator", "heun");
  EXPECT_TRUE(gone()) << "another method";
  ASSERT_TRUE(check());
  window_->run().send(Change{{{"integrator.step", 0.02}}});
  EXPECT_TRUE(gone()) << "another step";
  ASSERT_TRUE(check());
  key(Qt::Key_Backspace);
  EXPECT_TRUE(gone()) << "Rewind";
  ASSERT_TRUE(check());
  click_entry("preset", "chain_pendulum");
  EXPECT_TRUE(gone()) << "another scenario";
}

TEST_F(Window, RunsSeveralLanesAsHeadless) {
  ASSERT_TRUE(after_key(Qt::Key_L, [&] { return now().lanes.size() == 2; }));
  choose(QStringLiteral("Simulation"), QStringLiteral("add_lane"));
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == 3; }));
  run_for(20);
  EXPECT_EQ(window_->run().histories().size(), 3u);
  ASSERT_TRUE(
      after_click_entry("integrator", "heun", [&] { return now().lanes[0].info->key == "heun"; }));
  run_for(20);
  // What the window exports is what the command line writes of the record.
  const Snapshot& end = now();
  auto headless = value_of(Simulation::create(*end.record));
  std::string table = csv_header(headless.system_info(), headless.record().lanes);
  const auto row = [&] {
    table += csv_row(headless.system_info(),
                     {headless.sample(0), headless.sample(1), headless.sample(2)});
  };
  row();
  while (headless.steps() < end.steps) {
    ASSERT_FALSE(headless.step());
    row();
  }
  EXPECT_EQ(RunTable(window_->run()).text(), table);
  // Undone, the lanes wait to go; a rewind takes them away.
  for (int i = 0; i < 3; ++i) undo();
  ASSERT_TRUE(eventually([&] { return now().after_rewind->lanes.size() == 1; }));
  EXPECT_EQ(now().lanes.size(), 3u);
  EXPECT_EQ(now().lanes[0].info->key, "variational");
  ASSERT_TRUE(
      after_key(Qt::Key_Backspace, [&] { return now().lanes.size() == 1 && now().steps == 0; }));
  EXPECT_EQ(window_->run().histories().size(), 1u);
}

TEST_F(WindowClock, GivesUpACheckWhenItCloses) {
  ASSERT_TRUE(
      after_click_entry("preset", "lennard_jones", [&] { return now().system->size() == 642; }));
  key(Qt::Key_K);
  QElapsedTimer clock;
  clock.start();
  window_.reset();
  EXPECT_LT(clock.elapsed(), 2000) << "the check itself takes longer";
}

TEST_F(Window, SwapsTheIntegratorWhileRunning) {
  EXPECT_EQ(now().lanes[0].info->key, "variational");
  run_by_key_beyond(5);
  const auto generation = now().generation;
  ASSERT_TRUE(
      after_click_entry("integrator", "rk4", [&] { return now().lanes[0].info->key == "rk4"; }));
  EXPECT_EQ(now().state, RunState::running);
  EXPECT_EQ(now().generation, generation) << "the run continues";
  const auto steps = now().steps;
  EXPECT_TRUE(eventually([&] { return now().steps > steps + 5; }));
  ASSERT_EQ(now().record->events.size(), 1u);
  EXPECT_GT(now().record->events[0].step, 5);
}

TEST_F(Window, DragsAndTypesAParameter) {
  run_for(5);
  const double before = gravity();
  const QPoint from = middle("parameter/gravity");
  drag(from, from + QPoint(40, 0));
  EXPECT_TRUE(eventually([&] { return gravity() > before; })) << gravity();
  EXPECT_TRUE(after_type("parameter/gravity", QStringLiteral("3.25"), [&] {
    return gravity() == 3.25;
  })) << gravity();
  // The keys typed were no shortcuts.
  EXPECT_EQ(now().state, RunState::paused);
  EXPECT_EQ(now().record->events.size(), 1u) << "set again at the same step";
}

TEST_F(Window, KeysTypedIntoAFieldAreNoShortcuts) {
  run_for(5);
  const auto steps = now().steps;
  const bool trail = view().interface().settings().trail;
  click("parameter/gravity");
  for (const auto k : {Qt::Key_T, Qt::Key_Space, Qt::Key_Right, Qt::Key_Backspace})
    QTest::keyClick(&view(), k);
  wait_until_drawn();
  key(Qt::Key_Escape);
  QTest::qWait(200);
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(now().state, RunState::paused);
  EXPECT_EQ(view().interface().settings().trail, trail);
  key(Qt::Key_T);
  EXPECT_NE(view().interface().settings().trail, trail) << "out of the field it is one";
}

TEST_F(Window, ZoomsPansAndFitsAPlot) {
  run_for(50);
  const ui::Rect plot = rect(energies_plot);
  const QPoint at = middle(energies_plot);
  const QImage whole = picture();
  wheel(at, 4);
  const QImage zoomed = picture();
  EXPECT_GT(changed(whole, zoomed, plot), 0.002);
  drag(at, at + QPoint(60, 0));
  const QImage panned = picture();
  EXPECT_GT(changed(zoomed, panned, plot), 0.002);
  key(Qt::Key_End, Qt::ShiftModifier);
  move(scene_point(0.5, 0.3));
  EXPECT_LT(changed(whole, picture(), plot), 0.005) << "it follows the run again";
}

TEST_F(Window, OrbitsPansAndZoomsTheScene) {
  const ui::Rect area = scene();
  const ui::Rect column{0, 0, area.x, area.height};
  const QImage before = picture();
  drag(scene_point(0.3, 0.3), scene_point(0.6, 0.45));
  const QImage orbited = picture();
  EXPECT_GT(changed(before, orbited, area), 0.005);
  EXPECT_EQ(changed(before, orbited, column), 0) << "the columns stay";
  drag(scene_point(0.3, 0.3), scene_point(0.5, 0.4), Qt::RightButton);
  const QImage panned = picture();
  EXPECT_GT(changed(orbited, panned, area), 0.005);
  wheel(scene_point(0.4, 0.3), 3);
  EXPECT_GT(changed(panned, picture(), area), 0.005);
  move(scene_point(0.3, 0.3));
  key(Qt::Key_F);
  EXPECT_LT(changed(before, picture(), area), 0.001) << "framed again";
}

TEST_F(Window, KeepsTheCameraWhenAParameterChanges) {
  wheel(scene_point(0.3, 0.3), 3);
  const QImage before = picture();
  change_gravity(5);
  const ui::Rect area = scene();
  move(scene_point(0.3, 0.3));
  EXPECT_LT(changed(before, picture(), area), 0.01);
}

TEST_F(Window, ExportsTheBytesOfTheCommandLine) {
  run_for(20);
  type("parameter/gravity", QStringLiteral("9.5"));
  ASSERT_TRUE(
      after_click_entry("integrator", "rk4", [&] { return now().lanes[0].info->key == "rk4"; }));
  run_for(20);
  const auto steps = now().steps;

  const QString table = in_folder("run.csv"), scenario = in_folder("run.json");
  choose(QStringLiteral("File"), QStringLiteral("export_csv"));
  write_to(table, ".json");
  key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  enter_path(scenario);
  ASSERT_TRUE(
      eventually([&] { return window_->windowTitle().startsWith(QLatin1String("run.json")); }));

  const auto expected = QByteArray::fromStdString(output_of_program(
      {QStringLiteral("run"), scenario, QStringLiteral("--steps"), QString::number(steps),
       QStringLiteral("--csv"), QStringLiteral("-"), QStringLiteral("--quiet")}));
  EXPECT_EQ(expected.count('\n'), steps + 2) << "a header and every step";
  EXPECT_EQ(contents(table), expected);
}

TEST_F(Window, SavesAStateThatContinues) {
  run_for(20);
  const auto steps = now().steps;
  const Eigen::Vector3d q = now().lanes[0].state.q.col(0);
  const QString path = in_folder("run.state.json");
  choose(QStringLiteral("File"), QStringLiteral("save_state"));
  write_to(path);
  const auto state = value_of(load_scenario(path.toStdString()));
  ASSERT_TRUE(state.continuation);
  EXPECT_EQ(state.continuation->step_index, steps);
  EXPECT_EQ(state.q.col(0), q);
}

TEST_F(Window, SavesAPicture) {
  const QImage seen = picture();
  const QString path = in_folder("scene.png");
  key(Qt::Key_P, Qt::ControlModifier);
  QTest::keyClick(dialog<PictureDialog>(), Qt::Key_Return);  // that of the window
  write_to(path);
  const QImage saved(path);
  ASSERT_EQ(saved.size(), seen.size());
  EXPECT_LT(changed(saved, seen, {0, 0, 1e3F, 6e2F}), 0.001);
}

TEST_F(Window, ABrokenFileLeavesTheRunAlone) {
  const QString path = in_folder("broken.json");
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      "{ \"twosphere\": 1,\n  \"system\": {\"type\": \"chain_pendulum\",\n"
      "    \"masses\": [1, -1], \"lengths\": [1, 1]},\n"
      "  \"initial\": {\"q\": [[0, 0, 1], [0, 0, 1]], \"omega\": [[0, 1, 0], [0, 1, 0]]},\n"
      "  \"integrator\": {\"type\": \"variational\", \"step\": 0.01},\n"
      "  \"duration\": 1 }\n");
  file.close();
  run_by_key_beyond(5);
  const auto generation = now().generation;
  const QString title = window_->windowTitle();
  key(Qt::Key_O, Qt::ControlModifier);
  enter_path(path);
  const QString message = dismiss();
  EXPECT_TRUE(message.contains(QLatin1String("broken.json:3"))) << message.toStdString();
  EXPECT_TRUE(message.contains(QLatin1String("masses[1]"))) << message.toStdString();
  EXPECT_EQ(now().generation, generation);
  EXPECT_EQ(now().state, RunState::running);
  const auto steps = now().steps;
  EXPECT_TRUE(eventually([&] { return now().steps > steps; }));
  EXPECT_EQ(window_->windowTitle(), title);
}

TEST_F(Window, AFileThatCannotBeWrittenIsReported) {
  run_for(5);
  const auto steps = now().steps;
  key(Qt::Key_E, Qt::ControlModifier);
  enter_path(QStringLiteral("/proc/run.csv"));
  const QString message = dismiss();
  EXPECT_TRUE(message.contains(QLatin1String("/proc/run.csv"))) << message.toStdString();
  EXPECT_EQ(now().steps, steps);
}

TEST_F(Window, AFailedStepPausesAndSaysWhere) {
  run_for(5);
  ASSERT_TRUE(after_type("step", QStringLiteral("8"),
                         [&] { return now().lanes[0].info && now().record->events.size() == 1; }));
  const auto steps = now().steps;
  const Eigen::Vector3d q = now().lanes[0].state.q.col(0);
  ASSERT_TRUE(after_key(Qt::Key_Space, [&] { return now().state == RunState::failed; }));
  wait_until_drawn();
  ASSERT_TRUE(now().failure);
  EXPECT_TRUE(has("failure"));
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(now().lanes[0].state.q.col(0), q) << "the last valid state is kept";
  // A smaller step, and the run continues.
  type("step", QStringLiteral("0.01"));
  EXPECT_TRUE(after_key(Qt::Key_Space, [&] { return now().steps > steps + 5; }));
  wait_until_drawn();
  EXPECT_FALSE(has("failure"));
}

TEST_F(Window, KeysOfTheWindow) {
  key(Qt::Key_F1);
  EXPECT_TRUE(has("key_map"));
  key(Qt::Key_F1);
  EXPECT_FALSE(has("key_map"));

  const float narrow = scene().width;
  key(Qt::Key_Backslash, Qt::ControlModifier);
  EXPECT_FALSE(has("parameter/gravity"));
  EXPECT_FLOAT_EQ(scene().width, static_cast<float>(view().width()));
  key(Qt::Key_Backslash, Qt::ControlModifier);
  EXPECT_FLOAT_EQ(scene().width, narrow);

  EXPECT_TRUE(after_key(Qt::Key_F11, [&] { return window_->isFullScreen(); }));
  EXPECT_TRUE(after_key(Qt::Key_F11, [&] { return !window_->isFullScreen(); }));

  EXPECT_TRUE(after_key(Qt::Key_Plus, [&] { return now().requested_factor == 2; }));
  EXPECT_TRUE(after_key(Qt::Key_Minus, [&] { return now().requested_factor == 1; }));
}

TEST_F(Window, MenusHaveAnEdge) {
  CheckBoxStyle style;
  for (const auto& [theme, palette] :
       {std::pair("theme_dark", Palette::dark), {"theme_light", Palette::light}}) {
    window_->findChild<QAction*>(QLatin1String(theme))->trigger();
    wait_until_drawn();
    QMenu* const menu = window_->menuBar()->findChild<QMenu*>(QStringLiteral("Edit"));
    ASSERT_TRUE(menu);
    menu->setStyle(&style);
    menu->popup(window_->mapToGlobal(QPoint(300, 200)));
    ASSERT_TRUE(QTest::qWaitForWindowExposed(menu, patience));
    const QImage picture = menu->grab().toImage();
    const auto at = [&](int x, int y) { return Color{picture.pixel(x, y) & 0xffffffU}; };
    const int right = picture.width() - 1, bottom = picture.height() - 1;
    for (const QPoint p : {QPoint(0, bottom / 3), QPoint(right, bottom / 2), QPoint(right / 3, 0),
                           QPoint(right / 2, bottom)})
      for (const Color ground : {ui::colors(palette).scene, ui::colors(palette).panel, at(1, 1)})
        EXPECT_GE(contrast(at(p.x(), p.y()), ground), 1.8)
            << theme << std::hex << ": " << at(p.x(), p.y()).rgb << " on " << ground.rgb;
    menu->close();
    ASSERT_TRUE(eventually([&] { return !menu->isVisible(); }));
  }
}

TEST_F(Window, ButtonsOfDialogsHaveNoIcons) {
  EXPECT_EQ(CheckBoxStyle().styleHint(QStyle::SH_DialogButtonBox_ButtonsHaveIcons, nullptr, nullptr,
                                      nullptr),
            0);
}

TEST_F(Window, AnActionThatIsNotPossibleSaysWhy) {
  const auto* undo = window_->findChild<QAction*>(QStringLiteral("undo"));
  ASSERT_TRUE(undo);
  EXPECT_FALSE(undo->isEnabled());
  EXPECT_TRUE(undo->toolTip().contains(QLatin1String("There is nothing to undo.")));
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(eventually([&] { return undo->isEnabled(); }));
  EXPECT_FALSE(undo->toolTip().contains(QLatin1String("nothing")));
  // Each has a reason.
  for (const ui::ActionInfo& info : ui::actions()) {
    const auto* action = window_->findChild<QAction*>(QString::fromUtf8(info.id.data()));
    ASSERT_TRUE(action) << info.id;
    EXPECT_TRUE(action->isEnabled() || action->statusTip().toStdString() != info.help) << info.id;
  }
}

// A window of 1024 pixels, in which larger letters must not push the window wider.
TEST_F(Window, MenusStatusBarAndDialogsGrowWithTheInterface) {
  window_->resize(1024, 700);
  wait_until_drawn();
  const int menu = window_->menuBar()->fontMetrics().height();
  QLabel* const state = window_->statusBar()->findChildren<QLabel*>().front();
  const int status = state->fontMetrics().height(), dialog = QLabel().fontMetrics().height();
  for (int i = 0; i < 4; ++i) key(Qt::Key_Equal, Qt::ControlModifier);
  EXPECT_FLOAT_EQ(view().interface().settings().scale, 1.5F);
  EXPECT_GE(window_->menuBar()->fontMetrics().height(), 1.35 * menu);
  EXPECT_GE(state->fontMetrics().height(), 1.35 * status);
  EXPECT_GE(QLabel().fontMetrics().height(), 1.35 * dialog);
  EXPECT_EQ(window_->width(), 1024);
  // And so they begin, also where the theme has a style sheet.
  trigger("theme_high_contrast");
  window_->close();
  reopen_window();
  EXPECT_GE(window_->menuBar()->fontMetrics().height(), 1.35 * menu);
  trigger("theme_dark");
  key(Qt::Key_0, Qt::ControlModifier);
  EXPECT_EQ(window_->menuBar()->fontMetrics().height(), menu);
}

TEST_F(Window, EveryKeyIsUnique) {
  QMap<QString, QString> owner;
  for (const QAction* action : window_->actions())
    for (const QKeySequence& sequence : action->shortcuts()) {
      const QString text = sequence.toString(QKeySequence::PortableText);
      EXPECT_FALSE(owner.contains(text))
          << text.toStdString() << ": " << action->objectName().toStdString() << " and "
          << owner.value(text).toStdString();
      owner.insert(text, action->objectName());
    }
  EXPECT_GE(owner.size(), 20);
}

TEST_F(Window, KeepsSettingsWhereXdgSays) {
  const Palette palette = view().interface().settings().palette;
  key(Qt::Key_T);
  choose(QStringLiteral("Window"), QStringLiteral("theme_high_contrast"));
  wait_until_drawn();
  ASSERT_NE(view().interface().settings().palette, palette);
  EXPECT_TRUE(window_->findChild<QAction*>(QStringLiteral("theme_high_contrast"))->isChecked());
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("theme_dark"))->isChecked());
  const float width = view().interface().settings().left_width;
  const ui::Rect area = scene();
  const QPoint edge = QPointF(area.x, area.y + area.height / 2).toPoint();
  drag(edge, edge + QPoint(40, 0));
  const float wider = view().interface().settings().left_width;
  EXPECT_NEAR(wider, width + 40, 6);
  key(Qt::Key_P);
  wait_until_drawn();
  QTest::keyClicks(&view(), QStringLiteral("omega2"));
  wait_until_drawn();
  click("signals/omega1_x");
  const std::vector<ui::PlotSpec> plots = view().interface().settings().plots;
  ASSERT_EQ(plots.size(), 4u);
  EXPECT_EQ(to_text(plots[3]), "omega1_x");
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  EXPECT_TRUE(eventually([&] { return !window_->isVisible(); }));
  EXPECT_TRUE(QFileInfo::exists(in_folder("config/twosphere/settings.ini")));

  reopen_window();
  EXPECT_EQ(view().interface().settings().palette, Palette::high_contrast);
  EXPECT_FALSE(view().interface().settings().trail);
  EXPECT_FLOAT_EQ(view().interface().settings().left_width, wider);
  EXPECT_EQ(view().interface().settings().plots, plots);
  choose(QStringLiteral("Window"), QStringLiteral("reset_layout"));
  wait_until_drawn();
  EXPECT_EQ(view().interface().settings().plots,
            ui::default_plots(*window_->run().snapshot().present));
}

/// As QWidget::saveGeometry() writes it, of a window that was larger than the screen.
void write_large_geometry(bool maximized) {
  const QRect large(300, 200, 16'000, 16'000);
  const int screen = QGuiApplication::primaryScreen()->geometry().width();
  QByteArray geometry;
  QDataStream to(&geometry, QIODevice::WriteOnly);
  to.setVersion(QDataStream::Qt_4_0);
  to << quint32{0x1D9D0CB} << quint16{3} << quint16{0} << large << large << qint32{0}
     << quint8{maximized} << quint8{0} << qint32{screen} << large;
  WindowSettings settings;
  settings.geometry = geometry;
  write_settings(settings);
}

TEST_F(Window, StaysMaximised) {
  window_.reset();
  write_large_geometry(true);
  const MainWindow window(run_of_preset("double_spherical_pendulum"));
  EXPECT_TRUE(window.windowState() & Qt::WindowMaximized);
  EXPECT_TRUE(window.windowHandle()->windowStates() & Qt::WindowMaximized) << "as it will be shown";
}

TEST_F(Window, StartsWithinTheScreensThereAre) {
  window_.reset();
  write_large_geometry(false);
  open_window();
  EXPECT_TRUE(window_->screen()->availableGeometry().contains(window_->geometry()))
      << window_->width() << " by " << window_->height();
}

TEST_F(Window, TellsAboutItself) {
  choose(QStringLiteral("Help"), QStringLiteral("about"));
  const auto* box = dialog<QMessageBox>();
  EXPECT_EQ(box->windowTitle(), QLatin1String("About twosphere"));
  EXPECT_TRUE(dismiss().contains(QLatin1String("General Public License")));
}

TEST_F(Window, EscAfterAMenuIsNotSwallowed) {
  key(Qt::Key_N);
  ASSERT_TRUE(view().interface().selected());
  QTest::keyClick(&view(), Qt::Key_F, Qt::AltModifier);
  auto* menu = window_->menuBar()->findChild<QMenu*>(QStringLiteral("File"));
  ASSERT_TRUE(eventually([&] { return menu->isVisible(); }));
  QTest::keyClick(menu, Qt::Key_Escape);
  EXPECT_TRUE(eventually([&] { return !menu->isVisible() && view().hasFocus(); }));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  wait_until_drawn();
  EXPECT_FALSE(view().interface().selected()) << "the card of the body is closed";
}

// What goes wrong late: the shaders, a library that is missing.
TEST_F(Window, LivesOnWithoutAScene) {
  run_for(5);
  Q_EMIT view().failed(QStringLiteral("No <shaders>."));
  ASSERT_TRUE(eventually(
      [&] { return window_->findChild<QLabel*>(QStringLiteral("without_scene")) != nullptr; }));
  const auto* message = window_->findChild<QLabel*>(QStringLiteral("without_scene"));
  EXPECT_TRUE(message->text().contains(QLatin1String("No &lt;shaders&gt;.")));
  EXPECT_TRUE(message->text().contains(QLatin1String("twosphere render")));
  const auto steps = now().steps;
  for (const QAction* action : window_->actions())
    for (const QKeySequence& sequence : action->shortcuts())
      if (action->objectName() != QLatin1String("quit"))
        QTest::keySequence(window_.get(), sequence);
  EXPECT_EQ(now().steps, steps);
  EXPECT_FALSE(QApplication::activeModalWidget());
  QTest::keyClick(window_.get(), Qt::Key_F1);
  EXPECT_TRUE(eventually([&] { return window_->findChild<QDialog*>(QStringLiteral("help")); }));
  window_->resize(700, 500);
  window_->leave();
  EXPECT_TRUE(eventually([&] { return !window_->isVisible(); }));
}

TEST_F(Window, StatusBarShowsTheRun) {
  run_for(20);
  QString all;
  ASSERT_TRUE(eventually([&] {
    all.clear();
    for (const QLabel* label : window_->statusBar()->findChildren<QLabel*>())
      all += label->text() + QLatin1Char('\n');
    return all.contains(QStringLiteral("paused\n")) &&
           all.contains(QStringLiteral("step %1\n").arg(now().steps));
  })) << all.toStdString();
  EXPECT_TRUE(all.contains(QStringLiteral("mean |E − E₀ − W|"))) << all.toStdString();
  EXPECT_TRUE(all.contains(QStringLiteral("largest ||q| − 1|"))) << all.toStdString();
  QStringList spoken;
  for (const QLabel* label : window_->statusBar()->findChildren<QLabel*>())
    spoken << label->accessibleName();
  EXPECT_TRUE(spoken.contains(QStringLiteral("Largest unit-length error")))
      << spoken.join(QLatin1Char('\n')).toStdString();
}

// Those for which there is no room are left out.
TEST_F(Window, ValuesOfTheStatusBarAreWholeAndWithinTheWindow) {
  run_for(20);
  for (const float scale : {1.0F, 1.5F}) {
    for (int i = 0; i < 10 && view().interface().settings().scale < scale; ++i)
      key(Qt::Key_Equal, Qt::ControlModifier);
    ASSERT_FLOAT_EQ(view().interface().settings().scale, scale);
    int most = 0;
    for (const int width : {1600, 1280, 1024, 800, 640}) {
      window_->resize(width, 700);
      wait_until_drawn();
      std::string problem;
      int shown = 0;
      EXPECT_TRUE(eventually([&] {
        problem.clear();
        shown = 0;
        QRect before;
        for (const QLabel* label : window_->statusBar()->findChildren<QLabel*>()) {
          if (!label->isVisible() || label->text().isEmpty()) continue;
          ++shown;
          const QRect place(label->mapTo(window_.get(), QPoint()), label->size());
          const QRect text(label->mapTo(window_.get(), label->contentsRect().topLeft()),
                           label->contentsRect().size());
          if (text.width() < label->fontMetrics().horizontalAdvance(label->text()) ||
              text.left() < 4 || text.right() > window_->width() - 4 || place.intersects(before))
            problem += fmt::format("{}: {} px in {} to {} of {}\n", label->text().toStdString(),
                                   label->fontMetrics().horizontalAdvance(label->text()),
                                   text.left(), text.right(), window_->width());
          before = place;
        }
        return problem.empty() && shown > 0;
      })) << scale
          << ", " << width << ": " << shown << " values, " << problem;
      most = std::max(most, shown);
    }
    EXPECT_GE(most, scale > 1 ? 4 : 5);
  }
}

TEST_F(Window, TheStatusBarHasRoomForNotesAndNamesOfLanes) {
  ASSERT_TRUE(after_key(Qt::Key_L, [&] { return now().lanes.size() == 2; }));
  for (int i = 0; i < 4; ++i) key(Qt::Key_Equal, Qt::ControlModifier);
  window_->resize(1024, 700);
  wait_until_drawn();
  QStatusBar* const bar = window_->statusBar();
  const QString name = QString::fromStdString(now().lanes[0].title());
  const auto energy = [&]() -> const QLabel* {
    for (const QLabel* label : bar->findChildren<QLabel*>())
      if (label->isVisible() && label->text().startsWith(name)) return label;
    return nullptr;
  };
  ASSERT_TRUE(eventually(energy));
  const QLabel* const shown = energy();
  ASSERT_TRUE(eventually([&] {
    return shown->contentsRect().width() >= shown->fontMetrics().horizontalAdvance(shown->text());
  })) << shown->text().toStdString();

  const QString note(60, QLatin1Char('n'));
  bar->showMessage(note);
  ASSERT_TRUE(eventually([&] {
    int room = bar->width();
    for (const QLabel* label : bar->findChildren<QLabel*>())
      if (label->isVisible()) room -= label->width();
    return room >= bar->fontMetrics().horizontalAdvance(note);
  }));
  EXPECT_EQ(bar->toolTip(), note) << "of a longer one it has what is cut";
  bar->clearMessage();
  EXPECT_TRUE(eventually(energy));
}

}  // namespace
}  // namespace twosphere::window_test
