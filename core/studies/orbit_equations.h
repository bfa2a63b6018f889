// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/decompositions.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/parameter_slope.h"
#include "core/mechanics/return_map.h"
#include "core/studies/orbit_problem.h"

namespace twosphere {

/// The linear equations of Newton's method for an orbit at a point: rows of closure, phase and
/// prescribed values; columns of the state at the start [rad, or in units of a rate], ln T, φ, θ
/// and the states at which further segments begin. See solve_orbit().
struct OrbitEquations {
  /// `by_theta`: how the system changes with θ, if it does.
  OrbitEquations(const OrbitProblem& problem, const OrbitPoint& at,
                 const ParameterSlope* by_theta = nullptr);

  Eigen::Index columns() const {
    return station_column(static_cast<Eigen::Index>(stations.size()));
  }
  /// Where δθ is among the columns, if there is a slope.
  Eigen::Index theta_column() const { return first_station - 1; }
  /// Where the coordinates of a station are among the columns.
  Eigen::Index station_column(Eigen::Index k) const {
    return first_station + k * coordinates.size();
  }
  /// The coordinates at which a segment begins, and their columns.
  const PhaseCoordinates& start(std::size_t segment) const {
    return segment == 0 ? coordinates : stations[segment - 1];
  }
  Eigen::Index start_column(std::size_t segment) const {
    return segment == 0 ? 0 : station_column(static_cast<Eigen::Index>(segment) - 1);
  }
  /// Appends a row of length 1 for a·x = b, or none if a vanishes.
  void add(const Eigen::VectorXd& row, double value) {
    const double length = row.norm();
    if (!(length > 0)) return;
    matrix.row(count) = row.transpose() / length;
    right[count++] = value / length;
  }
  /// A row of x alone.
  void add_state(const Eigen::VectorXd& row, double value) {
    Eigen::VectorXd full = Eigen::VectorXd::Zero(matrix.cols());
    full.head(row.size()) = row;
    add(full, value);
  }
  /// Closure of all segments, and the phase rows, at a state nearby.
  void begin(const OrbitProblem& problem, std::span<const ReturnMap::Image> segments,
             const Eigen::VectorXd& closure, const State& at);
  /// dE and dJ about an axis, by all unknowns.
  Eigen::VectorXd energy_slope() const {
    return slope_of(form.transpose() * flow, [&](const System& system) {
      return total_energy(system, coordinates.state());
    });
  }
  Eigen::VectorXd momentum_slope(const Vec3& axis) const {
    return slope_of(form.transpose() * coordinates.rotation(axis), [&](const System& system) {
      return axis.dot(momentum_map(system, coordinates.state()));
    });
  }
  /// The row of what is of(system) at this state, from its derivative by x.
  template <class Of>
  Eigen::VectorXd slope_of(const Eigen::VectorXd& by_state, const Of& of) const {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(columns());
    row.head(by_state.size()) = by_state;
    if (slope) row[theta_column()] = scale * slope->derivative(of);
    return row;
  }
  /// A direction in all columns.
  Eigen::VectorXd row_of(const OrbitDirection& direction) const;
  SingularSystem decomposed() const { return singular_system(matrix.topRows(count)); }
  /// The null vector of the rows so far, of length 1, or what they change least. Rows of zeros are
  /// added where there are fewer than columns, without which it would be missing.
  Eigen::VectorXd null_vector() const {
    return singular_system(matrix.topRows(std::max(count, columns()))).right.rightCols<1>();
  }

  PhaseCoordinates coordinates;
  std::vector<PhaseCoordinates> stations;
  Eigen::VectorXd flow;
  Eigen::MatrixXd form, matrix;
  Eigen::VectorXd right;
  const ParameterSlope* slope;  // null: θ is no unknown
  double scale;
  bool relative;
  Eigen::Index first_station;  // columns before those of stations
  Eigen::Index count = 0;      // of the rows so far
};

}  // namespace twosphere
