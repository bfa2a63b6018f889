// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "ui/plot/draw_list.h"

namespace twosphere::ui_test {

/// A font with fixed letter size, for layout without a painter.
struct Letters final : ui::TextMeasure {
  static constexpr double letter = 5, line = 10;

  double width(ui::Face, std::string_view text) const override {
    double count = 0;
    for (const char c : text) count += (c & 0xc0) != 0x80;
    return letter * count;
  }
  double height(ui::Face) const override { return line; }
};

}  // namespace twosphere::ui_test
