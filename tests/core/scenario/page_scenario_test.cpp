// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/page_scenario.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/file.h"
#include "core/base/packing.h"
#include "core/catalog.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/outcome.h"
#include "tests/temporary_folder.h"

namespace twosphere::page_scenario_test {
namespace {

using test::error_of, test::says, test::value_of;

std::string page_with(const std::string& block) {
  return "<!DOCTYPE html>\n<html>\n<script type=\"application/octet-stream\" id=\"scenario\">\n" +
         block + "\n</script>\n<script id=\"data\">{}</script>\n</html>\n";
}

TEST(PageScenario, TellsPagesFromScenarios) {
  EXPECT_TRUE(is_web_page("<!DOCTYPE html>"));
  EXPECT_TRUE(is_web_page("<!doctype HTML>\n"));
  for (const char* other : {"", "{}", "<!DOC", " <!doctype html>", "{\"<!doctype html\": 1}"})
    EXPECT_FALSE(is_web_page(other)) << other;
}

TEST(PageScenario, TellsFilesOfPagesByTheirNamesOrFirstBytes) {
  const test::TemporaryFolder folder;
  const auto file = [&](const char* name, std::string_view text) {
    EXPECT_TRUE(write_file(folder.in(name), text));
    return folder.in(name);
  };
  EXPECT_TRUE(is_web_page_file(file("page.html", "{}")));
  EXPECT_TRUE(is_web_page_file(file("PAGE.HTM", "")));
  EXPECT_TRUE(is_web_page_file(file("page.json", page_with("")))) << "under another name";
  EXPECT_TRUE(is_web_page_file(file("page", "<!DOCTYPE HTML>")));
  EXPECT_FALSE(is_web_page_file(file("run.json", find_preset("three_body")->text)));
  EXPECT_FALSE(is_web_page_file(file("html", "{}")));
  EXPECT_FALSE(is_web_page_file(file("empty.json", "")));
  EXPECT_FALSE(is_web_page_file(folder.in("missing.json")));
  EXPECT_FALSE(is_web_page_file(""));
}

TEST(PageScenario, GivesTheBytesOfTheBlock) {
  const std::string bytes("{\"title\": \"</script> é\"}\r\n\t\0", 27);
  EXPECT_EQ(value_of(page_scenario(page_with(base64(bytes)), "page.html")), bytes);
}

TEST(PageScenario, SaysWhereThereIsNone) {
  const Error none = error_of(page_scenario("<!doctype html><p>News</p>", "page.html"));
  EXPECT_EQ(none.kind, ErrorKind::usage);
  EXPECT_EQ(none.location, "page.html");
  EXPECT_TRUE(says(none.message, "has no scenario"));
  EXPECT_TRUE(says(error_of(page_scenario(page_with("abc"), "page.html")).message, "damaged"));
}

TEST(PageScenario, IsReadLikeAFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.in("page.html");
  const std::string_view preset = find_preset("three_body")->text;
  ASSERT_TRUE(write_file(path, page_with(base64(preset))));
  EXPECT_TRUE(same(value_of(load_scenario(path)), value_of(read_scenario(preset, "preset"))));
  // An error has the line of the scenario.
  ASSERT_TRUE(write_file(path, page_with(base64("{\n\"twosphere\": 2}"))));
  EXPECT_TRUE(says(error_of(load_scenario(path)).location, path + ":2"));
}

}  // namespace
}  // namespace twosphere::page_scenario_test
