// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/decompositions.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/sphere.h"
#include "core/studies/orbit_equations.h"

namespace twosphere {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double orbit_epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_corrections = 25;
constexpr double closes_within = 1e-12;     // |F|/growth at the end
constexpr double at_rounding = 16;          // the same, where nothing is left to correct [ε]
constexpr double longest_correction = 0.3;  // step of Newton's method [rad]
constexpr double min_gap = 1e3;             // of an isolated orbit
constexpr double max_growth = 1e12;
constexpr double trivial_part = 1e-6;  // rest, relative to the period; or flow along the group
constexpr double beside_by = 1e-3;     // of systems for the derivative by θ, relative to it

/// How the system changes with θ there. Fails as its systems do.
Result<ParameterSlope> slope_at(const OrbitParameter& parameter, double theta) {
  const double size = std::max(std::abs(theta), parameter.scale / 10);
  return ParameterSlope::at(parameter.system, theta, beside_by * size);
}

/// The segments of an orbit: their first steps, and the number of all.
std::vector<int> segment_steps(const OrbitPoint& point) {
  std::vector<int> steps{0};
  for (const OrbitStation& station : point.stations) steps.push_back(station.step);
  steps.push_back(point.steps);
  return steps;
}

/// What the steps from a point do.
struct OrbitFlight {
  OrbitSolution at;   // the point with its images, residual and growth
  VectorXd closure;   // F
  double growth = 1;  // the most of a segment, at least 1: with damping all may shrink
};
Result<OrbitFlight> flight(const OrbitProblem& problem, const OrbitEquations& equations,
                           const OrbitPoint& point, const ParameterSlope* slope) {
  const std::vector<int> steps = segment_steps(point);
  const double h = point.period / point.steps;
  const Eigen::Index size = equations.coordinates.size();
  OrbitFlight out{{point, {}}, VectorXd(static_cast<Eigen::Index>(steps.size() - 1) * size)};
  ReturnMap::Image& whole = out.at.image;
  for (std::size_t s = 0; s + 1 < steps.size(); ++s) {
    const bool last = s + 2 == steps.size();
    const PhaseCoordinates& to = equations.start(last ? 0 : s + 1);
    const ReturnMap map(problem.system, problem.method, last ? problem.closure : Closure{},
                        h * steps[s]);
    auto made = map.at(equations.start(s), h, steps[s + 1] - steps[s], last ? point.rotation : 0,
                       &to, slope);
    if (!made) return made.error();
    ReturnMap::Image& image = *made;
    out.closure.segment(static_cast<Eigen::Index>(s) * size, size) = to.difference(image.state);
    out.at.residual = std::max(out.at.residual, to.distance(image.state));
    out.growth = std::max(out.growth, image.derivative.norm());
    // The whole: the product of the derivatives, and all points.
    if (s == 0) {
      whole = std::move(image);
      if (last) break;
      image = {whole.state, whole.derivative, whole.by_step, whole.by_angle, whole.by_theta, {}};
    } else {
      whole.derivative = (image.derivative * whole.derivative).eval();
      whole.by_step = (image.derivative * whole.by_step + image.by_step).eval();
      if (slope) whole.by_theta = (image.derivative * whole.by_theta + image.by_theta).eval();
      whole.by_angle = image.by_angle;
      whole.state = image.state;
      whole.points.pop_back();
      whole.points.insert(whole.points.end(), image.points.begin(), image.points.end());
      image.points.clear();
    }
    out.at.segments.push_back(std::move(image));
  }
  out.at.growth = whole.derivative.norm();
  return out;
}

/// Points of an orbit at which so many segments begin.
std::vector<OrbitStation> stations_among(const std::vector<State>& points, std::size_t segments) {
  std::vector<OrbitStation> stations;
  const std::size_t steps = points.size() - 1;
  for (std::size_t s = 1; s < segments; ++s) {
    const std::size_t step = s * steps / segments;
    stations.push_back({points[step], static_cast<int>(step)});
  }
  return stations;
}

/// Whether the flow moves along the conserved rotations only, or not at all.
std::optional<std::string> trivial_motion(const OrbitProblem& problem, const OrbitPoint& at) {
  if (orbit_forces(problem.system) == OrbitForces::driven) return {};
  const PhaseCoordinates coordinates(problem.system, at.state);
  const double flow = coordinates.flow(problem.system).norm();
  if (!(flow * at.period > trivial_part)) return "it is at rest, which closes after any time";
  if (flow_across_rotations(problem, coordinates).norm() < trivial_part * flow)
    return "it is a relative equilibrium, whose bodies turn together about an axis of symmetry: it "
           "closes after any time";
  return {};
}

/// Gives the point the period that the forces have in its system at θ. Fails where they do not
/// repeat.
Result<void> take_period(const OrbitProblem& problem, OrbitPoint& point) {
  const System& system = problem_at(problem, point).system;
  if (orbit_forces(system) != OrbitForces::driven) return {};
  const double period = system.force_period();
  if (problem.times > 0 && period > 0) {
    point.period = problem.times * period;
  } else if (!system.repeats_after(point.period)) {
    return Error{ErrorKind::usage, "period",
                 fmt::format("of {:.10g} s is no period of the forces there", point.period)};
  }
  return {};
}

Error no_orbit(std::string message) { return {ErrorKind::check, "", std::move(message)}; }

/// The point after a step u of the unknowns.
OrbitPoint corrected(const OrbitEquations& equations, const OrbitPoint& from, const VectorXd& u,
                     double part) {
  const Eigen::Index size = equations.coordinates.size();
  OrbitPoint to = from;
  to.state = equations.coordinates.moved(part * u.head(size));
  to.period *= std::exp(part * u[size]);
  if (equations.relative) to.rotation += part * u[size + 1];
  if (equations.slope) to.parameter += part * u[equations.theta_column()] * equations.scale;
  for (std::size_t s = 1; s <= to.stations.size(); ++s)
    to.stations[s - 1].state =
        equations.start(s).moved(part * u.segment(equations.start_column(s), size));
  return to;
}

/// The largest part of a step, up to 1, that moves no body by more than `longest_correction`.
double allowed_part(const OrbitEquations& equations, const VectorXd& u) {
  const Eigen::Index size = equations.coordinates.size(),
                     bodies = equations.coordinates.state().q.cols();
  double length = u.segment(size, equations.first_station - size).cwiseAbs().maxCoeff();
  for (std::size_t s = 0; s <= equations.stations.size(); ++s)
    for (Eigen::Index i = 0; i < bodies; ++i)
      length = std::max(length, u.segment<2>(equations.start_column(s) + 2 * i).norm());
  return length > longest_correction ? longest_correction / length : 1;
}

/// What a value of the state is to become.
struct PrescribedValue {
  VectorXd slope;     // by all unknowns
  double by = 0;      // the change that is asked for
  double size = 0;    // of the numbers that it is the difference of
  double length = 0;  // of the slope by x
};
std::vector<PrescribedValue> prescribed_values(const OrbitProblem& problem,
                                               const OrbitEquations& equations, const State& state,
                                               const OrbitConditions& conditions) {
  std::vector<PrescribedValue> out;
  if (conditions.energy) {
    const double potential = problem.system.potential(state.q),
                 energy = total_energy(problem.system, state);
    out.push_back({equations.energy_slope(), *conditions.energy - energy,
                   std::abs(potential) + std::abs(energy)});
  }
  if (conditions.momentum) {
    const Vec3& axis = problem.closure.axis;
    const Vec3 j = momentum_map(problem.system, state);
    out.push_back({equations.momentum_slope(axis), *conditions.momentum - axis.dot(j), j.norm()});
  }
  for (PrescribedValue& one : out) one.length = one.slope.head(equations.coordinates.size()).norm();
  std::erase_if(out, [](const PrescribedValue& one) { return !(one.length > 0); });
  return out;
}

}  // namespace

std::size_t orbit_segments(double growth) {
  constexpr double one_up_to = 1e4, digits_each = 3;
  if (growth <= one_up_to) return 1;
  return static_cast<std::size_t>(
      std::ceil(std::log10(std::min(growth, max_growth)) / digits_each));
}

double closing_angle(const Closure& closure, const State& from, const State& to) {
  if (!closure.relative()) return 0;
  const State placed = closure.applied(to, 0);
  const Vec3& axis = closure.axis;
  double sine = 0, cosine = 0;
  const auto add = [&](const Columns& a, const Columns& b, double weight) {
    for (Eigen::Index i = 0; i < a.cols(); ++i) {
      const Vec3 x = tangent(axis, a.col(i)), y = tangent(axis, b.col(i));
      sine += weight * axis.dot(x.cross(y));
      cosine += weight * x.dot(y);
    }
  };
  add(from.q, placed.q, 1);
  const double speed = from.w.squaredNorm();
  if (speed > 0) add(from.w, placed.w, static_cast<double>(from.size()) / speed);
  return std::atan2(sine, cosine);
}

VectorXd flow_across_rotations(const OrbitProblem& problem, const PhaseCoordinates& at) {
  VectorXd flow = at.flow(problem.system);
  const std::vector<Vec3> axes = orbit_axes(problem.system);
  if (axes.empty()) return flow;
  MatrixXd turns(at.size(), static_cast<Eigen::Index>(axes.size()));
  for (std::size_t k = 0; k < axes.size(); ++k)
    turns.col(static_cast<Eigen::Index>(k)) = at.rotation(axes[k]);
  flow -= turns * least_squares(turns, flow);
  return flow;
}

Result<OrbitSolution> solve_orbit(const OrbitProblem& problem, const OrbitPoint& guess,
                                  const OrbitConditions& conditions) {
  OrbitPoint point = guess;
  if (conditions.parameter) point.parameter = *conditions.parameter;
  const bool driven = orbit_forces(problem.system) == OrbitForces::driven;
  std::optional<OrbitSolution> best;
  std::optional<ParameterSlope> slope;
  double residual = 0, missed = 0;
  for (int k = 0; k <= max_corrections; ++k) {
    if (problem.parameter && !(conditions.parameter && k > 0)) {
      auto made = problem.parameter->system(point.parameter);
      if (!made) return made.error();
      point.system = std::move(*made);
      if (auto fine = take_period(problem, point); !fine) return fine.error();
      auto change = slope_at(*problem.parameter, point.parameter);
      if (!change) return change.error();
      slope = std::move(*change);
    }
    OrbitProblem here = problem_at(problem, point);
    if (!conditions.parameter) here.parameter = problem.parameter;
    const ParameterSlope* const by_theta = slope ? &*slope : nullptr;
    OrbitEquations equations(here, point, here.parameter ? by_theta : nullptr);
    auto flown = flight(here, equations, point, by_theta);
    if (!flown)
      return no_orbit(
          fmt::format("in iteration {} of Newton's method {}; try another start or "
                      "more steps",
                      k + 1, flown.error().message));
    OrbitSolution& now = flown->at;
    residual = now.residual;
    if (!std::isfinite(residual)) return no_orbit("Newton's method met numbers that overflow");
    if (!(now.growth <= max_growth))
      return no_orbit(
          fmt::format("nearby orbits part by a factor of {:.1e} in one period; at most {:.0e} is "
                      "allowed; try an orbit of a shorter period or of another energy, or, where "
                      "bodies change places, --relabel",
                      now.growth, max_growth));
    if (const std::size_t needed = orbit_segments(now.growth); needed > point.stations.size() + 1) {
      point.stations = stations_among(now.image.points, needed);
      best.reset();
      continue;
    }
    equations.begin(here, now.parts(), flown->closure, point.state);
    // Energy and momentum, as distances in the phase space.
    missed = 0;
    double rounding = 0;
    for (const PrescribedValue& one : prescribed_values(here, equations, point.state, conditions)) {
      missed = std::max(missed, std::abs(one.by) / one.length);
      rounding = std::max(rounding, 8 * orbit_epsilon * one.size / one.length);
      equations.add(one.slope, one.by);
    }
    if (conditions.period) {
      const double wanted = std::log(*conditions.period / point.period);
      missed = std::max(missed, std::abs(wanted));
      equations.add(VectorXd::Unit(equations.matrix.cols(), equations.coordinates.size()), wanted);
    }
    if (conditions.across) equations.add(equations.row_of(*conditions.across), 0);

    const SingularSystem singular = equations.decomposed();
    now.iterations = best ? best->iterations : k;
    if (residual <= closes_within * flown->growth && missed <= closes_within + rounding) {
      const double noise =
          std::max(residual, orbit_epsilon * std::sqrt(point.steps) * singular.values[0]);
      now.gap = singular.values.tail<1>()[0] / noise;
      // One more iteration takes what is above rounding.
      const bool exact = residual <= at_rounding * orbit_epsilon * flown->growth &&
                         missed <= at_rounding * orbit_epsilon + rounding;
      if (best || exact) {
        if (!best || residual < best->residual) best = std::move(now);
        break;
      }
      best = std::move(now);
    } else if (best) {
      break;
    }
    VectorXd u = singular.solve(equations.right.head(equations.count), 1e-11);
    if (driven) u[equations.coordinates.size()] = 0;  // not even by rounding
    point = corrected(equations, point, u, allowed_part(equations, u));
    if (!std::isfinite(point.period) || !(point.period > 0))
      return no_orbit("Newton's method left the positive periods");
  }
  if (!best)
    return no_orbit(fmt::format(
        "Newton's method did not converge in {} iterations: the orbit misses its start by {:.2g}, "
        "and what is held by {:.2g}; try a start or a period that is nearer, more steps, or "
        "another "
        "--relative or --relabel",
        max_corrections, residual, missed));
  if (const auto why = trivial_motion(problem_at(problem, best->point), best->point))
    return no_orbit(*why);
  if (conditions.isolated && !(best->gap >= min_gap))
    return no_orbit(fmt::format(
        "the orbit is not isolated: others close beside it (gap {:.2g}, at least {:.0e}); where J "
        "is free, give --momentum with --relative",
        best->gap, min_gap));
  return std::move(*best);
}

Result<double> start_change(const OrbitProblem& problem, const OrbitSolution& at) {
  const OrbitProblem here = problem_at(problem, at.point);
  const OrbitPoint finer = at.point.refined();
  OrbitEquations equations(here, at.point);
  const std::vector<int> steps = segment_steps(finer);
  const double h = finer.period / finer.steps;
  const auto parts = at.parts();
  const Eigen::Index size = equations.coordinates.size();
  VectorXd closure(static_cast<Eigen::Index>(parts.size()) * size);
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const bool last = s + 1 == parts.size();
    const ReturnMap map(here.system, here.method, last ? here.closure : Closure{}, h * steps[s]);
    const auto end =
        map.end(equations.start(s).state(), h, steps[s + 1] - steps[s], last ? finer.rotation : 0);
    if (!end) return end.error();
    closure.segment(static_cast<Eigen::Index>(s) * size, size) =
        equations.start(last ? 0 : s + 1).difference(*end);
  }
  equations.begin(here, parts, closure, finer.state);
  const VectorXd u = equations.decomposed().solve(equations.right.head(equations.count), 1e-11);
  return u.head(size).norm();
}

Result<double> refined_period(const OrbitProblem& problem, const OrbitSolution& at,
                              const OrbitConditions& conditions) {
  constexpr int most = 12;
  constexpr double small = 1e-6, enough = 1e-15;  // corrections
  constexpr double steady = 1e-11;                // of ln T, where those of the state are rounding
  const OrbitPoint begin = at.point.refined();
  const OrbitProblem here = problem_at(problem, at.point);
  if (!conditions.period && !conditions.across) {
    OrbitEquations equations(here, at.point);
    const auto parts = at.parts();
    const std::vector<int> steps = segment_steps(begin);
    const Eigen::Index size = equations.coordinates.size();
    std::optional<SingularSystem> singular;
    VectorXd moved = VectorXd::Zero(equations.columns());
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most; ++k) {
      const OrbitPoint point = corrected(equations, begin, moved, 1);
      // F in the coordinates of the solution.
      VectorXd closure(static_cast<Eigen::Index>(parts.size()) * size);
      bool flown = true;
      for (std::size_t s = 0; flown && s < parts.size(); ++s) {
        const bool last = s + 1 == parts.size();
        const ReturnMap map(here.system, here.method, last ? here.closure : Closure{});
        const State& from = s == 0 ? point.state : point.stations[s - 1].state;
        const State& to = last ? point.state : point.stations[s].state;
        const auto end = map.end(from, point.period / point.steps, steps[s + 1] - steps[s],
                                 last ? point.rotation : 0);
        flown = end.has_value();
        if (flown)
          closure.segment(static_cast<Eigen::Index>(s) * size, size) =
              equations.start(last ? 0 : s + 1).coordinates(end->q - to.q, end->w - to.w);
      }
      if (!flown) break;
      equations.begin(here, parts, closure, point.state);
      for (const PrescribedValue& one : prescribed_values(here, equations, point.state, conditions))
        equations.add(one.slope, one.by);
      if (!singular) singular = equations.decomposed();
      const VectorXd u = singular->solve(equations.right.head(equations.count), 1e-11);
      const double now = u.norm();
      // At rounding corrections do not fall any more.
      if (!(now < before / 2)) {
        if (now < small && std::abs(u[size]) < steady) return point.period;
        break;
      }
      moved += u;
      const bool same = now < small && std::abs(u[size]) < at_rounding * orbit_epsilon;
      if (std::isfinite(before) && (same || now * (now / before) < enough))
        return corrected(equations, begin, moved, 1).period;
      before = now;
    }
  }
  auto solved = solve_orbit(here, begin, conditions);
  if (!solved) return solved.error();
  return solved->point.period;
}

OrbitDirection family_direction(const OrbitProblem& problem, const OrbitSolution& at, Held held,
                                const OrbitDirection* like) {
  // There are systems beside that of a solution, since it was found by them.
  std::optional<ParameterSlope> slope;
  if (problem.parameter)
    if (auto change = slope_at(*problem.parameter, at.point.parameter)) slope = std::move(*change);
  OrbitProblem here = problem_at(problem, at.point);
  here.parameter = problem.parameter;
  OrbitEquations equations(here, at.point, slope ? &*slope : nullptr);
  const Eigen::Index size = equations.coordinates.size();
  const auto parts = at.parts();
  equations.begin(here, parts, VectorXd::Zero(static_cast<Eigen::Index>(parts.size()) * size),
                  at.point.state);
  if (held == Held::energy || held == Held::all) equations.add(equations.energy_slope(), 0);
  if (held == Held::momentum || (held == Held::all && equations.relative))
    equations.add(equations.momentum_slope(problem.closure.axis), 0);
  VectorXd u = equations.null_vector();
  if (like && u.dot(equations.row_of(*like)) < 0) u = -u;
  OrbitDirection out{equations.coordinates.vector(u.head(size)), u[size]};
  if (equations.relative) out.rotation = u[size + 1];
  if (equations.slope) out.parameter = u[equations.theta_column()];
  for (std::size_t s = 1; s <= equations.stations.size(); ++s)
    out.stations.push_back(equations.start(s).vector(u.segment(equations.start_column(s), size)));
  return out;
}

OrbitPoint moved_along(const OrbitProblem& problem, const OrbitPoint& from,
                       const OrbitDirection& by, double s) {
  const System& system = problem_at(problem, from).system;
  const PhaseCoordinates coordinates(system, from.state);
  OrbitPoint to = from;
  to.state = coordinates.moved(s * coordinates.coordinates(by.vector.q, by.vector.w));
  to.period *= std::exp(s * by.period);
  to.rotation += s * by.rotation;
  if (problem.parameter) {
    to.parameter += s * by.parameter * problem.parameter->scale;
    to.system.reset();
  }
  if (by.stations.size() != to.stations.size()) return to;
  for (std::size_t k = 0; k < to.stations.size(); ++k) {
    const PhaseCoordinates there(system, to.stations[k].state);
    to.stations[k].state = there.moved(s * there.coordinates(by.stations[k].q, by.stations[k].w));
  }
  return to;
}

}  // namespace twosphere
