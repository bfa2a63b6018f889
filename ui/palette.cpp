// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/palette.h"

#include <algorithm>
#include <cmath>

namespace twosphere::ui {

namespace {

constexpr Colors dark{.scene = {0x101318},
                      .panel = {0x171b21},
                      .field = {0x222831},
                      .hovered = {0x2d3540},
                      .line = {0x2a303a},
                      .text = {0xd7dde5},
                      .dim = {0x8b95a3},
                      .accent = {0x58a6ff},
                      .on_accent = {0x0b1220},
                      .warning = {0xe69f00},
                      .error = {0xef6f6c}};

constexpr Colors light{.scene = {0xffffff},
                       .panel = {0xf6f7f9},
                       .field = {0xe6e9ee},
                       .hovered = {0xd9dee6},
                       .line = {0xd5dae2},
                       .text = {0x1c232d},
                       .dim = {0x565f6c},
                       .accent = {0x0a62c4},
                       .on_accent = {0xffffff},
                       .warning = {0x8a5a00},
                       .error = {0xb3261e}};

double linear(std::uint32_t channel) {
  const double v = channel / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double luminance(Color c) {
  return 0.2126 * linear((c.rgb >> 16) & 0xff) + 0.7152 * linear((c.rgb >> 8) & 0xff) +
         0.0722 * linear(c.rgb & 0xff);
}

}  // namespace

const Colors& colors(Palette palette) { return palette == Palette::dark ? dark : light; }

double contrast(Color a, Color b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

}  // namespace twosphere::ui
