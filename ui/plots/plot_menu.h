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

/// Opens the list under a point of the screen. In the window that calls signal_list().
void open_signal_list(SignalChoice& choice, const std::vector<PlotSpec>& plots,
                      std::optional<std::size_t> plot);
/// The list, while it is open: adds or changes a plot, or what is in it.
void signal_list(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
                 SignalChoice& choice, ImVec2 corner);
/// What can be done with one plot, while it is open: PlotsView::menu.
void plot_menu(const Panel& panel, PlotsView& view, std::vector<PlotSpec>& plots,
               SignalChoice& choice);

}  // namespace twosphere::ui
