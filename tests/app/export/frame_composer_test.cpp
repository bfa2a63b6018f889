// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of plots beside a scene.
#include "app/export/frame_composer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "app/export/row_collector.h"
#include "core/output/lane_style.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::frame_composer_test {
namespace {

using test::error_of, test::says, test::value_of;

constexpr int width = 800, height = 480;

FrameLayout beside(std::vector<std::string> texts) {
  FrameLayout layout;
  layout.content = FrameContent::scene_and_plots;
  for (const std::string& text : texts) layout.plots.push_back(*ui::parse_plot(text));
  return layout;
}

/// A run with its rows.
struct Recorded {
  Simulation run;
  FrameSubject subject;
};

/// The run continues by so many steps, then turns and goes back by `back`.
Recorded recorded(const Scenario& scenario, const FrameLayout& layout, int steps, int back = 0) {
  Recorded made{test::start(scenario), {}};
  RowCollector rows(made.run, layout.plots);
  rows.record(made.run);
  const auto go = [&](int count) {
    for (int k = 0; k < count; ++k) {
      test::march(made.run, 1);
      rows.record(made.run);
    }
  };
  go(steps);
  if (back > 0) made.run.reverse();
  go(back);
  made.subject.title = "A title";
  made.subject.run = rows.view(made.run);
  const History& lane = made.subject.run.lanes.front();
  const Range times = lane.range(Quantity::time, 0, lane.size());
  made.subject.times = {times.low, times.high};
  return made;
}

render::Image scene_of(const FrameBoxes& boxes) {
  render::Image scene{boxes.scene.width, boxes.scene.height, {}};
  scene.pixels.assign(4 * static_cast<std::size_t>(scene.width * scene.height), 200);
  return scene;
}

std::uint32_t color_at(const render::Image& image, int x, int y) {
  const std::uint8_t* const p = image.at(x, y);
  return std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2];
}

/// How many pixels of a part of an image have this colour, to within rounding.
int count(const render::Image& image, const ui::Box& in, Color color) {
  int found = 0;
  const auto near = [](std::uint32_t a, std::uint32_t b, int shift) {
    return std::abs(static_cast<int>(a >> shift & 0xff) - static_cast<int>(b >> shift & 0xff)) < 3;
  };
  for (int y = static_cast<int>(in.from.y); y < static_cast<int>(in.to.y); ++y)
    for (int x = static_cast<int>(in.from.x); x < static_cast<int>(in.to.x); ++x) {
      const std::uint32_t c = color_at(image, x, y);
      found += near(c, color.rgb, 16) && near(c, color.rgb, 8) && near(c, color.rgb, 0) ? 1 : 0;
    }
  return found;
}

Color lane_color() {
  const Scenario scenario = test::preset();
  return lane_style(recorded_lanes(scenario), 0, scenario.lanes[0].type, Palette::dark,
                    LaneColors::own)
      .color;
}

TEST(FrameBoxes, SharesOfTheFrame) {
  FrameLayout layout = beside({"total_energy", "work"});
  FrameBoxes boxes = frame_boxes(layout, 1280, 800);
  EXPECT_EQ(boxes.line.height, 0);
  ASSERT_EQ(boxes.plots.size(), 1u);
  EXPECT_EQ(boxes.plots[0], (FrameBox{794, 0, 486, 800})) << "38 %";
  EXPECT_EQ(boxes.scene, (FrameBox{0, 0, 794, 800}));
  layout.place = PlotPlace::below;
  boxes = frame_boxes(layout, 1280, 800);
  ASSERT_EQ(boxes.plots.size(), 2u);
  EXPECT_EQ(boxes.plots[0], (FrameBox{0, 528, 640, 272})) << "34 %";
  EXPECT_EQ(boxes.plots[1], (FrameBox{640, 528, 640, 272}));
  EXPECT_EQ(boxes.scene, (FrameBox{0, 0, 1280, 528}));
  layout.time = true;
  layout.place = PlotPlace::right;
  boxes = frame_boxes(layout, 1280, 800);
  EXPECT_GT(boxes.line.height, 28);
  EXPECT_EQ(boxes.scene.y, boxes.line.height);
  EXPECT_EQ(boxes.scene.height + boxes.line.height, 800);
  layout.content = FrameContent::plots;
  boxes = frame_boxes(layout, 1280, 800);
  EXPECT_EQ(boxes.scene.width, 0);
  EXPECT_EQ(boxes.plots[0].width, 1280);
}

TEST(FrameBoxes, TextGrowsWithTheFrame) {
  FrameLayout layout;
  EXPECT_EQ(layout.text_size(400), 14);
  EXPECT_EQ(layout.text_size(1080), 24);
  layout.text = 30;
  EXPECT_EQ(layout.text_size(400), 30);
}

TEST(FrameBoxes, RefusesWhatHasNoRoomAndNamesTheLeastSize) {
  FrameLayout layout = beside({"total_energy"});
  const Error small = error_of(check(layout, 639, 480, false));
  EXPECT_EQ(small.location, "--size");
  EXPECT_TRUE(says(small.message, "640x360"));
  EXPECT_TRUE(check(layout, 640, 360, false));
  EXPECT_EQ(error_of(check(layout, 640, 360, true)).location, "--transparent");
  layout.text = 100;
  const Error large = error_of(check(layout, 1280, 800, false));
  EXPECT_EQ(large.location, "--text");
  EXPECT_TRUE(says(large.message, "at most 60 pixels"));
  layout.text = 60;
  EXPECT_TRUE(check(layout, 1280, 800, false));
  // The least size has room for as many plots as there can be, and a line.
  FrameLayout full = beside({"total_energy", "work", "kinetic_energy", "energy_error"});
  full.time = true;
  for (const PlotPlace place : plot_places) {
    full.place = place;
    EXPECT_TRUE(check(full, FrameLayout::min_width, FrameLayout::min_height, false));
  }
  FrameLayout titled;
  titled.title = "";
  titled.text = 100;
  EXPECT_FALSE(check(titled, 320, 200, false));
  EXPECT_TRUE(check(FrameLayout(), 16, 16, true)) << "the scene alone";
}

TEST(FrameComposer, HasTheSceneAndTheCursorAtItsTime) {
  FrameLayout layout = beside({"total_energy", "energy_error logarithmic"});
  layout.time = true;
  const Recorded made = recorded(test::preset(), layout, 100);
  const FrameComposer composer(layout, width, height, made.subject);
  const render::Image scene = scene_of(composer.boxes());
  const render::Image frame = composer.compose(scene, {0.25, 25});
  ASSERT_EQ(frame.width, width);
  ASSERT_EQ(frame.height, height);
  const FrameBox& box = composer.boxes().scene;
  EXPECT_EQ(color_at(frame, box.x, box.y), 0xc8c8c8u);
  EXPECT_EQ(color_at(frame, box.x + box.width - 1, box.y + box.height - 1), 0xc8c8c8u);
  const Color accent = ui::colors(Palette::dark).accent;
  const std::vector<ui::Box> areas = composer.areas();
  ASSERT_EQ(areas.size(), 2u);
  for (std::size_t k = 0; k < areas.size(); ++k) {
    const ui::Box& area = areas[k];
    const int x = composer.cursor_column(k, 0.25), middle = static_cast<int>(area.center().y);
    EXPECT_NEAR(x, area.from.x + 0.25 * area.width(), 1);
    EXPECT_EQ(color_at(frame, x, middle), accent.rgb) << k;
    EXPECT_NE(color_at(frame, x + 4, middle), accent.rgb) << k;
    EXPECT_NE(color_at(frame, x - 4, middle), accent.rgb) << k;
  }
  // Another instant changes the cursor and the time, not the scene.
  const render::Image later = composer.compose(scene, {0.5, 50});
  EXPECT_NE(frame.pixels, later.pixels);
  EXPECT_EQ(color_at(later, composer.cursor_column(0, 0.5), static_cast<int>(areas[0].center().y)),
            accent.rgb);
  EXPECT_EQ(composer.compose(scene, {0.25, 25}).pixels, frame.pixels) << "twice";
}

TEST(FrameComposer, TheFutureIsAtAQuarterOfItsOpacity) {
  FrameLayout layout = beside({"kinetic_energy"});
  layout.text = 30;  // lines wide enough to have pixels of their own colour
  const Recorded made = recorded(test::preset(), layout, 100);
  const FrameComposer composer(layout, width, height, made.subject);
  const render::Image scene = scene_of(composer.boxes());
  const ui::Box area = composer.areas().front();
  const Color strong = lane_color(),
              pale = mix(ui::colors(Palette::dark).panel, strong, FrameComposer::future_opacity);
  const auto half = [&](bool right) {
    const double x = area.center().x;
    return right ? ui::Box{{x + 5, area.from.y}, {area.to.x, area.to.y}}
                 : ui::Box{{area.from.x, area.from.y}, {x - 5, area.to.y}};
  };
  const render::Image middle = composer.compose(scene, {0.5, 50});
  EXPECT_GT(count(middle, half(false), strong), 50);
  EXPECT_EQ(count(middle, half(true), strong), 0);
  EXPECT_GT(count(middle, half(true), pale), 50);
  // The edges of a line have every shade.
  EXPECT_GT(count(middle, half(true), pale), 4 * count(middle, half(false), pale));
  const render::Image end = composer.compose(scene, {1, 100});
  EXPECT_GT(count(end, half(true), strong), 50);
}

TEST(FrameComposer, AWayBackIsFutureUntilItIsGone) {
  FrameLayout layout = beside({"kinetic_energy"});
  layout.text = 30;
  const Recorded made = recorded(test::preset(), layout, 100, 60);
  const FrameComposer composer(layout, width, height, made.subject);
  const render::Image scene = scene_of(composer.boxes());
  const ui::Box area = composer.areas().front();
  const auto strong = [&](const FrameInstant& now) {
    return count(composer.compose(scene, now), area, lane_color());
  };
  const int there = strong({0.7, 70}), turn = strong({1, 100}), back = strong({0.7, 130});
  EXPECT_GT(turn, there);
  EXPECT_GT(1.1 * back, turn) << "what was passed stays";
  EXPECT_GT(back, there) << "at the same time";
  EXPECT_EQ(composer.cursor_column(0, 0.7),
            static_cast<int>(std::lround(area.from.x + 0.7 * area.width())));
}

TEST(FrameComposer, ARunMayTurnOften) {
  const FrameLayout layout = beside({"kinetic_energy"});
  Simulation run = test::start(test::preset());
  RowCollector rows(run, layout.plots);
  rows.record(run);
  for (int turn = 0; turn < 50; ++turn) {
    for (int k = 0; k < 5; ++k) {
      test::march(run, 1);
      rows.record(run);
    }
    run.reverse();
  }
  FrameSubject subject;
  subject.run = rows.view(run);
  subject.times = {0, 0.05};
  const FrameComposer composer(layout, width, height, subject);
  const render::Image scene = scene_of(composer.boxes());
  const auto strong = [&](const FrameInstant& now) {
    return count(composer.compose(scene, now), composer.areas().front(), lane_color());
  };
  const int begun = strong({0.02, 2}), done = strong({run.time(), run.steps()});
  EXPECT_GT(done, begun);
}

TEST(FrameComposer, APortraitIsDrawnUpToTheInstant) {
  FrameLayout layout = beside({"omega0_x over q0_x"});
  layout.text = 30;
  Recorded made = recorded(test::preset(), layout, 200);
  const FrameComposer composer(layout, width, height, made.subject);
  const render::Image scene = scene_of(composer.boxes());
  const ui::Box area = composer.areas().front();
  int before = 0;
  for (const int step : {20, 100, 200}) {
    const int drawn = count(composer.compose(scene, {0.01 * step, step}), area, lane_color());
    EXPECT_GT(drawn, before) << step;
    before = drawn;
  }
}

TEST(FrameComposer, NamesTheLanesWhereThereIsNoScene) {
  Scenario scenario = test::preset();
  LaneSpec second = scenario.lanes[0];
  second.name = "second";
  scenario.lanes.push_back(second);
  FrameLayout layout = beside({"kinetic_energy"});
  layout.content = FrameContent::plots;
  Recorded made = recorded(scenario, layout, 20);
  const auto frame = [&](bool legend) {
    made.subject.legend = legend;
    const FrameComposer composer(layout, width, height, made.subject);
    return std::pair(composer.areas().front().from.y,
                     composer.compose({}, {0.1, 10}).pixels.size());
  };
  const auto [with, bytes] = frame(true);
  EXPECT_EQ(bytes, static_cast<std::size_t>(4 * width * height));
  EXPECT_GT(with, frame(false).first) << "the legend is above the plots";
}

TEST(FrameComposer, ComparesTheEnergiesOfTheReferenceLane) {
  Scenario scenario = test::preset();
  LaneSpec second = scenario.lanes[0];
  second.name = "second";
  second.type = "rk2";
  second.values.clear();
  scenario.lanes.push_back(second);
  const FrameLayout layout = beside({"kinetic_energy and potential_energy and total_energy"});
  Recorded made = recorded(scenario, layout, 200);
  const auto pixels_of = [&](int lane, int reference) {
    made.subject.reference_lane = reference;
    const FrameComposer composer(layout, width, height, made.subject);
    const render::Image frame = composer.compose(scene_of(composer.boxes()), {2, 200});
    return count(frame, composer.areas().front(),
                 lane_style(recorded_lanes(scenario), lane,
                            scenario.lanes[static_cast<std::size_t>(lane)].type, Palette::dark,
                            LaneColors::own)
                     .color);
  };
  EXPECT_GT(pixels_of(1, 1), pixels_of(1, 0)) << "T and V beside E";
  EXPECT_GT(pixels_of(0, 0), pixels_of(0, 1));
}

// The curves are drawn once: however many samples they have, a frame costs the same.
TEST(FrameComposerClock, AFrameTakesTenMillisecondsAtMost) {
  FrameLayout layout = beside({"kinetic_energy and potential_energy", "energy_error logarithmic"});
  layout.time = true;
  const Recorded made = recorded(test::preset(), layout, 5000);
  const FrameComposer composer(layout, 1280, 800, made.subject);
  const render::Image scene = scene_of(composer.boxes());
  double best = 1;
  for (int k = 0; k < 20; ++k) {
    const auto begun = std::chrono::steady_clock::now();
    const render::Image frame = composer.compose(scene, {0.01 * k, k});
    ASSERT_EQ(frame.width, 1280);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    best = std::min(best, taken.count());
  }
  EXPECT_LE(best, 0.010);
}

TEST(RowCollector, KeepsTheRowsOfAllLanesAndTheDistanceBetweenThem) {
  Scenario scenario = test::preset();
  LaneSpec second = scenario.lanes[0];
  second.name = "second";
  second.step /= 2;
  scenario.lanes.push_back(second);
  const FrameLayout layout = beside({"distance"});
  const Recorded made = recorded(scenario, layout, 1500);
  ASSERT_EQ(made.subject.run.lanes.size(), 2u);
  EXPECT_EQ(made.subject.run.lanes[0].size(), 1501u);
  const SignalView distance = made.subject.run.lanes[1].view(Signal::distance());
  EXPECT_EQ(distance.at(0), 0);
  EXPECT_GT(distance.at(1500), 0);
}

TEST(PlotsOfFrames, AreThoseOfTextsAndOfActions) {
  const Simulation run = test::start(test::preset());
  EXPECT_EQ(value_of(plots_named("energy_error logarithmic", run)).size(), 1u);
  const auto momentum = value_of(plots_named("momentum", run));
  ASSERT_GE(momentum.size(), 1u);
  EXPECT_TRUE(momentum.front().y.key().starts_with("angular_momentum"));
  const auto cost = value_of(plots_named("cost", run));
  EXPECT_FALSE(cost.empty());
  for (const ui::PlotSpec& plot : cost) EXPECT_NE(plot.y.key(), "step_time");
  for (const char* wrong : {"energy", "step_time", "cloud", "q7_x"}) {
    SCOPED_TRACE(wrong);
    const Error none = error_of(plots_named(wrong, run));
    EXPECT_EQ(none.location, "--plot");
    EXPECT_TRUE(says(none.message, wrong));
  }
}

}  // namespace
}  // namespace twosphere::frame_composer_test
