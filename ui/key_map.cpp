// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ui/panel.h"

namespace twosphere::ui {

namespace {

struct Line {
  std::string_view left, right;  // what and key; without a key it is a heading
};

constexpr std::array mouse{
    Line{"Mouse in the scene", ""},       Line{"Turn", "Left drag"},
    Line{"Shift", "Right drag"},          Line{"Nearer or farther", "Wheel"},
    Line{"Mouse in the plots", ""},       Line{"Shift", "Left drag"},
    Line{"Zoom at the mouse", "Wheel"},   Line{"Zoom to a box", "Right drag"},
    Line{"Whole run", "Double click"},    Line{"Mouse on a number", ""},
    Line{"Change", "Drag, Shift: finer"}, Line{"Type", "Click"},
};

std::vector<Line> lines() {
  std::vector<Line> result;
  for (const std::string_view menu : {"File", "Simulation", "View", "Window", "Help"}) {
    result.push_back({menu, ""});
    for (const ActionInfo& a : actions())
      if (a.menu == menu && !a.key.empty()) result.push_back({a.label, a.key});
  }
  result.insert(result.end(), mouse.begin(), mouse.end());
  return result;
}

}  // namespace

void key_map_panel(const Panel& panel, PanelState& state) {
  if (!state.key_map) return;
  static const std::vector<Line> all = lines();
  const Frame& f = panel.frame;
  const float row = panel.px(20), margin = panel.px(24);
  const auto half = (all.size() + 1) / 2;
  const float width = std::min(panel.px(700), f.width - panel.px(20));
  const float height =
      std::min(row * (static_cast<float>(half) + 2) + 2 * margin, f.height - panel.px(20));
  ImGui::SetNextWindowPos({(f.width - width) / 2, (f.height - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("key map", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  ImGui::SetCursorPos({margin, margin - panel.px(8)});
  ImGui::PushFont(font(Face::title));
  ImGui::TextUnformatted("Keys");
  ImGui::PopFont();

  const float column = (width - 3 * margin) / 2;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float x = margin + (i < half ? 0 : column + margin);
    const float y = margin + row * (1.3f + static_cast<float>(i < half ? i : i - half));
    ImGui::SetCursorPos({x, y});
    const std::string left(all[i].left), right(all[i].right);
    if (right.empty()) {
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink(panel.colors.accent)), "%s",
                         left.c_str());
      continue;
    }
    ImGui::TextUnformatted(left.c_str());
    ImGui::PushFont(font(Face::mono));
    ImGui::SetCursorPos({x + column - ImGui::CalcTextSize(right.c_str()).x, y});
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink(panel.colors.dim)), "%s", right.c_str());
    ImGui::PopFont();
  }
  const ImVec2 from = ImGui::GetWindowPos();
  const Rect place{from.x, from.y, width, height};
  panel.mark("key_map", place);
  const ImGuiIO& io = ImGui::GetIO();
  const bool outside =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !place.contains(io.MousePos.x, io.MousePos.y);
  if (outside || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) state.key_map = false;
  ImGui::End();
}

}  // namespace twosphere::ui
