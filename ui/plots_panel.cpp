// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ui/panel.h"

namespace twosphere::ui {

namespace {

constexpr float header_height = 32, legend_height = 18, gap = 8;

const std::array<PlotSpec, 3>& plots() {
  static const std::array<PlotSpec, 3> list{
      {{"total_energy", "total energy", "J", Quantity::total_energy, false, false},
       {"energy_error", "|E − E₀ − W|", "J", Quantity::energy_error, true, false},
       {"unit_length_error", "unit-length error", "1", Quantity::unit_length_error, true, true}}};
  return list;
}

/// From the first sample to the last.
Interval run(const std::vector<History>& histories) {
  Interval all{0, 0};
  bool any = false;
  for (const History& h : histories) {
    if (h.size() == 0) continue;
    const auto times = h.column(Quantity::time);
    all.low = any ? std::min(all.low, times.front()) : times.front();
    all.high = any ? std::max(all.high, times.back()) : times.back();
    any = true;
  }
  return all;
}

/// Everything so far, in an axis that grows in steps and ends with the run.
Interval following(const Panel& panel) {
  const Interval so_far = run(panel.frame.histories);
  const double end = panel.snapshot.end_time;
  const double planned = std::max(end - so_far.low, 1e-9);
  double span = round_up(std::max(so_far.span(), planned / 100));
  if (so_far.high <= end) span = std::min(span, planned);
  return {so_far.low, so_far.low + span};
}

bool button(const Panel& panel, Action action, const char* label, bool lit, float width) {
  const Colors& c = panel.colors;
  ImGui::PushStyleColor(ImGuiCol_Text, ink(lit ? c.on_accent : c.text));
  if (lit) {
    ImGui::PushStyleColor(ImGuiCol_Button, ink(c.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ink(c.accent, 0.9f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ink(c.accent, 0.8f));
  }
  const bool pressed = ImGui::Button(label, {width, 0});
  ImGui::PopStyleColor(lit ? 4 : 1);
  tooltip(panel, explain(action));
  return pressed;
}

/// A lane's curve in the style of the integrator that made it, from swap to swap.
void add_curves(const Panel& panel, int lane, std::vector<Curve>& curves) {
  const History& history = panel.frame.histories[static_cast<std::size_t>(lane)];
  const Scenario& record = *panel.snapshot.record;
  const auto steps = history.steps();
  const std::string path = lane_path(record, lane, "type");
  std::string_view integrator = record.lanes[static_cast<std::size_t>(lane)].type;
  std::size_t first = 0;
  const auto add = [&](std::size_t last) {
    if (last > first) curves.push_back({&history, {first, last}, panel.lane(integrator)});
    first = last;
  };
  for (const Event& event : record.events)
    for (const Setting& setting : event.set) {
      if (setting.path != path) continue;
      add(static_cast<std::size_t>(std::lower_bound(steps.begin(), steps.end(), event.step) -
                                   steps.begin()));
      integrator = setting.value.text;
    }
  add(history.size());
}

std::string figures(const PlotSpec& spec, const History& history) {
  if (history.size() == 0) return {};
  if (spec.logarithmic)
    return fmt::format("mean {}   worst {}", error_number(history.mean_magnitude(spec.quantity)),
                       error_number(history.worst_magnitude(spec.quantity)));
  const auto values = history.column(spec.quantity);
  const auto number = [](double v) { return with_minus(fmt::format("{:#.8g}", v)); };
  return fmt::format("E₀ {}   now {}", number(values.front()), number(values.back()));
}

/// Swatches with the figures of each lane; a click hides or shows the lane.
void legend(const Panel& panel, PanelState& state, const PlotSpec& spec, ImVec2 from, float width) {
  auto& list = *ImGui::GetWindowDrawList();
  const auto& lanes = panel.snapshot.lanes;
  ImGui::PushFont(font(Face::small_mono));
  for (std::size_t l = 0; l < lanes.size() && l < panel.frame.histories.size(); ++l) {
    const int lane = static_cast<int>(l);
    const float y = from.y + panel.px(legend_height) * static_cast<float>(l);
    const bool hidden = state.hidden_lanes.contains(lane);
    ImGui::SetCursorScreenPos({from.x, y});
    ImGui::PushID(lane);
    if (ImGui::InvisibleButton(spec.id.c_str(), {width, panel.px(legend_height)})) {
      if (!state.hidden_lanes.erase(lane)) state.hidden_lanes.insert(lane);
    }
    ImGui::PopID();
    panel.mark(fmt::format("legend/{}[{}]", spec.id, lane));
    tooltip(panel, fmt::format("{}\nMean and worst over every sample of the run. Click to {} the "
                               "curve.",
                               lanes[l].info ? lanes[l].info->title : lanes[l].name,
                               hidden ? "show" : "hide"));
    const float middle = y + panel.px(legend_height) / 2;
    if (!hidden)
      swatch(list, {from.x, middle}, panel.px(28),
             panel.lane(lanes[l].info ? lanes[l].info->key : ""), panel.scale);
    const std::string text = elided(figures(spec, panel.frame.histories[l]), width - panel.px(36));
    list.AddText({from.x + panel.px(36), std::round(middle - ImGui::GetFontSize() / 2)},
                 ink(hidden ? panel.colors.dim : panel.colors.text), text.c_str());
  }
  ImGui::PopFont();
}

void invitation(const Panel& panel, const Rect& place) {
  const std::string text =
      panel.snapshot.state == RunState::running ? "Waiting for samples" : "Press Space to run";
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float x = place.x + (place.width - size.x) / 2, y = place.y + (place.height - size.y) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({x - panel.px(6), y - panel.px(2)},
                                            {x + size.x + panel.px(6), y + size.y + panel.px(2)},
                                            ink(panel.colors.scene));
  ImGui::GetWindowDrawList()->AddText({std::round(x), std::round(y)}, ink(panel.colors.dim),
                                      text.c_str());
}

}  // namespace

void plots_panel(const Panel& panel, PanelState& state) {
  PlotsView& view = state.plots;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 avail = ImGui::GetContentRegionAvail();

  const float follow_width = panel.px(64), fit_width = panel.px(44);
  ImGui::SetCursorScreenPos(
      {from.x + avail.x - follow_width - fit_width - panel.px(plot_right + 6), from.y});
  if (button(panel, Action::plots_fit, "Fit", false, fit_width)) view.everything = true;
  panel.mark("fit");
  ImGui::SameLine(0, panel.px(6));
  if (button(panel, Action::plots_follow, "Follow", view.following(), follow_width)) view.follow();
  panel.mark("follow");

  if (std::exchange(view.everything, false)) {
    view.follow();
    view.time.automatic = false;
    view.time.range = run(panel.frame.histories);
  }
  if (view.time.automatic) view.time.range = following(panel);
  if (!(view.time.range.span() > 0)) view.time.range.high = view.time.range.low + 1e-6;
  view.time.cursor = std::exchange(view.time.next_cursor, std::nullopt);

  std::vector<Curve> curves;
  std::size_t samples = 0;
  const auto& lanes = panel.snapshot.lanes;
  for (std::size_t l = 0; l < lanes.size() && l < panel.frame.histories.size(); ++l) {
    samples = std::max(samples, panel.frame.histories[l].size());
    if (state.hidden_lanes.contains(static_cast<int>(l))) continue;
    add_curves(panel, static_cast<int>(l), curves);
  }

  const float legends = panel.px(legend_height) *
                        static_cast<float>(std::max<std::size_t>(1, panel.snapshot.lanes.size()));
  const float body = avail.y - panel.px(header_height + plot_time + 2 * gap) - 3 * legends;
  const float height = std::max(panel.px(60), std::floor(body / 3));
  float y = from.y + panel.px(header_height);
  for (std::size_t i = 0; i < plots().size(); ++i) {
    const PlotSpec& spec = plots()[i];
    const float below = spec.time_labels ? panel.px(plot_time) : 0;
    const Rect place{from.x, y, avail.x, height + below};
    if (draw_plot(panel, spec, curves, panel.snapshot.tags, view.time, view.values[i], place))
      view.everything = true;
    if (samples < 2) {
      view.time.next_cursor.reset();
      invitation(panel, panel.widgets.at("plot/" + spec.id));
    }
    y += height + below;
    legend(panel, state, spec, {from.x + panel.px(plot_left), y + panel.px(2)},
           avail.x - panel.px(plot_left));
    y += legends + panel.px(gap);
  }
}

}  // namespace twosphere::ui
