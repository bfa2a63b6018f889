// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "tests/ui/desk.h"

namespace twosphere::ui_test {
namespace {

/// How many question marks are drawn, and letters for which no font has a glyph, such as a dot
/// above a letter.
int unknown_letters() {
  int corners = 0;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    const ImFontGlyph& glyph = *font->FallbackGlyph;
    for (const ImDrawVert& v : drawn_corners()) corners += v.uv.x == glyph.U0 && v.uv.y == glyph.V0;
  }
  return corners;
}

// The dots of "q̇ᵢ·q̇ⱼ" are not letters of the fonts.
TEST(SystemPanel, EquationsInATooltipAreTypeset) {
  Desk desk;
  desk.frames(3);
  const int lists = ImGui::GetDrawData()->CmdListsCount;
  const int unknown = unknown_letters();
  desk.point("preset", 60);
  ASSERT_GT(ImGui::GetDrawData()->CmdListsCount, lists) << "the tooltip";
  EXPECT_EQ(unknown_letters(), unknown);
}

}  // namespace
}  // namespace twosphere::ui_test
