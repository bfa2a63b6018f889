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

/// Numbers of single precision, as many as a vector has of double precision.
using Single = hwy::HWY_NAMESPACE::Rebind<float, hwy::HWY_NAMESPACE::ScalableTag<double>>;

/// r ≈ 1/s in single precision, by operations that are rounded identically on all processors; with
/// δ = 1 − s² r² the full precision is r (1 − δ)^{−1/2}, δ³ being beyond it.
HWY_INLINE hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<double>> inverse_sine(
    hwy::HWY_NAMESPACE::Vec<Single> square) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::PromoteTo(hn::ScalableTag<double>(), hn::Div(hn::Set(Single(), 1), hn::Sqrt(square)));
}

/// Whether any pair of a vector may be close: the test of single precision is the faster one.
/// `limit`: s² below which pairs are.
HWY_INLINE bool any_close(hwy::HWY_NAMESPACE::Vec<Single> square, double limit) {
  namespace hn = hwy::HWY_NAMESPACE;
  return !hn::AllFalse(Single(), hn::Lt(square, hn::Set(Single(), static_cast<float>(limit))));
}

/// Calls pair(k) for the elements k of a vector of s² that are those of close pairs.
template <class Pair>
HWY_NOINLINE void for_close(hwy::HWY_NAMESPACE::Vec<hwy::HWY_NAMESPACE::ScalableTag<double>> square,
                            const Pair& pair, double limit) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<double> d;
  HWY_ALIGN double squares[hn::MaxLanes(d)];
  hn::Store(square, d, squares);
  for (std::size_t k = 0; k < hn::Lanes(d); ++k)
    if (squares[k] < limit) pair(k);
}

}  // namespace twosphere::n_body_kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
