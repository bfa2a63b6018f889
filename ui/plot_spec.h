// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/signal.h"
#include "ui/axis.h"

namespace twosphere::ui {

/// One plot of the right column: a signal over time, or over another signal (a phase portrait), or
/// its power spectrum over frequency.
struct PlotSpec {
  Signal y;
  std::optional<Signal> x;  ///< none: time
  Scale scale = Scale::linear;
  bool magnitude = false;  ///< shows |y|; on a logarithmic axis it is shown anyway
  bool spectrum = false;   ///< over frequency, both axes logarithmic

  bool over_time() const { return !x && !spectrum; }
  bool shows_magnitude() const { return magnitude || scale == Scale::logarithmic; }
  bool operator==(const PlotSpec&) const = default;
};

/// A signal over time as it is best seen: errors on a logarithmic axis.
PlotSpec plot_of(const Signal& y);
/// The power spectrum of a signal.
PlotSpec spectrum_of(const Signal& y);
/// Total energy, energy error, unit-length error.
std::vector<PlotSpec> default_plots();

/// One line for files of settings, the keys of the signals with what is not usual:
/// "energy_error logarithmic", "omega0_x over q0_x", "work symlog magnitude", "q0_x spectrum".
std::string to_text(const PlotSpec& spec);
/// Reads such a line; nothing if it is none.
std::optional<PlotSpec> parse_plot(std::string_view text);

/// What stands over the plot: "total energy", "|E − E₀ − W|". Of a distance it names the lane that
/// it is taken from.
std::string title(const PlotSpec& spec, std::string_view reference = {});
/// The unit of its vertical axis.
std::string unit(const PlotSpec& spec);

}  // namespace twosphere::ui
