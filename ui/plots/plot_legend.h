// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

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

/// The lane whose figures are written below a plot: the reference lane, or for distances from it
/// the first other lane; a visible one if possible.
int figures_lane(const Panel& panel, const PlotsView& view, const PlotSpec& spec);
/// The text below a plot, wrapped to a width: figures of that lane, and its values at A and B if
/// they are set; with several lanes only one of the two.
std::vector<std::string> figure_lines(const Panel& panel, PlotsView& view, const PlotView& plot,
                                      float width);
/// Draws these lines with a swatch. A click hides or shows the lane in all plots; the tooltip
/// contains every lane.
void draw_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                  const std::vector<std::string>& lines, ImVec2 from, float width);
/// Height of one of these lines [px].
float figure_line_height(const Panel& panel);

/// Height of the legend of the whole column [px]; 0 with a single lane and no other run.
float legend_height(const Panel& panel, float width);
/// A swatch and the name of each lane; a click hides or shows it in all plots. While the mouse is
/// in a plot, also the figures of each lane, or its values at A and B. Then the names of the other
/// runs that are shown.
void legend(const Panel& panel, PlotsView& view, const PlotView* pointed, ImVec2 from, float width);

}  // namespace twosphere::ui
