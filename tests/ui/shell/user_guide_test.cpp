// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of actions and gestures in the user guide are those of the program. With
// TWOSPHERE_UPDATE=1 they are written anew.
#include <gtest/gtest.h>

#include <string>

#include "tests/documents.h"
#include "ui/shell/actions.h"
#include "ui/shell/gestures.h"

namespace twosphere::ui::user_guide_test {
namespace {

using test::code, test::head, test::row;

TEST(UserGuide, HasEveryActionWithItsKey) {
  std::string table = head({"menu", "entry", "key", "what it does", "id"});
  for (const ActionInfo& action : actions()) {
    std::string menu(action.menu), key;
    if (!action.submenu.empty()) menu += ", " + std::string(action.submenu);
    if (!action.key.empty()) key = code(action.key);
    if (!action.other_key.empty()) key += ", " + code(action.other_key);
    table += row({menu, std::string(action.label), key, std::string(action.help), code(action.id)});
  }
  test::expect_between("docs/user-guide.md", "<!-- actions, from the menus -->\n", "<!-- end -->",
                       table);
}

TEST(UserGuide, HasEveryGesture) {
  std::string table = head({"on", "what it does", "mouse", "touch"});
  for (const GestureInfo& gesture : gestures())
    table += row({std::string(name(gesture.place)), std::string(gesture.label),
                  std::string(gesture.mouse), std::string(gesture.touch)});
  test::expect_between("docs/user-guide.md", "<!-- gestures -->\n", "<!-- end -->", table);
}

}  // namespace
}  // namespace twosphere::ui::user_guide_test
