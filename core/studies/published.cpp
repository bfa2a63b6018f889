// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <string>

#include "core/base/json.h"
#include "core/catalog.h"

namespace twosphere {

namespace {

constexpr Quantity energy = Quantity::energy_error;
constexpr Quantity unit_length = Quantity::unit_length_error_mean;

constexpr std::string_view step = "integrator.step";
constexpr std::string_view relative = "integrator.relative_tolerance";
constexpr std::string_view absolute = "integrator.absolute_tolerance";

constexpr std::string_view rounding =
    "Rounding alone, which does not add up here: every step is solved for |q| = 1 itself.";
constexpr std::string_view figure_only = "The paper shows it in a figure only.";
constexpr std::string_view ode45 =
    "MATLAB's ode45 on (q, ω) with relative tolerance 1e-4 and absolute tolerance 1e-6, sampled "
    "every 0.01 s by its interpolant.";
constexpr std::string_view chaotic_ode45 =
    "MATLAB's ode45 on (q, ω) with its default tolerances; chaotic: judged by the spread over "
    "starts moved by 1e-9.";
constexpr std::string_view unknown_ode45 =
    "Step, duration and tolerances are not printed, and none were found that give both numbers.";

constexpr std::string_view rod_inertia =
    "Not the paper's system: the inertia of serially connected rigid rods in place of the printed "
    "one, for comparison; chaotic, too.";

constexpr std::string_view open_molecules =
    "The paper prints neither σ nor the initial velocities: our own values are used.";
constexpr std::string_view two_vortices =
    "σ is the mean distance of neighbours over 2^(1/6). The molecules start in two vortices 30° "
    "apart that counter-rotate.";

/// Enough for a band of 95 %, two members left out at either end.
constexpr int ensemble = 80;

PublishedMean in_figure(Quantity quantity) {
  return {quantity, {}, AcceptanceRule::open, figure_only};
}

std::vector<PublishedRun> runs() {
  using enum AcceptanceRule;
  std::vector<PublishedRun> list{
      {1,
       "double_spherical_pendulum",
       "variational",
       {{step, 0.01}, {"duration", 100}},
       EnergyUnit::m_g_l,
       {SensitivitySweep::Of::rows, 1, 10},
       {{energy, "2.1641e-5", spread,
         "Energies are in units of m g l, and the paper does not say which rows its mean takes: "
         "the band is that of every row to every tenth.",
         Inputs::fitted},
        {unit_length, "8.8893e-15", at_most, rounding}}},
      {1,
       "double_spherical_pendulum",
       "rk45",
       {{step, 0.01}, {"duration", 100}, {relative, 1e-4}, {absolute, 1e-6}},
       EnergyUnit::m_g_l,
       {},
       {{energy, "7.8586e-4", digits, ode45}, {unit_length, "6.2742e-5", digits, ode45}}},
  };
  constexpr std::string_view step_sizes =
      "The step is 5e-3 s and 5e-4 s, not 1e-3 s and 1e-4 s as printed.";
  for (const auto& [h, printed] : {std::pair(5e-3, "1.1717e-4"), std::pair(5e-4, "1.1986e-6")})
    list.push_back(
        {2,
         "three_body",
         "variational",
         {{step, h}, {"duration", 10}},
         EnergyUnit::joule,
         {},
         {{energy, printed, digits, step_sizes, Inputs::fitted}, in_figure(unit_length)}});
  for (const char* method : {"rk2", "rk2_projected"})
    for (const double h : {5e-3, 5e-4})
      list.push_back({2,
                      "three_body",
                      method,
                      {{step, h}, {"duration", 10}},
                      EnergyUnit::joule,
                      {},
                      {in_figure(energy), in_figure(unit_length)}});
  list.push_back(
      {3,
       "pendulum_network",
       "variational",
       {{step, 0.005}, {"duration", 20}},
       EnergyUnit::joule,
       {SensitivitySweep::Of::duration, 10, 40},
       {{energy, "3.6171e-5", spread,
         "Neither step nor duration is printed: 0.005 s is the round step that gives it, and the "
         "band is that of durations from 10 s to 40 s.",
         Inputs::fitted},
        {unit_length, "4.2712e-15", at_most, rounding}}});
  for (const char* method : {"rk2", "rk2_projected"})
    list.push_back({3,
                    "pendulum_network",
                    method,
                    {{step, 0.005}, {"duration", 20}},
                    EnergyUnit::joule,
                    {},
                    {in_figure(energy), in_figure(unit_length)}});
  const std::vector<PublishedRun> rest{
      {4,
       "elastic_rod",
       "variational",
       {{step, 1e-4}, {"duration", 3}},
       EnergyUnit::joule,
       {SensitivitySweep::Of::start, 1e-12, 0, ensemble},
       {{energy, "1.4310e-6", spread,
         "The inertia is the printed one; chaotic: judged by the spread over starts moved by "
         "1e-12."},
        {unit_length, "2.9747e-14", at_most, rounding}}},
      {4,
       "elastic_rod",
       "rk45",
       {{step, 1e-4}, {"duration", 3}, {relative, 1e-3}, {absolute, 1e-6}},
       EnergyUnit::joule,
       {SensitivitySweep::Of::start, 1e-9, 0, ensemble},
       {{energy, "3.5244e-4", spread, chaotic_ode45},
        {unit_length, "1.8725e-5", spread, chaotic_ode45}}},
      {4,
       "elastic_rod_consistent",
       "variational",
       {{step, 1e-4}, {"duration", 3}},
       EnergyUnit::joule,
       {SensitivitySweep::Of::start, 1e-12, 0, ensemble},
       {{energy, "1.4310e-6", open, rod_inertia}, {unit_length, "2.9747e-14", open, rod_inertia}}},
      {5,
       "dipole_array",
       "variational",
       {{step, 3e-4}, {"duration", 3}},
       EnergyUnit::joule,
       {SensitivitySweep::Of::duration, 3, 10},
       {{energy, "8.5403e-10", spread,
         "Neither step nor duration is printed: 3e-4 s is the round step that gives it, and the "
         "band is that of durations from 3 s to 10 s.",
         Inputs::fitted},
        {unit_length, "1.6140e-14", at_most, rounding}}},
      {5,
       "dipole_array",
       "rk45",
       {{step, 3e-4}, {"duration", 3}, {relative, 1e-3}, {absolute, 1e-6}},
       EnergyUnit::joule,
       {},
       {{energy, "2.9989e-7", open, unknown_ode45},
        {unit_length, "1.7594e-4", open, unknown_ode45}}},
      {6,
       "lennard_jones",
       "variational",
       {{step, 0.005}, {"duration", 5}},
       EnergyUnit::joule,
       {},
       {{energy, "1.8893e-3", open,
         "Neither σ nor the initial velocities are printed; our own values are used: σ from the "
         "mean "
         "distance of neighbours, and two vortices."},
        {unit_length, "5.2623e-15", at_most, rounding}}},
  };
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

/// What the mean over the bodies is a mean of.
Quantity single(Quantity quantity) {
  return quantity == Quantity::unit_length_error_mean ? Quantity::unit_length_error : quantity;
}

}  // namespace

std::string conditions(const PublishedRun& run) {
  std::string out(run.integrator);
  for (const auto& [path, value] : run.settings) {
    const std::string number = json::shortest(value);
    if (path == step)
      out += fmt::format(", h = {} s", number);
    else if (path == "duration")
      out += fmt::format(", {} s", number);
    else
      for (const ParameterInfo& p : find_integrator(run.integrator)->parameters)
        if (path.ends_with(p.key)) out += fmt::format(", {} {}", p.label, number);
  }
  return out;
}

std::optional<double> published_setting(std::string_view preset, std::string_view integrator,
                                        std::string_view key) {
  constexpr std::string_view section = "integrator.";
  for (const PublishedRun& run : published_runs()) {
    if (run.preset != preset || run.integrator != integrator) continue;
    for (const auto& [path, value] : run.settings)
      if (path.starts_with(section) && path.substr(section.size()) == key) return value;
  }
  return std::nullopt;
}

std::string_view label_of_mean(Quantity quantity) { return info(single(quantity)).label; }
std::string_view key_of_mean(Quantity quantity) { return info(single(quantity)).key; }

std::string_view label(EnergyUnit unit) { return unit == EnergyUnit::joule ? "J" : "m g l"; }

double joules(EnergyUnit unit, const Scenario& scenario) {
  if (unit == EnergyUnit::joule) return 1;
  const auto first = [&scenario](std::string_view key) {
    return scenario.parameters.find(key)->second.front();
  };
  return first("masses") * first("gravity") * first("lengths");
}

std::optional<double> PublishedMean::value() const {
  if (printed.empty()) return std::nullopt;
  double number = 0;
  std::from_chars(printed.data(), printed.data() + printed.size(), number);
  return number;
}

double PublishedMean::half_unit() const {
  const auto e = printed.find('e'), dot = printed.find('.');
  int exponent = 0;
  std::from_chars(printed.data() + e + 1, printed.data() + printed.size(), exponent);
  return 0.5 * std::pow(10.0, exponent - static_cast<int>(e - dot - 1));
}

Result<Scenario> PublishedRun::scenario() const {
  auto start = read_scenario(find_preset(preset)->text, preset);
  if (!start) return start.error();
  std::vector<Setting> set{{"integrator.type", json::Node(std::string(integrator))}};
  for (const auto& [path, value] : settings) set.push_back({std::string(path), json::Node(value)});
  set.push_back({"every", json::Node::whole(1)});
  return with_settings(*start, set);
}

std::span<const PublishedRun> published_runs() {
  static const std::vector<PublishedRun> list = runs();
  return list;
}

std::vector<const PublishedRun*> PaperFigure::lanes() const {
  std::vector<const PublishedRun*> list;
  for (const PublishedRun& run : published_runs())
    if (run.preset == preset &&
        std::none_of(list.begin(), list.end(), [&run](const PublishedRun* other) {
          return other->integrator == run.integrator;
        }))
      list.push_back(&run);
  return list;
}

std::vector<PublishedRun> PaperFigure::step_runs() const {
  std::vector<PublishedRun> list;
  for (const PublishedRun* lane : lanes())
    for (const double h : steps) {
      PublishedRun run = *lane;
      for (auto& [path, value] : run.settings)
        if (path == step) value = h;
      run.variation = {};
      for (PublishedMean& mean : run.means) mean = in_figure(mean.quantity);
      list.push_back(std::move(run));
    }
  return list;
}

std::span<const PaperFigure> paper_figures() {
  static const std::vector<PaperFigure> list{
      {"3.1",
       "double_spherical_pendulum",
       "Double spherical pendulum",
       {Quantity::total_energy, energy, unit_length},
       {},
       "The paper gives energies in units of m g l = 96.2361 J.",
       "The printed start values are rounded (0.8660) and lie off the sphere by up to 4.5e-5: the "
       "exact ones are used."},
      {"3.2",
       "three_body",
       "Three bodies on a sphere",
       {energy, unit_length},
       {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4},
       "The paper's numbers belong to steps of 5e-3 s and 5e-4 s, not 1e-3 s and 1e-4 s.",
       "The motion is chaotic with close encounters: at a step of 1e-3 s it ends after 70 s to 200 "
       "s with a step that cannot be taken."},
      {"3.3",
       "pendulum_network",
       "Pendula joined by springs",
       {Quantity::total_energy, energy, unit_length},
       {},
       "The paper prints neither step nor duration, and e₁ = [0, 0, 1] for [1, 0, 0].",
       "All four spring constants are printed as κ₁₂; they are κ₁₂, κ₂₃, κ₃₄ and κ₄₁ = 10, 20, 30 "
       "and 40 N/m."},
      {"3.4",
       "elastic_rod",
       "Elastic rod",
       {Quantity::total_energy, energy, unit_length},
       {},
       "The paper prints e₁ = [0, 0, 1] for [1, 0, 0]. The motion is chaotic.",
       "The printed off-diagonal inertia ½ m l² (n − max(i, j) + 1) is not that of rigid rods in "
       "series, for three or more of them. Preset elastic_rod has the printed inertia, "
       "elastic_rod_consistent that of the rods."},
      {"3.5",
       "dipole_array",
       "Array of magnetic dipoles",
       {Quantity::total_energy, energy, unit_length},
       {},
       "The paper prints neither step, duration nor the tolerances of RK45.",
       "One copy of the paper prints ω₁₆ for the start; it is ω₁: ω₁₆ would not be tangent."},
      {"3.6",
       "lennard_jones",
       "Molecules on a sphere",
       {Quantity::kinetic_energy, Quantity::potential_energy, Quantity::total_energy, energy},
       {},
       open_molecules,
       two_vortices},
  };
  return list;
}

const PaperField& paper_field() {
  static const PaperField field{"3.7",
                                "lennard_jones",
                                "Kinetic energy of molecules on a sphere",
                                {0, 1, 2, 3, 4, 5},
                                open_molecules,
                                two_vortices};
  return field;
}

double fitted_order(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size() && x.size() >= 2);
  const auto count = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += std::log(x[i]) / count;
    my += std::log(y[i]) / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mx;
    xx += dx * dx;
    xy += dx * (std::log(y[i]) - my);
  }
  return xy / xx;
}

}  // namespace twosphere
