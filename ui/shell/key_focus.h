// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ui/shell/frame.h"
#include "ui/shell/interface_colors.h"

namespace twosphere::ui {

/// Draws a ring around a rectangle, above everything.
void draw_ring(const Rect& rect, const Colors& colors, float scale);

/// The keyboard focus of the panels. Tab and Shift+Tab move it through the widgets in reading
/// order, the first Tab to the first number field, or where begin_at() says; Space and Enter press
/// the widget that has it, Esc or a click removes it. While a list or a menu is open, the focus
/// stays inside, and the arrow keys move it, too. A field that receives text has the focus by
/// itself.
class KeyFocus {
 public:
  /// The action of the focus when it reaches a widget.
  enum class Kind { press, type };

  /// Call once per frame before the widgets. `popup`: a list or a menu is open. `keys`: Tab belongs
  /// to the panels in this frame.
  void begin(bool popup, bool keys);
  /// Registers the last item of ImGui; `field`: the path of a number field.
  void add(const std::string& id, Kind kind, std::string_view field = {});
  /// The first Tab goes to this widget, in this frame.
  void begin_at(std::string id) { first_ = std::move(id); }
  /// Call after the widgets. Returns the number field that begins to receive text.
  std::optional<std::string> end();
  /// Draws a ring around the widget that has the focus, above everything.
  void draw(const Colors& colors, float scale) const;

  /// Whether a widget waits for Space or Enter.
  bool on() const { return on_ && !typing_; }
  /// Whether this one does.
  bool on(std::string_view id) const { return on() && id == id_; }
  /// Whether the arrow keys move the focus.
  bool takes_arrows() const { return on() && popup_; }
  /// Removes the focus; the next Tab is a first one again.
  void remove();

 private:
  struct Stop {
    std::string id;
    Kind kind = Kind::press;
    std::string field;  // path of a number field
    Rect seen;          // the part that is not scrolled out of view
    unsigned item = 0;  // id in ImGui
    bool in_popup = false;
  };
  const Stop* stop(std::string_view id) const;
  std::optional<std::string> move(int by);
  void press(const Stop& stop);

  std::vector<Stop> stops_;  // of this frame, in reading order, if they are needed
  std::string id_;           // the widget that has the focus, or had it last
  std::string first_;        // see begin_at()
  std::string outer_;        // the widget that had it before a list or a menu opened
  bool on_ = false;
  bool typing_ = false;  // a field receives text in this frame
  bool popup_ = false;
  bool keys_ = false;
  bool wanted_ = false;  // whether the widgets of this frame are needed
  bool reveal_ = false;  // the widget is to be scrolled into view
};

}  // namespace twosphere::ui
