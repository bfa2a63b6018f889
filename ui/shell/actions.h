// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/observe/body_quantity.h"

namespace twosphere::ui {

/// Everything a user can order besides editing a value: the records of ui/shell/action_list.h.
enum class Action {
#define ACTION(name, ...) name,
#include "ui/shell/action_list.h"
};

/// What menus, keys and help say of an action.
struct ActionInfo {
  Action action;
  std::string_view id;    ///< "play_pause": stable, for tests
  std::string_view menu;  ///< "Simulation"
  std::string_view submenu;
  bool separator_before;
  bool without_scene;          ///< makes sense where the scene cannot be drawn, too
  std::string_view label;      ///< "Start or pause"
  std::string_view key;        ///< "Space", in the portable notation of key sequences; may be empty
  std::string_view other_key;  ///< does the same
  std::string_view help;       ///< one line
  /// Actions of one group exclude one another: one of them holds. Empty: of none.
  std::string_view group;
};

/// In the order of the menus.
std::span<const ActionInfo> actions();
const ActionInfo& info(Action action);
/// Shows or hides the arrows of a vector.
Action arrow_action(BodyVector vector);

}  // namespace twosphere::ui
