// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

namespace twosphere {

/// φ(−x) = (1 − e^{−x})/x.
double decay_mean(double x);
/// [1 − φ(−x)]/x; where x is small Σ_{k≥0} (−x)^k/(k + 2)!.
double decay_complement(double x);

/// The exact flow of damping and a constant force on one degree of freedom over a time s of either
/// sign: m v̇ = −c v − g.
///
///   v⁺ = v + (c v + g) (e^{−x} − 1)/c,  x = s c/m
///
/// For x → 0 this is the kick −s g/m, for x → ∞ the terminal velocity −g/c. The change is added to
/// v rather than v multiplied by a rounded constant, so that rounding errors do not accumulate.
struct DampedMode {
  DampedMode(double m, double c, double s);

  double c, change;   ///< (e^{−x} − 1)/c
  double way;         ///< ∫ (e^{−c t/m} − 1)/c dt: ∫ v dt = s v + way (c v + g)
  double vv, vg, gg;  ///< the work −c ∫ |v|² dt is vv |v|² + vg v·g + gg |g|²

  /// For vectors: replaces v by v⁺ and returns the work.
  double flow(const Vec3& g, Vec3& v) const {
    const double work = vv * v.squaredNorm() + vg * v.dot(g) + gg * g.squaredNorm();
    v += change * (c * v + g);
    return work;
  }
};

}  // namespace twosphere
