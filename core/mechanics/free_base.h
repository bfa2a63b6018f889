// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <functional>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// A free base on which a chain hangs, in axes at rest, through which its centre of mass X moves:
///
///   x_0 = X − Σ a_i q_i,  m_t Ẍ = m_t g + F,  f_i = −a_i F,  a_i = s_i/m_t
///
/// for a force F = F_s + F_0(t, x_0) − k ẋ_0 on the base, the thrust of its engines: a steady one,
/// and what a control of its place adds. X and Ẋ are State::x and State::v. The energy has m_t (½
/// |Ẋ|² − g·X) besides that of the motion about X, and the power of F is F·ẋ_0 = F·Ẋ + Σ f_i·q̇_i.
struct FreeBase {
  double mass = 0;              ///< m_t, all masses [kg]
  double own_mass = 0;          ///< m_0, that of the base [kg]
  double length = 1;            ///< L, of all links [m]: the scale of base_distance()
  Eigen::VectorXd share{};      ///< a_i [m]
  Vec3 gravity = Vec3::Zero();  ///< g [m/s²]
  Vec3 steady = Vec3::Zero();   ///< F_s [N], whose f_i are part of System::force()
  double drag = 0;  ///< k ≥ 0 [N s/m]; System::velocity_force() is that of −k ẋ_0 for Ẋ = 0
  /// F_0 [N]; null: 0. It may depend on t where System::time_dependent().
  std::function<Vec3(double t, const Vec3& place)> control{};

  /// −Σ a_i v_i: x_0 − X of directions, ẋ_0 − Ẋ of their velocities.
  Vec3 from_centre(const Columns& v) const { return -(v * share); }
  /// ẋ_0 − Ẋ = −Σ a_i ω_i × q_i.
  Vec3 velocity_from_centre(const Columns& q, const Columns& w) const {
    Vec3 velocity = Vec3::Zero();
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      velocity -= share[i] * Vec3(w.col(i)).cross(Vec3(q.col(i)));
    return velocity;
  }
  /// F_0 at X and q.
  Vec3 control_at(double t, const Vec3& x, const Columns& q) const {
    return control ? control(t, x + from_centre(q)) : Vec3(Vec3::Zero());
  }
  /// F of a base at this place with this velocity [N].
  Vec3 force(double t, const Vec3& place, const Vec3& velocity) const {
    return steady + (control ? control(t, place) : Vec3(Vec3::Zero())) - drag * velocity;
  }
  /// f_i += −a_i F
  void add_force(const Vec3& force, Columns& f) const { f -= force * share.transpose(); }
  /// Ẍ under F_s and this other force.
  Vec3 acceleration(const Vec3& other) const { return gravity + (steady + other) / mass; }
  double kinetic_energy(const Vec3& v) const { return mass / 2 * v.squaredNorm(); }
  double potential(const Vec3& x) const { return -mass * gravity.dot(x); }
};

}  // namespace twosphere
