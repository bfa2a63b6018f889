// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "ui/shell/formula.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

/// Draws formulas in the current window with the loaded fonts.
class ScreenPen final : public FormulaPen {
 public:
  explicit ScreenPen(const Panel& panel) : panel_(panel), list_(*ImGui::GetWindowDrawList()) {}

  float width(const std::string& text, float size) const override;
  void text(float x, float baseline, const std::string& text, float size) override;
  void line(float x0, float y0, float x1, float y1, float thickness) override;
  void dot(float x, float y, float radius) override;

 private:
  const Panel& panel_;
  ImDrawList& list_;
};

/// Draws equations at the cursor, one per line: a comma and two spaces separate them in the text.
/// Lines are at most `width` wide where they can be broken.
void draw_equations(const Panel& panel, std::string_view text, float width);

}  // namespace twosphere::ui
