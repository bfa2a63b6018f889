// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/interface_colors.h"

namespace twosphere::ui {

namespace {

constexpr Colors dark{.scene = {0x101318},
                      .panel = {0x171b21},
                      .field = {0x222831},
                      .hovered = {0x2d3540},
                      .border = {0x2a303a},
                      .edge = {0x4d5766},
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
                       .border = {0xd5dae2},
                       .edge = {0xaab3c0},
                       .line = {0xd5dae2},
                       .text = {0x1c232d},
                       .dim = {0x565f6c},
                       .accent = {0x0a62c4},
                       .on_accent = {0xffffff},
                       .warning = {0x8a5a00},
                       .error = {0xb3261e}};

// White on black, yellow for active items; every field has a border.
constexpr Colors high_contrast{.scene = {0x000000},
                               .panel = {0x000000},
                               .field = {0x0a0a0a},
                               .hovered = {0x333333},
                               .border = {0xc8c8c8},
                               .edge = {0xc8c8c8},
                               .line = {0x777777},
                               .text = {0xffffff},
                               .dim = {0xd8d8d8},
                               .accent = {0xffd60a},
                               .on_accent = {0x000000},
                               .warning = {0xffb340},
                               .error = {0xff9a94},
                               .borders = true};

}  // namespace

const Colors& colors(Palette palette) {
  switch (palette) {
    case Palette::dark:
      return dark;
    case Palette::light:
      return light;
    case Palette::high_contrast:
      return high_contrast;
  }
  return dark;
}

}  // namespace twosphere::ui
