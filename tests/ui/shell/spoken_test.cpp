// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader says about the panels.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <algorithm>

#include "tests/outcome.h"
#include "tests/ui/desk.h"

namespace twosphere::spoken_test {
namespace {

using namespace ui;
using namespace ui_test;
using test::says;

/// Every widget that can be operated has a kind and a name for people.
void expect_described(const Desk& desk, const std::string& where) {
  EXPECT_FALSE(desk.interface.spoken().empty()) << where;
  for (const SpokenWidget& widget : desk.interface.spoken()) {
    if (!widget.operable && !widget.role) continue;
    EXPECT_TRUE(widget.role.has_value()) << where << ": " << widget.id;
    EXPECT_FALSE(widget.name.empty()) << where << ": " << widget.id;
    EXPECT_NE(widget.name, widget.id) << where;
    EXPECT_FALSE(says(widget.name, "##")) << where << ": " << widget.id;
  }
}

/// Opens what is closed.
void open_sections(Desk& desk) {
  for (int left = 40; left > 0; --left) {
    const auto all = desk.interface.spoken();
    const auto closed = std::find_if(all.begin(), all.end(), [](const SpokenWidget& w) {
      return w.role == Role::heading && w.on == false;
    });
    if (closed == all.end()) return;
    const std::string id = closed->id;
    desk.reveal(id, 3);
    desk.click(id);
  }
  ADD_FAILURE() << "sections do not open";
}

TEST(Spoken, IsCollectedOnlyForAScreenReader) {
  DrawnDesk desk;
  EXPECT_TRUE(desk.interface.spoken().empty());
  desk.speak(1);
  EXPECT_FALSE(desk.interface.spoken().empty());
  desk.interface.set_spoken(false);
  desk.frames(1);
  EXPECT_TRUE(desk.interface.spoken().empty());
}

TEST(Spoken, EveryWidgetOfEveryPresetHasANameAndAKind) {
  for (const Preset& preset : presets()) {
    SpokenDesk desk(preset.key);
    desk.run(3);
    desk.select(BodyId{0, 0}, 2);
    open_sections(desk);
    desk.frames(2);
    expect_described(desk, std::string(preset.key));
  }
}

TEST(Spoken, EveryListAndItsItemsAreDescribed) {
  SpokenDesk desk;
  ASSERT_TRUE(desk.handle(Action::add_lane, 2));
  open_sections(desk);
  std::vector<std::string> lists;
  for (const SpokenWidget& widget : desk.interface.spoken())
    if (widget.role == Role::list) lists.push_back(widget.id);
  EXPECT_GT(lists.size(), 5u);
  for (const std::string& list : lists) {
    desk.reveal(list, 3);
    const auto before = desk.interface.spoken().size();
    desk.click(list);
    EXPECT_EQ(desk.spoken(list).on, true) << list;
    EXPECT_GT(desk.interface.spoken().size(), before) << list;
    expect_described(desk, list);
    desk.key(ImGuiKey_Escape, 2);
    EXPECT_EQ(desk.spoken(list).on, false) << list;
  }
}

TEST(Spoken, MenusAndThePageOfPresetsAreDescribed) {
  Desk desk;
  desk.recent = {{"/a/b.json", "b.json", "/a", ""}};
  desk.interface.set_spoken(true);
  desk.run_and_draw(3);
  for (const char* opener : {"ready_plots", "add_plot", "scale/energy_error"}) {
    desk.click(opener, 2);
    expect_described(desk, opener);
    desk.key(ImGuiKey_Escape, 2);
  }
  ASSERT_TRUE(desk.handle(Action::presets, 3));
  expect_described(desk, "presets");
  EXPECT_EQ(desk.spoken("gallery/double_spherical_pendulum").role, Role::item);
  EXPECT_TRUE(desk.spoken("gallery/double_spherical_pendulum").focused);
  EXPECT_EQ(desk.spoken("gallery/at_start").role, Role::check_box);
}

// Whatever the mouse can hit has a name.
TEST(Spoken, NothingUnderTheMouseIsUnknown) {
  SpokenDesk desk;
  ASSERT_TRUE(desk.handle(Action::add_lane, 3));
  desk.run(3);
  desk.select(BodyId{0, 0}, 2);
  open_sections(desk);
  // Scroll bars and the axes of a plot only do what other widgets do too.
  std::set<ImGuiID> known;
  int hit = 0;
  for (float y = 4; y < 754; y += 9)
    for (float x = 4; x < 1280; x += 13) {
      desk.point(x, y);
      const ImGuiContext& g = *ImGui::GetCurrentContext();
      if (g.HoveredId == 0 || known.contains(g.HoveredId)) continue;
      const auto all = desk.interface.spoken();
      const bool found = std::any_of(all.begin(), all.end(), [&](const SpokenWidget& w) {
        return w.role && w.rect.contains(x, y);
      });
      const ImGuiWindow& window = *g.HoveredWindow;
      const bool bar = x > window.InnerRect.Max.x;
      const auto plots = desk.rect("right");
      const bool axis = x > plots.x && x < plots.x + 70;
      EXPECT_TRUE(found || bar || axis) << x << " " << y << " in " << window.Name;
      if (!found && !bar && !axis) return;
      known.insert(g.HoveredId);
      ++hit;
    }
  EXPECT_GT(hit, 40);
}

TEST(Spoken, ANumberHasItsUnitAndValue) {
  Desk desk;
  desk.speak(2);
  const SpokenWidget mass = desk.spoken("parameter/masses[0]");
  EXPECT_EQ(mass.role, Role::number);
  EXPECT_EQ(mass.name, "Mass m₁ [kg]");
  EXPECT_EQ(mass.value, "1");
  EXPECT_EQ(mass.number, desk.simulation->present().parameters.find("masses")->second[0]);
  EXPECT_TRUE(says(mass.description, "Range"));
  EXPECT_EQ(desk.spoken("section/Parameters").on, true);
  EXPECT_EQ(desk.spoken("play").name, "Play or pause");
  EXPECT_EQ(desk.spoken("integrator").value, find_integrator(desk.scenario.lanes[0].type)->title);
  EXPECT_TRUE(says(desk.spoken("scene").description, "energy error"));
  EXPECT_EQ(desk.spoken("plot/energy_error").role, Role::plot);
}

TEST(Spoken, TheScalesOfTheSceneAreSaid) {
  Desk desk;
  desk.legend.bars.push_back({"spring tension", "N", -1, 1, ColorMap::viridis, true});
  desk.legend.arrows.push_back({BodyVector::angular_velocity, 2.5, {}});
  desk.legend.sizes = "Larger bodies have more mass.";
  desk.speak(2);
  EXPECT_EQ(desk.spoken("color_bar/0").name, "Colour: spring tension [N]");
  EXPECT_EQ(desk.spoken("color_bar/0").value,
            text_at(desk.legend.bars[0], 0) + " to " + text_at(desk.legend.bars[0], 1));
  EXPECT_EQ(desk.spoken("arrow_scale/ω").name, "Longest arrow: angular velocity [rad/s]");
  EXPECT_EQ(std::stod(desk.spoken("arrow_scale/ω").value), 2.5);
  EXPECT_EQ(desk.spoken("sizes").name, desk.legend.sizes);
}

TEST(Spoken, EnteringANumberIsLikeTypingIt) {
  Desk desk;
  desk.speak(2);
  const std::string path = desk.spoken("parameter/gravity").path;
  desk.interface.enter(path, "2*1.5");
  desk.frames(3);
  EXPECT_EQ(desk.simulation->after_rewind().parameters.find("gravity")->second[0], 3);
  EXPECT_EQ(desk.spoken("parameter/gravity").number, 3);
  desk.interface.enter(path, "much");
  desk.frames(2);
  EXPECT_EQ(desk.spoken("refused_value").role, Role::alert);
  EXPECT_EQ(desk.spoken("parameter/gravity").number, 3);
}

TEST(Spoken, ThePartsOfSeveralLanesAreToldApart) {
  SpokenDesk desk;
  ASSERT_TRUE(desk.handle(Action::add_lane, 3));
  const auto& lanes = desk.simulation->present().lanes;
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(desk.spoken("grid_step").name, "Rows every H [s]");
  EXPECT_EQ(desk.spoken("step").name, "Step of this method h [s], " + lanes[0].name);
  EXPECT_EQ(desk.spoken("step[1]").name, "Step of this method h [s], " + lanes[1].name);
}

TEST(Spoken, EveryRowOfALongTableIsThere) {
  Desk desk("dipole_array");
  desk.speak(2);
  open_sections(desk);
  desk.frames(2);
  const int last = desk.scenario.size() - 1;
  const std::string id = fmt::format("start/q[{}][0]", last);
  EXPECT_EQ(desk.spoken(id).role, Role::number);
  EXPECT_EQ(desk.spoken(id).seen.width, 0);
  desk.reveal(id, 3);
  EXPECT_GT(desk.spoken(id).seen.width, 0);
}

}  // namespace
}  // namespace twosphere::spoken_test
