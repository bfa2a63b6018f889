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
    Line{"Mouse in the scene", ""},
    Line{"Orbit", "Left drag"},
    Line{"Pan", "Right drag"},
    Line{"Nearer or farther", "Wheel"},
    Line{"Fit", "Double click"},
    Line{"Read a body, close", "Click, Esc"},
    Line{"Mouse in the plots", ""},
    Line{"Pan", "Left drag"},
    Line{"Zoom at the mouse", "Wheel"},
    Line{"Zoom to a box", "Right drag"},
    Line{"Whole run", "Double click"},
    Line{"Scale and more", "Right click"},
    Line{"Hide a lane", "Click its swatch"},
    Line{"Mouse on a number", ""},
    Line{"Change", "Drag, Shift: finer"},
    Line{"Type", "Click"},
};

void add(std::vector<Line>& lines, std::string_view menu) {
  lines.push_back({menu, ""});
  for (const ActionInfo& a : actions())
    if (a.menu == menu && !a.key.empty()) lines.push_back({a.label, a.key});
}

constexpr std::size_t column_count = 4;

/// The scenario and the window; the run and its plots; what to see; the mouse.
std::array<std::vector<Line>, column_count> lines() {
  std::array<std::vector<Line>, column_count> columns;
  for (const std::string_view menu : {"File", "Edit", "Window", "Help"}) add(columns[0], menu);
  for (const std::string_view menu : {"Simulation", "Plots"}) add(columns[1], menu);
  add(columns[2], "View");
  columns[3].assign(mouse.begin(), mouse.end());
  return columns;
}

}  // namespace

void key_map_panel(const Panel& panel, PanelState& state) {
  if (!state.key_map) return;
  static const std::array<std::vector<Line>, column_count> columns = lines();
  const Frame& f = panel.frame;
  const float row = panel.px(20), margin = panel.px(24), before_heading = panel.px(7);
  const float top = margin + panel.px(24);
  float tallest = 0;
  for (const std::vector<Line>& lines : columns) {
    float sum = 0;
    for (const Line& l : lines) sum += row + (l.right.empty() ? before_heading : 0);
    tallest = std::max(tallest, sum);
  }
  const float width = std::min(panel.px(1240), f.width - panel.px(20));
  const float height = std::min(top + tallest + margin, f.height - panel.px(20));
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
  if (ImGui::IsWindowAppearing()) panel.settle();
  ImGui::SetCursorPos({margin, margin - panel.px(8)});
  ImGui::PushFont(font(Face::title));
  ImGui::TextUnformatted("Keys");
  ImGui::PopFont();

  const float column = (width - (column_count + 1) * margin) / column_count;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const float x = margin + (column + margin) * static_cast<float>(c);
    float y = top;
    for (const Line& l : columns[c]) {
      const std::string left(l.left), right(l.right);
      if (right.empty()) y += before_heading;
      ImGui::SetCursorPos({x, y});
      y += row;
      if (right.empty()) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink(panel.colors.accent)), "%s",
                           left.c_str());
        continue;
      }
      ImGui::TextUnformatted(left.c_str());
      ImGui::PushFont(font(Face::mono));
      ImGui::SetCursorPos({x + column - ImGui::CalcTextSize(right.c_str()).x, y - row});
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink(panel.colors.dim)), "%s",
                         right.c_str());
      ImGui::PopFont();
    }
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
