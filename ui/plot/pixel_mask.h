// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/record/history.h"
#include "ui/plot/axis.h"
#include "ui/plot/draw_list.h"
#include "ui/plot/reduction.h"

namespace twosphere::ui {

/// The pixels that a long curve of a phase portrait has passed through, computed incrementally.
struct PixelMask {
  PixelMask() = default;
  PixelMask(int across, int down, const History* of = nullptr, std::uint64_t run = 0,
            Interval x_range = {}, Interval y_range = {}, IndexRange drawn = {})
      : history(of),
        x(x_range),
        y(y_range),
        width(across),
        height(down),
        done(drawn),
        generation(run),
        cells(static_cast<std::size_t>(across) * static_cast<std::size_t>(down)) {}

  /// Marks the cells between two points with `density` steps per cell; returns whether any was new.
  bool visit(Point a, Point b, double density);

  const History* history = nullptr;
  Interval x, y;
  int width = 0, height = 0;  // [pixels of the framebuffer]
  IndexRange done;            // points drawn so far
  std::uint64_t generation = 0;
  std::vector<std::uint8_t> cells;  // row by row
};

}  // namespace twosphere::ui
