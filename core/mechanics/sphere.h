// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

/// The unit sphere S² and the conventions of the whole program.
///
/// Notation: q ∈ S² is a direction (|q| = 1), ω ⟂ q its angular velocity [rad/s]; q̇ = ω × q, ω = q
/// × q̇. A configuration of n bodies is a 3×n array whose column i is q_i. Lengths in metres, masses
/// in kilograms, energies in joules. Gravity, where there is any, points along +e3.
namespace twosphere {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
/// One column per body.
using Columns = Eigen::Matrix3Xd;

/// The matrix of the cross product: hat(a) b = a × b.
inline Mat3 hat(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Π_q v = v − q (q·v), the part of v in the tangent plane at q. Not normalised: meant for |q| = 1
/// to rounding.
inline Vec3 tangent(const Vec3& q, const Vec3& v) { return v - q * q.dot(v); }

/// Two orthonormal vectors orthogonal to q, which may have any length, without a branch that could
/// switch near q = ±e3.
inline Eigen::Matrix<double, 3, 2> tangent_basis(const Vec3& q) {
  const Vec3 e = q / q.norm();
  const double sign = std::copysign(1.0, e.z());
  const double a = -1 / (sign + e.z());
  const double b = e.x() * e.y() * a;
  Eigen::Matrix<double, 3, 2> basis;
  basis.col(0) << 1 + sign * e.x() * e.x() * a, sign * b, -sign * e.x();
  basis.col(1) << b, sign + e.y() * e.y() * a, -e.y();
  return basis;
}

/// | |q| − 1 |, the distance of q from the sphere.
inline double unit_length_error(const Vec3& q) { return std::abs(std::sqrt(q.dot(q)) - 1); }

/// R x with the smallest rotation R that takes direction a to b: x + v × x + v × (v × x)/(1 + a·b),
/// v = a × b. Where b = −a, half a turn about some axis ⟂ a.
inline Vec3 carried(const Vec3& a, const Vec3& b, const Vec3& x) {
  const Vec3 v = a.cross(b);
  const double c = a.dot(b);
  if (1 + c < 1e-12) {
    const Vec3 axis = a.unitOrthogonal();
    return 2 * axis.dot(x) * axis - x;
  }
  const Vec3 turned = v.cross(x);
  return x + turned + v.cross(turned) / (1 + c);
}

/// The matrix of the smallest rotation that takes direction a to b (`carried`).
inline Mat3 smallest_turn(const Vec3& a, const Vec3& b) {
  Mat3 turn;
  for (int k = 0; k < 3; ++k) turn.col(k) = carried(a, b, Vec3::Unit(k));
  return turn;
}

/// Angle between two directions [rad], to rounding however near 0 or π it is: a × b = a × (b ∓ a).
inline double angle(const Vec3& a, const Vec3& b) {
  const double c = a.dot(b);
  return std::atan2(a.cross(c > 0 ? Vec3(b - a) : Vec3(b + a)).norm(), c);
}

}  // namespace twosphere
