// SPDX-License-Identifier: GPL-3.0-or-later
// Edits undone and redone, unsaved changes, files that cannot be written: in the real window.
#include "app/session/session.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <QDateTime>
#include <QFile>
#include <QListWidget>
#include <QToolBar>
#include <csignal>
#include <random>
#include <string>

#include "app/base/qt_text.h"
#include "app/dialogs/picture_dialog.h"
#include "app/session/autosave.h"
#include "app/session/recovery.h"
#include "app/session/run_table.h"
#include "core/base/file.h"
#include "core/base/packing.h"
#include "core/catalog.h"
#include "core/mechanics/turning_frame.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/studies/view_frame.h"
#include "tests/app/child_program.h"
#include "tests/app/session_file.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "ui/plot/marker_group.h"

namespace twosphere::session_test {
namespace {

using test::contents;
using test::error_of, test::says, test::value_of;
using test::eventually;
using test::patience;

class SessionWindow : public test::Window {
 protected:
  void SetUp() override {
    // The program that is killed keeps its session where its parent looks for it.
    if (!qEnvironmentVariableIsSet(robot_file))
      qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
    test::Window::SetUp();
  }
  QStringList kept_sessions() {
    return QDir(session_folder()).entryList({QStringLiteral("session-*.json")}, QDir::Files);
  }
  /// Runs a session of edits in a separate program and kills that; gives the session it kept.
  SavedSession killed_session();
  static constexpr const char* robot_file = "TWOSPHERE_ROBOT";
  /// Answers the question that is open.
  void answer(QMessageBox::StandardButton button) {
    auto* box = dialog<QMessageBox>();
    ASSERT_TRUE(box->button(button));
    const QPointer<QMessageBox> asked = box;
    QTest::mouseClick(box->button(button), Qt::LeftButton);
    EXPECT_TRUE(eventually([&] { return !asked || !asked->isVisible(); }));
  }
  QString entry(const char* action) {
    return window_->findChild<QAction*>(QLatin1String(action))->text();
  }
  /// What an edit in the interface sends, without the events.
  void send(Setting setting) {
    const Change change{{std::move(setting)}};
    window_->run().send(change);
    Q_EMIT view().command_sent(change);
    window_->session().update();
  }
  /// Recovers the session that is offered.
  void take_offer() {
    auto* offer = dialog<RecoveryDialog>();
    QTest::mouseClick(offer->findChild<QPushButton*>(QStringLiteral("recover")), Qt::LeftButton);
  }
  /// As after a kill: opens anew, where the session is offered that this file holds, and takes it.
  void recover(const std::string& kept) {
    window_.reset();
    ASSERT_TRUE(
        write_file((session_folder() + QStringLiteral("/session-x.json")).toStdString(), kept));
    open_window();
    ASSERT_NO_FATAL_FAILURE(take_offer());
    ASSERT_TRUE(eventually([&] {
      return window_->statusBar()->currentMessage().contains(QLatin1String("bit for bit"));
    })) << window_->statusBar()->currentMessage().toStdString();
  }
  /// The only session that is kept, once it is such a one.
  std::string kept_session(const std::function<bool(const SavedSession&)>& is_wanted) {
    std::string kept;
    EXPECT_TRUE(eventually([&] {
      const QStringList files = kept_sessions();
      if (files.size() != 1) return false;
      kept = contents(session_folder() + QLatin1Char('/') + files[0]).toStdString();
      const auto session = read_session(kept, "session");
      return session && is_wanted(*session);
    }));
    return kept;
  }
  /// Takes these steps and writes a session file of the run; gives its path.
  QString keep_session(std::int64_t steps, std::int64_t from = 0) {
    window_->run().send(TakeSteps{steps});
    EXPECT_TRUE(eventually([&] { return now().steps == from + steps; }));
    EXPECT_TRUE(QDir().mkpath(session_folder()));
    QString file = session_folder() + QStringLiteral("/session-x.json");
    EXPECT_TRUE(write_file(file.toStdString(), test::session_file(*window_)));
    return file;
  }
  std::string wanted() {
    EXPECT_TRUE(eventually([&] { return now().commands >= window_->run().sent(); }));
    return write_scenario(*now().after_rewind);
  }
};

TEST_F(SessionWindow, UndoesAndRedoesEditsByKey) {
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("undo"))->isEnabled());
  const std::string at_first = wanted();
  // A drag is one edit, however many values it sends.
  const QPoint from = middle("parameter/gravity");
  drag(from, from + QPoint(40, 0));
  ASSERT_TRUE(eventually([&] { return gravity() > 9.81; }));
  const double dragged = gravity();
  change_gravity(3);
  ASSERT_TRUE(eventually([&] { return entry("undo").endsWith(QStringLiteral("→ 3 m/s²")); }))
      << entry("undo").toStdString();
  EXPECT_TRUE(entry("undo").startsWith(QLatin1String("Undo gravity ")))
      << entry("undo").toStdString();
  ASSERT_TRUE(
      after_click_entry("integrator", "rk4", [&] { return now().lanes[0].info->key == "rk4"; }));
  const std::string at_last = wanted();
  ASSERT_TRUE(eventually([&] { return window_->isWindowModified(); }));

  ASSERT_TRUE(after_undo([&] { return now().lanes[0].info->key == "variational"; }));
  ASSERT_TRUE(after_undo([&] { return gravity() == dragged; }));
  ASSERT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  EXPECT_EQ(wanted(), at_first);
  EXPECT_TRUE(eventually([&] { return !window_->isWindowModified(); }));
  EXPECT_TRUE(eventually(
      [&] { return !window_->findChild<QAction*>(QStringLiteral("undo"))->isEnabled(); }));

  ASSERT_TRUE(after_key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier,
                        [&] { return gravity() == dragged; }));
  redo();
  ASSERT_TRUE(after_redo([&] { return now().lanes[0].info->key == "rk4"; }));
  EXPECT_EQ(wanted(), at_last);
}

TEST_F(SessionWindow, IsKeptForItsUserAlone) {
  type("parameter/gravity", QStringLiteral("3"));
  kept_session([](const SavedSession&) { return true; });
  const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ExeGroup |
                      QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;
  const QString folder = session_folder();
  ASSERT_EQ(kept_sessions().size(), 1);
  for (const QString& path : {folder, folder + QLatin1Char('/') + kept_sessions()[0]})
    EXPECT_FALSE(QFileInfo(path).permissions() & others) << path.toStdString();
}

TEST_F(SessionWindow, UndoingInARunIsAnEventAndLeavesTheDataAlone) {
  run_for(20);
  change_gravity(3);
  run_for(20);
  const auto steps = now().steps;
  const std::string before = RunTable(window_->run()).text();
  ASSERT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(RunTable(window_->run()).text(), before);
  ASSERT_EQ(now().record->events.size(), 2u);
  EXPECT_EQ(now().record->events[1].step, steps);
  EXPECT_TRUE(window_->isWindowModified()) << "the record says what happened";
  EXPECT_TRUE(after_key(Qt::Key_Backspace, [&] { return window_->run().shown().steps == 0; }));
  EXPECT_EQ(now().record->events.size(), 2u) << "Rewind loses nothing";
}

TEST_F(SessionWindow, ADragInARunIsOneEditAndFewEvents) {
  window_->run().send(Pace{Pacing::real_time, 0.01});  // it continues until the drag is over
  run_by_key_beyond(2);
  const QPoint from = middle("parameter/gravity");
  point_at(from);
  QTest::mousePress(&view(), Qt::LeftButton, {}, from);
  constexpr int moves = 30;
  for (int i = 1; i <= moves; ++i) {
    move(QPointF(from) + QPointF(2 * i, 0), Qt::LeftButton);
    QTest::qWait(50);
  }
  QTest::mouseRelease(&view(), Qt::LeftButton, {}, from + QPoint(2 * moves, 0));
  wait_until_drawn();
  ASSERT_TRUE(eventually([&] { return std::abs(gravity() - (9.81 + 3.75)) < 0.02; }));
  pause_by_key();
  EXPECT_LE(now().record->events.size(), moves / 2U);
  EXPECT_GE(now().record->events.size(), 1U);
  ASSERT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  EXPECT_TRUE(eventually(
      [&] { return !window_->findChild<QAction*>(QStringLiteral("undo"))->isEnabled(); }));
}

// The record knows what was one drag, also where it is kept.
TEST_F(SessionWindow, ADragInAFastRunIsOneMarkAlsoAfterARecovery) {
  window_->run().send(Pace{Pacing::real_time, 16});
  window_->run().send(Change{{{"duration", 1e4}}});
  run_by_key_beyond(2);
  const auto drag_gravity = [&](int direction) {
    const QPoint from = middle("parameter/gravity");
    point_at(from);
    QTest::mousePress(&view(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 20; ++i) {
      move(QPointF(from) + QPointF(2 * direction * i, 0), Qt::LeftButton);
      QTest::qWait(50);
    }
    QTest::mouseRelease(&view(), Qt::LeftButton, {}, from + QPoint(40 * direction, 0));
    wait_until_drawn();
    ASSERT_TRUE(eventually([&] { return now().commands >= window_->run().sent(); }));
  };
  drag_gravity(1);
  const std::size_t first = now().markers.size();
  drag_gravity(-1);
  pause_by_key();
  const std::size_t all = now().markers.size();
  ASSERT_GE(first, 3u);
  ASSERT_GE(all, first + 3);
  EXPECT_GT(now().markers[1].t - now().markers[0].t, 1);
  const auto expect_two = [&](const std::vector<RunMarker>& markers) {
    const auto marks = ui::marker_groups(markers, 0);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].count, first);
    EXPECT_EQ(marks[1].count, all - first);
  };
  expect_two(now().markers);
  const std::int64_t steps = now().steps;
  recover(kept_session([&](const SavedSession& session) {
    return session.steps == steps && session.record.events.size() == all;
  }));
  ASSERT_EQ(now().steps, steps);
  expect_two(now().markers);

  // Of the record alone, too: a scenario that is saved and opened runs anew.
  const std::string text = write_scenario(window_->run().capture().record);
  auto again = value_of(Simulation::create(std::move(*read_scenario(text, "saved"))));
  while (again.steps() < steps) ASSERT_FALSE(again.step());
  expect_two(again.markers());
}

TEST_F(SessionWindow, FiftyEditsUndoneGiveTheFormerBytes) {
  for (const bool started : {false, true}) {
    if (started) {
      run_for(5);
      send({"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")});  // waits for Rewind
    }
    const std::string at_first = wanted();
    std::mt19937 random(started ? 2 : 1);
    const auto value = [&] { return json::Node(0.5 + static_cast<double>(random() % 1000) / 64); };
    for (int i = 0; i < 50; ++i) switch (random() % 6) {
        case 0:
          send({"system.gravity", value()});
          break;
        case 1:
          send({"system.masses[" + std::to_string(random() % 2) + "]", value()});
          break;
        case 2:
          send({"integrator.step", 0.0011 * static_cast<double>(1 + i)});
          break;
        case 3: {
          const auto all = integrators();
          const auto& next = all[random() % all.size()];
          const bool fits = next.supports(*now().system);
          if (fits && next.key != window_->session().document().settings->lanes[0].type)
            send({"integrator.type", next.key});
          else
            send({"duration", value()});
          break;
        }
        case 4:
          send({"system.tip_force[" + std::to_string(random() % 3) + "]", value()});
          break;
        default:
          send({"duration", value()});
      }
    const std::string at_last = wanted();
    ASSERT_NE(at_first, at_last);
    for (int i = 0; i < 50; ++i) window_->session().undo();
    EXPECT_EQ(wanted(), at_first) << (started ? "in a run" : "at the start");
    for (int i = 0; i < 50; ++i) window_->session().redo();
    EXPECT_EQ(wanted(), at_last) << (started ? "in a run" : "at the start");
  }
}

TEST_F(SessionWindow, UndoesTheLayoutAndTheOpeningOfAPreset) {
  change_gravity(3);
  key(Qt::Key_T);
  ASSERT_FALSE(view().interface().settings().trail);
  ASSERT_TRUE(
      after_click_entry("preset", "chain_pendulum", [&] { return now().system->size() == 10; }));
  EXPECT_FALSE(QApplication::activeModalWidget()) << "undo brings back what was there";
  ASSERT_TRUE(eventually([&] { return entry("undo").startsWith(QLatin1String("Undo opening ")); }));
  EXPECT_FALSE(window_->isWindowModified());

  activate();
  ASSERT_TRUE(after_undo([&] { return now().system->size() == 2; }));
  EXPECT_EQ(gravity(), 3) << "as it was left";
  EXPECT_TRUE(eventually([&] { return window_->isWindowModified(); }));
  undo();
  EXPECT_TRUE(view().interface().settings().trail);
  EXPECT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  for (int i = 0; i < 3; ++i) redo();
  EXPECT_TRUE(eventually([&] { return now().system->size() == 10; }));
}

TEST_F(SessionWindow, ResetsParametersAsOneEdit) {
  run_for(5);
  type("parameter/gravity", QStringLiteral("3"));
  type("step", QStringLiteral("0.005"));
  send({"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")});
  ASSERT_TRUE(eventually([&] { return now().pending.size() == 1 && gravity() == 3; }));
  const auto steps = now().steps;
  ASSERT_TRUE(after_key(Qt::Key_Backspace, Qt::ControlModifier,
                        [&] { return gravity() == 9.81 && now().pending.empty(); }));
  EXPECT_EQ(now().lanes[0].info->key, "variational");
  EXPECT_EQ(now().present->lanes[0].step, 0.01);
  EXPECT_EQ(now().steps, steps) << "it is no rewind";
  EXPECT_TRUE(after_undo([&] { return gravity() == 3 && now().pending.size() == 1; }));
  EXPECT_EQ(now().present->lanes[0].step, 0.005);
}

TEST_F(SessionWindow, AsksBeforeEditsAreLost) {
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); })) << "nothing to save, no question";
  open_window();
  ASSERT_TRUE(after_type("parameter/gravity", QStringLiteral("3"),
                         [&] { return window_->isWindowModified(); }));

  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Cancel);
  EXPECT_TRUE(window_->isVisible());
  EXPECT_TRUE(window_->isWindowModified());

  // Saving an untitled scenario asks for its place and then continues.
  const QString path = in_folder("kept.json");
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Save);
  enter_path(path, false);
  ASSERT_TRUE(eventually([&] { return !window_->isVisible(); }));
  EXPECT_EQ(value_of(load_scenario(path.toStdString())).parameters.at("gravity")[0], 3);
}

TEST_F(SessionWindow, AnotherDocumentIsNotChangedByTheRunsOfTheLast) {
  run_for(20);
  window_->run().show(5);
  ASSERT_TRUE(window_->run().fork());
  ASSERT_TRUE(eventually([&] { return window_->run().branches().size() == 2; }));
  window_->session().open(test::preset("three_body"), {});
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }));
  wait_until_drawn();  // an edit comes after a frame of what it changes
  EXPECT_FALSE(window_->session().modified());
  send({"system.gamma", 2.0});
  EXPECT_TRUE(eventually([&] { return window_->session().modified(); }));
  EXPECT_TRUE(after_undo([&] { return !window_->session().modified(); }));
}

TEST_F(SessionWindow, TheQuestionIsAnsweredByKeys) {
  ASSERT_TRUE(after_type("parameter/gravity", QStringLiteral("3"),
                         [&] { return window_->isWindowModified(); }));
  for (const auto& answer_of : {std::pair{Qt::Key_C, false}, {Qt::Key_D, true}}) {
    const bool closes = answer_of.second;
    QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
    auto* box = dialog<QMessageBox>();
    box->activateWindow();  // without a window manager nobody else does
    ASSERT_TRUE(eventually([&] { return QApplication::activeWindow() == box; }));
    QTest::keyClick(box, answer_of.first, Qt::AltModifier);
    ASSERT_TRUE(eventually([] { return !QApplication::activeModalWidget(); }));
    EXPECT_TRUE(eventually([&] { return window_->isVisible() != closes; })) << closes;
    if (closes) break;
    window_->activateWindow();
    ASSERT_TRUE(eventually([&] { return QApplication::activeWindow() == window_.get(); }));
  }
}

TEST_F(SessionWindow, AFailedSaveLosesNothing) {
  ASSERT_TRUE(after_type("parameter/gravity", QStringLiteral("3"),
                         [&] { return window_->isWindowModified(); }));
  QTest::keyClick(&view(), Qt::Key_Q, Qt::ControlModifier);
  answer(QMessageBox::Save);
  enter_path(QStringLiteral("/proc/kept.json"), false);
  EXPECT_TRUE(dismiss().contains(QLatin1String("/proc/kept.json")));
  EXPECT_TRUE(window_->isVisible()) << "it was not closed";
  EXPECT_TRUE(window_->isWindowModified());
}

// No test: what the program does that is killed below.
TEST_F(SessionWindow, DISABLED_Robot) {
  run_for(30);
  type("parameter/gravity", QStringLiteral("3"));
  ASSERT_TRUE(
      after_click_entry("integrator", "rk4", [&] { return now().lanes[0].info->key == "rk4"; }));
  run_for(30);
  // Edits after the last step: one that acts now and one that waits.
  type("parameter/masses[1]", QStringLiteral("2"));
  send({"initial.omega[1]", *json::parse_value("[0, 0.5, 0]")});
  ASSERT_TRUE(eventually([&] { return now().pending.size() == 1; }));
  const auto complete = [&] {
    const QStringList kept = kept_sessions();
    if (kept.size() != 1) return false;
    const auto text =
        read_file((session_folder() + QLatin1Char('/') + kept[0]).toStdString(), json::max_bytes);
    if (!text) return false;
    const auto session = read_session(*text, "session");
    return session && session->pending.size() == 1 && session->steps == now().steps &&
           session->record.events.size() == 3;
  };
  ASSERT_TRUE(eventually(complete));
  QFile ready(qEnvironmentVariable(robot_file));
  ASSERT_TRUE(ready.open(QIODevice::WriteOnly));
  ready.close();
  QTest::qWait(10 * patience);
  FAIL() << "was not killed";
}

SavedSession SessionWindow::killed_session() {
  const QStringList before = kept_sessions();
  const QString ready = in_folder("ready");
  QFile::remove(ready);
  ChildProgram robot(QCoreApplication::applicationFilePath(),
                     {QStringLiteral("--gtest_filter=SessionWindow.DISABLED_Robot"),
                      QStringLiteral("--gtest_also_run_disabled_tests")},
                     false,
                     {{robot_file, ready.toStdString()},
                      {"XDG_STATE_HOME", in_folder("robot").toStdString()},
                      {"TMPDIR", folder_.path().toStdString()}});
  EXPECT_TRUE(
      QTest::qWaitFor([&] { return QFileInfo::exists(ready) || !robot.running(); }, 6 * patience));
  EXPECT_TRUE(robot.kill()) << "it ended by itself";
  // Into the folder where this program looks, with the lock of the dead one.
  QDir().mkpath(session_folder());
  const QDir from(in_folder("robot/twosphere"));
  SavedSession session;
  for (const QString& name : from.entryList(QDir::Files | QDir::Hidden)) {
    EXPECT_TRUE(QFile::rename(from.filePath(name), session_folder() + QLatin1Char('/') + name));
    if (!name.endsWith(QLatin1String(".json"))) continue;
    const auto text = value_of(
        read_file((session_folder() + QLatin1Char('/') + name).toStdString(), json::max_bytes));
    auto read = read_session(text, "session");
    EXPECT_TRUE(read) << read.error().text();
    if (read) session = std::move(*read);
  }
  EXPECT_EQ(kept_sessions().size(), before.size() + 1);
  return session;
}

TEST_F(SessionWindow, ComesBackAfterAKill) {
  const SavedSession first = killed_session(), second = killed_session();
  ASSERT_GE(first.steps, 60);
  reopen_window();
  auto* offer = dialog<RecoveryDialog>();
  ASSERT_EQ(offer->findChild<QListWidget*>()->count(), 2);
  // A second program does not offer what this one holds.
  EXPECT_TRUE(abandoned_sessions().empty());
  // The newest comes first; that one is thrown away.
  QTest::mouseClick(offer->findChild<QPushButton*>(QStringLiteral("discard")), Qt::LeftButton);
  ASSERT_EQ(offer->findChild<QListWidget*>()->count(), 1);
  QTest::mouseClick(offer->findChild<QPushButton*>(QStringLiteral("recover")), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] {
    return window_->statusBar()->currentMessage().contains(QLatin1String("bit for bit"));
  })) << window_->statusBar()->currentMessage().toStdString();
  EXPECT_EQ(now().steps, first.steps);
  EXPECT_EQ(now().state, RunState::paused);
  EXPECT_EQ(now().lanes[0].info->key, "rk4");
  EXPECT_EQ(gravity(), 3);
  EXPECT_EQ(now().present->parameters.at("masses")[1], 2);
  EXPECT_EQ(now().pending.size(), 1u);
  EXPECT_EQ(write_scenario(window_->run().capture().record),
            write_scenario(main_record(first.record)));
  EXPECT_TRUE(window_->isWindowModified());
  EXPECT_EQ(window_->run().histories()[0].size(), static_cast<std::size_t>(first.steps) + 1);

  // All samples are those of the record run headless.
  const QString record = in_folder("record.json");
  ASSERT_TRUE(write_file(record.toStdString(), write_scenario(first.record)));
  EXPECT_EQ(RunTable(window_->run()).text(),
            output_of_program({QStringLiteral("run"), record, QStringLiteral("--steps"),
                               QString::number(first.steps), QStringLiteral("--csv"),
                               QStringLiteral("-"), QStringLiteral("--quiet")}));

  // Undo continues where the program was killed, and so does redo.
  EXPECT_TRUE(entry("undo").endsWith(QLatin1String("start of body 2")))
      << entry("undo").toStdString();
  ASSERT_TRUE(after_undo([&] { return now().pending.empty(); }));
  ASSERT_TRUE(after_undo([&] { return now().present->parameters.at("masses")[1] == 1; }));
  ASSERT_TRUE(after_undo([&] { return now().lanes[0].info->key == "variational"; }));
  EXPECT_EQ(gravity(), 3);
  ASSERT_TRUE(after_undo([&] { return gravity() == 9.81; }));
  EXPECT_EQ(now().steps, first.steps);
  for (int i = 0; i < 3; ++i) redo();
  ASSERT_TRUE(eventually([&] { return now().present->parameters.at("masses")[1] == 2; }));
  EXPECT_EQ(now().lanes[0].info->key, "rk4");
  EXPECT_TRUE(entry("redo").endsWith(QLatin1String("start of body 2")));

  // What was recovered is this program's session now, until that ends.
  ASSERT_TRUE(eventually([&] { return kept_sessions().size() == 1; }));
  window_.reset();
  EXPECT_TRUE(kept_sessions().isEmpty());
  EXPECT_TRUE(QDir(session_folder()).isEmpty()) << "no lock is left either";
}

TEST_F(SessionWindow, ComesBackWithTheLaneThatOthersAreComparedWithAndThoseAddedSince) {
  ASSERT_TRUE(after_key(Qt::Key_L, [&] { return now().lanes.size() == 2; }));
  run_for(10);
  ASSERT_TRUE(after_key(Qt::Key_L, Qt::ShiftModifier, [&] { return now().lanes.size() == 3; }));
  run_for(10);
  click("reference_lane[1]");
  ASSERT_EQ(window_->session().for_recovery().reference_lane, 1);
  recover(kept_session([&](const SavedSession& session) {
    return session.reference_lane == 1 && session.record.events.size() == 1;
  }));
  EXPECT_EQ(window_->session().for_recovery().reference_lane, 1);
  EXPECT_EQ(now().lanes.size(), 3u);
  ASSERT_EQ(window_->run().histories().size(), 3u);
  EXPECT_GT(window_->run().histories()[2].first(), 0u);
  QTest::qWait(100);  // frames with it
  EXPECT_EQ(window_->session().for_recovery().reference_lane, 1);
  EXPECT_FALSE(says(window_->session().undo_label(), "reference"));
}

TEST_F(SessionWindow, ComesBackInTheFrameOfItsView) {
  const FrameChoice frame{.axis = Vec3::UnitX(), .rate = 2};
  run_for(10);
  view().interface().settings().frame = frame;
  view().request_frame();
  recover(kept_session([&](const SavedSession& session) { return session.frame == frame; }));
  EXPECT_EQ(view().interface().settings().frame, frame);
  EXPECT_TRUE(eventually([&] {
    return view().scene_style().frame == TurningFrame{frame.axis, frame.rate};
  }));
  EXPECT_FALSE(says(window_->session().undo_label(), "frame"));
}

TEST_F(SessionWindow, ComesBackWithAllItsRuns) {
  run_for(60);
  const int first = window_->run().present_branch();
  const std::string table = RunTable(window_->run()).text();
  window_->run().show(0);
  window_->run().send(Change{{{"system.gravity", 3.0}}});
  ASSERT_TRUE(eventually([&] { return window_->run().present_branch() != first; }));
  ASSERT_TRUE(window_->session().edit_run(first, BranchLook{"earth", 5, false}));
  run_for(20);
  const std::string other = RunTable(window_->run()).text();
  const std::int64_t steps = now().steps;
  recover(kept_session([&](const SavedSession& session) {
    return session.record.branches.size() == 1 && session.steps == steps;
  }));
  EXPECT_EQ(RunTable(window_->run()).text(), other);
  ASSERT_EQ(window_->run().branches().size(), 2u);
  const Branch& earth = window_->run().branches()[1];
  EXPECT_EQ(earth.look, (BranchLook{"earth", 5, false}));
  ASSERT_TRUE(earth.checkpoints) << "at once";
  ASSERT_TRUE(eventually([&] { return window_->run().incomplete_runs().empty(); }));
  ASSERT_TRUE(window_->session().switch_to(earth.id));
  ASSERT_TRUE(eventually([&] { return window_->run().present_branch() == earth.id; }));
  EXPECT_EQ(RunTable(window_->run()).text(), table);
}

TEST_F(SessionWindow, ARunThatUndoTookBackAtOnceIsNotKeptAndNotRedone) {
  run_for(60);
  const std::int64_t steps = now().steps;
  const int first = window_->run().present_branch();
  send({"system.gravity", 5.0});
  ASSERT_TRUE(eventually([&] { return gravity() == 5; }));
  window_->run().show(20);
  ASSERT_TRUE(eventually([&] { return window_->run().exact(); }));
  send({"system.gravity", 3.0});
  ASSERT_TRUE(eventually([&] { return window_->run().present_branch() != first; }));
  ASSERT_TRUE(eventually([&] { return gravity() == 3; }));
  send({"system.masses[1]", 2.0});
  ASSERT_TRUE(eventually([&] { return now().present->parameters.at("masses")[1] == 2; }));
  while (window_->run().present_branch() != first) {
    ASSERT_TRUE(entry("undo") != QLatin1String("Undo"));
    ASSERT_TRUE(after_undo([&] { return !window_->run().is_switching(); }));
  }
  ASSERT_EQ(window_->run().branches().size(), 1u);
  auto* redo = window_->findChild<QAction*>(QStringLiteral("redo"));
  ASSERT_TRUE(eventually([&] { return redo->isEnabled(); }));
  recover(kept_session([&](const SavedSession& session) {
    return session.steps == steps && session.record.branches.empty() &&
           session.edits.done < session.edits.list.size();
  }));
  EXPECT_EQ(now().steps, steps);
  EXPECT_EQ(window_->run().branches().size(), 1u);
  EXPECT_FALSE(window_->findChild<QAction*>(QStringLiteral("redo"))->isEnabled());
  EXPECT_EQ(now().present->parameters.at("masses")[1], 1);
  EXPECT_TRUE(after_undo([&] { return gravity() == 9.81; }));
}

// Runs that Rewind left are in the session, too, and Undo brings them back.
TEST_F(SessionWindow, ComesBackWithTheRunsThatRewindLeft) {
  run_for(60);
  window_->run().show(30);
  window_->run().send(Change{{{"system.gravity", 3.0}}});  // another run of the first start
  ASSERT_TRUE(eventually([&] { return window_->run().branches().size() == 2; }));
  run_for(20);
  const std::string first = RunTable(window_->run()).text();
  change_gravity(5);
  ASSERT_TRUE(
      after_key(Qt::Key_Backspace, [&] { return now().steps == 0 && !window_->run().in_past(); }));
  run_for(15);
  const std::string second = RunTable(window_->run()).text();
  recover(kept_session([&](const SavedSession& session) { return session.steps == now().steps; }));
  LiveRun& run = window_->run();
  EXPECT_EQ(RunTable(run).text(), second);
  EXPECT_EQ(window_->session().undo_label(), "rewinding with changed settings");
  ASSERT_TRUE(eventually([&] { return run.incomplete_runs().empty(); }));
  ASSERT_TRUE(after_undo([&] { return run.branches().size() == 2; }));
  EXPECT_EQ(gravity(), 5);
  EXPECT_EQ(RunTable(run).text(), first);
  ASSERT_TRUE(after_redo([&] { return run.branches().size() == 1; }));
  EXPECT_EQ(RunTable(run).text(), second);
}

// No run of a recovered session is waited for: each continues from its saved state while it is
// repeated.
TEST_F(SessionWindow, OtherRunsAreThereAtOnce) {
  constexpr std::int64_t steps = 3'000'000;
  LiveRun& before = window_->run();
  before.send(TakeSteps{steps});
  ASSERT_TRUE(QTest::qWaitFor([&] { return now().steps == steps; }, 3 * patience));
  const int first = before.present_branch();
  before.show(steps - 1000);
  before.send(Change{{{"system.gravity", 3.0}}});
  ASSERT_TRUE(eventually([&] { return before.present_branch() != first; }));
  const QString file = keep_session(20, steps - 1000);
  reopen_window();
  ASSERT_NO_FATAL_FAILURE(take_offer());
  LiveRun& run = window_->run();
  ASSERT_TRUE(eventually([&] { return now().steps == steps - 980; }));
  ASSERT_EQ(run.branches().size(), 2u);
  const Branch other = run.branches()[1];
  EXPECT_EQ(run.shared_steps(other), steps - 1000);
  ASSERT_TRUE(other.saved);
  ASSERT_TRUE(other.checkpoints);
  EXPECT_EQ(other.checkpoints->newest()->step(), steps);
  ASSERT_TRUE(window_->session().switch_to(other.id));
  ASSERT_TRUE(eventually([&] { return run.present_branch() == other.id; }));
  EXPECT_EQ(now().steps, steps) << "without a repetition";
  EXPECT_EQ(gravity(), 9.81);
  EXPECT_EQ(run.histories()[0].first(), run.histories()[0].size());
  run.send(TakeSteps{500});
  ASSERT_TRUE(eventually([&] { return now().steps == steps + 500; }));
  auto whole = value_of(Simulation::create(*now().record));
  while (whole.steps() < steps + 500) ASSERT_FALSE(whole.advance_to(steps + 500));
  EXPECT_EQ(whole.state(0).q, now().lanes[0].state.q);
  EXPECT_EQ(whole.state(0).w, now().lanes[0].state.w);
  // The samples follow.
  ASSERT_TRUE(QTest::qWaitFor([&] { return run.incomplete_runs().empty(); }, 6 * patience));
  EXPECT_EQ(run.histories()[0].first(), 0u);
  EXPECT_EQ(run.histories()[0].size(), static_cast<std::size_t>((steps + 500) / now().stride + 1));
}

TEST_F(SessionWindow, SaysThatARecoveredStateIsAnother) {
  run_for(10);
  const Worker::Captured now_here = window_->run().capture();
  SavedSession session{.record = now_here.record,
                       .steps = now_here.steps,
                       .applied = now_here.applied,
                       .pending = {},
                       .state = write_scenario(now_here.record),  // not that of the last step
                       .opened = now_here.record,
                       .path = {},
                       .edited = true};
  ASSERT_TRUE(QDir().mkpath(session_folder()));
  ASSERT_TRUE(write_file((session_folder() + QStringLiteral("/session-x.json")).toStdString(),
                         write_session(session)));
  reopen_window();
  ASSERT_NO_FATAL_FAILURE(take_offer());
  ASSERT_TRUE(eventually(
      [] { return qobject_cast<QMessageBox*>(QApplication::activeModalWidget()) != nullptr; }));
  EXPECT_TRUE(dismiss().contains(QLatin1String("differs from the saved one")));
}

TEST_F(SessionWindow, RunsBegunDuringARecoveryStayAndCanBeUndone) {
  constexpr std::int64_t steps = 3'000'000;
  const QString file = keep_session(steps);
  const double t = now().t;
  reopen_window();
  ASSERT_NO_FATAL_FAILURE(take_offer());
  ASSERT_TRUE(eventually([&] { return now().t == t; }));
  LiveRun& run = window_->run();
  ASSERT_TRUE(eventually([&] { return now().steps == steps; }));
  run.send(TakeSteps{50});
  ASSERT_TRUE(eventually([&] { return now().steps == steps + 50; }));
  const Columns first = now().lanes[0].state.q;
  view().interface().settings().reference_run = run.present_branch();
  run.show(steps + 20);
  send({"system.gravity", 3.0});
  ASSERT_TRUE(eventually([&] { return run.branches().size() == 2; }));
  run.send(TakeSteps{5});
  ASSERT_TRUE(eventually([&] { return now().steps == steps + 25; }));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !QFileInfo::exists(file); }, 3 * patience));
  EXPECT_EQ(gravity(), 3);
  ASSERT_EQ(run.branches().size(), 2u);
  const auto other =
      std::find_if(run.branches().begin(), run.branches().end(),
                   [&](const Branch& branch) { return branch.id != run.present_branch(); });
  EXPECT_EQ(run.shared_steps(*other), steps + 20);
  EXPECT_EQ(view().interface().settings().reference_run, other->id);
  for (const Branch& branch : run.branches()) EXPECT_FALSE(branch.saved) << branch.look.name;
  EXPECT_EQ(run.histories()[0].first(), 0u) << "the samples of both runs are there";
  EXPECT_EQ(other->histories[0].first(), 0u);
  // Undo of the fork continues with the first run, which comes to where it was.
  undo();
  ASSERT_TRUE(window_->session().undo_label().starts_with("continuing from step"))
      << window_->session().undo_label();
  ASSERT_TRUE(after_undo([&] { return now().steps == steps + 50; })) << now().steps;
  EXPECT_EQ(now().lanes[0].state.q, first);
  EXPECT_EQ(gravity(), 9.81);
}

TEST_F(SessionWindow, TheKeptStateIsThereAtOnceAndTheRunJoinsIt) {
  constexpr std::int64_t steps = 3'000'000;
  const QString file = keep_session(steps);
  const double t = now().t;
  reopen_window();
  window_->greet();
  wait_until_drawn();
  ASSERT_TRUE(view().interface().gallery_open());
  ASSERT_NO_FATAL_FAILURE(take_offer());
  ASSERT_TRUE(eventually([&] { return now().t == t; }));
  EXPECT_EQ(now().steps, steps) << "it continues from there, and nothing was waited for";
  EXPECT_FALSE(view().interface().gallery_open());
  window_->activateWindow();
  key(Qt::Key_Return);
  EXPECT_EQ(now().t, t) << "no other preset is opened";
  EXPECT_TRUE(QFileInfo::exists(file)) << "until all of it is back";

  // What is done meanwhile is not lost: steps, an edit, steps.
  window_->run().send(TakeSteps{5});
  send({"system.gravity", 4.0});
  send({"system.gravity", 3.0});
  advance(7, steps + 12);
  EXPECT_EQ(gravity(), 3);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !QFileInfo::exists(file); }, 3 * patience));
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QLatin1String("bit for bit")))
      << window_->statusBar()->currentMessage().toStdString();
  EXPECT_EQ(now().record->events.size(), 1u);
  EXPECT_EQ(now().record->events[0].step, steps + 5);
  EXPECT_FALSE(now().record->continuation) << "from its first start";
  EXPECT_FALSE(window_->findChild<QToolBar*>(QStringLiteral("repetition")));
  const History& history = window_->run().histories()[0];
  EXPECT_EQ(history.column(Quantity::time)[0], 0);
  EXPECT_EQ(history.size(), static_cast<std::size_t>((steps + 12) / now().stride + 1));
  // As if nobody had ever been killed.
  auto whole = value_of(Simulation::create(*now().record));
  while (whole.steps() < steps + 12) ASSERT_FALSE(whole.step());
  EXPECT_EQ(whole.state(0).q, now().lanes[0].state.q);
  EXPECT_EQ(whole.state(0).w, now().lanes[0].state.w);
  // And continues as one run.
  EXPECT_TRUE(after_key(Qt::Key_Right, [&] { return now().steps == steps + 13; }));
  EXPECT_TRUE(after_key(Qt::Key_Backspace, [&] { return window_->run().shown().t == 0; }));
}

// Of 163 842 molecules: 76 MB.
TEST_F(SessionWindow, LargeSessionsAreReadAndThoseThatCannotBeAreSaid) {
  const Worker::Captured kept = window_->run().capture();
  SavedSession large{.record = kept.record,
                     .steps = 0,
                     .applied = 0,
                     .pending = {},
                     .state = write_scenario(kept.scenario),
                     .opened = kept.record,
                     .path = {},
                     .edited = true};
  const auto with_note = [](Scenario& scenario, char letter) {
    scenario.view = json::Node::object();
    scenario.view.set("note", std::string(std::size_t{40} << 20, letter));
  };
  with_note(large.record, 'x');
  with_note(large.opened, 'y');
  const std::string text = write_session(large);
  ASSERT_GT(text.size(), json::max_bytes);
  EXPECT_EQ(write_session(value_of(read_session(text, "session"))), text);

  ASSERT_TRUE(QDir().mkpath(session_folder()));
  const QString recent = session_folder() + QStringLiteral("/session-a.json"),
                old = session_folder() + QStringLiteral("/session-b.json");
  for (const QString& file : {recent, old})
    ASSERT_TRUE(write_file(file.toStdString(), "{\"twosphere_session\": 1}\n"));
  QFile aged(old);
  ASSERT_TRUE(aged.open(QIODevice::ReadWrite));
  ASSERT_TRUE(aged.setFileTime(QDateTime::currentDateTime().addDays(-31),
                               QFileDevice::FileModificationTime));
  aged.close();
  reopen_window();
  auto* offer = dialog<RecoveryDialog>();
  EXPECT_FALSE(QFileInfo::exists(old)) << "not kept for ever";
  auto* list = offer->findChild<QListWidget*>();
  ASSERT_EQ(list->count(), 1);
  EXPECT_TRUE(list->item(0)->text().startsWith(QLatin1String("Cannot be read")));
  EXPECT_FALSE(offer->findChild<QPushButton*>(QStringLiteral("recover"))->isEnabled());
  QTest::mouseClick(offer->findChild<QPushButton*>(QStringLiteral("discard")), Qt::LeftButton);
  EXPECT_TRUE(eventually([] { return !QApplication::activeModalWidget(); }));
  EXPECT_FALSE(QFileInfo::exists(recent));
}

TEST(SavedSession, RefusesASettingThatHasNoPlace) {
  const auto preset = test::preset("chain_pendulum");
  const SavedSession session{.record = preset,
                             .pending = {{"system.gravity", 2.0}},
                             .state = write_scenario(preset),
                             .opened = preset,
                             .path = {}};
  std::string text = write_session(session);
  ASSERT_TRUE(read_session(text, "s")) << read_session(text, "s").error().text();
  const std::string path = "system.gravity";
  text.replace(text.find(path), path.size(), "lanes[-1].step");
  EXPECT_TRUE(says(error_of(read_session(text, "s")).text(), "\"lanes[-1].step\" is not a path"));
}

// As at the end of a login: nothing is lost, and nothing is asked at the next start.
TEST_F(SessionWindow, AProgramThatIsAskedToEndKeepsItsSessionAndOffersNothing) {
  run_for(20);
  window_->leave();
  const std::int64_t steps = now().steps;
  window_.reset();
  ASSERT_EQ(kept_sessions().size(), 1) << "with its state, although nothing was edited";
  open_window();
  QTest::qWait(200);
  EXPECT_FALSE(QApplication::activeModalWidget());
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QLatin1String("Recover session")));
  window_->findChild<QAction*>(QStringLiteral("recover_session"))->trigger();
  ASSERT_NO_FATAL_FAILURE(take_offer());
  ASSERT_TRUE(eventually([&] {
    return window_->statusBar()->currentMessage().contains(QLatin1String("bit for bit"));
  }));
  EXPECT_EQ(now().steps, steps);
  window_.reset();
  // An unedited start leaves nothing behind.
  open_window();
  window_->leave();
  window_.reset();
  EXPECT_TRUE(kept_sessions().isEmpty());
}

TEST_F(SessionWindow, AnUneditedStartIsNotKept) {
  QTest::qWait(1000);
  EXPECT_TRUE(kept_sessions().isEmpty());
  EXPECT_TRUE(after_type("parameter/gravity", QStringLiteral("3"),
                         [&] { return kept_sessions().size() == 1; }));
  EXPECT_TRUE(after_undo([&] { return kept_sessions().isEmpty(); }));
}

TEST_F(SessionWindow, SaysThatTheSessionCannotBeKept) {
  // A file stands where the folder should be.
  ASSERT_TRUE(write_file(in_folder("state").toStdString(), "in the way"));
  type("parameter/gravity", QStringLiteral("3"));
  EXPECT_TRUE(eventually([&] {
    return window_->statusBar()->currentMessage().contains(QLatin1String("not saved for recovery"));
  }));
  EXPECT_EQ(contents(in_folder("state")), "in the way");
}

/// While it lives, files end after so many bytes, as on a full disk.
class FullDisk {
 public:
  FullDisk() {
    former_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{500, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, former_);
  }

 private:
  rlimit limit_{};
  void (*former_)(int);
};

TEST_F(SessionWindow, APageThatWasOpenedIsNeverWritten) {
  const Scenario scenario = value_of(load_preset("three_body"));
  const std::string page =
      "<!DOCTYPE html>\n<script type=\"application/octet-stream\" id=\"scenario\">\n" +
      base64(write_scenario(scenario)) + "\n</script>\n";
  // From a dialog, by a drop and from the list of recent files; and by the command line.
  for (const char* name : {"page.html", "page.htm", "page.json"})
    for (const bool at_start : {false, true}) {
      SCOPED_TRACE(name);
      const QString path = in_folder(name), copy = in_folder("copy.json");
      ASSERT_TRUE(write_file(path.toStdString(), page));
      QFile::remove(copy);
      if (at_start) {
        window_.reset();
        window_ = std::make_unique<MainWindow>(value_of(Simulation::create(scenario)), path);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience));
      } else {
        window_->open(path);
        ASSERT_TRUE(eventually([&] { return now().system_info->key == "n_body"; }));
      }
      const Document& document = window_->session().document();
      EXPECT_EQ(document.path, "");
      EXPECT_EQ(document.opened->title, scenario.title);
      EXPECT_TRUE(
          eventually([&] { return window_->windowTitle().contains(to_qstring(scenario.title)); }));
      activate();
      window_->findChild<QAction*>(QStringLiteral("save_scenario"))->trigger();
      enter_path(copy);
      ASSERT_TRUE(eventually([&] { return document.path == copy.toStdString(); }));
      EXPECT_EQ(contents(path).toStdString(), page);
      EXPECT_TRUE(load_scenario(copy.toStdString()));
      reopen_window();
    }
}

TEST_F(SessionWindow, FilesThatCannotBeWritten) {
  run_for(10);
  const auto steps = now().steps;
  ASSERT_TRUE(QDir(folder_.path()).mkdir(QStringLiteral("place")));
  const QDir place(in_folder("place"));
  for (const char* action : {"save_scenario_as", "save_state", "export_csv", "save_picture"}) {
    SCOPED_TRACE(action);
    const auto order = [&] {
      activate();
      window_->findChild<QAction*>(QLatin1String(action))->trigger();
      // The picture is chosen first: that of the window.
      if (action == std::string_view("save_picture"))
        QTest::keyClick(dialog<PictureDialog>(), Qt::Key_Return);
    };
    // In a folder that is gone.
    order();
    enter_path(in_folder("gone/file.json"));
    EXPECT_TRUE(dismiss().contains(QLatin1String("gone/file.json")));
    EXPECT_FALSE(QFileInfo::exists(in_folder("gone")));
    // Over an old file, on a full disk.
    const QString file = place.filePath(QStringLiteral("old.json"));
    ASSERT_TRUE(write_file(file.toStdString(), "old"));
    order();
    // The question whether to replace it holds the dialog up until it is answered.
    QTimer replace;
    QObject::connect(&replace, &QTimer::timeout, [] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box && box->button(QMessageBox::Yes))
        QTest::mouseClick(box->button(QMessageBox::Yes), Qt::LeftButton);
    });
    replace.start(50);
    {
      const FullDisk full;
      enter_path(file);
      ASSERT_TRUE(eventually([] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        return box && box->button(QMessageBox::Close);
      }));
    }
    EXPECT_TRUE(dismiss().contains(QLatin1String("old.json")));
    EXPECT_EQ(contents(file), "old");
    EXPECT_EQ(place.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1)
        << "nothing is left beside it";
  }
  EXPECT_EQ(now().steps, steps);
}

TEST_F(SessionWindow, AFullDiskLeavesTheKeptSessionWhole) {
  ASSERT_TRUE(after_type("parameter/gravity", QStringLiteral("3"),
                         [&] { return kept_sessions().size() == 1; }));
  const QString file = session_folder() + QLatin1Char('/') + kept_sessions()[0];
  const QByteArray before = contents(file);
  {
    const FullDisk full;
    send({"system.gravity", 4.0});
    EXPECT_TRUE(eventually([&] {
      return window_->statusBar()->currentMessage().contains(
          QLatin1String("not saved for recovery"));
    }));
  }
  EXPECT_EQ(contents(file), before);
}

}  // namespace
}  // namespace twosphere::session_test
