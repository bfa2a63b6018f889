// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "ui/fields/field_row.h"
#include "ui/panels/panels.h"
#include "ui/panels/view_layout.h"
#include "ui/plots/plot_surface.h"
#include "ui/plots/plots_panel.h"
#include "ui/plots/ready_plots.h"
#include "ui/scene/cell_frames.h"
#include "ui/scene/scene_buttons.h"
#include "ui/scene/scene_legend.h"
#include "ui/scene/scene_overlay.h"
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
constexpr std::size_t plots_in_a_room = 2;

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
  // A quantity that the system names is the default there.
  return i < static_cast<std::size_t>(Shade::own) ? std::optional(static_cast<Shade>(i))
                                                  : std::nullopt;
}

/// The scene in words: what moves, the time, and how far each lane is off.
void say_scene(const Panel& panel, const Rect& scene) {
  if (!panel.spoken) return;
  const Snapshot& s = panel.shown;
  std::string text =
      fmt::format("{}, t = {} s", panel.snapshot.present->title, time_text(panel.snapshot, s.t));
  for (const Snapshot::LaneView& lane : s.lanes)
    text += fmt::format(", {}: energy error {}", lane.title(),
                        error_number(lane.sample[Quantity::energy_error]));
  for (const CellView& cell : panel.frame.legend.cells) text += "; " + spoken_caption(cell.caption);
  panel.tell("scene", scene, "Scene", {}, Role::scene);
  panel.said()->description = std::move(text);
}

/// Says what the colours, arrows and sizes of the scene mean, to a screen reader.
void say_legend(const Panel& panel) {
  if (!panel.spoken) return;
  const Legend& legend = panel.frame.legend;
  const auto with_unit = [](std::string_view name, std::string_view unit) {
    return fmt::format("{} [{}]", name, unit);
  };
  for (std::size_t i = 0; i < legend.bars.size(); ++i) {
    const ColorBar& bar = legend.bars[i];
    const std::string id = fmt::format("color_bar/{}", i);
    panel.tell(id.c_str(), panel.widgets[id], "Colour: " + with_unit(bar.label, bar.unit),
               bar.low < bar.high ? fmt::format("{} to {}", text_at(bar, 0), text_at(bar, 1))
                                  : "all " + text_at(bar, 0));
  }
  for (const ArrowScale& scale : legend.arrows) {
    const BodyVectorInfo& vector = info(scale.vector);
    panel.tell(fmt::format("arrow_scale/{}", vector.symbol).c_str(), {},
               "Longest arrow: " + with_unit(vector.label, vector.unit),
               short_number(scale.longest));
  }
  if (!legend.sizes.empty()) panel.tell("sizes", panel.widgets["sizes"], legend.sizes);
}

}  // namespace

struct Interface::Impl {
  Settings settings;
  PanelState state;
  std::map<std::string, Rect> widgets;
  std::optional<Spoken> spoken;
  ViewLayout layout;
  HoverState hover;
  KeyFocus focus;
  bool running = false;
  bool mouse_captured = false;
  bool cursor_on_line =
      false;                  // the cursor of the plots in another window is on the time line here
  std::uint64_t gesture = 0;  // Change::gesture: another in each frame, except while it is captured
  std::shared_ptr<const Scenario> present;  // of the run, as of the last frame
  int lanes = 0, bodies = 0;                // likewise
  std::uint64_t generation = 0;             // likewise
  Split split = Split::none;                // likewise
  bool from_top = false;                    // another scenario was opened
  bool presented = false;                   // Interface::presents() in the last frame
  std::string sections_of;                  // the preset, or the title, that `state.closed` is of
  std::map<std::string, ClosedSections, std::less<>> closed_sections;  // of other ones
  std::string reference;                                               // Panel::reference_name()
  BodyLook look;
  std::optional<std::tuple<std::shared_ptr<const System>, std::size_t, std::optional<Shade>,
                           LaneColors>>
      colored;  // the input from which `look` was computed
  std::optional<std::pair<Palette, float>> styled;

  float scale() const {
    return state.presentation ? std::max(settings.scale, smallest_text / smallest_font)
                              : settings.scale;
  }

  /// In a presentation the transport is shown while the mouse is on it, or it is used.
  void grow_transport(const Frame& frame) {
    if (!presented) state.transport = false;
    const ImGuiIO& io = ImGui::GetIO();
    const float x = io.MousePos.x, y = io.MousePos.y;
    // The mouse need not hit the thin line itself.
    const float top = layout.transport.y - (state.transport ? 0 : layout.transport.height);
    const bool on_it = x >= 0 && x < frame.width && y >= top && y < frame.height;
    state.transport = state.time_line.type || state.time_line.typing || on_it ||
                      (state.transport && ImGui::IsAnyItemActive());
  }

  std::vector<PlotSpec> default_plots() const {
    return present ? ui::default_plots(*present) : energy_plots();
  }

  /// Determines which bodies have their own colours, once per system.
  void color_bodies(const Snapshot& snapshot) {
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

  /// Call after the widgets.
  void move_focus(const Panel& panel) {
    if (const auto field = focus.end()) state.fields.open(*field);
    focus.draw(panel.colors, panel.scale);
  }

  /// Closes the sections of the left column as they were when this scenario was shown last; at
  /// first, those that it does not use.
  void open_sections_of(const Scenario& loaded) {
    from_top = true;
    if (!sections_of.empty()) closed_sections[sections_of] = state.closed;
    const PresetEntry* const preset = loaded.definition ? nullptr : preset_of(&loaded);
    sections_of = preset ? std::string(preset->key) : loaded.title;
    const auto known = closed_sections.find(sections_of);
    state.closed = known == closed_sections.end() ? folded_at_first : known->second;
    if (!loaded.stop.empty()) state.closed.erase("Stop when");
  }

  /// Rings a widget, or the first of its parts. Call after the widgets.
  void ring(const Panel& panel, const std::string& name) const {
    for (auto at = widgets.lower_bound(name); at != widgets.end() && at->first.starts_with(name);
         ++at)
      if (is_part(at->first, name)) return draw_ring(at->second, panel.colors, panel.scale);
  }

  /// Esc ends it. A black screen covers everything. Call after the widgets.
  void end_presentation(const Panel& panel) {
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

  /// Rings the widget that the search points at. Call after the widgets.
  void draw_ring_of_search(const Panel& panel) {
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

  /// Clears the selection if the run does not have the body.
  void keep_selection(const Snapshot& snapshot) {
    bodies = snapshot.system ? snapshot.system->size() : 0;
    if (state.card.selected &&
        (state.card.selected->lane >= lanes || state.card.selected->body >= bodies))
      state.card.selected.reset();
  }

  /// Selects the next or the previous body, cyclically.
  void select_next(int by) {
    if (bodies == 0 || lanes == 0) return;
    if (!state.card.selected)
      state.card.selected = BodyId{settings.reference_lane, by > 0 ? 0 : bodies - 1};
    else
      state.card.selected->body = (state.card.selected->body + by + bodies) % bodies;
  }

  void switch_gallery() {
    if (state.gallery.open)
      state.gallery.open = false;
    else
      state.gallery.show(state.original.get());
  }

  void switch_plots(const ReadyPlot& ready) {
    if (!present) return;
    settings.columns = true;
    state.plots.scroll_to_end = !shown(ready, info_of(*present), settings.plots);
    toggle(ready, info_of(*present), settings.plots);
  }

  void show_default_plots() {
    settings.columns = true;
    settings.plots = default_plots();
  }

  void scale_by(float change) {
    settings.scale = std::clamp(settings.scale + change, smallest_scale, largest_scale);
  }

  void reset_layout() {
    const Settings fresh;
    settings.left_width = fresh.left_width;
    settings.right_width = fresh.right_width;
    settings.columns = fresh.columns;
    settings.scale = fresh.scale;
    settings.plots = default_plots();
    state.plots.follow();
    state.closed = folded_at_first;
  }

  /// The handler of an action in the interface.
  struct Handler {
    void (*run)(Impl&) = nullptr;
    bool (*checked)(const Impl&) = nullptr;  ///< whether its menu entry is checked
  };
  static const Handler& handler(Action action);

  /// Shows all plots again where Esc was pressed.
  void leave_plot_alone(const Panel& panel) {
    if (!state.plots.alone.empty() && take_escape(panel)) state.plots.alone.clear();
  }

  /// The line between a column and the scene.
  void edge(const Panel& panel, float x) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRectFullScreen();
    list.AddLine({x, 0}, {x, panel.frame.height}, im_color(panel.colors.line));
    list.PopClipRect();
  }

  void left_column(const Panel& panel) {
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

  /// The plots, in the right column or a window of their own.
  void plots_in(const Panel& panel, const Rect& r) {
    ImGui::SetNextWindowPos({r.x, r.y});
    ImGui::SetNextWindowSize({r.width, r.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.px(6), panel.px(8)});
    ImGui::Begin("right", nullptr,
                 column_flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    draw_plots(panel);
    edge(panel, r.x);
    ImGui::End();
    panel.mark("right", r);
  }

  /// In a presentation only the first ones.
  void draw_plots(const Panel& panel) {
    std::vector<PlotSpec>& all = settings.plots;
    if (!state.presentation) return plots_panel(panel, state.plots, all);
    const auto end =
        all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), plots_in_a_room));
    const std::vector<PlotSpec> before(all.begin(), end);
    std::vector<PlotSpec> first = before;
    plots_panel(panel, state.plots, first);
    if (first == before) return;
    all.insert(all.erase(all.begin(), end), first.begin(), first.end());
  }

  /// A handle on the edge of a column; returns how far it was dragged in this frame [px].
  float grip(const Panel& panel, const char* name, const char* spoken_name, float x, float height) {
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

  bool has_right_column() const {
    return state.presentation || (settings.columns && !state.plot_window);
  }

  /// Takes over which lanes and which instant the frame has.
  void follow_run(const Frame& frame) {
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

  Panel panel_of(const Frame& frame, CommandSink& sink, std::map<std::string, Rect>& placed,
                 HoverState& mouse, KeyFocus& keys, std::optional<Spoken>& said) {
    return {frame,
            frame.snapshot,
            frame.shown,
            sink,
            colors(settings.palette),
            settings.palette,
            placed,
            mouse,
            keys,
            scale() * frame.pixel_ratio,
            settings.lane_colors,
            settings.reference_lane,
            look,
            said ? &*said : nullptr,
            gesture,
            state.presentation};
  }

  void splitters(const Panel& panel) {
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
};

const Interface::Impl::Handler& Interface::Impl::handler(Action action) {
  static constexpr std::array table{
#define INTERFACE(...) [](Impl& i) { __VA_ARGS__; }
#define TOGGLE(variable, on, off)                                  \
  [](Impl& i) { i.variable = i.variable == (on) ? (off) : (on); }, \
      [](const Impl& i) { return i.variable == (on); }
#define CHOICE(variable, ...)                \
  [](Impl& i) { i.variable = __VA_ARGS__; }, \
      [](const Impl& i) { return i.variable == (__VA_ARGS__); }
#define ACTION(name, place, label, key, help, ...) Handler{__VA_ARGS__},
#include "ui/shell/action_list.h"
  };
  return table[static_cast<std::size_t>(action)];
}

Interface::Interface() : impl_(std::make_unique<Impl>()) {}
Interface::~Interface() = default;

Settings& Interface::settings() { return impl_->settings; }
const Settings& Interface::settings() const { return impl_->settings; }

void Interface::draw(const Frame& frame, CommandSink& sink) {
  Impl& i = *impl_;
  const float scale = i.scale() * frame.pixel_ratio;
  const std::pair style{i.settings.palette, scale};
  if (i.styled != style) {
    apply_style(style.first, style.second);
    i.styled = style;
  }
  i.widgets.clear();
  if (i.spoken) i.spoken->begin();
  i.hover.waiting = false;
  i.hover.keys.clear();
  i.hover.keys_shown = (frame.keys_held || i.state.show_keys) && !i.state.key_map;
  if (i.hover.frames_wanted > 0) --i.hover.frames_wanted;
  const bool room = i.state.presentation;
  if (room) i.grow_transport(frame);
  i.layout = room ? arrange_for_a_room(frame, scale, i.state.transport)
                  : arrange(i.settings, frame, scale, !i.state.plot_window);
  if (!room) i.state.black = false;
  i.presented = room;
  i.running = frame.snapshot.state == RunState::running;
  if (!frame.snapshot.present) return;
  i.present = frame.snapshot.present;
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  i.hover.escape = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false) &&
                   !ImGui::GetIO().WantTextInput && !popup && !i.state.key_map;
  i.hover.enter = !ImGui::GetIO().WantTextInput && !popup && !i.state.key_map && !i.focus.on() &&
                  (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
                   ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false));
  i.state.fields.begin(ImGui::GetTime(), frame.snapshot.error_count, frame.plays);
  i.focus.begin(popup, !i.state.key_map);
  const bool opened = frame.snapshot.loaded && i.state.original != frame.snapshot.loaded;
  if (opened) {
    if (i.state.original) i.state.gallery.open = false;  // a menu or the search has opened another
    i.open_sections_of(*frame.snapshot.loaded);
    i.state.plots.unit_length = PlotsView::UnitLength::automatic;
  }
  // The cell that is alone is of the former scenario, or of a lane where runs have cells now.
  if (opened || i.split != i.settings.split) i.state.cell_alone = -1;
  i.split = i.settings.split;
  i.state.original = frame.snapshot.loaded;
  i.state.upcoming = frame.in_past ? frame.shown.present : frame.snapshot.after_rewind;
  if (!i.state.fields.dragging()) i.state.before_drag = i.state.upcoming;

  i.follow_run(frame);
  i.state.time_line.pictures = i.settings.time_pictures;
  if (!i.mouse_captured) ++i.gesture;
  const Panel panel = i.panel_of(frame, sink, i.widgets, i.hover, i.focus, i.spoken);
  i.reference = panel.reference_name();
  if (i.focus.on() && take_escape(panel)) i.focus.remove();
  follow_control(panel, i.state, i.settings);
  follow_cloud(panel, i.state, i.settings);
  // The cursor of plots in another window stays, unless it stood on the time line here.
  auto& pointed = i.state.plots.time.next_cursor;
  if (i.state.plot_window ? std::exchange(i.cursor_on_line, false)
                          : i.state.gallery.open || !i.settings.columns)
    pointed.reset();
  if (i.state.gallery.open) {
    gallery_page(panel, i.state.gallery, i.settings);
    i.move_focus(panel);
    key_hints(panel, {}, {});
    key_map_panel(panel, i.state.key_map);
    i.mouse_captured = false;
    return;
  }
  i.keep_selection(frame.snapshot);
  if (i.state.follow >= i.bodies) i.state.follow = -1;
  say_scene(panel, i.layout.scene);
  scene_overlay(panel, i.layout.scene);
  float below = 0;  // what is written at the top of the scene
  for (const char* text : {"time", "followed", "configuration_time", "too_small"})
    if (const auto place = i.widgets.find(text); place != i.widgets.end())
      below = std::max(below, place->second.y + place->second.height);
  draw_legend(frame.legend, i.layout.scene, i.settings.palette, scale, &i.widgets,
              below + panel.px(3));
  say_legend(panel);
  if (!room) scene_buttons(panel, i.state.plots.hidden_lanes, i.state.cell_alone);
  if (i.settings.columns && !room) i.left_column(panel);
  if (i.has_right_column()) i.plots_in(panel, i.layout.right);
  const auto of_plots = pointed;
  if (room && !i.state.transport)
    transport_line(panel, i.state, i.layout.transport);
  else
    transport_panel(panel, i.state, i.layout.transport);
  i.cursor_on_line = i.state.plot_window && pointed != of_plots;
  if (i.settings.columns && !room) i.splitters(panel);
  message_cards(panel, i.state, i.layout.scene);
  body_card(panel, i.state.card, i.state.fields, i.settings.angles, i.layout.scene);
  if (!i.state.plot_window) i.leave_plot_alone(panel);
  performance_panel(panel, i.state, i.layout.scene);
  field_note(panel, i.state.fields);
  i.move_focus(panel);
  i.draw_ring_of_search(panel);
  if (frame.tour && !frame.tour->ring.empty()) i.ring(panel, frame.tour->ring);
  if (i.state.show_keys && take_escape(panel)) i.state.show_keys = false;
  if (!room) tour_strip(panel, i.layout.tour);
  if (room) i.end_presentation(panel);
  key_hints(panel, i.layout.scene, i.has_right_column() ? i.layout.right : Rect{});
  key_map_panel(panel, i.state.key_map);
  i.mouse_captured = frame.hand.acts || i.state.control.held ||
                     (ImGui::IsAnyItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left));
}

void Interface::draw_plots(const Frame& frame, CommandSink& sink, PlotSurface& surface) {
  Impl& i = *impl_;
  const float scale = i.scale() * frame.pixel_ratio;
  if (const std::pair style{i.settings.palette, scale}; surface.styled != style) {
    apply_style(style.first, style.second);
    surface.styled = style;
  }
  surface.widgets.clear();
  if (surface.spoken) surface.spoken->begin();
  surface.hover.waiting = false;
  surface.hover.keys.clear();
  surface.hover.keys_shown = frame.keys_held || i.state.show_keys;
  if (surface.hover.frames_wanted > 0) --surface.hover.frames_wanted;
  if (!frame.snapshot.present) return;
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  surface.hover.escape = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false) &&
                         !ImGui::GetIO().WantTextInput && !popup;
  surface.focus.begin(popup, true);
  i.follow_run(frame);
  const Panel panel =
      i.panel_of(frame, sink, surface.widgets, surface.hover, surface.focus, surface.spoken);
  if (surface.focus.on() && take_escape(panel)) surface.focus.remove();
  const Rect all{0, 0, frame.width, frame.height};
  const auto on_line = i.cursor_on_line ? i.state.plots.time.next_cursor : std::nullopt;
  i.plots_in(panel, all);
  if (!i.state.plots.time.next_cursor) i.state.plots.time.next_cursor = on_line;
  i.leave_plot_alone(panel);
  surface.focus.end();
  surface.focus.draw(panel.colors, scale);
  key_hints(panel, {}, all);
}

bool Interface::handle(Action action) {
  Impl& i = *impl_;
  if (const ReadyPlot* ready = ready_plot(action)) {
    i.switch_plots(*ready);
    return true;
  }
  const Impl::Handler& handler = Impl::handler(action);
  if (handler.run) handler.run(i);
  return handler.run;
}

std::optional<bool> Interface::is_checked(Action action) const {
  if (const ReadyPlot* ready = ready_plot(action))
    return impl_->present && shown(*ready, info_of(*impl_->present), impl_->settings.plots);
  const Impl::Handler& handler = Impl::handler(action);
  if (!handler.checked) return {};
  return handler.checked(*impl_);
}

int Interface::followed() const { return impl_->state.follow; }
bool Interface::loops() const { return impl_->state.time_line.loop; }

bool Interface::presents() const { return impl_->state.presentation; }

void Interface::set_presentation(bool presents) {
  impl_->state.presentation = presents;
  if (presents) impl_->state.plot_window = false;
}

float Interface::scale() const { return impl_->scale(); }

void Interface::set_loops(bool loops) { impl_->state.time_line.loop = loops; }
bool Interface::time_dragged() const { return impl_->state.time_line.dragged; }
std::optional<std::int64_t> Interface::pictured_step() const {
  return impl_->state.time_line.pictured;
}
bool Interface::performance() const { return impl_->state.performance; }

std::optional<BodyId> Interface::selected() const { return impl_->state.card.selected; }

void Interface::select(std::optional<BodyId> body) { impl_->state.card.selected = body; }

Choices Interface::choices() const {
  const PanelState& state = impl_->state;
  Choices choices{state.card.selected, state.follow, state.plots.hidden_lanes,
                  state.plots.markers, {},           state.control.open,
                  state.plot_window};
  if (!state.plots.time.automatic) choices.times = state.plots.time.range;
  return choices;
}

void Interface::choose(const Choices& choices) {
  PanelState& state = impl_->state;
  state.card.selected = choices.selected;
  state.follow = choices.followed;
  state.plots.hidden_lanes = choices.hidden_lanes;
  state.plots.markers = choices.markers;
  state.plots.time.automatic = !choices.times;
  if (choices.times) state.plots.time.range = *choices.times;
  state.control.open = choices.torque_by_hand;
  state.plot_window = choices.plot_window;
}

void Interface::compare_with_run(int run) {
  impl_->settings.reference_run = run;
  impl_->settings.columns = true;
  const std::vector<PlotSpec>& plots = impl_->settings.plots;
  const PlotSpec distance = plot_of(Signal::distance());
  const auto same = [&](const PlotSpec& plot) { return plot.over_time() && plot.y == distance.y; };
  if (std::none_of(plots.begin(), plots.end(), same)) show_plot(distance);
}

void Interface::show_plot(const PlotSpec& plot) {
  impl_->settings.columns = true;
  impl_->state.gallery.open = false;
  std::vector<PlotSpec>& plots = impl_->settings.plots;
  if (std::find(plots.begin(), plots.end(), plot) != plots.end()) return;
  plots.push_back(plot);
  impl_->state.plots.scroll_to_end = true;
}

std::optional<double> Interface::cursor() const { return impl_->state.plots.time.next_cursor; }

int Interface::cell_alone() const { return impl_->state.cell_alone; }

bool Interface::gallery_open() const { return impl_->state.gallery.open; }

const std::string& Interface::moving_preset() const { return impl_->state.gallery.moving; }

bool Interface::takes_arrows() const {
  return impl_->state.control.focused || impl_->focus.takes_arrows();
}

bool Interface::takes_presses() const { return impl_->focus.on(); }

Rect Interface::scene() const { return impl_->layout.scene; }

VisiblePlots Interface::plots() const {
  const PlotsView& view = impl_->state.plots;
  VisiblePlots result{view.time.range,
                      {},
                      impl_->state.plots.hidden_lanes,
                      impl_->reference,
                      view.markers[0],
                      view.markers[1],
                      impl_->look.bodies,
                      view.time.automatic,
                      impl_->settings.reference_lane};
  for (const PlotView& plot : view.plots)
    if (view.alone.empty() || plot.id == view.alone)
      result.plots.push_back({plot.spec, plot.transform(), plot.y.range,
                              plot.spec.over_time() ? view.time.range : plot.x.range, plot.fit,
                              plot.own});
  return result;
}

const std::set<int>& Interface::hidden_lanes() const { return impl_->state.plots.hidden_lanes; }

bool Interface::mouse_captured() const { return impl_->mouse_captured; }

bool Interface::animating() const {
  return impl_->running || impl_->hover.waiting || impl_->hover.frames_wanted > 0 ||
         !impl_->hover.ringed.empty() || impl_->state.fields.editing() ||
         impl_->state.fields.waiting() ||
         (impl_->state.gallery.open && !impl_->state.gallery.moving.empty());
}

bool Interface::editing() const { return impl_->state.fields.editing(); }

const std::map<std::string, Rect>& Interface::widgets() const { return impl_->widgets; }

void Interface::set_spoken(bool on) {
  if (!on)
    impl_->spoken.reset();
  else if (!impl_->spoken)
    impl_->spoken.emplace();
}

std::span<const SpokenWidget> Interface::spoken() const {
  return impl_->spoken ? impl_->spoken->widgets() : std::span<const SpokenWidget>();
}

void Interface::reveal(const std::string& id) { impl_->hover.revealed = id; }

void Interface::point_at(const std::string& section, const std::string& id) {
  Impl& i = *impl_;
  i.settings.columns = true;
  i.state.gallery.open = false;
  i.state.closed.erase(section);
  if (section == "Parameters") i.state.closed.erase("More");
  i.hover.revealed = i.hover.ringed = id;
  i.hover.ringed_until = 0;
}

void Interface::enter(const std::string& path, std::string text) {
  impl_->state.fields.enter(path, std::move(text));
}

}  // namespace twosphere::ui
