// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Geometry>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// A frame that turns about an axis through the origin at a constant rate, in which a motion is
/// looked at. At time 0 its axes are those of the equations.
struct TurningFrame {
  Vec3 axis = Vec3::UnitZ();  ///< e, a unit vector
  double rate = 0;            ///< Ω [rad/s]

  /// R_e(−Ωt): what is at x in the axes of the equations at time t [s] is at turn(t) x in the
  /// frame.
  Mat3 turn(double t) const { return Eigen::AngleAxisd(-rate * t, axis).toRotationMatrix(); }
  /// R_e(Ω(now − t)): where what was at x at time t has to be in the axes of the equations at the
  /// time `now`, to be at the same place of the frame.
  Mat3 carry(double t, double now) const {
    return Eigen::AngleAxisd(rate * (now - t), axis).toRotationMatrix();
  }

  bool operator==(const TurningFrame&) const = default;
};

}  // namespace twosphere
