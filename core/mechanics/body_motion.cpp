// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/body_motion.h"

#include <cmath>

namespace twosphere {

namespace {

/// The smallest part of q across an axis for which ω can have a component along it.
constexpr double min_across = 0.01;

/// e_θ and e_φ.
Vec3 along_meridian(double polar, double azimuth) {
  return {std::cos(polar) * std::cos(azimuth), std::cos(polar) * std::sin(azimuth),
          -std::sin(polar)};
}
Vec3 along_parallel(double azimuth) { return {-std::sin(azimuth), std::cos(azimuth), 0}; }

}  // namespace

BodyMotion with_direction(const BodyMotion& from, int k, double c) {
  BodyMotion next = from;
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  // The two other components keep their direction; their length becomes √(1 − c²).
  const double rest = std::sqrt((1 - c) * (1 + c)), had = std::hypot(from.q[a], from.q[b]);
  next.q[k] = c;
  next.q[a] = had > 0 ? from.q[a] * (rest / had) : rest;
  next.q[b] = had > 0 ? from.q[b] * (rest / had) : 0;
  // ω carried along the great circle.
  next.w = tangent(next.q, carried(from.q, next.q, from.w));
  return next;
}

std::optional<BodyMotion> with_velocity(const BodyMotion& from, int k, double c) {
  BodyMotion next = from;
  next.w[k] = c;
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const double across = from.q[a] * from.q[a] + from.q[b] * from.q[b];
  // q·ω after the change, which is to be 0.
  const double along = from.q.dot(next.w);
  if (along == 0) return next;
  if (across < min_across * min_across) return std::nullopt;
  // The two other components restore q·ω = 0.
  next.w[a] -= along * from.q[a] / across;
  next.w[b] -= along * from.q[b] / across;
  return next;
}

bool at_pole(const Vec3& q) { return std::hypot(q[0], q[1]) < 1e-9; }

SphericalMotion spherical(const BodyMotion& motion) {
  const Vec3& q = motion.q;
  const double sine = std::hypot(q[0], q[1]);
  SphericalMotion s{.polar = std::atan2(sine, q[2])};
  if (at_pole(q)) {
    // At a pole the azimuth is that in which the polar angle grows.
    const Vec3 rate = motion.w.cross(q) * std::copysign(1.0, q[2]);
    if (!rate.head<2>().isZero(0)) s.azimuth = std::atan2(rate[1], rate[0]);
  } else {
    s.azimuth = std::atan2(q[1], q[0]);
    // φ̇ = −ω·e_θ/sin θ
    s.azimuth_rate = -motion.w.dot(along_meridian(s.polar, s.azimuth)) / sine;
  }
  // θ̇ = ω·e_φ
  s.polar_rate = motion.w.dot(along_parallel(s.azimuth));
  return s;
}

BodyMotion cartesian(const SphericalMotion& s) {
  const double sine = std::sin(s.polar);
  return {{sine * std::cos(s.azimuth), sine * std::sin(s.azimuth), std::cos(s.polar)},
          s.polar_rate * along_parallel(s.azimuth) -
              s.azimuth_rate * sine * along_meridian(s.polar, s.azimuth)};
}

}  // namespace twosphere
