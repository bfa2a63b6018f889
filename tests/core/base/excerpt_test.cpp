// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/excerpt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/outcome.h"

namespace twosphere::excerpt_test {
namespace {

TEST(Excerpt, shows_the_character) {
  EXPECT_EQ(excerpt("a + b", 0), "");
  EXPECT_EQ(excerpt("a + b", 1), "\n    a + b\n    ^");
  EXPECT_EQ(excerpt("a + b", 6), "\n    a + b\n         ^") << "behind the end";
  EXPECT_EQ(excerpt("a\n× + b", 5), "\n    × + b\n      ^") << "in characters, not bytes";
  EXPECT_EQ(excerpt("q\u0307 + b", 4), "\n    q\u0307 + b\n      ^") << "accents have no width";
  EXPECT_EQ(excerpt("a\tb", 3), "\n    a b\n      ^");
  EXPECT_EQ(excerpt("\x1b[2J\u009b", 2), "\n    \\u001b[2J\\u009b\n          ^")
      << "nothing that a terminal obeys";
  const std::string shown = excerpt(fmt::format("{:a>500}{:c<501}", "", "b"), 501);
  const auto second = shown.find("\n    ", 1);
  EXPECT_LT(second, 100U);
  // The ellipsis has three bytes.
  EXPECT_EQ(shown[shown.find('^') - second + 2], 'b') << shown;
  EXPECT_EQ(shown.rfind("\n    …", 0), 0U);
  EXPECT_TRUE(test::says(shown, "c…\n"));
}

TEST(Excerpt, escapes_what_is_not_seen) {
  EXPECT_EQ(printable("k*\u03b1·q\t+ 2\n"), "k*\u03b1·q + 2 ");
  EXPECT_EQ(printable("\u202ea\u2066b\u2069\u200f"), "\\u202ea\\u2066b\\u2069\\u200f")
      << "the direction of writing";
  EXPECT_EQ(printable("\u200b\u2028\ufeff\u00ad"), "\\u200b\\u2028\\ufeff\\u00ad");
  EXPECT_EQ(printable("\x7f\u0085\x07"), "\\u007f\\u0085\\u0007");
  EXPECT_EQ(printable("a\U000e0041\ufff9\u180e"), "a\\U000e0041\\ufff9\\u180e") << "tags";
  EXPECT_EQ(printable("\u0301\U0001f600"), "\u0301\U0001f600");
  EXPECT_EQ(printable_lines("\u202ekey\tvalue\nω\u009b\r\n"), "\\u202ekey\tvalue\nω\\u009b \n");
}

}  // namespace
}  // namespace twosphere::excerpt_test
