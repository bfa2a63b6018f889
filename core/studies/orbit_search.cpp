// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/comma_list.h"
#include "core/base/parse_number.h"
#include "core/language/evaluate.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/direction_text.h"
#include "core/mechanics/first_order.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/writer.h"
#include "core/studies/equal_bodies.h"
#include "core/studies/equilibria.h"

namespace twosphere {

namespace {

using json::Node;

Error unread(const char* where, std::string message) {
  return {ErrorKind::usage, where, std::move(message)};
}

/// The search, step by step.
class OrbitSearch {
 public:
  OrbitSearch(const System& system, const System& rest, const IntegratorInfo& method,
              const OrbitRequest& request, const std::function<bool()>& proceed)
      : system_(system),
        rest_(rest),
        request_(request),
        proceed_(proceed),
        problem_{rest, method, request.closure} {}

  Result<std::optional<FoundOrbit>> run() {
    if (auto fine = check_orbit(system_, problem_.method, problem_.closure); !fine)
      return fine.error();
    if (orbit_forces(rest_) != OrbitForces::conservative) return of_other_forces();
    if (request_.from == OrbitRequest::From::rest)
      return unread("from",
                    "can be rest where forces depend on the time: without them it stays at "
                    "rest");
    if (request_.from == OrbitRequest::From::mode && !request_.at && request_.closure.relative())
      turning_ = turning_start(system_, rest_, request_.start, request_.closure.axis);
    const bool needed = request_.above_rest ||
                        (request_.from == OrbitRequest::From::mode && !request_.at && !turning_);
    minimum_ = nearest_minimum(rest_, request_.start.q, needed, request_.threads, searched());
    if (!proceed_()) return none();
    if (request_.above_rest && !minimum_)
      return Error{ErrorKind::check, "energy",
                   "cannot count from rest: there is no stable equilibrium"};
    auto guess = first_guess();
    if (!guess) return guess.error();
    if (!*guess) return none();
    OrbitPoint& point = **guess;
    guess_ = point;

    // The orbit of the start's energy and momentum.
    OrbitConditions held;
    held.energy = total_energy(rest_, point.state);
    if (problem_.closure.relative())
      held.momentum = problem_.closure.axis.dot(momentum_map(rest_, point.state));
    if (turning_) {
      // Of the momentum of the relative equilibrium, from which dE = Ω·dJ.
      held.energy =
          *held.energy - turning_->turn.dot(momentum_map(rest_, point.state) - turning_->momentum);
      held.momentum = problem_.closure.axis.dot(turning_->momentum);
    }
    auto solution = solve_orbit(problem_, point, held);
    if (!solution) return of_command(solution.error());
    // Then that of those asked for.
    if (request_.momentum) {
      if (auto done = follow(*solution, held, FamilyOver::momentum, *request_.momentum); !done)
        return done.error();
    }
    if (request_.energy) {
      const double wanted =
          *request_.energy + (request_.above_rest ? minimum_->potential_energy : 0);
      if (auto done = follow(*solution, held, FamilyOver::energy, wanted); !done)
        return done.error();
    }
    if (!proceed_()) return none();
    auto orbit = settled_orbit(problem_, std::move(*solution), held, !request_.steps);
    if (!orbit) return of_command(orbit.error());
    return std::optional(found(std::move(*orbit)));
  }

 private:
  static std::optional<FoundOrbit> none() { return {}; }
  static Error of_command(Error error) {
    if (error.location.empty()) error.location = "orbit";
    return error;
  }
  SearchProgress searched() const {
    return [this](std::size_t, std::size_t) { return proceed_(); };
  }

  /// That of forces that are not conservative.
  Result<std::optional<FoundOrbit>> of_other_forces() {
    const bool driven = orbit_forces(rest_) == OrbitForces::driven;
    if (request_.energy)
      return unread("energy", "cannot be asked for: damping and forces do not keep it");
    const bool kept = problem_.closure.relative() && keeps_momentum(rest_, problem_.closure.axis);
    if (request_.momentum && !kept)
      return unread("momentum", "cannot be asked for: damping and forces do not keep it");
    if (request_.from == OrbitRequest::From::mode)
      return unread("from", driven ? "cannot be a mode where forces depend on the time; begin with "
                                     "rest, return or start"
                                   : "cannot be a mode where damping or forces change the energy; "
                                     "begin with return or start");
    if (request_.any_places)
      return unread("relabel", "needs a system without damping and without forces of the time");
    Result<std::optional<OrbitPoint>> guess = std::optional<OrbitPoint>();
    if (driven) {
      const auto period = driven_period(rest_, request_.period);
      if (!period) return period.error();
      guess = driven_guess(*period);
    } else if (request_.from == OrbitRequest::From::rest) {
      return unread("from", "can be rest where forces depend on the time only");
    } else {
      guess = first_guess();
    }
    if (!guess) return guess.error();
    if (!*guess) return none();
    guess_ = **guess;
    OrbitConditions held;
    if (kept)
      held.momentum =
          request_.momentum.value_or(problem_.closure.axis.dot(momentum_map(rest_, guess_.state)));
    auto solution = solve_orbit(problem_, guess_, held);
    if (!solution) return of_command(solution.error());
    if (!proceed_()) return none();
    auto orbit = settled_orbit(problem_, std::move(*solution), held, !request_.steps);
    if (!orbit) return of_command(orbit.error());
    return std::optional(found(std::move(*orbit)));
  }

  /// Where it begins with driven forces; empty if proceed() has ended it.
  Result<std::optional<OrbitPoint>> driven_guess(const DrivenPeriod& period) {
    OrbitPoint point{request_.start, period.period, 0, 0};
    if (request_.from == OrbitRequest::From::returned) {
      auto found = driven_return(problem_, request_.start, request_.duration, period,
                                 request_.period.has_value());
      if (!found) return found.error();
      point = std::move(*found);
    } else if (request_.from == OrbitRequest::From::rest) {
      const auto unforced = unforced_system({std::shared_ptr<const System>(), &rest_});
      Result<std::optional<Equilibrium>> at = std::optional<Equilibrium>();
      if (request_.at)
        at = chosen_equilibrium(*unforced, request_.start.q, *request_.at, request_.threads,
                                searched());
      else
        at = nearest_minimum(*unforced, request_.start.q, true, request_.threads, searched());
      if (!at) return at.error();
      if (!proceed_()) return std::optional<OrbitPoint>();
      if (!*at)
        return Error{ErrorKind::check, "from",
                     "there is no stable equilibrium without the forces; name another one with "
                     "--at, or begin with start"};
      point.state = {0, (*at)->q, Columns::Zero(3, (*at)->q.cols())};
    }
    const double rotation = point.rotation;
    if (auto done = complete(point, point.period); !done) return done.error();
    if (request_.from == OrbitRequest::From::returned) point.rotation = rotation;
    return std::optional(std::move(point));
  }

  /// Where Newton's method begins; empty if proceed() has ended it.
  Result<std::optional<OrbitPoint>> first_guess() {
    if (request_.from == OrbitRequest::From::mode) return in_mode();
    if (request_.from == OrbitRequest::From::returned) {
      constexpr std::size_t max_places = 120;  // those of five equal bodies
      std::vector<std::vector<int>> places;
      if (request_.any_places) places = EqualBodies(rest_).all(max_places);
      auto found = nearest_return(problem_, request_.start, request_.duration, std::move(places));
      if (!found) return found.error();
      if (request_.any_places) problem_.closure.places = std::move(found->places);
      if (problem_.closure.order() == 1) problem_.closure.places.clear();
      if (auto done = complete(found->point, request_.period); !done) return done.error();
      return std::optional(std::move(found->point));
    }
    if (!request_.period)
      return Error{ErrorKind::usage, "period", "is needed with start: near which T to look"};
    OrbitPoint point{request_.start, *request_.period, 0, 0};
    if (auto done = complete(point, request_.period); !done) return done.error();
    return std::optional(std::move(point));
  }

  Result<std::optional<OrbitPoint>> in_mode() {
    if (turning_) {
      auto point = turning_mode_start(*turning_, request_.mode);
      if (!point) return point.error();
      if (auto done = complete(*point, request_.period); !done) return done.error();
      point->rotation = problem_.closure.axis.dot(turning_->turn) * point->period;
      return std::optional(std::move(*point));
    }
    std::optional<Equilibrium> equilibrium = minimum_;
    if (request_.at) {
      auto chosen =
          chosen_equilibrium(rest_, request_.start.q, *request_.at, request_.threads, searched());
      if (!chosen) return chosen.error();
      if (!*chosen) return std::optional<OrbitPoint>();
      equilibrium = std::move(*chosen);
    }
    if (!equilibrium)
      return Error{ErrorKind::check, "mode",
                   "there is no stable equilibrium; name another one by its number"};
    const auto modes = modes_at(system_, rest_, *equilibrium);
    if (!modes) return modes.error();
    auto point = mode_start(*equilibrium, *modes, request_.mode);
    if (!point) return point.error();
    if (auto done = complete(*point, request_.period); !done) return done.error();
    point->stations =
        mode_stations(*equilibrium, *modes, request_.mode, problem_.closure.order(), *point);
    return std::optional(std::move(*point));
  }

  /// Period, number of steps and rotation of the first guess, with a period that is asked for.
  Result<void> complete(OrbitPoint& point, const std::optional<double>& asked) const {
    if (first_order(rest_)) complete_first_order(rest_, 0, point.state);
    const int order = problem_.closure.order();
    if (asked) point.period = *asked / order;
    if (!asked && request_.from == OrbitRequest::From::mode) point.period /= order;
    if (!(point.period > 0))
      return Error{ErrorKind::usage, "period",
                   fmt::format("must be above 0 s, not {:g} s", point.period)};
    if (request_.steps && *request_.steps > max_orbit_steps)
      return Error{ErrorKind::usage, "orbit",
                   fmt::format("has {} steps in a period; at most {} are taken", *request_.steps,
                               max_orbit_steps)};
    const int usual = default_steps(rest_, point.state, point.period);
    point.steps = request_.steps ? (*request_.steps + order - 1) / order : usual;
    if (point.steps == 0)
      return Error{
          ErrorKind::usage, "period",
          fmt::format("of {:g} s needs more than {} steps", point.period, max_orbit_steps)};
    if (!problem_.closure.relative() || request_.from == OrbitRequest::From::mode) return {};
    const auto angle = rotation_after(problem_, point.state, point.period, point.steps);
    if (!angle) return angle.error();
    point.rotation = *angle;
    return {};
  }

  /// Takes the solution along its family to a value, which then is what is held.
  Result<void> follow(OrbitSolution& solution, OrbitConditions& held, FamilyOver over, double to) {
    std::optional<double>& present = over == FamilyOver::energy ? held.energy : held.momentum;
    if (*present == to) return {};
    FamilyPlan plan{over, to};
    plan.count = 2000;
    plan.bifurcations = false;
    plan.refines = !request_.steps;
    if (problem_.closure.relative())
      plan.held = over == FamilyOver::energy ? Held::momentum : Held::energy;
    Family family =
        follow_family(problem_, solution, plan, [this](std::size_t) { return proceed_(); });
    solution = std::move(family.members.back().solution);
    followed_ = true;
    if (!family.reached && proceed_())
      return Error{ErrorKind::check, std::string(name(over)),
                   fmt::format("{:.10g} was not reached: the family of orbits ended at {:.10g}, "
                               "because {}",
                               to, family.members.back().value(over), family.end)};
    present = to;
    return {};
  }

  FoundOrbit found(Orbit orbit) const {
    FoundOrbit out{std::move(orbit), &problem_.method, problem_.closure, {}, {}, {}};
    if (minimum_) out.rest_energy = minimum_->potential_energy;
    if (turning_)
      out.notes.push_back(fmt::format(
          "it begins in a mode of the relative equilibrium at the start, which turns at "
          "{:.6g} rad/s",
          problem_.closure.axis.dot(turning_->turn)));
    if (out.keeps_energy() || keeps_momentum(rest_, problem_.closure.axis))
      out.momentum = told_momentum(rest_, problem_.closure, out.orbit.momentum);
    const OrbitPoint& point = out.orbit.point();
    if (out.orbit.repeated > 1)
      out.notes.push_back(
          fmt::format("it closes {} times as early as asked for: this is its shortest period",
                      out.orbit.repeated));
    else if (!followed_ && !(std::abs(std::log(point.period / guess_.period)) < std::log(1.5)))
      out.notes.push_back(
          fmt::format("it is another orbit than the start suggests: T was {:.6g} s there",
                      guess_.period * out.closure.order()));
    if (std::abs(out.orbit.period_change) > 1e-6 * point.period)
      out.notes.emplace_back(
          "its steps are coarse: the period changes by more than 1e-6 with twice as many");
    if (out.orbit.start_change.value_or(0) > 1e-6)
      out.notes.emplace_back(
          "its steps are coarse: the start moves by more than 1e-6 with twice as many");
    const bool of_damping = !(out.orbit.multipliers.contraction == 0);
    if (std::max(of_damping ? 0 : out.orbit.multipliers.determinant,
                 out.orbit.multipliers.flow_error) >
        1e-8 * std::max(1.0, out.orbit.solution.growth))
      out.notes.emplace_back(
          "its steps are coarse: a period keeps the flow and the volume of neighbours to less than "
          "eight digits; take its multipliers with care, or give more steps");
    if (const std::size_t segments = point.stations.size() + 1;
        segments > 1 && orbit_segments(out.orbit.solution.growth) > 1)
      out.notes.push_back(
          fmt::format("nearby orbits part so fast that it was found in {} segments: a run misses "
                      "its start after a period",
                      segments));
    return out;
  }

  const System &system_, &rest_;
  const OrbitRequest& request_;
  const std::function<bool()>& proceed_;
  OrbitProblem problem_;
  std::optional<Equilibrium> minimum_;
  std::optional<TurningStart> turning_;  // whose mode it begins in
  OrbitPoint guess_;
  bool followed_ = false;
};

std::string orbit_digits(double value) { return fmt::format("{:.13g}", value + 0.0); }

}  // namespace

std::optional<double> told_momentum(const System& rest, const Closure& closure, const Vec3& j) {
  if (closure.relative()) return closure.axis.dot(j);
  const auto conserved = rest.conserved_momentum();
  const auto count = std::count(conserved.begin(), conserved.end(), true);
  if (count == 0) return {};
  if (count == 3) return j.norm();
  return j[std::find(conserved.begin(), conserved.end(), true) - conserved.begin()];
}

Result<bool> read_from(const std::string& text, OrbitRequest& request) {
  using From = OrbitRequest::From;
  constexpr std::string_view mode = "mode:";
  if (text == "start") {
    request.from = From::start;
  } else if (text == "return") {
    request.from = From::returned;
  } else if (text == "rest") {
    request.from = From::rest;
  } else if (text.starts_with(mode)) {
    const auto number = parse_number<std::size_t>(text.substr(mode.size()));
    if (!number)
      return unread("from", "must be mode:K with a number K from 0, not " + json::quote(text));
    request.from = From::mode;
    request.mode = *number;
  } else {
    return false;
  }
  return true;
}

void take_closed_orbit(const Scenario& scenario, OrbitRequest& request) {
  if (!scenario.orbit) return;
  const ClosedOrbit& orbit = *scenario.orbit;
  if (!request.period) request.period = orbit.period;
  if (!request.steps) request.steps = orbit.steps;
  if (!request.closure.relative()) request.closure.axis = orbit.axis;
  if (request.closure.places.empty()) request.closure.places = orbit.places;
}

Result<AskedEnergy> read_energy(const std::string& text) {
  constexpr std::string_view rest = "rest";
  const bool above_rest = text.starts_with(rest);
  const std::string number = above_rest ? text.substr(rest.size()) : text;
  if (above_rest && !number.starts_with('+'))
    return unread("energy", "must be E in J or rest+E, such as rest+20, not " + json::quote(text));
  const auto value = evaluate(above_rest ? number.substr(1) : number, "J");
  if (!value) return unread("energy", value.error().message);
  if (above_rest && !(*value > 0))
    return unread("energy", "must be above that of rest, not " + json::quote(text));
  return AskedEnergy{*value, above_rest};
}

Result<Vec3> read_axis(const std::string& text, const System& system, const State& state) {
  if (text == "J") {
    const Vec3 j = orbit_momentum(system, state);
    if (!(j.norm() > 0)) return unread("relative", "cannot be J, which is 0 at the start");
    return Vec3(j.normalized());
  }
  const auto axis = parse_direction(text);
  if (!axis)
    return unread("relative",
                  "must be e1, e2, e3, J or an axis such as 0,0,1, not " + json::quote(text));
  return Vec3(axis->normalized());
}

Result<void> read_relabel(const std::string& text, OrbitRequest& request) {
  request.any_places = text == "any";
  if (request.any_places && request.from != OrbitRequest::From::returned)
    return unread("relabel", "can be any for a return only");
  if (request.any_places) return {};
  const auto members = comma_list(text);
  if (!members) return unread("relabel", members.error().message);
  std::vector<int> places;
  for (const std::string& part : *members) {
    const auto place = parse_number<int>(part);
    if (!place)
      return unread("relabel",
                    "must be a list of bodies such as 1,2,0, or any, not " + json::quote(text));
    places.push_back(*place);
  }
  request.closure.places = std::move(places);
  return {};
}

namespace {

/// A line for each multiplier that is in no pair, or two conjugate ones.
std::string single_lines(const OrbitMultipliers& multipliers) {
  std::string out;
  const std::size_t own = multipliers.single.size() - multipliers.trivial;
  for (std::size_t k = 0; k < multipliers.single.size(); ++k) {
    const std::complex<double> mu = multipliers.single[k];
    if (mu.imag() < 0 && k > 0 && multipliers.single[k - 1] == std::conj(mu)) continue;
    out += fmt::format("multipliers: {:.10g}", mu.real());
    if (mu.imag() != 0)
      out +=
          fmt::format(" +- {:.10g}i, of absolute value {:.10g}", std::abs(mu.imag()), std::abs(mu));
    if (k >= own) out += ", of the flow or of the symmetry";
    out += '\n';
  }
  return out;
}

}  // namespace

double FoundOrbit::value(FamilyOver over) const {
  if (over == FamilyOver::energy) return orbit.energy;
  if (over == FamilyOver::parameter) return orbit.point().parameter;
  return over == FamilyOver::period ? period() : momentum.value_or(0);
}

std::string FoundOrbit::text() const {
  const OrbitPoint& point = orbit.point();
  const OrbitMultipliers whole = multipliers();
  std::string out = fmt::format("period: {} s\n", orbit_digits(period()));
  if (closure.relative())
    out +=
        fmt::format("rotation: {} rad about [{:.6g}, {:.6g}, {:.6g}]\n", orbit_digits(rotation()),
                    closure.axis.x(), closure.axis.y(), closure.axis.z());
  if (closure.order() > 1)
    out += fmt::format("symmetry: after 1/{} of the period bodies change places: {}\n",
                       closure.order(), fmt::join(closure.places, ","));
  if (keeps_energy()) {
    out += fmt::format("energy: {} J", orbit_digits(orbit.energy));
    if (rest_energy)
      out += fmt::format(", {} J above rest", orbit_digits(orbit.energy - *rest_energy));
    out += '\n';
  }
  if (momentum) out += fmt::format("momentum: {} J s\n", orbit_digits(*momentum));
  out += fmt::format("steps: {} of {}; with twice as many ", steps(), method->key);
  out += orbit.start_change ? fmt::format("the start moves by {:.2g}\n", *orbit.start_change)
                            : fmt::format("the period changes by {:.2g} s\n",
                                          -closure.order() * orbit.period_change);
  out += fmt::format(
      "residual: {:.2g}, where nearby orbits grow by {:.3g}; gap {:.1e}\n"
      "kind: {}\n",
      orbit.solution.residual, orbit.solution.growth, orbit.solution.gap, orbit.kind());
  out += single_lines(whole);
  for (const MultiplierPair& pair : whole.pairs) {
    out += fmt::format("multipliers: {:.10g}{:+.10g}i, {:.10g}{:+.10g}i, {}", pair.first.real(),
                       pair.first.imag(), pair.second.real(), pair.second.imag(), name(pair.kind));
    if (pair.krein != 0)
      out += fmt::format(", Krein sign {}, {:.8g} turns in a period", pair.krein > 0 ? '+' : '-',
                         pair.rotation);
    out += '\n';
  }
  if (keeps_energy()) {
    out += fmt::format("symplectic: |det M - 1| = {:.1e}", whole.determinant);
    if (!whole.pairs.empty()) out += fmt::format(", |mu mu' - 1| at most {:.1e}", whole.pairing);
    out += '\n';
  } else if (std::isfinite(whole.contraction)) {
    out += fmt::format(
        "volume: det M is exp(-{:.10g}), that of the damping, {}\n", whole.contraction + 0.0,
        std::isfinite(whole.determinant) ? fmt::format("to {:.1e} of it", whole.determinant)
                                         : "and too small to compare");
  }
  if (const std::string list = direction_list(point.state.q); !list.empty())
    out += "start: " + list + '\n';
  for (const std::string& note : notes) out += "note: " + note + '\n';
  return out;
}

json::Node FoundOrbit::document() const {
  const OrbitPoint& point = orbit.point();
  const OrbitMultipliers whole = this->multipliers();
  const auto optional = [](const std::optional<double>& x) {
    return Node(x.value_or(std::nan("")));
  };
  Node multipliers = Node::array(), pairs = Node::array();
  for (const std::complex<double> mu : whole.values())
    multipliers.items.push_back(Node::array(std::vector<double>{mu.real(), mu.imag()}));
  for (const MultiplierPair& pair : whole.pairs)
    pairs.items.push_back(Node::object({{"kind", name(pair.kind)},
                                        {"krein", Node::whole(pair.krein)},
                                        {"rotation", pair.rotation}}));
  std::optional<double> above;
  if (rest_energy) above = orbit.energy - *rest_energy;
  const double none = std::nan("");
  Node out = Node::object({{"energy", keeps_energy() ? orbit.energy : none},
                           {"energy_above_rest", optional(above)},
                           {"momentum", optional(momentum)},
                           {"period", period()},
                           {"rotation", rotation()},
                           {"steps", Node::whole(steps())},
                           {"residual", orbit.solution.residual},
                           {"period_change", closure.order() * orbit.period_change},
                           {"growth", orbit.solution.growth},
                           {"gap", orbit.solution.gap},
                           {"method", method->key},
                           {"multipliers", std::move(multipliers)},
                           {"pairs", std::move(pairs)},
                           {"pairing", keeps_energy() ? whole.pairing : none},
                           {"determinant", whole.determinant},
                           {"kind", orbit.kind()},
                           {"state", start_document(point.state.q, point.state.w)}});
  if (!keeps_energy()) {
    out.set("start_change", optional(orbit.start_change));
    out.set("trivial", Node::whole(static_cast<std::int64_t>(whole.trivial)));
    out.set("contraction", whole.contraction);
  }
  if (setting) out.set("parameter", setting->value);
  return out;
}

Scenario FoundOrbit::scenario(const Scenario& of) const {
  const OrbitPoint& point = orbit.point();
  Scenario out = of;
  if (setting) {
    // A system was made of it, so that it is allowed.
    auto there = with_setting(of, setting->path, Node(setting->value));
    if (there) out = std::move(*there);
  }
  out.continuation.reset();
  out.events.clear();
  out.branches.clear();
  out.stop.clear();
  out.q = point.state.q;
  out.omega = point.state.w;
  out.generator = {};
  LaneSpec lane;
  lane.type = method->key;
  lane.step = period() / steps();
  lane.values = default_values(method->parameters);
  out.lanes = {lane};
  out.lanes[0].name = default_names(out.lanes)[0];
  out.duration = period();
  out.every = 1;
  if (!of.orbit) out.title = of.title + ": periodic orbit";
  out.description = fmt::format("One period of an orbit that closes after {:.12g} s in {} steps",
                                period(), steps());
  if (closure.relative())
    out.description +=
        fmt::format(", turned by {:.12g} rad about [{:.6g}, {:.6g}, {:.6g}]", rotation(),
                    closure.axis.x(), closure.axis.y(), closure.axis.z());
  if (setting)
    out.description += fmt::format(", {} = {:.10g}", setting->path.text(), setting->value);
  out.description += fmt::format(": {}", orbit.kind());
  out.description += keeps_energy() ? fmt::format(", energy {:.10g} J.", orbit.energy) : ".";
  out.orbit = {period(),       rotation(), closure.axis,
               closure.places, steps(),    std::string(orbit.kind())};
  return out;
}

Result<std::optional<FoundOrbit>> search_orbit(const System& system, const System& rest,
                                               const IntegratorInfo& method,
                                               const OrbitRequest& request,
                                               const std::function<bool()>& proceed) {
  return OrbitSearch(system, rest, method, request, proceed).run();
}

}  // namespace twosphere
