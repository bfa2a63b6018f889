// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/view_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/base/plural.h"
#include "tests/outcome.h"

namespace twosphere::view_text_test {
namespace {

TEST(ViewText, ReadsBackWhatItWrites) {
  const render::Camera::View view{{0.1F, -2.5F, 1e-4F}, 1.1F, -0.3F, 7.25F};
  const std::string text = view_text(view);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto read = test::value_of(read_view(text));
  EXPECT_EQ(read.target, view.target);
  EXPECT_EQ(read.distance, view.distance);
  EXPECT_NEAR(read.azimuth, view.azimuth, 1e-6F);
  EXPECT_NEAR(read.elevation, view.elevation, 1e-6F);
  EXPECT_EQ(view_text({{1, 2, 3}, 0, 0, 4}),
            R"({"camera": {"target": [1, 2, 3], "azimuth": 0, "elevation": 0, "distance": 4}})");
}

TEST(ViewText, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) {
    const auto read = read_view(text);
    EXPECT_FALSE(read) << text;
    return read ? std::string() : read.error().text();
  };
  for (const char* text : {"", "hello", "[1, 2]", "{\"camera\": 3}", "{\"system\": {}}"})
    EXPECT_TRUE(test::says(message(text), "the clipboard does not contain a copied view")) << text;
  EXPECT_TRUE(test::says(message(R"({"camera": {"target": [1, 2]}})"), "camera.target"));
  EXPECT_TRUE(test::says(message(R"({"camera": {"target": [1, 2, "x"]}})"), "camera.target"));
  EXPECT_TRUE(test::says(message(R"({"camera": {"target": [1, 2, 3]}})"), "camera.azimuth"));
  EXPECT_TRUE(test::says(message(R"({"camera": {"target": [1, 2, 3], "azimuth": 1e39}})"),
                         "camera.azimuth"))
      << "no float";
  EXPECT_TRUE(test::says(message(R"({"camera": {"target": [1, 2, 3], "azimuth": 0, "elevation": 0,
                        "distance": -1}})"),
                         "camera.distance"));
}

TEST(Words, OneIsNotMany) {
  EXPECT_EQ(counted(0, "row", "rows"), QLatin1String("0 rows"));
  EXPECT_EQ(counted(1, "row", "rows"), QLatin1String("1 row"));
  EXPECT_EQ(counted(std::int64_t{2}, "body", "bodies"), QLatin1String("2 bodies"));
}

// There are no translations, and without them tr("%n rows") says "1 rows".
TEST(Words, NoneWaitForATranslation) {
  int seen = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(TWOSPHERE_SOURCE_DIR "/app")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_FALSE(test::says(text, " tr(\"")) << entry.path();
    EXPECT_FALSE(test::says(text, "(tr(\"")) << entry.path();
    EXPECT_FALSE(test::says(text, "::tr(\"")) << entry.path();
    ++seen;
  }
  EXPECT_GT(seen, 90);
}

}  // namespace
}  // namespace twosphere::view_text_test
