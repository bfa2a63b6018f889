// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/actions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace twosphere::ui {

namespace {

/// The position of an action in the menus.
struct Place {
  std::string_view menu, submenu;
  bool separator = false, scene_needed = true, held = false;

  constexpr Place below_line() const {
    Place place = *this;
    place.separator = true;
    return place;
  }
  constexpr Place without_scene() const {
    Place place = *this;
    place.scene_needed = false;
    return place;
  }
  constexpr Place while_held() const {
    Place place = *this;
    place.held = true;
    return place;
  }
};
constexpr Place in(std::string_view menu, std::string_view submenu = {}) { return {menu, submenu}; }

struct Keys {
  std::string_view key, other{};
  constexpr Keys(const char* one, const char* two = "") : key(one), other(two) {}
};
constexpr Keys keys(const char* key, const char* other) { return {key, other}; }

constexpr ActionInfo record(Action action, std::string_view id, const Place& place,
                            std::string_view label, const Keys& keys, std::string_view help,
                            std::string_view group) {
  return {action,
          id,
          place.menu,
          place.submenu,
          place.separator,
          !place.scene_needed,
          place.held,
          label,
          keys.key,
          keys.other,
          help,
          group};
}

constexpr std::array table{
#define CHOICE(variable, ...) #variable
#define ACTION(name, place, label, key, help, ...) \
  record(Action::name, #name, place, label, key, help, "" __VA_ARGS__),
#include "ui/shell/action_list.h"
};

}  // namespace

std::span<const ActionInfo> actions() { return table; }

const ActionInfo& info(Action action) { return table[static_cast<std::size_t>(action)]; }

const ActionInfo* find_action(std::string_view id) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const ActionInfo& a) { return a.id == id; });
  return found == table.end() ? nullptr : &*found;
}

Action arrow_action(BodyVector vector) {
  const ActionInfo* const found =
      find_action("arrows_" + std::string(body_vectors()[static_cast<std::size_t>(vector)].key));
  assert(found);
  return found->action;
}

}  // namespace twosphere::ui
