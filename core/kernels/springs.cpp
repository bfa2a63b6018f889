// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/springs.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/springs.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::springs_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace en = ensemble::HWY_NAMESPACE;
using en::number;

void gradient_members(const Eigen::VectorXd& weights, const Eigen::VectorXd& lengths,
                      std::span<const Spring> springs, const double* q, double* g) {
  const en::V zero = number(0);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      en::store({zero, zero, number(weights[i])}, g + m, i);
    for (const Spring& s : springs) {
      const en::V half_i = number(lengths[s.i] / 2), half_j = number(lengths[s.j] / 2);
      // d, e = r + d, and x = d·(r + e)/(|r| + |e|).
      const en::Vector d =
          subtract(scale(half_j, en::load(q + m, s.j)), scale(half_i, en::load(q + m, s.i)));
      const en::Vector rest = en::vector(s.rest), between = add(rest, d);
      const en::V length = hn::Sqrt(dot(between, between));
      const en::V stretch = hn::Div(dot(d, add(rest, between)), hn::Add(number(s.relaxed), length));
      // κ x e/|e|, acting at the midpoints of both rods.
      const en::Vector tension =
          scale(hn::Mul(number(s.stiffness), hn::Div(stretch, length)), between);
      en::store(subtract(en::load(g + m, s.i), scale(half_i, tension)), g + m, s.i);
      en::store(add(en::load(g + m, s.j), scale(half_j, tension)), g + m, s.j);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::springs_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::springs_kernel {

HWY_EXPORT(gradient_members);

void gradient_together(const Eigen::VectorXd& weights, const Eigen::VectorXd& lengths,
                       std::span<const Spring> springs, const double* q, double* g) {
  HWY_DYNAMIC_DISPATCH(gradient_members)(weights, lengths, springs, q, g);
}

}  // namespace twosphere::springs_kernel
#endif  // HWY_ONCE
