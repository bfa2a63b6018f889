// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/linear_terms.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/turn_between.h"
#include "core/studies/relative_equilibria.h"
#include "core/studies/view_frame.h"

namespace twosphere {

namespace {

Error no_start(const char* where, std::string message) {
  return {ErrorKind::check, where, std::move(message)};
}

/// The nearest of the returns that take one time.
struct Return {
  double distance = std::numeric_limits<double>::infinity();  // where there is none
  std::size_t from = 0;                                       // its first state
  const std::vector<int>* places = nullptr;
};

}  // namespace

std::optional<Equilibrium> nearest_minimum(const System& rest, const Columns& q, bool needed,
                                           int threads, const SearchProgress& proceed) {
  constexpr int few_bodies = 10;
  if (const NewtonEnd end = newton_equilibrium(rest, q); end.converged) {
    const Equilibrium near = equilibrium_at(rest, end.q);
    if (near.index == 0) return near;
  }
  if (!needed && rest.size() > few_bodies) return {};
  const Equilibria all = find_equilibria(rest, q, {}, threads, proceed);
  if (!all.complete) return {};
  std::optional<Equilibrium> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Equilibrium& one : all.list) {
    const double turn = turn_between(q, one.q, rest.conserved_momentum());
    if (one.index != 0 || turn >= least) continue;
    least = turn;
    best = one;
  }
  return best;
}

Result<OrbitPoint> mode_start(const Equilibrium& equilibrium, const Modes& modes,
                              std::size_t number) {
  if (number >= modes.list.size())
    return Error{ErrorKind::usage, "mode",
                 modes.list.empty() ? "there is no mode"
                                    : fmt::format("must be a number from 0 to {}, not {}",
                                                  modes.list.size() - 1, number)};
  const Mode& mode = modes.list[number];
  constexpr double steady = 1e-6;  // growth of a mode that keeps its amplitude, by its rate
  if (!(mode.frequency > 0) || std::abs(mode.growth) > steady * mode.frequency)
    return no_start("mode", fmt::format("mode {} does not oscillate: nu^2 is {:.4g} rad^2/s^2",
                                        number, mode.square));
  return OrbitPoint{start_in_mode(equilibrium.q, mode, mode_amplitude), 1 / mode.frequency, 0, 0};
}

std::vector<OrbitStation> mode_stations(const Equilibrium& equilibrium, const Modes& modes,
                                        std::size_t number, int order, const OrbitPoint& point) {
  double growth = 0;
  for (const Mode& one : modes.list) growth = std::max(growth, one.growth);
  const std::size_t segments = orbit_segments(std::exp(growth * point.period));
  const Mode& mode = modes.list[number];
  std::vector<OrbitStation> stations;
  for (std::size_t s = 1; s < segments; ++s) {
    const auto step = static_cast<int>(s * static_cast<std::size_t>(point.steps) / segments);
    const double phase = 2 * std::numbers::pi * step / (point.steps * order);
    // The mode later: δq e^{iφ}.
    Mode later = mode;
    later.shape = std::cos(phase) * mode.shape;
    later.imaginary = std::sin(phase) * mode.shape;
    if (mode.imaginary.cols() > 0) {
      later.shape -= std::sin(phase) * mode.imaginary;
      later.imaginary += std::cos(phase) * mode.imaginary;
    }
    stations.push_back({start_in_mode(equilibrium.q, later, mode_amplitude), step});
  }
  return stations;
}

std::optional<TurningStart> turning_start(const System& system, const System& rest,
                                          const State& state, const Vec3& axis) {
  constexpr double at_rest = 1e-9;
  if (has_frame_rotation(system)) return {};
  const auto about = turning_axis(rest, axis);
  if (!about) return {};
  State start = state;
  if (first_order(rest)) first_order_velocity(rest, 0, start.q, start.w);
  const Columns q = about->to * start.q, w = about->to * start.w;
  const Vec3 along = Vec3::Unit(about->axis);
  const auto rate = rigid_rate(q, w, along);
  if (!rate || *rate == 0) return {};
  const auto unowned = [](const System& one) {
    return std::shared_ptr<const System>(std::shared_ptr<const System>(), &one);
  };
  TurningStart out{{unowned(system), unowned(rest), about->axis},
                   about->to,
                   std::move(start),
                   *rate * about->direction(),
                   {}};
  const TurningPotential turning(out.turning.rest, about->axis, TurningPotential::Held::rate,
                                 *rate);
  if (!balance(turning, q).within(at_rest)) return {};
  out.momentum = momentum_map(rest, out.state);
  return out;
}

Result<OrbitPoint> turning_mode_start(const TurningStart& start, std::size_t number) {
  const Vec3 turn = start.to * start.turn;
  Equilibrium at;
  at.q = start.to * start.state.q;
  const auto modes = relative_modes(start.turning, at.q, turn[start.turning.axis]);
  if (!modes) return modes.error();
  auto point = mode_start(at, *modes, number);
  if (!point) return point.error();
  State& state = point->state;
  state = start_turning_in_mode(at.q, turn, modes->list[number], mode_amplitude);
  state.q = start.to.transpose() * state.q;
  state.w = start.to.transpose() * state.w;
  return point;
}

Result<double> rotation_after(const OrbitProblem& problem, const State& start, double period,
                              int steps) {
  if (!problem.closure.relative()) return 0.0;
  const ReturnMap map(problem.system, problem.method, {});
  const auto end = map.end(start, period / steps, steps, 0);
  if (!end) return no_start("start", end.error().message);
  return closing_angle(problem.closure, start, *end);
}

Result<OrbitPoint> driven_return(const OrbitProblem& problem, const State& start, double duration,
                                 const DrivenPeriod& of_forces, bool given) {
  constexpr std::size_t max_apart = 12;
  constexpr double max_periods = 100'000, as_near = 10, rounding = 1e-13;
  const double period = of_forces.period, whole = std::floor(duration / period * (1 + 1e-12));
  if (!(whole >= 1 && whole <= max_periods))
    return no_start(
        "return", fmt::format("the duration of the scenario, {:g} s, must be 1 to {:g} periods of "
                              "{:.10g} s",
                              duration, max_periods, period));
  const int steps = default_steps(problem.system, start, period);
  if (steps == 0) return no_start("return", "the period of the forces has too many steps");
  std::vector<State> states{start};
  for (int k = 0; k < static_cast<int>(whole); ++k) {
    const ReturnMap map(problem.system, problem.method, {}, k * period);
    auto next = map.end(states.back(), period / steps, steps, 0);
    if (!next) return no_start("return", next.error().message);
    states.push_back(std::move(*next));
  }
  // Of two states k periods apart, the nearest.
  std::vector<Return> returns(given ? 1 : std::min(max_apart, states.size() - 1));
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    const PhaseCoordinates at(problem.system, states[i]);
    for (std::size_t k = 1; k <= returns.size() && i + k < states.size(); ++k) {
      const double angle = closing_angle(problem.closure, states[i], states[i + k]),
                   distance = at.distance(problem.closure.applied(states[i + k], angle));
      if (distance < returns[k - 1].distance) returns[k - 1] = {distance, i, nullptr};
    }
  }
  const auto nearer = [](const Return& a, const Return& b) { return a.distance < b.distance; };
  const double least = std::min_element(returns.begin(), returns.end(), nearer)->distance;
  const auto best = std::find_if(returns.begin(), returns.end(), [&](const Return& one) {
    return one.distance <= as_near * least + rounding;
  });
  const auto apart = static_cast<std::size_t>(best - returns.begin()) + 1;
  const State &from = states[best->from], &to = states[best->from + apart];
  return OrbitPoint{{0, to.q, to.w},
                    static_cast<double>(apart) * period,
                    closing_angle(problem.closure, from, to),
                    0};
}

Result<NearestReturn> nearest_return(const OrbitProblem& problem, const State& start,
                                     double duration, std::vector<std::vector<int>> places) {
  constexpr int most = 400;
  const int steps = default_steps(problem.system, start, duration);
  if (steps == 0)
    return no_start("return", "the duration of the scenario has too many steps; shorten it");
  const int stride = std::max(1, steps / most);
  const double apart = duration / steps * stride;
  const ReturnMap map(problem.system, problem.method, {});
  std::vector<State> states{start};
  for (int k = stride; k <= steps; k += stride) {
    auto next = map.end(states.back(), duration / steps, stride, 0);
    if (!next) return no_start("return", next.error().message);
    states.push_back(std::move(*next));
  }
  if (places.empty()) places.push_back(problem.closure.places);
  // Of returns k states later.
  std::vector<Return> returns(states.size());
  for (const std::vector<int>& one : places) {
    const Closure closure{problem.closure.axis, one};
    for (std::size_t i = 0; i + 1 < states.size(); ++i) {
      if (interrupted()) return no_start("return", "the search was stopped");
      const PhaseCoordinates at(problem.system, states[i]);
      // Distances of the later states, of which a return is a minimum after a maximum.
      double before = 0, highest = 0;
      bool falls = false;
      for (std::size_t j = i + 1; j < states.size(); ++j) {
        const double angle = closing_angle(closure, states[i], states[j]);
        const double distance = at.distance(closure.applied(states[j], angle));
        Return& known = returns[j - 1 - i];
        if (distance > before && falls && before < highest / 2 && before < known.distance)
          known = {before, i, &one};
        falls = distance < before;
        highest = std::max(highest, distance);
        before = distance;
      }
    }
  }
  auto best =
      std::min_element(returns.begin(), returns.end(),
                       [](const Return& a, const Return& b) { return a.distance < b.distance; });
  if (!best->places) {
    constexpr double moves = 1e-9;
    const PhaseCoordinates first(problem.system, states.front());
    const bool rests = std::all_of(states.begin(), states.end(),
                                   [&](const State& one) { return first.distance(one) < moves; });
    return no_start("return",
                    rests ? "the run is at rest: push it, or begin in a mode, mode:K"
                          : "the motion does not come back to where it was; make the scenario "
                            "longer, or begin elsewhere");
  }
  if (places.size() > 1) {
    const double way =
        PhaseCoordinates(problem.system, states[best->from]).distance(states[best->from + 1]);
    best = std::find_if(
        returns.begin(), returns.end(),
        [within = best->distance + way](const Return& one) { return one.distance <= within; });
  }
  const auto later = static_cast<std::size_t>(best - returns.begin());
  const State &from = states[best->from], &to = states[best->from + later];
  const Closure closure{problem.closure.axis, *best->places};
  return NearestReturn{
      {from, apart * static_cast<double>(later), closing_angle(closure, from, to), 0},
      *best->places};
}

}  // namespace twosphere
