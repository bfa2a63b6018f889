// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "core/kernels/turn_series.h"
#include "core/mechanics/sphere.h"

/// Finite rotations of directions.
namespace twosphere {

/// α and β of the rotation by the angle φ = a |S| about S, which changes q by
///
///   Δq = α S × q + β S × (S × q),   α = sin φ/|S| = a f(x),  β = (1 − cos φ)/|S|² = a² g(x),
///   f = sin √x/√x,  g = (1 − cos √x)/x,  x = φ²
struct TurnFactors {
  double along, across;

  Vec3 change(const Vec3& s, const Vec3& s_cross_q) const {
    return along * s_cross_q + across * s.cross(s_cross_q);
  }
};

/// φ² up to which series are used.
inline constexpr double small_turn = 0.25;
inline constexpr auto sine_series = turn_series<8>(1), cosine_series = turn_series<8>(2);

/// `square` is |S|². Not finite where φ has no significant digits.
inline TurnFactors turn_factors(double a, double square) {
  const double x = a * a * square;
  if (x < small_turn) {
    double f = 0, g = 0;
    for (std::size_t k = sine_series.size(); k-- > 0;) {
      f = sine_series[k] - x * f;
      g = cosine_series[k] - x * g;
    }
    return {a * f, a * a * g};
  }
  const double length = std::sqrt(square), angle = a * length;
  if (!(std::abs(angle) < 1 / std::numeric_limits<double>::epsilon())) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const double sine = std::sin(angle / 2);
  return {std::sin(angle) / length, 2 * sine * sine / square};
}

/// The derivatives of α and β by a and |S|², where these change by da and dsquare.
inline TurnFactors turn_slopes(double a, double square, double da, double dsquare) {
  const double x = a * a * square, dx = 2 * a * da * square + a * a * dsquare;
  double f = 0, g = 0, df = 0, dg = 0;  // and f′, g′
  if (x < small_turn) {
    double power = 1, odd = 1, even = 2;  // (−x)^k, (2k + 1)!, (2k + 2)!
    for (int k = 0; k < 9; ++k) {
      f += power / odd;
      g += power / even;
      // The next terms, k + 1, by x.
      odd = even * (2 * k + 3);
      even = odd * (2 * k + 4);
      df -= (k + 1) * power / odd;
      dg -= (k + 1) * power / even;
      power *= -x;
    }
  } else {
    const double angle = std::sqrt(x), half = std::sin(angle / 2);
    f = std::sin(angle) / angle;
    g = 2 * half * half / x;
    df = (std::cos(angle) - f) / (2 * x);
    dg = (f / 2 - g) / x;
  }
  return {da * f + a * df * dx, 2 * a * da * g + a * a * dg * dx};
}

/// R(v) q, the rotation by |v| about v. Its length is that of q to rounding.
inline Vec3 turned(const Vec3& v, const Vec3& q) {
  return q + turn_factors(1, v.squaredNorm()).change(v, v.cross(q));
}

/// Cay(a) q = (I − â)⁻¹ (I + â) q, the rotation by 2 atan |a| about a: Q − q = a × (q + Q).
inline Vec3 cayley_turned(const Vec3& a, const Vec3& q) {
  const Vec3 x = q + a.cross(q);
  return (x + a.cross(x) + a * a.dot(x)) / (1 + a.squaredNorm());
}

/// A direction whose length is 1 but for rounding, with that corrected: one step of Newton's
/// method.
inline Vec3 corrected(const Vec3& q) { return q * ((3 - q.squaredNorm()) / 2); }

}  // namespace twosphere
