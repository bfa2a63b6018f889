// SPDX-License-Identifier: GPL-3.0-or-later
// The time line, the time box, and what the panels show of the past.
#include "ui/panels/time_line.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "core/scenario/timetable.h"
#include "tests/outcome.h"
#include "tests/ui/desk.h"

namespace twosphere::time_line_test {
namespace {

using namespace ui;
using namespace ui_test;

using Step = std::optional<std::int64_t>;

/// The place on the bar of an elapsed time.
ImVec2 place(const Desk& desk, double elapsed) {
  const Timetable table(desk.simulation->record());
  const double whole =
      std::max(table.elapsed(desk.snapshot.planned_steps), table.elapsed(desk.snapshot.steps));
  const Rect bar = desk.rect("progress");
  return {bar.x + bar.width * static_cast<float>(elapsed / whole), bar.y + bar.height / 2};
}

float handle(const Desk& desk) {
  const Rect r = desk.rect("progress/handle");
  return r.x + r.width / 2;
}

/// A run of that many steps that is to end with them, with as many lanes.
void run(Desk& desk, int steps, int lanes = 1) {
  desk.frames(2);
  while (static_cast<int>(desk.snapshot.lanes.size()) < lanes) {
    ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  }
  const double step = desk.simulation->grid_step();
  ASSERT_TRUE(desk.simulation->set({{"duration", steps * step}}));
  desk.run_and_draw(steps);
}

TEST(TimeLine, AClickOrADragGoesToATimeWithEveryPreset) {
  for (const Preset& preset : presets())
    for (const int lanes : {1, 4}) {
      if (preset.key == "lennard_jones" && lanes > 1) continue;
      // Its pairs turn too far in a step for the methods of the other lanes.
      if (preset.key == "vortex_clusters" && lanes > 1) continue;
      SCOPED_TRACE(fmt::format("{}, {} lanes", preset.key, lanes));
      Desk desk(preset.key);
      const int steps = preset.key == "lennard_jones" ? 10 : 60;
      run(desk, steps, lanes);
      const double h = desk.simulation->grid_step();
      EXPECT_NEAR(handle(desk), place(desk, steps * h).x, 1) << "the head";
      desk.click_at(place(desk, 0.3 * steps * h));
      ASSERT_EQ(desk.recorder.shown, std::vector<Step>{0.3 * steps});
      EXPECT_NEAR(handle(desk), place(desk, 0.3 * steps * h).x, 1);
      EXPECT_TRUE(desk.has("to_head"));
      EXPECT_NEAR(desk.rect("progress/done").width, desk.rect("progress").width, 1);
      EXPECT_NEAR(desk.past.t, 0.3 * steps * h, 1e-9);

      // A drag goes there and back, and follows the mouse.
      desk.drag("progress/handle", 0.2f * desk.rect("progress").width, 40);
      EXPECT_EQ(desk.recorder.shown.back(), Step(steps / 2));
      EXPECT_NEAR(handle(desk), place(desk, 0.5 * steps * h).x, 1);
      EXPECT_GE(desk.recorder.shown.size(), steps > 10 ? 8u : 3u);
      desk.click("to_head");
      EXPECT_EQ(desk.recorder.shown.back(), Step());
      EXPECT_FALSE(desk.has("to_head"));
      EXPECT_TRUE(desk.recorder.commands.empty() || lanes > 1) << "the run is as it was";
    }
}

TEST(TimeLine, CountsTimeAcrossChangesOfTheStep) {
  DrawnDesk desk;
  ASSERT_TRUE(desk.simulation->set({{"duration", 2.0}}));
  desk.run(100);
  ASSERT_TRUE(desk.simulation->set({{"integrator.step", 0.1}}));
  desk.run_and_draw(5);
  EXPECT_NEAR(desk.snapshot.t, 1.5, 1e-12);
  desk.click_at(place(desk, 0.5));
  EXPECT_EQ(desk.recorder.shown.back(), Step(50));
  desk.click_at(place(desk, 1.2));
  EXPECT_EQ(desk.recorder.shown.back(), Step(102));
  EXPECT_NEAR(desk.past.t, 1.2, 1e-12);
  desk.click_at(place(desk, 1.9));
  EXPECT_EQ(desk.recorder.shown.back(), Step(105)) << "what is not computed cannot be shown";
  EXPECT_FALSE(desk.past_step) << "but the head";
}

TEST(TimeLine, TheTimeUnderTheMouseIsThatOfTheCursor) {
  Desk desk;
  run(desk, 100);
  desk.run(0);
  ASSERT_TRUE(desk.simulation->set({{"duration", 2.0}}));
  desk.run_and_draw(0);
  const ImVec2 at = place(desk, 0.25);
  desk.point(at.x, at.y, 1);
  EXPECT_NEAR(test::value_of(desk.interface.cursor()), 0.25, 0.006);
  EXPECT_TRUE(desk.recorder.shown.empty()) << "nothing was pressed";
  const ImVec2 later = place(desk, 1.5);
  desk.point(later.x, later.y, 1);
  EXPECT_FALSE(desk.interface.cursor()) << "there is no configuration yet";
  // The same without the plots.
  desk.interface.settings().columns = false;
  desk.frames(2);
  const ImVec2 wide = place(desk, 0.5);
  desk.point(wide.x, wide.y, 1);
  EXPECT_NEAR(test::value_of(desk.interface.cursor()), 0.5, 0.006);
  desk.point(640, 300, 1);
  EXPECT_FALSE(desk.interface.cursor());
}

// The bar of a run beyond its planned end becomes longer in time, not on the screen.
TEST(TimeLine, TheInstantUnderAMouseThatRestsStays) {
  Desk desk;
  run(desk, 100);
  const ImVec2 at = place(desk, 0.5);
  desk.point(at.x, at.y, 1);
  const std::optional<double> cursor = desk.interface.cursor();
  ASSERT_TRUE(cursor);
  EXPECT_NEAR(*cursor, 0.5, 0.006);
  for (int k = 0; k < 3; ++k) {
    desk.run_and_draw(50, 1);
    EXPECT_EQ(desk.interface.cursor(), cursor);
  }
  // A click goes to the instant that the note names; the handle shows where that is now.
  desk.press();
  desk.release(0, 2);
  EXPECT_EQ(desk.recorder.shown, std::vector<Step>{std::llround(*cursor / 0.01)});
  EXPECT_NEAR(handle(desk), place(desk, *cursor).x, 1);
  // A mouse that moves points at what is there.
  desk.point(at.x + 1, at.y, 1);
  EXPECT_NEAR(test::value_of(desk.interface.cursor()), 1.25, 0.02);
  // And another run begins anew.
  desk.point(at.x, at.y, 1);
  ++desk.snapshot.generation;
  desk.run_and_draw(250, 1);
  EXPECT_NEAR(test::value_of(desk.interface.cursor()), 2.5, 0.02);
}

TEST(TimeLine, MarksGoToTheirSteps) {
  DrawnDesk desk;
  ASSERT_TRUE(desk.simulation->set({{"duration", 10.0}}));
  desk.run(300);
  for (int k = 0; k < 5; ++k) {  // as by a drag
    ASSERT_TRUE(desk.simulation->set({{"system.gravity", 9.0 - 0.1 * k}}, 1));
    desk.run(2);
  }
  desk.run(300);
  ASSERT_TRUE(desk.simulation->set({{"system.gravity", 1.0}}));
  desk.run_and_draw(100);
  ASSERT_TRUE(desk.has("progress/marker[1]"));
  EXPECT_FALSE(desk.has("progress/marker[2]")) << "a drag is one mark";
  const Rect mark = desk.rect("progress/marker[1]");
  // Two pixels beside it.
  desk.click_at({mark.x + mark.width / 2 + 2, mark.y + 1});
  EXPECT_EQ(desk.recorder.shown.back(), Step(610));
  EXPECT_EQ(desk.past.present->parameters.at("gravity")[0], 8.6) << "before its change";
}

TEST(TimeLine, ATimeIsTyped) {
  Desk desk;
  run(desk, 100);
  for (const auto& [text, step] :
       {std::pair("0.42", 42), {"0,305", 30}, {"-3", 0}, {"7", 100}, {"1/4", 25}, {"420 ms", 42}}) {
    SCOPED_TRACE(text);
    ASSERT_TRUE(desk.handle(Action::go_to_time, 3));
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    desk.type(text);
    desk.key(ImGuiKey_Enter, 2);
    ASSERT_FALSE(desk.recorder.shown.empty());
    EXPECT_NEAR(static_cast<double>(desk.recorder.shown.back().value_or(-1)), step, 1);
  }
  // By a click; nonsense stays, and Esc leaves it.
  const std::size_t before = desk.recorder.shown.size();
  desk.click("time_box");
  desk.type("soon");
  desk.key(ImGuiKey_Enter, 3);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  desk.key(ImGuiKey_Escape, 3);
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
  EXPECT_EQ(desk.recorder.shown.size(), before);
}

TEST(TimeLine, TheButtonsSayWhatToDo) {
  Desk desk;
  run(desk, 50);
  desk.click("step_back");
  EXPECT_EQ(desk.recorder.actions, std::vector{Action::step_back_1});
  EXPECT_FALSE(desk.has("go_on_from_here"));
  desk.click_at(place(desk, 0.2));
  ASSERT_TRUE(desk.past_step);
  desk.recorder.actions.clear();
  desk.click("play");
  desk.click("step_forward");
  desk.click("go_on_from_here");
  EXPECT_EQ(desk.recorder.actions,
            (std::vector{Action::play_pause, Action::step_1, Action::go_on_from_here}));
  EXPECT_TRUE(desk.recorder.all<Play>().empty());
  EXPECT_FALSE(desk.interface.loops());
  desk.click("loop");
  EXPECT_TRUE(desk.interface.loops());
  EXPECT_EQ(desk.interface.is_checked(Action::toggle_loop), true);
}

TEST(TimeLine, ThePanelsShowTheSettingsOfTheInstant) {
  Desk desk;
  run(desk, 20);
  ASSERT_TRUE(desk.simulation->set({{"system.gravity", 3.0}}));
  desk.run_and_draw(20);
  EXPECT_TRUE(desk.has("reset/gravity"));
  desk.click_at(place(desk, 0.1));
  ASSERT_EQ(desk.past_step, 10);
  EXPECT_FALSE(desk.has("reset/gravity")) << "it was as it had been loaded";
  desk.handle(Action::next_body, 2);
  desk.click("body/copy");
  const std::string copied = ImGui::GetClipboardText();
  EXPECT_TRUE(test::says(copied, "0.1"));
}

TEST(TimeLine, AClickInAPlotGoesToItsSample) {
  Desk desk;
  run(desk, 100);
  const Rect plot = desk.rect("plot/energy_error");
  const auto at = [&](double t) {
    return ImVec2{plot.x + plot.width * static_cast<float>(t), plot.y + plot.height / 2};
  };
  desk.click_at(at(0.6));
  ASSERT_FALSE(desk.recorder.shown.empty());
  EXPECT_NEAR(static_cast<double>(*desk.recorder.shown.back()), 60, 1);
  // The line at the instant is drawn in every plot over time.
  desk.point(640, 300, 2);
  const auto accent = colors(Palette::dark).accent.rgb;
  const Picture picture = desk.picture();
  for (const char* name : {"plot/total_energy", "plot/unit_length_error"}) {
    const Rect other = desk.rect(name);
    int found = 0;
    for (int y = static_cast<int>(other.y) + 8; y < static_cast<int>(other.y + other.height); ++y)
      for (int dx = -3; dx <= 3; ++dx)
        found += picture.at(static_cast<int>(other.x + 0.6f * other.width) + dx, y) == accent;
    EXPECT_GT(found, other.height / 2) << name;
  }
  // A drag pans.
  const std::size_t before = desk.recorder.shown.size();
  desk.drag("plot/energy_error", -50, 0);
  EXPECT_EQ(desk.recorder.shown.size(), before);
}

TEST(TimeLine, AClickThatTremblesMovesNoPlot) {
  Desk desk;
  run(desk, 100);
  const Rect plot = desk.rect("plot/energy_error");
  const float x = plot.x + 0.6f * plot.width, y = plot.y + plot.height / 2;
  const Interval before = desk.interface.plots().time;
  desk.point(x, y);
  desk.press();
  desk.point(x + 2, y + 1);
  desk.release(0, 2);
  ASSERT_EQ(desk.recorder.shown.size(), 1u);
  EXPECT_EQ(desk.interface.plots().time.low, before.low);
  EXPECT_EQ(desk.interface.plots().time.high, before.high);
}

TEST(TimeLine, APhasePortraitShowsTheInstant) {
  Desk desk;
  desk.interface.settings().plots = {*parse_plot("omega0_x over q0_x")};
  run(desk, 100);
  const auto accent = colors(Palette::dark).accent.rgb;
  const auto ring = [&] {
    desk.point(640, 300, 2);
    const Rect plot = desk.rect("plot/omega0_x over q0_x");
    const Picture picture = desk.picture();
    int found = 0;
    for (int y = static_cast<int>(plot.y); y < static_cast<int>(plot.y + plot.height); ++y)
      for (int x = static_cast<int>(plot.x); x < static_cast<int>(plot.x + plot.width); ++x)
        found += picture.at(x, y) == accent;
    return found;
  };
  EXPECT_EQ(ring(), 0);
  desk.click_at(place(desk, 0.3));
  EXPECT_GT(ring(), 8);
}

TEST(TimeLine, ADoubleClickInAPlotTakesItsFirstClickBack) {
  Desk desk;
  run(desk, 100);
  const auto twice = [&desk](double share) {
    const Rect plot = desk.rect("plot/energy_error");
    desk.point(plot.x + static_cast<float>(share) * plot.width, plot.y + plot.height / 2);
    for (int k = 0; k < 2; ++k) {
      desk.press();
      desk.release();
    }
    desk.frames(40);  // the next click is none of a double click
  };
  twice(0.3);
  ASSERT_EQ(desk.recorder.shown.size(), 2u);
  EXPECT_EQ(desk.recorder.shown.back(), Step());
  EXPECT_FALSE(desk.past_step);
  desk.click_at(place(desk, 0.4));
  desk.frames(40);
  ASSERT_EQ(desk.past_step, 40);
  twice(0.7);
  EXPECT_EQ(desk.past_step, 40);
}

TEST(TimeLine, SpansTheSceneInEveryWindow) {
  for (const auto& [width, height] :
       {std::pair(1600.f, 954.f), {1280.f, 754.f}, {1024.f, 654.f}, {853.f, 500.f}})
    for (const float scale : {1.f, 1.3f, 1.5f})
      for (const bool past : {false, true}) {
        SCOPED_TRACE(fmt::format("{} x {} at {}, {}", width, height, scale, past));
        Desk desk("double_spherical_pendulum", width, height, 1, scale);
        desk.run_and_draw(1234, 3);
        if (past) desk.click_at(place(desk, 6));
        const Rect bar = desk.rect("progress"), scene = desk.interface.scene();
        EXPECT_GE(bar.width, scene.width - 50 * scale);
        EXPECT_GE(bar.x, scene.x);
        EXPECT_LE(bar.x + bar.width, scene.x + scene.width);
        EXPECT_LE(bar.y + bar.height, height);
        std::vector<std::string> row;
        for (const char* name :
             {"rewind", "step_back", "play", "step_forward", "loop", "speed", "measured_factor",
              "time_box", "progress/time", "go_on_from_here", "to_head"})
          if (desk.has(name)) row.emplace_back(name);
        for (const char* name : {"rewind", "play", "step_forward", "time_box"})
          EXPECT_TRUE(desk.has(name)) << name;
        for (const char* name : {"step_back", "loop"})
          EXPECT_TRUE(desk.has(name) || scene.width < 280 * scale) << name;
        EXPECT_TRUE(past || desk.has("progress/time"));
        for (const char* name : {"go_on_from_here", "to_head"}) EXPECT_EQ(desk.has(name), past);
        EXPECT_TRUE(past || desk.has("speed"));
        for (std::size_t i = 0; i < row.size(); ++i) {
          const Rect r = desk.rect(row[i]);
          EXPECT_FALSE(overlap(r, bar)) << row[i];
          EXPECT_GE(r.x, scene.x) << row[i];
          EXPECT_LE(r.x + r.width, scene.x + scene.width + 1) << row[i];
          EXPECT_LE(r.y + r.height, height) << row[i];
          for (std::size_t j = 0; j < i; ++j)
            EXPECT_FALSE(overlap(r, desk.rect(row[j]))) << row[i] << " and " << row[j];
        }
        desk.handle(Action::go_to_time, 3);
        EXPECT_TRUE(ImGui::GetIO().WantTextInput);
      }
}

TEST(TimeLine, OfAReversedRunSaysHowLongItIs) {
  SpokenDesk desk;
  run(desk, 100);
  desk.simulation->reverse();
  desk.run_and_draw(40);
  EXPECT_NEAR(desk.snapshot.t, 0.6, 1e-9);
  EXPECT_NEAR(handle(desk), place(desk, 1.4).x, 1);
  EXPECT_EQ(desk.spoken("progress/time").name, "after 1.400 of 2 s");
  EXPECT_EQ(desk.spoken("time_line").value, "0.600 s, 1.400 s computed");
  desk.run_and_draw(61);
  EXPECT_EQ(desk.spoken("progress/time").name, "after 2.010 s") << "past its end";
}

/// Runs of one start; each forks from the one before after another 10 steps.
std::vector<BranchView> runs(const Desk& desk, int count) {
  static const std::vector<History> no_rows;
  const double h = desk.scenario.lanes[0].step;
  std::vector<BranchView> all;
  for (int id = 0; id < count; ++id) {
    BranchView& run = all.emplace_back();
    run.id = id;
    run.look = {fmt::format("future {}", id), id, false};
    run.present = id == 0;
    run.shared_steps = id == 0 ? desk.snapshot.steps : 10;
    run.parent = id - 1;
    run.fork_time = run.fork_elapsed = id == 0 ? 0 : 10 * h * id;
    run.head_time = run.head_elapsed = 10 * h * (id + 3);
    run.record = &desk.scenario;
    run.histories = &no_rows;
  }
  return all;
}

TEST(TimeLine, TheButtonsOfThePastStayBesideSeveralRuns) {
  for (const auto& [width, height] : {std::pair(1280.f, 754.f), {1024.f, 654.f}})
    for (const float scale : {1.f, 1.3f, 1.5f}) {
      SCOPED_TRACE(fmt::format("{} x {} at {}", width, height, scale));
      SpokenDesk desk("double_spherical_pendulum", width, height, 1, scale);
      desk.run(1396);
      desk.branches = runs(desk, 3);
      desk.frames(3);
      desk.click_at(place(desk, 6));
      for (const char* name : {"play", "loop", "go_on_from_here", "to_head", "time_box"})
        EXPECT_TRUE(desk.has(name)) << name;
      if (scale > 1) continue;
      for (const char* name : {"step_back", "speed", "run", "progress/time"})
        EXPECT_TRUE(desk.has(name)) << name;
      EXPECT_EQ(desk.spoken("progress/time").name, "of 13.960 s");
    }
}

TEST(TimeLine, WhatIsRecordedIsWrittenWithinTheScene) {
  for (const char* preset : {"three_body", "double_spherical_pendulum", "inverted_double_pendulum"})
    for (const auto& [width, height] : {std::pair(1280.f, 754.f), {1024.f, 654.f}})
      for (const float scale : {1.f, 1.3f, 1.5f}) {
        SCOPED_TRACE(fmt::format("{}, {} x {} at {}", preset, width, height, scale));
        Desk desk(preset, width, height, 1, scale);
        run(desk, 1422);
        desk.click_at(place(desk, 300 * desk.simulation->grid_step()));
        ASSERT_TRUE(desk.past_step);
        const Rect text = desk.rect("recorded"), scene = desk.interface.scene();
        EXPECT_GE(text.x, scene.x);
        EXPECT_LE(text.x + text.width, scene.x + scene.width);
        EXPECT_FALSE(overlap(text, desk.rect("title")));
      }
}

TEST(TimeLine, ShowsTheOtherRunsAsATree) {
  for (const float scale : {1.f, 1.5f})
    for (const int count : {2, 3, 8}) {
      SCOPED_TRACE(fmt::format("{} runs at {}", count, scale));
      Desk desk("double_spherical_pendulum", 1280, 754, 1, scale);
      run(desk, 100);
      desk.branches = runs(desk, count);
      desk.frames(3);
      const Rect line = desk.rect("progress"), play = desk.rect("play");
      EXPECT_FALSE(overlap(line, play));
      EXPECT_LE(play.y + play.height, 754);
      for (int id = 1; id < count; ++id) {
        const std::string name = "branch/" + std::to_string(id);
        const Rect bough = desk.rect(name);
        EXPECT_LE(bough.y + bough.height / 2, play.y) << "above the buttons";
        EXPECT_NEAR(bough.x, place(desk, desk.branches[static_cast<std::size_t>(id)].fork_time).x,
                    8 * scale)
            << "from the run above it";
        for (int other = 1; other < id; ++other)
          EXPECT_FALSE(overlap({bough.x, bough.y + 1, bough.width, bough.height - 2},
                               desk.rect("branch/" + std::to_string(other))));
        desk.recorder.shown.clear();
        desk.recorder.switched.clear();
        desk.point(name, 2);
        EXPECT_TRUE(desk.has("branch_note")) << "its name and times";
        desk.press();
        desk.release(0, 2);
        EXPECT_EQ(desk.recorder.switched, std::vector{id});
        EXPECT_TRUE(desk.recorder.shown.empty()) << "no time was gone to";
      }
      // Pressed on it and let go elsewhere: nothing.
      desk.recorder.switched.clear();
      desk.point("branch/1");
      desk.press();
      desk.point(line.x + line.width - 3, line.y + 2);
      desk.release(0, 2);
      EXPECT_TRUE(desk.recorder.switched.empty());
      EXPECT_TRUE(desk.recorder.shown.empty());
    }
}

TEST(TimeLine, ThePlotsContainTheOtherRuns) {
  Desk desk;
  run(desk, 100);
  const std::vector<History> longer = desk.histories;
  desk.load("double_spherical_pendulum");
  ASSERT_TRUE(desk.simulation->set({{"duration", 0.3}}));
  ASSERT_TRUE(desk.simulation->set({{"system.gravity", 3.0}}));
  desk.run(30);
  desk.branches = runs(desk, 2);
  desk.branches[1].histories = &longer;
  desk.branches[1].shared_steps = 0;
  desk.interface.settings().plots = {*parse_plot("kinetic_energy")};
  const auto shows = [&] {
    desk.frames(3);
    const VisiblePlots plots = desk.interface.plots();
    const Range energies = longer[0].range(Quantity::kinetic_energy, 0, longer[0].size());
    return std::pair(plots.time.high >= 1, plots.plots.at(0).y.high >= energies.high);
  };
  const std::vector<BranchView> both = std::exchange(desk.branches, {});
  EXPECT_EQ(shows(), std::pair(false, false)) << "of the present run alone";
  desk.branches = both;
  EXPECT_EQ(shows(), std::pair(true, true));
  ASSERT_TRUE(desk.interface.handle(Action::plots_fit));
  EXPECT_EQ(shows(), std::pair(true, true)) << "all of the runs";
  desk.branches[1].look.hidden = true;
  ASSERT_TRUE(desk.interface.handle(Action::plots_follow));
  EXPECT_FALSE(shows().first) << "it is hidden";
}

TEST(TimeLine, ShowsAPictureOfTheTimeUnderTheMouse) {
  for (const auto& [width, height] : {std::pair(1280.f, 754.f), {853.f, 500.f}, {600.f, 400.f}})
    for (const float scale : {1.f, 1.5f})
      for (const double share : {0.0, 0.5, 0.9}) {
        SCOPED_TRACE(fmt::format("{} x {} at {}, {}", width, height, scale, share));
        Desk desk("double_spherical_pendulum", width, height, 1, scale);
        desk.interface.settings().columns = width > 700;
        run(desk, 100);
        desk.time_picture = {0, 216 * scale, 150 * scale};
        const ImVec2 at = place(desk, share);
        desk.point(at.x, at.y, 6);
        EXPECT_FALSE(desk.interface.pictured_step()) << "the mouse has just come";
        EXPECT_TRUE(desk.interface.animating()) << "and somebody waits";
        desk.frames(6);
        const auto step = test::value_of(desk.interface.pictured_step());
        EXPECT_NEAR(static_cast<double>(step), 100 * share, 1);
        EXPECT_TRUE(desk.has("time_picture/coming"));
        desk.time_picture.texture = 7;
        desk.frames(3);
        const Rect picture = desk.rect("time_picture");
        EXPECT_EQ(picture.width, 216 * scale);
        EXPECT_GE(picture.x, 0);
        EXPECT_LE(picture.x + picture.width, width);
        EXPECT_GE(picture.y, 0);
        const Rect line = desk.rect("progress");
        EXPECT_LE(picture.y + picture.height, line.y);
        if (line.width > picture.width + 20 * scale) {
          EXPECT_GE(picture.x, line.x) << "beside the left column";
          EXPECT_LE(picture.x + picture.width, line.x + line.width);
        }
        // It follows the mouse at once, and goes with it.
        const ImVec2 next = place(desk, 0.3);
        desk.point(next.x, next.y);
        EXPECT_NEAR(static_cast<double>(desk.interface.pictured_step().value_or(-1)), 30, 1);
        desk.press();
        EXPECT_FALSE(desk.interface.pictured_step()) << "the scene shows it";
        desk.release();
        desk.point(at.x, 100, 12);
        EXPECT_FALSE(desk.interface.pictured_step());
        EXPECT_FALSE(desk.has("time_picture"));
      }
}

TEST(TimeLine, ShowsNoPictureOfWhatIsNotComputedOrNotWanted) {
  Desk desk;
  run(desk, 100);
  ASSERT_TRUE(desk.simulation->set({{"duration", 2.0}}));
  desk.run(1);
  desk.time_picture = {7, 216, 150};
  const ImVec2 later = place(desk, 1.5), there = place(desk, 0.5);
  desk.point(later.x, later.y, 30);
  EXPECT_FALSE(desk.interface.pictured_step());
  desk.point(there.x, there.y, 30);
  EXPECT_TRUE(desk.interface.pictured_step());
  EXPECT_TRUE(desk.handle(Action::toggle_time_pictures, 3));
  EXPECT_FALSE(desk.interface.pictured_step());
  EXPECT_FALSE(desk.has("time_picture"));
}

}  // namespace
}  // namespace twosphere::time_line_test
