// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/ready_plots.h"

#include <algorithm>
#include <utility>

#include "ui/shell/preset_list.h"

namespace twosphere::ui {

namespace {

using Key = std::string_view;

std::vector<PlotSpec> of(std::initializer_list<Signal> signals) {
  std::vector<PlotSpec> plots;
  for (const Signal& signal : signals) plots.push_back(plot_of(signal));
  return plots;
}

PlotSpec energies() {
  return plot_of({Quantity::kinetic_energy, Quantity::potential_energy, Quantity::total_energy});
}

PlotSpec momentum_errors() {
  return plot_of({Signal::momentum_error(0), Signal::momentum_error(1), Signal::momentum_error(2)});
}

/// Systems whose usual plots are not default_plots(): what the physics of these is about.
const std::vector<std::pair<Key, std::vector<PlotSpec>>>& special() {
  static const std::vector<std::pair<Key, std::vector<PlotSpec>>> list{
      // All of J stays where bodies only act on one another.
      {"n_body",
       {plot_of(Quantity::energy_error), plot_of(Quantity::unit_length_error), momentum_errors()}},
      // As in Figure 3.6: the two kinds of energy go into one another. An axis of their own each: T
      // is small beside V.
      {"lennard_jones",
       {plot_of(Quantity::kinetic_energy), plot_of(Quantity::potential_energy),
        plot_of(Quantity::energy_error), plot_of(Quantity::unit_length_error), momentum_errors()}},
  };
  return list;
}

bool contains(const std::vector<PlotSpec>& list, const PlotSpec& spec) {
  return std::find(list.begin(), list.end(), spec) != list.end();
}

}  // namespace

std::span<const ReadyPlot> ready_plots() {
  static const std::vector<ReadyPlot> list{
      {Action::plot_energies, {energies()}},
      {Action::plot_energy_error, of({Quantity::energy_error})},
      {Action::plot_unit_length, of({Quantity::unit_length_error})},
      {Action::plot_tangency, of({Quantity::tangency_error})},
      {Action::plot_momentum, of({Quantity::angular_momentum_x, Quantity::angular_momentum_y,
                                  Quantity::angular_momentum_z})},
      {Action::plot_momentum_error, {momentum_errors()}},
      {Action::plot_cost,
       of({StepQuantity::time, StepQuantity::newton_iterations, StepQuantity::newton_residual})},
      {Action::plot_spectrum, {spectrum_of(Quantity::kinetic_energy)}},
  };
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

std::vector<PlotSpec> usual_plots(std::string_view system) {
  for (const auto& [key, plots] : special())
    if (key == system) return plots;
  return default_plots();
}

void keep_plots(Settings& settings) {
  if (settings.plots_of.empty()) return;
  std::string_view system = settings.plots_of;
  for (const PresetEntry& entry : preset_entries())
    if (entry.key == settings.plots_of && entry.system) system = entry.system->key;
  if (settings.plots == usual_plots(system))
    settings.own_plots.erase(settings.plots_of);
  else
    settings.own_plots[settings.plots_of] = settings.plots;
}

void change_plots(Settings& settings, const Scenario& opened) {
  const PresetEntry* const preset = preset_of(&opened);
  std::string owner(preset ? preset->key : std::string_view(opened.system));
  if (owner == settings.plots_of) return;
  keep_plots(settings);
  settings.plots_of = std::move(owner);
  const auto own = settings.own_plots.find(settings.plots_of);
  settings.plots = own == settings.own_plots.end() ? usual_plots(opened.system) : own->second;
}

}  // namespace twosphere::ui
