// SPDX-License-Identifier: GPL-3.0-or-later
// Included once per instruction set level, after <hwy/foreach_target.h>.
#if defined(TWOSPHERE_CHAIN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOSPHERE_CHAIN_INL_H
#undef TWOSPHERE_CHAIN_INL_H
#else
#define TWOSPHERE_CHAIN_INL_H
#endif

#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"
#include "core/mechanics/inertia.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::HWY_NAMESPACE {

/// apply_inverse() of chain_inverse.h in every element of a vector, with the same operations in the
/// same order. `n`: the number of links, which may be known at compile time.
template <class D, class Force, class Use>
HWY_INLINE void apply_inverse(const ChainInertia& chain, Eigen::Index n, Force force, Use use) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Vector = Vector3<hn::Vec<D>>;
  const auto number = [](double value) HWY_ATTR { return hn::Set(D(), value); };
  const auto zero = hn::Zero(D());
  Vector scaled = scale(number(chain.inverse_length[0]), force(0)), before{zero, zero, zero};
  for (Eigen::Index i = 0; i < n; ++i) {
    Vector next{zero, zero, zero};
    if (i + 1 < n) next = scale(number(chain.inverse_length[i + 1]), force(i + 1));
    const Vector x = scale(number(chain.inverse_mass[i]), subtract(scaled, next));
    use(i, scale(number(chain.inverse_length[i]), subtract(x, before)));
    before = x;
    scaled = next;
  }
}

}  // namespace twosphere::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
