// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>
#include <random>

#include "tests/german_locale.h"
#include "tests/outcome.h"

namespace twosphere::json::json_test {
namespace {

using test::says, test::value_of;

std::string from_exception(std::string_view text) {
  const auto parsed = parse(text, "file");
  return parsed ? "no error" : parsed.error().text();
}

TEST(Json, what_is_not_seen_is_written_escaped) {
  const std::string name = "a\u009b\u202e\u200b\x7f\U000e0041ω𝑞";
  const std::string text = json::write(json::Node(name));
  EXPECT_EQ(text, "\"a\\u009b\\u202e\\u200b\\u007f\\udb40\\udc41ω𝑞\"\n");
  EXPECT_EQ(json::parse(text, "t")->text, name);
}

TEST(Json, values_of_the_command_line_may_be_lists_of_expressions) {
  const auto read = [](std::string_view text) {
    const auto value = json::parse_value(text);
    EXPECT_TRUE(value) << text;
    std::string out;
    for (const char c : json::write(*value))
      if (c != '\n' && c != ' ') out += c;
    return out;
  };
  EXPECT_EQ(read("1.5"), "1.5");
  EXPECT_EQ(read("30 deg"), "\"30deg\"");
  EXPECT_EQ(read("[0.3,0,120 cm]"), "[0.3,0,\"120cm\"]");
  EXPECT_EQ(read(" [ atan2(1, 2), \"1/3\", pi ] "), "[\"atan2(1,2)\",\"1/3\",\"pi\"]");
  EXPECT_EQ(read("[[1/2, 0, 0], [0, 1, 0]]"), "[[\"1/2\",0,0],[0,1,0]]");
  EXPECT_EQ(read("[1, 2"), "\"[1,2\"");
  EXPECT_EQ(read("[1]*[2]"), "\"[1]*[2]\"");
  EXPECT_EQ(read("[1), (2]"), "\"[1),(2]\"");
  EXPECT_EQ(read(std::string(50, '[') + "x" + std::string(50, ']')).find('x') != std::string::npos,
            true);
  EXPECT_FALSE(json::parse_value("[1, \xff]"));
}

TEST(Json, knows_the_line_of_every_value) {
  const auto root =
      value_of(parse("{\n\"a\": 1,\n\"b\": [2,\n3\n,\n{\"c\": true}],\n\n\"d\": \"x\"}", "file"));
  EXPECT_EQ(root.line, 1);
  EXPECT_EQ(root.find("a")->line, 2);
  EXPECT_EQ(root.find("b")->line, 3);
  EXPECT_EQ(root.find("b")->items[0].line, 3);
  EXPECT_EQ(root.find("b")->items[1].line, 4);  // the byte behind the number is a line break
  EXPECT_EQ(root.find("b")->items[2].line, 6);
  EXPECT_EQ(root.find("b")->items[2].find("c")->line, 6);
  EXPECT_EQ(root.find("d")->line, 8);
  EXPECT_EQ(parse("\n\n7", "file")->line, 3);
  EXPECT_EQ(parse("\n\n7\n", "file")->line, 3);
}

TEST(Json, keeps_the_order_of_keys) {
  const auto root = value_of(parse(R"({"z": 1, "a": 2, "m": 3})", "file"));
  EXPECT_EQ(root.members[0].first, "z");
  EXPECT_EQ(root.members[1].first, "a");
  EXPECT_EQ(root.members[2].first, "m");
}

struct Case {
  const char* name;
  std::string text;
  const char* begins;
  const char* contains;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class JsonErrors : public testing::TestWithParam<Case> {};

TEST_P(JsonErrors, name_place_and_reason) {
  const std::string error = from_exception(GetParam().text);
  EXPECT_TRUE(error.starts_with(GetParam().begins)) << error;
  EXPECT_TRUE(says(error, GetParam().contains));
  for (const char c : error) EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ') << error;
}

std::string repeated(const char* part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    All, JsonErrors,
    testing::Values(
        Case{"empty", "", "file:1: ", "empty"}, Case{"blank", " \n\t\n", "file:1: ", "empty"},
        Case{"duplicate", "{\"a\": 1,\n\"b\": 2,\n\"a\": 3}",
             "file:3: ", "duplicate key \"a\" (first on line 1)"},
        Case{"duplicate_inside", "[{\"a\": 1},\n{\"a\": {\"b\": 1,\n\"b\": 2}}]",
             "file:3: ", "duplicate key \"b\" (first on line 2)"},
        Case{"deep_lists", repeated("[", 65) + repeated("]", 65), "file:1: ", "deeper than 64"},
        Case{"deep_objects", repeated("{\"a\":\n", 70), "file:65: ", "deeper than 64"},
        Case{"very_deep", repeated("[", 1000000), "file:1: ", "deeper than 64"},
        Case{"large_number", "[1,\n1e309]", "file:2: ", "\"1e309\" exceeds the range"},
        Case{"large_negative", "-1e999", "file:1: ", "exceeds the range"},
        Case{"many_digits", repeated("9", 400), "file:1: ", "exceeds the range"},
        Case{"nan", "[NaN]", "file:1: ", "not JSON"},
        Case{"infinity", "[Infinity]", "file:1: ", "not JSON"},
        Case{"plus", "[+1]", "file:1: ", "not JSON"}, Case{"hex", "[0x10]", "file:1: ", "not JSON"},
        Case{"trailing", "{}\n{} \n", "file:2: ", "after the end of the document: \"{} \""},
        Case{"trailing_word", "1\n\nx", "file:3: ", "after the end of the document: \"x\""},
        Case{"trailing_text", "\"a\" b", "file:1: ", "after the end of the document: \"b\""},
        Case{"mark_only", "\xef\xbb\xbf", "file:1: ", "empty"},
        Case{"utf16", std::string("\xff\xfe{\0", 4), "file:1: ", "UTF-16"},
        Case{"utf16_big", std::string("\xfe\xff\0{", 4), "file:1: ", "UTF-16"},
        Case{"trailing_digit", "1 2", "file:1: ", "after the end of the document: \"2\""},
        Case{"comma", "[1,\n]", "file:2: ", "not JSON"},
        Case{"comment", "// x\n1", "file:1: ", "not JSON"},
        Case{"single_quotes", "{'a': 1}", "file:1: ", "not JSON"},
        Case{"unfinished", "{\"a\":\n[1, 2", "file:2: ", "ends prematurely"},
        Case{"unfinished_text", "\"abc", "file:1: ", "missing closing quote"},
        Case{"line_break_in_text", "[\n\"a\nb\"]", "file:2: ", "invalid string"},
        Case{"not_utf8", "\"\xff\xfe\"", "file:1: ", "invalid"},
        Case{"binary",
             std::string("\x7f"
                         "ELF\x02\x01\x01\0\0\0",
                         10),
             "file:1: ", "not JSON"},
        Case{"zero_behind", std::string("[1]\n\0x", 6), "file:2: ", "a zero byte"},
        Case{"last_zero", std::string("1\0", 2), "file:1: ", "a zero byte"},
        Case{"zeros", std::string(100, '\0'), "file:1: ", "a zero byte"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Json, a_byte_order_mark_is_allowed) { EXPECT_EQ(parse("\xef\xbb\xbf\n7", "file")->line, 2); }

TEST(Json, odd_keys_are_quoted_and_clipped_in_messages) {
  EXPECT_EQ(plain("system.masses[0]"), "system.masses[0]");
  EXPECT_EQ(plain("a\x1b[31m"), "\"a\\x1b[31m\"");
  EXPECT_EQ(plain(repeated("k", 81)), "\"" + repeated("k", 40) + "…\"");
  EXPECT_EQ(quote("ω₀ = ½"), "\"ω₀ = ½\"");
  EXPECT_EQ(quote(repeated("é", 41)), "\"" + repeated("é", 40) + "…\"");
  EXPECT_EQ(quote("\u202ea \xff"), "\"\\xe2\\x80\\xaea \\xff\"") << "hidden, and no UTF-8";
}

TEST(Json, depth_64_is_allowed) {
  EXPECT_TRUE(parse(repeated("[", 64) + repeated("]", 64), "file"));
}

TEST(Json, size_is_bounded) {
  std::string text(max_bytes + 1, ' ');
  text[0] = '1';
  EXPECT_TRUE(says(from_exception(text), "larger than 64 MiB"));
  text.resize(max_bytes);
  EXPECT_TRUE(parse(text, "file"));
  std::string many = "[0";
  for (std::size_t i = 0; i < max_values; ++i) many += ",0";
  EXPECT_TRUE(says(from_exception(many + "]"), "more than"));
}

TEST(Json, many_keys_take_no_quadratic_time) {
  std::string text = "{";
  for (int i = 0; i < 300000; ++i) text += "\"" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(says(from_exception(text + "\"7\":0}"), "duplicate key \"7\""));
}

TEST(Json, numbers_survive_bit_for_bit) {
  std::mt19937_64 random(20090503);
  int count = 0;
  const auto check = [&](double x) {
    if (!std::isfinite(x)) return;
    ++count;
    const auto read = parse("[" + shortest(x) + "]", "file");
    ASSERT_TRUE(read) << shortest(x);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read->items[0].number), std::bit_cast<std::uint64_t>(x))
        << shortest(x);
  };
  for (int i = 0; i < 100000; ++i) check(std::bit_cast<double>(random()));
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, -0.0, 1e23, 0.1, 5e-324, -5e-324, Limits::min(), Limits::max(),
                         Limits::lowest(), Limits::epsilon(), 9007199254740993.0})
    check(x);
  EXPECT_GT(count, 99000);
}

TEST(Json, numbers_do_not_depend_on_the_locale) {
  const test::GermanLocale german;
  ASSERT_TRUE(german.made());
  const std::string before = std::setlocale(LC_ALL, nullptr);
  ASSERT_TRUE(std::setlocale(LC_ALL, test::GermanLocale::name));
  EXPECT_EQ(*std::localeconv()->decimal_point, ',');
  EXPECT_EQ(shortest(0.5), "0.5");
  EXPECT_EQ(parse("1.5", "file")->number, 1.5);
  EXPECT_EQ(parse("15e-1", "file")->number, 1.5);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Json, writes_scalars_on_one_line_and_lists_of_lists_row_by_row) {
  const std::string text =
      "{\n  \"a\": [1, 2.5, \"x\"],\n  \"b\": [\n    [1, 0, 0],\n    [0, 1, 0]\n  ],\n  \"c\": "
      "{},\n"
      "  \"d\": {\n    \"e\": true,\n    \"f\": null\n  },\n  \"g\": []\n}\n";
  EXPECT_EQ(write(value_of(parse(text, "file"))), text);
}

TEST(Json, writes_on_one_line_what_is_to_be) {
  auto root =
      value_of(parse(R"({"list": [{"a": [[1, 2], {"b": {}}], "c": "x"}, {}], "d": 1})", "file"));
  for (Node& item : root.members[0].second.items) item.one_line = true;
  const std::string text = write(root);
  EXPECT_EQ(text,
            "{\n  \"list\": [\n    {\"a\": [[1, 2], {\"b\": {}}], \"c\": \"x\"},\n    {}\n  ],\n"
            "  \"d\": 1\n}\n");
  EXPECT_TRUE(same(*parse(text, "file"), root));
}

TEST(Json, strings_survive) {
  std::string odd = "q₁ \"quoted\" \\ / \n \t \r \b \f ";
  odd += '\0';
  odd += "\x01\x1f\x7f é 𝕊²";
  EXPECT_EQ(value_of(parse(write(Node(odd)), "file")).text, odd);
}

TEST(Json, never_writes_what_json_does_not_know) {
  EXPECT_EQ(write(Node(std::nan(""))), "null\n");
  EXPECT_EQ(write(Node(std::numeric_limits<double>::infinity())), "null\n");
}

TEST(Json, whole_numbers_are_written_in_digits) {
  EXPECT_EQ(write(Node::whole(100000)), "100000\n");
  EXPECT_EQ(write(Node::whole(9007199254740991)), "9007199254740991\n");
}

TEST(Json, values_of_the_command_line_are_json_or_strings) {
  EXPECT_EQ(parse_value("1e-3")->number, 1e-3);
  EXPECT_EQ(parse_value("[1, 2]")->items.size(), 2U);
  EXPECT_EQ(parse_value("rk4")->text, "rk4");
  EXPECT_EQ(parse_value("9.81/2")->text, "9.81/2") << "evaluated in the unit of its parameter";
  EXPECT_EQ(parse_value("\"9.81/2\"")->text, "9.81/2");
  EXPECT_EQ(parse_value("")->kind, Kind::string);
  EXPECT_FALSE(parse_value("\xff"));
}

TEST(Json, mutated_documents_do_no_harm) {
  const std::string original =
      "{\"a\": [1, 2.5e-3, -0, true, null],\n \"b\": {\"c\": \"x\\u00e9\\n\", \"d\": [[], {}]}}\n";
  std::mt19937 random(7);
  int valid = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = original;
    for (auto edits = random() % 4 + 1; edits > 0; --edits) {
      const auto at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 5);
          break;
        case 2:
          text.insert(at, 1, "{}[],:\"0123456789eE+-. \n\\"[random() % 25]);
          break;
        default:
          text += text.substr(at, random() % 9);
      }
      if (text.empty()) text = " ";
    }
    const auto read = parse(text, "file");
    if (!read) {
      ASSERT_TRUE(read.error().text().starts_with("file:")) << read.error().text();
      continue;
    }
    ++valid;
    // What can be read is written so that it reads the same.
    const auto again = parse(write(*read), "file");
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(write(*again), write(*read)) << text;
  }
  EXPECT_GT(valid, 100);
}

}  // namespace
}  // namespace twosphere::json::json_test
