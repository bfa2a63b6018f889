// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "ui/plot/draw_list.h"
#include "ui/plot/marker_group.h"
#include "ui/plot/plot_model.h"

/// Draws the model of a plot to a DrawList, for screen and paper.
namespace twosphere::ui {

/// Colours and sizes of a medium, in pixels or points.
struct PlotLook {
  Medium medium = Medium::screen;
  double unit = 1;  ///< factor of sizes given at scale 1
  Ink ground, text, dim;
  Stroke grid, zeros;  ///< zeros: line of exact zeros
  Stroke frame, tick;  ///< tick: ticks without a label
  double long_tick = 0, short_tick = 0;
  double beside = 0;            ///< distance from the value axis to its labels
  double below = 0, title = 0;  ///< distances from the horizontal axis to its labels and its title
  double overhang = 0;          ///< how far its labels may extend beyond the plot on the right
  double line = 2, lone = 1;    ///< width of lines; radius of an isolated value
  double dot = 1;               ///< radius of a point of a cloud
  double cross = 2, drop = 1;   ///< line widths of a cross, and of the line to a zero
  double name_padding_x = 0, name_padding_y = 0, name_rounding = 0, name_line = 1;
  double far = 1e3;  ///< positions are clamped to this many heights and widths of the plot
  double zero_line =
      0;  ///< position of the line of zeros in the strip below a logarithmic axis, 0 to 1

  bool paper() const { return medium == Medium::paper; }
  /// Rounds to whole pixels on the screen.
  double snapped(double at) const { return paper() ? at : std::round(at); }
};

/// The area of a plot, and the mapping from the coordinates of its axes to positions.
struct Area {
  Box box;
  double bottom =
      0;  ///< lower end of the vertical axis, above the line of zeros of a logarithmic one
  Interval x_range, y_range;
  Transform scale;  ///< of the vertical axis
  double far = 1e3, zero_line = 0;
  bool bounded_below = false;  ///< values below a logarithmic axis are drawn at its end

  Area(const Box& where, double end, const PlotAxis& x, const PlotAxis& y, const PlotLook& look)
      : box(where),
        bottom(end),
        x_range(x.range),
        y_range(y.range),
        scale(y.transform),
        far(look.far),
        zero_line(look.zero_line),
        bounded_below(!look.paper()) {}

  double x(double at) const { return box.from.x + box.width() * limited(at, x_range); }
  double y(double at) const {
    if (scale.scale != Scale::logarithmic) return place(at);
    if (at == -std::numeric_limits<double>::infinity()) return floor();
    return bounded_below ? std::min(place(at), bottom) : place(at);
  }
  Point at(Point p) const { return {x(p.x), y(p.y)}; }
  /// The position on the vertical axis, without bounding it below.
  double place(double at) const { return bottom - (bottom - box.from.y) * limited(at, y_range); }
  double x_at(double px) const {
    return x_range.low + x_range.span() * (px - box.from.x) / box.width();
  }
  double y_at(double py) const {
    return y_range.low + y_range.span() * (bottom - py) / (bottom - box.from.y);
  }
  /// Whether exact zeros have their own line, and its position.
  bool has_floor() const { return bottom < box.to.y; }
  double floor() const { return bottom + zero_line * (box.to.y - bottom); }

 private:
  /// NaN remains NaN.
  double limited(double at, const Interval& range) const {
    return std::clamp((at - range.low) / range.span(), -far, far);
  }
};

/// The grid lines; on the screen also short ticks and the linear range of a symlog axis.
void draw_grid(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
               const Ticks& y);
/// On paper, above the curves: a frame with inward ticks.
void draw_frame(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
                const Ticks& y);
/// The tick labels of the vertical axis.
void draw_values(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& y);
/// The tick labels and the title of the horizontal axis.
void draw_labels(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& x, const std::string& title);

/// A curve, clipped to its plot.
void draw_curve(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve);
/// Points, clipped to their plot.
void draw_cloud(DrawList& list, const PlotLook& look, const Area& area, const PlotCloud& cloud);
/// The labels of the curves.
void draw_names(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                const std::vector<PlotName>& names);

}  // namespace twosphere::ui
