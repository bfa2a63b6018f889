// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "ui/plot/portrait.h"
#include "ui/plots/plot_readout.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

/// An axis changed by the mouse.
struct DraggedAxis {
  Interval& range;
  bool& automatic;
};

void wheel_zoom(const Area& area, bool over_x, bool over_y, DraggedAxis x, DraggedAxis y) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(0.85, io.MouseWheel);
  if (over_x) {
    x.range = zoomed(x.range, area.x_at(io.MousePos.x), factor);
    x.automatic = false;
  }
  if (over_y) {
    y.range = zoomed(y.range, area.y_at(io.MousePos.y), factor);
    y.automatic = false;
  }
}

/// `slack`: vertical tolerance of a horizontal drag [px]. What goes less far than `click` is a
/// click and moves nothing [px].
void drag_pan(const Area& area, bool x_moves, bool y_moves, DraggedAxis x, DraggedAxis y,
              float slack, float click) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDragMaxDistanceSqr[0] < click * click) return;
  if (x_moves && io.MouseDelta.x != 0) {
    x.range = shifted(x.range, -io.MouseDelta.x / area.box.width() * x.range.span());
    x.automatic = false;
  }
  // A drag along one axis is rarely exactly parallel to it.
  const bool meant =
      !x_moves || std::abs(io.MousePos.y - io.MouseClickedPos[0].y) > slack || !y.automatic;
  if (y_moves && io.MouseDelta.y != 0 && meant) {
    y.range = shifted(y.range, io.MouseDelta.y / (area.bottom - area.box.from.y) * y.range.span());
    y.automatic = false;
  }
}

/// The box of a right drag; zooms when the button is released. With Shift it has the height of the
/// plot, with Alt its width, and zooms one axis only.
void box_zoom(const PlotContext& to, const Area& area, DraggedAxis x, DraggedAxis y) {
  const ImGuiIO& io = ImGui::GetIO();
  const Point a{io.MouseClickedPos[1].x, io.MouseClickedPos[1].y};
  const Point b{std::clamp<double>(io.MousePos.x, area.box.from.x, area.box.to.x),
                std::clamp<double>(io.MousePos.y, area.box.from.y, area.bottom)};
  Point low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
  const bool only_x = io.KeyShift, only_y = io.KeyAlt && !only_x;
  if (only_x) low.y = area.box.from.y, high.y = area.bottom;
  if (only_y) low.x = area.box.from.x, high.x = area.box.to.x;
  if (high.x - low.x < to.panel.px(4) || high.y - low.y < to.panel.px(4)) return;
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
    const Color accent = to.panel.colors.accent;
    return to.list.frame({low, high}, {accent, 0.15f}, {{accent, 0.8f}});
  }
  if (!only_y) {
    x.range = {area.x_at(low.x), area.x_at(high.x)};
    x.automatic = false;
  }
  if (!only_x) {
    y.range = {area.y_at(high.y), area.y_at(low.y)};
    y.automatic = false;
  }
}

}  // namespace

void plot_input(const PlotContext& to, PlotView& plot, const Area& area,
                const std::vector<Curve>& curves, TimeAxis& time, Markers& markers,
                PlotResponse& response, bool& hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const Panel& panel = to.panel;
  const bool portrait = plot.spec.x.has_value(), own_axis = !plot.spec.over_time();
  const DraggedAxis x = own_axis ? DraggedAxis{plot.x.range, plot.x.automatic}
                                 : DraggedAxis{time.range, time.automatic};
  const DraggedAxis y{plot.y.range, plot.y.automatic};
  const ImVec2 from = pixel(area.box.from), end = pixel(area.box.to);
  const ImVec2 size{end.x - from.x, end.y - from.y};
  const auto zone = [&](const char* id, ImVec2 at, ImVec2 extents, bool over_x, bool over_y) {
    ImGui::SetCursorScreenPos(at);
    ImGui::InvisibleButton(id, extents,
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    if (ImGui::IsItemHovered()) {
      wheel_zoom(area, over_x, over_y, x, y);
      response.everything |= ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  };
  const auto pan = [&](bool over_x, bool over_y) {
    if (ImGui::IsItemActive() && io.MouseDown[0])
      drag_pan(area, over_x, over_y, x, y, panel.px(own_axis ? 0 : 8), panel.px(4));
  };
  zone("value axis", {from.x - panel.px(plot_left - 4), from.y}, {panel.px(plot_left - 4), size.y},
       false, true);
  pan(false, true);
  if (own_axis) {
    zone("horizontal axis", {from.x, end.y}, {size.x, panel.px(plot_time)}, true, false);
    pan(true, false);
  } else {
    for (std::size_t m = 0; m < markers.size(); ++m) {
      if (!markers[m]) continue;
      const float at = static_cast<float>(area.x(*markers[m])), reach = panel.px(4);
      if (at < from.x || at > end.x) continue;
      const float left = std::max(at - reach, from.x);
      const float right = std::min(at + reach, end.x);
      zone(marker_names[m], {left, from.y}, {std::max(right - left, 1.0f), size.y}, true, true);
      panel.mark_area(fmt::format("marker/{}[{}]", plot.id, marker_names[m]));
      if (panel.spoken)
        panel.say(Role::slider, fmt::format("Marker {}", marker_names[m]),
                  fmt::format("{} s", short_number(*markers[m])));
      const bool held = ImGui::IsItemActive() && io.MouseDown[0];
      if (held || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        time.next_cursor = area.x_at(io.MousePos.x);
      }
      if (held && io.MouseDelta.x != 0)
        markers[m] = snapped(curves, plot.spec.y, area.x_at(io.MousePos.x));
    }
  }
  zone("area", from, size, true, true);
  panel.mark_area("plot/" + plot.id);
  if (panel.spoken) say_plot(panel, plot.spec, curves);
  pan(true, true);
  hovered = ImGui::IsItemHovered();
  if (hovered && !plot.spec.spectrum) {
    const auto at = portrait ? time_near(area, plot, curves, time.range,
                                         {io.MousePos.x, io.MousePos.y}, panel.px(24))
                             : area.x_at(io.MousePos.x);
    if (at) time.next_cursor = at;
    const float still = panel.px(4);
    if (ImGui::IsItemDeactivated() && io.MouseReleased[0] && io.MouseClickedLastCount[0] == 1 &&
        io.MouseDragMaxDistanceSqr[0] < still * still)
      response.clicked = at;
  }
  if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) {
    if (io.MouseDown[1] || io.MouseReleased[1]) box_zoom(to, area, x, y);
    const float still = panel.px(4);
    response.menu |=
        hovered && io.MouseReleased[1] && io.MouseDragMaxDistanceSqr[1] < still * still;
  }
}

bool time_axis_input(const Panel& panel, const Area& area, TimeAxis& time) {
  ImGui::SetCursorScreenPos(pixel(area.box.from));
  ImGui::InvisibleButton("time axis", {static_cast<float>(area.box.width()), panel.px(plot_time)});
  panel.mark_area("time_axis");
  if (panel.spoken)
    panel.say(
        Role::slider, "Time axis",
        fmt::format("{} s to {} s", short_number(time.range.low), short_number(time.range.high)));
  Interval unused;
  bool ignored = true;
  const DraggedAxis x{time.range, time.automatic}, y{unused, ignored};
  if (ImGui::IsItemHovered()) wheel_zoom(area, true, false, x, y);
  if (ImGui::IsItemActive()) drag_pan(area, true, false, x, y, 0, 0);
  return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

}  // namespace twosphere::ui
