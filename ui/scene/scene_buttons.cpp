// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_buttons.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ui/scene/cell_frames.h"

namespace twosphere::ui {

namespace {

/// Begins a window with an invisible button over a part of the legend that is drawn there: it stays
/// visible, and the scene has no input there. Returns whether it is pressed. End() ends it.
bool button_over_scene(const std::string& name, const Rect& rect) {
  ImGui::SetNextWindowPos({rect.x, rect.y});
  ImGui::SetNextWindowSize({rect.width, rect.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(name.c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar(2);
  // Of a scene that is hardly wider than nothing, the part may be empty.
  return ImGui::InvisibleButton(name.c_str(),
                                {std::max(rect.width, 1.0f), std::max(rect.height, 1.0f)});
}

}  // namespace

void scene_buttons(const Panel& panel, std::set<int>& hidden, int& alone) {
  for (const LaneRow& row : panel.frame.legend.lanes) {
    const std::string name = fmt::format("lane_row/{}", row.lane);
    const auto place = panel.widgets.find(name);
    if (place == panel.widgets.end()) continue;
    if (button_over_scene(name, place->second) && !hidden.erase(row.lane)) hidden.insert(row.lane);
    panel.mark(name);
    panel.say(Role::check_box, row.name, {}, !row.hidden);
    tooltip(panel, row.hidden ? "Show the lane" : "Hide the lane in scene and plots");
    ImGui::End();
  }
  const auto& cells = panel.frame.legend.cells;
  for (const CellView& cell : cells) {
    const std::string name = fmt::format("cell/{}", cell.shows);
    const auto place = panel.widgets.find(name);
    if (place == panel.widgets.end()) continue;
    (void)button_over_scene(name, place->second);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
      alone = cells.size() == 1 ? -1 : cell.shows;
    panel.mark_area(name);
    panel.say(Role::label, "Cell", spoken_caption(cell.caption));
    tooltip(panel,
            spoken_caption(cell.caption) + (cells.size() == 1 ? "\nDouble click: all cells"
                                                              : "\nDouble click: this cell alone"));
    ImGui::End();
  }
}

}  // namespace twosphere::ui
