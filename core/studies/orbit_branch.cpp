// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_branch.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/base/decompositions.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/phase_coordinates.h"

namespace twosphere {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Another basis of the space that these columns, coordinates of vectors, span: each moves a
/// component of some δq_i, or δω_i, that the others leave alone.
MatrixXd apart(const PhaseCoordinates& at, const MatrixXd& space) {
  constexpr double nearly = 1 - 1e-6;
  const Eigen::Index count = space.cols(), bodies = at.state().q.cols();
  MatrixXd components(6 * bodies, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const TangentVector vector = at.vector(space.col(k));
    components.col(k) << vector.q.reshaped(), vector.w.reshaped() / at.rate();
  }
  // The component that moves most, then what moves most of the rest without it, and so on; of those
  // that move as much the first.
  MatrixXd rest = components, chosen(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const VectorXd sizes = rest.rowwise().norm();
    Eigen::Index row = 0;
    while (sizes[row] < nearly * sizes.maxCoeff()) ++row;
    chosen.row(k) = components.row(row);
    const Eigen::RowVectorXd along = rest.row(row).normalized();
    rest -= (rest * along.transpose() * along).eval();
  }
  MatrixXd out(space.rows(), count);
  LuFactors factors(count);
  factors.compute(chosen);
  VectorXd weights;
  for (Eigen::Index k = 0; k < count; ++k) {
    factors.solve(VectorXd::Unit(count, k), weights);
    out.col(k) = (space * weights).normalized();
  }
  return out;
}

/// What a direction moves, in parts of the largest: "q[0] by [1, 0, -0.47], q[2] by [-1, 0, 0.47]",
/// of one that leaves all q alone, but for rounding with the rate ω₀, the same of omega.
std::string told_direction(const OrbitDirection& direction, double rate) {
  constexpr double least = 5e-3;
  const TangentVector& vector = direction.vector;
  const bool rates = vector.q.norm() < least * vector.w.norm() / rate;
  const Columns& moved = rates ? vector.w : vector.q;
  const double most = moved.cwiseAbs().maxCoeff();
  std::string out;
  for (Eigen::Index i = 0; i < moved.cols(); ++i) {
    Vec3 by = moved.col(i) / most;
    if (by.cwiseAbs().maxCoeff() < least) continue;
    for (double& part : by) part = std::abs(part) < least ? 0 : part;
    out += fmt::format("{}{}[{}] by [{:.2g}, {:.2g}, {:.2g}]", out.empty() ? "" : ", ",
                       rates ? "omega" : "q", i, by.x(), by.y(), by.z());
  }
  return out;
}

}  // namespace

std::vector<OrbitDirection> branch_directions(const OrbitProblem& problem,
                                              const Bifurcation& bifurcation) {
  const bool doubling = bifurcation.kind == BifurcationKind::doubling;
  if (!doubling && bifurcation.kind != BifurcationKind::branching) return {};
  const OrbitPoint& at = bifurcation.at.solution.point;
  const PhaseCoordinates coordinates(problem_at(problem, at).system, at.state);
  const OrbitMultipliers& multipliers = bifurcation.at.multipliers;
  MatrixXd shifted = multipliers.reduced;
  shifted.diagonal().array() += doubling ? 1 : -1;
  const Eigen::Index count = bifurcation.multiplicity();
  MatrixXd space = multipliers.basis * singular_system(shifted).right.rightCols(count);
  if (count > 1) space = apart(coordinates, space);
  std::vector<OrbitDirection> out;
  const auto add = [&](const VectorXd& x) { out.push_back({coordinates.vector(x)}); };
  for (Eigen::Index i = 0; i < count; ++i) add(space.col(i));
  for (Eigen::Index j = 1; j < count; ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      for (const double sign : {1.0, -1.0}) add((space.col(i) + sign * space.col(j)).normalized());
  return out;
}

std::vector<std::string> told_directions(const OrbitProblem& problem,
                                         const Bifurcation& bifurcation) {
  const OrbitPoint& at = bifurcation.at.solution.point;
  const double rate = PhaseCoordinates(problem_at(problem, at).system, at.state).rate();
  std::vector<std::string> out;
  for (const OrbitDirection& direction : branch_directions(problem, bifurcation))
    out.push_back(told_direction(direction, rate));
  return out;
}

Result<BranchStart> branch_start(const OrbitProblem& problem, const Bifurcation& bifurcation,
                                 double distance, std::size_t number) {
  const std::vector<OrbitDirection> directions = branch_directions(problem, bifurcation);
  if (directions.empty())
    return Error{ErrorKind::usage, "bifurcate", "no family branches off here"};
  const std::string sign = bifurcation.kind == BifurcationKind::doubling ? "-1" : "+1";
  if (number >= directions.size())
    return Error{
        ErrorKind::usage, "bifurcate",
        directions.size() == 1
            ? fmt::format("must be {}, not {}:{}: there is one direction", sign, sign, number)
            : fmt::format("must be {}:0 to {}:{}, not {}:{}", sign, sign, directions.size() - 1,
                          sign, number)};
  const OrbitDirection& direction = directions[number];
  const OrbitPoint& at = bifurcation.at.solution.point;
  const System& system = problem_at(problem, at).system;

  BranchStart out{problem.closure, {}};
  std::vector<std::string> told;
  if (directions.size() > 1) {
    told = told_directions(problem, bifurcation);
    out.along = fmt::format("direction {} of {}: {}", number, told.size(), told[number]);
  }
  const bool conservative = orbit_forces(system) == OrbitForces::conservative;
  const Vec3 j = momentum_map(system, at.state);
  if (!problem.closure.relative()) {
    const std::vector<Vec3> axes = orbit_axes(system);
    if (axes.size() == 1)
      out.closure.axis = axes.front();
    else if (axes.size() == 3 && j.norm() > 1e-9 * std::abs(bifurcation.at.energy) * at.period)
      out.closure.axis = j.normalized();
  }
  const bool doubling = bifurcation.kind == BifurcationKind::doubling;
  const OrbitProblem branch{problem.system, problem.method, out.closure, problem.parameter,
                            (doubling ? 2 : 1) * problem.times};
  OrbitPoint guess = moved_along(problem, at, direction, distance);
  if (doubling) {
    guess.period *= 2;
    guess.rotation *= 2;
    guess.steps *= 2;
    guess.stations.clear();
  }
  OrbitConditions conditions;
  conditions.across = &direction;
  if (out.closure.relative() && keeps_momentum(system, out.closure.axis))
    conditions.momentum = out.closure.axis.dot(j);
  if (problem.parameter && conservative) conditions.energy = bifurcation.at.energy;
  auto solution = solve_orbit(branch, guess, conditions);
  if (!solution) {
    Error error = solution.error();
    if (directions.size() == 1) return error;
    const auto basis = static_cast<std::size_t>(bifurcation.multiplicity());
    error.message +=
        fmt::format("; this is along {}; try another one, {}:K with K", out.along, sign);
    for (std::size_t k = 0; k < basis; ++k) error.message += fmt::format(" {}: {};", k, told[k]);
    error.message += fmt::format(" {} to {}: sums and differences of two of these", basis,
                                 directions.size() - 1);
    return error;
  }
  out.solution = std::move(*solution);
  return out;
}

}  // namespace twosphere
