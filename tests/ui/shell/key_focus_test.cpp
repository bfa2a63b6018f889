// SPDX-License-Identifier: GPL-3.0-or-later
// The panels by the keyboard alone.
#include "ui/shell/key_focus.h"

#include <gtest/gtest.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/ui/desk.h"

namespace twosphere::key_focus_test {
namespace {

using namespace ui;
using namespace ui_test;

/// A desk with the names that a screen reader is given.
struct KeyDesk : Desk {
  explicit KeyDesk(std::string_view preset = "double_spherical_pendulum") : Desk(preset) {
    interface.set_spoken(true);
    frames(3);
    // The sections that are closed at first, by the keys.
    for (;;) {
      const auto all = interface.spoken();
      const auto closed = std::find_if(all.begin(), all.end(), [](const SpokenWidget& w) {
        return w.role == Role::heading && w.on == false;
      });
      if (closed == all.end() || !reach(std::string(closed->id))) break;
      strike(ImGuiKey_Enter);
    }
    strike(ImGuiKey_Escape);
  }
  void strike(ImGuiKey which) {
    key(which);
    frames(4);
  }
  void tab(bool back = false) {
    ImGui::GetIO().KeyShift = back;
    strike(ImGuiKey_Tab);
    ImGui::GetIO().KeyShift = false;
  }
  std::string focused() const {
    for (const SpokenWidget& widget : interface.spoken())
      if (widget.focused) return widget.id;
    return {};
  }
  /// Presses Tab until the widget has the focus.
  bool reach(const std::string& id, bool back = false) {
    for (int i = 0; i < 400 && focused() != id; ++i) tab(back);
    EXPECT_EQ(focused(), id);
    return focused() == id;
  }
};

/// What is pressed or typed in, and can be reached.
bool has_a_use(const SpokenWidget& widget) {
  const auto role = widget.role;
  const bool pressed = role == Role::button || role == Role::check_box || role == Role::list ||
                       role == Role::heading || role == Role::number || role == Role::text;
  return pressed && widget.operable && widget.enabled;
}

TEST(KeyFocus, TabReachesEverythingInReadingOrderAndComesRound) {
  for (const char* preset : {"double_spherical_pendulum", "three_body", "elastic_rod"}) {
    SCOPED_TRACE(preset);
    KeyDesk desk(preset);
    std::vector<std::string> reached;
    desk.tab();
    const std::string first = desk.focused();
    EXPECT_EQ(desk.spoken(first).role, Role::number);
    do {
      reached.push_back(desk.focused());
      desk.tab();
    } while (desk.focused() != first && reached.size() < 500);
    EXPECT_EQ(desk.focused(), first) << "comes round";
    const std::set<std::string> all(reached.begin(), reached.end());
    EXPECT_EQ(all.size(), reached.size()) << "each once";
    int count = 0;
    for (const SpokenWidget& widget : desk.interface.spoken()) {
      if (!has_a_use(widget)) continue;
      ++count;
      EXPECT_TRUE(all.contains(widget.id)) << widget.id;
    }
    EXPECT_GT(count, 50);
    // Back the same way.
    desk.tab(true);
    EXPECT_EQ(desk.focused(), reached.back());
    EXPECT_TRUE(desk.recorder.commands.empty()) << "nothing is changed on the way";
    EXPECT_TRUE(desk.recorder.actions.empty());
  }
}

TEST(KeyFocus, SpaceAndEnterPressWhatHasIt) {
  KeyDesk desk;
  ASSERT_TRUE(desk.reach("view/toggle_graticule", true));
  EXPECT_TRUE(desk.interface.takes_presses());
  const bool before = desk.interface.settings().graticule;
  desk.strike(ImGuiKey_Space);
  EXPECT_NE(desk.interface.settings().graticule, before);
  EXPECT_EQ(desk.focused(), "view/toggle_graticule") << "it stays there";
  desk.strike(ImGuiKey_Enter);
  EXPECT_EQ(desk.interface.settings().graticule, before);
  // Esc gives the keys back.
  desk.strike(ImGuiKey_Escape);
  EXPECT_EQ(desk.focused(), "");
  EXPECT_FALSE(desk.interface.takes_presses());
  desk.strike(ImGuiKey_Space);
  EXPECT_EQ(desk.interface.settings().graticule, before);
}

TEST(KeyFocus, ASectionIsCollapsedAndExpanded) {
  KeyDesk desk;
  ASSERT_TRUE(desk.reach("section/View", true));
  desk.strike(ImGuiKey_Enter);
  EXPECT_FALSE(desk.has("view/toggle_graticule"));
  EXPECT_EQ(desk.focused(), "section/View");
  desk.strike(ImGuiKey_Enter);
  EXPECT_TRUE(desk.has("view/toggle_graticule"));
}

TEST(KeyFocus, AListIsChosenFromByArrows) {
  KeyDesk desk;
  ASSERT_TRUE(desk.reach("view/follow", true));
  EXPECT_FALSE(desk.interface.takes_arrows());
  desk.strike(ImGuiKey_Enter);
  ASSERT_EQ(desk.focused(), "view/follow/none");
  EXPECT_TRUE(desk.interface.takes_arrows());
  desk.strike(ImGuiKey_DownArrow);
  desk.strike(ImGuiKey_DownArrow);
  EXPECT_EQ(desk.focused(), "view/follow/2");
  desk.strike(ImGuiKey_UpArrow);
  EXPECT_EQ(desk.focused(), "view/follow/1");
  desk.tab();
  EXPECT_EQ(desk.focused(), "view/follow/2") << "Tab stays in the list";
  desk.strike(ImGuiKey_Enter);
  EXPECT_EQ(desk.interface.followed(), 1);
  EXPECT_EQ(desk.focused(), "view/follow") << "back at the list";
  // Esc closes it and chooses nothing.
  desk.strike(ImGuiKey_Space);
  EXPECT_EQ(desk.focused(), "view/follow/none");
  desk.strike(ImGuiKey_Escape);
  EXPECT_EQ(desk.interface.followed(), 1);
  EXPECT_EQ(desk.focused(), "view/follow");
}

TEST(KeyFocus, TextIsTypedAtOnceWhereItIsTaken) {
  KeyDesk desk;
  desk.tab();
  const std::string first = desk.focused();
  EXPECT_TRUE(ImGui::GetIO().WantTextInput);
  EXPECT_FALSE(desk.interface.takes_presses()) << "Space is a character";
  desk.type("2.5");
  desk.tab();
  ASSERT_EQ(desk.recorder.all<Change>().size(), 1u) << "accepted by Tab";
  EXPECT_EQ(desk.recorder.all<Change>()[0].settings[0].value.number, 2.5);
  EXPECT_NE(desk.focused(), first);
  // After Enter the keys are free again, and Tab continues from there.
  const std::string second = desk.focused();
  desk.type("3.5");
  desk.strike(ImGuiKey_Enter);
  EXPECT_EQ(desk.recorder.all<Change>().size(), 2u);
  EXPECT_FALSE(desk.interface.takes_presses());
  desk.tab(true);
  EXPECT_EQ(desk.focused(), "reset/" + first.substr(first.find('/') + 1));
  desk.strike(ImGuiKey_Space);
  EXPECT_EQ(desk.recorder.all<Change>().size(), 3u);
}

TEST(KeyFocus, AClickTakesItAway) {
  KeyDesk desk;
  ASSERT_TRUE(desk.reach("view/toggle_graticule", true));
  desk.click_at({640, 300});
  EXPECT_EQ(desk.focused(), "");
}

TEST(KeyFocus, ARingOfTheAccentIsAroundIt) {
  KeyDesk desk;
  ASSERT_TRUE(desk.reach("view/toggle_graticule", true));
  const Rect box = desk.rect("view/toggle_graticule");
  EXPECT_GT(box.y, 0);
  EXPECT_LT(box.y + box.height, 754) << "it is scrolled into view";
  const Picture picture = desk.picture();
  const std::uint32_t accent = colors(Palette::dark).accent.rgb;
  int ring = 0;
  for (int x = static_cast<int>(box.x); x < static_cast<int>(box.x + box.width); ++x)
    for (int dy = -4; dy <= 0; ++dy) ring += picture.at(x, static_cast<int>(box.y) + dy) == accent;
  EXPECT_GT(ring, box.width / 2);
}

TEST(KeyFocus, OnThePageOfPresetsItReachesTheFoot) {
  KeyDesk desk;
  desk.handle(Action::presets, 3);
  const bool before = desk.interface.settings().gallery_at_start;
  ASSERT_TRUE(desk.reach("gallery/at_start"));
  desk.strike(ImGuiKey_Space);
  EXPECT_NE(desk.interface.settings().gallery_at_start, before);
  EXPECT_TRUE(desk.interface.gallery_open()) << "no card is opened";
  // The arrow keys choose a card, which Enter opens.
  desk.strike(ImGuiKey_RightArrow);
  EXPECT_FALSE(desk.interface.takes_presses());
  desk.strike(ImGuiKey_Enter);
  EXPECT_FALSE(desk.interface.gallery_open());
  EXPECT_EQ(desk.recorder.presets.size(), 1u);
}

}  // namespace
}  // namespace twosphere::key_focus_test
