// SPDX-License-Identifier: GPL-3.0-or-later
// The run that the window shows: its table is that of the command line, its plots that of the
// table.
#include "app/session/live_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QThread>
#include <array>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/session/pair_distribution_files.h"
#include "app/session/run_table.h"
#include "app/session/trajectory.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/output/csv.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "tests/app/child_program.h"
#include "tests/outcome.h"
#include "tests/runs.h"

namespace twosphere::live_run_test {
namespace {

using test::error_of, test::says, test::value_of;

constexpr int patience = 60'000;  // [ms]
constexpr int interval = 200;     // between two looks [µs]

Simulation preset(double duration) {
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  scenario->duration = duration;
  return std::move(*Simulation::create(std::move(*scenario)));
}

struct Live : testing::Test {
  /// Sends commands, each when the one before it is done, and takes in what comes meanwhile.
  template <class... T>
  void carry_out(LiveRun& run, T... commands) {
    const auto wait = [&](std::uint64_t number) {
      until(run, [&] { return run.snapshot().commands >= number; });
    };
    (wait(run.send(std::move(commands))), ...);
  }

  /// Waits until what is shown, or which run there is, is as wanted.
  template <class Condition>
  void until(LiveRun& run, const Condition& condition) {
    for (int i = 0; i < patience * (1000 / interval); ++i) {
      run.update();
      if (condition()) return;
      QThread::usleep(interval);
    }
    FAIL() << "not reached";
  }
  void show(LiveRun& run, std::int64_t step) {
    run.show(step);
    until(run, [&] { return run.exact(); });
  }
  /// Continues from a past step, in a new branch. Its id.
  int fork(LiveRun& run, std::int64_t step) {
    run.show(step);  // not waited for
    const auto id = run.fork();
    EXPECT_TRUE(id);
    until(run, [&] { return run.present_branch() == id; });
    EXPECT_EQ(run.snapshot().steps, step);
    EXPECT_FALSE(run.in_past());
    return id.value_or(-1);
  }
  void switch_to(LiveRun& run, int id) {
    EXPECT_TRUE(run.switch_to(id));
    until(run, [&] { return run.present_branch() == id; });
  }
  /// Opens the run after 400 steps again, with the state there alone. Returns what it lacks then.
  Branch reopen_at_head(LiveRun& run) {
    carry_out(run, Change{{{"every", 1.0}}});
    carry_out(run, TakeSteps{400});
    Branch computed;
    computed.record = run.snapshot().record;
    computed.checkpoints = run.snapshot().checkpoints;
    computed.histories = History::views(run.histories());
    SavedRuns saved = saved_runs(run.runs(), run.snapshot().checkpoints);
    saved.back().front().checkpoints = std::make_shared<const Checkpoints>();
    run.send(Load{with_runs(run.capture(), saved)});
    return computed;
  }

  /// The program's table of the record, as many steps.
  std::string command_line(const LiveRun& run) {
    return command_line(*run.snapshot().record, run.snapshot().steps);
  }
  /// That of a scenario, or of a branch of it.
  std::string command_line(const Scenario& scenario, std::int64_t steps,
                           const QStringList& branch = {}) {
    const QString path = folder_.filePath(QStringLiteral("record.json"));
    EXPECT_TRUE(write_file(path.toStdString(), write_scenario(scenario)));
    return output_of_program(QStringList{QStringLiteral("run"), path, QStringLiteral("--steps"),
                                         QString::number(steps), QStringLiteral("--csv"),
                                         QStringLiteral("-"), QStringLiteral("--quiet")} +
                             branch);
  }

  /// After these commands the table of the run is that of the program.
  template <class... T>
  void expect_table_after(LiveRun& run, T... commands) {
    carry_out(run, std::move(commands)...);
    EXPECT_EQ(RunTable(run).text(), command_line(run));
  }

  QTemporaryDir folder_;
};

// Of a window that is hidden, say: nothing piles up.
TEST_F(Live, TakesInRowsThatNoViewAsksFor) {
  LiveRun run(preset(1e6));
  run.send(Change{{{"every", 1.0}}});
  run.send(Pace{Pacing::fastest});
  run.send(Play{});
  for (int i = 0; i < patience && run.histories()[0].size() < 1000; ++i) {
    QCoreApplication::processEvents();
    QThread::usleep(1000);
  }
  EXPECT_GE(run.histories()[0].size(), 1000u);
  EXPECT_EQ(run.snapshot().state, RunState::running);
}

// A long run is thinned piece by piece. What is left of that when it comes to rest needs no asking.
TEST_F(Live, EndsThinningAfterTheRun) {
  constexpr std::int64_t most = 400'000;
  LiveRun run(preset(1e6), {.max_samples = most});
  run.send(Change{{{"every", 1.0}}});
  carry_out(run, TakeSteps{most + 1});
  const History& history = run.histories()[0];
  ASSERT_EQ(history.size(), static_cast<std::size_t>(most / 2 + 1));
  ASSERT_TRUE(history.is_thinning());
  for (int i = 0; i < patience && history.is_thinning(); ++i) {
    QCoreApplication::processEvents();
    QThread::usleep(1000);
  }
  EXPECT_FALSE(history.is_thinning());
  EXPECT_EQ(history.size(), static_cast<std::size_t>(most / 2 + 1));
}

// What was asked for holds at once, whatever step the worker is in: the snapshot is an older one.
TEST_F(Live, PlaysOrPausesAsSoonAsItIsAsked) {
  LiveRun run(preset(1e6));
  EXPECT_FALSE(run.plays());
  for (int round = 0; round < 3; ++round) {
    run.send(Play{});
    EXPECT_EQ(run.snapshot().state, RunState::paused);
    EXPECT_TRUE(run.plays());
    carry_out(run, Pace{Pacing::fastest});
    EXPECT_EQ(run.snapshot().state, RunState::running);
    EXPECT_TRUE(run.plays());
    if (round < 2)
      run.send(Pause{});
    else
      run.send(Rewind{});
    EXPECT_EQ(run.snapshot().state, RunState::running);
    EXPECT_FALSE(run.plays());
    run.send(Change{{{"system.gravity", 3.0}}});
    EXPECT_FALSE(run.plays()) << "another command changes nothing in it";
    carry_out(run, Pace{Pacing::fastest});
    EXPECT_EQ(run.snapshot().state, RunState::paused);
    EXPECT_FALSE(run.plays());
  }
  // What ends by itself does.
  run.send(Play{});
  carry_out(run, Change{{{"duration", 0.5}}});
  for (int i = 0; i < patience && run.snapshot().state == RunState::running; ++i) {
    run.update();
    QThread::usleep(1000);
  }
  EXPECT_EQ(run.snapshot().state, RunState::finished);
  EXPECT_FALSE(run.plays());
}

TEST_F(Live, ShowsAnyStepOfThePastWhileItGoesOn) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{3000}, Change{{{"system.gravity", 3.0}}});
  run.send(Pace{Pacing::fastest});
  run.send(Play{});
  for (const std::int64_t step : {3000, 17, 2500, 0, 2999}) {
    show(run, step);
    EXPECT_TRUE(run.in_past());
    auto fresh = preset(1e6);
    while (fresh.steps() < step) ASSERT_FALSE(fresh.step());
    const Snapshot& shown = run.shown();
    EXPECT_EQ(shown.steps, step);
    EXPECT_EQ(shown.t, fresh.time());
    EXPECT_EQ(shown.lanes[0].state.q, fresh.state(0).q);
    EXPECT_EQ(shown.lanes[0].state.w, fresh.state(0).w);
    EXPECT_EQ(shown.lanes[0].sample.values, fresh.sample(0).values);
    EXPECT_EQ(shown.present->parameters.at("gravity")[0], 9.81) << "of then";
    EXPECT_EQ(shown.record, run.snapshot().record);
  }
  run.show_head();
  EXPECT_FALSE(run.in_past());
  EXPECT_EQ(&run.shown(), &run.snapshot());
  show(run, 40);
  carry_out(run, Rewind{});
  EXPECT_FALSE(run.in_past()) << "another run";
}

TEST_F(Live, BranchesAreRunsOfTheirOwnAndLoseNothing) {
  LiveRun run(preset(1e6));
  run.send(Change{{{"every", 3.0}}});
  carry_out(run, TakeSteps{5000});
  EXPECT_FALSE(run.fork()) << "at the head";
  const int first = run.present_branch();
  const std::string old_table = RunTable(run).text();
  const int second = fork(run, 2000);
  EXPECT_EQ(run.histories()[0].size(), 667u);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
  expect_table_after(run, Change{{{"system.gravity", 3.0}}}, TakeSteps{1001});
  const std::string new_table = RunTable(run).text();
  show(run, 500);
  EXPECT_EQ(run.shown().steps, 500) << "of what both share";

  switch_to(run, first);
  EXPECT_EQ(run.snapshot().steps, 5000);
  EXPECT_EQ(RunTable(run).text(), old_table);
  expect_table_after(run, TakeSteps{100});

  switch_to(run, second);
  EXPECT_EQ(RunTable(run).text(), new_table);
  EXPECT_EQ(run.snapshot().present->parameters.at("gravity")[0], 3);
  const int third = fork(run, 2500);
  expect_table_after(run, TakeSteps{10});
  ASSERT_EQ(run.branches().size(), 3u);
  EXPECT_EQ(run.branches()[2].parent, second);
  EXPECT_EQ(run.branches()[2].fork_step, 2500);
  EXPECT_FALSE(run.set_look(third, {})) << "not the present one";
  EXPECT_EQ(run.branches().size(), 3u);
  EXPECT_TRUE(run.set_look(first, {}));
  EXPECT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.shared_steps(run.branches()[0]), 2500) << "still";
  EXPECT_FALSE(run.switch_to(first));
  EXPECT_FALSE(run.keeps_its_start()) << "gravity is another";
  const std::string third_table = RunTable(run).text();
  carry_out(run, Rewind{});
  EXPECT_EQ(run.branches().size(), 1u) << "of another start";
  EXPECT_TRUE(run.keeps_its_start());
  EXPECT_EQ(run.snapshot().record->parameters.at("gravity")[0], 3);
  carry_out(run, TakeSteps{20});
  const int fourth = run.present_branch();
  const std::string fourth_table = RunTable(run).text();
  // All of the former start come back, with the one that was deleted, and those of the other go.
  switch_to(run, third);
  EXPECT_EQ(RunTable(run).text(), third_table);
  ASSERT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.branches()[0].id, second);
  EXPECT_FALSE(run.look(fourth));
  EXPECT_TRUE(run.set_look(first, BranchLook{"again", 0}));
  switch_to(run, first);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
  switch_to(run, fourth);
  EXPECT_EQ(run.branches().size(), 1u);
  EXPECT_EQ(RunTable(run).text(), fourth_table);
}

// The card that says how far from its start a run came back is that of the run, and of the instant.
TEST_F(Live, TheDistancesFromTheStartAreThoseOfTheRun) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{20});
  const int first = run.present_branch();
  carry_out(run, Reverse{}, TakeSteps{23});
  ASSERT_EQ(run.snapshot().start_distances.size(), 1u);
  const StartDistance off = run.snapshot().start_distances[0];
  EXPECT_EQ(off.step, 40);
  const int second = fork(run, 10);
  carry_out(run, TakeSteps{5});
  EXPECT_TRUE(run.snapshot().start_distances.empty());
  switch_to(run, first);
  ASSERT_EQ(run.snapshot().start_distances.size(), 1u);
  EXPECT_EQ(run.snapshot().start_distances[0].q, off.q);
  EXPECT_EQ(run.snapshot().start_distances[0].step, 40);
  // In the past it is not back yet, or it is.
  show(run, 39);
  EXPECT_TRUE(run.shown().start_distances.empty());
  show(run, 41);
  ASSERT_EQ(run.shown().start_distances.size(), 1u);
  EXPECT_EQ(run.shown().start_distances[0].omega, off.omega);
  run.show_head();
  // From there on in a new run, too.
  fork(run, 42);
  EXPECT_EQ(run.snapshot().start_distances.size(), 1u);
  switch_to(run, second);
  EXPECT_TRUE(run.snapshot().start_distances.empty());
}

TEST_F(Live, RewindKeepsTheLastRunsAndWhatWaits) {
  LiveRun run(preset(1e6));
  std::vector<int> ids;
  std::vector<std::string> tables;
  for (std::size_t k = 0; k < max_branches + 3; ++k) {
    ids.push_back(run.present_branch());
    carry_out(run, TakeSteps{10 + static_cast<std::int64_t>(k)},
              Change{{{"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")}}});
    if (k == 0) {
      EXPECT_EQ(run.snapshot().pending.size(), 1u);
    }
    carry_out(run, Change{{{"system.gravity", 5.0 + static_cast<double>(k)}}}, TakeSteps{1});
    tables.push_back(RunTable(run).text());
    carry_out(run, Rewind{});
    EXPECT_EQ(run.snapshot().steps, 0);
  }
  EXPECT_FALSE(run.switch_to(ids[0])) << "too long ago";
  EXPECT_FALSE(run.switch_to(ids[2]));
  switch_to(run, ids[3]);
  EXPECT_EQ(run.snapshot().steps, 14);
  EXPECT_EQ(RunTable(run).text(), tables[3]);
  // Opening another scenario ends it.
  run.send(Load{*run.snapshot().record});
  carry_out(run, TakeSteps{1});
  EXPECT_FALSE(run.switch_to(ids[5]));

  LiveRun other(preset(1e6));
  const int first = other.present_branch();
  carry_out(other, TakeSteps{10});
  carry_out(other, Change{{{"initial.omega[1]", *json::parse_value("[0.125, 0.5, 0]")}}});
  const std::vector<Setting> waiting = other.snapshot().pending;
  ASSERT_EQ(waiting.size(), 1u);
  carry_out(other, Rewind{});
  EXPECT_TRUE(other.snapshot().pending.empty());
  switch_to(other, first);
  until(other, [&] { return other.snapshot().commands >= other.sent(); });
  EXPECT_EQ(other.snapshot().steps, 10);
  ASSERT_EQ(other.snapshot().pending.size(), 1u) << "as before";
  EXPECT_EQ(other.snapshot().pending[0].path, waiting[0].path);
}

// Whatever the edit is, at the start, too, which the runs share: there it is an event like
// elsewhere.
TEST_F(Live, AnEditInThePastBeginsAnotherRunThere) {
  static constexpr std::array east{0.0, 1.0, 0.0};
  const std::vector<std::pair<const char*, Command>> edits{
      {"state", Change{{{"state.q[1]", json::Node::numbers(east)}}}},
      {"gravity", Change{{{"system.gravity", 3.0}}}},
      {"step", Change{{{"integrator.step", 0.004}, {"duration", 7.0}}}},
      {"reversal", Reverse{}},
      {"pull", PullBody{{1, Vec3(3, 0, -2), 15}}}};
  for (const auto& [name, edit] : edits)
    for (const std::int64_t step : {0, 70}) {
      SCOPED_TRACE(fmt::format("{} at step {}", name, step));
      LiveRun run(preset(1e6));
      carry_out(run, Change{{{"every", 2.0}}}, TakeSteps{200});
      const int first = run.present_branch();
      const std::string old_table = RunTable(run).text();
      const Columns start = run.snapshot().record->q;
      run.show(step);
      carry_out(run, edit);
      until(run, [&] { return run.present_branch() != first; });
      const int second = run.present_branch();
      EXPECT_EQ(run.snapshot().steps, step);
      EXPECT_EQ(run.snapshot().record->q, start);
      EXPECT_FALSE(run.snapshot().edits_start);
      ASSERT_GE(run.snapshot().record->events.size(), 1u);
      EXPECT_EQ(run.snapshot().record->events[0].step, step);
      EXPECT_EQ(run.histories()[0].size(), static_cast<std::size_t>(step / 2 + 1));

      // Left and gone back to before its first step, with what was edited.
      switch_to(run, first);
      EXPECT_EQ(RunTable(run).text(), old_table);
      EXPECT_EQ(command_line(run), old_table);
      switch_to(run, second);
      EXPECT_EQ(run.snapshot().record->events.size(), 1u);
      carry_out(run, TakeSteps{101});
      const std::string table = RunTable(run).text();
      EXPECT_FALSE(old_table.starts_with(table));
      EXPECT_EQ(command_line(run), table);
      show(run, step);
      EXPECT_EQ(run.shown().lanes[0].row.values, run.shown().lanes[0].sample.values)
          << "as it was reached";

      switch_to(run, first);
      Scenario file = *run.snapshot().record;
      const Branch& other = run.branches()[1];
      file.branches = {branch_of(file, *other.record, other.look.name, run.shared_steps(other))};
      EXPECT_EQ(command_line(file, 200), old_table);
      const std::int64_t steps = other.checkpoints->newest()->step();
      EXPECT_EQ(command_line(file, steps, {QStringLiteral("--branch"), QStringLiteral("run 2")}),
                table);
    }
}

// The views of runs within a session are not checked when it is read.
TEST_F(Live, WhatCannotBeTheViewOfARunIsLeftOut) {
  LiveRun run(preset(10));
  Scenario scenario = *run.snapshot().record;
  const auto opened = [&](const json::Node& name, const json::Node& color,
                          const json::Node& steps) -> const Branch& {
    scenario.view = json::Node::object();
    scenario.view.set("run", name);
    scenario.view.set("color", color);
    scenario.view.set("steps", steps);
    run.open_runs(scenario);
    return run.branches().front();
  };
  const json::Node word(std::string("mine"));
  for (const json::Node& wrong : {json::Node(1e300), json::Node(-7.0), json::Node(8.0), word}) {
    const bool is_count = wrong.kind == json::Kind::number && wrong.number == 8;
    const Branch& branch = opened(json::Node(3.0), wrong, is_count ? word : wrong);
    EXPECT_EQ(branch.look.name, "run 1");
    EXPECT_EQ(branch.look.color, 0);
    EXPECT_EQ(branch.steps, 0);
  }
  const Branch& branch = opened(word, json::Node(7.0), json::Node(40.0));
  EXPECT_EQ(branch.look.name, "mine");
  EXPECT_EQ(branch.look.color, 7);
  EXPECT_EQ(branch.steps, 40);
}

// Between two samples the last row of a table is that of the head, before its edits: also where the
// run was left since.
TEST_F(Live, ARunThatIsEditedAtItsHeadReturnsWithItsLastRow) {
  static constexpr std::array east{0.0, 1.0, 0.0};
  for (const Command& edit : std::vector<Command>{
           Change{{{"system.gravity", 3.0}}}, Change{{{"state.q[1]", json::Node::numbers(east)}}},
           AddLane{*json::parse_value(R"({"type": "rk4", "from": "variational"})")}}) {
    LiveRun run(preset(1e6));
    carry_out(run, Change{{{"every", 10.0}}}, TakeSteps{25});
    const int first = run.present_branch();
    carry_out(run, edit);
    const std::string table = RunTable(run).text();
    EXPECT_EQ(table, command_line(run));
    fork(run, 12);
    carry_out(run, TakeSteps{3});
    switch_to(run, first);
    EXPECT_EQ(run.snapshot().steps, 25);
    EXPECT_EQ(RunTable(run).text(), table);
    expect_table_after(run, TakeSteps{8});
  }
}

TEST_F(Live, WhatOnlyWaitsForRewindBeginsNoOtherRun) {
  static constexpr std::array spin{0.0, 1.0, 0.0};
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{100});
  run.show(40);
  carry_out(run, Change{{{"initial.omega[0]", json::Node::numbers(spin)}}});
  EXPECT_EQ(run.branches().size(), 1u);
  EXPECT_TRUE(run.in_past());
  EXPECT_EQ(run.snapshot().steps, 100);
  EXPECT_EQ(run.snapshot().pending.size(), 1u);
  carry_out(run, Change{{{"system.gravity", 3.0}}});
  until(run, [&] { return run.branches().size() == 2; });
  EXPECT_EQ(run.snapshot().pending.size(), 1u);
}

TEST_F(Live, AStartThatIsSharedStaysAsItIs) {
  LiveRun run(preset(1e6));
  EXPECT_TRUE(run.snapshot().edits_start);
  carry_out(run, TakeSteps{20});
  run.show(0);
  carry_out(run, Change{{{"system.gravity", 3.0}}});
  until(run, [&] { return run.branches().size() == 2; });
  carry_out(run, Change{{{"every", 5.0}}},
            Change{{{"initial.q[0]", json::Node::numbers(std::array{0.0, 1.0, 0.0})}}});
  EXPECT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.snapshot().pending.size(), 2u) << "wait for Rewind";
  expect_table_after(run, TakeSteps{10});
  carry_out(run, Rewind{});
  EXPECT_TRUE(run.snapshot().edits_start);
  EXPECT_EQ(run.snapshot().record->q(1, 0), 1);
}

TEST_F(Live, AnEditInThePastIsRefusedWhereThereAreTooManyRuns) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{20});
  for (std::size_t k = 1; k < max_branches; ++k) {
    (void)fork(run, 10);
    carry_out(run, TakeSteps{5});
  }
  bool refused = false;
  QObject::connect(&run, &LiveRun::fork_refused, &run, [&] { refused = true; });
  run.show(3);
  EXPECT_EQ(run.send(Reverse{}), 0u);
  EXPECT_TRUE(refused);
  EXPECT_TRUE(run.in_past());
  EXPECT_FALSE(run.snapshot().reversed);
}

TEST_F(Live, TheTrailIsRecordedSinceTheRunWasContinued) {
  LiveRun run(preset(1e6));
  run.set_trail_span(4);
  carry_out(run, TakeSteps{1000});
  until(run, [&] { return run.trail_since().has_value(); });
  EXPECT_LE(*run.trail_since(), 10 - 4.0) << "of its whole span";
  fork(run, 500);
  until(run, [&] { return run.trail_since().has_value(); });
  EXPECT_NEAR(*run.trail_since(), 5, 1e-9);
  EXPECT_GE(run.trail().front().t, *run.trail_since());
}

TEST_F(Live, ARunThatUndoLeavesWithoutStepsOfItsOwnIsPutAway) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{20});
  const int first = run.present_branch();
  ASSERT_TRUE(run.set_look(first, BranchLook{"mine", 5, false}));
  carry_out(run, Change{{{"system.gravity", 3.0}}});
  const auto undone = run.fork_before(20);
  ASSERT_TRUE(undone);
  until(run, [&] { return run.present_branch() == undone; });
  EXPECT_EQ(run.snapshot().steps, 20);
  EXPECT_EQ(run.snapshot().present->parameters.at("gravity")[0], 9.81);
  ASSERT_EQ(run.branches().size(), 1u);
  EXPECT_EQ(run.branches()[0].look, (BranchLook{"mine", 5, false}));
  EXPECT_FALSE(run.switch_to(first)) << "it is not in the list";
  ASSERT_TRUE(run.runs().can_switch_to(first));
  const auto exchange = [&](int id) {
    EXPECT_TRUE(run.switch_archiving(id));
    until(run, [&] { return run.present_branch() == id; });
  };
  exchange(first);
  EXPECT_EQ(run.snapshot().present->parameters.at("gravity")[0], 3);
  ASSERT_EQ(run.branches().size(), 1u);
  EXPECT_EQ(run.branches()[0].look, (BranchLook{"mine", 5, false}));
  // With steps of its own it stays.
  carry_out(run, TakeSteps{5});
  exchange(*undone);
  ASSERT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.look(first)->name, "mine");
  EXPECT_NE(run.look(*undone)->name, "mine");
  EXPECT_EQ(run.snapshot().steps, 20);
  exchange(first);
  EXPECT_EQ(run.branches().size(), 1u);
  EXPECT_EQ(run.snapshot().steps, 25);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
}

TEST_F(Live, RunsHaveNamesAndColoursOfTheirOwn) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{300});
  const int first = run.present_branch(), second = fork(run, 200), third = fork(run, 100);
  const auto look = [&](int id) { return *run.look(id); };
  EXPECT_NE(look(first).color, look(second).color);
  EXPECT_NE(look(second).color, look(third).color);
  const std::uint64_t changes = run.runs().changes();
  BranchLook renamed = look(first);
  renamed.name = "with friction";
  renamed.hidden = true;
  ASSERT_TRUE(run.set_look(first, renamed));
  EXPECT_EQ(look(first), renamed);
  EXPECT_GT(run.runs().changes(), changes);
  for (const char* name : {"", "run 2", "a\nb"}) {
    BranchLook bad = look(first);
    bad.name = name;
    EXPECT_FALSE(run.set_look(first, bad)) << name;
    EXPECT_EQ(look(first), renamed);
  }
  EXPECT_FALSE(run.set_look(-7, renamed));
}

TEST_F(Live, ADeletedRunComesBackWithAllItHad) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{300});
  const int first = run.present_branch(), second = fork(run, 200);
  carry_out(run, TakeSteps{50});
  const std::string table = RunTable(run).text();
  const int third = fork(run, 220);
  const BranchLook was = *run.look(second);
  ASSERT_TRUE(run.set_look(second, {}));
  EXPECT_FALSE(run.look(second));
  EXPECT_FALSE(run.switch_to(second));
  ASSERT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.shared_steps(run.branches()[0]), 200) << "by way of the deleted one";
  EXPECT_EQ(run.branches()[0].id, first);
  EXPECT_EQ(run.branches()[1].id, third);
  ASSERT_TRUE(run.set_look(second, was));
  EXPECT_EQ(run.branches()[1].id, second);
  switch_to(run, second);
  EXPECT_EQ(RunTable(run).text(), table);
  // Of many that were deleted only the last ones come back; the rest keep what they share.
  for (std::size_t k = 0; k <= max_branches; ++k) {
    const int gone = run.present_branch();
    const int next = fork(run, 240 - static_cast<std::int64_t>(k));
    ASSERT_NE(next, gone);
    ASSERT_TRUE(run.set_look(gone, {}));
  }
  EXPECT_FALSE(run.set_look(second, was));
  EXPECT_EQ(run.shared_steps(run.branches()[0]), 200);
}

TEST_F(Live, DistancesOfOtherRunsAreFromThePresentOne) {
  LiveRun run(preset(1e6));
  carry_out(run, Change{{{"every", 1.0}}}, TakeSteps{300});
  (void)fork(run, 100);
  carry_out(run, Change{{{"system.gravity", 3.0}}}, TakeSteps{150});
  const History &other = run.branches()[0].histories[0], &present = run.histories()[0];
  const SignalView apart = other.view(Signal::distance());
  ASSERT_EQ(apart.values->size(), 251u) << "as far as the present run has come";
  EXPECT_EQ((*apart.values)[100], 0);
  for (const std::size_t k : {101u, 180u, 250u})
    EXPECT_EQ((*apart.values)[k], distance(other.state_at(k).q, present.state_at(k).q));
  EXPECT_GT((*apart.values)[250], 1e-3);
  // With another step where both are at the same time.
  carry_out(run, Change{{{"integrator.step", 0.005}}}, TakeSteps{60});
  (void)other.view(Signal::distance());
  ASSERT_GE(apart.values->size(), 281u);
  EXPECT_EQ((*apart.values)[280], distance(other.state_at(280).q, present.state_at(310).q));
}

TEST_F(Live, DistancesAreMeasuredToAnyRun) {
  LiveRun run(preset(1e6));
  carry_out(run, Change{{{"every", 1.0}}}, TakeSteps{300});
  const int first = run.present_branch(), second = fork(run, 100);
  carry_out(run, Change{{{"system.gravity", 3.0}}}, TakeSteps{200});
  const int third = fork(run, 50);
  carry_out(run, Change{{{"system.gravity", 20.0}}}, TakeSteps{250});
  const auto lane = [&](int id) -> const History& {
    for (const Branch& branch : run.branches())
      if (branch.id == id && id != run.present_branch()) return branch.histories[0];
    return run.histories()[0];
  };
  const auto expect_to = [&](int reference) {
    EXPECT_EQ(run.reference_branch(), reference);
    for (const int id : {first, second, third}) {
      EXPECT_EQ(lane(id).is_reference(), id == reference) << id;
      const SignalView apart = lane(id).view(Signal::distance());
      ASSERT_EQ(apart.values->size(), lane(id).state_count());
      for (const std::size_t k : {40u, 80u, 200u, 300u})
        EXPECT_EQ((*apart.values)[k],
                  distance(lane(id).state_at(k).q, lane(reference).state_at(k).q))
            << id << ' ' << k;
    }
    // What is read elsewhere has its own copy of both.
    const RunView view = run.view();
    const History& present = lane(run.present_branch());
    EXPECT_EQ(view.lanes[0].is_reference(), present.is_reference());
    const SignalView shown = present.view(Signal::distance()),
                     copied = view.lanes[0].view(Signal::distance());
    ASSERT_EQ(copied.values->size(), shown.values->size());
    EXPECT_EQ((*copied.values)[300], (*shown.values)[300]);
    if (reference != run.present_branch()) {
      EXPECT_GT((*copied.values)[300], 1e-3);
      EXPECT_TRUE(view.reference);
    }
  };
  expect_to(third);
  for (const int reference : {first, second, third}) {
    run.compare_with(0, reference);
    expect_to(reference);
  }
  // Without the run it is the present one, and that again once the run is back.
  run.compare_with(0, first);
  const BranchLook look = *run.look(first);
  ASSERT_TRUE(run.set_look(first, {}));
  EXPECT_EQ(run.reference_branch(), third);
  EXPECT_TRUE(run.histories()[0].is_reference());
  ASSERT_TRUE(run.set_look(first, look));
  expect_to(first);
  // It stays when another run is the present one, itself too.
  switch_to(run, second);
  expect_to(first);
  switch_to(run, first);
  expect_to(first);
  run.compare_with(0, -1);
  expect_to(first);
  switch_to(run, third);
  expect_to(third);
}

TEST_F(Live, AnotherInstantIsComputedBesideWhatIsShown) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{3000});
  show(run, 700);
  EXPECT_EQ(run.previewed_instant(), nullptr);
  for (const std::int64_t step : {1234, 17, 2999, 3000}) {
    run.preview(step);
    until(run, [&] {
      const auto there = run.previewed_instant();
      return there && there->steps == step;
    });
    Simulation fresh = preset(1e6);
    while (fresh.steps() < step) ASSERT_FALSE(fresh.step());
    const State &a = run.previewed_instant()->lanes[0].state, &b = fresh.state(0);
    EXPECT_EQ(a.t, b.t);
    EXPECT_TRUE((a.q.array() == b.q.array()).all() && (a.w.array() == b.w.array()).all());
    EXPECT_EQ(run.shown().steps, 700);
    EXPECT_EQ(run.previewed_instant()->generation, run.shown().generation);
  }
  run.preview({});
  EXPECT_EQ(run.previewed_instant(), nullptr);
  // Not of a run that is no more.
  run.preview(50);
  carry_out(run, Rewind{});
  EXPECT_EQ(run.previewed_instant(), nullptr);
}

TEST_F(Live, BranchesAreWrittenAndReadAgain) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{300});
  const int first = run.present_branch();
  const int second = fork(run, 200);
  carry_out(run, Change{{{"system.gravity", 3.0}}}, TakeSteps{50});
  const std::string table = RunTable(run).text();
  switch_to(run, first);
  Scenario file = *run.snapshot().record;
  const Branch& other = run.branches()[1];
  file.branches = {branch_of(file, *other.record, other.look.name, run.shared_steps(other))};
  EXPECT_EQ(file.branches[0].from_step, 200);
  carry_out(run, Load{value_of(read_scenario(write_scenario(file), "file"))});
  ASSERT_EQ(run.branches().size(), 2u);
  EXPECT_EQ(run.branches()[1].look.name, file.branches[0].name);
  EXPECT_NE(run.branches()[0].look.name, run.branches()[1].look.name);
  switch_to(run, run.branches()[1].id);
  EXPECT_EQ(run.snapshot().steps, 0) << "not computed yet";
  carry_out(run, TakeSteps{250});
  EXPECT_EQ(RunTable(run).text(), table);
  EXPECT_NE(second, first);
}

// It must not begin a new run in place of those that the file has.
TEST_F(Live, RewindWhileAFileIsOpeningKeepsItsRuns) {
  LiveRun run(preset(1e6));
  carry_out(run, TakeSteps{300});
  const int first = run.present_branch();
  const int second = fork(run, 200);
  carry_out(run, Change{{{"system.gravity", 3.0}}}, TakeSteps{50});
  const auto file = [&](int present) {
    if (run.present_branch() != present) switch_to(run, present);
    return with_runs(run.capture(), saved_runs(run.runs(), run.snapshot().checkpoints));
  };
  const Scenario changed = file(second), unchanged = file(first);
  Scenario without_states = unchanged;
  without_states.view = json::Node::object();
  // With the states of its runs a file opens at the end of one, and otherwise at the start.
  for (const Scenario& opened : {unchanged, without_states, changed})
    for (const int updates : {0, 1, 2}) {  // before anything has come, or as it does
      run.send(Load{opened});
      for (int k = 0; k < updates; ++k) run.update();
      // Where the worker was faster the file is open, and Rewind begins another run at once.
      const bool waits = run.send(Rewind{}) == 0, same_start = opened.events.empty();
      EXPECT_TRUE(waits || updates > 0);
      until(run, [&] { return !run.is_opening() && run.snapshot().commands >= run.sent(); });
      run.update();
      EXPECT_EQ(run.requested_step(), 0) << updates;
      const auto& families = run.runs().families();
      EXPECT_EQ(families.front().branches.size(), 2u) << updates;
      EXPECT_EQ(families.size(), waits && same_start ? 1u : 2u) << updates;
      EXPECT_EQ(run.snapshot().record->parameters.at("gravity")[0], same_start ? 9.81 : 3);
    }
}

// Until a run from a file has been repeated, there is nothing to continue from before its first
// kept state.
TEST_F(Live, AnEditBeforeAllSavedStatesBeginsARunThatIsComputed) {
  LiveRun run(preset(1e6));
  (void)reopen_at_head(run);
  until(run, [&] { return run.snapshot().commands >= run.sent() && !run.is_opening(); });
  ASSERT_EQ(run.snapshot().steps, 400);
  const int first = run.present_branch();
  run.show(30);
  carry_out(run, Change{{{"system.gravity", 3.0}}});
  EXPECT_NE(run.present_branch(), first);
  EXPECT_EQ(run.snapshot().steps, 30);
  carry_out(run, TakeSteps{10});
  EXPECT_EQ(RunTable(run).text(), command_line(run));
  EXPECT_EQ(run.incomplete_runs().size(), 1u) << "the other one";
}

// The switch has taken the samples of the run as they were when it was asked for.
TEST_F(Live, SamplesThatComeWhileARunIsSwitchedToAreKept) {
  LiveRun run(preset(1e6));
  const Branch computed = reopen_at_head(run);
  until(run, [&] { return run.is_switching(); });
  run.complete(run.present_branch(), computed);
  until(run, [&] { return !run.is_opening(); });
  EXPECT_TRUE(run.incomplete_runs().empty());
  EXPECT_EQ(run.snapshot().steps, 400);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
}

TEST_F(Live, WhatWasComputedOfARunDoesNotGoToTheScenarioThatIsOpened) {
  LiveRun run(preset(1e6));
  const Branch computed = reopen_at_head(run);
  until(run, [&] { return run.snapshot().steps == 400 && !run.is_opening(); });
  ASSERT_EQ(run.incomplete_runs().size(), 1u);
  run.send(Load{test::preset("chain_pendulum")});
  run.complete(run.present_branch(), computed);
  until(run, [&] { return !run.is_opening() && run.snapshot().commands >= run.sent(); });
  EXPECT_EQ(run.snapshot().checkpoints->newest()->step(), 0);
}

AddLane lane(const char* type, double step, int from) {
  json::Node added = json::Node::object();
  added.set("type", type);
  added.set("step", step);
  added.set("from", json::Node::whole(from));
  return {added};
}

TEST_F(Live, ALaneBeginsWhereTheRunIs) {
  LiveRun run(preset(1e6));
  run.send(Change{{{"every", 3.0}}});
  carry_out(run, TakeSteps{1000}, lane("rk4", 0.005, 0));
  ASSERT_EQ(run.snapshot().lanes.size(), 2u);
  ASSERT_EQ(run.histories().size(), 2u) << "before it has a row";
  EXPECT_EQ(RunTable(run).text(), command_line(run));
  carry_out(run, TakeSteps{1});
  EXPECT_EQ(RunTable(run).text(), command_line(run)) << "between two rows";
  expect_table_after(run, TakeSteps{1000}, lane("rk45", 0.01, 1), lane("heun", 0.01, 0),
                     TakeSteps{500});
  ASSERT_EQ(run.histories().size(), 4u);
  EXPECT_EQ(run.histories()[1].first(), 334u);
  EXPECT_EQ(run.histories()[3].first(), 668u);
  for (const History& history : run.histories()) {
    EXPECT_EQ(history.size(), run.histories()[0].size());
    EXPECT_EQ(history.state_count(), run.histories()[0].state_count());
    EXPECT_EQ(history.view(Signal::distance()).values->size(), history.state_count());
  }
  // Before it begins it is not there.
  show(run, 1000);
  EXPECT_EQ(run.shown().lanes.size(), 1u);
  show(run, 1001);
  EXPECT_EQ(run.shown().lanes.size(), 2u);
  show(run, 2002);
  EXPECT_EQ(run.shown().lanes.size(), 4u);
  run.show_head();

  const int first = run.present_branch();
  const std::string table = RunTable(run).text();
  (void)fork(run, 1500);
  EXPECT_EQ(run.histories().size(), 2u);
  expect_table_after(run, lane("variational4", 0.01, 1), TakeSteps{100});
  (void)fork(run, 900);
  EXPECT_EQ(run.histories().size(), 1u);
  expect_table_after(run, TakeSteps{50});
  switch_to(run, first);
  ASSERT_EQ(run.histories().size(), 4u);
  EXPECT_EQ(RunTable(run).text(), table);
  expect_table_after(run, TakeSteps{100});
}

TEST_F(Live, LanesThatAreAddedAreThinnedWithTheOthers) {
  LiveRun run(preset(1e6), {.max_samples = 100, .state_budget = 96 * 16});
  run.send(Change{{{"every", 1.0}}});
  run.set_trail_span(1);
  expect_table_after(run, TakeSteps{70}, lane("rk4", 0.01, 0), TakeSteps{333});
  expect_table_after(run, lane("rk4", 0.01, 1), TakeSteps{500});
  EXPECT_LE(run.histories()[0].state_count(), 6u);
  EXPECT_EQ(run.histories()[2].state_count(), run.histories()[0].state_count());
}

TEST_F(Live, AFileThatAddsALaneTooManyIsRefused) {
  Scenario scenario = *LiveRun(preset(1)).snapshot().record;
  const LaneSpec spec = scenario.lanes[0];
  for (int k = 0; k < 3; ++k) {
    scenario.events.push_back({.step = 1, .add_lane = AddedLane{spec, 0}});
    scenario.events.back().add_lane->lane.name = "lane " + std::to_string(k);
  }
  EXPECT_TRUE(check_shown_lanes(scenario));
  scenario.branches = {{"one more", 5, {scenario.events.back()}}};
  scenario.branches[0].events[0].step = 5;
  EXPECT_TRUE(says(error_of(check_shown_lanes(scenario)).message, "at most 4, not 5"));
}

TEST_F(Live, ABranchFromBeforeTheRunWasThinnedHasItsRows) {
  constexpr std::int64_t most = 1000;
  LiveRun run(preset(1e6), {.max_samples = most});
  run.send(Change{{{"every", 1.0}}});
  carry_out(run, TakeSteps{1500});
  EXPECT_EQ(run.snapshot().stride, 2);
  (void)fork(run, 700);
  carry_out(run, TakeSteps{3000});
  EXPECT_EQ(run.snapshot().stride, 4);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
}

// Thinned again and again while everything changes; each table ends between two rows.
TEST_F(Live, TableIsThatOfTheCommandLineHoweverOftenItWasThinned) {
  constexpr std::int64_t most = 50;
  LiveRun run(preset(100), {most, 96 * 7});
  for (int round = 1; round <= 6; ++round) {
    carry_out(run, TakeSteps{101});
    EXPECT_EQ(RunTable(run).text(), command_line(run)) << round;
    carry_out(run, Change{{{"system.gravity", 1.0 + round}}});
    if (round % 2) carry_out(run, Change{{{"integrator.step", 0.01 / round}}});
    EXPECT_EQ(RunTable(run).text(), command_line(run)) << round;
    const History& history = run.histories()[0];
    EXPECT_LE(static_cast<std::int64_t>(history.size()), most);
    EXPECT_EQ(history.size(),
              static_cast<std::size_t>(run.snapshot().steps / run.snapshot().stride + 1));
    const SignalView tip = history.view(Signal(Signal::Kind::position, 1, 2));
    EXPECT_EQ(tip.values->size(), (history.size() + tip.stride - 1) / tip.stride);
    EXPECT_LE(tip.values->size(), 7u);
    for (std::size_t k = 0; k < tip.values->size(); ++k)
      EXPECT_EQ((*tip.times)[k], history.column(Quantity::time)[k * tip.stride]);
  }
  EXPECT_EQ(run.snapshot().stride, 16);
}

// The cap is met exactly where the table ends; past the planned end; and loaded again half-way.
TEST_F(Live, TableIsThatOfTheCommandLineAtAndBesideEveryThinning) {
  for (const std::int64_t steps : {9, 10, 11, 19, 20, 21, 60}) {
    LiveRun run(preset(0.15), {10, 960});
    carry_out(run, TakeSteps{steps});
    EXPECT_EQ(RunTable(run).text(), command_line(run)) << steps;
    carry_out(run, Load{*run.snapshot().record}, TakeSteps{7});
    EXPECT_EQ(RunTable(run).text(), command_line(run)) << "half-way to " << steps;
  }
}

TEST_F(Live, ARunThatIsWatchedWhileItIsThinnedIsWholeAtAnyTime) {
  LiveRun run(preset(1e6), {1000, 96 * 100});
  carry_out(run, Pace{Pacing::fastest, 1}, Play{});
  // So long, and until it has been thinned on a slow machine, too.
  for (int i = 0; i < 300 || (i < patience && run.snapshot().stride == 1); ++i) {
    run.update();
    const History& history = run.histories()[0];
    const Snapshot& now = run.snapshot();
    ASSERT_EQ(static_cast<std::int64_t>(history.size()), now.steps / now.stride + 1);
    for (std::size_t k = 0; k < history.size(); ++k)
      ASSERT_EQ(history.steps()[k], static_cast<std::int64_t>(k) * now.stride);
    QThread::usleep(1000);
  }
  carry_out(run, Pause{});
  EXPECT_GT(run.snapshot().stride, 1);
  EXPECT_EQ(RunTable(run).text(), command_line(run));
}

/// In KiB, of this process: the most resident memory since it was last forgotten.
long peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return -1;
}
void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

// 2·10⁶ samples are 192 MB as plain numbers.
TEST_F(Live, ALongRunIsExportedWithoutACopyOfIt) {
  constexpr std::int64_t steps = 2'000'000;
  LiveRun run(preset(1e6));
  run.send(Change{{{"every", 1.0}}});
  carry_out(run, TakeSteps{steps});
  const History& history = run.histories()[0];
  ASSERT_EQ(history.size(), static_cast<std::size_t>(steps) + 1);
  QCoreApplication::processEvents();

  forget_peak_memory();
  const long before = peak_memory();
  ASSERT_GT(before, 0);
  std::clock_t began = std::clock();
  const auto table = std::make_shared<RunTable>(run);
  const double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 0.1) << "that is all that the window's thread does";
  EXPECT_EQ(table->rows(), static_cast<std::size_t>(steps) + 1);

  Progress progress;
  const std::string path = folder_.filePath(QStringLiteral("run.csv")).toStdString();
  Result<bool> written = false;
  std::thread writer([&] { written = table->write(path, progress); });
  // Meanwhile the run is gone: the table is of what it was.
  const Sample last = history.sample(history.size() - 1);
  carry_out(run, Rewind{});
  ASSERT_EQ(run.histories()[0].size(), 1u);
  writer.join();
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_TRUE(*written);
  EXPECT_EQ(progress.share, 1);
  EXPECT_LT(peak_memory() - before, 64 * 1024) << "KiB more than the run itself takes";

  std::ifstream file(path);
  std::string line, end;
  std::int64_t lines = 0;
  for (; std::getline(file, line); ++lines) end = line;
  EXPECT_EQ(lines, steps + 2);
  EXPECT_EQ(end + '\n', csv_row(*run.snapshot().system_info, {last}));
}

TEST_F(Live, ACancelledExportLeavesNothing) {
  LiveRun run(preset(1e6));
  run.send(Change{{{"every", 1.0}}});
  carry_out(run, TakeSteps{1000});
  Progress progress;
  progress.cancelled = true;
  const QString path = folder_.filePath(QStringLiteral("run.csv"));
  const auto written = value_of(RunTable(run).write(path.toStdString(), progress));
  EXPECT_FALSE(written);
  EXPECT_TRUE(QDir(folder_.path()).isEmpty());
  for (const char* end : {".csv", ".xyz", ".pvd"}) {
    const auto way = value_of(write_trajectory(
        *run.snapshot().record, 1000,
        folder_.filePath(QStringLiteral("way") + QLatin1String(end)).toStdString(), progress));
    EXPECT_FALSE(way);
    EXPECT_TRUE(QDir(folder_.path()).isEmpty()) << end;
  }
  EXPECT_FALSE(value_of(write_pair_distribution(
      *run.snapshot().record, 1000, folder_.filePath(QStringLiteral("pairs.csv")).toStdString(),
      progress)));
  EXPECT_TRUE(QDir(folder_.path()).isEmpty());
}

}  // namespace
}  // namespace twosphere::live_run_test
