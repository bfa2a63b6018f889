// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "core/catalog.h"
#include "core/mechanics/coincidence.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

Columns gradient(const Guard::Row& row) {
  Columns g(3, row.state.q.cols());
  row.system.gradient(row.state.q, g);
  add_effective_gradient(row.system, row.state.q, g);
  return g;
}

/// The energy error that rounding alone may cause [J]. Evaluated only if the error seems too large.
double rounding(const Guard::Row& row) {
  constexpr double of_gradient = 1e-9, of_sums = 1e-12;
  const double sums =
      std::abs(row.sample[Quantity::potential_energy]) + std::abs(row.sample[Quantity::work]);
  Eigen::VectorXd inertia;
  diagonal(row.system.inertia(), row.state.q, inertia);
  // The speed at which a step no longer moves q, and its kinetic energy.
  const double unresolved =
      Guard::unresolved_motion / std::max(std::abs(row.step), Guard::unresolved_motion);
  return of_gradient * gradient(row).colwise().norm().sum() + of_sums * sums +
         inertia.sum() / 2 * unresolved * unresolved;
}

/// Σ |q_i × g_i| [J], in a system of first order with g_i = ∂V/∂q_i − f_i.
double potential_scale(const Guard::Row& row) {
  // There ω has it.
  if (first_order(row.system))
    return row.state.w.colwise().norm().dot(first_order_weights(row.system));
  const Columns g = gradient(row);
  double sum = 0;
  for (Eigen::Index i = 0; i < g.cols(); ++i)
    sum += Vec3(row.state.q.col(i)).cross(Vec3(g.col(i))).norm();
  return sum;
}

std::optional<Warning::Pair> nearest_bodies(const Guard::Row& row) {
  Geometry geometry;
  row.system.geometry(row.state.q, geometry);
  if (!geometry.sphere || row.state.q.cols() < 2) return {};
  const auto [i, j] = nearest_pair(row.state.q);
  return Warning::Pair{static_cast<int>(i), static_cast<int>(j),
                       angle(row.state.q.col(i), row.state.q.col(j))};
}

/// The time [s] from or to the pericentre of a Kepler motion with the attraction μ/r², at the
/// distance r with the energy ε = v²/2 − μ/r, r·v and |r × v|²: Kepler's equation, M = E − e sin E,
/// M = e sinh F − F, or Barker's.
double time_of_pericentre(double mu, double r, double energy, double rv, double momentum2) {
  const double sigma = std::abs(rv), a = mu / (2 * std::abs(energy));
  // Barker's equation, for ε = 0.
  if (std::abs(energy) * r < 1e-6 * mu)
    return (momentum2 * sigma / mu + sigma * sigma * sigma / (3 * mu)) / (2 * mu);
  const double e_sine = sigma / std::sqrt(mu * a);
  const double mean = energy < 0 ? std::atan2(e_sine, 1 - r / a) - e_sine
                                 : e_sine - std::atanh(e_sine / (1 + r / a));
  return mean * a * std::sqrt(a / mu);
}

/// A pair that passes where a step is not a small part of its orbit.
struct Meeting {
  Warning warning;
  double time;   ///< from this row or to it [s]
  bool parting;  ///< the distance grows with t
};

/// `step`: the shortest that the method takes there [s]; 0: not known.
std::optional<Meeting> unresolved_encounter(const Guard::Row& row, const Encounter& pair,
                                            double step) {
  // Of a system of first order the pair turns at a rate that depends on its place alone.
  if (pair.rate > 0) {
    const double turn = step * pair.rate;
    if (!(turn > Guard::max_orbit)) return {};
    Warning found{.kind = Warning::Kind::encounter, .value = turn, .scale = 1};
    found.nearest = Warning::Pair{pair.first, pair.second, pair.angle};
    return Meeting{found, 0, true};
  }
  const auto direction = [&](int i) { return Vec3(row.state.q.col(i)); };
  const auto velocity = [&](int i) { return Vec3(Vec3(row.state.w.col(i)).cross(direction(i))); };
  // Of two bodies that attract one another at antipodes, one is taken by its antipode.
  const double side = direction(pair.first).dot(direction(pair.second)) > 0 ? 1 : -1;
  const Vec3 r = direction(pair.second) - side * direction(pair.first),
             v = velocity(pair.second) - side * velocity(pair.first);
  // The Kepler motion of the pair: ε, |r × v|², e and the pericentre ℓ²/(μ (1 + e)).
  const double mu = pair.strength, distance = r.norm(), momentum2 = r.cross(v).squaredNorm(),
               energy = v.squaredNorm() / 2 - mu / distance;
  const double eccentricity = std::sqrt(std::max(0.0, 1 + 2 * energy * momentum2 / (mu * mu)));
  const double closest = momentum2 / (mu * (1 + eccentricity));
  // h √(μ/r_p³)
  const double turn = step * std::sqrt(mu / closest) / closest;
  if (!(turn > Guard::max_orbit)) return {};
  Warning found{.kind = Warning::Kind::encounter, .value = turn, .scale = 1};
  found.nearest = Warning::Pair{pair.first, pair.second, closest};
  return Meeting{found, time_of_pericentre(mu, distance, energy, r.dot(v), momentum2),
                 r.dot(v) > 0};
}

const IntegratorInfo* remedy(Warning::Kind kind, const System& system) {
  const IntegratorInfo* found = nullptr;
  for (const IntegratorInfo& method : integrators()) {
    // One that takes close pairs exactly, of which an encounter is no more than any other motion.
    if (kind == Warning::Kind::encounter && method.exact_pairs && method.supports(system))
      return &method;
    if (!method.adaptive || !method.supports(system)) continue;
    if (kind != Warning::Kind::encounter) return &method;
    // After an encounter the reversible one of the highest order.
    if (method.reversible && (!found || method.order > found->order)) found = &method;
  }
  return found;
}

int farthest_off(const State& state) {
  Eigen::Index worst = 0;
  for (Eigen::Index i = 1; i < state.q.cols(); ++i)
    if (unit_length_error(state.q.col(i)) > unit_length_error(state.q.col(worst))) worst = i;
  return static_cast<int>(worst);
}

/// "step 12, body 1; nearest bodies 1 and 3, 0.02 rad apart".
std::string place_of(const Warning& w) {
  std::string where = fmt::format("step {}", w.step);
  if (w.kind == Warning::Kind::unit_length) where += fmt::format(", body {}", w.body + 1);
  if (w.nearest && w.kind != Warning::Kind::encounter)
    where += fmt::format("; nearest bodies {} and {}, {:.3g} rad apart", w.nearest->first + 1,
                         w.nearest->second + 1, w.nearest->angle);
  return where;
}

/// The advice, with this name of the method that is recommended, if one is.
std::string remedies(const Warning& w, std::string_view method) {
  std::vector<std::string_view> all;
  if (!method.empty()) all.push_back(method);
  if (w.kind != Warning::Kind::encounter || method.empty())
    all.push_back(w.adaptive ? "smaller tolerances" : "a smaller step");
  if (w.kind == Warning::Kind::energy) all.push_back("a stop condition");
  if (w.kind == Warning::Kind::unit_length) all.push_back("a method that keeps the sphere");
  return fmt::format("{}", fmt::join(all, " or "));
}

}  // namespace

std::string brief(const Warning& w, std::optional<double> worst) {
  const double value = worst.value_or(w.value);
  const char* which = worst ? "worst " : "";
  switch (w.kind) {
    case Warning::Kind::energy:
      return fmt::format("the {}energy error, {:.4g} J, {} the energy of the motion, {:.4g} J",
                         which, value,
                         worst ? fmt::format("is {:.3g} times", value / w.scale)
                               : fmt::format("exceeds {} of", Guard::energy_share),
                         w.scale);
    case Warning::Kind::unit_length:
      return fmt::format("the {}unit-length error, {:.3g}, is above {}", which, value,
                         Guard::max_unit_length_error);
    case Warning::Kind::turn:
      return fmt::format("body {} turns by {:.3g} rad in one step, more than half a turn",
                         w.body + 1, value);
    case Warning::Kind::encounter:
      return fmt::format(
          "the encounter of bodies {} and {} is not resolved: they pass at {:.2g} rad, so close "
          "that a circular orbit would take only {:.2g} steps",
          w.nearest->first + 1, w.nearest->second + 1, w.nearest->angle,
          2 * std::numbers::pi / value);
  }
  return {};
}

std::string describe(const Warning& w, std::optional<double> worst) {
  return fmt::format("{}: results after t = {:.6g} s are not meaningful ({}); try {}",
                     brief(w, worst), w.t, place_of(w),
                     remedies(w, w.remedy ? w.remedy->key : std::string_view()));
}

std::string explain(const Warning& w) {
  return fmt::format("{} ({}). Try {}", brief(w), place_of(w),
                     remedies(w, w.remedy ? w.remedy->title : std::string_view()));
}

bool Guard::fits(std::size_t lanes, int bodies) const {
  const auto among = [](int index, int count) { return index >= 0 && index < count; };
  return lanes_.size() == lanes &&
         std::all_of(lanes_.begin(), lanes_.end(),
                     [](const WatchedLane& watched) { return watched.motion.valid(); }) &&
         std::all_of(warnings_.begin(), warnings_.end(), [&](const Warning& w) {
           return w.kind >= Warning::Kind::energy && w.kind <= Warning::Kind::encounter &&
                  among(w.lane, static_cast<int>(lanes)) && among(w.body, bodies) &&
                  (!w.nearest ||
                   (among(w.nearest->first, bodies) && among(w.nearest->second, bodies)));
         });
}

void Guard::check_row(int lane, const Row& row, bool first) {
  WatchedLane& watched = lanes_[static_cast<std::size_t>(lane)];
  if (watched.warned) return;
  if (first) watched.last_good_step = row.index;
  const double before = add_row(lane, row, first);
  if (check(lane, row, first, before)) watched.last_good_step = row.index;
}

void Guard::check_rows(int lane, const Rows& rows) {
  WatchedLane& watched = lanes_[static_cast<std::size_t>(lane)];
  if (watched.warned) return;
  const std::span<const Sample> samples = rows.block.samples();
  constexpr double good_length_error = good_share * max_unit_length_error;
  // No body turns fast, and no pair comes close, in any of the rows. A body that has moved by d ≤
  // 1/2 has turned by less than 1.05 d, and so has its partner.
  const double apart = rows.block.apart();
  bool calm = rows.block.fastest() * std::abs(rows.step) <= good_share * max_turn && apart <= 0.5 &&
              samples.back()[Quantity::unit_length_error] <= good_length_error;
  if (calm)
    if (const auto pair = rows.system.closest_encounter(rows.state.q))
      calm = pair->angle - 2.1 * apart > 3 * farthest_encounter;
  constexpr double good_energy_share = good_share * energy_share;
  const double good_error = good_energy_share * watched.motion.least();
  State state;
  for (std::size_t k = 0; k < samples.size() && !watched.warned; ++k) {
    const Sample& sample = samples[k];
    const Row row{rows.system,
                  rows.method,
                  rows.step,
                  state,
                  sample,
                  rows.first + static_cast<std::int64_t>(k),
                  std::numeric_limits<double>::infinity()};
    // From so many rows on the energy of the motion is that of its rows.
    if (!calm || watched.motion.rows() < MotionEnergy::min_rows) {
      rows.block.state(k, state);
      check_row(lane, row);
      continue;
    }
    const double before = std::exchange(watched.last_time, sample[Quantity::time]);
    watched.motion.add(sample[Quantity::kinetic_energy], sample[Quantity::potential_energy]);
    const double grown = std::abs(sample[Quantity::energy_error] - watched.first_error);
    bool good = (grown <= good_error || grown <= good_energy_share * watched.motion.value()) &&
                sample[Quantity::unit_length_error] <= good_length_error;
    if (!good) {
      rows.block.state(k, state);
      good = check(lane, row, false, before);
    }
    if (good) watched.last_good_step = row.index;
  }
}

/// Adds a row to what is known of the motion; returns the time of the row before [s].
double Guard::add_row(int lane, const Row& row, bool first) {
  WatchedLane& watched = lanes_[static_cast<std::size_t>(lane)];
  const Sample& sample = row.sample;
  if (first) watched.first_error = sample[Quantity::energy_error];
  // Σ |q_i × g_i| tells the size of changes of V until rows do.
  if (watched.motion.rows() == 0) watched.forces = potential_scale(row);
  // In a system of first order, which has no T, it tells so at every row.
  watched.motion.add(
      first_order(row.system) ? potential_scale(row) : sample[Quantity::kinetic_energy],
      sample[Quantity::potential_energy]);
  // Between two rows close together there may be no inner step.
  if (std::isfinite(row.shortest_step)) watched.inner_step = row.shortest_step;
  return std::exchange(watched.last_time, sample[Quantity::time]);
}

/// Warns if the results of the row are not meaningful; returns whether it is far from that.
/// `before`: the time of the row before [s].
bool Guard::check(int lane, const Row& row, bool first, double before) {
  WatchedLane& watched = lanes_[static_cast<std::size_t>(lane)];
  const Sample& sample = row.sample;
  const double error = sample[Quantity::energy_error], t = sample[Quantity::time];
  const double interval = first ? std::abs(row.step) : std::abs(t - before);
  bool good = true;
  const auto pair = row.system.closest_encounter(row.state.q);
  const bool exact = pair && row.method.exact_pairs;
  if (pair && !exact && pair->angle < 3 * farthest_encounter && !(first && row.method.adaptive))
    if (const auto meeting = unresolved_encounter(
            row, *pair, row.method.adaptive ? watched.inner_step : std::abs(row.step))) {
      // The inner steps of an adaptive method are known when they have been taken.
      const bool known = !row.method.adaptive || meeting->parting == (t > before);
      if (known && pair->angle < farthest_encounter && !(meeting->time > interval)) {
        warn(lane, row, meeting->warning);
        return false;
      }
      // Far from the encounter: it is good_rows away at least.
      good = meeting->time > good_rows * interval;
    }
  // |e − e_first|; of a saved state the error itself. In a heat bath the errors of the work of ever
  // new noise add up; after it, those until then do not count.
  const bool noisy = row.system.heat_bath() != nullptr;
  if (noisy) watched.first_error = error;
  const double grown = noisy ? 0 : std::abs(first ? error : error - watched.first_error);
  double scale = watched.motion.value();
  if (watched.motion.rows() <= MotionEnergy::min_rows) scale = std::max(scale, watched.forces);
  if (grown > energy_share * scale && grown > rounding(row)) {
    warn(lane, row, {.kind = Warning::Kind::energy, .value = std::abs(error), .scale = scale});
    return false;
  }
  const double off = sample[Quantity::unit_length_error];
  if (off > max_unit_length_error) {
    warn(lane, row,
         {.kind = Warning::Kind::unit_length,
          .value = off,
          .scale = 1,
          .body = farthest_off(row.state)});
    return false;
  }
  // Far from both bounds.
  good = good && grown <= good_share * energy_share * scale &&
         off <= good_share * max_unit_length_error;
  // The turn of the fastest body in one step; adaptive methods choose theirs, and where pairs are
  // exact close ones may turn as fast as they like.
  if (row.method.adaptive || exact) return good;
  Eigen::Index fastest = 0;
  double largest = 0;  // |ω|²
  for (Eigen::Index i = 0; i < row.state.w.cols(); ++i)
    if (const double square = row.state.w.col(i).squaredNorm(); square > largest)
      largest = square, fastest = i;
  const double turn = std::sqrt(largest) * std::abs(row.step);
  if (!(turn > max_turn)) return good && turn <= good_share * max_turn;
  warn(lane, row,
       {.kind = Warning::Kind::turn, .value = turn, .scale = 1, .body = static_cast<int>(fastest)});
  return false;
}

void Guard::warn(int lane, const Row& row, Warning found) {
  WatchedLane& watched = lanes_[static_cast<std::size_t>(lane)];
  watched.warned = true;
  found.last_good_step = watched.last_good_step;
  found.lane = lane;
  found.step = row.index;
  found.t = row.sample[Quantity::time];
  found.adaptive = row.method.adaptive;
  if (!found.adaptive) found.remedy = remedy(found.kind, row.system);
  if (!found.nearest) found.nearest = nearest_bodies(row);
  warnings_.push_back(found);
}

}  // namespace twosphere
