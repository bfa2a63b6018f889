// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/plot/draw_list.h"
#include "ui/plot/plot_curves.h"

/// A plot as data: what its axes and curves are, and not yet how they look. Points are in the
/// coordinates of their axes: Transform::forward().
namespace twosphere::ui {

/// One axis of a plot: what it shows, from where to where in its own coordinate.
struct PlotAxis {
  std::string label;  ///< "total energy"
  std::string unit;   ///< "J"
  Transform transform;
  Interval range;
};

/// A line through points. NaN interrupts it; an exact zero on a logarithmic axis is −∞ and drawn on
/// a line of its own below the axis.
struct PlotCurve {
  LaneStyle style;
  std::vector<Point> points;
  std::vector<Point> drops{};       ///< from where it falls to a zero on a logarithmic axis
  std::vector<Extremes> columns{};  ///< in place of points: of equal parts of the time axis
  /// Drawn as the largest value so far over a light band of all: the largest before these.
  std::optional<double> largest{};
};

/// A value read off a curve at a marker.
struct PlotDot {
  LaneStyle style;
  Point at;
  std::size_t marker = 0;  ///< A or B
};

/// Says which curve is whose, in a frame of the lane's colour.
struct PlotName {
  LaneStyle style;
  std::string name;  ///< "T"
  Point at;
};

struct PlotModel {
  PlotAxis x, y;
  bool over_time = true;  ///< x is the time axis that such plots share
  std::vector<PlotCurve> curves;
  std::vector<PlotDot> dots;
  std::vector<PlotName> names;
};

/// Sets those axes of a plot that follow what is visible, for at most so many ticks, and returns
/// its curves over time made ready for so many columns. Spectra are up to date before.
std::vector<Reduced> fit_plot(PlotView& plot, const std::vector<Curve>& curves, Interval time,
                              int columns, int x_ticks, int y_ticks);

/// For whom a model is made.
enum class Medium {
  screen,  ///< extremes of columns, the largest so far; portraits are drawn by themselves
  paper    ///< lines only: through the extremes, and of long portraits where they lead anywhere new
};

/// A plot whose axes are set, with a name on every signal's curve at about so many places, and
/// dots at the markers. `reference`: the name of the lane that distances are taken from.
PlotModel plot_model(const PlotView& plot, const std::vector<Curve>& curves,
                     const std::vector<Reduced>& parts, Interval time, int columns, Medium medium,
                     int names, const Markers& markers, std::string_view reference = {});

}  // namespace twosphere::ui
