// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_equations.h"

#include "core/mechanics/sphere.h"

namespace twosphere {

OrbitEquations::OrbitEquations(const OrbitProblem& problem, const OrbitPoint& at,
                               const ParameterSlope* by_theta)
    : coordinates(problem.system, at.state),
      flow(coordinates.flow(problem.system)),
      form(coordinates.form(problem.system)),
      slope(by_theta),
      scale(problem.parameter ? problem.parameter->scale : 0),
      relative(problem.closure.relative()),
      first_station(coordinates.size() + 1 + (relative ? 1 : 0) + (slope ? 1 : 0)) {
  for (const OrbitStation& station : at.stations)
    stations.emplace_back(problem.system, station.state);
}

void OrbitEquations::begin(const OrbitProblem& problem, std::span<const ReturnMap::Image> segments,
                           const Eigen::VectorXd& closure, const State& at) {
  const Eigen::Index size = coordinates.size();
  const OrbitForces forces = orbit_forces(problem.system);
  const std::vector<Vec3> axes = orbit_axes(problem.system);
  constexpr Eigen::Index asked = 4;  // most rows of OrbitConditions
  count = static_cast<Eigen::Index>(segments.size()) * size;
  matrix.setZero(count + 1 + 2 * static_cast<Eigen::Index>(axes.size()) + asked, columns());
  right.setZero(matrix.rows());
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Eigen::Index row = static_cast<Eigen::Index>(s) * size;
    const std::size_t next = (s + 1) % segments.size();
    matrix.block(row, start_column(s), size, size) = segments[s].derivative;
    matrix.block(row, start_column(next), size, size) -= Eigen::MatrixXd::Identity(size, size);
    matrix.col(size).segment(row, size) = segments[s].by_step;
    if (relative && next == 0) matrix.col(size + 1).segment(row, size) = segments[s].by_angle;
    if (slope) matrix.col(theta_column()).segment(row, size) = scale * segments[s].by_theta;
  }
  right.head(count) = -closure;
  if (forces == OrbitForces::driven)
    add(Eigen::VectorXd::Unit(columns(), size), 0);  // T is that of the forces
  else
    add_state(flow, 0);
  if (forces != OrbitForces::conservative) {
    if (relative) {
      add_state(coordinates.rotation(problem.closure.axis), 0);
      return;
    }
    for (const Vec3& axis : axes) add_state(coordinates.rotation(axis), 0);
    // Forces of t that leave a component of J alone: it stays that of the guess.
    for (const Vec3& axis : conserved_axes(problem.system)) add(momentum_slope(axis), 0);
    return;
  }
  if (!relative || axes.size() < 3) {
    for (const Vec3& axis : axes) add_state(coordinates.rotation(axis), 0);
    return;
  }
  // Of all rotations only those about e lead to orbits that close in the same way; J is along e.
  const Vec3& axis = problem.closure.axis;
  add_state(coordinates.rotation(axis), 0);
  const Vec3 j = momentum_map(problem.system, at);
  const Eigen::Matrix<double, 3, 2> across = tangent_basis(axis);
  for (Eigen::Index k = 0; k < 2; ++k) add(momentum_slope(across.col(k)), -across.col(k).dot(j));
}

Eigen::VectorXd OrbitEquations::row_of(const OrbitDirection& direction) const {
  Eigen::VectorXd row = Eigen::VectorXd::Zero(columns());
  row.head(coordinates.size()) = coordinates.coordinates(direction.vector.q, direction.vector.w);
  row[coordinates.size()] = direction.period;
  if (relative) row[coordinates.size() + 1] = direction.rotation;
  if (slope) row[theta_column()] = direction.parameter;
  if (direction.stations.size() != stations.size()) return row;
  for (std::size_t s = 1; s <= stations.size(); ++s) {
    const TangentVector& by = direction.stations[s - 1];
    row.segment(start_column(s), coordinates.size()) = start(s).coordinates(by.q, by.w);
  }
  return row;
}

}  // namespace twosphere
