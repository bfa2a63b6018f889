// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "ui/fields/field_row.h"
#include "ui/interface_parts.h"
#include "ui/panels/panels.h"
#include "ui/panels/view_layout.h"
#include "ui/plots/ready_plots.h"
#include "ui/scene/cell_frames.h"
#include "ui/scene/scene_buttons.h"
#include "ui/scene/scene_legend.h"
#include "ui/scene/scene_overlay.h"
#include "ui/shell/surface.h"

namespace twosphere::ui {

namespace {

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
  if (!legend.frame.empty()) panel.tell("frame", panel.widgets["frame"], legend.frame);
}

/// The largest share of the scene or, if it is split, of a cell, from its top, down to below its
/// caption and the scales of colours. A caption of runs has a row for a note, which comes when a
/// run has ended.
float covered_share(const Legend& legend, const Rect& scene, Split split,
                    const std::map<std::string, Rect>& widgets) {
  float share = 0;
  const auto cover = [&share](const Rect& view, float bottom) {
    if (view.height > 0) share = std::max(share, (bottom - view.y) / view.height);
  };
  for (const CellView& cell : legend.cells) {
    const auto caption = widgets.find(fmt::format("cell/{}", cell.shows));
    if (caption == widgets.end()) continue;
    const Rect& row = caption->second;
    const float rows = split == Split::runs || !cell.caption.note.empty() ? 2 : 1;
    cover(cell.rect, row.y + rows * row.height);
  }
  if (const float scales = lower_edge_of_scales(legend, widgets); scales > 0)
    cover(legend.cells.empty() ? scene : legend.cells.front().rect, scales);
  return share;
}

}  // namespace

Interface::Interface() : parts_(std::make_unique<InterfaceParts>()) {}
Interface::~Interface() = default;

Settings& Interface::settings() { return parts_->settings; }
const Settings& Interface::settings() const { return parts_->settings; }

void Interface::draw(const Frame& frame, CommandSink& sink) {
  InterfaceParts& i = *parts_;
  const float scale = i.scale() * frame.pixel_ratio;
  const bool key_map = i.state.key_map;
  i.main.begin(i.settings.palette, scale, (frame.keys_held || i.state.show_keys) && !key_map);
  const bool presents = i.state.presentation;
  if (presents) i.grow_transport(frame);
  i.layout = presents ? arrange_presentation(frame, scale, i.state.transport)
                      : arrange(i.settings, frame, scale, !i.state.plot_window);
  if (!presents) i.state.black = false;
  i.presented = presents;
  i.running = frame.snapshot.state == RunState::running;
  if (!frame.snapshot.present) return;
  i.present = frame.snapshot.present;
  i.state.fields.begin(ImGui::GetTime(), frame.snapshot.error_count, frame.plays);
  i.main.take_keys(!key_map);
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
  const Panel panel = i.panel_of(frame, sink, i.main);
  i.reference = panel.reference_name();
  if (i.main.focus.on() && take_escape(panel)) i.main.focus.remove();
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
    if (const auto place = i.main.widgets.find(text); place != i.main.widgets.end())
      below = std::max(below, place->second.y + place->second.height);
  draw_legend(frame.legend, i.layout.scene, i.settings.palette, scale, &i.main.widgets,
              below + panel.px(3));
  i.covered = covered_share(frame.legend, i.layout.scene, i.settings.split, i.main.widgets);
  say_legend(panel);
  if (!presents) scene_buttons(panel, i.state.plots.hidden_lanes, i.state.cell_alone);
  if (i.settings.columns && !presents) i.left_column(panel);
  if (i.has_right_column()) i.plots_in(panel, i.layout.right);
  const auto of_plots = pointed;
  if (presents && !i.state.transport)
    transport_line(panel, i.state, i.layout.transport);
  else
    transport_panel(panel, i.state, i.layout.transport);
  i.cursor_on_line = i.state.plot_window && pointed != of_plots;
  if (i.settings.columns && !presents) i.splitters(panel);
  message_cards(panel, i.state, i.layout.scene);
  body_card(panel, i.state.card, i.state.fields, i.settings.angles, i.layout.scene);
  if (!i.state.plot_window) i.leave_plot_alone(panel);
  performance_panel(panel, i.state, i.layout.scene);
  field_note(panel, i.state.fields);
  if (i.state.show_keys && take_escape(panel)) i.state.show_keys = false;
  if (!i.state.black) tour_strip(panel, i.layout.tour);
  i.move_focus(panel);
  i.draw_ring_of_search(panel);
  if (frame.tour && !frame.tour->ring.empty()) i.ring(panel, frame.tour->ring);
  if (presents) i.end_presentation(panel);
  key_hints(panel, i.layout.scene, i.has_right_column() ? i.layout.right : Rect{});
  key_map_panel(panel, i.state.key_map);
  i.mouse_captured = frame.hand.acts || i.state.control.held ||
                     (ImGui::IsAnyItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left));
}

void Interface::draw_plots(const Frame& frame, CommandSink& sink, Surface& surface) {
  InterfaceParts& i = *parts_;
  const float scale = i.scale() * frame.pixel_ratio;
  surface.begin(i.settings.palette, scale, frame.keys_held || i.state.show_keys);
  if (!frame.snapshot.present) return;
  surface.take_keys(true);
  i.follow_run(frame);
  const Panel panel = i.panel_of(frame, sink, surface);
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
  InterfaceParts& i = *parts_;
  if (const ReadyPlot* ready = ready_plot(action)) {
    i.switch_plots(*ready);
    return true;
  }
  const InterfaceParts::Handler& handler = InterfaceParts::handler(action);
  if (handler.run) handler.run(i);
  return handler.run;
}

std::optional<bool> Interface::is_checked(Action action) const {
  if (const ReadyPlot* ready = ready_plot(action))
    return parts_->present && shown(*ready, info_of(*parts_->present), parts_->settings.plots);
  const InterfaceParts::Handler& handler = InterfaceParts::handler(action);
  if (!handler.checked) return {};
  return handler.checked(*parts_);
}

int Interface::followed() const { return parts_->state.follow; }
bool Interface::loops() const { return parts_->state.time_line.loop; }

bool Interface::presents() const { return parts_->state.presentation; }

void Interface::set_presentation(bool presents) {
  parts_->state.presentation = presents;
  if (presents) parts_->state.plot_window = false;
}

float Interface::scale() const { return parts_->scale(); }

void Interface::set_loops(bool loops) { parts_->state.time_line.loop = loops; }
bool Interface::time_dragged() const { return parts_->state.time_line.dragged; }
std::optional<std::int64_t> Interface::pictured_step() const {
  return parts_->state.time_line.pictured;
}
bool Interface::performance() const { return parts_->state.performance; }

std::optional<BodyId> Interface::selected() const { return parts_->state.card.selected; }

void Interface::select(std::optional<BodyId> body) { parts_->state.card.selected = body; }

Choices Interface::choices() const {
  const PanelState& state = parts_->state;
  Choices choices{state.card.selected, state.follow, state.plots.hidden_lanes,
                  state.plots.markers, {},           state.control.open,
                  state.plot_window};
  if (!state.plots.time.automatic) choices.times = state.plots.time.range;
  return choices;
}

void Interface::choose(const Choices& choices) {
  PanelState& state = parts_->state;
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
  parts_->settings.reference_run = run;
  parts_->settings.columns = true;
  const std::vector<PlotSpec>& plots = parts_->settings.plots;
  const PlotSpec distance = plot_of(Signal::distance());
  const auto same = [&](const PlotSpec& plot) { return plot.over_time() && plot.y == distance.y; };
  if (std::none_of(plots.begin(), plots.end(), same)) show_plot(distance);
}

void Interface::show_plot(const PlotSpec& plot) {
  parts_->settings.columns = true;
  parts_->state.gallery.open = false;
  std::vector<PlotSpec>& plots = parts_->settings.plots;
  if (std::find(plots.begin(), plots.end(), plot) != plots.end()) return;
  plots.push_back(plot);
  parts_->state.plots.scroll_to_end = true;
}

std::optional<double> Interface::cursor() const { return parts_->state.plots.time.next_cursor; }

int Interface::cell_alone() const { return parts_->state.cell_alone; }

bool Interface::gallery_open() const { return parts_->state.gallery.open; }

const std::string& Interface::moving_preset() const { return parts_->state.gallery.moving; }

bool Interface::takes_arrows() const {
  return parts_->state.control.focused || parts_->main.focus.takes_arrows();
}

bool Interface::takes_presses() const { return parts_->main.focus.on(); }

Rect Interface::scene() const { return parts_->layout.scene; }

float Interface::covered() const { return parts_->covered; }

VisiblePlots Interface::plots() const {
  const PlotsView& view = parts_->state.plots;
  VisiblePlots result{view.time.range,
                      {},
                      parts_->state.plots.hidden_lanes,
                      parts_->reference,
                      view.markers[0],
                      view.markers[1],
                      parts_->look.bodies,
                      view.time.automatic,
                      parts_->settings.reference_lane};
  for (const PlotView& plot : view.plots)
    if (view.alone.empty() || plot.id == view.alone)
      result.plots.push_back({plot.spec, plot.transform(), plot.y.range,
                              plot.spec.over_time() ? view.time.range : plot.x.range, plot.fit,
                              plot.own});
  return result;
}

const std::set<int>& Interface::hidden_lanes() const { return parts_->state.plots.hidden_lanes; }

bool Interface::mouse_captured() const { return parts_->mouse_captured; }

bool Interface::animating() const {
  return parts_->running || parts_->main.animating() || !parts_->main.hover.ringed.empty() ||
         parts_->state.fields.editing() || parts_->state.fields.waiting() ||
         (parts_->state.gallery.open && !parts_->state.gallery.moving.empty());
}

bool Interface::editing() const { return parts_->state.fields.editing(); }

const std::map<std::string, Rect>& Interface::widgets() const { return parts_->main.widgets; }

void Interface::set_spoken(bool on) { parts_->main.set_spoken(on); }

std::span<const SpokenWidget> Interface::spoken() const { return parts_->main.spoken_widgets(); }

void Interface::reveal(const std::string& id) { parts_->main.hover.revealed = id; }

void Interface::point_at(const std::string& section, const std::string& id) {
  InterfaceParts& i = *parts_;
  i.settings.columns = true;
  i.state.gallery.open = false;
  i.state.closed.erase(section);
  if (section == "Parameters") i.state.closed.erase("More");
  i.main.hover.revealed = i.main.hover.ringed = id;
  i.main.hover.ringed_until = 0;
}

void Interface::enter(const std::string& path, std::string text) {
  parts_->state.fields.enter(path, std::move(text));
}

}  // namespace twosphere::ui
