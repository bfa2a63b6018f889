// SPDX-License-Identifier: GPL-3.0-or-later
// The cloud of nearby starts in the left column, and its plot.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/outcome.h"
#include "tests/ui/desk.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot_layout.h"
#include "ui/plot/plot_model.h"
#include "ui/plot/segment_figures.h"

namespace twosphere::cloud_panel_test {
namespace {

using namespace ui;
using namespace ui_test;

const PlotSpec distance = *parse_plot("cloud_distance logarithmic");

bool plotted(const Desk& desk) {
  const auto& plots = desk.interface.settings().plots;
  return std::find(plots.begin(), plots.end(), distance) != plots.end();
}

/// Replaces the number in a field.
void enter(Desk& desk, const std::string& field, const char* text) {
  desk.reveal(field, 3);
  desk.click(field);
  ImGui::GetIO().KeyCtrl = true;
  desk.key(ImGuiKey_A);
  ImGui::GetIO().KeyCtrl = false;
  desk.type(text);
  desk.key(ImGuiKey_Enter, 2);
}

TEST(CloudPanel, IsSwitchedByMouseAndByItsAction) {
  Desk desk;
  desk.speak(2);
  EXPECT_FALSE(desk.has("cloud/switch")) << "folded at first";
  EXPECT_EQ(desk.interface.is_checked(Action::switch_cloud), false);
  desk.reveal("section/Cloud", 3);
  desk.click("section/Cloud");
  desk.reveal("cloud/switch", 3);
  desk.click("cloud/switch");
  auto asked = desk.recorder.all<FollowCloud>();
  ASSERT_EQ(asked.size(), 1u);
  ASSERT_TRUE(asked[0].spec);
  EXPECT_EQ(*asked[0].spec, (CloudSpec{.members = 256, .spread = 1e-6, .seed = 1}));
  EXPECT_EQ(asked[0].lane, 0);
  EXPECT_TRUE(plotted(desk));
  EXPECT_EQ(desk.interface.is_checked(Action::switch_cloud), true);
  // By its key.
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 2));
  asked = desk.recorder.all<FollowCloud>();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_FALSE(asked[1].spec);
  EXPECT_TRUE(plotted(desk)) << "the plot stays";
}

TEST(CloudPanel, ItsKeyOpensItsSectionAndAnotherScenarioHasNone) {
  Desk other;
  ASSERT_TRUE(other.interface.handle(Action::switch_cloud));
  other.frames(3);
  EXPECT_TRUE(other.has("cloud/switch"));
  EXPECT_TRUE(plotted(other));
  other.load("three_body");
  other.frames(2);
  EXPECT_EQ(other.interface.is_checked(Action::switch_cloud), false);
  EXPECT_EQ(other.recorder.all<FollowCloud>().size(), 1u) << "not asked for again";
}

TEST(CloudPanel, NumbersBeginTheCloudAnewAndNameTheirRange) {
  SpokenDesk desk("double_spherical_pendulum", 1280, 1400);
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  enter(desk, "cloud/members", "64");
  enter(desk, "cloud/spread", "1e-4");
  enter(desk, "cloud/seed", "7");
  auto asked = desk.recorder.all<FollowCloud>();
  ASSERT_EQ(asked.size(), 4u);
  EXPECT_EQ(*asked.back().spec, (CloudSpec{.members = 64, .spread = 1e-4, .seed = 7}));
  EXPECT_EQ(desk.snapshot.cloud->positions.cols(), 128);
  for (const auto& [field, text, range] :
       {std::tuple("cloud/members", "5000", "4096"), std::tuple("cloud/members", "0", "1"),
        std::tuple("cloud/spread", "0.2", "0.1"), std::tuple("cloud/spread", "0", "0"),
        std::tuple("cloud/members", "2.5", "whole")}) {
    enter(desk, field, text);
    EXPECT_EQ(desk.recorder.all<FollowCloud>().size(), 4u) << field << ' ' << text;
    EXPECT_TRUE(test::says(desk.spoken("refused_value").name, range));
    desk.key(ImGuiKey_Escape, 2);
  }
  EXPECT_EQ(desk.spoken("cloud/members").value, "64");
  const CloudSpec first;
  EXPECT_TRUE(
      test::says(desk.described("cloud/spread"), "Default " + short_number(first.spread) + "."))
      << desk.described("cloud/spread");
}

TEST(CloudPanel, SaysDistancesAndRateAsTheyAre) {
  SpokenDesk desk("double_spherical_pendulum", 1280, 1400);
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  EXPECT_EQ(desk.spoken("cloud/rate").value, "after 8 rows");
  EXPECT_TRUE(desk.has("cloud/waits")) << "for the next step";
  desk.run_and_draw(300);
  EXPECT_FALSE(desk.has("cloud/waits"));
  const CloudView& cloud = *desk.snapshot.cloud;
  EXPECT_EQ(desk.spoken("cloud/median d").value, significant(cloud.distances.median, 3));
  EXPECT_EQ(desk.spoken("cloud/rate").value,
            significant(cloud.growth.rate, 3) + " ± " + significant(cloud.growth.error, 3) + " /s");
  EXPECT_EQ(desk.spoken("cloud/since").value, "t = 0.000 s");
  EXPECT_FALSE(desk.has("cloud/later"));
  // Beside the exponent, once tangent vectors have followed a step.
  auto& chaos = desk.snapshot.lanes[0].chaos.emplace();
  chaos.spectrum.assign(8, {std::nan(""), std::nan("")});
  desk.frames(2);
  EXPECT_EQ(desk.spoken("cloud/λ₁").value, "");
  chaos.spectrum[0] = {0.6, 0.4};
  desk.frames(2);
  EXPECT_EQ(desk.spoken("cloud/λ₁").value,
            significant(0.6, 3) + " ± " + significant(0.4, 3) + " /s");
  EXPECT_TRUE(test::says(desk.spoken("cloud/λ₁ error").name, "half the range of λ(t)"));
  desk.snapshot.lanes[0].chaos.reset();
  // In the past they are those of the instant.
  desk.recorder.show(100);
  desk.frames(3);
  EXPECT_TRUE(desk.has("cloud/later"));
  CloudView past = cloud;
  past.distances.median = 0.25;
  desk.past.cloud = past;
  desk.frames(3);
  EXPECT_FALSE(desk.has("cloud/later"));
  EXPECT_EQ(desk.spoken("cloud/median d").value, significant(0.25, 3));
  desk.click("cloud/export");
  ASSERT_EQ(desk.recorder.actions.size(), 1u);
  EXPECT_EQ(desk.recorder.actions[0], Action::export_cloud);
}

TEST(CloudPanel, SaysHowFarItIsAndIsCancelled) {
  SpokenDesk desk("double_spherical_pendulum", 1280, 1400);
  desk.run(300);
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  EXPECT_EQ(desk.recorder.all<FollowCloud>().back().from, 0) << "from the start of the run on";
  EXPECT_FALSE(desk.has("cloud/followed so far"));
  desk.snapshot.cloud.reset();
  desk.cloud_share = 0.34;
  desk.frames(2);
  EXPECT_EQ(desk.spoken("cloud/followed so far").value, "34 %, 1.98 s behind");
  EXPECT_FALSE(desk.has("cloud/chases"));
  desk.snapshot.state = RunState::running;
  desk.frames(2);
  EXPECT_TRUE(desk.has("cloud/chases")) << "it may not catch up";
  desk.snapshot.state = RunState::paused;
  desk.frames(2);
  EXPECT_FALSE(desk.has("cloud/since"));
  EXPECT_EQ(desk.interface.is_checked(Action::switch_cloud), true);
  desk.reveal("cloud/cancel", 3);
  desk.click("cloud/cancel");
  EXPECT_FALSE(desk.recorder.all<FollowCloud>().back().spec);
  EXPECT_EQ(desk.interface.is_checked(Action::switch_cloud), false);
}

TEST(CloudPanel, BeginsAtTheInstantShown) {
  SpokenDesk desk("double_spherical_pendulum", 1280, 1400);
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  EXPECT_FALSE(desk.has("cloud/here")) << "it does";
  desk.run_and_draw(300);
  desk.reveal("cloud/here", 3);
  desk.click("cloud/here");
  EXPECT_EQ(desk.recorder.all<FollowCloud>().back().from, 300);
  enter(desk, "cloud/seed", "7");
  EXPECT_EQ(desk.recorder.all<FollowCloud>().back().from, 300) << "other members, too";
  desk.recorder.show(100);
  desk.frames(3);
  desk.reveal("cloud/here", 3);
  desk.click("cloud/here");
  EXPECT_EQ(desk.recorder.all<FollowCloud>().back().from, 100);
}

TEST(CloudPanel, FollowsAnyOfSeveralLanes) {
  SpokenDesk desk("double_spherical_pendulum", 1280, 1600);
  ASSERT_TRUE(desk.handle(Action::add_lane, 3));
  ASSERT_EQ(desk.snapshot.lanes.size(), 2u);
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  desk.reveal("cloud/lane", 3);
  desk.choose("cloud/lane", "1");
  const auto asked = desk.recorder.all<FollowCloud>();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].lane, 0);
  EXPECT_EQ(asked[1].lane, 1);
  EXPECT_EQ(desk.spoken("cloud/lane").value, desk.snapshot.lanes[1].title());
}

TEST(CloudPlot, ItsFiguresAreThoseOfTheRowsThatItIsGiven) {
  Desk desk;
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  desk.run(20);
  History& history = desk.histories[0];
  SegmentFigures figures;
  const Signal median = StepQuantity::cloud_distance;
  EXPECT_LT(figures.of(history, 0, median, {0, history.size()}, 1).worst, 1);
  std::vector<CloudRow> rows;
  for (std::int64_t step = 10; step <= 20; ++step) rows.push_back({step, {2, 1, 3, 5}});
  history.give_cloud(rows);
  const auto given = figures.of(history, 0, median, {0, history.size()}, 1);
  EXPECT_EQ(given.mean, 2);
  EXPECT_EQ(given.worst, 2);
}

TEST(CloudPlot, HasABandAndAFit) {
  Desk desk;
  ASSERT_TRUE(desk.handle(Action::switch_cloud, 3));
  desk.run_and_draw(400, 3);
  const VisiblePlots shown = desk.interface.plots();
  const auto plot = std::find_if(shown.plots.begin(), shown.plots.end(),
                                 [](const VisiblePlot& p) { return p.spec == distance; });
  ASSERT_NE(plot, shown.plots.end());
  ASSERT_TRUE(plot->fit);
  EXPECT_EQ(plot->fit->growth.rate, desk.snapshot.cloud->growth.rate);

  const std::vector<Curve> curves =
      curves_of(distance, {{0, &desk.histories[0], {0, desk.histories[0].size()}, {}}});
  const Interval time{0, 4};
  for (const int columns : {400, 20}) {  // every value, or the extremes of columns
    PlotView view{.spec = distance, .id = {}, .y = {}, .x = {}, .pixel_masks = {}, .spectra = {}};
    view.fit = plot->fit;
    const std::vector<Reduced> parts = fit_plot(view, curves, time, columns, 6, 6);
    const PlotModel model = plot_model(view, curves, parts, time, columns, Medium::paper, 6, {});
    ASSERT_EQ(model.curves.size(), 2u) << "the median and the fit";
    const PlotCurve &median = model.curves[0], &fit = model.curves[1];
    EXPECT_GE(median.band.size(), 20u);
    double lowest = 1, highest = -20;
    for (const auto& [low, high] : median.band) {
      if (!std::isfinite(low.y)) continue;
      EXPECT_EQ(low.x, high.x);
      EXPECT_LT(low.y, high.y);
      lowest = std::min(lowest, low.y);
      highest = std::max(highest, high.y);
    }
    EXPECT_LE(view.y.range.low, lowest) << "the axis contains the band";
    EXPECT_GE(view.y.range.high, highest);
    // A straight line of that slope on the logarithmic axis.
    const GrowthRate& growth = plot->fit->growth;
    const Point a = fit.points.front(), b = fit.points.back();
    EXPECT_NEAR((b.y - a.y) / (b.x - a.x), growth.rate / std::log(10), 1e-9);
    EXPECT_EQ(a.x, growth.from);
    EXPECT_EQ(b.x, growth.to);
    EXPECT_NE(fit.style.dash, median.style.dash);
    // The band is drawn lightly behind the line.
    DrawList list;
    PlotLook look;
    draw_curve(list, look, Area({{0, 0}, {300, 200}}, 200, model.x, model.y, look), median);
    ASSERT_FALSE(list.primitives().empty());
    EXPECT_EQ(list.primitives()[0].kind, Primitive::Kind::triangles);
    EXPECT_LT(list.primitives()[0].fill.opacity, 0.5f);
    EXPECT_GE(list.primitives()[0].count, 6 * 19u);
  }
}

}  // namespace
}  // namespace twosphere::cloud_panel_test
