// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels/panels.h"
#include "ui/scene/scene_legend.h"

namespace twosphere::ui {

namespace {

using NamedValue = std::pair<std::string, std::string>;  // name and value

std::string duration(double seconds) {
  if (seconds <= 0) return "-";
  if (seconds < 1e-3) return fmt::format("{:.2f} µs", 1e6 * seconds);
  return fmt::format("{:.2f} ms", 1e3 * seconds);
}

std::vector<NamedValue> rows(const Panel& panel) {
  const Snapshot& s = panel.snapshot;
  std::vector<NamedValue> list;
  list.emplace_back("step", duration(s.step_seconds));
  list.emplace_back("steps per second", fmt::format("{:.0f}", s.steps_per_second));
  if (s.pacing == Pacing::real_time)
    list.emplace_back("real time, requested", fmt::format("{:g}×", s.requested_factor));
  list.emplace_back("real time, achieved", fmt::format("{:.3g}×", s.measured_factor));
  for (const Snapshot::LaneView& lane : s.lanes) {
    if (lane.last.iterations == 0 && lane.last.residual == 0) continue;
    const std::string of = s.lanes.size() > 1 ? ", " + lane.title() : std::string();
    list.emplace_back("Newton iterations" + of, fmt::format("{}", lane.last.iterations));
    list.emplace_back("residual" + of, fmt::format("{:.1e}", lane.last.residual));
  }
  for (const Snapshot::LaneView& lane : s.lanes) {
    if (lane.last.inner_steps == 0) continue;
    const std::string of = s.lanes.size() > 1 ? ", " + lane.title() : std::string();
    list.emplace_back("inner steps" + of, fmt::format("{}", lane.last.inner_steps));
  }
  list.emplace_back("frame", duration(panel.frame.frame_seconds));
  list.emplace_back("frames per second", fmt::format("{:.0f}", panel.frame.frame_rate));
  std::size_t bytes = 0;
  for (const History& history : panel.frame.histories) bytes += history.bytes();
  list.emplace_back("history", fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20)));
  return list;
}

}  // namespace

void performance_panel(const Panel& panel, const PanelState& state, const Rect& scene) {
  if (!state.performance) return;
  const std::vector<NamedValue> list = rows(panel);
  ImDrawList& out = *ImGui::GetBackgroundDrawList();
  const float row = panel.px(18), margin = panel.px(10);
  const float width = std::min(panel.px(250), scene.width - panel.px(16));
  const float height = row * static_cast<float>(list.size()) + 2 * margin;
  const Rect area{scene.x + scene.width - width - panel.px(8), top_below_scales(panel, scene),
                  width, height};
  out.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  out.AddRectFilled({area.x, area.y}, {area.x + width, area.y + height},
                    im_color(panel.colors.panel, 0.85f), panel.px(6));
  out.AddRect({area.x, area.y}, {area.x + width, area.y + height}, im_color(panel.colors.line),
              panel.px(6));
  float y = area.y + margin;
  for (const auto& [what, much] : list) {
    ImGui::PushFont(font(Face::small_text));
    out.AddText({area.x + margin, y}, im_color(panel.colors.dim), what.c_str());
    ImGui::PopFont();
    ImGui::PushFont(font(Face::small_mono));
    out.AddText({area.x + width - margin - ImGui::CalcTextSize(much.c_str()).x, y},
                im_color(panel.colors.text), much.c_str());
    ImGui::PopFont();
    y += row;
  }
  out.PopClipRect();
  panel.mark("performance", area);
  if (!panel.spoken) return;
  std::string text;
  for (const auto& [what, much] : list) text += fmt::format("{}: {}\n", what, much);
  panel.say(Role::label, "Performance", text);
}

}  // namespace twosphere::ui
