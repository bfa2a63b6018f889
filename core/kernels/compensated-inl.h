// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_COMPENSATED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_COMPENSATED_INL_H
#undef TWOSPHERE_COMPENSATED_INL_H
#else
#define TWOSPHERE_COMPENSATED_INL_H
#endif

#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::HWY_NAMESPACE {

// Directions as sums q + e, one in each element of V: the operations of
// core/integrators/compensated_direction.h and their order.

/// q + e ← q + e + Δq
template <class V>
HWY_INLINE void add_compensated(const Vector3<V>& change, Vector3<V>& q, Vector3<V>& e) {
  const Vector3<V> sum = add(q, change), taken = subtract(sum, q);
  const Vector3<V> rest = add(e, add(subtract(q, subtract(sum, taken)), subtract(change, taken)));
  q = add(sum, rest);
  e = subtract(rest, subtract(q, sum));
}

/// The change along q after which |q + e| = 1.
template <class V>
HWY_INLINE Vector3<V> length_correction(const Vector3<V>& q, const Vector3<V>& e) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::DFromV<V> d;
  const V unit = hn::Set(d, 1.5 * (1 << 26));
  const auto head_of = [unit](V x) HWY_ATTR { return hn::Sub(hn::Add(x, unit), unit); };
  const Vector3<V> head{head_of(q.x), head_of(q.y), head_of(q.z)};
  // |head|² − 1 is exact; the rest are small products.
  const V exact =
      hn::Add(hn::Add(hn::Sub(hn::Mul(head.x, head.x), hn::Set(d, 1)), hn::Mul(head.y, head.y)),
              hn::Mul(head.z, head.z));
  const V small = hn::Add(dot(subtract(q, head), add(q, head)), hn::Mul(hn::Set(d, 2), dot(q, e)));
  return scale(hn::Mul(hn::Add(exact, small), hn::Set(d, -0.5)), q);
}

}  // namespace twosphere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
