// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/ready_plots.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/scenario/initial_conditions.h"
#include "ui/shell/preset_list.h"

namespace twosphere::ui {

namespace {

/// Reads plots in the notation of the settings file.
std::vector<PlotSpec> read_plots(std::span<const std::string_view> lines) {
  std::vector<PlotSpec> plots;
  for (const std::string_view line : lines) {
    const std::optional<PlotSpec> plot = parse_plot(line);
    assert(plot);
    plots.push_back(*plot);
  }
  return plots;
}

/// The records of actions that show plots.
std::vector<ReadyPlot> ready() {
  std::vector<ReadyPlot> list;
  const auto add = [&list](Action action, std::initializer_list<std::string_view> lines) {
    if (lines.size() > 0) list.push_back({action, read_plots({lines.begin(), lines.size()})});
  };
#define PLOTS(...) __VA_ARGS__
#define ACTION(name, place, label, key, help, ...) add(Action::name, {__VA_ARGS__});
#include "ui/shell/action_list.h"
  return list;
}

bool contains(const std::vector<PlotSpec>& list, const PlotSpec& spec) {
  return std::find(list.begin(), list.end(), spec) != list.end();
}

/// The quantities of a built-in system that have no value in this run, as the charge of a surface
/// in a chain of spins. Panels ask in every frame, and to make a system of many bodies takes long:
/// the last answer is kept.
std::vector<OwnQuantity> quantities_without_value(const Scenario& scenario) {
  const SystemInfo& info = info_of(scenario);
  if (scenario.definition || info.own_quantities.empty()) return {};
  struct Answer {
    std::string system;
    int bodies = 0;
    Values parameters;
    std::vector<OwnQuantity> quantities;
  };
  thread_local Answer last;
  if (last.system == scenario.system && last.bodies == scenario.size() &&
      last.parameters == scenario.parameters)
    return last.quantities;
  const auto system = create_system(scenario);
  if (!system) return {};
  last = {std::string(scenario.system), scenario.size(), scenario.parameters, {}};
  const State start = start_state(scenario, **system, scenario.q, scenario.omega);
  for (const OwnQuantity& own : info.own_quantities)
    if (std::isnan((*system)->own_quantity(own.name, start))) last.quantities.push_back(own);
  return last.quantities;
}

}  // namespace

std::span<const ReadyPlot> ready_plots() {
  static const std::vector<ReadyPlot> list = ready();
  return list;
}

const ReadyPlot* ready_plot(Action action) {
  for (const ReadyPlot& ready : ready_plots())
    if (ready.action == action) return &ready;
  return nullptr;
}

std::vector<PlotSpec> plots_of(const ReadyPlot& ready, const SystemInfo& system) {
  std::vector<PlotSpec> plots;
  for (PlotSpec spec : ready.plots) {
    for (const Signal& signal : spec.signals())
      if (!signal.exists(system, 1)) spec.toggle(signal);
    if (spec.y.exists(system, 1)) plots.push_back(spec);
  }
  if (plots.empty()) plots.push_back(ready.plots.back());
  return plots;
}

bool shown(const ReadyPlot& ready, const SystemInfo& system, const std::vector<PlotSpec>& list) {
  const std::vector<PlotSpec> plots = plots_of(ready, system);
  return std::all_of(plots.begin(), plots.end(),
                     [&list](const PlotSpec& spec) { return contains(list, spec); });
}

void toggle(const ReadyPlot& ready, const SystemInfo& system, std::vector<PlotSpec>& list) {
  const std::vector<PlotSpec> plots = plots_of(ready, system);
  if (shown(ready, system, list)) {
    std::erase_if(list, [&plots](const PlotSpec& spec) { return contains(plots, spec); });
    return;
  }
  for (const PlotSpec& spec : plots)
    if (!contains(list, spec)) list.push_back(spec);
}

PlotSpec motion_plot(const SystemInfo& system, int bodies) {
  if (system.motion) {
    const std::optional<PlotSpec> plot = parse_plot(system.motion(bodies));
    assert(plot);
    return *plot;
  }
  return system.own_quantities.empty() ? plot_of(Signal(Signal::Kind::polar, 0))
                                       : plot_of(Signal::own(system.own_quantities.front()));
}

std::vector<PlotSpec> default_plots(const SystemInfo& system, int bodies) {
  std::vector<PlotSpec> plots;
  // Systems of first order have the total energy alone.
  for (PlotSpec spec : energy_plots()) {
    for (const Signal& signal : spec.signals())
      if (!signal.exists(system, bodies)) spec.toggle(signal);
    plots.push_back(std::move(spec));
  }
  plots.push_back(motion_plot(system, bodies));
  for (const OwnQuantity& own : system.own_quantities)
    if (const PlotSpec plot = plot_of(Signal::own(own)); !contains(plots, plot))
      plots.push_back(plot);
  return plots;
}

std::vector<PlotSpec> default_plots(const Scenario& scenario) {
  const SystemInfo& info = info_of(scenario);
  std::vector<PlotSpec> plots = default_plots(info, scenario.size());
  for (const OwnQuantity& own : quantities_without_value(scenario))
    std::erase(plots, plot_of(Signal::own(own)));
  const bool moves = std::any_of(
      info.own_quantities.begin(), info.own_quantities.end(), [&plots](const OwnQuantity& own) {
        return own.shows_motion && contains(plots, plot_of(Signal::own(own)));
      });
  if (moves) std::erase(plots, motion_plot(info, scenario.size()));
  for (const PlottedExpression& plotted : scenario.plots) plots.push_back(plot_of(Signal(plotted)));
  return plots;
}

void store_plots(Settings& settings) {
  if (settings.plots_of.empty()) return;
  if (settings.plots == settings.default_plots)
    settings.own_plots.erase(settings.plots_of);
  else
    settings.own_plots[settings.plots_of] = settings.plots;
}

void restore_plots(Settings& settings, const Scenario& opened) {
  // Plots of a text-defined system are kept in its file only.
  const PresetEntry* const preset = opened.definition ? nullptr : preset_of(&opened);
  std::string owner;
  if (preset)
    owner = preset->key;
  else if (!opened.definition)
    owner = opened.system;
  std::vector<PlotSpec> defaults = default_plots(opened);
  if (owner.empty() || owner != settings.plots_of) {
    store_plots(settings);
    settings.plots_of = std::move(owner);
    const auto own = settings.own_plots.find(settings.plots_of);
    settings.plots = own == settings.own_plots.end() ? defaults : own->second;
  } else if (settings.plots == settings.default_plots) {
    settings.plots = defaults;
  }
  settings.default_plots = std::move(defaults);
  // Expressions are kept in the file of a scenario. Those of a preset, whose file has none, are
  // kept with its plots.
  const auto foreign = [&](const PlotSpec& plot) {
    const std::vector<PlottedExpression> used = expressions_of({plot});
    return std::any_of(used.begin(), used.end(), [&](const PlottedExpression& plotted) {
      return std::find(opened.plots.begin(), opened.plots.end(), plotted) == opened.plots.end();
    });
  };
  if (!preset || !opened.plots.empty()) std::erase_if(settings.plots, foreign);
  const std::vector<PlottedExpression> shown = expressions_of(settings.plots);
  for (const PlottedExpression& plotted : opened.plots)
    if (std::find(shown.begin(), shown.end(), plotted) == shown.end())
      settings.plots.push_back(plot_of(Signal(plotted)));
}

}  // namespace twosphere::ui
