// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "ui/plot/plot_spec.h"
#include "ui/shell/actions.h"
#include "ui/shell/settings.h"

/// The dashboard: plots that are one click or key away for every system. Menus, keys, the plots'
/// own list and tests are made from the list of actions.
namespace twosphere::ui {

struct ReadyPlot {
  Action action;                ///< shows it, or takes it away: its name, key and explanation
  std::vector<PlotSpec> plots;  ///< one below the other
};
std::span<const ReadyPlot> ready_plots();
/// The one that an action shows or takes away; null if it is no such action.
const ReadyPlot* ready_plot(Action action);

/// Its plots for such a system: without the components of momentum that the system has no use for,
/// but never none: what a system lacks is said in the plot.
std::vector<PlotSpec> plots_of(const ReadyPlot& ready, const SystemInfo& system);
/// Whether all of them are in the list.
bool shown(const ReadyPlot& ready, const SystemInfo& system, const std::vector<PlotSpec>& list);
/// Takes them out of the list if all are in it, else puts those at its end that are not.
void toggle(const ReadyPlot& ready, const SystemInfo& system, std::vector<PlotSpec>& list);

/// What there is to see of such a system at first.
std::vector<PlotSpec> usual_plots(std::string_view system);

/// Puts a list of the user's own away under its owner's name; what is usual needs no keeping.
void keep_plots(Settings& settings);
/// The plots once a scenario is opened: those that the user gave its preset, or its system where it
/// is no preset, else what is usual. The list of the scenario before is kept.
void change_plots(Settings& settings, const Scenario& opened);

}  // namespace twosphere::ui
