// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_VECTOR_INL_H
#undef TWOSPHERE_VECTOR_INL_H
#else
#define TWOSPHERE_VECTOR_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::HWY_NAMESPACE {

/// Vectors of R³, one in each element of V. Operations are not fused and have this order.
template <class V>
struct Vector3 {
  V x, y, z;
};

template <class V>
HWY_INLINE V dot(const Vector3<V>& a, const Vector3<V>& b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
template <class V>
HWY_INLINE Vector3<V> cross(const Vector3<V>& a, const Vector3<V>& b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
template <class V>
HWY_INLINE Vector3<V> add(const Vector3<V>& a, const Vector3<V>& b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
template <class V>
HWY_INLINE Vector3<V> subtract(const Vector3<V>& a, const Vector3<V>& b) {
  namespace hn = hwy::HWY_NAMESPACE;
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE Vector3<V> scale(V s, const Vector3<V>& a) {
  namespace hn = hwy::HWY_NAMESPACE;
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}

/// Vectors of consecutive bodies, each of which lies in memory as x, y, z.
template <class D>
HWY_INLINE Vector3<hwy::HWY_NAMESPACE::Vec<D>> load_bodies(D d, const double* from) {
  hwy::HWY_NAMESPACE::Vec<D> x, y, z;
  hwy::HWY_NAMESPACE::LoadInterleaved3(d, from, x, y, z);
  return {x, y, z};
}
template <class D>
HWY_INLINE void store_bodies(const Vector3<hwy::HWY_NAMESPACE::Vec<D>>& v, D d, double* to) {
  hwy::HWY_NAMESPACE::StoreInterleaved3(v.x, v.y, v.z, d, to);
}

}  // namespace twosphere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
