// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <optional>

#include "core/mechanics/linear_terms.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

/// Steps in axes that rotate with Ω: a kick by the potential, the drift of inertial velocities u =
/// q̇ + Ω × q as in axes at rest, the turn q, u ← exp(−h Ω̂) (q, u) into the axes at the end, and the
/// other kick. With scalar M_ij the turn commutes with the drift, so that the step is symmetric;
/// its discrete Lagrangian is that of [P1] (3.1) with exp(h Ω̂) q_{k+1} in T.
namespace twosphere {

/// exp(−h Ω̂) − I, by which vectors change without the rounding of 1.
inline Mat3 turn_change(const Vec3& frame_rotation, double h) {
  const double speed = frame_rotation.norm(), angle = h * speed;
  if (angle == 0) return Mat3::Zero();
  const Mat3 axis = hat(Vec3(frame_rotation / speed));
  const double half = std::sin(angle / 2);
  return -std::sin(angle) * axis + (2 * half * half) * (axis * axis);
}

/// The turn of the axes, for variational steps.
class FrameTurn {
 public:
  /// Of a system whose axes rotate; none for all others. Chosen when a method is prepared.
  static std::optional<FrameTurn> of(const System& system) {
    if (!has_frame_rotation(system)) return {};
    return FrameTurn(system);
  }

  /// Also of axes that are at rest.
  explicit FrameTurn(const System& system)
      : rate_(system.frame_rotation()), inertial_(3, system.size()) {}

  const Vec3& rate() const { return rate_; }
  /// u_i = v_i + Ω × q_i. The result is kept here until the next call.
  Columns& inertial(const Columns& q, const Columns& v) {
    inertial_ = v;
    add_frame_velocity(rate_, q, inertial_);
    return inertial_;
  }
  /// ω_i + Π_i Ω, likewise.
  Columns& inertial_turns(const Columns& q, const Columns& w) {
    for (Eigen::Index i = 0; i < w.cols(); ++i)
      inertial_.col(i) = w.col(i) + tangent(q.col(i), rate_);
    return inertial_;
  }
  /// v_i −= Ω × q_i
  void to_frame(const Columns& q, Columns& v) const { add_frame_velocity(-rate_, q, v); }

  /// Sets the step h of the turn.
  void set_step(double h) { change_ = turn_change(rate_, h); }
  /// c_i ← exp(−h Ω̂) c_i
  void turn(Columns& c) const {
    for (Eigen::Index i = 0; i < c.cols(); ++i) c.col(i) += change_ * Vec3(c.col(i));
  }
  /// The same for vectors that are rows.
  void turn(Eigen::MatrixX3d& rows) const {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const Vec3 row = rows.row(i).transpose();
      rows.row(i) += Vec3(change_ * row).transpose();
    }
  }
  /// Of q_{k+1} = q_k + Δq: Δq is then the displacement in the axes, to rounding.
  void turn(Columns& next, Columns& dq) const {
    for (Eigen::Index i = 0; i < next.cols(); ++i) {
      const Vec3 turned = change_ * next.col(i);
      dq.col(i) += turned;
      next.col(i) += turned;
    }
  }

 private:
  Vec3 rate_;  // Ω
  Mat3 change_ = Mat3::Zero();
  Columns inertial_;
};

}  // namespace twosphere
