// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios as text: the clipboard, files dropped, files opened lately, the command line of a run;
// and the search for commands.
#include <sys/stat.h>

#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QTreeWidget>
#include <QUrl>
#include <fstream>

#include "app/base/qt_text.h"
#include "app/base/task_bar.h"
#include "app/dialogs/command_search_dialog.h"
#include "app/dialogs/help_dialog.h"
#include "app/scene/view_text.h"
#include "app/session/recent_files.h"
#include "app/session/run_table.h"
#include "app/window/view_section.h"
#include "core/base/file.h"
#include "core/output/csv.h"
#include "core/scenario/branches.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/app/child_program.h"
#include "tests/app/window_fixture.h"
#include "tests/outcome.h"
#include "ui/shell/word_search.h"

namespace twosphere::scenario_text_test {
namespace {

using namespace test;

struct ScenarioText : Window {
  void SetUp() override {
    default_ = qgetenv("XDG_STATE_HOME");
    qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
    QGuiApplication::clipboard()->clear();
    Window::SetUp();
  }
  void TearDown() override {
    window_.reset();
    Window::TearDown();
    qputenv("XDG_STATE_HOME", default_);
  }

  static QString clipboard() { return QGuiApplication::clipboard()->text(); }
  void write(const QString& path, const std::string& content) {
    ASSERT_TRUE(write_file(path.toStdString(), content));
  }
  /// Drags something over the window and lets it go there; whether it is taken.
  bool drop(QMimeData& data) {
    const QPoint at(200, 200);
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QApplication::sendEvent(window_.get(), &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent let_go(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(window_.get(), &let_go);
    wait_until_drawn();
    return true;
  }
  bool drop_file(const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    return drop(data);
  }
  QStringList recent_entries() {
    auto* menu = window_->findChild<QMenu*>(QStringLiteral("recent"));
    Q_EMIT menu->aboutToShow();
    QStringList list;
    for (const QAction* action : menu->actions())
      if (!action->toolTip().isEmpty() && action->toolTip().startsWith(QLatin1Char('/')))
        list << action->toolTip();
    return list;
  }
  CommandSearch* search() { return ask<CommandSearch>(Qt::Key_K); }

  QByteArray default_;
};

// There is no window manager here that would do so.
TEST_F(ScenarioText, ASearchThatIsOverGivesTheKeyboardBack) {
  for (const bool chosen : {true, false}) {
    const QPointer<CommandSearch> asked = search();
    if (chosen) QTest::keyClicks(asked->focusWidget(), QStringLiteral("graticule"));
    QTest::keyClick(asked->focusWidget(), chosen ? Qt::Key_Return : Qt::Key_Escape);
    ASSERT_TRUE(eventually([&] { return !asked || !asked->isVisible(); }));
    ASSERT_TRUE(eventually([&] { return QApplication::activeWindow() == window_.get(); }));
    EXPECT_TRUE(view().hasFocus());
    EXPECT_EQ(QGuiApplication::focusWindow(), window_->windowHandle());
    QTest::keyClick(window_->windowHandle(), Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return window_->run().plays() == chosen; })) << chosen;
  }
}

TEST_F(ScenarioText, IsCopiedAndPasted) {
  type("parameter/gravity", QStringLiteral("3.25"));
  run_for(10);
  type("parameter/gravity", QStringLiteral("1.62"));
  run_for(5);
  const auto captured = window_->run().capture();
  key(Qt::Key_C, Qt::ControlModifier);
  ASSERT_TRUE(eventually([] { return !clipboard().isEmpty(); }));
  Scenario record = captured.record;
  record.every = captured.first_stride;
  EXPECT_EQ(clipboard().toStdString(), write_scenario(record));

  ASSERT_TRUE(after_click_entry("preset", "three_body", [&] { return now().system->size() == 3; }));
  ASSERT_TRUE(after_key(Qt::Key_V, Qt::ControlModifier, [&] { return now().system->size() == 2; }));
  EXPECT_EQ(now().steps, 0);
  EXPECT_EQ(write_scenario(*now().record), write_scenario(record)) << "with its changes";
}

TEST_F(ScenarioText, PastedInErrorSaysWhereAndLeavesTheRun) {
  run_for(5);
  const auto steps = now().steps;
  for (const auto& [content, place] :
       {std::pair(QStringLiteral("{\"twosphere\": 1,\n \"system\":\n  {\"type\": "
                                 "\"chain_pendulum\", \"masses\": [1, -1], \"lengths\": 1},\n"
                                 " \"initial\": {\"q\": [[1,0,0],[1,0,0]], \"omega\": "
                                 "[[0,0,0],[0,0,0]]},\n \"integrator\": {\"type\": "
                                 "\"variational\", \"step\": 0.01}, \"duration\": 1}"),
                  "clipboard:3: system.masses[1]: "),
        std::pair(QStringLiteral("{\n\"twosphere\": 1,,\n}"), "clipboard:2: "),
        std::pair(QStringLiteral("  \n"), "There is no text to paste")}) {
    QGuiApplication::clipboard()->setText(content);
    activate();
    key(Qt::Key_V, Qt::ControlModifier);
    const QString message = dismiss();
    EXPECT_TRUE(message.contains(QLatin1String(place))) << message.toStdString();
    EXPECT_EQ(now().steps, steps);
  }
}

TEST_F(ScenarioText, KeysInATextFieldAreTheFieldsOwn) {
  QGuiApplication::clipboard()->setText(QStringLiteral("2.5"));
  click("parameter/gravity");
  QTest::keyClick(&view(), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(&view(), Qt::Key_V, Qt::ControlModifier);
  EXPECT_TRUE(after_key(Qt::Key_Return, [&] { return gravity() == 2.5; })) << gravity();
  EXPECT_FALSE(QApplication::activeModalWidget());
}

TEST_F(ScenarioText, IsDroppedAsAFileOrAsText) {
  const QString file = in_folder("three.json"), state = in_folder("state.json");
  write(file, std::string(find_preset("three_body")->text));
  ASSERT_TRUE(drop_file(file));
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }));
  EXPECT_TRUE(window_->windowTitle().contains(QLatin1String("three.json")));
  auto made = run_of_preset("chain_pendulum");
  for (int i = 0; i < 7; ++i) ASSERT_FALSE(made.step());
  write(state, write_scenario(made.continuation()));
  ASSERT_TRUE(drop_file(state));
  ASSERT_TRUE(eventually([&] { return now().system->size() == 10; }));
  EXPECT_EQ(now().t, made.time()) << "a state continues from where it was";
  QMimeData words;
  words.setText(
      QString::fromUtf8(find_preset("dipole_array")->text.data(),
                        static_cast<qsizetype>(find_preset("dipole_array")->text.size())));
  ASSERT_TRUE(drop(words));
  ASSERT_TRUE(eventually([&] { return now().system->size() == 16; }));
  QMimeData two;
  two.setUrls({QUrl::fromLocalFile(file), QUrl::fromLocalFile(state)});
  EXPECT_FALSE(drop(two));
  write(file, "{\n}");
  ASSERT_TRUE(drop_file(file));
  EXPECT_TRUE(dismiss().contains(QLatin1String("three.json:1: ")));
  EXPECT_EQ(now().system->size(), 16);
}

// A pipe gives its text when it is written.
TEST_F(ScenarioText, WhatTakesLongIsReadBesideTheWindow) {
  const std::string pipe = in_folder("pipe.json").toStdString();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto bar = [&] { return window_->findChild<TaskBar*>(); };
  run_for(3);
  const int bodies = now().system->size();
  for (const bool cancelled : {true, false}) {
    ASSERT_TRUE(drop_file(QString::fromStdString(pipe)));
    ASSERT_TRUE(eventually([&] { return bar() && bar()->isVisible(); }));
    const auto steps = now().steps;
    run_for(2);
    EXPECT_GE(now().steps, steps + 2) << "the run continues meanwhile";
    if (cancelled) {
      auto* drop = bar()->findChild<QAction*>(QStringLiteral("task_cancel"));
      QTest::mouseClick(bar()->widgetForAction(drop), Qt::LeftButton);
    }
    std::ofstream(pipe) << find_preset("three_body")->text;
    ASSERT_TRUE(eventually([&] { return !bar(); }));
    EXPECT_TRUE(!cancelled || now().system->size() == bodies);
  }
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }));
}

// It is not saved over: it describes the table still.
TEST_F(ScenarioText, TheRecordBesideATableOpensAndIsSavedElsewhere) {
  const QString record = in_folder("a.csv.json"), own = in_folder("own.json");
  const std::string written = csv_companion(run_of_preset("three_body").record());
  write(record, written);
  ASSERT_TRUE(drop_file(record));
  ASSERT_TRUE(eventually([&] { return now().record->system == "n_body"; }));
  activate();
  key(Qt::Key_S, Qt::ControlModifier);
  write_to(own);
  EXPECT_TRUE(load_scenario(own.toStdString()));
  EXPECT_EQ(*read_file(record.toStdString(), json::max_bytes), written);
}

// A file keeps its branches, and takes in the runs that were left.
TEST_F(ScenarioText, AFileHoldsOtherRunsAsBranches) {
  const QString path = in_folder("all.json");
  auto root = *json::parse(find_preset("three_body")->text, "p");
  root.set("branches", *json::parse(R"([{"name": "heavy", "from_step": 30, "events": [
      {"step": 30, "set": {"system.masses[0]": 2}}]}])",
                                    "b"));
  write(path, json::write(root));
  const Scenario opened = *load_scenario(path.toStdString());
  ASSERT_TRUE(drop_file(path));
  run_for(40);
  window_->run().send(Change{{{"system.masses[1]", 3.0}}});
  run_for(10);
  const Scenario left = *now().record;
  ASSERT_EQ(left.events.size(), 1U);
  window_->run().show(20);
  ASSERT_TRUE(window_->run().fork());
  ASSERT_TRUE(eventually([&] { return now().steps == 20; }));
  run_for(5);
  activate();
  key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] {
    const auto file = load_scenario(path.toStdString());
    return file && file->branches.size() == 2;
  }));
  const Scenario saved = *load_scenario(path.toStdString());
  EXPECT_TRUE(saved.events.empty());
  EXPECT_EQ(saved.branches[0].name, "run 1");
  EXPECT_TRUE(same(*branch_record(saved, "run 1"), left));
  Scenario heavy = *branch_record(saved, "heavy");
  heavy.every = 0;
  EXPECT_TRUE(same(heavy, *branch_record(opened, "heavy")));
}

// Runs with their names, plots, camera, loop, and the instant shown; headless it is the same run.
TEST_F(ScenarioText, ASessionFileOpensWithEverythingAsItWas) {
  const QString path = in_folder("session.json");
  run_for(60);
  const int first = window_->run().present_branch();
  window_->run().show(30);
  window_->run().send(Change{{{"system.gravity", 3.0}}});
  ASSERT_TRUE(eventually([&] { return window_->run().present_branch() != first; }));
  run_for(20);
  const std::string table = RunTable(window_->run()).text();
  const std::int64_t steps = now().steps,
                     left = window_->run().branches()[0].checkpoints->newest()->step();
  ASSERT_TRUE(window_->session().edit_run(first, BranchLook{"earth", 5, false}));
  ASSERT_TRUE(
      window_->session().edit_run(window_->run().present_branch(), BranchLook{"mars", 2, false}));
  view().interface().settings().plots = {*ui::parse_plot("work"),
                                         *ui::parse_plot("omega0_x over q0_x")};
  view().interface().settings().ground = false;
  view().interface().settings().reference_run = first;
  const ui::Choices choices{ui::BodyId{0, 1}, -1, {}, {{0.2, {}}}, ui::Interval{0.1, 0.5}, false};
  view().interface().choose(choices);
  window_->run().send(Pace{Pacing::real_time, 0.2});
  // Far away: 60 m is the limit of a scene that is 1 m wide.
  render::Camera::View far = view().camera().where();
  far.distance = 114;
  view().set_camera(far);
  ASSERT_EQ(view().chosen_camera()->where().distance, 114);
  view().look_along(1, false);
  key(Qt::Key_O);
  view().replay().show(40);
  wait_until_drawn();
  const std::string camera = view_text(view().chosen_camera()->where());
  activate();
  window_->findChild<QAction*>(QStringLiteral("save_session"))->trigger();
  enter_path(path);
  ASSERT_TRUE(eventually([&] { return load_scenario(path.toStdString()).has_value(); }));
  const Scenario saved = *load_scenario(path.toStdString());
  EXPECT_EQ(write_scenario(saved), contents(path).toStdString());

  reopen_window("three_body");
  view().interface().settings().ground = true;
  ASSERT_TRUE(drop_file(path));
  ASSERT_TRUE(eventually([&] { return now().steps == steps && window_->run().in_past(); }));
  EXPECT_EQ(window_->run().requested_step(), 40);
  ASSERT_TRUE(eventually([&] { return window_->run().incomplete_runs().empty(); }));
  EXPECT_EQ(RunTable(window_->run()).text(), table);
  EXPECT_EQ(view_text(view().chosen_camera()->where()), camera);
  EXPECT_EQ(view().interface().settings().plots.size(), 2U);
  EXPECT_FALSE(view().interface().settings().ground);
  EXPECT_TRUE(view().interface().loops());
  EXPECT_EQ(view().interface().choices(), choices);
  EXPECT_EQ(now().pacing, Pacing::real_time);
  EXPECT_EQ(now().requested_factor, 0.2);
  const auto& runs = window_->run().branches();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].look, (BranchLook{"mars", 2, false}));
  EXPECT_EQ(runs[1].look, (BranchLook{"earth", 5, false}));
  EXPECT_EQ(window_->run().reference_branch(), runs[1].id) << "as saved";
  ASSERT_TRUE(eventually([&] { return window_->run().branches()[1].checkpoints != nullptr; }))
      << "the other run is computed, too";
  EXPECT_EQ(runs[1].checkpoints->newest()->step(), left);
  EXPECT_FALSE(window_->isWindowModified());
  // Saved again it is the same.
  activate();
  key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually(
      [&] { return window_->statusBar()->currentMessage().contains(QLatin1String("session")); }));
  // Which states are kept depends on the time that computing them took.
  const auto without_states = [](Scenario scenario) {
    EXPECT_EQ(std::erase_if(scenario.view.members,
                            [](const auto& member) { return member.first == "runs"; }),
              1u);
    return write_scenario(scenario);
  };
  EXPECT_EQ(without_states(*load_scenario(path.toStdString())), without_states(saved));

  EXPECT_EQ(output_of_program({QStringLiteral("run"), path, QStringLiteral("--steps"),
                               QString::number(steps), QStringLiteral("--csv"), QStringLiteral("-"),
                               QStringLiteral("--quiet")}),
            table);
}

TEST_F(ScenarioText, ASessionFileHoldsTheRunsThatRewindLeft) {
  advance(60, 60);
  change_gravity(5);
  const std::string first = RunTable(window_->run()).text();
  ASSERT_TRUE(
      after_key(Qt::Key_Backspace, [&] { return now().steps == 0 && !window_->run().in_past(); }));
  advance(15, 15);
  const std::string second = RunTable(window_->run()).text();
  const QString path = in_folder("rewound.json");
  window_->findChild<QAction*>(QStringLiteral("save_session"))->trigger();
  enter_path(path);
  ASSERT_TRUE(eventually([&] { return load_scenario(path.toStdString()).has_value(); }));

  reopen_window("three_body");
  ASSERT_TRUE(drop_file(path));
  ASSERT_TRUE(eventually([&] { return now().steps == 15; }));
  ASSERT_TRUE(eventually([&] { return window_->run().incomplete_runs().empty(); }));
  EXPECT_EQ(RunTable(window_->run()).text(), second);
  EXPECT_FALSE(window_->isWindowModified());
  activate();
  ASSERT_TRUE(after_undo([&] { return now().steps == 60; }));
  EXPECT_EQ(gravity(), 5);
  EXPECT_EQ(RunTable(window_->run()).text(), first);
  // Undoing the opening, too, and redoing it, gives the same runs.
  ASSERT_TRUE(after_undo([&] { return now().lanes[0].state.size() == 3; }));
  ASSERT_TRUE(after_redo([&] { return now().lanes[0].state.size() == 2; }));
  for (const char* states : {"none", "QUJD"}) {
    Scenario other = *load_scenario(path.toStdString());
    for (auto& [name, value] : other.view.members)
      if (name == "runs") value.items[0].set("states", states);
    ASSERT_TRUE(write_file(path.toStdString(), write_scenario(other)));
    reopen_window("three_body");
    ASSERT_TRUE(drop_file(path));
    ASSERT_TRUE(eventually([&] { return now().steps == 15; })) << "it is computed";
    EXPECT_EQ(RunTable(window_->run()).text(), second);
  }
}

TEST_F(ScenarioText, AViewThatCannotBeIsRefusedWithItsPlace) {
  const std::string preset(find_preset("three_body")->text);
  const std::vector<std::pair<std::string, std::string>> bad{
      {R"({"plot": []})", "view.plot"},
      {R"({"plots": ["energie"]})", "view.plots[0]"},
      {R"({"trail_span": -1})", "view.trail_span"},
      {R"({"color_map": "rainbow"})", "view.color_map"},
      {R"({"split": "bodies"})", "view.split"},
      {R"({"camera": {"target": [0, 0]}})", "view.camera"},
      {R"({"frame": {"axis": "K", "rate": 1}})", "view.frame.axis"},
      {R"({"layer": {"axis": "e4", "number": 0}})", "view.layer.axis"},
      {R"({"steps": 10, "shown": 11})", "view.shown"},
      {R"({"steps": 1e15})",
       "view.steps: must be a whole number from 0 to 1000000000000, not 1e+15"},
      {R"({"reference": ""})", "view.reference"},
      {R"({"loop": 1})", "view.loop"}};
  for (const auto& [section, place] : bad) {
    auto root = *json::parse(preset, "p");
    root.set("view", *json::parse(section, "v"));
    const QString path = in_folder("bad.json");
    write(path, json::write(root));
    ASSERT_TRUE(drop_file(path));
    const QString message = dismiss();
    EXPECT_TRUE(message.contains(to_qstring(place))) << message.toStdString();
    EXPECT_EQ(now().system_info->key, "chain_pendulum");
  }
}

TEST_F(ScenarioText, AutomaticColoursAreReadByTheirFormerNameToo) {
  auto root = *json::parse(std::string(find_preset("three_body")->text), "p");
  root.set("view", *json::parse(R"({"colors": "usual"})", "v"));
  view().interface().settings().shade = Shade::speed;
  const QString path = in_folder("colours.json");
  write(path, json::write(root));
  ASSERT_TRUE(drop_file(path));
  ASSERT_TRUE(eventually([&] { return now().lanes[0].state.size() == 3; }));
  ASSERT_TRUE(eventually([&] { return !view().interface().settings().shade; }));
  const json::Node written = view_section(window_->run(), view().interface(), {});
  ASSERT_TRUE(written.find("colors"));
  EXPECT_EQ(written.find("colors")->text, "automatic");
}

// The frame of a view belongs to its document; Undo takes it back.
TEST_F(ScenarioText, AViewHasTheFrameOfTheScene) {
  const auto open = [this](std::string_view preset) {
    const QString path = in_folder("scenario.json");
    write(path, std::string(find_preset(preset)->text));
    ASSERT_TRUE(drop_file(path));
  };
  open("relative_orbit");
  ASSERT_TRUE(eventually([&] { return view().interface().settings().frame.has_value(); }));
  ASSERT_TRUE(eventually([&] { return view().scene_style().frame.has_value(); }));
  wait_until_drawn();
  EXPECT_TRUE(says(view().drawn_scene().frame, "turns about e₃ at 1.003 rad/s"));
  const json::Node written = view_section(window_->run(), view().interface(), {});
  ASSERT_TRUE(written.find("frame"));
  EXPECT_EQ(written.find("frame")->find("rate")->text, "orbit");
  view().interface().settings().frame = FrameChoice{.axis = Vec3::UnitX(), .rate = 2};
  view().request_frame();
  ASSERT_TRUE(eventually([&] {
    return view().scene_style().frame == TurningFrame{Vec3::UnitX(), 2};
  }));
  ASSERT_TRUE(after_undo([&] {
    return view().interface().settings().frame->about == FrameChoice::Axis::vector &&
           view().interface().settings().frame->by == FrameChoice::Rate::orbit;
  }));
  open("three_body");
  ASSERT_TRUE(eventually([&] { return now().system_info->key == "n_body"; }));
  EXPECT_FALSE(view().interface().settings().frame);
}

TEST_F(ScenarioText, ASlowPresetOpensAtTheSpeedOfItsView) {
  const auto open = [this](std::string_view preset) {
    const QString path = in_folder("scenario.json");
    write(path, std::string(find_preset(preset)->text));
    ASSERT_TRUE(drop_file(path));
  };
  open("tether_satellite");
  EXPECT_TRUE(eventually([&] { return now().requested_factor == 100; }));
  open("three_body");
  EXPECT_TRUE(eventually([&] { return now().requested_factor == 1; })) << "and the next does not";
}

TEST_F(ScenarioText, AViewKeepsWhetherItIsSplit) {
  auto root = *json::parse(std::string(find_preset("three_body")->text), "p");
  root.set("view", *json::parse(R"({"split": "lanes"})", "v"));
  const QString path = in_folder("split.json");
  write(path, json::write(root));
  ASSERT_TRUE(drop_file(path));
  ASSERT_TRUE(eventually([&] { return view().interface().settings().split == Split::lanes; }));
  const json::Node written = view_section(window_->run(), view().interface(), {});
  ASSERT_TRUE(written.find("split"));
  EXPECT_EQ(written.find("split")->text, "lanes");
  trigger("split_lanes");
  EXPECT_EQ(view().interface().settings().split, Split::none);
}

TEST_F(ScenarioText, FilesOpenedAndSavedAreListed) {
  EXPECT_TRUE(recent_entries().isEmpty());
  const QString one = in_folder("one.json"), two = in_folder("two & three.json");
  write(one, std::string(find_preset("three_body")->text));
  write(two, std::string(find_preset("chain_pendulum")->text));
  ASSERT_TRUE(drop_file(one));
  ASSERT_TRUE(drop_file(two));
  EXPECT_EQ(recent_entries(), (QStringList{two, one}));
  activate();
  key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  enter_path(in_folder("saved.json"));
  ASSERT_TRUE(eventually([&] { return recent_entries().size() == 3; }));
  EXPECT_EQ(recent_entries().front(), in_folder("saved.json"));
  // In the next session, and chosen there.
  window_.reset();
  QFile::remove(in_folder("saved.json"));
  open_window();
  EXPECT_EQ(recent_entries(), (QStringList{two, one})) << "what has gone is left out";
  auto* menu = window_->findChild<QMenu*>(QStringLiteral("recent"));
  menu->popup(window_->mapToGlobal(QPoint(50, 50)));
  ASSERT_TRUE(eventually([&] { return menu->isVisible(); }));
  QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions()[1]).center());
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }));
  EXPECT_EQ(recent_entries(), (QStringList{one, two}));
  menu->actions().back()->trigger();
  EXPECT_TRUE(recent_entries().isEmpty());
}

TEST_F(ScenarioText, RecentFilesOpenFromTheFirstPage) {
  const QString one = in_folder("one.json"), gone = in_folder("gone.json");
  write(one, std::string(find_preset("three_body")->text));
  write(gone, std::string(find_preset("chain_pendulum")->text));
  ASSERT_TRUE(drop_file(one));
  ASSERT_TRUE(drop_file(gone));
  ASSERT_TRUE(eventually([&] { return now().system->size() == 10; }));
  window_.reset();
  QFile::remove(gone);
  open_window();
  activate();
  key(Qt::Key_N, Qt::ControlModifier);
  key(Qt::Key_End);  // the recent files are below the cards
  ASSERT_TRUE(has("gallery/recent[1]"));
  EXPECT_FALSE(has("gallery/recent[2]"));
  click("gallery/recent[0]");  // which is gone
  EXPECT_TRUE(view().interface().gallery_open());
  ASSERT_TRUE(after_click("gallery/recent[1]", [&] { return now().system->size() == 3; }));
  EXPECT_FALSE(view().interface().gallery_open());
  EXPECT_TRUE(window_->windowTitle().startsWith(QLatin1String("one.json")));

  ASSERT_TRUE(
      after_click_entry("preset", "chain_pendulum", [&] { return now().system->size() == 10; }));
  key(Qt::Key_N, Qt::ControlModifier);
  key(Qt::Key_End);
  key(Qt::Key_Left);
  key(Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return now().system->size() == 3; }))
      << "by the keyboard, the newest";
}

TEST_F(ScenarioText, TheCommandRepeatsWhatIsOnTheScreen) {
  const auto repeated = [&] {
    const QString path = QFileInfo(QStringLiteral(TWOSPHERE_PROGRAM)).path() + QLatin1Char(':') +
                         qEnvironmentVariable("PATH");
    ChildProgram shell(QStringLiteral("/bin/sh"),
                       {QStringLiteral("-c"), clipboard() + QStringLiteral(" --quiet --csv -")},
                       true, {{"PATH", path.toStdString()}});
    std::string table = shell.output();
    EXPECT_EQ(shell.wait(), 0);
    return table;
  };
  type("parameter/gravity", QStringLiteral("3.25"));
  run_for(25);
  choose(QStringLiteral("Edit"), QStringLiteral("copy_command"));
  ASSERT_TRUE(eventually([] { return !clipboard().isEmpty(); }));
  EXPECT_EQ(clipboard(), QStringLiteral("twosphere run --preset double_spherical_pendulum --set "
                                        "system.gravity=3.25 --steps %1 --every 1")
                             .arg(now().steps));
  EXPECT_EQ(repeated(), RunTable(window_->run()).text());

  // A change in the run takes a file.
  type("parameter/gravity", QStringLiteral("1.62"));
  run_for(10);
  QGuiApplication::clipboard()->clear();
  choose(QStringLiteral("Edit"), QStringLiteral("copy_command"));
  auto* box = dialog<QMessageBox>();
  EXPECT_TRUE(box->informativeText().contains(QLatin1String("events in a scenario file")));
  QTest::mouseClick(box->button(QMessageBox::Save), Qt::LeftButton);
  enter_path(in_folder("my run.json"));
  ASSERT_TRUE(eventually([] { return !clipboard().isEmpty(); }));
  EXPECT_EQ(clipboard(), QStringLiteral("twosphere run '%1' --steps %2 --every 1")
                             .arg(in_folder("my run.json"))
                             .arg(now().steps));
  EXPECT_EQ(repeated(), RunTable(window_->run()).text());
}

TEST_F(ScenarioText, APlottedExpressionIsSavedAndExportedAsByTheCommandLine) {
  key(Qt::Key_P);
  wait_until_drawn();
  click("expression/text");
  QTest::keyClicks(&view(), QStringLiteral("gravity*e3.q[1] + norm(w[0])*0 m/s"));
  wait_until_drawn();
  click("expression/name");
  QTest::keyClicks(&view(), QStringLiteral("a, b"));
  wait_until_drawn();
  key(Qt::Key_Return);
  ASSERT_EQ(view().interface().settings().plots.size(), 4U);
  run_for(25);
  type("parameter/gravity", QStringLiteral("1.62"));
  run_for(10);
  const QString file = in_folder("mine.json"), table = in_folder("mine.csv");
  choose(QStringLiteral("File"), QStringLiteral("save_scenario_as"));
  enter_path(file);
  ASSERT_TRUE(eventually([&] { return load_scenario(file.toStdString()).has_value(); }));
  choose(QStringLiteral("File"), QStringLiteral("export_csv"));
  write_to(table, ".json");
  const Scenario saved = *load_scenario(file.toStdString());
  ASSERT_EQ(saved.plots.size(), 1U);
  EXPECT_EQ(saved.plots[0].name, "a, b");
  ChildProgram headless(QStringLiteral(TWOSPHERE_PROGRAM),
                        {QStringLiteral("run"), file, QStringLiteral("--steps"),
                         QString::number(now().steps), QStringLiteral("--quiet"),
                         QStringLiteral("--plots"), QStringLiteral("--csv"), QStringLiteral("-")},
                        true);
  const std::string output = headless.output();
  EXPECT_EQ(headless.wait(), 0);
  EXPECT_TRUE(says(output, "\"plots.a, b [")) << output.substr(0, 300);
  EXPECT_EQ(contents(table).toStdString(), output);
  // Opened again, it is among the plots.
  view().interface().settings().plots = ui::energy_plots();
  ASSERT_TRUE(drop_file(file));
  EXPECT_TRUE(eventually(
      [&] { return ui::expressions_of(view().interface().settings().plots) == saved.plots; }));
}

TEST_F(ScenarioText, ACustomSystemsQuantitiesAreExported) {
  reopen_window("custom/magnetic_pendulum");
  run_for(20);
  const std::string table = RunTable(window_->run()).text();
  ChildProgram headless(QStringLiteral(TWOSPHERE_PROGRAM),
                        {QStringLiteral("run"), QStringLiteral("--preset"),
                         QStringLiteral("custom/magnetic_pendulum"), QStringLiteral("--steps"),
                         QString::number(now().steps), QStringLiteral("--every"),
                         QString::number(now().stride), QStringLiteral("--quiet"),
                         QStringLiteral("--plots"), QStringLiteral("--csv"), QStringLiteral("-")},
                        true);
  EXPECT_EQ(headless.output(), table);
  EXPECT_EQ(headless.wait(), 0);
}

TEST_F(ScenarioText, CommandsAreFoundByTheirWords) {
  run_for(10);
  auto* asked = search();
  auto* line = asked->findChild<QLineEdit*>();
  auto* list = asked->findChild<QTreeWidget*>();
  const int all = list->topLevelItemCount();
  EXPECT_EQ(all, static_cast<int>(ui::search_index(*now().present).size()));
  QTest::keyClicks(line, QStringLiteral("rewi"));
  ASSERT_GT(list->topLevelItemCount(), 0);
  EXPECT_LT(list->topLevelItemCount(), all);
  EXPECT_EQ(list->currentItem()->text(0), QLatin1String("Rewind"));
  EXPECT_EQ(list->currentItem()->text(1), QLatin1String("Simulation"));
  EXPECT_EQ(list->currentItem()->text(2), QLatin1String("Backspace"));
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return window_->run().shown().steps == 0; }));

  asked = search();
  line = asked->findChild<QLineEdit*>();
  list = asked->findChild<QTreeWidget*>();
  QTest::keyClicks(line, QStringLiteral("window "));
  const QString first = list->currentItem()->text(0);
  QTest::keyClick(line, Qt::Key_Down);
  EXPECT_NE(list->currentItem()->text(0), first);
  QTest::keyClick(line, Qt::Key_Up);
  EXPECT_EQ(list->currentItem()->text(0), first);
  // Those that have what is typed in their titles stand before those that only have it in their
  // menus' names; what an action does is looked through, too.
  line->clear();
  QTest::keyClicks(line, QStringLiteral("pl"));
  bool by_menu = false;
  int titles = 0;
  for (int i = 0; i < list->topLevelItemCount(); ++i) {
    const QString title = list->topLevelItem(i)->text(0);
    const bool has = ui::word_score("pl", title.toStdString()).has_value();
    EXPECT_FALSE(has && by_menu) << title.toStdString();
    by_menu |= !has;
    titles += has;
  }
  EXPECT_GT(titles, 0);
  EXPECT_TRUE(by_menu) << "plots without it in their titles";
  line->clear();
  QTest::keyClicks(line, QStringLiteral("qwertz"));
  ASSERT_EQ(list->topLevelItemCount(), 1);
  EXPECT_EQ(list->topLevelItem(0)->text(0),
            QStringLiteral("Nothing found for \"qwertz\". Try exponents, record video, damping."));
  QTest::keyClick(line, Qt::Key_Return);
  EXPECT_TRUE(asked->isVisible()) << "there is nothing to do";
  line->clear();
  QTest::keyClicks(line, QStringLiteral("play"));
  ASSERT_GT(list->topLevelItemCount(), 0);
  EXPECT_EQ(list->findItems(QStringLiteral("Play or pause"), Qt::MatchExactly).size(), 1);
  QTest::keyClick(line, Qt::Key_Escape);
  EXPECT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));

  asked = search();
  QTest::keyClicks(asked->findChild<QLineEdit*>(), QStringLiteral("three bod"));
  QTest::keyClick(asked->findChild<QLineEdit*>(), Qt::Key_Return);
  EXPECT_TRUE(eventually([&] { return now().system->size() == 3; }));
}

TEST_F(ScenarioText, TheSearchLeadsToFieldsPlotsAndHelp) {
  const auto find = [&](const char* typed) {
    auto* asked = search();
    QTest::keyClicks(asked->findChild<QLineEdit*>(), QLatin1String(typed));
    QTest::keyClick(asked->findChild<QLineEdit*>(), Qt::Key_Return);
    ASSERT_TRUE(eventually([] { return QApplication::activeModalWidget() == nullptr; }));
  };
  EXPECT_FALSE(has("view/trail_span"));
  find("length of the trails");
  EXPECT_TRUE(eventually([&] {
    wait_until_drawn();
    return has("view/trail_span");
  })) << "its section opens";
  const std::size_t plots = view().interface().settings().plots.size();
  find("mean unit-length");
  EXPECT_TRUE(eventually([&] { return view().interface().settings().plots.size() == plots + 1; }));
  find("thomson exercises");
  EXPECT_TRUE(eventually([&] {
    const auto* help = window_->findChild<HelpDialog*>();
    return help && help->windowTitle().contains(QLatin1String("Thomson"));
  }));
}

TEST_F(ScenarioText, ThePerformanceIsShownOnRequest) {
  EXPECT_FALSE(has("performance"));
  key(Qt::Key_F3);
  ASSERT_TRUE(has("performance"));
  EXPECT_TRUE(window_->findChild<QAction*>(QStringLiteral("toggle_performance"))->isChecked());
  const QImage idle = picture();
  const ui::Rect place = rect("performance");
  run_for(20);
  EXPECT_GT(changed(idle, picture(), place), 0.001) << "numbers came";
  EXPECT_GT(now().step_seconds, 0);
  EXPECT_LT(now().step_seconds, 1);
  key(Qt::Key_F3);
  EXPECT_FALSE(has("performance"));
}

}  // namespace
}  // namespace twosphere::scenario_text_test
