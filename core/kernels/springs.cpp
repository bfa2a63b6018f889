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

/// A spring in these members: e, |e| and x.
struct Extended {
  en::Vector between;
  en::V length, stretch;

  HWY_INLINE Extended(const Spring& s, en::V half_i, en::V half_j, const double* q) {
    // d, e = r + d, and x = d·(r + e)/(|r| + |e|).
    const en::Vector d = subtract(scale(half_j, en::load(q, s.j)), scale(half_i, en::load(q, s.i)));
    const en::Vector rest = en::vector(s.rest);
    between = add(rest, d);
    length = hn::Sqrt(dot(between, between));
    stretch = hn::Div(dot(d, add(rest, between)), hn::Add(number(s.relaxed), length));
  }
};

void gradient_members(const Eigen::VectorXd& weights, const Eigen::VectorXd& lengths,
                      std::span<const Spring> springs, const double* q, double* g) {
  const en::V zero = number(0);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      en::store({zero, zero, number(weights[i])}, g + m, i);
    for (const Spring& s : springs) {
      const en::V half_i = number(lengths[s.i] / 2), half_j = number(lengths[s.j] / 2);
      const Extended x(s, half_i, half_j, q + m);
      // κ x e/|e|, acting at the midpoints of both rods.
      const en::Vector tension =
          scale(hn::Mul(number(s.stiffness), hn::Div(x.stretch, x.length)), x.between);
      en::store(subtract(en::load(g + m, s.i), scale(half_i, tension)), g + m, s.i);
      en::store(add(en::load(g + m, s.j), scale(half_j, tension)), g + m, s.j);
    }
  }
}

void potential_members(double gravity, const Eigen::VectorXd& masses,
                       const Eigen::VectorXd& lengths, std::span<const Spring> springs,
                       const double* q, double* v) {
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    // −Σ m_i g l_i e3·q_i
    const auto weight = [&](Eigen::Index i) HWY_ATTR {
      return hn::Mul(hn::Mul(en::load(q + m, i).z, number(masses[i])), number(lengths[i]));
    };
    en::V height = weight(0);
    for (Eigen::Index i = 1; i < masses.size(); ++i) height = hn::Add(height, weight(i));
    en::V sum = hn::Mul(number(-gravity), height);
    for (const Spring& s : springs) {
      // ½ κ x²
      const Extended x(s, number(lengths[s.i] / 2), number(lengths[s.j] / 2), q + m);
      sum = hn::Add(sum, hn::Mul(hn::Mul(number(s.stiffness / 2), x.stretch), x.stretch));
    }
    hn::StoreU(sum, en::D(), v + m);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::springs_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::springs_kernel {

HWY_EXPORT(gradient_members);
HWY_EXPORT(potential_members);

void gradient_together(const Eigen::VectorXd& weights, const Eigen::VectorXd& lengths,
                       std::span<const Spring> springs, const double* q, double* g) {
  HWY_DYNAMIC_DISPATCH(gradient_members)(weights, lengths, springs, q, g);
}

void potential_together(double gravity, const Eigen::VectorXd& masses,
                        const Eigen::VectorXd& lengths, std::span<const Spring> springs,
                        const double* q, double* v) {
  HWY_DYNAMIC_DISPATCH(potential_members)(gravity, masses, lengths, springs, q, v);
}

}  // namespace twosphere::springs_kernel
#endif  // HWY_ONCE
