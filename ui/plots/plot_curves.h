// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <optional>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"

/// How signals become ink in a plot. Internal to the interface.
namespace twosphere::ui {

/// From values to logical pixels.
struct Canvas {
  ImVec2 from, to;   ///< the plot's area
  float bottom = 0;  ///< end of the vertical axis; on a logarithmic one above the line of zeros
  Interval x_range, y_range;
  Transform scale;  ///< of the vertical axis
  bool magnitude = false;

  float x(double value) const {
    return from.x + (to.x - from.x) * limited((value - x_range.low) / x_range.span());
  }
  float y(double value) const;
  /// Of a point on the vertical axis, in the axis's own coordinate.
  float place(double at) const {
    return bottom - (bottom - from.y) * limited((at - y_range.low) / y_range.span());
  }
  double x_at(float px) const {
    return x_range.low + x_range.span() * (px - from.x) / (to.x - from.x);
  }
  /// In the axis's own coordinate.
  double y_at(float py) const {
    return y_range.low + y_range.span() * (bottom - py) / (bottom - from.y);
  }
  /// Height of exact zeros on a logarithmic axis.
  float floor() const { return bottom + 0.68f * (to.y - bottom); }

 private:
  static float limited(double part);
};

/// A curve made ready: every visible value, or extremes of columns of pixels.
struct Reduced {
  IndexRange values;
  bool dense = false;
  std::vector<Extremes> columns;  ///< dense only
};
Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns);

/// Sets a vertical axis so that it shows what is visible.
void fit(ValueAxis& axis, const PlotSpec& spec, const std::vector<Curve>& curves,
         const std::vector<Reduced>& parts, int ticks);

/// Whether a plot over time draws a signal as the largest value so far over a light band: errors of
/// unit length are rounding that goes up and down at every step, and what counts is how far it has
/// come.
bool as_envelope(const PlotSpec& spec, const Signal& signal);
/// A signal over time.
void draw_curve(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                const Reduced& part, float scale);

/// A value and the time it belongs to.
struct Reading {
  double t = 0, y = 0, x = 0;  ///< x: of a phase portrait
};
/// The sample of a curve nearest to a time; none if it belongs to another curve of the lane.
std::optional<Reading> read_at(const PlotSpec& spec, const Curve& curve, double t);

/// Where a plot of several signals says which curve is whose.
struct CurveName {
  std::size_t curve;
  Reading at;
};
/// About so many places along the time axis, for each lane and signal in turn, on its curve.
std::vector<CurveName> curve_names(const PlotSpec& spec, const std::vector<Curve>& curves,
                                   Interval time, int places);

/// A spectrum over log10 of the frequency.
void draw_spectrum(ImDrawList& list, const Canvas& canvas, const LaneSpectrum& lane, float scale);

/// Points of a curve of a phase portrait: pairs of values of the same sample.
class Pairs {
 public:
  Pairs(const PlotSpec& spec, const Curve& curve);

  /// Those visible in a stretch of time.
  IndexRange visible(Interval time) const;
  std::size_t size() const { return size_; }
  double x(std::size_t index) const { return x_.value(index * x_step_); }
  double y(std::size_t index) const { return y_.value(index * y_step_); }
  double time(std::size_t index) const { return y_.time(index * y_step_); }
  Range x_range(IndexRange points) const;
  Range y_range(IndexRange points) const;
  std::size_t nearest(double t) const;
  /// Which sample a point belongs to.
  std::size_t sample(std::size_t index) const;

 private:
  Trace x_, y_;
  std::size_t x_step_ = 1, y_step_ = 1, size_ = 0;
  IndexRange samples_;
};

/// Both axes of a portrait set so that they show what is visible.
void fit_portrait(PlotView& plot, const std::vector<Curve>& curves, Interval time, int x_ticks,
                  int y_ticks);
/// One curve of a portrait with arrows along it, a ring at its start and the lane's marker at its
/// end; false while pixels of a long curve are still to come.
bool draw_portrait(ImDrawList& list, const Canvas& canvas, const PlotSpec& spec, const Curve& curve,
                   Interval time, PixelMask& pixel_mask, std::uint64_t generation, bool first,
                   bool last, float scale);
/// The time of the point of a short portrait nearest to a place, if it is within reach.
std::optional<double> time_near(const Canvas& canvas, const PlotSpec& spec,
                                const std::vector<Curve>& curves, Interval time, ImVec2 place,
                                float reach);

}  // namespace twosphere::ui
