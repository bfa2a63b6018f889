// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/inertia.h"

namespace twosphere {

/// Calls use(i, (M⁻¹ v)_i) for every link i of a chain in order, with v_i = force(i); force() is
/// called once for each i, before use() of any later i. Mass k moves by x_k = (v_k/l_k −
/// v_{k+1}/l_{k+1})/m_k, a free base by −v_1/(l_1 m_0), link i by (x_i − x_{i−1})/l_i. O(n).
template <class Force, class Use>
void apply_inverse(const ChainInertia& chain, Force force, Use use) {
  const auto n = chain.mass.size();
  Vec3 scaled = chain.inverse_length[0] * force(0);
  Vec3 before = Vec3::Zero();
  if (chain.has_free_base()) before = -scaled / chain.base_mass;
  for (Eigen::Index i = 0; i < n; ++i) {
    Vec3 next = Vec3::Zero();
    if (i + 1 < n) next = chain.inverse_length[i + 1] * force(i + 1);
    const Vec3 x = chain.inverse_mass[i] * (scaled - next);
    use(i, Vec3(chain.inverse_length[i] * (x - before)));
    before = x;
    scaled = next;
  }
}

}  // namespace twosphere
