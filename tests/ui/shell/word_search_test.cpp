// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/word_search.h"

#include <gtest/gtest.h>

#include "ui/shell/actions.h"

namespace twosphere::ui::word_search_test {
namespace {

std::string_view best(std::string_view typed, Spelling spelling = Spelling::exact) {
  std::string_view label;
  int most = 0;
  for (const ActionInfo& a : actions())
    if (const auto score = word_score(typed, a.label, spelling);
        score && (label.empty() || *score > most)) {
      most = *score;
      label = a.label;
    }
  return label;
}

TEST(WordSearch, FindsWordsAndHowTheyBegin) {
  EXPECT_TRUE(word_score("save", "Save state…"));
  EXPECT_TRUE(word_score("STA sa", "Save state…"));
  EXPECT_TRUE(word_score("₁", "View along ₁"));
  EXPECT_FALSE(word_score("ave", "Save state…"));
  EXPECT_FALSE(word_score("saves", "Save"));
  EXPECT_FALSE(word_score("a", ""));
  EXPECT_EQ(word_score("", "anything"), 0);
  EXPECT_FALSE(word_score("svst", "Save state…")) << "letters alone are no answer";
  EXPECT_FALSE(word_score("web", "Follow the next body"));
}

TEST(WordSearch, OneLetterMayBeWrong) {
  const auto found = [](std::string_view typed) {
    return word_score(typed, "Record video…", Spelling::with_typos).has_value();
  };
  for (const std::string_view typed : {"vidoe", "vdeo", "viddeo", "vifeo", "recrod", "videos"})
    EXPECT_TRUE(found(typed)) << typed;
  EXPECT_FALSE(word_score("vidoe", "Record video…"));
  for (const std::string_view typed : {"vdo", "vdoe", "wideon", "rercod v"})
    EXPECT_FALSE(found(typed)) << typed;
  EXPECT_GT(word_score("video", "Record video…", Spelling::with_typos),
            word_score("vidoe", "Record video…", Spelling::with_typos));
}

TEST(WordSearch, WholeWordsAndFirstOnesAreBetter) {
  EXPECT_GT(word_score("play", "Play or pause"), word_score("play", "Playing rules"));
  EXPECT_GT(word_score("save", "Save"), word_score("save", "Save as…"));
  EXPECT_GT(word_score("state", "State of it"), word_score("state", "Save state"));
}

TEST(WordSearch, FindsActions) {
  EXPECT_EQ(best("rewi"), "Rewind");
  EXPECT_EQ(best("undo"), "Undo");
  EXPECT_EQ(best("save as"), "Save as…");
  EXPECT_EQ(best("full"), "Full screen");
  EXPECT_EQ(best("video"), "Record video…");
  EXPECT_EQ(best("exponets", Spelling::with_typos), "Lyapunov exponents");
  EXPECT_EQ(best("zzz", Spelling::with_typos), "");
}

}  // namespace
}  // namespace twosphere::ui::word_search_test
