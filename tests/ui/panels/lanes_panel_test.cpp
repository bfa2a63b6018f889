// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the lanes, and what plots show of several.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/scenario/live_edit.h"
#include "tests/outcome.h"
#include "tests/ui/desk.h"

namespace twosphere::lanes_panel_test {
namespace {

using namespace ui;
using namespace ui_test;

/// Tall enough for four lanes without scrolling.
struct LanesPanel : testing::Test {
  DrawnDesk desk{"double_spherical_pendulum", 1280, 1800};

  const std::vector<LaneSpec>& present() { return desk.simulation->present().lanes; }
  const std::vector<LaneSpec>& wanted() { return desk.simulation->after_rewind().lanes; }
};

TEST_F(LanesPanel, AddsUpToFourAndRemovesThem) {
  EXPECT_FALSE(desk.has("hide_lane"));
  for (const std::size_t count : {2u, 3u, 4u}) {
    desk.click("add_lane");
    ASSERT_EQ(present().size(), count);
    EXPECT_EQ(present().back().step, 0.01);
  }
  EXPECT_TRUE(desk.handle(Action::add_lane, 2));
  EXPECT_EQ(present().size(), 4u) << "there is room for no more";
  EXPECT_EQ(present()[0].type, "variational");
  EXPECT_EQ(present()[1].type, "rk45");
  EXPECT_EQ(present()[2].type, "rk4");
  EXPECT_FALSE(desk.has("add_lane"));
  desk.click("remove_lane[1]");
  ASSERT_EQ(present().size(), 3u);
  EXPECT_EQ(present()[1].type, "rk4");
  desk.click("remove_lane");
  desk.click("remove_lane");
  ASSERT_EQ(present().size(), 1u);
  EXPECT_EQ(present()[0].type, "rk2");
  EXPECT_FALSE(desk.has("remove_lane"));
}

TEST(LaneTitle, IsTheNameOfTheMethodUnlessItHasOneOfItsOwn) {
  Snapshot::LaneView lane;
  lane.info = find_integrator("rk4");
  const std::string title(lane.info->title);
  for (const auto& [name, shown] : {std::pair<std::string, std::string>{"rk4", title},
                                    {"rk4.2", title + " (2)"},
                                    {"rk4.a", "rk4.a"},
                                    {"rk45", "rk45"},
                                    {"coarse", "coarse"}}) {
    lane.name = name;
    EXPECT_EQ(lane.title(), shown);
  }
}

TEST_F(LanesPanel, TheHintOfANameHasAllOfTheMethodsName) {
  desk.interface.set_spoken(true);
  desk.click("add_lane");
  desk.frames(2);
  const std::string title(find_integrator(present()[1].type)->title);
  EXPECT_TRUE(test::says(desk.described("lane_name[1]"), title)) << desk.described("lane_name[1]");
  // The letters of the hint, none of them cut at the edge of the field.
  const Rect field = desk.rect("lane_name[1]");
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const ImDrawData& data = *ImGui::GetDrawData();
  float end = 0;
  for (int l = 0; l < data.CmdListsCount; ++l)
    for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer)
      if (v.col == color && field.contains(v.pos.x, v.pos.y)) end = std::max(end, v.pos.x);
  const ImFont* const letters = font(Face::text);
  EXPECT_GT(end, field.x + letters->CalcTextSizeA(letters->FontSize, FLT_MAX, 0, title.c_str()).x)
      << title;
  EXPECT_LE(end, field.x + field.width - ImGui::GetStyle().FramePadding.x + 1);
}

TEST_F(LanesPanel, InARunAnotherListWaitsForRewind) {
  desk.run_and_draw(5, 1);
  desk.click("add_lane");
  EXPECT_EQ(present().size(), 1u);
  ASSERT_EQ(wanted().size(), 2u);
  EXPECT_TRUE(desk.has("pending"));
  // It is shown and can be edited as it will be.
  desk.choose("integrator[1]", "heun");
  EXPECT_EQ(wanted()[1].type, "heun");
  desk.click("remove_lane[1]");
  EXPECT_EQ(wanted().size(), 1u);
  EXPECT_FALSE(desk.has("pending"));
}

TEST_F(LanesPanel, ALaneBeginsWhereTheReferenceIs) {
  EXPECT_FALSE(desk.has("add_lane_here")) << "at the start";
  EXPECT_TRUE(desk.handle(Action::add_lane_here, 2));
  ASSERT_EQ(present().size(), 2u) << "which is the same there";
  EXPECT_EQ(desk.simulation->record().lanes.size(), 2u);
  desk.click("reference_lane[1]");
  desk.run_and_draw(50, 1);
  desk.click("add_lane_here");
  ASSERT_EQ(present().size(), 3u);
  EXPECT_EQ(desk.simulation->record().lanes.size(), 2u);
  EXPECT_EQ(desk.simulation->record().events.back().add_lane->from, 1u);
  EXPECT_EQ(desk.simulation->state(2).q, desk.simulation->state(1).q);
  EXPECT_FALSE(desk.has("pending"));
  desk.frames(3);  // it has no sample yet
  desk.run_and_draw(50, 3);
  EXPECT_TRUE(desk.handle(Action::add_lane_here, 2));
  ASSERT_EQ(present().size(), 4u);
  EXPECT_FALSE(desk.has("add_lane_here")) << "there is room for no more";
  EXPECT_TRUE(desk.handle(Action::add_lane_here, 2));
  EXPECT_EQ(present().size(), 4u);
  // Every plot there is, with the lane that begins last as the reference.
  desk.click("reference_lane[3]");
  desk.interface.settings().plots = {plot_of(Signal::distance()), plot_of(Quantity::energy_error),
                                     plot_of(Quantity::total_energy),
                                     plot_of(*Signal::parse("q0_x"))};
  desk.run_and_draw(20, 5);
  // Removing one waits, and so does another list.
  desk.click("remove_lane[2]");
  EXPECT_EQ(present().size(), 4u);
  EXPECT_EQ(wanted().size(), 3u);
}

// Drawing may take longer than a step.
TEST_F(LanesPanel, ALaneBeginsWhereTheRunIsWhileThePictureIsOfItsStart) {
  const Snapshot start = desk.snapshot;
  desk.run_and_draw(50, 1);
  desk.pictured = &start;
  desk.obedient = false;
  desk.frames(2);
  EXPECT_TRUE(desk.has("add_lane_here"));
  EXPECT_TRUE(desk.handle(Action::add_lane_here, 2));
  EXPECT_EQ(desk.recorder.all<AddLane>().size(), 1u);
  EXPECT_TRUE(desk.recorder.all<Change>().empty());
}

TEST_F(LanesPanel, SwapsOneLaneLive) {
  desk.click("add_lane");
  desk.run_and_draw(5, 1);
  desk.choose("integrator[1]", "rk4");
  EXPECT_EQ(present()[1].type, "rk4");
  EXPECT_EQ(present()[0].type, "variational");
  EXPECT_EQ(desk.simulation->lane(1).info->key, "rk4");
  desk.choose("integrator[1].formulation", "momentum");
  EXPECT_EQ(present()[1].values.at("formulation")[0], 2);
  EXPECT_EQ(desk.simulation->record().events.size(), 2u);
}

TEST_F(LanesPanel, StepsAreOfOneOrOfAll) {
  desk.click("add_lane");
  desk.enter("step[1]", "0.005");
  EXPECT_EQ(present()[1].step, 0.005);
  EXPECT_EQ(present()[0].step, 0.01);
  desk.enter("grid_step", "0.03");
  EXPECT_EQ(present()[0].step, 0.03);
  EXPECT_EQ(present()[1].step, 0.015);
  EXPECT_EQ(desk.simulation->grid_step(), 0.03);
  // What does not fit the other is ordered all the same, and refused by the run.
  desk.obedient = false;
  const std::size_t before = desk.recorder.commands.size();
  desk.enter("step[1]", "0.02");
  ASSERT_GT(desk.recorder.commands.size(), before);
  const auto last = desk.recorder.all<Change>().back();
  EXPECT_TRUE(
      test::says(test::error_of(with_settings(desk.simulation->present(), last.settings)).message,
                 "whole number of steps"));
}

TEST_F(LanesPanel, NamesHidesAndComparesLanes) {
  desk.click("add_lane");
  desk.enter("lane_name[1]", "baseline");
  EXPECT_EQ(present()[1].name, "baseline");
  // Without its own name it is called by its method, not by an identifier.
  desk.click("lane_name[1]");
  desk.key(ImGuiKey_Delete);
  desk.key(ImGuiKey_Enter);
  desk.speak(2);
  EXPECT_EQ(present()[1].name, default_names(present())[1]);
  const std::string shown = desk.spoken("lane_name[1]").value;
  EXPECT_EQ(shown, lane_title(present()[1].name, find_integrator(present()[1].type)));
  EXPECT_NE(shown, present()[1].name);
  desk.interface.set_spoken(false);
  desk.enter("lane_name[1]", "baseline");
  desk.click("hide_lane[1]");
  EXPECT_TRUE(desk.interface.hidden_lanes().contains(1));
  EXPECT_TRUE(desk.interface.plots().hidden_lanes.contains(1));
  desk.click("hide_lane[1]");
  EXPECT_TRUE(desk.interface.hidden_lanes().empty());
  EXPECT_EQ(desk.interface.settings().reference_lane, 0);
  desk.click("reference_lane[1]");
  EXPECT_EQ(desk.interface.settings().reference_lane, 1);
  EXPECT_EQ(desk.interface.plots().reference, "baseline");
  // Fewer lanes: which is which has changed.
  desk.click("remove_lane");
  EXPECT_EQ(desk.interface.settings().reference_lane, 0);
}

// A refused lane's step is halved alone, or with all others if it would not fit them.
TEST_F(LanesPanel, HalvesAStepThatFitsTheOthers) {
  desk.click("add_lane");
  desk.enter("grid_step", "0.03");
  desk.enter("step[1]", "0.01");
  const auto refuse = [&](int lane) {
    desk.snapshot.failure = StepFailure{lane, {}, 1, 0, "refused"};
    desk.snapshot.state = RunState::failed;
    desk.snapshot.commands += 1;
    desk.frames(3);
    desk.click("halve_step");
  };
  refuse(1);
  EXPECT_EQ(present()[0].step, 0.03);
  EXPECT_EQ(present()[1].step, 0.005);
  desk.enter("step[1]", "0.01");
  refuse(0);
  EXPECT_EQ(present()[0].step, 0.015);
  EXPECT_EQ(present()[1].step, 0.005);
}

TEST_F(LanesPanel, PlotsTheDistanceFromTheReference) {
  desk.interface.settings().plots = {plot_of(Signal::distance())};
  desk.frames(2);
  desk.click("add_lane");
  desk.run_and_draw(100, 3);
  EXPECT_TRUE(desk.has("legend/distance[1]"));
  const SignalView far = desk.histories[1].view(Signal::distance());
  ASSERT_EQ(far.values->size(), 101u);
  EXPECT_EQ((*far.values)[0], 0);
  EXPECT_GT((*far.values)[100], 1e-9);
  EXPECT_EQ(title(desk.interface.settings().plots[0], desk.interface.plots().reference),
            "distance from Variational (VI)");
  // Ink of the second lane's colour in the plot, none of the first's.
  const Rect area = desk.rect("plot/distance");
  const Picture picture = desk.picture();
  const auto im_color = [&](std::string_view integrator) {
    const std::uint32_t rgb = lane_style(integrator, Palette::dark).color.rgb;
    int count = 0;
    for (int y = static_cast<int>(area.y); y < static_cast<int>(area.y + area.height); ++y)
      for (int x = static_cast<int>(area.x); x < static_cast<int>(area.x + area.width); ++x)
        count += picture.at(x, y) == rgb ? 1 : 0;
    return count;
  };
  EXPECT_GT(im_color("rk45"), 20);
  EXPECT_EQ(im_color("variational"), 0);
  desk.click("reference_lane[1]", 2);
  EXPECT_EQ(desk.histories[1].view(Signal::distance()).values->worst_magnitude(), 0);
}

}  // namespace
}  // namespace twosphere::lanes_panel_test
