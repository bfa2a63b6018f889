// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_overlay.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/scenario/run_clock.h"
#include "ui/plot/axis.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

void centred(ImDrawList& list, std::array<float, 2> at, ImU32 color, const char* text) {
  const ImVec2 size = ImGui::CalcTextSize(text);
  list.AddText({std::round(at[0] - size.x / 2), std::round(at[1] - size.y / 2)}, color, text);
}

// The height of the time in a presentation [logical pixels].
constexpr float time_in_presentation = 32;

/// The letters of the time.
struct TimeFont {
  const ImFont* font;
  float size;

  explicit TimeFont(const Panel& panel)
      : font(ui::font(Face::mono)),
        size(panel.presentation
                 ? std::max(font->FontSize, time_in_presentation * panel.frame.pixel_ratio)
                 : font->FontSize) {}
  ImVec2 measure(const char* text) const {
    return font->CalcTextSizeA(size, std::numeric_limits<float>::max(), 0, text);
  }
  void draw(ImDrawList& list, ImVec2 at, ImU32 color, const char* text) const {
    list.AddText(font, size, at, color, text);
  }
};

/// Draws an arrow with the force of every pull.
void draw_pulls(const Panel& panel, const Rect& scene, ImDrawList& list) {
  const Colors& c = panel.colors;
  ImGui::PushFont(font(Face::small_mono));
  int index = 0;
  for (const HandView::Pull& pull : panel.frame.hand.pulls) {
    const ImVec2 from{pull.from[0], pull.from[1]}, to{pull.to[0], pull.to[1]};
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    list.AddLine(from, to, im_color(c.scene, 0.7f), panel.px(4.5f));
    list.AddLine(from, to, im_color(c.accent), panel.px(2));
    list.AddCircleFilled(from, panel.px(3.5f), im_color(c.accent));
    if (length > 0) {
      const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
      const float head = std::min(panel.px(9), length), wide = head / 2;
      const ImVec2 neck{to.x - head * along.x, to.y - head * along.y};
      list.AddTriangleFilled(to, {neck.x - wide * along.y, neck.y + wide * along.x},
                             {neck.x + wide * along.y, neck.y - wide * along.x},
                             im_color(c.accent));
    }
    const ImVec2 size = ImGui::CalcTextSize(pull.text.c_str());
    const auto within = [](float x, float least, float most) {
      return std::round(std::max(std::min(x, most), least));
    };
    const ImVec2 at{within(to.x + panel.px(12), scene.x + panel.px(6),
                           scene.x + scene.width - size.x - panel.px(6)),
                    within(to.y - size.y / 2, scene.y + panel.px(4),
                           scene.y + scene.height - size.y - panel.px(4))};
    list.AddRectFilled({at.x - panel.px(4), at.y - panel.px(2)},
                       {at.x + size.x + panel.px(4), at.y + size.y + panel.px(2)},
                       im_color(c.scene, 0.8f), panel.px(3));
    list.AddText(at, im_color(c.text), pull.text.c_str());
    panel.mark(fmt::format("pull[{}]", index++), {at.x, at.y, size.x, size.y});
  }
  ImGui::PopFont();
}

/// Draws the hint for a drag above the lower edge.
void draw_hint(const Panel& panel, const Rect& scene, ImDrawList& list) {
  const std::string& hint = panel.frame.hand.hint;
  if (hint.empty()) return;
  ImGui::PushFont(font(Face::small_text));
  const ImVec2 size = ImGui::CalcTextSize(hint.c_str());
  const ImVec2 at{std::round(scene.x + (scene.width - size.x) / 2),
                  std::round(scene.y + scene.height - size.y - panel.px(14))};
  list.AddRectFilled({at.x - panel.px(8), at.y - panel.px(4)},
                     {at.x + size.x + panel.px(8), at.y + size.y + panel.px(4)},
                     im_color(panel.colors.scene, 0.8f), panel.px(4));
  list.AddText(at, im_color(panel.colors.text), hint.c_str());
  ImGui::PopFont();
  panel.mark("hint", {at.x, at.y, size.x, size.y});
}

}  // namespace

std::string recorded_text(const Panel& panel) {
  const Snapshot& head = panel.snapshot;
  const auto& lanes = head.present->lanes;
  const int decimals = lanes.empty() ? 3 : time_decimals(grid_step(lanes));
  const auto text = [decimals](double t) {
    return with_minus(fmt::format("{:.{}f}", t, decimals));
  };
  double low = head.t, high = head.t;
  if (!panel.frame.histories.empty() && panel.frame.histories.front().size() > 0) {
    const History& lane = panel.frame.histories.front();
    const Range times = lane.range(Quantity::time, 0, lane.size());
    low = std::min(low, times.low);
    high = std::max(high, times.high);
  }
  return high == head.t ? text(high) + " s" : fmt::format("{} to {} s", text(low), text(high));
}

void scene_overlay(const Panel& panel, const Rect& scene) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const Snapshot& s = panel.snapshot;
  const Colors& c = panel.colors;
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});

  const int decimals = s.present->lanes.empty() ? 3 : time_decimals(grid_step(s.present->lanes));
  const std::string time = fmt::format("t = {:.{}f} s", panel.shown.t, decimals);
  const bool past = panel.frame.in_past;
  const std::string recorded = past ? fmt::format("of {} recorded", recorded_text(panel)) : "";
  const TimeFont mono(panel);
  const ImVec2 time_size = mono.measure(time.c_str());
  const float recorded_width = mono.measure(recorded.c_str()).x;

  // Of a split scene in the first cell, so that nothing lies across frames.
  const auto& cells = panel.frame.legend.cells;
  const Rect part = cells.empty() ? scene : cells.front().rect;
  const float left = part.x + panel.px(16), top = part.y + panel.px(12);
  const float room = std::max(part.width - panel.px(32), 0.0f);
  std::string title = s.present->title;
  if (title.empty() && s.system_info) title = s.system_info->title;
  // The time is drawn beside the title or, in a narrow scene, below it; the title is then smaller
  // and has two lines.
  ImGui::PushFont(font(Face::title));
  const float wide = ImGui::CalcTextSize(title.c_str()).x;
  const bool beside = wide + panel.px(24) + std::max(time_size.x, recorded_width) <= room;
  std::vector<std::string> lines{title};
  if (wide > room) {
    ImGui::PopFont();
    ImGui::PushFont(font(Face::text));
    lines = wrapped(title, room, 2);
  }
  const float row = ImGui::GetTextLineHeight();
  ImVec2 title_size{0, row * static_cast<float>(lines.size())};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    title_size.x = std::max(title_size.x, ImGui::CalcTextSize(lines[i].c_str()).x);
    list.AddText({std::round(left), std::round(top + row * static_cast<float>(i))},
                 im_color(c.text), lines[i].c_str());
  }
  ImGui::PopFont();
  panel.mark("title", {left, top, title_size.x, title_size.y});
  panel.say(Role::label, title);

  const float x = beside ? left + title_size.x + panel.px(14) : left;
  const float y =
      top + (beside ? (title_size.y - time_size.y) / 2 + panel.px(1) : title_size.y + panel.px(2));
  mono.draw(list, {std::round(x), std::round(y)}, im_color(past ? c.accent : c.dim), time.c_str());
  float time_height = time_size.y;
  if (past) {  // on the same line or, in a narrow scene, below
    const float after = x + time_size.x + mono.measure(" ").x;
    const bool below = after + recorded_width > left + room;
    const ImVec2 at{std::round(below ? x : after), std::round(below ? y + time_size.y : y)};
    mono.draw(list, at, im_color(c.dim), recorded.c_str());
    panel.mark("recorded", {at.x, at.y, recorded_width, time_size.y});
    if (below) time_height *= 2;
  }
  panel.mark("time", {x, y, time_size.x, time_height});
  panel.say(Role::label, past ? "Time of the instant shown" : "Time", time);

  ImVec2 at{std::round(left),
            std::round(std::max(top + title_size.y, y + time_height) + panel.px(6))};
  const auto tag = [&](const char* name, Color color, const std::string& text) {
    for (const std::string& line : wrapped(text, room, 3)) {
      list.AddText(at, im_color(color), line.c_str());
      const ImVec2 size = ImGui::CalcTextSize(line.c_str());
      panel.mark(name, {at.x, at.y, size.x, size.y});
      at.y += std::round(size.y + panel.px(2));
    }
    panel.say(Role::label, text);
  };
  if (const auto& followed = panel.snapshot.followed) {
    const bool fine =
        followed->problem.empty() && (followed->activity == FollowedFile::Activity::computing ||
                                      followed->activity == FollowedFile::Activity::ended);
    tag("followed", fine ? c.accent : c.warning, describe(*followed));
  }
  if (const auto& configuration = panel.frame.configuration_time)
    tag("configuration_time", c.accent,
        fmt::format("configuration at {:.{}f} s", *configuration, decimals));
  if (panel.frame.legend.too_small) tag("too_small", c.warning, "Too small to split");
  for (const BodySpot& spot : panel.frame.selected) {
    const float radius = spot.radius + panel.px(4);
    list.AddCircle({spot.x, spot.y}, radius, im_color(c.scene, 0.7f), 0, panel.px(4.5f));
    list.AddCircle({spot.x, spot.y}, radius, im_color(c.accent), 0, panel.px(2));
    panel.mark("selected_body", {spot.x - radius, spot.y - radius, 2 * radius, 2 * radius});
  }
  draw_pulls(panel, scene, list);
  draw_hint(panel, scene, list);

  ImGui::PushFont(font(Face::small_text));
  static constexpr std::array<const char*, 3> names{"e₁", "e₂", "e₃"};
  if (const auto& tips = panel.frame.axis_tips)
    for (std::size_t i = 0; i < names.size(); ++i)
      centred(list, (*tips)[i], im_color(c.dim), names[i]);
  if (panel.frame.has_gravity) centred(list, panel.frame.gravity_tip, im_color(c.warning), "g");
  ImGui::PopFont();
  list.PopClipRect();
}

}  // namespace twosphere::ui
