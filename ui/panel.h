// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/gallery.h"
#include "ui/interface.h"
#include "ui/lane_curves.h"
#include "ui/lane_style.h"
#include "ui/number_field.h"
#include "ui/plot.h"
#include "ui/plot_legend.h"
#include "ui/plot_menu.h"
#include "ui/style.h"

/// What the panels share. Internal to the interface.
namespace twosphere::ui {

/// How long the mouse has rested on an item: tooltips wait for it.
struct Rest {
  ImVec2 item{-1, -1};
  double since = 0;      // [s]
  int frame = 0;         // when it was last seen there
  bool waiting = false;  // a tooltip is due soon
  int settling = 0;      // frames that windows which just appeared still need to find their size
  bool escape = false;   // Esc went down in this frame, and nothing has closed by it yet
};

/// What every panel draws from, made anew each frame.
struct Panel {
  const Frame& frame;
  const Snapshot& snapshot;
  CommandSink& sink;
  const Colors& colors;
  Palette palette;
  std::map<std::string, Rect>& widgets;
  Rest& rest;
  float scale;  ///< of the interface: sizes below are for scale 1
  LaneColors lane_colors;
  int reference = 0;  ///< the lane that others are compared with
  BodyLook bodies{};

  /// What the reference lane is called.
  std::string reference_name() const {
    const auto index = static_cast<std::size_t>(reference);
    return index < snapshot.lanes.size() ? snapshot.lanes[index].name : std::string();
  }
  float px(float size) const { return size * scale; }
  LaneStyle lane(std::string_view integrator) const {
    return lane_style(integrator, palette, lane_colors);
  }
  /// Of one among the run's lanes where `integrator` made it.
  LaneStyle lane(int index, std::string_view integrator) const {
    return lane(look(snapshot.present->lanes, index, integrator));
  }
  /// Orders a setting.
  void set(std::string path, json::Node value) const {
    sink.command(Change{{{std::move(path), std::move(value)}}});
  }
  /// Asks for a few more frames: the present window has just appeared.
  void settle() const;
  /// Enters the last item into the registry of widgets.
  void mark(std::string name) const;
  void mark(std::string name, const Rect& rect) const { widgets[std::move(name)] = rect; }
};

inline const std::set<std::string, std::less<>> folded_at_first{"About this system", "Start",
                                                                "View"};

/// What the user arranged inside the panels; not kept over sessions.
struct PanelState {
  std::set<std::string, std::less<>> closed = folded_at_first;  ///< sections folded up
  NumberFields fields;
  PlotsView plots;
  std::set<int> hidden_lanes;
  std::set<std::string, std::less<>> opened;             ///< parameters with a field for each body
  std::optional<std::pair<int, std::string>> lane_name;  ///< being typed, of this lane
  bool add_lane = false;                                 ///< the next frame adds one
  bool key_map = false;
  int follow = -1;  ///< the body that the camera follows, from 0; -1: none
  Gallery gallery;
  std::optional<BodyId> selected;
  bool card_left = false;  ///< where the selected body's card is
  float card_height = 0;   ///< as of the last frame [px]
  bool performance = false;
  /// Generation of the run, and so many of its warnings whose cards were closed.
  std::pair<std::uint64_t, std::size_t> dismissed_warnings{};
  std::uint64_t dismissed_errors = 0;  ///< Snapshot::error_count up to which the card was closed
  SignalChoice choice;
  SegmentFigures figures;
  std::optional<std::uint64_t> dismissed_refusal;  ///< Snapshot::commands when its card was closed
  std::uint64_t dismissed_check = 0;  ///< StepCheck::number of the card that was closed
  /// Generation and step of the stop whose card was closed.
  std::optional<std::pair<std::uint64_t, std::int64_t>> dismissed_stop;
  std::shared_ptr<const Scenario> original;     ///< as loaded: what a value is reset to
  std::shared_ptr<const Scenario> upcoming;     ///< the settings as they will be after a rewind
  std::shared_ptr<const Scenario> before_drag;  ///< the same, as they were when a drag began
};

/// Left column.
void system_panel(const Panel& panel, PanelState& state);
/// Equations, symbols, what to look at, what the paper prints.
void about_panel(const Panel& panel, PanelState& state);
void parameters_panel(const Panel& panel, PanelState& state);
/// Where the run begins: q and ω of every body.
void start_panel(const Panel& panel, PanelState& state);
/// What waits for a rewind, if anything does.
void pending_line(const Panel& panel);
/// The lanes: method, step, parameters, name of each; `reference` is the one others are compared
/// with.
void integrator_panel(const Panel& panel, PanelState& state, int& reference);
/// How long, and how often samples are taken.
void run_panel(const Panel& panel, PanelState& state);
/// Conditions that pause the run.
void stop_panel(const Panel& panel, PanelState& state);
/// What a field has to say: why a number was refused, or where dragging ends.
void field_note(const Panel& panel, const PanelState& state);
/// What the scene shows and how.
void view_panel(const Panel& panel, PanelState& state, Settings& settings);
/// Right column.
void plots_panel(const Panel& panel, PanelState& state, std::vector<PlotSpec>& plots);
/// What plots say before there is anything to show: how to run, or why there is nothing.
std::string invitation(const Snapshot& snapshot);
/// Under the scene.
void transport_panel(const Panel& panel, const Rect& place);
/// How many rows it takes where the scene has such a width, and what the second one adds to its
/// height, logical pixels at scale 1.
int transport_rows(float width);
inline constexpr float transport_second_row = 22;
/// Title, time, labels of the corner axes; nothing in it takes the mouse.
void scene_overlay(const Panel& panel, const Rect& scene);
/// The numbers of the selected body.
void body_card(const Panel& panel, PanelState& state, const Rect& scene);
/// What steps and frames cost, in a corner of the scene, if that is asked for.
void performance_panel(const Panel& panel, const PanelState& state, const Rect& scene);
/// A refused step or a command that failed: what, where, what to do.
void message_cards(const Panel& panel, PanelState& state, const Rect& scene);
/// Every key and what the mouse does, over everything else.
void key_map_panel(const Panel& panel, PanelState& state);

/// A title that folds its section; whether it is open.
bool section(const Panel& panel, PanelState& state, const char* title);
/// A drop-down list at the cursor, of which `preview` is in sight, where it has no room in smaller
/// letters and up to two lines; Esc closes it. EndCombo() after its items, if it is open.
bool begin_list(const char* id, const std::string& preview, float width, ImGuiComboFlags flags = 0);
/// Whether Esc was pressed and is nobody's yet; afterwards it is the caller's.
bool take_escape(const Panel& panel);
/// Tooltip of the last item, after a short rest of the mouse.
void tooltip(const Panel& panel, const std::string& text);
/// The tooltip of what an action does, with its key.
std::string explain(Action action);
/// The text cut to a width, with an ellipsis. In the present font.
std::string elided(std::string_view text, float width);
/// The text in lines of a width, `most` at most; what does not fit into the last one ends in an
/// ellipsis. In the present font.
std::vector<std::string> wrapped(std::string_view text, float width, int most);
/// Text beside widgets in a row, on the same line of writing, `width` wide: a name and its unit in
/// a dimmer tone.
void row_label(const Panel& panel, const std::string& name, std::string_view unit, float width);
/// "m₁"
std::string with_index(std::string_view symbol, int index);
/// "q₁·e₁"
std::string component(std::string_view symbol, int axis);
/// A piece of a lane's line with its marker, `width` long, from the left.
void swatch(ImDrawList& list, ImVec2 from, float width, const LaneStyle& style, float scale);
/// What a field for numbers says of itself.
/// `limited`: no number outside the range can be typed. `whole`: it counts something.
std::string explain(const ParameterInfo& info, const std::string& symbol, bool limited = false,
                    bool whole = false);

}  // namespace twosphere::ui
