// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

/// A curve made ready: every visible value, or extremes of equal parts of the time axis.
struct Reduced {
  IndexRange values;
  bool dense = false;
  std::vector<Extremes> columns;  ///< dense only
};
Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns);

/// Sets a vertical axis so that it shows what is visible.
void fit(ValueAxis& axis, const PlotSpec& spec, const std::vector<Curve>& curves,
         const std::vector<Reduced>& parts, int ticks);

/// Both axes of a portrait set so that they show what is visible.
void fit_portrait(PlotView& plot, const std::vector<Curve>& curves, Interval time, int x_ticks,
                  int y_ticks);

/// Whether the screen draws a signal over time as the largest value so far over a light band:
/// errors of unit length are rounding that goes up and down at every step, and what counts is how
/// far it has come.
bool as_envelope(const PlotSpec& spec, const Signal& signal);

/// A value and the time it belongs to.
struct Reading {
  double t = 0, y = 0, x = 0;  ///< x: of a phase portrait
};
/// The sample of a curve nearest to a time; none if it belongs to another curve of the lane.
std::optional<Reading> read_at(const PlotSpec& spec, const Curve& curve, double t);
/// The time of the sample nearest to t, of the first curve that has the signal.
double snapped(const std::vector<Curve>& curves, const Signal& signal, double t);

/// Where a plot of several signals says which curve is whose.
struct CurveName {
  std::size_t curve;
  Reading at;
};
/// About so many places along the time axis, for each lane and signal in turn, on its curve.
std::vector<CurveName> curve_names(const PlotSpec& spec, const std::vector<Curve>& curves,
                                   Interval time, int places);

}  // namespace twosphere::ui
