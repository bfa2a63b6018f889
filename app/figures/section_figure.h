// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/output/lane_style.h"
#include "core/record/section_points.h"
#include "ui/plot/figure.h"

namespace twosphere {

/// The points of several orbits on a section, in the plane of two of its coordinates.
struct SectionPicture {
  struct Series {
    std::string name;
    LaneStyle style;
    SectionPoints points;
    bool of_run = true;  ///< a lane of the run, not an orbit that was started here
  };
  std::string title;
  ui::PlotAxis x, y;
  std::array<std::size_t, 2> coordinates{0, 1};
  std::vector<Series> series;
};

/// The picture on paper: dots, or cells shaded by the density of points where these are very many.
ui::PlotFigure section_figure(const SectionPicture& picture);

}  // namespace twosphere
