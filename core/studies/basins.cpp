// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/basins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/line_fit.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/turn_between.h"
#include "core/run/simulation.h"

namespace twosphere {

namespace {

Error no_basins(std::string message) { return {ErrorKind::usage, "basin", std::move(message)}; }

Error of_first_order() {
  return no_basins(
      "needs a kinetic energy, by which rest is told, and systems of first order have none");
}

bool is_stable(const Equilibrium& equilibrium) {
  return equilibrium.kind() == EquilibriumKind::minimum;
}

/// The range of U over the equilibria; of a single one the scale of its forces [J].
double potential_range(const std::vector<Equilibrium>& equilibria) {
  double low = std::numeric_limits<double>::infinity(), high = -low, scale = 0;
  for (const Equilibrium& one : equilibria) {
    low = std::min(low, one.potential_energy);
    high = std::max(high, one.potential_energy);
    scale = std::max(scale, one.scale);
  }
  return high > low ? high - low : scale;
}

}  // namespace

Result<std::optional<std::vector<Equilibrium>>> basin_equilibria(const Scenario& scenario,
                                                                 int threads,
                                                                 const SearchProgress& proceed) {
  if (!scenario.events.empty())
    return no_basins("cannot be measured of a scenario with events, which may change the system");
  const auto system = Simulation::make_system(scenario);
  if (!system) return system.error();
  if (first_order(**system)) return of_first_order();
  const auto rest = system_at_rest(*system, 0, scenario.q);
  if (!rest) return rest.error();
  Equilibria found = find_equilibria(**rest, scenario.q, {}, threads, proceed);
  if (!found.complete) return std::optional<std::vector<Equilibrium>>();
  if (std::none_of(found.list.begin(), found.list.end(), is_stable))
    return no_basins(
        fmt::format("needs a stable equilibrium, and none of the {} that were found "
                    "is one",
                    found.list.size()));
  return std::optional(std::move(found.list));
}

Result<std::shared_ptr<const System>> damped_at_rest(const std::shared_ptr<const System>& system,
                                                     const Columns& q) {
  if (first_order(*system)) return of_first_order();
  if (!damped(*system))
    return no_basins("needs damping, without which no run comes to rest, and there is none");
  return system_at_rest(system, 0, q);
}

Result<BasinWatch> BasinWatch::create(const std::vector<Equilibrium>& equilibria,
                                      const Scenario& of, const Scenario& task,
                                      std::shared_ptr<const System> system) {
  const auto rest = damped_at_rest(system, task.q);
  if (!rest) return rest.error();
  if (task.size() != of.size())
    return no_basins(fmt::format("has equilibria of {} bodies, not of {}", of.size(), task.size()));
  BasinWatch watch;
  watch.axes_ = (*rest)->conserved_momentum();
  watch.min_energy_ = basin_energy * potential_range(equilibria);
  const bool others = !same_system(of, task);
  for (std::size_t k = 0; k < equilibria.size(); ++k) {
    if (!is_stable(equilibria[k])) continue;
    Columns q = equilibria[k].q;
    if (others) {
      const NewtonEnd end = newton_equilibrium(**rest, q);
      if (!end.converged || !is_stable(equilibrium_at(**rest, end.q))) continue;
      constexpr double same = 1e-6;  // [rad]
      const bool taken = std::any_of(
          watch.places_.begin(), watch.places_.end(),
          [&](const Place& place) { return turn_between(place.q, end.q, watch.axes_) <= same; });
      if (taken) continue;
      q = end.q;
    }
    const double potential = effective_potential(**rest, q);
    watch.places_.push_back({k, std::move(q), potential});
  }
  if (watch.places_.empty())
    return no_basins("has no stable equilibrium left at the parameters of this task");
  watch.system_ = std::move(system);
  watch.rest_ = *rest;
  return watch;
}

const BasinWatch::Place* BasinWatch::nearest(const State& state, double kinetic) const {
  if (!(kinetic < min_energy_)) return nullptr;
  const Place* found = nullptr;
  double least = basin_angle;
  for (const Place& place : places_)
    if (const double turn = turn_between(place.q, state.q, axes_); turn <= least) {
      least = turn;
      found = &place;
    }
  return found;
}

std::optional<std::size_t> BasinWatch::at(const State& state) const {
  const Place* place = nearest(state, kinetic_energy(*system_, state));
  return place ? std::optional(place->number) : std::nullopt;
}

std::optional<std::size_t> BasinWatch::settled_at(const State& state) const {
  const double kinetic = kinetic_energy(*system_, state);
  const Place* place = nearest(state, kinetic);
  if (!place) return {};
  const double above = std::abs(effective_potential(*rest_, state.q) - place->potential_energy);
  return kinetic + above < min_energy_ ? std::optional(place->number) : std::nullopt;
}

std::string UncertainFraction::fractions() const {
  std::string parts, cells;
  for (const Apart& one : list) {
    parts += fmt::format("{}{:.4g}", parts.empty() ? "" : ", ", one.fraction);
    cells += fmt::format("{}{}", cells.empty() ? "" : ", ", one.cells);
  }
  return fmt::format("{} of pairs {} cells apart", parts, cells);
}

std::string UncertainFraction::text() const {
  if (list.empty()) return {};
  if (exponent) {
    const auto [alpha, error] = *exponent;
    return fmt::format("uncertain fraction ∝ ε^{:.3f} ± {:.3f}, dimension {:.3f} ± {:.3f}", alpha,
                       error, dimensions - alpha, error);
  }
  const bool mixed =
      std::any_of(list.begin(), list.end(), [](const Apart& one) { return one.fraction > 0; });
  return mixed ? "uncertain fraction: too few points for an exponent"
               : "uncertain fraction: 0, there is no boundary";
}

UncertainFraction uncertain_fraction(std::span<const double> values,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 1;) strides[k - 1] = strides[k] * shape[k];
  UncertainFraction out;
  out.dimensions = static_cast<int>(axes.size());
  std::vector<std::pair<double, double>> points;  // ln k, ln f
  const auto counts = [](double value) { return std::isfinite(value) && value >= 0; };
  for (const int cells : {1, 2, 4, 8}) {
    const auto apart = static_cast<std::size_t>(cells);
    std::size_t pairs = 0, different = 0;
    for (const std::size_t axis : axes)
      for (std::size_t at = 0; at < values.size(); ++at) {
        if (at / strides[axis] % shape[axis] + apart >= shape[axis]) continue;
        const double a = values[at], b = values[at + apart * strides[axis]];
        if (!counts(a) || !counts(b)) continue;
        ++pairs;
        if (a != b) ++different;
      }
    if (pairs == 0) continue;
    const double fraction = static_cast<double>(different) / static_cast<double>(pairs);
    out.list.push_back({cells, fraction, pairs});
    if (fraction > 0) points.emplace_back(std::log(cells), std::log(fraction));
  }
  constexpr std::size_t enough = 3;
  if (points.size() >= enough)
    if (const auto fit = fit_line(points)) out.exponent = {fit->slope, fit->deviation};
  return out;
}

}  // namespace twosphere
