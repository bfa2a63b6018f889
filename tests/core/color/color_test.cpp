// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of colours, and colour maps.
#include "core/color/color.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/color/color_map.h"

namespace twosphere::color_test {
namespace {

constexpr Color black{0x000000}, white{0xffffff};

TEST(Contrast, IsThatOfWcag) {
  EXPECT_NEAR(contrast(black, white), 21, 1e-9);
  EXPECT_NEAR(contrast({0x777777}, white), 4.48, 0.01);
  EXPECT_NEAR(contrast({0xff0000}, white), 4.0, 0.01);
  EXPECT_EQ(contrast({0x123456}, {0x123456}), 1);
  EXPECT_EQ(contrast(black, white), contrast(white, black));
}

TEST(Mix, IsThatOfTheChannelsRounded) {
  const Color a{0x10c800}, b{0x20647f};
  EXPECT_EQ(mix(a, b, 0), a);
  EXPECT_EQ(mix(a, b, 1), b);
  EXPECT_EQ(mix(a, b, 0.25), (Color{0x14af20}));  // 20, 175, 31.75
  EXPECT_EQ(mix(a, b, 0.6), (Color{0x1a8c4c}));   // 25.6, 140, 76.2
  EXPECT_EQ(mix(black, white, 0.5), (Color{0x808080}));
}

TEST(ColorMaps, ViridisAndCividisBecomeLighterAllAlong) {
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis})
    for (const Palette palette : palettes) {
      double before = 0;
      for (int k = 0; k <= 64; ++k) {
        const double light = contrast(color_at(map, k / 64.0, palette), black);
        EXPECT_GT(light, before) << key(map) << " at " << k;
        before = light;
      }
    }
}

TEST(ColorMaps, ClampTheirArgument) {
  for (const ColorMap map :
       {ColorMap::viridis, ColorMap::cividis, ColorMap::paper, ColorMap::diverging})
    for (const Palette palette : palettes) {
      EXPECT_EQ(color_at(map, -3, palette), color_at(map, 0, palette)) << key(map);
      EXPECT_EQ(color_at(map, 7, palette), color_at(map, 1, palette)) << key(map);
      EXPECT_NE(color_at(map, 0, palette), color_at(map, 1, palette)) << key(map);
    }
}

TEST(ColorMaps, TheDivergingOneIsGreyInTheMiddle) {
  const auto spread = [](Color color) {
    const int r = static_cast<int>(color.rgb >> 16), g = static_cast<int>(color.rgb >> 8 & 0xff),
              b = static_cast<int>(color.rgb & 0xff);
    return std::max({r, g, b}) - std::min({r, g, b});
  };
  for (const Palette palette : palettes) {
    EXPECT_LE(spread(color_at(ColorMap::diverging, 0.5, palette)), 24);
    for (const double end : {0.0, 1.0})
      EXPECT_GE(spread(color_at(ColorMap::diverging, end, palette)), 80);
  }
}

TEST(ColorBars, NameTheirEndsAndWhatLiesBeyond) {
  ColorBar bar{.label = "speed", .unit = "m/s", .low = -1, .high = 3};
  EXPECT_EQ(text_at(bar, 0.5), "1");
  EXPECT_EQ(text_at(bar, 1), "3");
  bar.clipped = true;
  EXPECT_EQ(text_at(bar, 1), "≥ 3");
  bar.root = true;
  EXPECT_EQ(text_at(bar, 0.5), "0") << "a quarter of the way from -1 to 3";
  EXPECT_EQ(labels_of(bar).size(), 3U);
  const ColorBar relaxed{
      .label = "spring tension", .unit = "N", .low = 0, .high = 0, .map = ColorMap::diverging};
  EXPECT_EQ(labels_of(relaxed), std::vector{0.5}) << "0 once, beside its colour";
}

}  // namespace
}  // namespace twosphere::color_test
