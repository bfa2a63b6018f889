// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"
#include "ui/plots/plot_context.h"

namespace twosphere::ui {

/// The mouse actions in a plot that its column carries out.
struct PlotResponse {
  bool everything = false;  ///< show the whole run
  bool menu = false;        ///< open the menu of the plot
  bool remove = false;
  bool alone = false;             ///< show only this plot, or all plots again
  std::optional<double> clicked;  ///< the time to go to [s]
  bool absent = false;            ///< the plot says why it has no curve
  std::string_view add_lane;      ///< a lane of this method is wanted; empty: none
};

/// Mouse input over the area of a plot, both axes and the markers; `hovered`: the mouse is over the
/// area.
void plot_input(const PlotContext& to, PlotView& plot, const Area& area,
                const std::vector<Curve>& curves, TimeAxis& time, Markers& markers,
                PlotResponse& response, bool& hovered);
/// Mouse input over the time axis below a column of plots; returns whether to show the whole run.
bool time_axis_input(const Panel& panel, const Area& area, TimeAxis& time);

}  // namespace twosphere::ui
