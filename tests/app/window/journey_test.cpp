// SPDX-License-Identifier: GPL-3.0-or-later
// Every preset, back and forth by mouse and keys, with one lane and with four, dark and light: what
// is shown is the state of a run without a window, bit for bit, also where a run cannot continue.
// One window for every other preset, and for the molecules; all presets and combinations with
// TWOSPHERE_LONG set (scripts/test --long).
#include <QDir>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "app/session/autosave.h"
#include "app/session/recovery.h"
#include "core/base/file.h"
#include "tests/app/run_fixture.h"
#include "tests/app/session_file.h"
#include "tests/outcome.h"

namespace twosphere::journey_test {
namespace {

using namespace test;

const bool all = std::getenv("TWOSPHERE_LONG") != nullptr;

struct Journey : RunWindow {
  /// Also a run that has just come to its planned end.
  void pause() {
    run().send(Pause{});
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
    ASSERT_NE(now().state, RunState::running);
    wait_until_drawn();
  }
  void take_steps(std::int64_t steps) {
    const std::int64_t head = now().steps;
    run().send(TakeSteps{steps});
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
    if (now().state == RunState::failed) {
      ASSERT_NO_FATAL_FAILURE(go_on_without_the_change());
    }
    ASSERT_EQ(now().steps, head + steps);
  }
  /// The run says why it does not continue from what was changed at its head, and keeps that. Undo
  /// leads to the run before it, which continues as far as was asked for.
  void go_on_without_the_change() {
    wait_until_drawn();
    ASSERT_TRUE(now().failure);
    EXPECT_TRUE(says(now().failure->message, "The last valid state is kept"));
    const std::int64_t head = now().steps, next = now().failure->step;
    EXPECT_EQ(next, head + 1);
    expect_as_fresh();
    ASSERT_TRUE(has("failure/undo"));
    click("failure/undo");
    ASSERT_TRUE(eventually([&] {
      return !run().is_switching() && now().state != RunState::failed && now().steps == head &&
             (now().record->events.empty() || now().record->events.back().step < head);
    }));
    expect_as_fresh();
    run().send(TakeSteps{3});
    ASSERT_TRUE(eventually([&] { return now().commands >= run().sent(); }));
  }
  /// Drags the first body that can be taken, until that has made an event. `running`: pulls it.
  void drag_some_body(bool running) {
    const auto events = [&] { return now().record->events.size(); };
    const std::size_t before = events();
    const int bodies = static_cast<int>(shown().size());
    for (int body = 0; body < std::min(bodies, 12) && events() == before; ++body) {
      const QPointF from = seen(running ? bodies - 1 - body : body);
      const bool with_key = running || bodies > 100;
      pull(from, from + QPointF(30, -20), with_key ? Qt::ControlModifier : Qt::NoModifier);
    }
    EXPECT_GT(events(), before) << (running ? "nothing was thrown" : "nothing was moved");
  }
  void travel(std::size_t lanes, std::int64_t steps);
};

void Journey::travel(std::size_t lanes, std::int64_t steps) {
  for (std::size_t k = 1; k < lanes; ++k) key(Qt::Key_L);
  ASSERT_TRUE(eventually([&] { return now().lanes.size() == lanes; }));
  ASSERT_NO_FATAL_FAILURE(record(static_cast<int>(steps)));
  const int first = run().present_branch();

  // Back by keys, and by a click on the line.
  key(Qt::Key_Left);
  ASSERT_NO_FATAL_FAILURE(arrive());
  EXPECT_EQ(run().shown().steps, steps - 1);
  expect_as_fresh();
  key(Qt::Key_Left, Qt::ShiftModifier);
  ASSERT_NO_FATAL_FAILURE(arrive());
  EXPECT_EQ(run().shown().steps, steps - 11);
  expect_as_fresh();
  click_at(on_line(0.3));
  ASSERT_NO_FATAL_FAILURE(arrive());
  EXPECT_NEAR(static_cast<double>(run().shown().steps), 0.3 * static_cast<double>(steps), 2);
  expect_as_fresh();

  // Another future, moved and thrown.
  ASSERT_TRUE(after_key(Qt::Key_Space, Qt::ControlModifier,
                        [&] { return run().present_branch() != first && !run().is_switching(); }));
  ASSERT_NO_FATAL_FAILURE(pause());
  expect_as_fresh();
  drag_some_body(false);
  expect_as_fresh();
  ASSERT_NO_FATAL_FAILURE(take_steps(3));
  expect_as_fresh();
  expect_on_spheres();
  const int second = run().present_branch();
  const std::int64_t head = now().steps;

  // The first one is as it was left, and the second, too.
  ASSERT_TRUE(after_click("branch/" + std::to_string(first),
                          [&] { return run().present_branch() == first; }));
  EXPECT_EQ(now().steps, steps);
  expect_as_fresh();
  ASSERT_TRUE(after_click("branch/" + std::to_string(second),
                          [&] { return run().present_branch() == second; }));
  EXPECT_EQ(now().steps, head);
  expect_as_fresh();

  // Slowly, so that no lane comes to where it diverges, but with some steps while a body is held.
  run().send(Change{{{"duration", 1000.0}}});
  const double step = grid_step(now().present->lanes);
  run().send(Pace{Pacing::real_time, std::max(5 * step, std::min(0.05, 30 * step))});
  key(Qt::Key_Space);
  drag_some_body(true);
  key(Qt::Key_N);
  const std::size_t events = now().record->events.size();
  QTest::keyPress(&view(), Qt::Key_Right, Qt::AltModifier);
  EXPECT_TRUE(eventually([&] { return now().record->events.size() > events; }));
  QTest::keyRelease(&view(), Qt::Key_Right, Qt::AltModifier);
  wait_until_drawn();
  ASSERT_NO_FATAL_FAILURE(pause());
  expect_as_fresh();
  key(Qt::Key_Left);
  ASSERT_NO_FATAL_FAILURE(arrive());
  EXPECT_EQ(run().shown().steps, now().steps - 1);
  expect_as_fresh();
  key(Qt::Key_Home);
  ASSERT_NO_FATAL_FAILURE(arrive());
  EXPECT_EQ(run().shown().steps, 0);
  expect_as_fresh();
}

struct Way {
  std::string_view preset;
  bool many = false, light = false;
  std::size_t lanes = 1;
};

std::vector<Way> ways() {
  std::vector<Way> list;
  int number = 0;
  for (const Preset& preset : presets()) {
    const bool many = read_scenario(preset.text, preset.key)->size() > 100;
    for (const bool light : {false, true})
      for (const std::size_t lanes : {1, 4}) {
        // One of the four for every other preset, and molecules in one lane.
        const int combination = (light ? 2 : 0) + (lanes == 4 ? 1 : 0);
        if (all || (many ? combination == 0 : number % 2 == 0 && number / 2 % 4 == combination))
          list.push_back({preset.key, many, light, lanes});
      }
    ++number;
  }
  return list;
}

class JourneyOf : public Journey, public testing::WithParamInterface<Way> {};

TEST_P(JourneyOf, ShowsExactStates) {
  const Way& way = GetParam();
  window_.reset();
  ASSERT_NO_FATAL_FAILURE(open_window(way.preset));
  view().interface().settings().palette = way.light ? Palette::light : Palette::dark;
  travel(way.lanes, way.many ? 14 : 60);
}

INSTANTIATE_TEST_SUITE_P(Preset, JourneyOf, testing::ValuesIn(ways()), [](const auto& test) {
  const Way& way = test.param;
  return std::string(way.preset) + (way.light ? "_light_" : "_dark_") + std::to_string(way.lanes);
});

// Clicks anywhere on the line in a recovered session, while the run may have but a few states, and
// when it has all of them again.
TEST_F(Journey, AnyClickInARecoveredSessionShowsTheExactState) {
  const std::int64_t steps = all ? 3'000'000 : 100'000;
  const int clicks = all ? 1000 : 50;
  qputenv("XDG_STATE_HOME", folder_.filePath(QStringLiteral("state")).toUtf8());
  run().send(Change{{{"duration", static_cast<double>(steps) * 0.01}}});
  advance(steps / 2, steps / 2);
  run().send(Change{{{"system.gravity", 3.0}}});
  advance(steps - steps / 2, steps);
  const Scenario record = run().capture().record;
  const std::string text = test::session_file(*window_);
  window_.reset();
  ASSERT_TRUE(QDir().mkpath(session_folder()));
  ASSERT_TRUE(
      write_file((session_folder() + QStringLiteral("/session-x.json")).toStdString(), text));
  ASSERT_NO_FATAL_FAILURE(open_window());
  auto* offer = dialog<RecoveryDialog>();
  QTest::mouseClick(offer->findChild<QPushButton*>(QStringLiteral("recover")), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return now().steps == steps && !run().is_opening(); }));
  wait_until_drawn();

  std::multimap<std::int64_t, State> seen;
  std::mt19937 draw(5);
  std::uniform_real_distribution<double> share(0, 1);
  const ui::Rect bar = rect("progress");
  constexpr double near_mark = 10;  // [px]: a click beside a mark goes to the mark
  for (int k = 0; k < clicks; ++k) {
    const double x = share(draw);
    click_at(on_line(x));
    ASSERT_TRUE(eventually([&] {
      run().update();
      return run().in_past() && run().exact() &&
             std::abs(static_cast<double>(run().requested_step()) / static_cast<double>(steps) -
                      x) < near_mark / static_cast<double>(bar.width);
    })) << "click "
        << k << " at " << x;
    seen.emplace(run().shown().steps, run().shown().lanes[0].state);
  }
  Simulation fresh = std::move(*Simulation::create(record));
  for (const auto& [step, state] : seen) {
    while (fresh.steps() < step) ASSERT_FALSE(fresh.advance_to(step));
    const State& there = fresh.state(0);
    ASSERT_TRUE((there.q.array() == state.q.array()).all() &&
                (there.w.array() == state.w.array()).all())
        << "step " << step;
  }
  EXPECT_GT(seen.size(), static_cast<std::size_t>(clicks) / 2);
}

}  // namespace
}  // namespace twosphere::journey_test
