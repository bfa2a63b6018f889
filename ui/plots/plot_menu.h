// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui/imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/plot/curve.h"
#include "ui/plot/plot_view.h"

namespace twosphere::ui {

struct Panel;

/// Opens the list of signals; call in the window that calls signal_list().
void open_signal_list(SignalChoice& choice, const std::vector<PlotSpec>& plots,
                      std::optional<std::size_t> plot);
/// Draws the list while it is open: adds a plot, changes it, or changes its signals.
void signal_list(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
                 SignalChoice& choice, ImVec2 corner);
/// Draws the menu of a plot while it is open: PlotsView::menu.
void plot_menu(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
               SignalChoice& choice);

}  // namespace twosphere::ui
