// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QSizeF>
#include <string>
#include <vector>

#include "ui/plot/axis.h"
#include "ui/plot/lane_style.h"

class QPainter;

namespace twosphere {

/// One axis of a plot: what it shows, from where to where in its own coordinate.
struct FigureAxis {
  std::string label;  ///< "total energy"
  std::string unit;   ///< "J"
  ui::Transform transform;
  ui::Interval range;
};

/// A line through points in the axes' coordinates. NaN interrupts it; an exact zero on a
/// logarithmic axis is −∞ and drawn on a line of its own below the axis.
struct FigureCurve {
  ui::LaneStyle style;
  std::vector<QPointF> points;
  std::vector<QPointF> drops;  ///< from where it falls to a zero on a logarithmic axis
};

/// A value read off a curve at a marker.
struct FigureDot {
  ui::LaneStyle style;
  QPointF at;
};

/// Says which curve is whose, in a frame of the lane's colour.
struct FigureName {
  ui::LaneStyle style;
  std::string name;  ///< "T"
  QPointF at;
};

struct FigurePlot {
  FigureAxis x, y;
  bool over_time = true;  ///< x is the time axis that such plots share
  std::vector<FigureCurve> curves;
  std::vector<FigureDot> dots;
  std::vector<FigureName> names;
};

struct FigureKey {
  std::string name;  ///< of an integrator, or a lane
  ui::LaneStyle style;
};

/// A vertical line through the plots over time.
struct FigureMark {
  double t = 0;      ///< [s]
  std::string name;  ///< at its upper end
};

/// Plots one below the other, with all that their drawing needs: independent of the run they show.
struct PlotFigure {
  std::string title;
  std::vector<FigureKey> keys;  ///< the legend
  std::vector<FigureMark> marks;
  std::string note;             ///< below the legend, line by line
  std::vector<double> changes;  ///< times at which a setting was changed [s]
  std::vector<FigurePlot> plots;
};

/// Sizes in points, 1/72 inch.
struct FigureLook {
  double font = 8;
  double line = 1;
};

/// Where a plot's area ended up, in points from the upper left corner.
struct FigureArea {
  double left, top, right, bottom;
};

/// Draws the figure from the origin on, on white: title, legend, then the plots at equal heights
/// and margins, ticks at 1-2-5 steps and decades, labels "quantity [unit]". Lines are clipped as
/// they are computed, not by the painter. Device units are those of the painter's device at its
/// logical resolution. Returns the plots' areas.
std::vector<FigureArea> draw_figure(QPainter& painter, const PlotFigure& figure, QSizeF points,
                                    const FigureLook& look);

}  // namespace twosphere
