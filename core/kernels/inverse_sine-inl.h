// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_INVERSE_SINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_INVERSE_SINE_INL_H
#undef TWOSPHERE_INVERSE_SINE_INL_H
#else
#define TWOSPHERE_INVERSE_SINE_INL_H
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace twosphere::n_body_kernel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
/// Numbers of single precision, as many as a vector has of double precision.
using Single = hn::Rebind<float, D>;

/// r ≈ 1/s of s² in single precision, by operations that are rounded identically on all processors.
HWY_INLINE V rough_inverse(hn::Vec<Single> square) {
  return hn::PromoteTo(D(), hn::Div(hn::Set(Single(), 1), hn::Sqrt(square)));
}
/// 1 + a δ + b δ² of δ = 1 − s² r²; δ³ is beyond double precision.
HWY_INLINE V series(V square, V r2, double a, double b) {
  const V one = hn::Set(D(), 1), delta = hn::NegMulAdd(square, r2, one);
  return hn::MulAdd(delta, hn::MulAdd(delta, hn::Set(D(), b), hn::Set(D(), a)), one);
}
/// 1/s = r (1 − δ)^{−1/2} of s², and of s² in single precision.
HWY_INLINE V inverse_sine(V square, hn::Vec<Single> single) {
  const V r = rough_inverse(single);
  return hn::Mul(r, series(square, hn::Mul(r, r), 1.0 / 2, 3.0 / 8));
}
/// 1/s³ = r³ (1 − δ)^{−3/2} of the same.
HWY_INLINE V inverse_cube(V square, hn::Vec<Single> single) {
  const V r = rough_inverse(single), r2 = hn::Mul(r, r);
  return hn::Mul(hn::Mul(r, r2), series(square, r2, 3.0 / 2, 15.0 / 8));
}

/// Whether any pair of a vector may be close: the test of single precision is the faster one.
/// `limit`: s² below which pairs are.
HWY_INLINE bool any_close(hn::Vec<Single> square, double limit) {
  return !hn::AllFalse(Single(), hn::Lt(square, hn::Set(Single(), static_cast<float>(limit))));
}

/// Calls pair(k) for the elements k of a vector of s² that are those of close pairs.
template <class Pair>
HWY_NOINLINE void for_close(V square, double limit, const Pair& pair) {
  HWY_ALIGN double squares[hn::MaxLanes(D())];
  hn::Store(square, D(), squares);
  for (std::size_t k = 0; k < hn::Lanes(D()); ++k)
    if (squares[k] < limit) pair(k);
}

}  // namespace twosphere::n_body_kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
