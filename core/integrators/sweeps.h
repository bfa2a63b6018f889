// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/integrators/compensated_direction.h"
#include "core/integrators/step_checks.h"
#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

/// What midpoint methods of systems of first order share: sweeps, from the last direction to the
/// next, and the end of a step.
namespace twosphere {

inline constexpr int max_sweeps = 60;
inline constexpr double smallest_change = 4e-16, near_rounding = 1e-13;

/// Whether an iteration has come to an end: no change, or a small one that no longer falls.
inline bool ended(double change, double before, double small = near_rounding) {
  return change <= smallest_change || (change < small && change >= before);
}

/// Whether a step from q to Q = `next`, with the rates at its middle, can be accepted: it fails
/// because of the first body with a value that is not finite, else because of the first that turns
/// by a quarter turn or more.
inline void check_midpoint_step(StepReport& report, const Columns& q, const Columns& next,
                                const Columns& rates) {
  check_step_finite(report, next, rates);
  for (Eigen::Index i = 0; i < q.cols() && report.ok(); ++i)
    if (q.col(i).dot(next.col(i)) <= 0) {
      report.status = StepStatus::step_too_large;
      report.body = static_cast<int>(i);
    }
}

/// Adds h v to q + e and the work of a step, h (Σ f·v − c |v|²), to `work`, with the velocities v
/// and the forces f at its middle.
inline void finish_midpoint_step(const System& system, double h, const Columns& v, const Columns& f,
                                 const Eigen::VectorXd& damping, Columns& q, Columns& e,
                                 double& work) {
  const bool forced = system.has_external_force();
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const Vec3 change = h * v.col(i);
    if (forced) work += f.col(i).dot(change);
    work -= h * damping[i] * v.col(i).squaredNorm();
    add_compensated(change, i, q, e);
    add_compensated(length_correction(q.col(i), e.col(i)), i, q, e);
  }
}

}  // namespace twosphere
