// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/color/color.h"

#include <algorithm>
#include <cmath>

namespace twosphere {

namespace {

double linear(std::uint32_t channel) {
  const double v = channel / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
  return 0.2126 * linear((c.rgb >> 16) & 0xff) + 0.7152 * linear((c.rgb >> 8) & 0xff) +
         0.0722 * linear(c.rgb & 0xff);
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
