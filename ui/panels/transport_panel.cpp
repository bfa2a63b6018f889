// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/scenario/run_clock.h"
#include "ui/panels/panels.h"
#include "ui/plot/axis.h"
#include "ui/shell/pace.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float row_height = 28;
constexpr float shortest_line = 80;  // of the progress bar beside the time
constexpr float widest_speed = 164, narrowest_speed = 54;

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
  const ImVec2 size{panel.px(main ? 40 : 32), panel.px(row_height)};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(name, size);
  const bool hovered = ImGui::IsItemHovered();
  const Colors& c = panel.colors;
  auto& list = *ImGui::GetWindowDrawList();
  if (main)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y},
                       im_color(c.accent, hovered ? 0.88f : 1), panel.px(5));
  else if (hovered)
    list.AddRectFilled(from, {from.x + size.x, from.y + size.y}, im_color(c.hovered), panel.px(5));
  draw_icon(list, icon, {from.x + size.x / 2, from.y + size.y / 2}, panel.px(6),
            im_color(main ? c.on_accent : c.text));
  panel.mark(name);
  tooltip(panel, explain(action));
  return pressed;
}

void speed_combo(const Panel& panel, float width) {
  const Snapshot& s = panel.snapshot;
  const Pace now{s.pacing, s.requested_factor};
  // Only the factor if the text does not fit.
  std::string preview = describe(now);
  const bool whole =
      ImGui::CalcTextSize(preview.c_str()).x <= width - ImGui::GetFrameHeight() - panel.px(12);
  if (!whole) preview = short_name(now);
  const bool open =
      begin_list("##speed", preview, width, whole ? 0 : ImGuiComboFlags_NoArrowButton);
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

/// The start time of the run [s]; a loaded state starts at its own time.
double start_of(const Snapshot& s) {
  const auto& from = s.record->continuation;
  if (!from) return 0;
  return from->time_origin + static_cast<double>(from->step_index) * grid_step(s.record->lanes);
}

/// The label of the time, and whether the run has passed its end T.
struct Reached {
  std::string label;  // "12.340 of 100 s"
  float room = 0;     // width of the longest label of the run [px]
  bool past = false;
};

Reached reached(const Snapshot& s) {
  const int decimals = s.present->lanes.empty() ? 3 : time_decimals(grid_step(s.present->lanes));
  // Tolerance for the rounding of sums of steps.
  const bool past = s.t > s.end_time + 1e-9 * std::abs(s.end_time);
  const auto written = [&](double t) {
    return past ? fmt::format("{0:.{1}f} of {0:.{1}f} s", t, decimals)
                : fmt::format("{:.{}f} of {:g} s", t, decimals, s.end_time);
  };
  ImGui::PushFont(font(Face::small_mono));
  const float room = ImGui::CalcTextSize(written(std::max(s.end_time, s.t)).c_str()).x;
  ImGui::PopFont();
  return {written(s.t), room, past};
}

/// The progress in simulated time: a bar from the start to T, and the time if there is room. After
/// T the bar ends at the current time, with a mark at T.
void progress(const Panel& panel, const Reached& time, ImVec2 from, float width) {
  const Snapshot& s = panel.snapshot;
  auto& list = *ImGui::GetWindowDrawList();
  const bool figures = time.room + panel.px(10 + shortest_line) <= width;
  const float line = figures ? width - time.room - panel.px(10) : width;
  const double start = start_of(s), span = std::max(s.end_time, s.t) - start;
  const auto share = [&](double t) {
    return span > 0 ? static_cast<float>(std::clamp((t - start) / span, 0.0, 1.0)) : 0;
  };
  const float y = std::round(from.y + panel.px(row_height / 2)), h = panel.px(3);
  list.AddRectFilled({from.x, y - h / 2}, {from.x + line, y + h / 2},
                     im_color(panel.colors.borders ? panel.colors.line : panel.colors.hovered),
                     h / 2);
  const Rect done{from.x, y - h / 2, line * share(s.t), h};
  if (done.width > 0)
    list.AddRectFilled({done.x, done.y}, {done.x + std::max(h, done.width), done.y + h},
                       im_color(panel.colors.accent), h / 2);
  if (time.past) {
    const float x = std::round(from.x + line * share(s.end_time));
    list.AddLine({x, y - panel.px(5)}, {x, y + panel.px(5)}, im_color(panel.colors.text),
                 panel.px(1));
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("progress", {std::max(width, 1.0f), panel.px(row_height)});
  std::string what = "Simulated time: " + time.label;
  if (time.past)
    what += fmt::format("\nThe run has continued past its duration T = {:g} s.", s.end_time);
  tooltip(panel, what);
  panel.mark("progress", {from.x, y - h / 2, line, h});
  panel.mark("progress/done", done);
  if (!figures) return;
  ImGui::PushFont(font(Face::small_mono));
  const ImVec2 size = ImGui::CalcTextSize(time.label.c_str());
  const ImVec2 at{std::round(from.x + width - size.x),
                  std::round(from.y + (panel.px(row_height) - size.y) / 2)};
  list.AddText(at, im_color(panel.colors.dim), time.label.c_str());
  panel.mark("progress/time", {at.x, at.y, size.x, size.y});
  ImGui::PopFont();
}

/// The measured ratio to real time, "1.00×"; empty while the run is paused.
void measured(const Panel& panel, ImVec2 at, float room) {
  const Snapshot& s = panel.snapshot;
  if (panel.frame.plays && s.measured_factor > 0) {
    ImGui::PushFont(font(Face::small_mono));
    const std::string factor = s.measured_factor < 0.01 ? fmt::format("{:.1e}×", s.measured_factor)
                               : s.measured_factor >= 1000
                                   ? fmt::format("{:.0f}×", s.measured_factor)
                                   : fmt::format("{:.2f}×", s.measured_factor);
    const ImVec2 size = ImGui::CalcTextSize(factor.c_str());
    // Highlight a speed below the requested one.
    const bool short_of =
        s.pacing == Pacing::real_time && s.measured_factor < 0.9 * s.requested_factor;
    ImGui::GetWindowDrawList()->AddText(
        {std::round(at.x + room - size.x), std::round(at.y + (panel.px(row_height) - size.y) / 2)},
        im_color(short_of ? panel.colors.warning : panel.colors.text), factor.c_str());
    ImGui::PopFont();
  }
  panel.mark("measured_factor", {at.x, at.y, room, panel.px(row_height)});
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
  list.AddLine({place.x, place.y}, {place.x + place.width, place.y}, im_color(panel.colors.line));
  list.PopClipRect();
  const bool running = panel.frame.plays;
  const Reached time = reached(panel.snapshot);
  const float left = place.x + panel.px(12), right = place.x + place.width - panel.px(12);
  float y = place.y + panel.px(8);
  // In a narrow scene the bar has its own row.
  const bool two_rows = transport_rows(place.width / panel.scale) > 1;
  if (two_rows) {
    progress(panel, time, {left, place.y + panel.px(2)}, right - left);
    y += panel.px(transport_second_row);
    ImGui::SetCursorScreenPos({left, y});
  }

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
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() +
                       (panel.px(row_height) - ImGui::GetFrameHeight()) / 2);

  // The list of speeds shrinks first in favour of the bar.
  float x = ImGui::GetCursorScreenPos().x;
  const float needed = two_rows ? 0 : panel.px(8 + shortest_line + 10) + time.room;
  const float speed =
      std::clamp(right - x - needed, panel.px(narrowest_speed), panel.px(widest_speed));
  if (x + speed <= right + 1) speed_combo(panel, speed);
  x += speed + panel.px(8);

  ImGui::PushFont(font(Face::small_mono));
  const float room = ImGui::CalcTextSize("1234.56×").x;
  ImGui::PopFont();
  if (x + room + needed <= right) {
    measured(panel, {x, y}, room);
    x += room + panel.px(12);
  }
  if (!two_rows) progress(panel, time, {x, y}, right - x);
  ImGui::End();
}

int transport_rows(float width) {
  // Widths of the buttons, the narrowest list of speeds and the shortest bar.
  constexpr float buttons = 12 + 32 + 4 + 40 + 4 + 32 + 10;
  return width < buttons + narrowest_speed + 8 + shortest_line + 12 ? 2 : 1;
}

}  // namespace twosphere::ui
