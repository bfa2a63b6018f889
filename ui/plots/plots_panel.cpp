// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plots_panel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/output/lane_style.h"
#include "core/scenario/run_clock.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_legend.h"
#include "ui/plots/plot_menu.h"
#include "ui/plots/ready_plots.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float markers_height = 22, gap = 8, below_plot = 2, unit_length_height = 22;
constexpr double unit_length_lost = 1e-12;  // above, its plot is shown
constexpr float min_area = 100;             // of a plot; if there is less room, the column scrolls
constexpr float min_area_presented = 50;    // in a presentation, where both are in sight
constexpr float roomy_area = 120;           // with less, only one lane is described below a plot
constexpr float portrait_share = 1.6f;  // height of portraits and spectra, relative to other plots

/// From the first sample to the last, of the other runs that are shown, too.
Interval so_far_of(const Panel& panel) {
  Interval all{0, 0};
  bool any = false;
  const auto add = [&](const std::vector<History>& histories) {
    for (const History& h : histories) {
      if (h.size() == 0) continue;
      const Range times = h.range(Quantity::time, 0, h.size());
      all.low = any ? std::min(all.low, times.low) : times.low;
      all.high = any ? std::max(all.high, times.high) : times.high;
      any = true;
    }
  };
  add(panel.frame.histories);
  for (const BranchView& branch : panel.frame.branches)
    if (!branch.present && !branch.look.hidden) add(*branch.histories);
  return all;
}

/// An axis that contains the runs so far, grows in steps, and ends with the run. Once a run was
/// reversed, that is the runs so far.
Interval following(const Panel& panel) {
  const Interval so_far = so_far_of(panel);
  if (panel.snapshot.elapsed != panel.snapshot.t && so_far.span() > 0) return so_far;
  const double end = panel.snapshot.end_time;
  const double planned = std::max(end - so_far.low, 1e-9);
  double span = round_up(std::max(so_far.span(), planned / 100));
  if (so_far.high <= end) span = std::min(span, planned);
  return {so_far.low, so_far.low + span};
}

bool button(const Panel& panel, const char* name, Action action, const char* label,
            bool lit = false) {
  const Colors& c = panel.colors;
  ImGui::PushStyleColor(ImGuiCol_Text, im_color(lit ? c.on_accent : c.text));
  if (lit) {
    ImGui::PushStyleColor(ImGuiCol_Button, im_color(c.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, im_color(c.accent, 0.9f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, im_color(c.accent, 0.8f));
  }
  const bool pressed = ImGui::Button(label);
  ImGui::PopStyleColor(lit ? 4 : 1);
  panel.mark(name);
  panel.say(Role::button, label, {}, lit ? std::optional(true) : std::nullopt);
  explain(panel, action);
  return pressed;
}

/// The curves of every visible lane, in the styles of the integrators that computed them.
std::vector<Curve> shown_curves(const Panel& panel, const PlotsView& view) {
  std::vector<Curve> curves;
  const auto& histories = panel.frame.histories;
  for (std::size_t l = 0; l < panel.snapshot.lanes.size() && l < histories.size(); ++l) {
    const int lane = static_cast<int>(l);
    if (view.hidden_lanes.contains(lane)) continue;
    for (const Segment& part : segments(histories[l], *panel.snapshot.record, lane)) {
      const LaneStyle style = panel.lane(lane, part.integrator);
      curves.push_back(
          {lane, &histories[l], part.samples, part.way_back ? way_back(style) : style});
    }
  }
  return curves;
}

/// The curves of the other runs of this start after what they share with the present one.
std::vector<Curve> curves_of_others(const Panel& panel, const PlotsView& view) {
  std::vector<Curve> curves;
  for (const BranchView& branch : panel.frame.branches) {
    if (branch.present || branch.look.hidden) continue;
    for (std::size_t l = 0; l < branch.histories->size(); ++l) {
      const int lane = static_cast<int>(l);
      const History& history = (*branch.histories)[l];
      if (view.hidden_lanes.contains(lane) || history.size() == 0) continue;
      const std::size_t after =
          history.steps().lower_bound(static_cast<double>(branch.shared_steps));
      for (Segment& part : segments(history, *branch.record, lane)) {
        part.samples.first = std::max(part.samples.first, after);
        if (part.samples.first >= part.samples.last) continue;
        LaneStyle style = panel.lane(lane, part.integrator);
        style.color = branch_color(branch.look.color, panel.palette);
        curves.push_back({lane, &history, part.samples, part.way_back ? way_back(style) : style});
      }
    }
  }
  return curves;
}

/// Draws the list of ready plots while it is open, with a tick at those shown.
void ready_list(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots, ImVec2 corner) {
  ImGui::SetNextWindowPos(corner, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup("ready plots")) return;
  if (ImGui::IsWindowAppearing()) panel.request_frames();
  const SystemInfo& system = *panel.snapshot.system_info;
  const auto item = [&panel](Action action, bool ticked) {
    const ActionInfo& what = info(action);
    const bool chosen =
        ImGui::MenuItem(std::string(what.label).c_str(), std::string(what.key).c_str(), ticked);
    panel.mark(fmt::format("ready/{}", what.id));
    panel.say(Role::item, what.label, {}, ticked);
    explain(panel, action);
    return chosen;
  };
  for (const ReadyPlot& ready : ready_plots()) {
    const bool ticked = shown(ready, system, plots);
    if (!item(ready.action, ticked)) continue;
    toggle(ready, system, plots);
    view.scroll_to_end = !ticked;
  }
  ImGui::Separator();
  const std::vector<PlotSpec> defaults = default_plots(*panel.snapshot.present);
  if (item(Action::default_plots, plots == defaults)) plots = defaults;
  if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

/// Draws the buttons above the plots in as many rows as needed; returns the height [px].
float header(const Panel& panel, PlotsView& view, const std::vector<PlotSpec>& plots, ImVec2 from,
             float width) {
  const float apart = panel.px(6), row = ImGui::GetFrameHeight() + apart;
  const auto wide = [](const char* label) {
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
  };
  constexpr const char *add = "Add plot…", *gallery = "Ready-made plots", *fit = "Fit",
                       *follow = "Follow";
  const float left = from.x + panel.px(6), right = from.x + width - panel.px(plot_right);
  ImVec2 at{left, from.y};
  // The next one is placed beside the last, or below it if it does not fit.
  const auto place = [&](const char* label) {
    if (at.x > left && at.x + wide(label) > right) at = {left, at.y + row};
    ImGui::SetCursorScreenPos(at);
    at.x += wide(label) + apart;
  };
  place(add);
  const bool adds = button(panel, "add_plot", Action::add_plot, add);
  if (adds || std::exchange(view.choose, false)) open_signal_list(view.choice, plots, std::nullopt);
  place(gallery);
  if (push_button(panel, gallery, "ready_plots")) ImGui::OpenPopup("ready plots");
  tooltip(panel, "Show or hide ready-made plots of energies, errors, momentum and cost.");
  // Right-aligned if both fit.
  const float both = wide(fit) + apart + wide(follow);
  if (at.x + both <= right)
    at.x = right - both;
  else if (at.x > left)
    at = {right - both > left ? right - both : left, at.y + row};
  place(fit);
  if (button(panel, "fit", Action::plots_fit, fit)) view.everything = true;
  place(follow);
  if (button(panel, "follow", Action::plots_follow, follow, view.following())) view.follow();
  return at.y + row - from.y;
}

/// States that the plots are not the default plots of the system, with a button to restore these.
void own_row(const Panel& panel, std::vector<PlotSpec>& plots,
             const std::vector<PlotSpec>& defaults, ImVec2 from, float width) {
  const char* const back = "Default plots";
  const float wide = ImGui::CalcTextSize(back).x + 2 * ImGui::GetStyle().FramePadding.x;
  const float room = width - panel.px(6 + plot_right + 8) - wide;
  const char* const text = "Custom plots";
  if (ImGui::CalcTextSize(text).x <= room)
    ImGui::GetWindowDrawList()->AddText(
        {from.x + panel.px(6), from.y + ImGui::GetStyle().FramePadding.y},
        im_color(panel.colors.dim), text);
  ImGui::SetCursorScreenPos({from.x + width - panel.px(plot_right) - wide, from.y});
  if (button(panel, "default_plots", Action::default_plots, back)) plots = defaults;
}

/// Places a marker at the mouse, or at the newest sample.
void place_markers(PlotsView& view, const std::vector<Curve>& curves, Interval all) {
  for (std::size_t m = 0; m < view.markers.size(); ++m)
    if (std::exchange(view.place_marker[m], false))
      view.markers[m] = snapped(curves, Quantity::time, view.time.cursor.value_or(all.high));
}

/// The times A and B and their difference.
void marker_row(const Panel& panel, PlotsView& view, ImVec2 from, float width) {
  const double step =
      panel.snapshot.present->lanes.empty() ? 0.001 : grid_step(panel.snapshot.present->lanes);
  const auto time = [&](double t) {
    return with_minus(fmt::format("{:.{}f} s", t, time_decimals(step)));
  };
  std::string text;
  const auto write = [&](const char* apart) {
    text.clear();
    if (view.markers[0]) text += "A " + time(*view.markers[0]) + apart;
    if (view.markers[1]) text += "B " + time(*view.markers[1]) + apart;
    if (view.markers[0] && view.markers[1])
      text += "Δt " + time(*view.markers[1] - *view.markers[0]);
  };
  ImGui::PushFont(font(Face::small_mono));
  write("   ");
  if (ImGui::CalcTextSize(text.c_str()).x > width - panel.px(40)) write(" ");
  const float y = from.y + (panel.px(markers_height) - ImGui::GetFontSize()) / 2;
  ImGui::GetWindowDrawList()->AddText({from.x + panel.px(6), std::round(y)},
                                      im_color(panel.colors.accent),
                                      elided(text, width - panel.px(40)).c_str());
  ImGui::PopFont();
  const float size = panel.px(18);
  const ImVec2 at{from.x + width - panel.px(plot_right) - size, from.y};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("clear markers", {size, size})) view.markers = {};
  const bool lit = ImGui::IsItemHovered();
  if (lit)
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size},
                                              im_color(panel.colors.hovered), panel.px(3));
  ImGui::GetWindowDrawList()->AddText({at.x + panel.px(4), at.y + panel.px(1)},
                                      im_color(lit ? panel.colors.text : panel.colors.dim), "×");
  panel.mark("clear_markers");
  if (panel.spoken) panel.say(Role::button, "Clear the markers", text);
  explain(panel, Action::clear_markers);
}

void draw_invitation(const Panel& panel, const std::string& plot) {
  const Rect place = panel.widgets.at("plot/" + plot);
  const std::string text = invitation(panel.snapshot);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float x = place.x + (place.width - size.x) / 2, y = place.y + (place.height - size.y) / 2;
  ImGui::GetWindowDrawList()->AddRectFilled({x - panel.px(6), y - panel.px(2)},
                                            {x + size.x + panel.px(6), y + size.y + panel.px(2)},
                                            im_color(panel.colors.scene));
  ImGui::GetWindowDrawList()->AddText({std::round(x), std::round(y)}, im_color(panel.colors.dim),
                                      text.c_str());
  panel.mark("invitation/" + plot, {x, y, size.x, size.y});
  panel.say(Role::label, text);
}

/// The largest unit-length error of the lanes that are shown; none before the first sample.
std::optional<double> worst_unit_length(const Panel& panel, const PlotsView& view) {
  std::optional<double> worst;
  const auto& histories = panel.frame.histories;
  for (std::size_t l = 0; l < histories.size(); ++l)
    if (histories[l].size() > 0 && !view.hidden_lanes.contains(static_cast<int>(l)))
      worst =
          std::max(worst.value_or(0), histories[l].worst_magnitude(Quantity::unit_length_error));
  return worst;
}

bool has_unit_length_plot(const PlotsView& view, std::optional<double> worst) {
  if (view.unit_length != PlotsView::UnitLength::automatic)
    return view.unit_length == PlotsView::UnitLength::open;
  return worst.value_or(0) > unit_length_lost;
}

/// A line of text that says how well the unit length is kept; a click shows or hides its plot.
void unit_length_line(const Panel& panel, PlotsView& view, std::optional<double> worst, ImVec2 from,
                      float width) {
  const bool open = has_unit_length_plot(view, worst);
  const std::string text = unit_length_text(worst);
  ImGui::PushFont(font(Face::small_text));
  const std::string shown = fmt::format("{} {}", text, open ? "▾" : "▸");
  const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
  const float height = panel.px(unit_length_height);
  const ImVec2 at{from.x + panel.px(6), std::round(from.y + (height - size.y) / 2)};
  ImGui::SetCursorScreenPos({at.x, from.y});
  if (ImGui::InvisibleButton("unit length",
                             {std::min(size.x, width - panel.px(6 + plot_right)), height})) {
    view.unit_length = open ? PlotsView::UnitLength::closed : PlotsView::UnitLength::open;
    view.scroll_to_end = !open;
    panel.request_frames();
  }
  const bool lit = ImGui::IsItemHovered();
  ImGui::GetWindowDrawList()->AddText(at, im_color(lit ? panel.colors.text : panel.colors.dim),
                                      shown.c_str());
  ImGui::PopFont();
  panel.mark("unit_length");
  panel.say(Role::button, text, {}, open);
  tooltip(panel,
          fmt::format("Largest deviation of |q| from 1, over every sample{}.\n{}",
                      panel.snapshot.lanes.size() > 1 ? " of the lanes that are shown" : "",
                      open ? "Click to hide its plot."
                           : "Click to show its plot. It is shown by itself where the deviation "
                             "exceeds 1e-12."));
}

float share(const PlotSpec& spec) { return spec.over_time() ? 1 : portrait_share; }

/// The arrangement of the plots one below the other, with heights in proportion to their shares.
struct Stack {
  std::vector<std::size_t> shown;                 ///< indices in the list of plots
  std::vector<std::vector<LaneFigures>> figures;  ///< text below each of them; empty: none
  std::vector<std::size_t> lines;                 ///< of text, for which there is room below each
  float area = 0;                                 ///< of a plot with share 1 [px]
  bool scrolls = false;                           ///< because the areas would be too low

  /// Height of the text below the i-th plot [px].
  float under(const Panel& panel, std::size_t i) const {
    return figures.empty() ? 0 : figure_line_height(panel) * static_cast<float>(lines[i]);
  }
};

/// Describes one lane below each plot of the stack, or every lane.
void describe(const Panel& panel, PlotsView& view, Stack& places, float width, bool every_lane) {
  const float shown_width = view.markers[0] || view.markers[1] ? -width : width;
  places.figures.clear();
  places.lines.clear();
  for (const std::size_t i : places.shown) {
    PlotView& plot = view.plots[i];
    const auto& figures =
        places.figures.emplace_back(figure_lines(panel, view, plot, width, every_lane));
    std::size_t needed = 0;
    for (const LaneFigures& of_lane : figures) needed += of_lane.rows();
    MostLines& most = every_lane ? plot.lines_of_all : plot.lines;
    most.take(std::max<std::size_t>(1, needed), shown_width, figures.size());
    places.lines.push_back(most.count);
  }
}

Stack stack(const Panel& panel, PlotsView& view, ImVec2 size, bool over_time) {
  Stack places;
  for (std::size_t i = 0; i < view.plots.size(); ++i)
    if (view.alone.empty() || view.plots[i].id == view.alone) places.shown.push_back(i);

  const auto fit = [&](std::size_t count) {
    float fixed = over_time ? panel.px(plot_time) : 0, shares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const PlotSpec& spec = view.plots[places.shown[i]].spec;
      fixed += panel.px(plot_margins(spec) + below_plot + gap) + places.under(panel, i);
      shares += share(spec);
    }
    return std::floor((size.y - fixed) / std::max(shares, 1.0f));
  };
  const std::size_t all = places.shown.size(), lanes = panel.snapshot.lanes.size();
  const float width = size.x - panel.px(plot_left + plot_right);
  view.all_below = false;
  if (lanes > 1 && lanes <= 4) {
    describe(panel, view, places, width, true);
    places.area = fit(all);
    view.all_below = places.area >= panel.px(roomy_area);
  }
  if (!view.all_below) {
    describe(panel, view, places, width, false);
    places.area = fit(all);
  }
  const float min_height = panel.px(panel.presentation ? min_area_presented : min_area);
  // The legend of the column shows the figures of the plot under the mouse, so they can be omitted
  // below the plots; in a presentation that has no room for both plots otherwise, too.
  if (places.area < min_height && (lanes > 1 || panel.presentation)) {
    const auto figures = std::exchange(places.figures, {});
    places.area = fit(all);
    if (places.area < min_height) places.figures = figures;
  }
  places.scrolls = places.area < min_height;
  // As many plots as fit fill the view, and none is cut off.
  for (std::size_t count = all; places.area < min_height && count > 1;) places.area = fit(--count);
  places.area = std::max(places.area, min_height);
  return places;
}

/// Goes to the sample nearest to the time of a click. The first click of a double click does so,
/// too; the second one takes that back.
void go_to_click(const Panel& panel, PlotsView& view, const PlotResponse& response) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseClicked[0] && io.MouseClickedCount[0] == 1) view.before_click.reset();
  if (response.everything && view.before_click) {
    if (const auto step = *std::exchange(view.before_click, std::nullopt))
      panel.sink.show(*step);
    else
      panel.sink.show_head();
  }
  const History& history = panel.frame.histories.front();
  if (!response.clicked || history.size() < 2) return;
  view.before_click = panel.frame.in_past ? std::optional(panel.frame.past_step) : std::nullopt;
  panel.sink.show(std::llround(history.steps()[history.nearest(*response.clicked)]));
}

/// Draws the plots in a child window, which scrolls if there are many.
void draw_plots(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
                const std::vector<Curve>& curves, const std::vector<Curve>& others, ImVec2 size) {
  const auto is_alone = [&](const PlotView& plot) { return plot.id == view.alone; };
  if (std::none_of(view.plots.begin(), view.plots.end(), is_alone)) view.alone.clear();
  const auto last = std::find_if(view.plots.rbegin(), view.plots.rend(), [&](const PlotView& plot) {
    return plot.spec.over_time() && (view.alone.empty() || is_alone(plot));
  });
  const PlotView* const lowest = last == view.plots.rend() ? nullptr : &*last;
  const Stack places = stack(panel, view, size, lowest);
  // If the column scrolls, the time axis stays visible below it.
  const float axis = panel.px(plot_time);
  const float height = places.scrolls && lowest ? size.y - axis : size.y;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  std::optional<std::size_t> removed;
  std::optional<std::string> alone;
  std::string menu;

  ImGui::BeginChild("plots", {size.x, height}, false,
                    ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav |
                        (places.scrolls ? 0 : ImGuiWindowFlags_NoScrollbar));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  bool over_plot = false;
  view.pointed.clear();
  float y = from.y;
  for (std::size_t k = 0; k < places.shown.size(); ++k) {
    const std::size_t i = places.shown[k];
    PlotView& plot = view.plots[i];
    const Rect place{
        from.x, y, size.x,
        std::floor(places.area * share(plot.spec)) + panel.px(plot_margins(plot.spec))};
    const PlotResponse response =
        draw_plot(panel, plot, curves, others, view.time, view.markers, place);
    go_to_click(panel, view, response);
    view.everything |= response.everything;
    if (!response.add_lane.empty()) view.add_lane = response.add_lane;
    if (response.menu) menu = plot.id;
    if (response.remove) removed = i;
    if (response.alone) alone = view.alone.empty() ? plot.id : std::string();
    if (const auto drawn = panel.widgets.find("plot/" + plot.id); drawn != panel.widgets.end()) {
      const ImVec2 mouse = ImGui::GetIO().MousePos;
      if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
          place.contains(mouse.x, mouse.y))
        view.pointed = plot.id;
      over_plot |= mouse.y >= place.y + panel.px(plot_title) && mouse.y < place.y + place.height;
      const bool empty = std::all_of(panel.frame.histories.begin(), panel.frame.histories.end(),
                                     [](const History& h) { return h.size() < 2; });
      if (empty && exists(panel, plot.spec)) {
        view.time.next_cursor.reset();
        if (!response.absent) draw_invitation(panel, plot.id);
      }
    }
    y += place.height;
    if (&plot == lowest && !places.scrolls) {
      view.everything |= draw_time_axis(panel, view.time, {from.x, y, size.x, axis});
      y += axis;
    }
    if (!places.figures.empty())
      draw_figures(panel, view, plot, places.figures[k],
                   {from.x + panel.px(plot_left), y + panel.px(below_plot)},
                   size.x - panel.px(plot_left + plot_right));
    y += panel.px(below_plot) + places.under(panel, k) + panel.px(gap);
  }
  ImGui::SetCursorScreenPos({from.x, y - panel.px(gap)});
  if (places.scrolls) ImGui::Dummy({1, 1});
  // The wheel zooms over plots and scrolls between them.
  if (ImGui::IsWindowHovered() && !over_plot && ImGui::GetIO().MouseWheel != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseWheel * panel.px(60));
  // Once at the end, it stays there when the text below a plot grows.
  const bool at_end =
      ImGui::GetScrollMaxY() > 0 && ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  const float before = std::exchange(view.height, y - from.y);
  if (std::exchange(view.scroll_to_end, false) || (at_end && view.height > before)) {
    ImGui::SetScrollHereY(1);
    panel.request_frames();
  }
  ImGui::EndChild();
  if (places.scrolls && lowest)
    view.everything |=
        draw_time_axis(panel, view.time, {corner.x, corner.y + height, size.x, axis});

  if (!menu.empty()) {
    view.menu = menu;
    view.menu_time.reset();
    if (view.time.next_cursor)
      view.menu_time = snapped(curves, Quantity::time, *view.time.next_cursor);
    ImGui::OpenPopup("plot menu");
  }
  if (alone) {
    view.alone = *alone;
    panel.request_frames();
  }
  if (removed && *removed < plots.size())
    plots.erase(plots.begin() + static_cast<std::ptrdiff_t>(*removed));
  else if (removed)
    view.unit_length = PlotsView::UnitLength::closed;
}

}  // namespace

std::string invitation(const Snapshot& snapshot) {
  if (snapshot.state == RunState::running) return "Waiting for samples";
  if (snapshot.state == RunState::failed && snapshot.failure)
    return fmt::format("Step {} failed", snapshot.failure->step);
  return "Press Space to run";
}

std::string unit_length_text(std::optional<double> worst) {
  if (!worst) return "unit length";
  if (*worst == 0) return "unit length kept exactly";
  return fmt::format("unit length {} {:.1e}", *worst > unit_length_lost ? "off by" : "kept to",
                     *worst);
}

void plots_panel(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots) {
  const std::vector<PlotSpec> defaults = default_plots(*panel.snapshot.present);
  const bool with_line = plots == defaults;
  const std::optional<double> unit_length = worst_unit_length(panel, view);
  std::vector<PlotSpec> shown = plots;
  if (with_line && has_unit_length_plot(view, unit_length))
    shown.push_back(plot_of(Quantity::unit_length_error));
  view.take(shown);
  const auto& cloud = panel.snapshot.cloud;
  for (PlotView& plot : view.plots)
    plot.fit = cloud ? std::optional(CloudFit{cloud->lane, cloud->growth}) : std::nullopt;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const ImVec2 avail = ImGui::GetContentRegionAvail();
  float y = from.y;
  if (!panel.presentation) y += header(panel, view, plots, from, avail.x);
  const float below_header = y - panel.px(4);
  if (!with_line && !panel.presentation) {
    own_row(panel, plots, defaults, {from.x, y}, avail.x);
    y += ImGui::GetFrameHeight() + panel.px(6);
  }

  const Interval all = so_far_of(panel);
  if (std::exchange(view.everything, false)) {
    view.follow();
    view.time.automatic = false;
    view.time.range = all;
  }
  if (view.time.automatic) view.time.range = following(panel);
  if (!(view.time.range.span() > 0)) view.time.range.high = view.time.range.low + 1e-6;

  const std::vector<Curve> curves = shown_curves(panel, view);
  view.time.cursor = std::exchange(view.time.next_cursor, std::nullopt);
  place_markers(view, curves, all);

  if (view.markers[0] || view.markers[1]) {
    marker_row(panel, view, {from.x, y}, avail.x);
    y += panel.px(markers_height);
  }
  const float inner = avail.x - panel.px(6 + plot_right);
  const auto pointed = std::find_if(view.plots.begin(), view.plots.end(),
                                    [&](const PlotView& plot) { return plot.id == view.pointed; });
  legend(panel, view, pointed == view.plots.end() ? nullptr : &*pointed, {from.x + panel.px(6), y},
         inner);
  y += legend_height(panel, inner);
  ImGui::SetCursorScreenPos({from.x, y});
  const float line = with_line ? panel.px(unit_length_height) : 0;
  draw_plots(panel, view, plots, curves, curves_of_others(panel, view),
             {avail.x, from.y + avail.y - y - line});
  if (with_line)
    unit_length_line(panel, view, unit_length, {from.x, from.y + avail.y - line}, avail.x);
  plot_menu(panel, view, plots, view.choice);
  signal_list(panel, view, plots, view.choice, {from.x + panel.px(6), below_header});
  ready_list(panel, view, plots, {from.x + panel.px(100), below_header});
}

}  // namespace twosphere::ui
