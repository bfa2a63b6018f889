// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a body, beside the scene.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/mechanics/body_motion.h"
#include "core/output/body_reading.h"
#include "core/scenario/initial_conditions.h"
#include "tests/ui/desk.h"

namespace twosphere::body_card_test {
namespace {

using namespace ui;
using namespace ui_test;

TEST(BodyCard, GoesFromBodyToBody) {
  DrawnDesk desk("three_body");
  EXPECT_FALSE(desk.has("body"));
  for (const int expected : {0, 1, 2, 0}) {
    desk.handle(Action::next_body, 1);
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
  desk.handle(Action::previous_body, 2);
  EXPECT_EQ(desk.interface.selected(), (BodyId{0, 2})) << "from the end";
  desk.click("body/close");
  EXPECT_FALSE(desk.interface.selected());
}

TEST(BodyCard, IsBelowTheScalesOfColours) {
  Desk desk("three_body");
  desk.legend.bars = {{"speed", "m/s", 0, 2, ColorMap::viridis}};
  desk.select(BodyId{0, 1}, 3);
  const Rect scale = desk.rect("color_bar/0");
  EXPECT_GE(desk.rect("body").y, scale.y + scale.height);
}

TEST(BodyCard, ShowsTheColourOfItsBody) {
  Desk desk("three_body");
  desk.select(BodyId{0, 1}, 3);
  ASSERT_TRUE(desk.has("body/color"));
  const Color own = body_color(1, 3, Palette::dark);
  const ImU32 packed = IM_COL32(own.rgb >> 16 & 0xff, own.rgb >> 8 & 0xff, own.rgb & 0xff, 255);
  const Rect spot = desk.rect("body/color");
  int count = 0;
  for (const ImDrawVert& v : drawn_corners())
    count += v.col == packed && spot.contains(v.pos.x, v.pos.y);
  EXPECT_GT(count, 6);
  desk.interface.settings().shade = Shade::lane;
  desk.frames(2);
  EXPECT_FALSE(desk.has("body/color"));
}

TEST(BodyCard, CopiesEveryDigit) {
  Desk desk("pendulum_network");
  desk.run_and_draw(7);
  desk.select(BodyId{0, 3}, 3);
  desk.click("body/copy");
  const State& state = desk.simulation->state(0);
  EXPECT_EQ(std::string(ImGui::GetClipboardText()),
            to_table(read_body(*desk.simulation->system(), state,
                               desk.simulation->sample(0)[Quantity::potential_energy], 3),
                     3, state.t));
}

TEST(BodyCard, LeavesWithTheBodyAndEscapeGoesToThePopupFirst) {
  DrawnDesk desk("three_body");
  desk.select(BodyId{0, 2}, 2);
  desk.click("integrator");
  desk.key(ImGuiKey_Escape);
  EXPECT_TRUE(desk.interface.selected()) << "Esc closed the list";
  desk.load("double_spherical_pendulum");
  desk.frame();
  EXPECT_FALSE(desk.interface.selected());
}

TEST(BodyCard, SaysWhereThePlotsPoint) {
  RunDesk desk(20);
  EXPECT_FALSE(desk.interface.cursor());
  const Rect plot = desk.rect("plot/total_energy");
  desk.point(plot.x + plot.width / 2, plot.y + plot.height / 2, 1);
  ASSERT_TRUE(desk.interface.cursor());
  // A hundredth of the planned 100 s is shown at least.
  EXPECT_NEAR(*desk.interface.cursor(), 0.5, 0.01);
  desk.point(plot.x - 200, plot.y, 1);
  EXPECT_FALSE(desk.interface.cursor());
}

/// Types into a field of the card.
void enter(Desk& desk, const char* field, const char* text) {
  desk.click(field, 2);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput) << field;
  desk.type(text);
  desk.key(ImGuiKey_Enter, 3);
}

void expect_on_sphere(const State& state) {
  for (int i = 0; i < state.size(); ++i) {
    EXPECT_LT(unit_length_error(state.q.col(i)), 4e-16);
    EXPECT_LT(std::abs(state.q.col(i).dot(state.w.col(i))), 1e-15 * (1 + state.w.col(i).norm()));
  }
}

TEST(BodyCard, HasTheBaseThatFlies) {
  Desk desk("drone_with_load");
  desk.select(BodyId{0, 1}, 3);
  enter(desk, "body/base.position[2]", "-2");
  enter(desk, "body/base.velocity[0]", "0.5");
  ASSERT_TRUE(desk.simulation->present().base);
  EXPECT_EQ(desk.simulation->present().base->position, Vec3(0, 0, -2));
  EXPECT_EQ(desk.simulation->present().base->velocity, Vec3(0.5, 0, 0));
  // Later it is an event.
  desk.run_and_draw(10);
  const auto base = [&] { return *base_of(desk.simulation->state(0), *desk.simulation->system()); };
  const BaseStart before = base();
  enter(desk, "body/base.position[1]", "3");
  EXPECT_EQ(desk.simulation->record().events.size(), 1U);
  EXPECT_NEAR(base().position.y(), 3, 1e-12);
  EXPECT_NEAR(base().position.x(), before.position.x(), 1e-12);
  EXPECT_LT((base().velocity - before.velocity).norm(), 1e-12);
}

TEST(BodyCard, HasNoBaseWhereNoneFlies) {
  Desk desk("tether_satellite");
  desk.select(BodyId{0, 1}, 3);
  EXPECT_TRUE(desk.has("body/q[0]"));
  EXPECT_FALSE(desk.has("body/base.position[0]"));
}

TEST(BodyCard, TypesTheStart) {
  Desk desk;
  desk.select(BodyId{0, 1}, 3);
  enter(desk, "body/q[0]", "sqrt(2)/2");
  ASSERT_EQ(desk.recorder.all<Change>().size(), 1u);
  const Change change = desk.recorder.all<Change>().back();
  ASSERT_EQ(change.settings.size(), 2u);
  EXPECT_EQ(change.settings[0].path, "initial.q[1]");
  EXPECT_EQ(change.settings[1].path, "initial.omega[1]");
  EXPECT_EQ(desk.simulation->state(0).q(0, 1), std::sqrt(2) / 2);
  expect_on_sphere(desk.simulation->state(0));
  EXPECT_TRUE(desk.simulation->record().events.empty());

  enter(desk, "body/q[0]", "1.5");
  EXPECT_TRUE(desk.has("refused_value"));
  desk.key(ImGuiKey_Escape);
  EXPECT_EQ(desk.recorder.all<Change>().size(), 1u);
}

TEST(BodyCard, TypesTheStateOfARun) {
  Desk desk;
  desk.run(20);
  desk.select(BodyId{0, 1}, 3);
  const State before = desk.simulation->state(0);
  enter(desk, "body/omega[0]", "3/2");
  ASSERT_EQ(desk.recorder.all<Change>().size(), 1u);
  const Change change = desk.recorder.all<Change>().back();
  ASSERT_EQ(change.settings.size(), 1u) << "q stays";
  EXPECT_EQ(change.settings[0].path, "state.omega[1]");
  const State after = desk.simulation->state(0);
  EXPECT_EQ(after.q, before.q);
  EXPECT_NEAR(after.w(0, 1), 1.5, 1e-15);
  expect_on_sphere(after);

  enter(desk, "body/q[2]", "0");
  EXPECT_EQ(desk.recorder.all<Change>().back().settings[0].path, "state.q[1]");
  EXPECT_EQ(desk.simulation->state(0).q(2, 1), 0);
  EXPECT_NEAR(desk.simulation->state(0).w.col(1).norm(), after.w.col(1).norm(), 1e-14);
  expect_on_sphere(desk.simulation->state(0));
  ASSERT_EQ(desk.simulation->record().events.size(), 2u);
  for (const Event& event : desk.simulation->record().events) EXPECT_EQ(event.step, 20);
}

TEST(BodyCard, TypesAngles) {
  Desk desk;
  desk.run(20);
  desk.select(BodyId{0, 0}, 3);
  EXPECT_FALSE(desk.has("body/theta"));
  desk.click("body/angles");
  EXPECT_TRUE(desk.interface.settings().angles);
  EXPECT_FALSE(desk.has("body/q[0]"));
  const auto angles = [&] {
    const State& s = desk.simulation->state(0);
    return spherical({s.q.col(0), s.w.col(0)});
  };
  const SphericalMotion before = angles();
  enter(desk, "body/theta", "30 deg");
  SphericalMotion now = angles();
  EXPECT_NEAR(now.polar, std::numbers::pi / 6, 1e-15);
  EXPECT_NEAR(now.azimuth, before.azimuth, 1e-15);
  EXPECT_NEAR(now.polar_rate, before.polar_rate, 1e-14);
  EXPECT_NEAR(now.azimuth_rate, before.azimuth_rate, 1e-13);
  enter(desk, "body/phi_rate", "-2");
  now = angles();
  EXPECT_NEAR(now.azimuth_rate, -2, 1e-14);
  EXPECT_EQ(desk.recorder.all<Change>().back().settings.size(), 1u) << "ω alone";
  expect_on_sphere(desk.simulation->state(0));

  // Beyond the pole there are no angles; at the pole φ does not turn.
  enter(desk, "body/theta", "200 deg");
  EXPECT_TRUE(desk.has("refused_value"));
  desk.key(ImGuiKey_Escape);
  enter(desk, "body/theta", "180 deg");
  EXPECT_NEAR(desk.simulation->state(0).q(2, 0), -1, 1e-15);
  const std::size_t sent = desk.recorder.all<Change>().size();
  enter(desk, "body/phi_rate", "1");
  EXPECT_TRUE(desk.has("refused_value"));
  EXPECT_EQ(desk.recorder.all<Change>().size(), sent);
  expect_on_sphere(desk.simulation->state(0));
}

TEST(BodyCard, IsTypedByKeys) {
  RunDesk desk(5);
  desk.handle(Action::next_body, 3);
  // The fields of the card are the last ones.
  ImGui::GetIO().KeyShift = true;
  desk.key(ImGuiKey_Tab);
  ImGui::GetIO().KeyShift = false;
  desk.frames(4);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  desk.type("0,25");
  desk.key(ImGuiKey_Enter, 3);
  ASSERT_EQ(desk.recorder.all<Change>().size(), 1u);
  EXPECT_EQ(desk.recorder.all<Change>()[0].settings[0].path, "state.omega[0]");
  EXPECT_NEAR(desk.simulation->state(0).w(2, 0), 0.25, 1e-15);
  EXPECT_TRUE(desk.interface.selected());
}

TEST(BodyCard, ActsOnEveryLane) {
  Desk desk;
  desk.select(BodyId{0, 0}, 3);
  EXPECT_FALSE(desk.has("body/every_lane"));
  auto lanes = json::parse_value(
      R"([{"type": "variational", "step": 0.01}, {"type": "rk4", "step": 0.01}])");
  desk.recorder.command(Change{{{"lanes", *lanes}}});
  desk.frames(2);
  desk.run(10);
  desk.select(BodyId{1, 0}, 3);
  EXPECT_TRUE(desk.has("body/every_lane"));
  enter(desk, "body/q[1]", "-0.5");
  for (int lane = 0; lane < 2; ++lane) {
    EXPECT_NEAR(desk.simulation->state(lane).q(1, 0), -0.5, 1e-15);
    EXPECT_LT(unit_length_error(desk.simulation->state(lane).q.col(0)), 4e-16);
  }
}

}  // namespace
}  // namespace twosphere::body_card_test
