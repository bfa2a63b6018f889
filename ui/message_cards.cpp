// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "ui/panel.h"

namespace twosphere::ui {

namespace {

constexpr float widest = 440;

/// Opens a card under the scene's title; close it with end_card(), which gives where it ended.
void begin_card(const Panel& panel, const Rect& scene, const char* name, float top,
                const std::string& title, const std::string& message) {
  const float width = std::min(panel.px(widest), scene.width - panel.px(32));
  ImGui::SetNextWindowPos({scene.x + (scene.width - width) / 2, top});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, scene.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(18), panel.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, panel.px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  if (ImGui::IsWindowAppearing()) panel.settle();
  ImGui::PushTextWrapPos(width - panel.px(18));
  ImGui::PushStyleColor(ImGuiCol_Text, ink(panel.colors.error));
  ImGui::TextUnformatted(title.c_str());
  ImGui::PopStyleColor();
  ImGui::TextUnformatted(message.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, panel.px(2)});
}

float end_card(const Panel& panel, const char* name) {
  const ImVec2 from = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddRectFilled({from.x + panel.px(7), from.y + panel.px(14)},
                     {from.x + panel.px(10), from.y + size.y - panel.px(14)},
                     ink(panel.colors.error), panel.px(1.5f));
  list.PopClipRect();
  panel.mark(name, {from.x, from.y, size.x, size.y});
  ImGui::End();
  return from.y + size.y + panel.px(10);
}

}  // namespace

void message_cards(const Panel& panel, PanelState& state, const Rect& scene) {
  const Snapshot& s = panel.snapshot;
  float top = scene.y + panel.px(48);
  if (s.refusal && s.state == RunState::refused) {
    const Refusal& r = *s.refusal;
    begin_card(panel, scene, "refusal", top, fmt::format("Step {} was not taken", r.step),
               r.message);
    if (ImGui::Button("Halve the step and go on")) {
      const auto lane = static_cast<std::size_t>(r.lane);
      const double half = s.present->lanes[lane].step / 2;
      const std::string path = lane_path(*s.present, r.lane, "step");
      state.fields.expect(path, half);
      panel.sink.command(Change{{{path, json::Node(half)}}});
      panel.sink.command(Play{});
    }
    panel.mark("halve_step");
    ImGui::SameLine();
    if (ImGui::Button("Rewind")) panel.sink.command(Rewind{});
    panel.mark("refusal/rewind");
    top = end_card(panel, "refusal");
  }
  if (s.error && s.error_count > state.dismissed_errors) {
    begin_card(panel, scene, "error", top, "That could not be done", s.error->text());
    if (ImGui::Button("Close")) state.dismissed_errors = s.error_count;
    panel.mark("error/close");
    end_card(panel, "error");
  }
}

}  // namespace twosphere::ui
