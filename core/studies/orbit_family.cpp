// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/decompositions.h"
#include "core/base/root.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/phase_coordinates.h"
#include "core/studies/multiplier_passage.h"
#include "core/studies/orbit_distance.h"

namespace twosphere {

namespace {

constexpr double first_arc = 0.05, longest_arc = 0.3, shortest_arc = 1e-7;

FamilyMember member_of(const OrbitProblem& problem, OrbitSolution solution) {
  FamilyMember member;
  const State& state = solution.point.state;
  const OrbitProblem here = problem_at(problem, solution.point);
  const Vec3 axis = problem.closure.relative() ? problem.closure.axis : Vec3::UnitZ();
  member.energy = total_energy(here.system, state);
  member.momentum = axis.dot(orbit_momentum(here.system, state));
  member.multipliers = orbit_multipliers(here, solution);
  member.solution = std::move(solution);
  return member;
}

/// Measures what twice as many steps change: T(N) − T(2N) at the same energy and momentum, where
/// these are kept, or the start, unless that is known.
void measure_change(const OrbitProblem& problem, FamilyMember& member) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const OrbitForces forces = orbit_forces(problem.system);
  if (forces == OrbitForces::driven) {
    if (member.start_change) return;
    const auto change = start_change(problem, member.solution);
    member.start_change = change ? *change : none;
    member.period_change = 0;
    return;
  }
  OrbitConditions held;
  if (forces == OrbitForces::conservative) held.energy = member.energy;
  const Closure& closure = problem.closure;
  if (closure.relative() && keeps_momentum(problem.system, closure.axis))
    held.momentum = member.momentum;
  const auto period = refined_period(problem, member.solution, held);
  member.period_change = period ? member.solution.point.period - *period : none;
}

/// The orbit after T/k of the same closure, if the points close there; k = 1 if there is none.
struct OrbitPart {
  int count = 1;
  OrbitPoint point;
};
OrbitPart shortest_part(const OrbitProblem& problem, const OrbitSolution& orbit) {
  constexpr double closes = 1e-7;
  const PhaseCoordinates at(problem.system, orbit.point.state);
  for (int k = 12; k > 1; --k) {
    if (orbit.point.steps % k != 0) continue;
    if (orbit_forces(problem.system) == OrbitForces::driven &&
        !problem.system.repeats_after(orbit.point.period / k))
      continue;
    const State& there = orbit.image.points[static_cast<std::size_t>(orbit.point.steps / k)];
    const double angle = closing_angle(problem.closure, at.state(), there);
    if (at.distance(problem.closure.applied(there, angle)) > closes) continue;
    return {k, {at.state(), orbit.point.period / k, angle, orbit.point.steps}};
  }
  return {1, orbit.point};
}

/// Whether a step along the family has passed an equilibrium, or a relative one, around which the
/// orbits are seen from the other side: the flow at their starts turns round. Driven orbits have
/// the phase of their forces.
bool passes_rest(const OrbitProblem& problem, const FamilyMember& from, const FamilyMember& to) {
  if (orbit_forces(problem.system) == OrbitForces::driven) return false;
  const OrbitPoint &a = from.solution.point, &b = to.solution.point;
  const OrbitProblem at_a = problem_at(problem, a), at_b = problem_at(problem, b);
  const PhaseCoordinates here(at_a.system, a.state), there(at_b.system, b.state);
  const TangentVector beyond = there.vector(flow_across_rotations(at_b, there));
  const Eigen::VectorXd before = flow_across_rotations(at_a, here),
                        after = here.coordinates(beyond.q, beyond.w);
  return before.dot(after) < -0.5 * before.norm() * after.norm();
}

class FamilyFollower {
 public:
  FamilyFollower(const OrbitProblem& problem, const FamilyPlan& plan, const Family& family)
      : problem_(problem),
        plan_(plan),
        start_(plan.start.value_or(family.members.front().solution.point)) {
    const FamilyMember& first = family.members.front();
    hold(first);
    if (family.arc > 0) {
      direction_ = family.direction;
      arc_ = family.arc;
      return;
    }
    direction_ = family_direction(problem, first.solution, plan.held);
    // To the side of the value that is asked for, as a short step shows.
    const OrbitPoint beside = moved_along(problem, first.solution.point, direction_, 1e-4);
    if ((value_at(beside, plan.over) - first.value(plan.over)) *
            (plan.to - first.value(plan.over)) <
        0)
      turn();
  }

  /// What is held is that of this member, and how much steps may change.
  void hold(const FamilyMember& first) {
    constexpr double little = 1e-9, more_than_at_first = 10;
    if (first.start_change)
      max_change_ = std::max(little, more_than_at_first * *first.start_change);
    const bool all = plan_.held == Held::all;
    if (all || plan_.held == Held::energy) held_.energy = first.energy;
    if ((all && problem_.closure.relative()) || plan_.held == Held::momentum)
      held_.momentum = first.momentum;
  }

  /// The next member; empty if no step succeeds, and if its steps would be coarse(), unless that is
  /// allowed.
  std::optional<FamilyMember> next(const FamilyMember& from, bool allow_coarse) {
    constexpr int max_iterations = 5, few_iterations = 2;
    constexpr double max_moved = 0.2, near_end = 1e-3, max_flow_error = 1e-8;
    coarse_ = false;
    for (; arc_ >= shortest_arc; arc_ /= 2) {
      OrbitConditions conditions = held_;
      conditions.across = &direction_;
      auto solution = solve_orbit(
          problem_, moved_along(problem_, from.solution.point, direction_, arc_), conditions);
      if (!solution) {
        const Error& error = solution.error();
        why_ = error.kind == ErrorKind::usage ? error.text() : error.message;
        // There is no system beyond.
        if (error.kind == ErrorKind::usage && arc_ < near_end) return {};
        continue;
      }
      if (solution->iterations > max_iterations && arc_ > near_end) continue;
      FamilyMember member = member_of(problem_, std::move(*solution));
      if (passes_rest(problem_, from, member)) {
        at_rest_ = arc_ < near_end;
        if (at_rest_) return {};
        continue;
      }
      if (max_change_) measure_change(problem_, member);
      coarse_ = !allow_coarse && (member.multipliers.flow_error >
                                      max_flow_error * std::max(1.0, member.solution.growth) ||
                                  (max_change_ && *member.start_change > *max_change_));
      if (coarse_) return {};
      // Two pairs that pass 1 on one step change no sign of a test.
      if (plan_.bifurcations && arc_ > 1e-4 &&
          (multiplier_motion(from.multipliers, member.multipliers) > max_moved ||
           passed_pairs(from.multipliers, member.multipliers) > 1))
        continue;
      taken_ = arc_;
      before_ = direction_;
      direction_ = family_direction(problem_, member.solution, plan_.held, &direction_);
      if (member.solution.iterations <= few_iterations) arc_ = std::min(1.3 * arc_, longest_arc);
      return member;
    }
    return {};
  }

  /// The same member with twice as many steps, from which the next one is looked for; empty if it
  /// is not found, or has too many.
  std::optional<FamilyMember> refined(const FamilyMember& from) {
    if (4 * from.solution.point.steps > max_orbit_steps) return {};
    auto solution =
        solve_orbit(problem_, from.solution.point.refined(), held_at(from.value(plan_.over)));
    if (!solution) return {};
    FamilyMember member = member_of(problem_, std::move(*solution));
    if (plan_.bifurcations) measure_change(problem_, member);
    direction_ = family_direction(problem_, member.solution, plan_.held, &direction_);
    arc_ = std::max(arc_, first_arc / 4);
    return member;
  }

  /// How far a point on the last step, which began at `a`, is along it: 0 to 1.
  double part_of_step(const FamilyMember& a, const OrbitPoint& point) const {
    const OrbitPoint& from = a.solution.point;
    const PhaseCoordinates at(problem_at(problem_, from).system, from.state);
    const double scale = problem_.parameter ? problem_.parameter->scale : 1;
    const Eigen::VectorXd along = at.coordinates(before_.vector.q, before_.vector.w);
    const Vec3 others(before_.period, before_.rotation, before_.parameter),
        moved(std::log(point.period / from.period), point.rotation - from.rotation,
              (point.parameter - from.parameter) / scale);
    return (along.dot(at.difference(point.state)) + others.dot(moved)) /
           (taken_ * (along.squaredNorm() + others.squaredNorm()));
  }

  /// Where what it is followed over has a value on the last step, which led from `a` to `b`, as
  /// parts of it, in their order. Between the folds that were found on it the value is taken to
  /// change evenly, and beside them with the square of the distance.
  std::vector<double> passages(const FamilyMember& a, const FamilyMember& b, double value,
                               const std::vector<Bifurcation>& found) const {
    struct Place {
      double part, value;
      bool fold;
    };
    std::vector<Place> places{{0, a.value(plan_.over), false}, {1, b.value(plan_.over), false}};
    for (const Bifurcation& one : found)
      if (one.kind == BifurcationKind::fold)
        places.push_back({part_of_step(a, one.at.solution.point), one.at.value(plan_.over), true});
    std::sort(places.begin(), places.end(),
              [](const Place& one, const Place& other) { return one.part < other.part; });
    std::vector<double> parts;
    for (std::size_t k = 1; k < places.size(); ++k) {
      const Place &from = places[k - 1], &to = places[k];
      if (!((from.value - value) * (to.value - value) <= 0)) continue;
      double share = (value - from.value) / (to.value - from.value);
      if (from.fold) share = std::sqrt(share);
      if (to.fold) share = 1 - std::sqrt(1 - share);
      parts.push_back(from.part + share * (to.part - from.part));
    }
    return parts;
  }
  /// The member with a value near a part of the last step, which began at `a`.
  std::optional<FamilyMember> with_value(const FamilyMember& a, double part, double value) const {
    return solved(a, part, held_at(value));
  }

  /// The orbit at the start, where the last step, which led from `a` to `b`, comes back to it:
  /// where it passes its value, or at a fold, whose value it only touches.
  std::optional<FamilyMember> back_at_start(const FamilyMember& a, const FamilyMember& b,
                                            const std::vector<Bifurcation>& found) const {
    const double value = value_at(start_, plan_.over);
    for (const double part : passages(a, b, value, found))
      if (auto at = with_value(a, part, value); at && is_start(*at)) return at;
    for (const Bifurcation& one : found)
      if (one.kind == BifurcationKind::fold && is_start(one.at)) return one.at;
    return {};
  }

  /// The bifurcations on the last step, which led from `a` to `b`; `number` is that of `a`.
  std::vector<Bifurcation> bifurcations(const FamilyMember& a, const FamilyMember& b,
                                        std::size_t number) const {
    const bool paired = b.multipliers.single.empty();
    const BifurcationKind kinds[] = {BifurcationKind::branching, BifurcationKind::doubling,
                                     paired ? BifurcationKind::collision : BifurcationKind::torus,
                                     BifurcationKind::fold, BifurcationKind::fold};
    std::vector<Bifurcation> found;
    const Tests before = tests(a, before_), after = tests(b, direction_);
    const auto changes = [&](std::size_t k) { return before[k] * after[k] < 0; };
    for (std::size_t k = 0; k < before.size(); ++k) {
      // An even number of pairs changes no sign of a determinant, and of more than one it has a
      // multiple root.
      PairsTogether together;
      if (k <= doubling)
        together = passed_together(a.multipliers, b.multipliers, k == branching ? 1 : -1);
      const double ya = together.test(a.multipliers), yb = together.test(b.multipliers);
      const bool several = ya * yb < 0 && (together.count() > 1 || !changes(k));
      // Where E turns back a pair meets at 1, too, but no other family begins.
      if (!(changes(k) || several) || (k == branching && changes(parameter_turns))) continue;
      if (k == parameter_turns && plan_.over == parameter()) continue;  // found as the one before
      // Where multipliers are reciprocal the sign of the test is rounding.
      if (kinds[k] == BifurcationKind::torus && a.multipliers.reciprocal() &&
          b.multipliers.reciprocal())
        continue;
      auto at = several ? located(a, ya, yb,
                                  [&](const FamilyMember& member) {
                                    return together.test(member.multipliers);
                                  })
                        : located(a, before[k], after[k], [&](const FamilyMember& member) {
                            return tests(member, family_direction(problem_, member.solution,
                                                                  plan_.held, &before_))[k];
                          });
      // Two real multipliers of product 1 are no torus.
      if (at && (kinds[k] != BifurcationKind::torus || at->multipliers.pair_on_circle()))
        found.push_back({kinds[k], std::move(*at), number});
    }
    return found;
  }

  const std::string& why() const { return why_; }
  bool coarse() const { return coarse_; }
  /// Whether there is no next one because an equilibrium is there.
  bool at_rest() const { return at_rest_; }
  const OrbitDirection& direction() const { return direction_; }
  double arc() const { return arc_; }

 private:
  /// Numbers whose signs change at bifurcations: OrbitMultipliers::tests(), and the rates along the
  /// family of what it is followed over and of its parameter.
  using Tests = std::array<double, 5>;
  static constexpr std::size_t branching = 0, doubling = 1, parameter_turns = 4;

  /// What changes along the family and multipliers know of: E, or J where E is held, or θ.
  FamilyOver parameter() const {
    if (plan_.over == FamilyOver::parameter) return plan_.over;
    return plan_.held == Held::energy ? FamilyOver::momentum : FamilyOver::energy;
  }
  /// Whether a member is the orbit at the start.
  bool is_start(const FamilyMember& member) const {
    constexpr double same_period = 1e-6, same_orbit = 1e-5;
    const OrbitSolution& solution = member.solution;
    return std::abs(solution.point.period - start_.period) <= same_period * start_.period &&
           distance_from_orbit(problem_at(problem_, solution.point), solution, start_.state) <=
               same_orbit;
  }
  double value_at(const OrbitPoint& point, FamilyOver of) const {
    if (of == FamilyOver::parameter) return point.parameter;
    if (of == FamilyOver::period) return point.period;
    if (of == FamilyOver::energy) return total_energy(problem_.system, point.state);
    return problem_.closure.axis.dot(momentum_map(problem_.system, point.state));
  }
  /// What is held along the family, and a value of what it is followed over.
  OrbitConditions held_at(double value) const {
    OrbitConditions conditions = held_;
    conditions.isolated = false;
    if (plan_.over == FamilyOver::energy) conditions.energy = value;
    if (plan_.over == FamilyOver::period) conditions.period = value;
    if (plan_.over == FamilyOver::momentum) conditions.momentum = value;
    if (plan_.over == FamilyOver::parameter) conditions.parameter = value;
    return conditions;
  }
  /// The change of a value over a short way along a direction.
  double change_of(FamilyOver value, const OrbitPoint& at, const OrbitDirection& along) const {
    constexpr double way = 1e-4;
    return value_at(moved_along(problem_, at, along, way), value) -
           value_at(moved_along(problem_, at, along, -way), value);
  }
  Tests tests(const FamilyMember& member, const OrbitDirection& along) const {
    const auto [plus, minus, pairs] = member.multipliers.tests();
    const OrbitPoint& at = member.solution.point;
    return {plus, minus, pairs, change_of(plan_.over, at, along),
            change_of(parameter(), at, along)};
  }

  /// The member after a part of the last step, which began at `a`.
  std::optional<FamilyMember> solved(const FamilyMember& a, double part,
                                     const OrbitConditions& conditions) const {
    auto solution = solve_orbit(
        problem_, moved_along(problem_, a.solution.point, before_, part * taken_), conditions);
    if (!solution) return {};
    return member_of(problem_, std::move(*solution));
  }

  /// Where a test of members vanishes on the last step, at whose ends it is ya and yb.
  template <class Test>
  std::optional<FamilyMember> located(const FamilyMember& a, double ya, double yb,
                                      const Test& test) const {
    constexpr int most = 60;
    constexpr double enough = 1e-12;
    OrbitConditions conditions = held_;
    conditions.isolated = false;
    conditions.across = &before_;
    const auto settled = [](double now, double before) {
      return std::abs(now - before) <= enough * std::abs(now);
    };
    FalsePosition ends(0, ya, 1, yb);
    std::optional<FamilyMember> best;
    for (int i = 0; i < most; ++i) {
      const double x = ends.next();
      auto at = solved(a, x, conditions);
      if (!at) return best;
      const double y = test(*at);
      const bool last = best && settled(at->energy, best->energy) &&
                        settled(at->solution.point.period, best->solution.point.period) &&
                        (at->multipliers.single.empty() ||
                         settled(at->solution.point.parameter, best->solution.point.parameter));
      best = std::move(*at);
      if (last || y == 0) break;
      ends.add(x, y);
    }
    return best;
  }

  void turn() {
    direction_.vector.q *= -1;
    direction_.vector.w *= -1;
    direction_.period *= -1;
    direction_.rotation *= -1;
    direction_.parameter *= -1;
    for (TangentVector& vector : direction_.stations) {
      vector.q *= -1;
      vector.w *= -1;
    }
  }

  const OrbitProblem& problem_;
  const FamilyPlan& plan_;
  const OrbitPoint start_;
  OrbitConditions held_;
  std::optional<double> max_change_;   // start_change of driven orbits, if that is measured
  OrbitDirection direction_, before_;  // from the last member, and from the one before
  double arc_ = first_arc, taken_ = 0;
  std::string why_;
  bool coarse_ = false;  // the next member would be lost in its steps
  bool at_rest_ = false;
};

}  // namespace

Result<Orbit> settled_orbit(const OrbitProblem& problem, OrbitSolution solution,
                            const OrbitConditions& conditions, bool refine) {
  constexpr int max_doublings = 3;
  constexpr double enough = 2e-11, enough_of_start = 1e-11;
  const bool driven = orbit_forces(problem.system) == OrbitForces::driven;
  Orbit orbit;
  OrbitConditions asked = conditions;
  // A part may have a shorter one, as the eighth of an orbit that is passed sixteen times.
  for (OrbitPart part = shortest_part(problem, solution); part.count > 1;
       part = shortest_part(problem, solution)) {
    if (asked.period) *asked.period /= part.count;
    auto shorter = solve_orbit(problem, part.point, asked);
    if (!shorter) return shorter.error();
    solution = std::move(*shorter);
    orbit.repeated *= part.count;
  }
  for (int doublings = 0;; ++doublings) {
    bool fine = false;
    if (driven) {
      const auto change = start_change(problem, solution);
      if (!change) return change.error();
      orbit.start_change = *change;
      fine = *change <= enough_of_start;
    } else {
      const auto period = refined_period(problem, solution, asked);
      if (!period) return period.error();
      orbit.period_change = solution.point.period - *period;
      fine = std::abs(orbit.period_change) <= enough * solution.point.period;
    }
    if (!refine || doublings == max_doublings || 4 * solution.point.steps > max_orbit_steps || fine)
      break;
    auto twice = solve_orbit(problem, solution.point.refined(), asked);
    if (!twice) return twice.error();
    solution = std::move(*twice);
  }
  orbit.energy = total_energy(problem.system, solution.point.state);
  orbit.momentum = orbit_momentum(problem.system, solution.point.state);
  orbit.multipliers = orbit_multipliers(problem, solution);
  orbit.solution = std::move(solution);
  return orbit;
}

Orbit orbit_of(const OrbitProblem& problem, FamilyMember member) {
  Orbit orbit;
  orbit.period_change = member.period_change;
  orbit.start_change = member.start_change;
  orbit.energy = member.energy;
  const OrbitPoint& point = member.solution.point;
  orbit.momentum = orbit_momentum(problem_at(problem, point).system, point.state);
  orbit.multipliers = std::move(member.multipliers);
  orbit.solution = std::move(member.solution);
  return orbit;
}

std::string_view name(FamilyOver over) {
  constexpr std::string_view names[] = {"energy", "period", "momentum", "parameter"};
  return names[static_cast<std::size_t>(over)];
}

std::string_view name(BifurcationKind kind) {
  constexpr std::string_view names[] = {"branching", "doubling", "collision", "fold", "torus"};
  return names[static_cast<std::size_t>(kind)];
}

int Bifurcation::multiplicity() const {
  constexpr double near = 1e-6;
  const bool branching = kind == BifurcationKind::branching;
  if (!branching && kind != BifurcationKind::doubling && kind != BifurcationKind::torus) return 1;
  std::ptrdiff_t there = 0;
  if (at.multipliers.single.empty()) {
    const std::vector<double> all = trace_excess(at.multipliers, branching ? 1 : -1);
    there = std::count_if(all.begin(), all.end(), [](double one) { return std::abs(one) < near; });
  } else {
    const auto own = at.multipliers.own();
    there = std::count_if(own.begin(), own.end(), [&](const std::complex<double>& mu) {
      if (kind == BifurcationKind::torus)
        return mu.imag() > near && std::abs(std::abs(mu) - 1) < near;
      return std::abs(mu - (branching ? 1.0 : -1.0)) < near;
    });
  }
  return std::max(1, static_cast<int>(there));
}

double FamilyMember::value(FamilyOver over) const {
  if (over == FamilyOver::energy) return energy;
  if (over == FamilyOver::parameter) return solution.point.parameter;
  return over == FamilyOver::period ? solution.point.period : momentum;
}

Family follow_family(const OrbitProblem& problem, const OrbitSolution& first,
                     const FamilyPlan& plan, const std::function<bool(std::size_t)>& proceed) {
  Family family;
  family.members.push_back(member_of(problem, first));
  FamilyMember& begun = family.members.front();
  if (plan.bifurcations) measure_change(problem, begun);
  family.reached = family.complete = begun.value(plan.over) == plan.to;
  continue_family(problem, plan, proceed, family);
  return family;
}

void continue_family(const OrbitProblem& problem, const FamilyPlan& plan,
                     const std::function<bool(std::size_t)>& proceed, Family& family) {
  if (family.complete) return;
  family.end.clear();
  FamilyFollower follower(problem, plan, family);
  const auto ends = [&](std::string why) {
    family.complete = true;
    family.end = std::move(why);
  };
  while (!family.complete && family.members.size() < plan.count) {
    const std::size_t count = family.members.size();
    const FamilyMember& from = family.members.back();
    std::optional<FamilyMember> next;
    bool coarse = false;
    if (proceed(count)) {
      next = follower.next(from, !plan.refines || family.doublings >= max_member_doublings);
      coarse = follower.coarse();
    }
    if (coarse) {
      auto finer = follower.refined(from);
      if (!proceed(count)) {
        family.end = "it was stopped";
        return;
      }
      family.doublings = finer ? family.doublings + 1 : max_member_doublings;
      if (!finer) continue;
      family.members.back() = std::move(*finer);
      // What the first member holds is that of its present steps, as where the family is gone on
      // with.
      follower.hold(family.members.front());
      family.direction = follower.direction();
      family.arc = follower.arc();
      continue;
    }
    std::vector<Bifurcation> found;
    if (next && plan.bifurcations) found = follower.bifurcations(from, *next, count - 1);
    std::optional<FamilyMember> start;
    if (next && (count > 1 || plan.start)) start = follower.back_at_start(from, *next, found);
    const bool closed = start.has_value();
    std::vector<double> passed;
    if (next && !closed) passed = follower.passages(from, *next, plan.to, found);
    const bool last = !passed.empty();
    if (closed || last) {
      next = closed ? std::move(start) : follower.with_value(from, passed.front(), plan.to);
      // What is beyond the end is not of the family.
      if (next)
        std::erase_if(found, [&](const Bifurcation& one) {
          return follower.part_of_step(from, one.at.solution.point) >
                 follower.part_of_step(from, next->solution.point);
        });
    }
    if (next && plan.bifurcations) measure_change(problem, *next);
    // A member that was interrupted is none.
    if (!proceed(count)) {
      family.end = "it was stopped";
      return;
    }
    if (!next && follower.at_rest()) return ends("it has come to an equilibrium");
    if (!next)
      return ends(last ? "the last step along it fails"
                       : "no step along it succeeds: " + follower.why());
    std::move(found.begin(), found.end(), std::back_inserter(family.bifurcations));
    // Only those of the last member are needed again, and there may be very many.
    family.members.back().solution.image.points.clear();
    family.members.push_back(std::move(*next));
    family.direction = follower.direction();
    family.arc = follower.arc();
    family.doublings = 0;
    family.closed = closed;
    if (closed) return ends("it is closed: it has come back to its first orbit");
    if (last)
      family.reached = family.complete = true;
    else if (orbit_forces(problem.system) != OrbitForces::driven &&
             family.members.back().solution.point.period >
                 20 * family.members.front().solution.point.period)
      return ends("its period is 20 times the first: it comes near a separatrix");
  }
  if (!family.complete)
    family.end = fmt::format("it has {} members, as many as are allowed", family.members.size());
}

}  // namespace twosphere
