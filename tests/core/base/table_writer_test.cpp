// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/table_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace twosphere::table_writer_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(TableWriter, QuotesTextsOnlyWhereItMust) {
  TableWriter table;
  table.row("plain", "with space", "", "a,b", "say \"so\"", "two\nlines", "cr\r");
  table.row(std::string("ω [rad/s]"), std::string_view("tab\tinside"));
  EXPECT_EQ(table.text(),
            "plain,with space,,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"cr\r\"\r\n"
            "ω [rad/s],tab\tinside\r\n");
}

TEST(TableWriter, NumbersHaveTheShortestFormThatReadsBack) {
  TableWriter table;
  table.row(0.1, -0.0, 1e300, 1.0 / 3, 5e-324, 2.0, 100000.0, 1e22);
  EXPECT_EQ(table.text(), "0.1,-0,1e+300,0.3333333333333333,5e-324,2,1e+05,1e+22\r\n");
}

TEST(TableWriter, IntegersHaveEveryDigit) {
  TableWriter table;
  table.row(std::int64_t{-9007199254740993}, std::size_t{18446744073709551615U}, std::uint8_t{1});
  EXPECT_EQ(table.text(), "-9007199254740993,18446744073709551615,1\r\n");
}

TEST(TableWriter, NumbersThatAreNotFiniteAreEmptyCells) {
  TableWriter table;
  table.row(nan, 1.5, infinity, -infinity);
  EXPECT_EQ(table.text(), ",1.5,,\r\n");
}

TEST(TableWriter, RowsCanBeWrittenInParts) {
  TableWriter table;
  table.add("first");
  for (const double x : {0.5, nan}) table.add(x);
  table.row(3, "last");
  table.add(nan);
  table.end_row();
  table.end_row();
  EXPECT_EQ(table.text(), "first,0.5,,3,last\r\n\r\n\r\n");
  EXPECT_EQ(table.take(), "first,0.5,,3,last\r\n\r\n\r\n");
}

TEST(TableWriter, ForTheClipboardTabsAreBetweenCells) {
  TableWriter table(TableWriter::Form::tabs);
  table.row("a,b", "say \"so\"", 1);
  table.row(nan, 0.25);
  EXPECT_EQ(table.text(), "a,b\tsay \"so\"\t1\n\t0.25\n");
}

}  // namespace
}  // namespace twosphere::table_writer_test
