// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/comma_list.h"
#include "tests/outcome.h"

namespace twosphere::text_test {
namespace {

TEST(Text, SymbolsHaveNumbersAsSubscripts) {
  EXPECT_EQ(with_index("m", 1), "m₁");
  EXPECT_EQ(with_index("ω", 1024), "ω₁₀₂₄");
  EXPECT_EQ(with_index("κ₁,", 90), "κ₁,₉₀");
}

TEST(Text, OnlyAFirstLetterIsCapitalised) {
  EXPECT_EQ(capitalised("energy error"), "Energy error");
  EXPECT_EQ(capitalised("Energy"), "Energy");
  EXPECT_EQ(capitalised("3 bodies"), "3 bodies");
  EXPECT_EQ(capitalised("ω of a body"), "ω of a body");
  EXPECT_EQ(capitalised(""), "");
}

TEST(Text, IsSplitAndCounted) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(count_characters("ω₁ = 2"), 6);
}

TEST(Text, ItemsHaveTextsInAListOrInOne) {
  using Item = std::pair<std::string, int>;
  const std::vector<Item> items{{"one", 1}, {"two", 2}};
  EXPECT_EQ(texts_of(items, &Item::first), (std::vector<std::string>{"one", "two"}));
  const auto number = [](const Item& item) { return std::to_string(item.second); };
  EXPECT_EQ(joined(items, ", ", number), "1, 2");
  EXPECT_EQ(joined(std::vector<Item>(), ", ", number), "");
}

TEST(Text, IsCutToFit) {
  int asked = 0;
  const auto cut = [&](const std::string& text, int most) {
    asked = 0;
    return cut_to_fit(text, [&](const std::string& part) {
      ++asked;
      return count_characters(part) <= most;
    });
  };
  EXPECT_EQ(cut("ωωωω", 4), "ωωωω");
  EXPECT_EQ(cut("ωωωωω", 4), "ωωω…");
  EXPECT_EQ(cut("ωa₁𝑞b", 4), "ωa₁…");
  EXPECT_EQ(cut("one two three", 5), "one…");
  EXPECT_EQ(cut("one two three", 6), "one t…");
  EXPECT_EQ(cut("ωω", 1), "…");
  EXPECT_EQ(cut("ab", 1), "…");
  EXPECT_EQ(cut("ab", 0), "");
  EXPECT_EQ(cut("", 0), "");
  const std::string title(30'000, 'x');
  EXPECT_EQ(cut(title, 40), title.substr(0, 39).append("…"));
  EXPECT_LT(asked, 20);
}

TEST(Text, AListOfTheCommandLineHasAValueBesideEveryComma) {
  EXPECT_EQ(test::value_of(comma_list("rk4,rk2")), (std::vector<std::string>{"rk4", "rk2"}));
  EXPECT_EQ(test::value_of(comma_list("rk4")), std::vector<std::string>{"rk4"});
  for (const auto& [text, place] :
       {std::pair("", 1), {",", 1}, {"a,,", 2}, {"a, ,b", 2}, {"a,", 2}})
    EXPECT_EQ(test::error_of(comma_list(text)).message,
              fmt::format("\"{}\": value {} of the list is missing", text, place));
}

TEST(Text, IsUtf8InTheShortestFormsOnly) {
  for (const char* text : {"", "q = 1", "ω₁", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\xff", "a\xce", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Text, CharactersHaveCodePoints) {
  for (const auto& [text, length, code] : {std::tuple("q = 1", 1U, 0x71U),
                                           {"é", 2U, 0xe9U},
                                           {"₁ = 2", 3U, 0x2081U},
                                           {"𝑞", 4U, 0x1d45eU}}) {
    EXPECT_EQ(first_character(text).size(), length) << text;
    EXPECT_EQ(code_point(first_character(text)), char32_t{code}) << text;
  }
}

}  // namespace
}  // namespace twosphere::text_test
