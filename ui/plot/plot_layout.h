// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "ui/plot/draw_list.h"
#include "ui/plot/plot_model.h"
#include "ui/plot/tag_mark.h"

/// From a plot's model to what is drawn of it, for the screen and for paper alike.
namespace twosphere::ui {

/// Colours and sizes of a medium, in pixels or points.
struct PlotLook {
  Medium medium = Medium::screen;
  double unit = 1;  ///< of sizes that are for scale 1
  Ink ground, text, dim;
  Stroke grid, zeros;  ///< zeros: the line of exact zeros
  Stroke frame, tick;  ///< tick: those without a label
  double long_tick = 0, short_tick = 0;
  double beside = 0;            ///< from the value axis to its labels
  double below = 0, title = 0;  ///< from the horizontal axis to its labels, and to its title
  double overhang = 0;          ///< how far its labels may go beyond the plot on the right
  double line = 2, lone = 1;    ///< width of lines; radius of a value alone
  double cross = 2, drop = 1;   ///< width of the strokes of a cross, and of the way to a zero
  double name_padding_x = 0, name_padding_y = 0, name_rounding = 0, name_line = 1;
  double far = 1e3;      ///< places are bounded to so many heights and widths of the plot
  double zero_line = 0;  ///< where the line of zeros stands in the strip below a logarithmic axis

  bool paper() const { return medium == Medium::paper; }
  /// On the screen lines stand on whole pixels.
  double snapped(double at) const { return paper() ? at : std::round(at); }
};

/// Where a plot lies, and where in it the points of its axes are.
struct Area {
  Box box;
  double bottom = 0;  ///< end of the vertical axis; on a logarithmic one above the line of zeros
  Interval x_range, y_range;
  Transform scale;  ///< of the vertical axis
  double far = 1e3, zero_line = 0;
  bool bounded_below = false;  ///< what is below a logarithmic axis stands on its end

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
  /// Of a point of the vertical axis, though it may be beyond its end.
  double place(double at) const { return bottom - (bottom - box.from.y) * limited(at, y_range); }
  double x_at(double px) const {
    return x_range.low + x_range.span() * (px - box.from.x) / box.width();
  }
  double y_at(double py) const {
    return y_range.low + y_range.span() * (bottom - py) / (bottom - box.from.y);
  }
  /// Whether exact zeros have a line of their own, and where it is.
  bool has_floor() const { return bottom < box.to.y; }
  double floor() const { return bottom + zero_line * (box.to.y - bottom); }

 private:
  /// NaN stays.
  double limited(double at, const Interval& range) const {
    return std::clamp((at - range.low) / range.span(), -far, far);
  }
};

/// The lines of the ticks; on the screen short ticks and the linear stretch of a symlog axis, too.
void draw_grid(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
               const Ticks& y);
/// On paper, over the curves: a frame with ticks inside.
void draw_frame(DrawList& list, const PlotLook& look, const Area& area, const Ticks& x,
                const Ticks& y);
/// The numbers beside the vertical axis.
void draw_values(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& y);
/// The numbers below the horizontal axis, and its title.
void draw_labels(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                 const Ticks& x, const std::string& title);

/// A curve; what lies outside its plot is cut off.
void draw_curve(DrawList& list, const PlotLook& look, const Area& area, const PlotCurve& curve);
/// Which curve is whose.
void draw_names(DrawList& list, const PlotLook& look, const TextMeasure& letters, const Area& area,
                const std::vector<PlotName>& names);

}  // namespace twosphere::ui
