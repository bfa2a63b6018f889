// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/output/body_quantity.h"

namespace twosphere::ui {

/// The user commands other than editing a value: the records of ui/shell/action_list.h.
enum class Action {
#define ACTION(name, ...) name,
#include "ui/shell/action_list.h"
};

/// The text of an action in menus, key map and help.
struct ActionInfo {
  Action action;
  std::string_view id;    ///< "play_pause": stable, for tests
  std::string_view menu;  ///< "Simulation"
  std::string_view submenu;
  bool separator_before;
  bool without_scene;  ///< also available if the scene cannot be drawn
  /// In the view its keys act while they are held; elsewhere they are shortcuts.
  bool held;
  std::string_view label;  ///< "Play or pause"
  std::string_view key;    ///< "Space", in Qt's portable notation of key sequences; may be empty
  std::string_view other_key;  ///< alternative key
  std::string_view help;       ///< one line
  /// Exactly one action of a group is checked. Empty: no group.
  std::string_view group;
};

/// In the order of the menus.
std::span<const ActionInfo> actions();
const ActionInfo& info(Action action);
/// By its id; null if there is none.
const ActionInfo* find_action(std::string_view id);
/// Shows or hides the arrows of a vector.
Action arrow_action(BodyVector vector);

}  // namespace twosphere::ui
