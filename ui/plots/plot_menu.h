// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ui/plots/plot.h"

namespace twosphere::ui {

/// The list from which signals are chosen, for a plot to add or for one to change.
struct SignalChoice {
  std::string filter, filter_over;  ///< what is typed to find a signal
  std::optional<Signal> over;       ///< the horizontal axis; none: time, or
  bool frequency = false;           ///< frequency: a power spectrum
  std::optional<std::size_t> plot;  ///< the plot to change; none: one to add
  bool focus = false;               ///< the horizontal axis was just chosen: typing finds the other
  bool also = false;                ///< signals are added to that plot and taken out
};

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
