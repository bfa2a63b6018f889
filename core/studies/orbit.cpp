// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>

#include "core/base/decompositions.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/random_state.h"
#include "core/mechanics/time_scales.h"

namespace twosphere {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double orbit_epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_corrections = 25;
constexpr double closes_within = 1e-12;     // |F|/growth at the end
constexpr double longest_correction = 0.3;  // step of Newton's method [rad]
constexpr double least_gap = 1e3;           // of an isolated orbit
constexpr double max_growth = 1e12;
constexpr double trivial_part = 1e-6;  // rest, relative to the period; or flow along the group

/// An axis that is conserved with J: e in the span of the conserved components.
bool conserved_about(const System& system, const Vec3& axis) {
  const auto conserved = system.conserved_momentum();
  for (int k = 0; k < 3; ++k)
    if (!conserved[static_cast<std::size_t>(k)] && std::abs(axis[k]) > 1e-12) return false;
  return true;
}

/// The equations at a point.
struct OrbitEquations {
  OrbitEquations(const OrbitProblem& problem, const OrbitPoint& at)
      : coordinates(problem.system, at.state),
        flow(coordinates.flow(problem.system)),
        form(coordinates.form(problem.system)) {}

  Eigen::Index columns(const OrbitProblem& problem) const {
    return coordinates.size() + (problem.closure.relative() ? 2 : 1);
  }
  /// Appends a row of length 1 for a·x = b, or none if a vanishes.
  void add(const VectorXd& row, double value) {
    const double length = row.norm();
    if (!(length > 0)) return;
    matrix.row(count) = row.transpose() / length;
    right[count++] = value / length;
  }
  /// A row of x alone.
  void add_state(const VectorXd& row, double value) {
    VectorXd full = VectorXd::Zero(matrix.cols());
    full.head(row.size()) = row;
    add(full, value);
  }
  /// Closure, and the phase rows.
  void begin(const OrbitProblem& problem, const ReturnMap::Image& image, const VectorXd& closure) {
    const Eigen::Index size = coordinates.size();
    const std::vector<Vec3> axes = conserved_axes(problem.system);
    constexpr Eigen::Index asked = 4;  // most rows of OrbitConditions
    matrix.setZero(size + 1 + static_cast<Eigen::Index>(axes.size()) + asked, columns(problem));
    right.setZero(matrix.rows());
    matrix.topLeftCorner(size, size) = image.derivative - MatrixXd::Identity(size, size);
    matrix.col(size).head(size) = image.by_step;
    if (problem.closure.relative()) matrix.col(size + 1).head(size) = image.by_angle;
    right.head(size) = -closure;
    count = size;
    add_state(flow, 0);
    if (!problem.closure.relative() || axes.size() < 3) {
      for (const Vec3& axis : axes) add_state(coordinates.rotation(axis), 0);
      return;
    }
    // Of all rotations only those about e lead to orbits that close in the same way; J is along e.
    const Vec3& axis = problem.closure.axis;
    add_state(coordinates.rotation(axis), 0);
    const Vec3 j = momentum_map(problem.system, coordinates.state());
    const Eigen::Matrix<double, 3, 2> across = tangent_basis(axis);
    for (Eigen::Index k = 0; k < 2; ++k)
      add_state(momentum_slope(across.col(k)), -across.col(k).dot(j));
  }
  /// dE and dJ about an axis, by x.
  VectorXd energy_slope() const { return form.transpose() * flow; }
  VectorXd momentum_slope(const Vec3& axis) const {
    return form.transpose() * coordinates.rotation(axis);
  }
  /// A direction in all columns.
  VectorXd row_of(const OrbitProblem& problem, const OrbitDirection& direction) const {
    VectorXd row(columns(problem));
    row.head(coordinates.size()) = coordinates.coordinates(direction.vector.q, direction.vector.w);
    row[coordinates.size()] = direction.period;
    if (problem.closure.relative()) row[coordinates.size() + 1] = direction.rotation;
    return row;
  }
  SingularSystem decomposed() const { return singular_system(matrix.topRows(count)); }

  PhaseCoordinates coordinates;
  VectorXd flow;
  MatrixXd form, matrix;
  VectorXd right;
  Eigen::Index count = 0;
};

/// Whether the flow moves along the conserved rotations only, or not at all.
std::optional<std::string> trivial_motion(const OrbitProblem& problem, const OrbitPoint& at) {
  const PhaseCoordinates coordinates(problem.system, at.state);
  const VectorXd flow = coordinates.flow(problem.system);
  if (!(flow.norm() * at.period > trivial_part))
    return "it is at rest, which closes after any time";
  const std::vector<Vec3> axes = conserved_axes(problem.system);
  if (axes.empty()) return {};
  MatrixXd turns(coordinates.size(), static_cast<Eigen::Index>(axes.size()));
  for (std::size_t k = 0; k < axes.size(); ++k)
    turns.col(static_cast<Eigen::Index>(k)) = coordinates.rotation(axes[k]);
  if ((flow - turns * least_squares(turns, flow)).norm() < trivial_part * flow.norm())
    return "it is a relative equilibrium, whose bodies turn together about a conserved axis: it "
           "closes after any time";
  return {};
}

Error no_orbit(std::string message) { return {ErrorKind::check, "", std::move(message)}; }

/// The point after a step u of the unknowns.
OrbitPoint corrected(const PhaseCoordinates& coordinates, const OrbitPoint& from, const VectorXd& u,
                     double part) {
  const Eigen::Index size = coordinates.size();
  OrbitPoint to = from;
  to.state = coordinates.moved(part * u.head(size));
  to.period *= std::exp(part * u[size]);
  if (u.size() > size + 1) to.rotation += part * u[size + 1];
  return to;
}

/// The largest part of a step, up to 1, that moves no body by more than `longest_correction`.
double allowed_part(const VectorXd& u, Eigen::Index bodies) {
  double length = u.tail(u.size() - 4 * bodies).cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < bodies; ++i) length = std::max(length, u.segment<2>(2 * i).norm());
  return length > longest_correction ? longest_correction / length : 1;
}

bool equal_bodies(const System& system, const std::vector<int>& places) {
  const Closure closure{.places = places};
  const int n = system.size();
  for (std::uint64_t k = 0; k < 3; ++k) {
    const Columns q = random_directions(n, k), v = random_tangents(q, k);
    const Columns q2 = closure.applied(q, 0), v2 = closure.applied(v, 0);
    const auto same = [](double a, double b, double size) {
      return std::abs(a - b) <= 1e-10 * size;
    };
    const double t = kinetic_energy(system.inertia(), q, v), u = system.potential(q);
    if (!same(t, kinetic_energy(system.inertia(), q2, v2), std::abs(t)) ||
        !same(u, system.potential(q2), std::abs(u)))
      return false;
  }
  return true;
}

}  // namespace

std::vector<Vec3> conserved_axes(const System& system) {
  const auto conserved = system.conserved_momentum();
  std::vector<Vec3> axes;
  for (int k = 0; k < 3; ++k)
    if (conserved[static_cast<std::size_t>(k)]) axes.push_back(Vec3::Unit(k));
  return axes;
}

const IntegratorInfo& orbit_method(const System& system) {
  return *find_integrator(
      std::holds_alternative<DiagonalInertia>(system.inertia()) ? "rotation8" : "variational8");
}

Result<void> check_orbit(const System& system, const IntegratorInfo& method,
                         const Closure& closure) {
  if (system.size() > max_orbit_bodies)
    return Error{ErrorKind::usage, "system",
                 fmt::format("has {} bodies; orbits are found for at most {}", system.size(),
                             max_orbit_bodies)};
  if (const std::string missing = ReturnMap::missing(system, method); !missing.empty())
    return Error{ErrorKind::usage, "orbit", "cannot be found, because " + missing};
  if (closure.relative() && !conserved_about(system, closure.axis))
    return Error{ErrorKind::usage, "relative",
                 "must be an axis about which the system is symmetric, so that J about it is "
                 "conserved"};
  if (closure.places.empty()) return {};
  std::vector<int> sorted = closure.places;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < static_cast<int>(sorted.size()); ++i)
    if (static_cast<int>(sorted.size()) != system.size() ||
        sorted[static_cast<std::size_t>(i)] != i)
      return Error{ErrorKind::usage, "relabel",
                   fmt::format("must name each body from 0 to {} once", system.size() - 1)};
  if (!equal_bodies(system, closure.places))
    return Error{ErrorKind::usage, "relabel",
                 "exchanges bodies that are not equal: it changes the energy"};
  return {};
}

int default_steps(const System& system, const State& state, double period) {
  const double fastest = time_scales(system, state).fastest();
  const double wanted = std::max<double>(
      min_orbit_steps, steps_per_fastest_period * period * fastest / (2 * std::numbers::pi));
  if (!(wanted <= max_orbit_steps)) return 0;
  return min_orbit_steps * static_cast<int>(std::ceil(wanted / min_orbit_steps));
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

Result<OrbitSolution> solve_orbit(const OrbitProblem& problem, const OrbitPoint& guess,
                                  const OrbitConditions& conditions) {
  const System& system = problem.system;
  const ReturnMap map(system, problem.method, problem.closure);
  const Vec3& axis = problem.closure.axis;
  OrbitPoint point = guess;
  std::optional<OrbitSolution> best;
  double residual = 0, missed = 0;
  for (int k = 0; k <= max_corrections; ++k) {
    OrbitEquations equations(problem, point);
    auto image =
        map.at(equations.coordinates, point.period / point.steps, point.steps, point.rotation);
    if (!image)
      return no_orbit(
          fmt::format("in iteration {} of Newton's method {}; try another start or "
                      "more steps",
                      k + 1, image.error().message));
    const VectorXd closure = equations.coordinates.difference(image->state);
    const double growth = image->derivative.norm();
    residual = equations.coordinates.distance(image->state);
    if (!std::isfinite(residual)) return no_orbit("Newton's method met numbers that overflow");
    if (growth > max_growth)
      return no_orbit(
          fmt::format("nearby orbits part by a factor of {:.1e} in one period; at "
                      "most {:.0e} is allowed",
                      growth, max_growth));
    equations.begin(problem, *image, closure);
    // Energy and momentum, as distances in the phase space.
    missed = 0;
    double rounding = 0;
    const auto prescribe = [&](const VectorXd& slope, double value, double wanted, double size) {
      const double length = slope.norm();
      if (!(length > 0)) return;
      missed = std::max(missed, std::abs(wanted - value) / length);
      rounding = std::max(rounding, 8 * orbit_epsilon * size / length);
      equations.add_state(slope, wanted - value);
    };
    if (conditions.energy) {
      const double potential = system.potential(point.state.q),
                   energy = total_energy(system, point.state);
      prescribe(equations.energy_slope(), energy, *conditions.energy,
                std::abs(potential) + std::abs(energy));
    }
    if (conditions.momentum) {
      const Vec3 j = momentum_map(system, point.state);
      prescribe(equations.momentum_slope(axis), axis.dot(j), *conditions.momentum, j.norm());
    }
    if (conditions.period) {
      const double wanted = std::log(*conditions.period / point.period);
      missed = std::max(missed, std::abs(wanted));
      equations.add(VectorXd::Unit(equations.matrix.cols(), equations.coordinates.size()), wanted);
    }
    if (conditions.across) equations.add(equations.row_of(problem, *conditions.across), 0);

    const SingularSystem singular = equations.decomposed();
    const int needed = best ? best->iterations : k;
    if (residual <= closes_within * growth && missed <= closes_within + rounding) {
      const double noise =
          std::max(residual, orbit_epsilon * std::sqrt(point.steps) * singular.values[0]);
      OrbitSolution found{
          point, std::move(*image), residual, growth, singular.values.tail<1>()[0] / noise, needed};
      // One more iteration takes what rounding leaves.
      if (best || residual == 0) {
        if (!best || found.residual < best->residual) best = std::move(found);
        break;
      }
      best = std::move(found);
    } else if (best) {
      break;
    }
    const VectorXd u = singular.solve(equations.right.head(equations.count), 1e-11);
    point = corrected(equations.coordinates, point, u, allowed_part(u, system.size()));
    if (!std::isfinite(point.period) || !(point.period > 0))
      return no_orbit("Newton's method left the positive periods");
  }
  if (!best)
    return no_orbit(fmt::format(
        "Newton's method did not converge in {} iterations: the orbit misses its start by {:.2g}, "
        "and what is held by {:.2g}; try a start or a period that is nearer, or another "
        "--relative or --relabel",
        max_corrections, residual, missed));
  if (const auto why = trivial_motion(problem, best->point)) return no_orbit(*why);
  if (conditions.isolated && !(best->gap >= least_gap))
    return no_orbit(fmt::format(
        "the orbit is not isolated: others close beside it (gap {:.2g}, at least {:.0e}); where J "
        "is free, give --momentum with --relative",
        best->gap, least_gap));
  return std::move(*best);
}

OrbitDirection family_direction(const OrbitProblem& problem, const OrbitSolution& at, Held held,
                                const OrbitDirection* like) {
  OrbitEquations equations(problem, at.point);
  const Eigen::Index size = equations.coordinates.size();
  equations.begin(problem, at.image, VectorXd::Zero(size));
  if (held == Held::energy) equations.add_state(equations.energy_slope(), 0);
  if (held == Held::momentum)
    equations.add_state(equations.momentum_slope(problem.closure.axis), 0);
  VectorXd u = equations.decomposed().right.rightCols<1>();
  if (like && u.dot(equations.row_of(problem, *like)) < 0) u = -u;
  OrbitDirection out{equations.coordinates.vector(u.head(size)), u[size], 0};
  if (problem.closure.relative()) out.rotation = u[size + 1];
  return out;
}

OrbitPoint moved_along(const System& system, const OrbitPoint& from, const OrbitDirection& by,
                       double s) {
  const PhaseCoordinates coordinates(system, from.state);
  OrbitPoint to = from;
  to.state = coordinates.moved(s * coordinates.coordinates(by.vector.q, by.vector.w));
  to.period *= std::exp(s * by.period);
  to.rotation += s * by.rotation;
  return to;
}

}  // namespace twosphere
