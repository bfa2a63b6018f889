// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"
#include "ui/plots/plot_context.h"

namespace twosphere::ui {

/// Time and values under the mouse, in all plots simultaneously.
void draw_cursor(const PlotContext& to, const PlotSpec& spec, const Area& area,
                 const std::vector<Curve>& curves, double at);
/// Frequency and densities under the mouse; near a line its frequency and amplitude.
void draw_frequency(const PlotContext& to, const Area& area, const PlotView& plot);
/// The newest value of each curve in words, for screen readers.
void say_plot(const Panel& panel, const PlotSpec& spec, const std::vector<Curve>& curves);

/// A value as text: five digits on a logarithmic axis, nine on others.
std::string value_text(const PlotSpec& spec, double value);
/// The same for one of several values: four and five digits.
std::string short_value_text(const PlotSpec& spec, double value);

}  // namespace twosphere::ui
