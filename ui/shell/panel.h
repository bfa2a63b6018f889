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

#include "ui/plot/lane_curves.h"
#include "ui/plot/lane_style.h"
#include "ui/shell/frame.h"
#include "ui/shell/palette.h"
#include "ui/shell/style.h"

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

/// Titles of sections that are folded up.
using ClosedSections = std::set<std::string, std::less<>>;
/// A title that folds its section; whether it is open.
bool section(const Panel& panel, ClosedSections& closed, const char* title);
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
}  // namespace twosphere::ui
