// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/system.h"
#include "ui/actions.h"
#include "ui/plot_spec.h"

/// The dashboard: plots that are one click or key away for every system. Menus, keys, the plots'
/// own list and tests are made from this table and that of the actions.
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
/// The list once such a system is opened: what was usual of another gives way to what is usual of
/// this one; a list of the user's own stays.
std::vector<PlotSpec> plots_for(std::string_view system, std::vector<PlotSpec> list);

}  // namespace twosphere::ui
