// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/workspace_pool.h"

#include <gtest/gtest.h>

namespace twosphere::test::workspace_pool_test {
namespace {

struct Note {
  int text = 0;
};

TEST(WorkspacePool, GivesWhatSuitsOrANewOneOrTheOneReturnedFirst) {
  Pool<Note> pool;
  const auto take = [&](int text) {
    return pool.take_suitable(3, [&](const Note& note) { return note.text == text; });
  };
  // Three different ones, returned in this order.
  for (const int text : {1, 2, 3}) {
    const auto note = take(text);
    EXPECT_EQ(note->text, 0);
    note->text = text;
  }
  // Those that suit, whenever they were returned.
  EXPECT_EQ(take(1)->text, 1);
  EXPECT_EQ(take(3)->text, 3);
  EXPECT_EQ(take(1)->text, 1);
  // Now 2 is the one returned first.
  {
    const auto note = take(4);
    EXPECT_EQ(note->text, 2);
    note->text = 4;
    // While it is in use the others are free, and there may be more than three at once.
    const auto first = take(5), second = take(5), third = take(5);
    EXPECT_EQ(first->text, 3);
    EXPECT_EQ(second->text, 1);
    EXPECT_EQ(third->text, 0);
  }
  EXPECT_EQ(take(4)->text, 4);
  EXPECT_EQ(pool.take()->text, 4);
}

}  // namespace
}  // namespace twosphere::test::workspace_pool_test
