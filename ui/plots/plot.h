// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <string>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

struct Panel;
struct Rect;

/// Sizes of a plot's margins at scale 1 [px].
inline constexpr float plot_left = 56, plot_right = 12, plot_title = 20, plot_time = 36;

/// What the user asked for in a plot.
struct PlotResponse {
  bool everything = false;  ///< to see the whole run
  bool menu = false;        ///< the plot's menu
  bool remove = false;
  bool alone = false;  ///< the whole column for it, or all plots again
};

/// Room that a plot takes beyond its area, above and below, at scale 1 [px].
float plot_margins(const PlotSpec& spec);

/// One plot in a rectangle of the current window: title, axes, curves, events, cursor, markers.
/// Left drag pans, the wheel zooms at the mouse (over an axis that axis alone), a right drag zooms
/// to a box, a right click asks for the menu, a double click for everything; one on the title for
/// the whole column; a marker is dragged by its line. Curves go through every sample or, where
/// several fall on a pixel, through the extremes of each column of pixels, so that no spike is
/// lost; long phase portraits fill the pixels they passed through. Of several signals each curve
/// carries the symbol of its own, in a frame of the lane's colour.
PlotResponse draw_plot(const Panel& panel, PlotView& plot, const std::vector<Curve>& stretches,
                       TimeAxis& time, Markers& markers, const Rect& place);
/// The time axis under a column of plots `place.width` wide, with its mouse input; whether
/// everything is to be shown.
bool draw_time_axis(const Panel& panel, TimeAxis& time, const Rect& place);

/// Whether the run has all of the plot's signals.
bool exists(const Panel& panel, const PlotSpec& spec);
/// A value as a plot writes it: five digits on a logarithmic axis, nine on others.
std::string value_text(const PlotSpec& spec, double value);
/// The same where it is one of several: four and five digits.
std::string short_value_text(const PlotSpec& spec, double value);

}  // namespace twosphere::ui
