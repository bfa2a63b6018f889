// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_MIDPOINT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_MIDPOINT_INL_H
#undef TWOSPHERE_MIDPOINT_INL_H
#else
#define TWOSPHERE_MIDPOINT_INL_H
#endif

#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::HWY_NAMESPACE {

/// m and s of core/kernels/midpoint.h.
template <class V>
struct Middle {
  Vector3<V> m;
  V length;
};

template <class V>
HWY_INLINE Middle<V> middle_of(const Vector3<V>& q, const Vector3<V>& next) {
  namespace hn = hwy::HWY_NAMESPACE;
  const Vector3<V> sum = add(q, next);
  const V s = hn::Sqrt(dot(sum, sum));
  return {{hn::Div(sum.x, s), hn::Div(sum.y, s), hn::Div(sum.z, s)}, s};
}

/// Ω, with κ/(κ² + c²) and c/(κ² + c²).
template <class V>
HWY_INLINE Vector3<V> turn_of(V along, V across, const Vector3<V>& m, const Vector3<V>& g) {
  return add(scale(along, g), scale(across, cross(g, m)));
}

/// Q after a sweep with this Ω.
template <class D, class V>
HWY_INLINE Vector3<V> turned(D d, V h, const Vector3<V>& q, const Middle<V>& middle,
                             const Vector3<V>& turn) {
  namespace hn = hwy::HWY_NAMESPACE;
  const V one = hn::Set(d, 1), three = hn::Set(d, 3), half = hn::Set(d, 0.5);
  const Vector3<V>& m = middle.m;
  // a = (h/s) (Ω − m (m·Ω)), and its Cayley transform of q.
  const Vector3<V> a = scale(hn::Div(h, middle.length), subtract(turn, scale(dot(m, turn), m)));
  const Vector3<V> x = add(q, cross(a, q));
  const Vector3<V> sum = add(add(x, cross(a, x)), scale(dot(a, x), a));
  const V size = hn::Add(one, dot(a, a));
  const Vector3<V> to{hn::Div(sum.x, size), hn::Div(sum.y, size), hn::Div(sum.z, size)};
  // |Q| = 1
  return scale(hn::Mul(hn::Sub(three, dot(to, to)), half), to);
}

/// The largest square of a change so far, and 0 as long as all are finite.
template <class V>
struct Changes {
  V largest, finite;
};

template <class D>
HWY_INLINE Changes<hwy::HWY_NAMESPACE::Vec<D>> no_changes(D d) {
  namespace hn = hwy::HWY_NAMESPACE;
  return {hn::Zero(d), hn::Zero(d)};
}
template <class D, class V>
HWY_INLINE void take_change(D d, const Vector3<V>& to, const Vector3<V>& from,
                            Changes<V>& changes) {
  namespace hn = hwy::HWY_NAMESPACE;
  const Vector3<V> change = subtract(to, from);
  const V square = dot(change, change);
  changes.largest = hn::Max(changes.largest, square);
  changes.finite = hn::Add(changes.finite, hn::Mul(square, hn::Zero(d)));
}
/// NaN if one is not finite.
template <class D, class V>
HWY_INLINE double largest_square(D d, const Changes<V>& changes) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::GetLane(hn::MaxOfLanes(d, changes.largest)) +
         hn::GetLane(hn::SumOfLanes(d, changes.finite));
}

}  // namespace twosphere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
