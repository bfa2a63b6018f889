// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/signal.h"
#include "ui/plot/axis.h"

namespace twosphere::ui {

/// One plot of the right column: signals of one unit over time, or one over another signal (a phase
/// portrait), or its power spectrum over frequency.
struct PlotSpec {
  Signal y;
  std::optional<Signal> x;  ///< none: time
  Scale scale = Scale::linear;
  bool magnitude = false;      ///< shows |y|, as a logarithmic axis always does
  bool spectrum = false;       ///< over frequency, both axes logarithmic
  std::vector<Signal> also{};  ///< further signals with the unit of y; over time only

  /// y and the further signals.
  std::vector<Signal> signals() const;
  /// The signals of both axes: signals(), and x.
  std::vector<Signal> all_signals() const;
  /// The same plot of one signal.
  PlotSpec of(const Signal& signal) const;
  /// Adds or removes a signal of the same unit; the last one cannot be removed.
  void toggle(const Signal& signal);
  bool over_time() const { return !x && !spectrum; }
  /// Whether all signals of the vertical axis are integers.
  bool whole() const;
  bool shows_magnitude() const { return magnitude || scale == Scale::logarithmic; }
  /// The plotted value, before the scale of the axis is applied.
  double shown(double v) const { return shows_magnitude() ? std::abs(v) : v; }
  bool operator==(const PlotSpec&) const = default;
};

/// The default plot of a signal over time: errors on a logarithmic axis.
PlotSpec plot_of(const Signal& y);
/// Signals of one unit in one plot, with the axis of the first.
PlotSpec plot_of(std::initializer_list<Signal> signals);
/// The power spectrum of a signal.
PlotSpec spectrum_of(const Signal& y);
/// What is shown of every system at first: its energies, and the energy error.
std::vector<PlotSpec> energy_plots();

/// Whether a plot shows kinetic, potential and total energy over time, and their sizes can be
/// compared: it fits T and V, and measures V and E from V₀ where that is large (curves_of()).
bool compares_energies(const PlotSpec& spec);

/// Whether tangent vectors have to follow the run for any of these plots.
bool needs_tangent_vectors(const std::vector<PlotSpec>& plots);

/// The expressions among their signals, each once.
std::vector<PlottedExpression> expressions_of(const std::vector<PlotSpec>& plots);

/// One line for settings files: the keys of the signals and the options that differ from the
/// defaults: "energy_error logarithmic", "omega0_x over q0_x", "work symlog magnitude", "q0_x
/// spectrum", "kinetic_energy and potential_energy".
std::string to_text(const PlotSpec& spec);
/// Reads such a line; none if it is invalid.
std::optional<PlotSpec> parse_plot(std::string_view text);

/// The title of the plot: "total energy", "|E − E₀ − W|", "kinetic and potential energy". For a
/// distance it contains the name of the reference lane.
std::string title(const PlotSpec& spec, std::string_view reference = {});
/// The same in symbols: "T, V".
std::string symbols(const PlotSpec& spec);
/// The unit of its vertical axis.
std::string unit(const PlotSpec& spec);

}  // namespace twosphere::ui
