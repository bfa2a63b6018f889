// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <string>
#include <string_view>

#include "ui/shell/formula.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

/// Draws formulas in the current window with the loaded fonts, in a colour. `scale`: device pixels
/// per unit of the interface.
class ScreenPen final : public FormulaPen {
 public:
  ScreenPen(ImU32 color, float scale)
      : color_(color), scale_(scale), list_(*ImGui::GetWindowDrawList()) {}

  float width(const std::string& text, float size) const override;
  void text(float x, float baseline, const std::string& text, float size) override;
  void line(float x0, float y0, float x1, float y1, float thickness) override;
  void dot(float x, float y, float radius) override;

 private:
  ImU32 color_;
  float scale_;
  ImDrawList& list_;
};

/// Draws equations at the cursor, one per line: a comma and two spaces separate them in the text.
/// Lines are at most `width` wide where they can be broken.
void draw_equations(ImU32 color, float scale, std::string_view text, float width);

}  // namespace twosphere::ui
