// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/row_measures.h"

#include <algorithm>
#include <variant>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/row_measures.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::rows_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace en = ensemble::HWY_NAMESPACE;

/// 2 T and the P_i of one form of the inertia, from the q̇_i of the rows of a vector.
struct OfDiagonal {
  const DiagonalInertia& inertia;

  HWY_INLINE en::V operator()(Eigen::Index n, const en::Vector* v, en::Vector* p) const {
    // Σ m_i |q̇_i|² and m_i q̇_i
    en::V twice = en::number(0);
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::V mass = en::number(inertia.m[i]);
      twice = hn::Add(twice, hn::Mul(mass, dot(v[i], v[i])));
      p[i] = scale(mass, v[i]);
    }
    return twice;
  }
};
struct OfChain {
  const ChainInertia& inertia;

  HWY_INLINE en::V operator()(Eigen::Index n, const en::Vector* v, en::Vector* p) const {
    // Velocities of the masses down the chain, then momenta summed back up.
    en::V twice = en::number(0);
    en::Vector sum = en::zero_vector();
    for (Eigen::Index k = 0; k < n; ++k) {
      p[k] = sum = add(sum, scale(en::number(inertia.length[k]), v[k]));
      twice = hn::Add(twice, hn::Mul(en::number(inertia.mass[k]), dot(sum, sum)));
    }
    sum = en::zero_vector();
    for (Eigen::Index i = n; i-- > 0;) {
      sum = add(sum, scale(en::number(inertia.mass[i]), p[i]));
      p[i] = scale(en::number(inertia.length[i]), sum);
    }
    return twice;
  }
};

HWY_INLINE void keep(en::V value, Rows::Numbers& to, std::size_t m) {
  hn::StoreU(value, en::D(), to.data() + m);
}
HWY_INLINE double largest(en::V values) { return hn::GetLane(hn::MaxOfLanes(en::D(), values)); }

template <class Form>
HWY_INLINE void measure_as(const Form& form, Eigen::Index n, std::size_t count, Rows& rows) {
  const en::V one = en::number(1), zero = en::number(0);
  const double* const last = rows.q.data() + count - 1;
  const auto coordinate = [last](Eigen::Index k) HWY_ATTR {
    return en::number(last[static_cast<std::size_t>(k) * ensemble_members]);
  };
  en::V fastest = zero, apart = zero;
  for (std::size_t m = 0; m < count; m += en::lanes) {
    en::Vector v[max_bodies], p[max_bodies];
    en::V worst = zero, sum = zero, tangency = zero;
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector q = en::load(rows.q.data() + m, i), w = en::load(rows.w.data() + m, i);
      v[i] = cross(w, q);
      // | |q| − 1 |, |q·q − 1| and |q·ω|
      const en::V square = dot(q, q);
      worst = hn::Max(worst, hn::Abs(hn::Sub(hn::Sqrt(square), one)));
      sum = hn::Add(sum, hn::Abs(hn::Sub(square, one)));
      tangency = hn::Max(tangency, hn::Abs(dot(q, w)));
      fastest = hn::Max(fastest, dot(w, w));
      const en::Vector way =
          subtract(q, {coordinate(3 * i), coordinate(3 * i + 1), coordinate(3 * i + 2)});
      apart = hn::Max(apart, dot(way, way));
    }
    keep(hn::Mul(form(n, v, p), en::number(0.5)), rows.kinetic_energy, m);
    keep(worst, rows.unit_length_error, m);
    keep(hn::Div(sum, en::number(static_cast<double>(n))), rows.unit_length_error_mean, m);
    keep(tangency, rows.tangency_error, m);
    // J = Σ q_i × P_i
    en::Vector momentum = en::zero_vector();
    for (Eigen::Index i = 0; i < n; ++i)
      momentum = add(momentum, cross(en::load(rows.q.data() + m, i), p[i]));
    keep(momentum.x, rows.momentum[0], m);
    keep(momentum.y, rows.momentum[1], m);
    keep(momentum.z, rows.momentum[2], m);
  }
  rows.fastest = largest(fastest);
  rows.apart = largest(apart);
}

void measure_uncoupled(const DiagonalInertia& inertia, std::size_t count, Rows& rows) {
  measure_as(OfDiagonal{inertia}, inertia.m.size(), count, rows);
}
void measure_chain(const ChainInertia& inertia, std::size_t count, Rows& rows) {
  measure_as(OfChain{inertia}, inertia.mass.size(), count, rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::rows_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::rows_kernel {

HWY_EXPORT(measure_uncoupled);
HWY_EXPORT(measure_chain);

namespace {

/// The widest vectors have so many rows.
constexpr std::size_t widest = 8;

/// Repeats the last row up to the end of its vector.
void fill_vector(std::size_t count, Aligned<double>& numbers, Eigen::Index components) {
  const std::size_t end = (count + widest - 1) / widest * widest;
  if (end == count) return;
  for (Eigen::Index k = 0; k < components; ++k) {
    double* const of = numbers.data() + static_cast<std::size_t>(k) * ensemble_members;
    std::fill(of + count, of + end, of[count - 1]);
  }
}

}  // namespace

void Rows::resize(Eigen::Index n) {
  for (Aligned<double>* numbers : {&q, &w})
    numbers->resize(3 * static_cast<std::size_t>(n) * ensemble_members);
}

bool suits(const Inertia& inertia) {
  const auto* chain = std::get_if<ChainInertia>(&inertia);
  return (std::holds_alternative<DiagonalInertia>(inertia) || (chain && !chain->has_free_base())) &&
         size(inertia) <= max_bodies;
}

void measure(const Inertia& inertia, std::size_t count, Rows& rows) {
  for (Aligned<double>* numbers : {&rows.q, &rows.w})
    fill_vector(count, *numbers, 3 * size(inertia));
  if (const auto* chain = std::get_if<ChainInertia>(&inertia))
    HWY_DYNAMIC_DISPATCH(measure_chain)(*chain, count, rows);
  else
    HWY_DYNAMIC_DISPATCH(measure_uncoupled)(std::get<DiagonalInertia>(inertia), count, rows);
}

}  // namespace twosphere::rows_kernel
#endif  // HWY_ONCE
