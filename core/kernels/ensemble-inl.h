// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_ENSEMBLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_ENSEMBLE_INL_H
#undef TWOSPHERE_ENSEMBLE_INL_H
#else
#define TWOSPHERE_ENSEMBLE_INL_H
#endif

#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"
#include "core/mechanics/ensemble.h"
#include "core/mechanics/sphere.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::ensemble::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Members of an ensemble, one in each element; eight are the widest vectors.
using D = hn::CappedTag<double, 8>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;
inline constexpr std::size_t lanes = hn::MaxLanes(D());

/// The same number for all members.
HWY_INLINE V number(double value) { return hn::Set(D(), value); }
HWY_INLINE Vector vector(const Vec3& v) { return {number(v[0]), number(v[1]), number(v[2])}; }
HWY_INLINE Vector zero_vector() { return {number(0), number(0), number(0)}; }
HWY_INLINE M everyone() { return hn::FirstN(D(), lanes); }

/// The vector of body i of the members m, m + 1, … in `all` + m; see ensemble_members.
HWY_INLINE Vector load(const double* all, Eigen::Index i) {
  const double* const from = all + 3 * static_cast<std::size_t>(i) * ensemble_members;
  return {hn::Load(D(), from), hn::Load(D(), from + ensemble_members),
          hn::Load(D(), from + 2 * ensemble_members)};
}
HWY_INLINE void store(const Vector& v, double* all, Eigen::Index i) {
  double* const to = all + 3 * static_cast<std::size_t>(i) * ensemble_members;
  hn::Store(v.x, D(), to);
  hn::Store(v.y, D(), to + ensemble_members);
  hn::Store(v.z, D(), to + 2 * ensemble_members);
}

/// a for these members, b for the others.
HWY_INLINE Vector choose(M members, const Vector& a, const Vector& b) {
  return {hn::IfThenElse(members, a.x, b.x), hn::IfThenElse(members, a.y, b.y),
          hn::IfThenElse(members, a.z, b.z)};
}

}  // namespace twosphere::ensemble::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
