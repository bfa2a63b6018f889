// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

struct Panel;

/// What is written of a lane below a plot.
struct LaneFigures {
  int lane = 0;
  std::vector<std::string> lines;

  /// The lines that are kept for it.
  std::size_t rows() const { return std::max<std::size_t>(1, lines.size()); }
};

/// The text below a plot, wrapped to a width: figures of one lane or of every one, and its
/// values at A and B if they are set; with several lanes only one of the two. Distances of runs of
/// a single lane have a line for each run.
std::vector<LaneFigures> figure_lines(const Panel& panel, PlotsView& view, const PlotView& plot,
                                      float width, bool every_lane);
/// Draws these lines with a swatch for each lane. A click hides or shows the lane in all plots; if
/// only one is described, the tooltip contains the others.
void draw_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                  const std::vector<LaneFigures>& figures, ImVec2 from, float width);
/// Height of one of these lines [px].
float figure_line_height(const Panel& panel);

/// Height of the legend of the whole column [px]; 0 with a single lane and no other run.
float legend_height(const Panel& panel, float width);
/// A swatch and the name of each lane; a click hides or shows it in all plots. While the mouse is
/// in a plot, also the figures of each lane, or its values at A and B, if they are not below the
/// plots. Then the names of the other runs that are shown.
void legend(const Panel& panel, PlotsView& view, const PlotView* pointed, ImVec2 from, float width);

}  // namespace twosphere::ui
