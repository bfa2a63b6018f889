// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"
#include "ui/plots/plot_input.h"

namespace twosphere::ui {

struct Panel;
struct Rect;

/// Height of a plot outside its area, above and below, at scale 1 [px].
float plot_margins(const PlotSpec& spec);

/// One plot in a rectangle of the current window: title, axes, curves, events, cursor, markers.
/// Left drag pans, the wheel zooms at the mouse (over an axis that axis alone), a right drag zooms
/// to a box, a click goes to its time, a right click opens the menu, a double click shows
/// everything, a double click on the title shows only this plot, a marker is dragged by its line.
/// Curves go through every sample or, where several samples fall on a pixel, through the extremes
/// of each column of pixels, so that no spike is lost. Long phase portraits fill the pixels on
/// their path. With several signals each curve is labelled with its symbol, in a frame of the lane
/// colour.
PlotResponse draw_plot(const Panel& panel, PlotView& plot, const std::vector<Curve>& segments,
                       const std::vector<Curve>& others, TimeAxis& time, Markers& markers,
                       const Rect& place);
/// Draws the time axis below a column of plots and handles its mouse input; returns whether to show
/// the whole run.
bool draw_time_axis(const Panel& panel, TimeAxis& time, const Rect& place);

/// Whether the run has all signals of the plot.
bool exists(const Panel& panel, const PlotSpec& spec);

}  // namespace twosphere::ui
