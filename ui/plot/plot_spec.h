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
  bool magnitude = false;      ///< shows |y|; on a logarithmic axis it is shown anyway
  bool spectrum = false;       ///< over frequency, both axes logarithmic
  std::vector<Signal> also{};  ///< beside y, in its unit; over time only

  /// y and those beside it.
  std::vector<Signal> signals() const;
  /// The same of one signal alone.
  PlotSpec of(const Signal& signal) const;
  /// Adds a signal of the same unit, or takes it out; the last one stays.
  void toggle(const Signal& signal);
  bool over_time() const { return !x && !spectrum; }
  /// Whether all that is on the vertical axis are whole numbers.
  bool whole() const;
  bool shows_magnitude() const { return magnitude || scale == Scale::logarithmic; }
  /// What stands for a value on the vertical axis, before its scale.
  double shown(double v) const { return shows_magnitude() ? std::abs(v) : v; }
  bool operator==(const PlotSpec&) const = default;
};

/// A signal over time as it is best seen: errors on a logarithmic axis.
PlotSpec plot_of(const Signal& y);
/// Signals of one unit in one plot, the axis as for the first.
PlotSpec plot_of(std::initializer_list<Signal> signals);
/// The power spectrum of a signal.
PlotSpec spectrum_of(const Signal& y);
/// Total energy, energy error, unit-length error.
std::vector<PlotSpec> default_plots();

/// One line for files of settings, the keys of the signals with what is not usual:
/// "energy_error logarithmic", "omega0_x over q0_x", "work symlog magnitude", "q0_x spectrum",
/// "kinetic_energy and potential_energy".
std::string to_text(const PlotSpec& spec);
/// Reads such a line; nothing if it is none.
std::optional<PlotSpec> parse_plot(std::string_view text);

/// What stands over the plot: "total energy", "|E − E₀ − W|", "kinetic and potential energy". Of a
/// distance it names the lane that it is taken from.
std::string title(const PlotSpec& spec, std::string_view reference = {});
/// The same in symbols: "T, V".
std::string symbols(const PlotSpec& spec);
/// The unit of its vertical axis.
std::string unit(const PlotSpec& spec);

}  // namespace twosphere::ui
