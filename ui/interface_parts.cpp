// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/interface_parts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/record/view_limit.h"
#include "ui/fields/field_row.h"
#include "ui/plots/plots_panel.h"
#include "ui/shell/preset_list.h"
#include "ui/shell/style.h"

namespace twosphere::ui {

namespace {

// Logical pixels at scale 1.
constexpr float narrowest_left = 240, widest_left = 480;
constexpr float widest_right = 900;
constexpr float splitter = 6;
constexpr float smallest_scale = 0.75f, largest_scale = 3;
// Of a presentation.
constexpr float smallest_text = 22;  // [logical pixels]
constexpr std::size_t plots_in_presentation = 2;

constexpr ImGuiWindowFlags column_flags =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav;

constexpr std::size_t index(BodyVector vector) { return static_cast<std::size_t>(vector); }

Palette next(Palette palette) {
  return palettes[(static_cast<std::size_t>(palette) + 1) % palettes.size()];
}

// The next quantity of the colours: the default, then each quantity of bodies.
std::optional<Shade> next(std::optional<Shade> shade) {
  std::size_t i = shade ? static_cast<std::size_t>(*shade) + 1 : 0;
  while (i < shade_count && !info(static_cast<Shade>(i)).of_bodies) ++i;
  // A quantity that the system names is the default there, but of spins, and is chosen by name.
  return i < static_cast<std::size_t>(Shade::own) ? std::optional(static_cast<Shade>(i))
                                                  : std::nullopt;
}

}  // namespace

float InterfaceParts::scale() const {
  return state.presentation ? std::max(settings.scale, smallest_text / smallest_font)
                            : settings.scale;
}

void InterfaceParts::grow_transport(const Frame& frame) {
  if (!presented) state.transport = false;
  const ImGuiIO& io = ImGui::GetIO();
  const float x = io.MousePos.x, y = io.MousePos.y;
  // The mouse need not hit the thin line itself.
  const float top = layout.transport.y - (state.transport ? 0 : layout.transport.height);
  const bool on_it = x >= 0 && x < frame.width && y >= top && y < frame.height;
  state.transport = state.time_line.type || state.time_line.typing || on_it ||
                    (state.transport && ImGui::IsAnyItemActive());
}

std::vector<PlotSpec> InterfaceParts::default_plots() const {
  return present ? ui::default_plots(*present) : energy_plots();
}

void InterfaceParts::color_bodies(const Snapshot& snapshot) {
  const std::tuple asked{snapshot.system, snapshot.lanes.size(), settings.shade,
                         settings.lane_colors};
  look.palette = settings.palette;
  look.components = settings.lane_colors == LaneColors::own;
  if (colored == asked) return;
  colored = asked;
  look.bodies = 0;
  if (!snapshot.system || snapshot.lanes.empty() ||
      snapshot.lanes[0].state.size() != snapshot.system->size())
    return;
  Geometry geometry;
  snapshot.system->geometry(snapshot.lanes[0].state.q, geometry);
  if (has_body_colors(geometry, snapshot.lanes.size(), settings.shade, settings.lane_colors))
    look.bodies = snapshot.system->size();
}

void InterfaceParts::move_focus(const Panel& panel) {
  if (const auto field = main.focus.end()) state.fields.open(*field);
  main.focus.draw(panel.colors, panel.scale);
}

void InterfaceParts::open_sections_of(const Scenario& loaded) {
  from_top = true;
  if (!sections_of.empty()) closed_sections[sections_of] = state.closed;
  const PresetEntry* const preset = loaded.definition ? nullptr : preset_of(&loaded);
  sections_of = preset ? std::string(preset->key) : loaded.title;
  const auto known = closed_sections.find(sections_of);
  state.closed = known == closed_sections.end() ? folded_at_first : known->second;
  if (!loaded.stop.empty()) state.closed.erase("Stop when");
}

void InterfaceParts::ring(const Panel& panel, const std::string& name) const {
  const auto& widgets = main.widgets;
  for (auto at = widgets.lower_bound(name); at != widgets.end() && at->first.starts_with(name);
       ++at)
    if (is_part(at->first, name)) return draw_ring(at->second, panel.colors, panel.scale);
}

void InterfaceParts::end_presentation(const Panel& panel) {
  if (take_escape(panel)) {
    if (state.black)
      state.black = false;
    else
      panel.sink.act(Action::present);
  }
  if (!state.black) return;
  const Frame& frame = panel.frame;
  ImGui::GetForegroundDrawList()->AddRectFilled({0, 0}, {frame.width, frame.height},
                                                IM_COL32_BLACK);
  panel.mark("black", {0, 0, frame.width, frame.height});
}

void InterfaceParts::draw_ring_of_search(const Panel& panel) {
  HoverState& hover = main.hover;
  if (hover.ringed.empty()) return;
  constexpr double shown_for = 2;  // [s]
  if (hover.ringed_until == 0) hover.ringed_until = ImGui::GetTime() + shown_for;
  if (ImGui::GetTime() > hover.ringed_until) {
    hover.ringed.clear();
    hover.revealed.clear();
    return;
  }
  ring(panel, hover.ringed);
}

void InterfaceParts::keep_selection(const Snapshot& snapshot) {
  bodies = snapshot.system ? snapshot.system->size() : 0;
  if (state.card.selected &&
      (state.card.selected->lane >= lanes || state.card.selected->body >= bodies))
    state.card.selected.reset();
}

void InterfaceParts::select_next(int by) {
  if (bodies == 0 || lanes == 0) return;
  if (!state.card.selected)
    state.card.selected = BodyId{settings.reference_lane, by > 0 ? 0 : bodies - 1};
  else
    state.card.selected->body = (state.card.selected->body + by + bodies) % bodies;
}

void InterfaceParts::switch_gallery() {
  if (state.gallery.open)
    state.gallery.open = false;
  else
    state.gallery.show(state.original.get());
}

void InterfaceParts::switch_plots(const ReadyPlot& ready) {
  if (!present) return;
  settings.columns = true;
  state.plots.scroll_to_end = !shown(ready, info_of(*present), settings.plots);
  toggle(ready, info_of(*present), settings.plots);
}

void InterfaceParts::show_default_plots() {
  settings.columns = true;
  settings.plots = default_plots();
}

void InterfaceParts::scale_by(float change) {
  settings.scale = std::clamp(settings.scale + change, smallest_scale, largest_scale);
}

void InterfaceParts::reset_layout() {
  const Settings fresh;
  settings.left_width = fresh.left_width;
  settings.right_width = fresh.right_width;
  settings.columns = fresh.columns;
  settings.scale = fresh.scale;
  settings.plots = default_plots();
  state.plots.follow();
  state.closed = folded_at_first;
}

void InterfaceParts::leave_plot_alone(const Panel& panel) {
  if (!state.plots.alone.empty() && take_escape(panel)) state.plots.alone.clear();
}

void InterfaceParts::edge(const Panel& panel, float x) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRectFullScreen();
  list.AddLine({x, 0}, {x, panel.frame.height}, im_color(panel.colors.line));
  list.PopClipRect();
}

void InterfaceParts::left_column(const Panel& panel) {
  const Rect& r = layout.left;
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.width, r.height});
  ImGui::Begin("left", nullptr, column_flags);
  if (std::exchange(from_top, false)) ImGui::SetScrollY(0);
  system_panel(panel, state);
  about_panel(panel, state);
  parameters_panel(panel, state, settings);
  start_panel(panel, state);
  integrator_panel(panel, state, settings.reference_lane);
  run_panel(panel, state);
  exponents_panel(panel, state);
  cloud_panel(panel, state, settings);
  stop_panel(panel, state);
  view_panel(panel, state, settings);
  if (const float hidden = pending_height(panel); hidden > 0) ImGui::Dummy({0, hidden});
  edge(panel, r.x + r.width - 1);
  ImGui::End();
  pending_line(panel, r);
  panel.mark("left", r);
}

void InterfaceParts::plots_in(const Panel& panel, const Rect& r) {
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.width, r.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(6), panel.px(8)});
  ImGui::Begin("right", nullptr,
               column_flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  {
    const ViewLimit limit([prepared = panel.frame.signals_prepared] { return prepared; });
    draw_plots(panel);
  }
  edge(panel, r.x);
  ImGui::End();
  panel.mark("right", r);
}

void InterfaceParts::draw_plots(const Panel& panel) {
  std::vector<PlotSpec>& all = settings.plots;
  if (!state.presentation) return plots_panel(panel, state.plots, all);
  const auto end =
      all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), plots_in_presentation));
  const std::vector<PlotSpec> before(all.begin(), end);
  std::vector<PlotSpec> first = before;
  plots_panel(panel, state.plots, first);
  if (first == before) return;
  all.insert(all.erase(all.begin(), end), first.begin(), first.end());
}

float InterfaceParts::grip(const Panel& panel, const char* name, const char* spoken_name, float x,
                           float height) {
  const float width = panel.px(splitter);
  ImGui::SetNextWindowPos({x - width / 2, 0});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin(name, nullptr,
               (column_flags & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  ImGui::InvisibleButton(name, {width, height});
  const bool active = ImGui::IsItemActive();
  if (active || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddLine(
        {x, 0}, {x, height}, im_color(panel.colors.accent, active ? 1 : 0.6f), panel.px(2));
  }
  panel.mark_area(name);
  panel.say(Role::slider, spoken_name);
  ImGui::End();
  return active ? ImGui::GetIO().MouseDelta.x : 0;
}

bool InterfaceParts::has_right_column() const {
  return state.presentation || (settings.columns && !state.plot_window);
}

void InterfaceParts::follow_run(const Frame& frame) {
  const int there = static_cast<int>(frame.snapshot.lanes.size());
  if (generation != frame.snapshot.generation) {  // opened, or rewound
    generation = frame.snapshot.generation;
    state.plots.follow();
  }
  if (there < lanes) {  // the numbers of the lanes have changed
    state.plots.hidden_lanes.clear();
    state.cell_alone = -1;
    settings.reference_lane = 0;
  }
  lanes = there;
  if (settings.reference_lane >= lanes) settings.reference_lane = 0;
  state.time_line.follow(frame.snapshot.record);
  state.plots.time.shown.reset();
  if (frame.in_past) state.plots.time.shown = state.time_line.time(frame);
  color_bodies(frame.snapshot);
}

Panel InterfaceParts::panel_of(const Frame& frame, CommandSink& sink, Surface& surface) {
  return {frame,
          frame.snapshot,
          frame.shown,
          sink,
          colors(settings.palette),
          settings.palette,
          surface.widgets,
          surface.hover,
          surface.focus,
          scale() * frame.pixel_ratio,
          settings.lane_colors,
          settings.reference_lane,
          look,
          surface.spoken ? &*surface.spoken : nullptr,
          gesture,
          state.presentation};
}

void InterfaceParts::splitters(const Panel& panel) {
  const float height = panel.frame.height, s = panel.scale;
  if (const float d =
          grip(panel, "splitter/left", "Width of the left column", layout.left.width, height);
      d != 0)
    settings.left_width = std::clamp((layout.left.width + d) / s, narrowest_left, widest_left);
  if (!has_right_column()) return;
  if (const float d = grip(panel, "splitter/right", "Width of the plots", layout.right.x, height);
      d != 0)
    settings.right_width =
        std::clamp((layout.right.width - layout.extra - d) / s, narrowest_right, widest_right);
}

const InterfaceParts::Handler& InterfaceParts::handler(Action action) {
  static constexpr std::array table{
#define INTERFACE(...) [](InterfaceParts& i) { __VA_ARGS__; }
#define TOGGLE(variable, on, off)                                            \
  [](InterfaceParts& i) { i.variable = i.variable == (on) ? (off) : (on); }, \
      [](const InterfaceParts& i) { return i.variable == (on); }
#define CHOICE(variable, ...)                          \
  [](InterfaceParts& i) { i.variable = __VA_ARGS__; }, \
      [](const InterfaceParts& i) { return i.variable == (__VA_ARGS__); }
#define ACTION(name, place, label, key, help, ...) Handler{__VA_ARGS__},
#include "ui/shell/action_list.h"
  };
  return table[static_cast<std::size_t>(action)];
}

}  // namespace twosphere::ui
