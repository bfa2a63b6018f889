// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/series.h"
#include "ui/plot/draw_list.h"
#include "ui/plot/plot_curves.h"

/// A plot as data: axes and curves, without layout. Points are in the coordinates of the axes:
/// Transform::forward().
namespace twosphere::ui {

/// One axis of a plot: its label and its range in its own coordinate.
struct PlotAxis {
  std::string label;  ///< "total energy"
  std::string unit;   ///< "J"
  Transform transform;
  Interval range;
};

/// A line through points. NaN interrupts it. An exact zero on a logarithmic axis is −∞ and drawn on
/// a separate line below the axis.
struct PlotCurve {
  LaneStyle style;
  std::vector<Point> points;
  std::vector<Point> drops{};  ///< points from which it falls to a zero on a logarithmic axis
  std::vector<Extremes>
      columns{};  ///< in place of points: extremes in equal parts of the time axis
  /// A light band behind it: the ends of each upright, from below.
  std::vector<std::pair<Point, Point>> band{};
  /// If set, the curve is drawn as its running maximum over a light band; this is the maximum
  /// before the first point.
  std::optional<double> largest{};
  IndexRange samples{};  ///< of the lane, that it goes through; none: it is not made of samples
  std::vector<std::size_t> point_samples{};  ///< on paper, of a portrait: the sample of each point
  double width = 1;                          ///< of the line, relative to PlotLook::line
};

/// The value of a curve at a marker.
struct PlotDot {
  LaneStyle style;
  Point at;
  std::size_t marker = 0;  ///< A or B
};

/// The label of a curve, in a frame of the lane colour.
struct PlotName {
  LaneStyle style;
  std::string name;  ///< "T"
  Point at;
};

/// Points without lines: as dots or, if they are too many for that, as cells.
struct PlotCloud {
  LaneStyle style;
  std::vector<Point> points;       ///< or the middles of cells
  std::vector<float> strengths{};  ///< of the colours of cells, from 0 to 1; empty: dots
  double size = 1;                 ///< of dots, relative to PlotLook::dot
  Point cell{};                    ///< width and height of a cell
};

struct PlotModel {
  PlotAxis x, y;
  bool over_time = true;  ///< x is the shared time axis
  std::vector<PlotCurve> curves;
  std::vector<PlotDot> dots;
  std::vector<PlotName> names;
  std::vector<PlotCloud> clouds{};
};

/// Fits the automatic axes of a plot to the visible values, for at most this many ticks, and
/// returns its curves over time reduced to `columns` columns. Spectra must be up to date.
std::vector<Reduced> fit_plot(PlotView& plot, const std::vector<Curve>& curves, Interval time,
                              int columns, int x_ticks, int y_ticks);

/// The medium of a model.
enum class Medium {
  screen,  ///< extremes of columns, running maxima; portraits are drawn by draw_portrait()
  paper    ///< lines only: through the extremes; long portraits only where they reach new cells
};

/// The model of a plot whose axes are set, with about `names` labels on the curves, and dots at the
/// markers. `reference` is the name of the lane from which distances are measured.
PlotModel plot_model(const PlotView& plot, const std::vector<Curve>& curves,
                     const std::vector<Reduced>& parts, Interval time, int columns, Medium medium,
                     int names, const Markers& markers, std::string_view reference = {});

}  // namespace twosphere::ui
