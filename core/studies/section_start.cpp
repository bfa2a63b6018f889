// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/section_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/decompositions.h"
#include "core/base/json.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

constexpr double tangent_difference = 1e-6;  // of tangent coordinates, for ∂f/∂y
constexpr double longest_change = 0.3;       // in one iteration
constexpr double close_enough = 1e-9;        // of f, in its units
constexpr double just_before = 1e-13;        // the section, in units of ∂g/∂y
constexpr int max_iterations = 40;
constexpr double first_part = 0.25, min_part = 1.0 / 1024;

class SectionSearch {
 public:
  SectionSearch(const System& system, const SectionSurface& surface, const SectionTarget& target,
                const State& near, bool with_energy)
      : system_(system), surface_(surface), target_(target), with_energy_(with_energy) {
    const double squares = near.w.squaredNorm() / static_cast<double>(std::max(near.size(), 1));
    rate_ = squares > 0 ? std::sqrt(squares) : 1;
    double moving = kinetic_energy(system, near);
    stretch_.setOnes(near.q.cols());
    if (first_order(system)) {
      const Eigen::VectorXd weights = first_order_weights(system);
      stretch_ = (weights.mean() / weights.array()).sqrt();
      // Σ |q_i × g_i|
      moving = near.w.colwise().norm().dot(weights);
    }
    energy_unit_ = std::max({moving, std::abs(target.energy) * 1e-3, 1e-300});
    const auto conserved = system.conserved_momentum();
    for (std::size_t k = 0; k < 3 && target.momentum; ++k)
      if (conserved[k]) conserved_.push_back(static_cast<Eigen::Index>(k));
    const PoincareSection::Direction direction = surface.section().direction;
    offset_ = surface.stroboscopic()                             ? 0
              : direction == PoincareSection::Direction::falling ? just_before
                                                                 : -just_before;
  }

  /// The state nearest to `from` with the coordinates `values`.
  std::optional<State> solve(const State& from, const std::array<double, 2>& values) {
    State at = from;
    Eigen::VectorXd f = residual(at, values);
    double g_slope = 0;
    for (int k = 0; k < max_iterations; ++k) {
      if (!f.allFinite()) return {};
      Eigen::MatrixXd slopes = derivative(at, values);
      if (!slopes.allFinite()) return {};
      if (!surface_.stroboscopic()) {
        g_slope = slopes.row(0).norm();
        if (!(g_slope > 0)) return {};
        slopes.row(0) /= g_slope;
        f(0) = f(0) / g_slope - offset_;
      }
      const double error = f.norm();
      Eigen::VectorXd change = -least_squares(slopes, f);
      if (const double size = change.norm(); size > longest_change) change *= longest_change / size;
      bool better = false;
      for (int half = 0; half < 12 && !better; ++half, change /= 2) {
        const State next = moved(at, change);
        Eigen::VectorXd value = residual(next, values);
        if (!value.allFinite()) continue;
        Eigen::VectorXd scaled = value;
        if (!surface_.stroboscopic()) scaled(0) = value(0) / g_slope - offset_;
        better = scaled.norm() < error;
        if (!better) continue;
        at = next;
        f = std::move(value);
      }
      if (!better) return error <= close_enough ? std::optional(at) : std::nullopt;
      if (error < 1e-15) return at;
    }
    return {};
  }

  /// The state at the target, by way of those between.
  std::optional<State> search(const State& near) {
    std::vector<double> all;
    surface_.coordinates(near, all);
    const std::array from{all[target_.coordinates[0]], all[target_.coordinates[1]]};
    auto at = solve(near, from);
    if (!at) return solve(near, target_.values);
    double done = 0, part = first_part;
    while (done < 1) {
      const double next = std::min(1.0, done + part);
      const std::array values{std::lerp(from[0], target_.values[0], next),
                              std::lerp(from[1], target_.values[1], next)};
      if (auto found = solve(*at, values)) {
        at = std::move(found);
        done = next;
      } else if ((part /= 2) < min_part) {
        return {};
      }
    }
    return at;
  }

 private:
  /// f, all but g in its units.
  Eigen::VectorXd residual(const State& state, const std::array<double, 2>& values) {
    const bool strobe = surface_.stroboscopic();
    Eigen::VectorXd f((strobe ? 0 : 1) + 2 + (with_energy_ ? 1 : 0) +
                      static_cast<Eigen::Index>(conserved_.size()));
    Eigen::Index row = 0;
    if (!strobe) f(row++) = surface_.value(state);
    surface_.coordinates(state, all_);
    for (std::size_t k = 0; k < 2; ++k)
      f(row++) = (all_[target_.coordinates[k]] - values[k]) / target_.sizes[k];
    if (with_energy_) f(row++) = (total_energy(system_, state) - target_.energy) / energy_unit_;
    if (conserved_.empty()) return f;
    const Vec3 off = momentum_map(system_, state) - *target_.momentum;
    for (const Eigen::Index axis : conserved_) f(row++) = off(axis) * rate_ / energy_unit_;
    return f;
  }

  /// The state after a change in tangent coordinates: two of q and two of ω for each body, in a
  /// system of first order two of q alone, in units of one over the root of its weight.
  State moved(const State& from, const Eigen::VectorXd& change) const {
    State to = from;
    for (Eigen::Index i = 0; i < from.q.cols(); ++i) {
      const Vec3 q = from.q.col(i);
      const Vec3 first = q.unitOrthogonal(), second = q.cross(first);
      const auto c = change.segment(each() * i, each());
      to.q.col(i) = (q + stretch_[i] * (c(0) * first + c(1) * second)).normalized();
      if (first_order(system_)) continue;
      const Vec3 w = from.w.col(i) + rate_ * (c(2) * first + c(3) * second);
      to.w.col(i) = tangent(to.q.col(i), w);
    }
    if (first_order(system_)) complete_first_order(system_, to.t, to);
    return to;
  }
  Eigen::Index each() const { return first_order(system_) ? 2 : 4; }

  Eigen::MatrixXd derivative(const State& at, const std::array<double, 2>& values) {
    const Eigen::Index count = each() * at.q.cols();
    Eigen::VectorXd change = Eigen::VectorXd::Zero(count);
    Eigen::MatrixXd slopes;
    for (Eigen::Index k = 0; k < count; ++k) {
      change(k) = tangent_difference;
      const Eigen::VectorXd above = residual(moved(at, change), values);
      change(k) = -tangent_difference;
      const Eigen::VectorXd below = residual(moved(at, change), values);
      change(k) = 0;
      if (k == 0) slopes.resize(above.size(), count);
      slopes.col(k) = (above - below) / (2 * tangent_difference);
    }
    return slopes;
  }

  const System& system_;
  const SectionSurface& surface_;
  const SectionTarget& target_;
  const bool with_energy_;
  double rate_ = 1, energy_unit_ = 1, offset_ = 0;
  Eigen::VectorXd stretch_;              // unit of the coordinates of q_i [rad]
  std::vector<Eigen::Index> conserved_;  // components of J
  std::vector<double> all_;
};

}  // namespace

Result<State> state_on_section(const System& system, const SectionSurface& surface,
                               const State& near, const SectionTarget& target) {
  if (auto found = SectionSearch(system, surface, target, near, true).search(near)) return *found;
  const auto without = SectionSearch(system, surface, target, near, false).search(near);
  std::string why =
      fmt::format("no state with the energy {:.6g} J was found at this place", target.energy);
  if (without)
    why += fmt::format("; the nearest to the run has {:.6g} J", total_energy(system, *without));
  return Error{ErrorKind::numerical, "", why};
}

Result<Scenario> section_orbit(const Scenario& settings, std::size_t lane, const State& start) {
  Scenario orbit = settings;
  orbit.lanes = {settings.lanes[lane]};
  orbit.lanes[0].name = default_names(orbit.lanes)[0];
  orbit.q = start.q;
  orbit.omega = start.w;
  orbit.generator = {};
  const auto system = create_system(orbit);
  if (!system) return system.error();
  orbit.base = base_of(start, **system);
  orbit.orbit.reset();
  orbit.events.clear();
  orbit.branches.clear();
  orbit.stop.clear();
  orbit.view = {};
  orbit.continuation.reset();
  const PoincareSection section = orbit.section.value_or(PoincareSection{});
  const auto surface = SectionSurface::create(section, orbit);
  if (!surface) return surface.error();
  if (section.stroboscopic() && section.phase != 0) {
    RestartState at;
    at.time_origin = section.phase;
    at.lanes.push_back(
        {.time_origin = section.phase, .energy_reference = total_energy(**system, start)});
    orbit.continuation = std::move(at);
  }
  // As the reader leaves it, so that the scenario as a file has the same start.
  auto read = from_json(to_json(orbit), "");
  if (!read) return read.error();
  auto run = Simulation::create(*read);
  if (!run) return run.error();
  if (const auto failure = run->step()) return Error{ErrorKind::numerical, "", failure->message};
  using Direction = PoincareSection::Direction;
  if (!section.stroboscopic() && section.direction != Direction::both) {
    const bool rises = (*surface)->value(run->state(0)) > 0;
    if (rises != (section.direction == Direction::rising))
      return Error{ErrorKind::numerical, "",
                   fmt::format("the orbit through this place crosses the section {}",
                               rises ? "rising" : "falling")};
  }
  return read;
}

Result<PlacedOrbit> orbit_on_section(const Scenario& settings, std::size_t lane,
                                     const System& system, const SectionSurface& surface,
                                     const std::vector<State>& near, const SectionTarget& target) {
  const auto axes = system.conserved_momentum();
  const bool conserved = std::find(axes.begin(), axes.end(), true) != axes.end();
  Error why;
  for (const bool momentum : {true, false}) {
    if (momentum && !conserved) continue;
    SectionTarget wanted = target;
    if (!momentum) wanted.momentum.reset();
    for (const State& from : near) {
      const auto state = state_on_section(system, surface, from, wanted);
      auto orbit = state ? section_orbit(settings, lane, *state) : state.error();
      if (orbit) return PlacedOrbit{std::move(*orbit), conserved, momentum};
      why = orbit.error();
    }
  }
  return why;
}

}  // namespace twosphere
