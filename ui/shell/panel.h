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

#include "core/output/lane_style.h"
#include "ui/plot/lane_curves.h"
#include "ui/shell/frame.h"
#include "ui/shell/interface_colors.h"
#include "ui/shell/key_focus.h"
#include "ui/shell/spoken.h"
#include "ui/shell/style.h"

/// Shared functions of the panels. Internal to the interface.
namespace twosphere::ui {

/// How long the mouse has rested on an item, for tooltips, and the keys of the items of a frame.
struct HoverState {
  ImVec2 item{-1, -1};
  double since = 0;       // [s]
  int frame = 0;          // the last frame on the item
  bool waiting = false;   // a tooltip will be due
  int frames_wanted = 0;  // frames still needed by new windows to compute their size
  bool escape = false;    // Esc was pressed in this frame and is not handled yet
  bool enter = false;     // Enter was, where no field, list or widget takes it
  bool keys_shown = false;
  std::vector<KeyHint> keys;  // of the visible items of this frame, if keys are shown
  std::string revealed;       // a widget that is scrolled into view when it is drawn; see is_part()
  std::string ringed;         // a widget that the search points at
  double ringed_until = 0;    // [s]
};

/// Whether a widget has this name, or one that continues with [, . or /: "parameter/masses[0]" is a
/// part of "parameter/masses".
bool is_part(std::string_view name, std::string_view whole);

/// The context of every panel, created in each frame.
struct Panel {
  const Frame& frame;
  const Snapshot& snapshot;  ///< the head of the run
  const Snapshot& shown;     ///< the instant shown
  CommandSink& sink;
  const Colors& colors;
  Palette palette;
  std::map<std::string, Rect>& widgets;
  HoverState& hover;
  KeyFocus& focus;
  float scale;  ///< scale of the interface; sizes in the panels are given at scale 1
  LaneColors lane_colors;
  int reference = 0;  ///< the lane that the others are compared with
  BodyLook bodies{};
  Spoken* spoken = nullptr;   ///< for a screen reader; null while there is none
  std::uint64_t gesture = 0;  ///< Change::gesture
  bool presentation = false;  ///< large, and with little beside the scene

  /// Whether edits change the start of the run. The picture may still be of the start when the run
  /// is past it.
  bool edits_start() const { return !frame.in_past && snapshot.edits_start; }
  /// The number of results that can be compared: lanes, and other runs of this start.
  int compared() const {
    return static_cast<int>(snapshot.lanes.size() + frame.branches.size()) -
           (frame.branches.empty() ? 0 : 1);
  }
  /// The run that distances are measured from; null if there is only one.
  const BranchView* reference_run() const {
    for (const BranchView& branch : frame.branches)
      if (branch.reference) return &branch;
    return nullptr;
  }
  /// Whether distances are measured from that run and not, as in the present one if it has several
  /// lanes, from the reference lane.
  bool reference_is_run() const {
    const BranchView* run = reference_run();
    return run && (snapshot.lanes.size() == 1 || !run->present);
  }
  /// The name of what distances are measured from.
  std::string reference_name() const {
    if (reference_is_run()) return reference_run()->look.name;
    const auto index = static_cast<std::size_t>(reference);
    return index < snapshot.lanes.size() ? snapshot.lanes[index].title() : std::string();
  }
  float px(float size) const { return size * scale; }
  /// The style of a lane of the run while it uses `integrator`.
  LaneStyle lane(int index, std::string_view integrator) const {
    return lane_style(snapshot.present->lanes, index, integrator, palette, lane_colors);
  }
  /// Sends a change of a setting.
  void set(std::string path, json::Node value) const {
    sink.command(Change{{{std::move(path), std::move(value)}}, gesture});
  }
  /// Requests a few more frames, because the current window has just appeared.
  void request_frames() const;
  /// Registers the last item as a widget that is pressed, by the mouse or by keys: see KeyFocus.
  void mark(std::string name) const;
  /// The same for a field that text is typed in; `field`: NumberField::path, if it is one.
  void mark_text(std::string name, std::string_view field = {}) const;
  /// The same for what responds to the mouse alone.
  void mark_area(std::string name) const;
  void mark(std::string name, const Rect& rect) const;
  /// Says to a screen reader what the widget registered last is. `on`: it is checked, chosen or
  /// expanded; none: it cannot be.
  void say(Role role, std::string_view name, std::string_view value = {},
           std::optional<bool> on = {}) const;
  /// The widget registered last, to describe it further; null without a screen reader.
  SpokenWidget* said() const { return spoken ? spoken->last() : nullptr; }
  /// Says a text that is drawn in the rectangle.
  void tell(const char* id, const Rect& rect, std::string_view name, std::string_view value = {},
            Role role = Role::label) const;

 private:
  /// Scrolls the last item into view if it is to be revealed.
  void reveal_item(std::string_view name, const Rect& rect) const;
};

/// Titles of collapsed sections.
using ClosedSections = std::set<std::string, std::less<>>;
/// A title that collapses or expands its section; returns whether it is expanded.
bool section(const Panel& panel, ClosedSections& closed, const char* title);
/// Begins a drop-down list at the cursor with the text `preview`, in a smaller font and up to two
/// lines if it does not fit; Esc closes it. If it returns true, call EndCombo() after the items.
bool begin_list(const char* id, const std::string& preview, float width, ImGuiComboFlags flags = 0);
/// An item of an open list, registered by this name; `chosen`: it is the present one.
bool list_item(const Panel& panel, const std::string& label, const std::string& name, bool chosen);
/// A button, registered by this name. A screen reader says `spoken`, else the label, of which "##"
/// and the rest are for Dear ImGui alone.
bool push_button(const Panel& panel, const std::string& label, const std::string& name,
                 ImVec2 size = {0, 0}, std::string_view spoken = {});
/// The same for an action, which it explains and, when it is pressed, performs.
bool action_button(const Panel& panel, const std::string& label, const std::string& name,
                   Action action, ImVec2 size = {0, 0}, std::string_view spoken = {});
/// A check box, registered and spoken as a button.
bool check_box(const Panel& panel, const std::string& label, const std::string& name, bool& value,
               std::string_view spoken = {});
/// Whether Esc was pressed and not handled yet; marks it as handled.
bool take_escape(const Panel& panel);
/// Tooltip of the last item, shown after the mouse has rested for a moment, with equations below
/// the text: see draw_equations().
void tooltip(const Panel& panel, const std::string& text, std::string_view equations = {});
/// The same without waiting, wherever the mouse is: for an item that the keys have chosen.
void tooltip_at_once(const Panel& panel, const std::string& text, std::string_view equations = {});
/// Explains the last item, which performs an action: its help, its key and `more` in a tooltip, and
/// its key while keys are shown.
void explain(const Panel& panel, Action action, const std::string& more = {});
/// The same for an item that does what Esc does.
void explain_escape(const Panel& panel, const std::string& help = {});
/// Shows at the last item the key that does the same, while keys are shown.
void hint_key(const Panel& panel, std::string_view key);
/// The text truncated to a width with an ellipsis, in the current font.
std::string elided(std::string_view text, float width);
/// The text wrapped to a width, in at most `max_rows` lines; a truncated last line ends in an
/// ellipsis. In the current font.
std::vector<std::string> wrapped(std::string_view text, float width, int max_rows);
/// The label of a row of widgets, aligned with their text, `width` wide: a name and its unit in a
/// dimmer colour.
void row_label(const Panel& panel, const std::string& name, std::string_view unit, float width);
/// A row of a name and a value in a small font, which begins at the same place in every row; a
/// screen reader hears it as `id` and the name.
void value_row(const Panel& panel, const char* id, const std::string& name,
               const std::string& value);
/// A sentence below such rows, dim and wrapped; a widget of this name.
void note(const Panel& panel, const std::string& id, const std::string& text);
/// "q₁·e₁"
std::string component(std::string_view symbol, int axis);
}  // namespace twosphere::ui
