// SPDX-License-Identifier: GPL-3.0-or-later
// The captions of cells and the list of lanes over the scene.
#include "ui/scene/cell_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "tests/ui/desk.h"

namespace twosphere::cell_frames_test {
namespace {

using namespace ui;
using namespace ui_test;

Legend split_in_two(const Rect& scene) {
  Legend legend;
  const float half = scene.width / 2;
  for (const int lane : {0, 1}) {
    CellView cell{
        {scene.x + half * static_cast<float>(lane), scene.y, half, scene.height}, {}, lane};
    cell.caption.style = lane_style(lane == 0 ? "variational" : "rk4", Palette::dark);
    cell.caption.name = lane == 0 ? "Variational" : "Runge-Kutta 4";
    cell.caption.step = 0.01;
    cell.caption.energy_error = -4.2e-3;
    if (lane == 1) cell.caption.distance = 1.3e-5;
    legend.cells.push_back(cell);
  }
  return legend;
}

TEST(CellFrames, TheBarOfADistanceIsLogarithmic) {
  EXPECT_EQ(bar_share(0), 0);
  EXPECT_EQ(bar_share(1e-16), 0);
  EXPECT_NEAR(bar_share(std::numbers::pi), 1, 1e-12);
  EXPECT_NEAR(bar_share(1e-8), 8 / (16 + std::log10(std::numbers::pi)), 1e-12);
  EXPECT_EQ(bar_share(10), 1);
}

TEST(CellFrames, SayWhatALaneDoes) {
  const Legend legend = split_in_two({0, 0, 1000, 600});
  EXPECT_EQ(spoken_caption(legend.cells[0].caption),
            "Variational, h 0.01 s, |E−E₀−W| 4.2e-03 J, the reference");
  EXPECT_EQ(spoken_caption(legend.cells[1].caption),
            "Runge-Kutta 4, h 0.01 s, |E−E₀−W| 4.2e-03 J, 1.3e-05 rad from the reference");
}

TEST(CellFrames, ALaneThatAgreesIsAtADistanceOfZero) {
  CellCaption same = split_in_two({0, 0, 1000, 600}).cells[1].caption;
  same.distance = 0;
  EXPECT_EQ(spoken_caption(same),
            "Runge-Kutta 4, h 0.01 s, |E−E₀−W| 4.2e-03 J, 0 rad from the reference");
}

TEST(CellFrames, ScalesAndArrowsAreBelowTheCaptions) {
  DrawnDesk desk;
  desk.frames(2);
  desk.legend = split_in_two(desk.interface.scene());
  desk.legend.arrows.push_back({BodyVector::velocity, 1, Color{0xffffff}});
  const auto low = [&](const char* name) { return desk.rect(name).y + desk.rect(name).height; };
  desk.frames(2);
  EXPECT_GE(desk.rect("cell/0").y, low("time"));
  EXPECT_GE(desk.rect("arrow_key/velocity").y, low("cell/0"));
  desk.legend.cells[0].caption.note = "ended at 12.4 s";
  desk.frames(2);
  EXPECT_GE(desk.rect("arrow_key/velocity").y, low("cell/0") + 20) << "and below a note";
}

TEST(CellFrames, ScalesOfColoursCoverTheTop) {
  DrawnDesk desk;
  desk.frames(2);
  EXPECT_EQ(desk.interface.covered(), 0);
  const Rect scene = desk.interface.scene();
  const ColorBar scale{"speed", "m/s", 0, 2, ColorMap::viridis};
  desk.legend.bars = {scale, scale};
  const auto covered_by_scales = [&](const Rect& view) {
    desk.frames(2);
    const Rect last = desk.rect("color_bar/1");
    EXPECT_GE(last.y, desk.rect("time").y + desk.rect("time").height);
    EXPECT_NEAR(desk.interface.covered(), (last.y + last.height - view.y) / view.height, 1e-6);
  };
  covered_by_scales(scene);
  desk.legend.cells = split_in_two(scene).cells;
  covered_by_scales(desk.legend.cells.front().rect);
  desk.legend.spare = {scene.x + scene.width / 2, scene.y + scene.height / 2, scene.width / 2,
                       scene.height / 2};
  desk.frames(2);
  EXPECT_LT(desk.interface.covered(), 0.2) << "they are beside the cells";
  desk.snapshot.state = RunState::stopped;
  desk.snapshot.stop_message = "variational: energy error above 0.001 J at step 12";
  desk.frames(5);
  EXPECT_LT(desk.rect("stop").y, scene.y + 0.2F * scene.height) << "as a card is";
}

TEST(CellFrames, TitleAndTimeLieWithinTheFirstCell) {
  DrawnDesk desk;
  desk.load("double_spherical_pendulum");
  for (const float share : {1.0f, 0.6f}) {  // beside one another, and in a narrow scene
    desk.legend = {};
    desk.frames(2);
    Rect scene = desk.interface.scene();
    scene.width *= share;
    desk.legend = split_in_two(scene);
    desk.frames(2);
    const Rect cell = desk.legend.cells.front().rect;
    for (const char* text : {"title", "time"}) {
      const Rect place = desk.rect(text);
      EXPECT_GE(place.x, cell.x) << text;
      EXPECT_GE(place.y, cell.y) << text;
      EXPECT_LE(place.x + place.width, cell.x + cell.width) << text << " in " << cell.width;
      EXPECT_LE(place.y + place.height, cell.y + cell.height) << text;
    }
    EXPECT_GE(desk.rect("cell/0").y, desk.rect("time").y + desk.rect("time").height);
  }
}

TEST(CellFrames, ADoubleClickOnACaptionShowsThatCellAlone) {
  DrawnDesk desk;
  desk.frames(2);
  desk.legend = split_in_two(desk.interface.scene());
  desk.frames(2);
  ASSERT_TRUE(desk.has("cell/0"));
  EXPECT_EQ(desk.rect("cell/1").height, 20);
  EXPECT_EQ(desk.interface.cell_alone(), -1);
  const auto twice = [&](const char* caption) {
    desk.frames(30);
    desk.point(caption);
    for (int i = 0; i < 2; ++i) {
      desk.press();
      desk.release();
    }
  };
  twice("cell/1");
  EXPECT_EQ(desk.interface.cell_alone(), 1);
  desk.legend.cells.erase(desk.legend.cells.begin());
  twice("cell/1");
  EXPECT_EQ(desk.interface.cell_alone(), -1);
}

TEST(CellFrames, ACellIsNoLongerAloneInAnotherSplitOrScenario) {
  DrawnDesk desk;
  desk.interface.settings().split = Split::lanes;
  const auto alone = [&] {
    desk.legend = split_in_two(desk.interface.scene());
    desk.frames(30);
    desk.point("cell/1");
    for (int i = 0; i < 2; ++i) {
      desk.press();
      desk.release();
    }
    EXPECT_EQ(desk.interface.cell_alone(), 1);
  };
  desk.frames(2);
  alone();
  desk.interface.settings().split = Split::runs;
  desk.frames(1);
  EXPECT_EQ(desk.interface.cell_alone(), -1) << "it was a lane";
  alone();
  desk.load("three_body");
  desk.frames(1);
  EXPECT_EQ(desk.interface.cell_alone(), -1);
}

TEST(CellFrames, AClickOnALaneHidesItAndShowsItAgain) {
  DrawnDesk desk;
  desk.frames(2);
  desk.legend.lanes = {{lane_style("variational", Palette::dark), "Variational", 0, true, false},
                       {lane_style("rk4", Palette::dark), "Runge-Kutta 4", 1, false, false}};
  desk.frames(2);
  ASSERT_TRUE(desk.has("lane_row/1"));
  const Rect row = desk.rect("lane_row/1"), scene = desk.interface.scene();
  // At the edge and above the corner axes: what is in the middle can be taken with the mouse.
  EXPECT_LE(row.x, scene.x + 30);
  EXPECT_LE(row.y + row.height, scene.y + scene.height - 130);
  // A long name ends before the inset.
  Legend narrow = desk.legend;
  narrow.lanes[0].name = std::string(200, 'x');
  narrow.inset = {scene.x + scene.width - 142, scene.y + scene.height - 142, 132, 132};
  std::swap(desk.legend, narrow);
  desk.frames(2);
  EXPECT_LT(desk.rect("lane_row/0").x + desk.rect("lane_row/0").width, desk.legend.inset.x);
  std::swap(desk.legend, narrow);
  desk.frames(2);
  desk.click("lane_row/1");
  EXPECT_EQ(desk.interface.hidden_lanes(), std::set<int>{1});
  desk.click("lane_row/1");
  EXPECT_TRUE(desk.interface.hidden_lanes().empty());
}

TEST(CellFrames, ASceneThatIsTooSmallSaysSo) {
  DrawnDesk desk;
  desk.legend.too_small = true;
  desk.frames(2);
  EXPECT_TRUE(desk.has("too_small"));
}

TEST(CellFrames, TheButtonSplitsWhereThereAreLanes) {
  DrawnDesk desk("double_spherical_pendulum", 1280, 1800);
  EXPECT_FALSE(desk.has("split_lanes"));
  desk.click("add_lane");
  desk.click("split_lanes");
  ASSERT_FALSE(desk.recorder.actions.empty());
  EXPECT_EQ(desk.recorder.actions.back(), Action::split_lanes);
  desk.handle(Action::split_lanes, 1);
  EXPECT_EQ(desk.interface.settings().split, Split::lanes);
  EXPECT_EQ(desk.interface.is_checked(Action::split_lanes), true);
  desk.handle(Action::split_runs, 1);
  EXPECT_EQ(desk.interface.settings().split, Split::runs);
  desk.handle(Action::split_runs, 1);
  EXPECT_EQ(desk.interface.settings().split, Split::none);
}

}  // namespace
}  // namespace twosphere::cell_frames_test
