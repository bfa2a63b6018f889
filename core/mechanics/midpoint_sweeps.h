// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

namespace twosphere {

/// The sweeps of steps of the spherical midpoint method (MidpointStep) with m, G and Q in arrays
/// that suit a system: a quicker way than its gradient and the sweeps of all systems
/// (core/kernels/midpoint.h) one after the other, and bit for bit the same. Allocates nothing after
/// it has been made; belongs to one thread, and the system need not outlive it.
class MidpointSweeps {
 public:
  virtual ~MidpointSweeps() = default;
  /// Begins a step from q with Q = q.
  virtual void begin(const Columns& q) = 0;
  /// Takes a sweep of a step h; returns the largest change of a direction, NaN if one is not
  /// finite.
  virtual double sweep(double h) = 0;
  /// Writes the present Q, and m and s of the last sweep.
  virtual void end(Columns& next, Columns& m, Eigen::VectorXd& length) const = 0;
};

}  // namespace twosphere
