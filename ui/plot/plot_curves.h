// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

/// A curve reduced for drawing: every visible value, or the extremes in equal parts of the time
/// axis.
struct Reduced {
  IndexRange values;
  bool dense = false;
  std::vector<Extremes> columns;  ///< dense only
  std::vector<Extremes> band;     ///< the same of the band around the curve, if it has one
};
Reduced reduced(const PlotSpec& spec, const Curve& curve, Interval time, int columns);

/// Fits a vertical axis to the visible values.
void fit(ValueAxis& axis, const PlotSpec& spec, const std::vector<Curve>& curves,
         const std::vector<Reduced>& parts, int ticks);

/// Fits both axes of a portrait to the visible values.
void fit_portrait(PlotView& plot, const std::vector<Curve>& curves, Interval time, int x_ticks,
                  int y_ticks);

/// Whether the screen draws a signal over time as its running maximum over a light band. Used for
/// unit-length errors: rounding fluctuates at every step, and the accumulated maximum matters.
bool as_envelope(const PlotSpec& spec, const Signal& signal);

/// The edges of the band around a signal over time, which is drawn with it: from 5 % to 95 % of a
/// cloud around its median.
std::optional<std::pair<Signal, Signal>> band_of(const PlotSpec& spec, const Signal& signal);

/// A value and its time.
struct Reading {
  double t = 0, y = 0, x = 0;  ///< x: of a phase portrait
};
/// The sample of a curve nearest to a time; none if it is in another curve of the lane.
std::optional<Reading> read_at(const PlotSpec& spec, const Curve& curve, double t);
/// The time of the sample nearest to t in the first curve that has the signal.
double snapped(const std::vector<Curve>& curves, const Signal& signal, double t);

/// The position of the label of a curve in a plot of several signals.
struct CurveName {
  std::size_t curve;
  Reading at;
};
/// About `places` labels along the time axis, alternating between the lanes and signals.
std::vector<CurveName> curve_names(const PlotSpec& spec, const std::vector<Curve>& curves,
                                   Interval time, int places);

}  // namespace twosphere::ui
