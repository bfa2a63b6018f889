// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/axis.h"
#include "ui/pace.h"
#include "ui/panel.h"

namespace twosphere::ui {

namespace {

enum class Icon { rewind, step, play, pause };

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float r, ImU32 color) {
  const auto bar = [&](float from, float to) {
    list.AddRectFilled({c.x + from * r, c.y - r}, {c.x + to * r, c.y + r}, color);
  };
  switch (icon) {
    case Icon::rewind:
      bar(-1.0f, -0.65f);
      return list.AddTriangleFilled({c.x - 0.6f * r, c.y}, {c.x + r, c.y - r}, {c.x + r, c.y + r},
                                    color);
    case Icon::step:
      bar(0.65f, 1.0f);
      return list.AddTriangleFilled({c.x + 0.6f * r, c.y}, {c.x - r, c.y + r}, {c.x - r, c.y - r},
                                    color);
    case Icon::play:
      return list.AddTriangleFilled({c.x + 1.1f * r, c.y}, {c.x - 0.8f * r, c.y + 1.1f * r},
                                    {c.x - 0.8f * r, c.y - 1.1f * r}, color);
    case Icon::pause:
      bar(-0.8f, -0.25f);
      return bar(0.25f, 0.8f);
  }
}

bool icon_button(const Panel& panel, const char* name, Icon icon, Action action, bool main) {
  const ImVec2 size{panel.px(main ? 40 : 32), panel.px(28)};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name, size);
  const bool hovered = ImGui::IsItemHovered();
  const Colors& c = panel.colors;
  auto& list = *ImGui::GetWindowDrawList();
  if (main)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, ink(c.accent, hovered ? 0.88f : 1),
                       panel.px(5));
  else if (hovered)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, ink(c.hovered), panel.px(5));
  draw_icon(list, icon, {from.x + size.x / 2, from.y + size.y / 2}, panel.px(6),
            ink(main ? c.on_accent : c.text));
  panel.mark(name);
  tooltip(panel, explain(action));
  return pressed;
}

void speed_combo(const Panel& panel, float width) {
  const Snapshot& s = panel.snapshot;
  const Pace now{s.pacing, s.requested_factor};
  ImGui::SetNextItemWidth(width);
  const std::string preview = elided(describe(now), width - ImGui::GetFrameHeight() - panel.px(12));
  const bool open = ImGui::BeginCombo("##speed", preview.c_str(), ImGuiComboFlags_HeightLargest);
  if (open) {
    const auto item = [&](const Pace& pace, const std::string& name) {
      const bool present = pace.pacing == now.pacing &&
                           (pace.pacing != Pacing::real_time || pace.factor == now.factor);
      if (ImGui::Selectable(describe(pace).c_str(), present)) panel.sink.command(pace);
      panel.mark("speed/" + name);
    };
    item({Pacing::every_step, 1}, "every_step");
    for (const double f : speed_factors()) item({Pacing::real_time, f}, fmt::format("{:g}", f));
    item({Pacing::fastest, 1}, "fastest");
    ImGui::EndCombo();
  }
  panel.mark("speed");
  if (!open) tooltip(panel, "Simulated time for each second of real time.\nKeys: + and -");
}

/// The part of the planned run that is done, with its time.
void progress(const Panel& panel, ImVec2 from, float width) {
  const Snapshot& s = panel.snapshot;
  const int decimals = s.present->lanes.empty() ? 3 : time_decimals(grid_step(s.present->lanes));
  const std::string label = fmt::format("{:.{}f} of {:g} s", s.t, decimals, s.end_time);
  ImGui::PushFont(font(Face::small_mono));
  // Room for the longest time of the run, so that the line keeps its length.
  const float room =
      ImGui::CalcTextSize(
          fmt::format("{:.{}f} of {:g} s", std::max(s.end_time, s.t), decimals, s.end_time).c_str())
          .x;
  const ImVec2 size = ImGui::CalcTextSize(label.c_str());
  auto& list = *ImGui::GetWindowDrawList();
  float line = width - room - panel.px(10);
  if (line >= panel.px(40)) {
    const float done = s.planned_steps > 0
                           ? std::clamp(static_cast<float>(static_cast<double>(s.steps) /
                                                           static_cast<double>(s.planned_steps)),
                                        0.0f, 1.0f)
                           : 0;
    const float y = std::round(from.y + panel.px(14)), h = panel.px(3);
    list.AddRectFilled({from.x, y - h / 2}, {from.x + line, y + h / 2},
                       ink(panel.colors.borders ? panel.colors.line : panel.colors.hovered), h / 2);
    if (done > 0)
      list.AddRectFilled({from.x, y - h / 2}, {from.x + std::max(h, line * done), y + h / 2},
                         ink(panel.colors.accent), h / 2);
    panel.mark("progress", {from.x, y - h / 2, line, h});
  }
  if (room <= width)
    list.AddText(
        {std::round(from.x + width - size.x), std::round(from.y + (panel.px(28) - size.y) / 2)},
        ink(panel.colors.dim), label.c_str());
  ImGui::PopFont();
}

}  // namespace

void transport_panel(const Panel& panel, const Rect& place) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(12), panel.px(8)});
  ImGui::Begin("transport", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  auto& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddLine({place.x, place.y}, {place.x + place.width, place.y}, ink(panel.colors.line));
  list.PopClipRect();
  const Snapshot& s = panel.snapshot;
  const bool running = panel.frame.plays;

  if (icon_button(panel, "rewind", Icon::rewind, Action::rewind, false))
    panel.sink.command(Rewind{});
  ImGui::SameLine(0, panel.px(4));
  if (icon_button(panel, "play", running ? Icon::pause : Icon::play, Action::play_pause, true)) {
    if (running)
      panel.sink.command(Pause{});
    else
      panel.sink.command(Play{});
  }
  ImGui::SameLine(0, panel.px(4));
  if (icon_button(panel, "step_forward", Icon::step, Action::step_1, false))
    panel.sink.command(TakeSteps{1});
  ImGui::SameLine(0, panel.px(10));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (panel.px(28) - ImGui::GetFrameHeight()) / 2);
  speed_combo(panel, std::clamp(ImGui::GetContentRegionAvail().x, panel.px(60), panel.px(164)));
  ImGui::SameLine(0, panel.px(8));

  float x = ImGui::GetCursorScreenPos().x;
  const float y = place.y + panel.px(8), right = place.x + place.width - panel.px(12);
  // What is reached: "1.00×", empty while nothing runs.
  if (right - x > panel.px(200)) {
    ImGui::PushFont(font(Face::small_mono));
    const float room = ImGui::CalcTextSize("1234.56×").x;
    if (running && s.measured_factor > 0) {
      const std::string reached =
          s.measured_factor < 0.01    ? fmt::format("{:.1e}×", s.measured_factor)
          : s.measured_factor >= 1000 ? fmt::format("{:.0f}×", s.measured_factor)
                                      : fmt::format("{:.2f}×", s.measured_factor);
      const ImVec2 size = ImGui::CalcTextSize(reached.c_str());
      // Falling short of what was asked for stands out.
      const bool short_of =
          s.pacing == Pacing::real_time && s.measured_factor < 0.9 * s.requested_factor;
      list.AddText({std::round(x + room - size.x), std::round(y + (panel.px(28) - size.y) / 2)},
                   ink(short_of ? panel.colors.warning : panel.colors.text), reached.c_str());
    }
    panel.mark("measured_factor", {x, y, room, panel.px(28)});
    ImGui::PopFont();
    x += room + panel.px(12);
  }
  progress(panel, {x, y}, right - x);
  ImGui::End();
}

}  // namespace twosphere::ui
