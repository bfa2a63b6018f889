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

/// Predefined plots that an action shows with one click or key, for every system. Menus, keys, the
/// list in the plot column and tests are made from the list of actions.
namespace twosphere::ui {

struct ReadyPlot {
  Action action;                ///< shows or removes it; has its name, key and explanation
  std::vector<PlotSpec> plots;  ///< one below the other
};
std::span<const ReadyPlot> ready_plots();
/// The ready plot of an action; null if the action has none.
const ReadyPlot* ready_plot(Action action);

/// Its plots for this system, without components of the momentum that the system does not record.
/// Never empty: a plot states that a signal is missing.
std::vector<PlotSpec> plots_of(const ReadyPlot& ready, const SystemInfo& system);
/// Whether all its plots are in the list.
bool shown(const ReadyPlot& ready, const SystemInfo& system, const std::vector<PlotSpec>& list);
/// Removes its plots from the list if all are in it, else appends the missing ones.
void toggle(const ReadyPlot& ready, const SystemInfo& system, std::vector<PlotSpec>& list);

/// The plot of SystemInfo::motion for so many bodies.
PlotSpec motion_plot(const SystemInfo& system, int bodies);
/// The default plots of this system with so many bodies: energies, energy error, the motion, and
/// the other quantities that its text names. The unit length is a line of text below them.
std::vector<PlotSpec> default_plots(const SystemInfo& system, int bodies);
/// The same, of the quantities that have a value: where one of them shows_motion, without the
/// motion of other systems of the kind. And one of each of its expressions.
std::vector<PlotSpec> default_plots(const Scenario& scenario);

/// Stores the current list of plots in Settings::own_plots unless it is the default one.
void store_plots(Settings& settings);
/// Sets the plots for an opened scenario: those that the user chose for its preset (or its system,
/// if it is not a preset), else the default ones, with its expressions. Stores the list of the
/// previous scenario.
void restore_plots(Settings& settings, const Scenario& opened);

}  // namespace twosphere::ui
