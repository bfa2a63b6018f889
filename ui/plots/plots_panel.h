// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"
#include "ui/shell/panel.h"

namespace twosphere::ui {

/// Right column.
void plots_panel(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots);
/// "unit length kept to 2.2e-16", or "off by" if the largest deviation exceeds 1e-12; only its
/// beginning before the first sample.
std::string unit_length_text(std::optional<double> worst);
/// The text of empty plots: how to start the run, or why there are no data.
std::string invitation(const Snapshot& snapshot);

}  // namespace twosphere::ui
