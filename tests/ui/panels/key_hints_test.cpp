// SPDX-License-Identifier: GPL-3.0-or-later
// The keys at the controls, and what the mouse does at the places where it does something.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/ui/desk.h"
#include "ui/shell/gestures.h"

namespace twosphere::key_hints_test {
namespace {

using namespace ui;
using namespace ui_test;

struct Label {
  std::string text;
  Rect place;
};

std::vector<Label> labels(const Desk& desk) {
  std::vector<Label> all;
  for (const auto& [name, place] : desk.interface.widgets())
    if (name.starts_with("key[")) all.push_back({name.substr(name.find('/') + 1), place});
  return all;
}

/// How far two rectangles are apart, along the axis along which that is most [px].
float apart(const Rect& a, const Rect& b) {
  return std::max(
      {a.x - b.x - b.width, b.x - a.x - a.width, a.y - b.y - b.height, b.y - a.y - a.height, 0.0f});
}

/// What the controls do.
const std::vector<std::pair<std::string, Action>> controls{
    {"rewind", Action::rewind},
    {"step_back", Action::step_back_1},
    {"play", Action::play_pause},
    {"step_forward", Action::step_1},
    {"loop", Action::toggle_loop},
    {"go_on_from_here", Action::go_on_from_here},
    {"to_head", Action::show_head},
    {"time_box", Action::go_to_time},
    {"run", Action::runs},
    {"add_lane", Action::add_lane},
    {"add_lane_here", Action::add_lane_here},
    {"check_step", Action::check_step},
    {"switch_control", Action::switch_control},
    {"about/help", Action::preset_help},
    {"view/toggle_trail", Action::toggle_trail},
    {"view/toggle_ground", Action::toggle_ground},
    {"view/arrows_angular_velocity", Action::arrows_angular_velocity},
    {"view/arrows_torque", Action::arrows_torque},
    {"add_plot", Action::add_plot},
    {"fit", Action::plots_fit},
    {"follow", Action::plots_follow},
    {"default_plots", Action::default_plots},
    {"clear_markers", Action::clear_markers},
    {"body/angles", Action::toggle_angles}};

/// Every control in view shows its key, and no label covers another; returns how many there are.
std::size_t expect_labels(const Desk& desk, const std::string& where) {
  const std::vector<Label> all = labels(desk);
  const ImVec2 view = ImGui::GetIO().DisplaySize;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Rect& a = all[i].place;
    EXPECT_TRUE(a.x >= 0 && a.y >= 0 && a.x + a.width <= view.x && a.y + a.height <= view.y)
        << where << ": " << all[i].text;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(a, all[j].place)) << where << ": " << all[i].text << ", " << all[j].text;
  }
  const float far = 60 * desk.interface.settings().scale;
  for (const auto& [name, action] : controls) {
    const auto widget = desk.interface.widgets().find(name);
    if (widget == desk.interface.widgets().end()) continue;
    const Rect& at = widget->second;
    if (at.y < 0 || at.y + at.height > view.y || at.y + at.height / 2 > view.y - 1) continue;
    const std::string key(info(action).key);
    EXPECT_TRUE(std::any_of(
        all.begin(), all.end(),
        [&](const Label& label) { return label.text == key && apart(label.place, at) < far; }))
        << where << ": " << name << " has no " << key;
  }
  return all.size();
}

TEST(KeyHints, AreShownWhileTheKeyIsHeld) {
  DrawnDesk desk;
  EXPECT_TRUE(labels(desk).empty());
  desk.keys_held = true;
  desk.frames(2);
  EXPECT_FALSE(labels(desk).empty());
  desk.keys_held = false;
  desk.frames(2);
  EXPECT_TRUE(labels(desk).empty());
  desk.handle(Action::show_keys, 2);
  EXPECT_FALSE(labels(desk).empty());
  EXPECT_EQ(desk.interface.is_checked(Action::show_keys), true);
  desk.key(ImGuiKey_Escape);
  EXPECT_TRUE(labels(desk).empty()) << "until Esc";
}

TEST(KeyHints, EveryControlShowsItsKeyAndNoLabelCoversAnother) {
  for (const float scale : {1.0f, 1.25f, 1.5f})
    for (const char* preset :
         {"double_spherical_pendulum", "inverted_double_pendulum", "lennard_jones"}) {
      Desk desk(preset, 1280, 754, 1, scale);
      desk.keys_held = true;
      desk.outer_keys = {{{0, -22, 40, 22}, "Alt+F"},
                         {{40, -22, 40, 22}, "Alt+E"},
                         {{80, -22, 80, 22}, "Alt+S"},
                         {{160, -22, 44, 22}, "Alt+V"},
                         {{204, -22, 44, 22}, "Alt+P"}};
      desk.run_and_draw(30);
      const std::string name = fmt::format("{} at {}", preset, scale);
      EXPECT_GT(expect_labels(desk, name), 15u);
      for (const char* section : {"Parameters", "View", "About this system"}) {
        if (desk.has(fmt::format("section/{}", section)))
          desk.click(fmt::format("section/{}", section));
        expect_labels(desk, name + ", " + section);
      }
      desk.interface.select(BodyId{0, 0});
      desk.interface.handle(Action::plot_cost);
      desk.interface.handle(Action::marker_a);
      desk.recorder.show(12);
      desk.frames(3);
      ASSERT_TRUE(desk.has("to_head"));
      expect_labels(desk, name + " in the past");
      desk.interface.settings().columns = false;
      desk.frames(2);
      EXPECT_GT(expect_labels(desk, name + " without columns"), 10u);
    }
}

TEST(KeyHints, SayWhatTheMouseDoes) {
  Desk desk;
  desk.keys_held = true;
  desk.frames(2);
  std::set<std::string> shown;
  for (const Label& label : labels(desk)) shown.insert(label.text);
  for (const GestureInfo& gesture : gestures())
    EXPECT_TRUE(shown.contains(std::string(name(gesture.place)))) << gesture.label;
  // At the uppermost number, on the time line, and in scene and plots.
  const auto at = [&](std::string_view what) {
    for (const Label& label : labels(desk))
      if (label.text == what) return label.place;
    return Rect{};
  };
  EXPECT_TRUE(overlap(at("the scene"), desk.interface.scene()));
  EXPECT_TRUE(overlap(at("the plots"), desk.rect("right")));
  EXPECT_LT(apart(at("the time line"), desk.rect("progress")), 60);
  EXPECT_LT(apart(at("a number"), desk.rect("parameter/masses[0]")), 60);
}

TEST(KeyHints, AreShownOnThePageOfPresets) {
  Desk desk;
  desk.interface.handle(Action::presets);
  desk.keys_held = true;
  desk.frames(3);
  std::set<std::string> shown;
  for (const Label& label : labels(desk)) shown.insert(label.text);
  EXPECT_TRUE(shown.contains("Esc"));
  EXPECT_TRUE(shown.contains(std::string(info(Action::open_scenario).key)));
  expect_labels(desk, "presets");
}

}  // namespace
}  // namespace twosphere::key_hints_test
