// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace twosphere {
namespace {

TEST(ViewText, ReadsBackWhatItWrites) {
  const render::Camera::View view{{0.1F, -2.5F, 1e-4F}, 1.1F, -0.3F, 7.25F};
  const std::string text = view_text(view);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto read = read_view(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->target, view.target);
  EXPECT_EQ(read->distance, view.distance);
  EXPECT_NEAR(read->azimuth, view.azimuth, 1e-6F);
  EXPECT_NEAR(read->elevation, view.elevation, 1e-6F);
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
    EXPECT_NE(message(text).find("the clipboard holds no copied view"), std::string::npos) << text;
  EXPECT_NE(message(R"({"camera": {"target": [1, 2]}})").find("camera.target"), std::string::npos);
  EXPECT_NE(message(R"({"camera": {"target": [1, 2, "x"]}})").find("camera.target"),
            std::string::npos);
  EXPECT_NE(message(R"({"camera": {"target": [1, 2, 3]}})").find("camera.azimuth"),
            std::string::npos);
  EXPECT_NE(message(R"({"camera": {"target": [1, 2, 3], "azimuth": 1e39}})").find("camera.azimuth"),
            std::string::npos)
      << "no float";
  EXPECT_NE(message(R"({"camera": {"target": [1, 2, 3], "azimuth": 0, "elevation": 0,
                        "distance": -1}})")
                .find("camera.distance"),
            std::string::npos);
}

}  // namespace
}  // namespace twosphere
