// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/lane_curves.h"
#include "ui/plot/plot_curves.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

struct Panel;

/// What a lane is at A and at B: the values of samples, as the rows of a CSV have them. Nothing for
/// a marker that is not set or where the run does not reach.
std::array<std::optional<Reading>, 2> at_markers(const PlotSpec& spec, const History& history,
                                                 const Markers& markers);

/// The lane whose figures stand under a plot: the one that others are compared with, of distances
/// from it the first other, and none that is hidden if there is a choice.
int figures_lane(const Panel& panel, const PlotsView& view, const PlotSpec& spec);
/// What stands under a plot: figures of that lane, and its values at A and B where they are set; of
/// several lanes one of the two. In lines of a width, none of them cut.
std::vector<std::string> figure_lines(const Panel& panel, PlotsView& view, const PlotView& plot,
                                      float width);
/// Draws them behind a swatch. A click hides or shows the lane in all plots; the tooltip has every
/// lane.
void draw_figures(const Panel& panel, PlotsView& view, const PlotView& plot,
                  const std::vector<std::string>& lines, ImVec2 from, float width);
/// Height of a line of them [px].
float figure_line_height(const Panel& panel);

/// Height of the legend of the whole column [px]; 0 where there is one lane.
float legend_height(const Panel& panel, float width);
/// A swatch and the name of each lane; a click hides or shows it in all plots. While the mouse is
/// in a plot, each lane's figures there, or its values at A and B.
void legend(const Panel& panel, PlotsView& view, const PlotView* pointed, ImVec2 from, float width);

}  // namespace twosphere::ui
