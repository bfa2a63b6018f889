// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_LENNARD_JONES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_LENNARD_JONES_INL_H
#undef TWOSPHERE_LENNARD_JONES_INL_H
#else
#define TWOSPHERE_LENNARD_JONES_INL_H
#endif

#include <hwy/highway.h>

#include "core/kernels/lennard_jones_law.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::lennard_jones_kernel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Constants in the units of the sums: D for V, 3 D/u for g, where the force vanishes at u = ∛2 σ².
template <class V>
struct Constants {
  V sigma2, zero_force, reach, shift;
};

template <class D>
HWY_INLINE Constants<hn::Vec<D>> constants(D d, const Law& law) {
  return {hn::Set(d, law.sigma_squared), hn::Set(d, law.zero_force_squared()),
          hn::Set(d, law.reach), hn::Set(d, law.shift / law.depth)};
}

template <class V>
HWY_INLINE V cube(V v) {
  return hn::Mul(hn::Mul(v, v), v);
}

/// v⁴ (1 − v³) with v = u/r²: [6 (σ/r)⁶ − 12 (σ/r)¹²]/r² is 3/u times this.
template <class V>
HWY_INLINE V weight(const Constants<V>& c, V r2) {
  const V v = hn::Div(c.zero_force, r2), v3 = cube(v);
  return hn::Mul(v, hn::NegMulAdd(v3, v3, v3));
}

/// The derivative of v⁴ (1 − v³) Δ along δ is w δ + along Δ.
template <class V>
struct Slopes {
  V w, along;
};

/// With v = u/r²: v⁴ (1 − v³) δ − 2 v⁵ (4 − 7 v³) (Δ·δ) Δ/u.
template <class D, class V>
HWY_INLINE Slopes<V> slopes(D d, const Constants<V>& c, V r2, V dot) {
  const V v = hn::Div(c.zero_force, r2), v3 = cube(v), v4 = hn::Mul(v, v3);
  const V slope = hn::NegMulAdd(hn::Set(d, -14), v3, hn::Set(d, -8));
  return {hn::NegMulAdd(v4, v3, v4), hn::Mul(hn::Mul(slope, v4), hn::Div(dot, r2))};
}

/// (σ/r)¹² − (σ/r)⁶ − shift.
template <class V>
HWY_INLINE V energy(const Constants<V>& c, V r2) {
  const V s6 = cube(hn::Div(c.sigma2, r2));
  return hn::Sub(hn::MulSub(s6, s6, s6), c.shift);
}

}  // namespace twosphere::lennard_jones_kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
