// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/color/color.h"

#include <algorithm>
#include <cmath>

namespace twosphere {

namespace {

double luminance(Color c) {
  const auto [red, green, blue] = linear_light(c);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

}  // namespace

std::string_view key(Palette palette) {
  switch (palette) {
    case Palette::dark:
      return "dark";
    case Palette::light:
      return "light";
    case Palette::high_contrast:
      return "high_contrast";
  }
  return {};
}

std::array<double, 3> linear_light(Color color) {
  const auto linear = [color](int shift) {
    const double v = ((color.rgb >> shift) & 0xff) / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return {linear(16), linear(8), linear(0)};
}

double contrast(Color a, Color b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

Color mix(Color a, Color b, double share) {
  std::uint32_t rgb = 0;
  for (const int shift : {16, 8, 0}) {
    const double from = (a.rgb >> shift) & 0xff, to = (b.rgb >> shift) & 0xff;
    rgb |= static_cast<std::uint32_t>(std::lround(from + share * (to - from))) << shift;
  }
  return {rgb};
}

Color pale(Color color, Color ground) {
  constexpr double most = 0.35, step = 0.05, min_contrast = 3;
  for (double share = most; share > 0; share -= step)
    if (const Color mixed = mix(color, ground, share); contrast(mixed, ground) >= min_contrast)
      return mixed;
  return color;
}

}  // namespace twosphere
