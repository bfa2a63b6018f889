// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of colours, and colour maps.
#include "core/color/color.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

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
  for (const ColorMap map : {ColorMap::viridis, ColorMap::cividis, ColorMap::paper,
                             ColorMap::diverging, ColorMap::lightness})
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

/// A colour as readers see it who lack one kind of cones: 3 numbers between which distances are
/// even (OKLab). The simulation is that of Machado, Oliveira and Fernandes (2009).
std::array<double, 3> seen(Color color, const std::array<std::array<double, 3>, 3>& cones) {
  std::array<double, 3> linear{}, left{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = static_cast<double>(color.rgb >> (16 - 8 * i) & 0xff) / 255;
    linear.at(i) = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) left.at(i) += cones.at(i).at(j) * linear.at(j);
    left.at(i) = std::clamp(left.at(i), 0.0, 1.0);
  }
  const auto [r, g, b] = left;
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
               m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
               s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

TEST(ColorMaps, TheCyclicOneTellsAzimuthsApartForColourBlindReadersToo) {
  using Cones = std::array<std::array<double, 3>, 3>;
  const Cones all{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      no_red{{{0.152286, 1.052583, -0.204868},
              {0.114503, 0.786281, 0.099216},
              {-0.003882, -0.048116, 1.051998}}},
      no_green{{{0.367322, 0.860646, -0.227968},
                {0.280085, 0.672501, 0.047413},
                {-0.011820, 0.042940, 0.968881}}};
  constexpr int steps = 48;
  for (const Palette palette : palettes) {
    EXPECT_EQ(color_at(ColorMap::cyclic, 0, palette), color_at(ColorMap::cyclic, 1, palette));
    for (const auto& [cones, least] : {std::pair{&all, 0.13}, {&no_red, 0.12}, {&no_green, 0.10}})
      for (int i = 0; i < steps; ++i)
        for (int k = i + steps / 4; k <= i + steps / 2; ++k) {
          const auto a = seen(color_at(ColorMap::cyclic, i / double{steps}, palette), *cones),
                     b = seen(color_at(ColorMap::cyclic, k % steps / double{steps}, palette),
                              *cones);
          EXPECT_GT(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), least)
              << i << ' ' << k << ": at least a quarter of a turn apart";
        }
  }
}

TEST(DirectionColors, AreLightTowardsTheAxisAndDarkAwayFromIt) {
  for (const Palette palette : palettes) {
    const Color ground = palette == Palette::light  ? white
                         : palette == Palette::dark ? Color{0x101318}
                                                    : black;
    for (int turn = 0; turn < 24; ++turn) {
      const auto at = [&](double along) { return direction_color({turn / 24.0, along}, palette); };
      EXPECT_EQ(at(0), color_at(ColorMap::cyclic, turn / 24.0, palette));
      EXPECT_EQ(at(1), color_at(ColorMap::lightness, 1, palette)) << "at the pole all are one";
      EXPECT_EQ(at(-1), color_at(ColorMap::lightness, 0, palette));
      EXPECT_GT(contrast(at(0.8), black), contrast(at(-0.8), black));
      for (const double along : {-1.0, -0.5, 0.0, 0.5, 1.0})
        EXPECT_GE(contrast(at(along), ground), 3) << turn << ' ' << along;
    }
  }
}

TEST(ColorBars, NameTheirEndsAndWhatLiesBeyond) {
  ColorBar bar{.label = "speed", .unit = "m/s", .low = -1, .high = 3};
  EXPECT_EQ(title_of(bar), "speed [m/s]");
  EXPECT_EQ(title_of({.label = "height", .unit = ""}), "height");
  EXPECT_EQ(text_at(bar, 0), "−1");
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
