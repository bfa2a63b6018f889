// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/fuzzy.h"

#include <gtest/gtest.h>

#include "ui/shell/actions.h"

namespace twosphere::ui::fuzzy_test {
namespace {

std::string_view best(std::string_view typed) {
  std::string_view label;
  int most = 0;
  for (const ActionInfo& a : actions())
    if (const auto score = fuzzy_score(typed, a.label); score && (label.empty() || *score > most)) {
      most = *score;
      label = a.label;
    }
  return label;
}

TEST(Fuzzy, LettersComeInOrder) {
  EXPECT_TRUE(fuzzy_score("svst", "Save state…"));
  EXPECT_TRUE(fuzzy_score("SAVE", "Save state…"));
  EXPECT_TRUE(fuzzy_score("s s", "Save state…"));
  EXPECT_FALSE(fuzzy_score("tsave", "Save state…"));
  EXPECT_FALSE(fuzzy_score("x", "Save"));
  EXPECT_FALSE(fuzzy_score("saves", "Save"));
  EXPECT_FALSE(fuzzy_score("a", ""));
  EXPECT_EQ(fuzzy_score("", "anything"), 0);
  EXPECT_TRUE(fuzzy_score("₁", "View along e₁"));
}

TEST(Fuzzy, StartsOfWordsAndRowsAreBetter) {
  EXPECT_GT(fuzzy_score("st", "Save state"), fuzzy_score("st", "Last"));
  EXPECT_GT(fuzzy_score("play", "Play or pause"), fuzzy_score("play", "Place all day"));
  EXPECT_GT(fuzzy_score("save", "Save"), fuzzy_score("save", "Save as…"));
  EXPECT_GT(fuzzy_score("rw", "Real world"), fuzzy_score("rw", "Narrow"));
}

TEST(Fuzzy, FindsActionsByTheirFirstLetters) {
  EXPECT_EQ(best("rewi"), "Rewind");
  EXPECT_EQ(best("undo"), "Undo");
  EXPECT_EQ(best("save as"), "Save as…");
  EXPECT_EQ(best("hc"), "High contrast");
  EXPECT_EQ(best("full"), "Full screen");
  EXPECT_EQ(best("video"), "Record video…");
  EXPECT_EQ(best("zzz"), "");
}

}  // namespace
}  // namespace twosphere::ui::fuzzy_test
