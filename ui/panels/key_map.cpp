// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/panels/panels.h"
#include "ui/shell/gestures.h"

namespace twosphere::ui {

namespace {

struct Line {
  std::string left, right;  // action and key; without a key it is a heading
};

void add(std::vector<Line>& lines, std::string_view menu) {
  lines.push_back({std::string(menu), ""});
  for (const ActionInfo& a : actions())
    if (a.menu == menu && !a.key.empty())
      lines.push_back({std::string(a.label), std::string(a.key)});
}

// Logical pixels.
constexpr float key_row = 18, before_heading = 7, narrowest_column = 270;
constexpr std::size_t max_key_columns = 4;

float height_of(const Line& line) {
  return line.right.empty() ? key_row + before_heading : key_row;
}

/// The mouse gestures of each place, and the finger gestures in the scene.
void add_gestures(std::vector<Line>& lines) {
  std::optional<GesturePlace> place;
  for (const GestureInfo& gesture : gestures()) {
    if (gesture.mouse.empty()) continue;
    if (place != gesture.place)
      lines.push_back({fmt::format("Mouse on {}", name(gesture.place)), ""});
    place = gesture.place;
    lines.push_back({std::string(gesture.label), std::string(gesture.mouse)});
  }
  lines.push_back({"Fingers", ""});
  for (const GestureInfo& gesture : gestures())
    if (gesture.place == GesturePlace::scene && !gesture.touch.empty())
      lines.push_back({std::string(gesture.label), std::string(gesture.touch)});
}

/// The actions of every menu that have keys, and the gestures.
std::vector<Line> lines() {
  std::vector<Line> all;
  std::string_view menu;
  for (const ActionInfo& a : actions())
    if (std::exchange(menu, a.menu) != a.menu) add(all, a.menu);
  add_gestures(all);
  return all;
}

/// Divides the lines into columns of about equal height. Every column begins with a heading and
/// none ends with one.
std::vector<std::vector<Line>> columns(std::size_t count) {
  const std::vector<Line> all = lines();
  float whole = 0;
  for (const Line& line : all) whole += height_of(line);
  std::vector<std::vector<Line>> result(1);
  float sum = 0;
  std::string heading;
  for (const Line& line : all) {
    if (line.right.empty()) heading = line.left;
    const float room = whole * static_cast<float>(result.size()) / static_cast<float>(count);
    const float needed = height_of(line) + (line.right.empty() ? key_row : 0);
    if (sum + needed > room + key_row && result.size() < count) {
      result.emplace_back();
      if (!line.right.empty()) result.back().push_back({heading, ""});
    }
    result.back().push_back(line);
    sum += height_of(line);
  }
  return result;
}

}  // namespace

void key_map_panel(const Panel& panel, bool& open) {
  if (!open) return;
  const Frame& f = panel.frame;
  const float row = panel.px(key_row), margin = panel.px(24);
  const float top = margin + panel.px(24);
  const float room = f.width - panel.px(20) - margin;
  const auto fit = static_cast<std::size_t>(room / (panel.px(narrowest_column) + margin));
  const auto table = columns(std::clamp(fit, std::size_t{1}, max_key_columns));
  const auto count = static_cast<float>(table.size());
  float tallest = 0;
  for (const std::vector<Line>& lines : table) {
    float sum = 0;
    for (const Line& l : lines) sum += panel.px(height_of(l));
    tallest = std::max(tallest, sum);
  }
  const float width = std::min(margin + count * (panel.px(300) + margin), f.width - panel.px(20));
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
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  ImGui::SetCursorPos({margin, margin - panel.px(8)});
  ImGui::PushFont(font(Face::title));
  ImGui::TextUnformatted("Keys");
  ImGui::PopFont();

  const bool scrolls = top + tallest + margin > height;
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const float column = (width - bar - (count + 1) * margin) / count;
  for (std::size_t c = 0; c < table.size(); ++c) {
    const float x = margin + (column + margin) * static_cast<float>(c);
    float y = top;
    for (const Line& l : table[c]) {
      const std::string &left = l.left, &right = l.right;
      if (right.empty()) y += panel.px(before_heading);
      ImGui::SetCursorPos({x, y});
      y += row;
      if (right.empty()) {
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(im_color(panel.colors.accent)), "%s",
                           left.c_str());
        continue;
      }
      ImGui::TextUnformatted(left.c_str());
      ImGui::PushFont(font(Face::mono));
      ImGui::SetCursorPos({x + column - ImGui::CalcTextSize(right.c_str()).x, y - row});
      ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(im_color(panel.colors.dim)), "%s",
                         right.c_str());
      ImGui::PopFont();
    }
  }
  ImGui::SetCursorPos({0, top + tallest});
  ImGui::Dummy({1, 1});
  const ImVec2 from = ImGui::GetWindowPos();
  const Rect place{from.x, from.y, width, height};
  panel.mark("key_map", place);
  const ImGuiIO& io = ImGui::GetIO();
  const bool outside =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !place.contains(io.MousePos.x, io.MousePos.y);
  if (outside || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) open = false;
  ImGui::End();
}

}  // namespace twosphere::ui
