// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/shell/frame.h"

/// The words of a screen reader about the widgets of the panels, collected while there is one.
namespace twosphere::ui {

/// The kind of a widget.
enum class Role {
  label,
  alert,
  heading,  ///< of a section; a press expands or collapses it
  button,
  check_box,
  number,
  text,
  list,  ///< a drop-down list
  item,  ///< of a list, a menu or the page of presets
  slider,
  plot,
  scene
};

/// A widget as a screen reader describes it.
struct SpokenWidget {
  std::string id;              ///< "parameter/gravity"
  Rect rect;                   ///< [pixels of the screen, in the view]
  Rect seen;                   ///< the part that is not scrolled out of view; width 0: nothing
  bool operable = false;       ///< it responds to the mouse
  std::optional<Role> role{};  ///< none: it is not described
  std::string name{};          ///< "Mass m₁ [kg]"
  std::string value{};         ///< "0.1"
  std::string description{};   ///< its help
  bool enabled = true;
  bool focused = false;                 ///< keys act on it: it receives text, or has KeyFocus
  std::optional<bool> on{};             ///< checked, chosen or expanded; none: it cannot be
  std::string path{};                   ///< of a number field: NumberField::path
  double number = 0, min = 0, max = 0;  ///< of a number field, with its usual range
};

/// The rectangle of the last item of ImGui.
Rect item_rect();
/// The part of a rectangle that is not scrolled out of view; width 0: nothing.
Rect visible_part(const Rect& rect);

/// The widgets of a frame in reading order.
class Spoken {
 public:
  void begin() { widgets_.clear(); }
  /// Registers the last item of ImGui.
  void add_item(const std::string& id, const Rect& rect);
  /// Registers something that does not respond to the mouse.
  void add(const std::string& id, const Rect& rect) { widgets_.push_back({id, rect, rect}); }
  /// The widget registered last; null if there is none.
  SpokenWidget* last() { return widgets_.empty() ? nullptr : &widgets_.back(); }
  /// Sets the description of the last item of ImGui if it is the widget registered last.
  void describe(std::string_view description);
  /// Makes it a button of this name if it has no role or no name yet.
  void name_button(std::string_view name);
  const std::vector<SpokenWidget>& widgets() const { return widgets_; }

  std::string part;  ///< "RK4": what the following widgets belong to; empty: nothing

 private:
  /// The widget registered last if it is the last item of ImGui; else null.
  SpokenWidget* last_item();

  std::vector<SpokenWidget> widgets_;
  unsigned item_ = 0;  // id in ImGui of the widget registered last; 0: none
};

}  // namespace twosphere::ui
