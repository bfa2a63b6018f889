// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a body, beside the scene.
#include <gtest/gtest.h>

#include "core/observe/body_reading.h"
#include "tests/ui/desk.h"

using namespace twosphere;
using namespace twosphere::ui;
using namespace twosphere::ui_test;

namespace {

TEST(BodyCard, GoesFromBodyToBody) {
  Desk desk("three_body");
  desk.frames(2);
  EXPECT_FALSE(desk.has("body"));
  for (const int expected : {0, 1, 2, 0}) {
    desk.interface.handle(Action::next_body);
    desk.frame();
    EXPECT_EQ(desk.interface.selected(), (BodyId{0, expected}));
    EXPECT_TRUE(desk.has("body"));
  }
  desk.interface.handle(Action::previous_body);
  EXPECT_EQ(desk.interface.selected(), (BodyId{0, 2}));
  desk.frames(2);
  const Rect card = desk.rect("body"), scene = desk.interface.scene();
  EXPECT_GE(card.x, scene.x);
  EXPECT_LE(card.x + card.width, scene.x + scene.width);
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.interface.selected());
  EXPECT_FALSE(desk.has("body"));
  desk.interface.handle(Action::previous_body);
  desk.frames(2);
  EXPECT_EQ(desk.interface.selected(), (BodyId{0, 2})) << "from the end";
  desk.click("body/close");
  EXPECT_FALSE(desk.interface.selected());
}

TEST(BodyCard, ShowsTheColourOfItsBody) {
  Desk desk("three_body");
  desk.interface.select(BodyId{0, 1});
  desk.frames(3);
  ASSERT_TRUE(desk.has("body/color"));
  const Color own = body_color(1, 3, Palette::dark);
  const ImU32 packed = IM_COL32(own.rgb >> 16 & 0xff, own.rgb >> 8 & 0xff, own.rgb & 0xff, 255);
  const Rect spot = desk.rect("body/color");
  int count = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int l = 0; l < data.CmdListsCount; ++l)
    for (const ImDrawVert& v : data.CmdLists[l]->VtxBuffer)
      count += v.col == packed && spot.contains(v.pos.x, v.pos.y);
  EXPECT_GT(count, 6);
  desk.interface.settings().shade = Shade::lane;
  desk.frames(2);
  EXPECT_FALSE(desk.has("body/color"));
}

TEST(BodyCard, CopiesEveryDigit) {
  Desk desk("pendulum_network");
  desk.run(7);
  desk.frames(2);
  desk.interface.select(BodyId{0, 3});
  desk.frames(3);
  desk.click("body/copy");
  const State& state = desk.simulation->state(0);
  EXPECT_EQ(std::string(ImGui::GetClipboardText()),
            to_table(read_body(*desk.simulation->system(), state,
                               desk.simulation->sample(0)[Quantity::potential_energy], 3),
                     3, state.t));
}

TEST(BodyCard, LeavesWithTheBodyAndEscapeGoesToThePopupFirst) {
  Desk desk("three_body");
  desk.frames(2);
  desk.interface.select(BodyId{0, 2});
  desk.frames(2);
  desk.click("integrator");
  desk.key(ImGuiKey_Escape);
  EXPECT_TRUE(desk.interface.selected()) << "Esc closed the list";
  desk.load("double_spherical_pendulum");
  desk.frame();
  EXPECT_FALSE(desk.interface.selected());
}

TEST(BodyCard, SaysWhereThePlotsPoint) {
  Desk desk;
  desk.run(20);
  desk.frames(2);
  EXPECT_FALSE(desk.interface.cursor());
  const Rect plot = desk.rect("plot/total_energy");
  desk.point(plot.x + plot.width / 2, plot.y + plot.height / 2);
  desk.frame();
  ASSERT_TRUE(desk.interface.cursor());
  // A hundredth of the planned 100 s is shown at least.
  EXPECT_NEAR(*desk.interface.cursor(), 0.5, 0.01);
  desk.point(plot.x - 200, plot.y);
  desk.frame();
  EXPECT_FALSE(desk.interface.cursor());
}

}  // namespace
