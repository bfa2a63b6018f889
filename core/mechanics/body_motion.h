// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/sphere.h"

/// Direction and angular velocity of a body, as they are typed: one number at a time.
namespace twosphere {

struct BodyMotion {
  Vec3 q, w;
};

/// The motion with component k of q set to c. The other two components keep their ratio and are
/// scaled such that |q| = 1. ω is rotated with q, so that |ω| does not change. Requires |c| ≤ 1.
BodyMotion with_direction(const BodyMotion& from, int k, double c);
/// The motion with component k of ω set to c. The other two components change as little as possible
/// such that q·ω = 0. None if q points along axis k, where this component of ω must be 0.
std::optional<BodyMotion> with_velocity(const BodyMotion& from, int k, double c);

/// The same in spherical angles about e₃, along which gravity points:
///   q = (sin θ cos φ, sin θ sin φ, cos θ),  ω = θ̇ e_φ − φ̇ sin θ e_θ
/// with e_θ = (cos θ cos φ, cos θ sin φ, −sin θ), e_φ = (−sin φ, cos φ, 0).
/// At a pole, where sin θ = 0, φ is the azimuth of dq/dt, or 0 at rest, and φ̇ is 0.
struct SphericalMotion {
  double polar = 0, azimuth = 0;            ///< θ from 0 to π, φ from −π to π [rad]
  double polar_rate = 0, azimuth_rate = 0;  ///< [rad/s]
};
SphericalMotion spherical(const BodyMotion& motion);
/// Any angles are allowed.
BodyMotion cartesian(const SphericalMotion& motion);
/// Whether φ has no meaning: sin θ < 1e-9.
bool at_pole(const Vec3& q);

}  // namespace twosphere
