// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/xml.h"

#include <gtest/gtest.h>

#include <string>

namespace twosphere::xml_test {
namespace {

TEST(Xml, HoldsTextsInElementsAndAttributes) {
  EXPECT_EQ(xml_text("a & b < c > \"d\" é 𝑞"), "a &amp; b &lt; c &gt; &quot;d&quot; é 𝑞");
  EXPECT_EQ(xml_text("a\tb\nc\rd"), "a&#9;b&#10;c&#13;d") << "an attribute would lose them";
}

TEST(Xml, ReplacesWhatItHasNoCharacterFor) {
  EXPECT_EQ(xml_characters("a\x01z\x1f"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(xml_characters(std::string("\0", 1)), "\uFFFD");
  EXPECT_EQ(xml_characters("\x7f\t\n\r"), "\x7f\t\n\r");
  EXPECT_EQ(xml_characters("\uFFFE \uFFFF \uFFFD"), "\uFFFD \uFFFD \uFFFD");
  // No UTF-8: bytes alone, too long forms, surrogates, beyond the last character.
  for (const char* wrong : {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf5\x80\x80\x80", "\xf4\x90\x80\x80"})
    EXPECT_EQ(xml_characters(wrong), "\uFFFD") << wrong;
  EXPECT_EQ(xml_characters("\xf4\x8f\xbf\xbd é"), "\xf4\x8f\xbf\xbd é");
}

}  // namespace
}  // namespace twosphere::xml_test
