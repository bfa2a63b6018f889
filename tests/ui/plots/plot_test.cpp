// SPDX-License-Identifier: GPL-3.0-or-later
// The plots, driven by the mouse and judged by what is drawn.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/output/lane_style.h"
#include "tests/ui/desk.h"
#include "ui/plots/plots_panel.h"
#include "ui/shell/panel.h"

namespace twosphere::plot_test {
namespace {

using namespace ui;
using namespace ui_test;

constexpr std::uint32_t curve = 0x56b4e9;  // of the variational integrator, dark

ImU32 packed(std::uint32_t rgb) {
  return IM_COL32((rgb >> 16) & 0xff, (rgb >> 8) & 0xff, rgb & 0xff, 255);
}

struct Bounds {
  float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
  int vertices = 0;
};

/// Of everything drawn in a curve's colour inside a plot.
Bounds drawn(const Rect& plot, std::uint32_t color = curve) {
  Bounds b;
  for (const ImDrawVert& v : drawn_corners()) {
    if (v.col != packed(color)) continue;
    if (!plot.contains(v.pos.x, v.pos.y)) continue;
    b.left = std::min(b.left, v.pos.x);
    b.right = std::max(b.right, v.pos.x);
    b.top = std::min(b.top, v.pos.y);
    b.bottom = std::max(b.bottom, v.pos.y);
    ++b.vertices;
  }
  return b;
}

/// Whether the button is lit.
bool following(Desk& desk) {
  desk.point(640, 300);
  const Rect r = desk.rect("follow");
  const Picture picture = desk.picture();
  return picture.at(static_cast<int>(r.x + 4), static_cast<int>(r.y + r.height / 2)) ==
         colors(Palette::dark).accent.rgb;
}

/// A run of n samples with one value that stands out.
void synthetic(Desk& desk, std::size_t n, std::size_t spike) {
  History& history = desk.histories[0];
  history.clear();
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    s[Quantity::time] = 100.0 * static_cast<double>(i) / static_cast<double>(n);
    s[Quantity::total_energy] = i == spike ? 2 : 1;
    s[Quantity::energy_error] = i == spike ? 1e-2 : 1e-6;
    s[Quantity::unit_length_error] = 0;
    history.append(static_cast<std::int64_t>(i), s);
  }
  desk.snapshot.t = 100;
}

TEST(Plot, FillsAsTheRunGoesOn) {
  DrawnDesk desk;
  desk.run_and_draw(60);
  const Rect plot = desk.rect("plot/energy_error");
  const Bounds early = drawn(plot);
  EXPECT_GT(early.vertices, 50);
  EXPECT_NEAR(early.right, plot.x + 0.6f * plot.width, 4) << "0.6 s of 1 s";
  desk.run_and_draw(30);
  EXPECT_NEAR(drawn(plot).right, plot.x + 0.9f * plot.width, 4);
  desk.run_and_draw(20);
  EXPECT_NEAR(drawn(plot).right, plot.x + 1.1f / 1.5f * plot.width, 4) << "the axis grew to 1.5 s";
}

TEST(Plot, SaysWhyThereIsNothingYet) {
  Snapshot snapshot;
  EXPECT_EQ(invitation(snapshot), "Press Space to run");
  snapshot.state = RunState::running;
  EXPECT_EQ(invitation(snapshot), "Waiting for samples");
  snapshot.state = RunState::failed;
  snapshot.failure = StepFailure{0, {}, 1, 0, "too large"};
  EXPECT_EQ(invitation(snapshot), "Step 1 failed");
}

TEST(Plot, ZoomAndPanStopFollowingAndTheButtonReturns) {
  RunDesk desk(1000);
  EXPECT_TRUE(following(desk));
  const Rect plot = desk.rect("plot/total_energy"), linked = desk.rect("plot/unit_length_error");
  const Bounds all = drawn(plot);
  desk.point("plot/total_energy");
  EXPECT_TRUE(following(desk));
  desk.point("plot/total_energy");
  desk.wheel(-3);
  EXPECT_FALSE(following(desk));
  // Zoomed out about the middle: the curve takes less room, in the linked plots alike.
  const double factor = std::pow(0.85, 3);
  desk.point(640, 300, 1);
  EXPECT_NEAR(drawn(plot).right - drawn(plot).left, factor * (all.right - all.left), 6);
  EXPECT_NEAR(drawn(linked).right, drawn(plot).right, 3);

  desk.click("follow");
  EXPECT_TRUE(following(desk));
  desk.drag("plot/energy_error", -60, 0);
  EXPECT_FALSE(following(desk));
  desk.point(640, 300, 1);
  EXPECT_NEAR(drawn(plot).right, all.right - 60, 4);
  // New samples leave the view where it is.
  const float right = drawn(plot).right;
  desk.run_and_draw(3, 1);
  EXPECT_NEAR(drawn(plot).right, right, 2);

  desk.handle(Action::plots_follow, 1);
  EXPECT_TRUE(following(desk));
}

TEST(Plot, TheWheelOverAnAxisZoomsThatAxisAlone) {
  RunDesk desk(1000);
  const Rect plot = desk.rect("plot/total_energy");
  const Bounds all = drawn(plot);
  desk.point(plot.x - 20, plot.y + plot.height / 2);
  desk.wheel(-3);
  desk.point(640, 300, 1);
  const Bounds lower = drawn(plot);
  EXPECT_NEAR(lower.left, all.left, 1);
  EXPECT_NEAR(lower.right, all.right, 1);
  EXPECT_LT(lower.bottom - lower.top, 0.8f * (all.bottom - all.top));

  desk.click("follow");
  const Rect lowest = desk.rect("plot/unit_length_error");
  desk.point(lowest.x + lowest.width / 2, lowest.y + lowest.height + 10);
  desk.wheel(-3);
  desk.point(640, 300, 1);
  EXPECT_LT(drawn(plot).right, all.right - 20);
  EXPECT_NEAR(drawn(plot).bottom - drawn(plot).top, all.bottom - all.top, 3);
}

TEST(Plot, BoxZoomAndDoubleClick) {
  Desk desk;
  synthetic(desk, 1001, 500);
  desk.frames(2);
  const Rect plot = desk.rect("plot/total_energy");
  // A box about the spike in the middle.
  desk.point(plot.x + 0.4f * plot.width, plot.y + 4);
  desk.press(1);
  desk.point(plot.x + 0.5f * plot.width, plot.y + 40);
  desk.point(plot.x + 0.6f * plot.width, plot.y + plot.height - 4);
  desk.release(1);
  desk.point(640, 300, 1);
  EXPECT_FALSE(following(desk));
  const float base = drawn(plot).bottom;
  int near_spike = 0;
  for (const ImDrawVert& v : drawn_corners())
    if (v.col == packed(curve) && plot.contains(v.pos.x, v.pos.y) && v.pos.y < base - 30) {
      EXPECT_NEAR(v.pos.x, plot.x + 0.5f * plot.width, 0.06f * plot.width);
      ++near_spike;
    }
  EXPECT_GT(near_spike, 0);

  desk.point("plot/total_energy");
  for (int i = 0; i < 2; ++i) {
    desk.press();
    desk.release();
  }
  desk.point(640, 300, 1);
  EXPECT_NEAR(drawn(plot).left, plot.x, 3);
  EXPECT_NEAR(drawn(plot).right, plot.x + plot.width, 4);
}

TEST(Plot, ASpikeOfOneSampleShowsAtEveryZoom) {
  DrawnDesk desk;
  const Rect linear = desk.rect("plot/total_energy"), log = desk.rect("plot/energy_error");
  // The mouse stands on whole pixels; the spike stands on one, off the middle.
  const float pixel = std::floor(linear.x + 0.612f * linear.width);
  const float at = (pixel - linear.x) / linear.width;
  constexpr std::size_t n = 1'000'000;
  synthetic(desk, n, static_cast<std::size_t>(std::lround(at * static_cast<float>(n))));
  desk.frames(2);
  for (int level = 0; level < 60; ++level) {
    desk.point(640, 300);
    const Bounds a = drawn(linear), b = drawn(log);
    ASSERT_GT(a.bottom - a.top, 0.5f * linear.height) << "zoom level " << level;
    ASSERT_GT(b.bottom - b.top, 0.5f * log.height) << "zoom level " << level;
    // Over the time axis, so that time alone is zoomed, about the spike.
    const Rect lowest = desk.rect("plot/unit_length_error");
    desk.point(pixel, lowest.y + lowest.height + 10);
    desk.wheel(1);
  }
}

/// How long a frame of them takes is a benchmark.
TEST(Plot, TenMillionSamplesHaveNoMoreVerticesThanTenThousand) {
  const auto vertices = [](std::size_t samples) {
    Desk desk;
    synthetic(desk, samples, samples / 2);
    desk.frames(3);
    return drawn(desk.rect("plot/energy_error")).vertices;
  };
  const auto few = vertices(10'000), many = vertices(10'000'000);
  EXPECT_GT(few, 0);
  EXPECT_LE(many, few + few / 10);
}

TEST(Plot, ExactZerosStandOnTheFloorLine) {
  Desk desk;
  synthetic(desk, 200, 100);
  desk.frames(2);
  const Rect plot = desk.rect("plot/unit_length_error");
  const Bounds zeros = drawn(plot);
  EXPECT_GT(zeros.vertices, 0);
  EXPECT_GT(zeros.top, plot.y + plot.height - 12);
  EXPECT_LT(zeros.bottom, plot.y + plot.height);
}

TEST(Plot, ASwapOfIntegratorChangesTheCurveFromThereOn) {
  Desk desk;
  desk.run(40);
  EXPECT_TRUE(desk.simulation->set({{"integrator.type", "rk4"}}).has_value());
  desk.run_and_draw(40);
  const Rect plot = desk.rect("plot/energy_error");
  const Bounds before = drawn(plot);
  const Bounds after = drawn(plot, lane_style("rk4", Palette::dark).color.rgb);
  EXPECT_NEAR(before.right, plot.x + 0.4f * plot.width, 4);
  EXPECT_NEAR(after.left, plot.x + 0.4f * plot.width, 4);
  EXPECT_NEAR(after.right, plot.x + 0.8f * plot.width, 4);
}

TEST(Plot, AHiddenLaneIsNotDrawn) {
  RunDesk desk(300);
  const Rect plot = desk.rect("plot/energy_error");
  EXPECT_GT(drawn(plot).vertices, 0);
  desk.click("legend/energy_error[0]");
  EXPECT_EQ(drawn(plot).vertices, 0);
  desk.click("legend/energy_error[0]");
  EXPECT_GT(drawn(plot).vertices, 0);
}

}  // namespace
}  // namespace twosphere::plot_test
