// SPDX-License-Identifier: GPL-3.0-or-later
// The control torque by hand: the switch and the joystick.
#include <gtest/gtest.h>

#include "tests/ui/desk.h"
#include "ui/plot/marker_group.h"

namespace twosphere::control_torque_panel_test {
namespace {

using namespace ui;
using namespace ui_test;

const std::vector<double>& torque(Desk& desk) {
  return desk.simulation->present().parameters.at("control_torque");
}

/// Steps a little, switches to the joystick and points at its middle, which it returns.
ImVec2 point_at_joystick(Desk& desk) {
  desk.run_and_draw(5);
  desk.click("by_hand");
  desk.point("joystick");
  return ImGui::GetIO().MousePos;
}

TEST(ControlTorquePanel, IsSwitchedOffAndOnAgainAsItWas) {
  Desk desk("inverted_double_pendulum");
  desk.run_and_draw(10);
  const std::vector<double> held = torque(desk);
  ASSERT_EQ(held[0], 3);
  desk.handle(Action::switch_control, 2);
  EXPECT_EQ(torque(desk), (std::vector<double>{0, 0, 0, 0}));
  ASSERT_EQ(desk.simulation->record().events.size(), 1u);
  EXPECT_EQ(desk.simulation->record().events[0].step, 10);
  desk.run(10);
  desk.click("switch_control");
  EXPECT_EQ(torque(desk), held);
  // As it was changed meanwhile, and with the columns hidden.
  desk.recorder.command(Change{{{"system.control_torque.kp", 80.0}}});
  desk.frames(2);
  desk.interface.settings().columns = false;
  desk.handle(Action::switch_control, 2);
  EXPECT_EQ(torque(desk)[0], 0);
  desk.handle(Action::switch_control, 2);
  EXPECT_EQ(torque(desk)[4], 80);
}

TEST(ControlTorquePanel, HasNothingToSwitchWithoutAControl) {
  for (const char* preset : {"double_spherical_pendulum", "lennard_jones"}) {
    DrawnDesk desk(preset);
    EXPECT_FALSE(desk.has("switch_control"));
    desk.handle(Action::switch_control, 2);
    EXPECT_TRUE(desk.recorder.commands.empty());
  }
}

TEST(ControlTorquePanel, TheJoystickSpringsBack) {
  RunDesk desk(5);
  EXPECT_FALSE(desk.has("joystick"));
  desk.click("by_hand");
  desk.point("joystick");
  const ImVec2 middle = ImGui::GetIO().MousePos;
  desk.press();
  desk.point(middle.x + 24, middle.y - 12, 2);
  EXPECT_EQ(torque(desk), (std::vector<double>{0, 10, 5, 0}));
  EXPECT_TRUE(desk.interface.mouse_captured()) << "one edit";
  desk.point(middle.x + 900, middle.y, 2);
  EXPECT_EQ(torque(desk)[1], 20) << "to its edge";
  desk.release(0, 2);
  EXPECT_EQ(torque(desk), (std::vector<double>{0, 0, 0, 0}));

  desk.click("joystick/springs");
  EXPECT_FALSE(desk.interface.settings().joystick_springs);
  desk.drag("joystick", 24, 0);
  desk.frames(2);
  EXPECT_EQ(torque(desk)[1], 10) << "it stays";
}

TEST(ControlTorquePanel, TheJoystickSendsTenTorquesASecondWhileRunning) {
  DrawnDesk desk;
  desk.click("by_hand");
  desk.asked_to_play = true;
  desk.point("joystick");
  const ImVec2 middle = ImGui::GetIO().MousePos;
  desk.press();
  for (int i = 1; i <= 60; ++i) {
    desk.point(middle.x + static_cast<float>(i) / 2, middle.y);
    desk.run(1);
  }
  const std::size_t sent = desk.recorder.all<Change>().size();
  EXPECT_GE(sent, 8u);
  EXPECT_LE(sent, 11u);
  desk.release(0, 2);
  EXPECT_EQ(torque(desk)[1], 0);
  EXPECT_EQ(desk.recorder.all<Change>().size(), sent + 1);
}

TEST(ControlTorquePanel, ArrowKeysMoveTheJoystick) {
  RunDesk desk(5);
  desk.click("by_hand");
  EXPECT_FALSE(desk.interface.takes_arrows());
  desk.click("joystick");
  EXPECT_TRUE(desk.interface.takes_arrows());
  const auto hold = [&](ImGuiKey key) {
    ImGui::GetIO().KeysDown[key] = true;
    desk.frames(3);
    std::vector<double> held = torque(desk);
    ImGui::GetIO().KeysDown[key] = false;
    desk.frames(3);
    return held;
  };
  EXPECT_EQ(hold(ImGuiKey_UpArrow), (std::vector<double>{0, 0, 20, 0}));
  EXPECT_EQ(torque(desk)[2], 0);
  ImGui::GetIO().KeyShift = true;
  EXPECT_EQ(hold(ImGuiKey_LeftArrow), (std::vector<double>{0, -2, 0, 0}));
  ImGui::GetIO().KeyShift = false;
  desk.click("joystick/springs");
  desk.click("joystick");
  hold(ImGuiKey_RightArrow);
  EXPECT_EQ(torque(desk)[1], 1) << "a little more by each press";
  hold(ImGuiKey_RightArrow);
  EXPECT_EQ(torque(desk)[1], 2);
  desk.key(ImGuiKey_Escape);
  EXPECT_FALSE(desk.interface.takes_arrows());
  hold(ImGuiKey_RightArrow);
  EXPECT_EQ(torque(desk)[1], 2);
}

TEST(ControlTorquePanel, FromPressToReleaseIsOneMark) {
  Desk desk;
  const ImVec2 middle = point_at_joystick(desk);
  const auto gesture = [&](float x, float y) {
    desk.point(middle.x, middle.y);
    desk.press();
    for (int k = 1; k < 4; ++k) {
      desk.point(middle.x + static_cast<float>(k) * x, middle.y + static_cast<float>(k) * y);
      desk.run(500);
    }
    desk.release();
    desk.run(500);
  };
  gesture(8, 0);
  gesture(8, -8);
  for (const bool down : {true, false}) {
    ImGui::GetIO().KeysDown[ImGuiKey_UpArrow] = down;
    desk.frames(2);
    desk.run(500);
  }
  EXPECT_EQ(desk.snapshot.markers.size(), 10u);
  std::vector<std::size_t> counts;
  for (const MarkerGroup& mark : marker_groups(desk.snapshot.markers, 0))
    counts.push_back(mark.count);
  EXPECT_EQ(counts, (std::vector<std::size_t>{4, 4, 2}));
}

TEST(ControlTorquePanel, TheJoystickIsLetGoWhereItIsOutOfReach) {
  for (const auto& hide : std::vector<std::function<void(Desk&)>>{
           [](Desk& desk) { desk.interface.handle(Action::toggle_columns); },
           [](Desk& desk) { desk.interface.handle(Action::presets); }}) {
    Desk desk;
    const ImVec2 middle = point_at_joystick(desk);
    desk.press();
    desk.point(middle.x + 24, middle.y, 2);
    ASSERT_EQ(torque(desk)[1], 10);
    hide(desk);
    desk.frames(2);
    EXPECT_EQ(torque(desk), (std::vector<double>{0, 0, 0, 0}));
    EXPECT_FALSE(desk.interface.mouse_captured());
    const std::size_t sent = desk.recorder.all<Change>().size();
    desk.frames(2);
    EXPECT_EQ(desk.recorder.all<Change>().size(), sent) << "once";
    desk.release();
  }
}

}  // namespace
}  // namespace twosphere::control_torque_panel_test
