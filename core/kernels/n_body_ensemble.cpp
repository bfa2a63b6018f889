// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body_ensemble.h"

#include <array>
#include <limits>

#include "core/kernels/n_body.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/n_body_ensemble.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"
#include "core/kernels/inverse_sine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::n_body_kernel {
namespace HWY_NAMESPACE {

namespace en = ensemble::HWY_NAMESPACE;
using en::number;

/// As printed_sine_squared() of n_body.h.
HWY_NOINLINE en::V printed_sine_squared(const en::Vector& a, const en::Vector& b) {
  const en::V one = number(1), half = number(0.5), c = dot(a, b);
  const en::V excess = hn::Sub(hn::Mul(hn::Add(dot(a, a), dot(b, b)), half), one);
  const en::Vector nearer = en::choose(hn::Gt(c, hn::Zero(en::D())), subtract(a, b), add(a, b));
  const en::V small = hn::Sub(hn::Mul(dot(nearer, nearer), half), excess);  // 1 − |c|
  return hn::Mul(small, hn::Add(one, hn::Abs(c)));
}

/// The terms of a close pair, as ClosePair of close_pair.h.
struct CloseTerms {
  en::Vector of_i, of_j;
};
/// Of bodies i and j of the members m, m + 1, … in `q` + m; `low`: the same of q_low, or null.
HWY_NOINLINE CloseTerms close_terms(const double* q, const double* low, Eigen::Index i_body,
                                    Eigen::Index j_body) {
  const en::Vector qi = en::load(q, i_body), qj = en::load(q, j_body);
  en::Vector minus = subtract(qj, qi), plus = add(qj, qi);
  if (low) {
    const en::Vector low_i = en::load(low, i_body), low_j = en::load(low, j_body);
    minus = add(minus, subtract(low_j, low_i));
    plus = add(plus, add(low_j, low_i));
  }
  const en::V near = dot(minus, minus), far = dot(plus, plus);
  const en::V square = hn::Mul(hn::Mul(near, far), number(0.25));
  const en::V divisor = hn::Mul(hn::Mul(number(4), square), hn::Sqrt(square));
  const en::Vector across = scale(far, minus), along = scale(near, plus);
  const en::Vector i = add(across, along), j = subtract(along, across);
  return {{hn::Div(i.x, divisor), hn::Div(i.y, divisor), hn::Div(i.z, divisor)},
          {hn::Div(j.x, divisor), hn::Div(j.y, divisor), hn::Div(j.z, divisor)}};
}

/// Whether |N| is that of rounded unit vectors.
HWY_INLINE en::M is_rounding(en::V excess) {
  return hn::Le(hn::Abs(excess), number(8 * std::numeric_limits<double>::epsilon()));
}

/// The operations of plain_gradient() and their order.
template <int n>
void gradient_of_few(double gamma, const double* q, const double* low, double* g) {
  const en::D d;
  const en::V one = number(1), strength = number(gamma), against = number(-gamma);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    en::Vector body[n], sum[n];
    en::M unit = en::everyone();
    for (Eigen::Index i = 0; i < n; ++i) {
      body[i] = en::load(q + m, i);
      sum[i] = en::zero_vector();
      unit = hn::And(unit, is_rounding(hn::Sub(dot(body[i], body[i]), one)));
    }
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const en::Vector across = cross(body[i], body[j]);
        en::V square = dot(across, across);
        if (HWY_UNLIKELY(!hn::AllTrue(d, unit)))
          square = hn::IfThenElse(unit, square, printed_sine_squared(body[i], body[j]));
        const en::V weight = hn::Div(against, hn::Mul(square, hn::Sqrt(square)));
        en::Vector next_i = add(sum[i], scale(weight, body[j]));
        en::Vector next_j = add(sum[j], scale(weight, body[i]));
        const en::M near = hn::And(unit, hn::Lt(square, number(close)));
        if (HWY_UNLIKELY(!hn::AllFalse(d, near))) {
          const CloseTerms terms = close_terms(q + m, low ? low + m : nullptr, i, j);
          next_i = en::choose(near, subtract(sum[i], scale(strength, terms.of_i)), next_i);
          next_j = en::choose(near, subtract(sum[j], scale(strength, terms.of_j)), next_j);
        }
        sum[i] = next_i;
        sum[j] = next_j;
      }
    for (Eigen::Index i = 0; i < n; ++i) en::store(sum[i], g + m, i);
  }
}

/// c/s of a close pair, as ClosePair of close_pair.h.
HWY_NOINLINE en::V close_ratio(const en::Vector& qi, const en::Vector& qj) {
  const en::Vector minus = subtract(qj, qi), plus = add(qj, qi);
  const en::V near = dot(minus, minus), far = dot(plus, plus);
  const en::V square = hn::Mul(hn::Mul(near, far), number(0.25));
  return hn::Div(hn::Sub(far, near), hn::Mul(number(4), hn::Sqrt(square)));
}

/// The operations of plain_potential() and their order.
void potential_members(double gamma, Eigen::Index n, const double* q, double* v) {
  const en::D d;
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    en::M unit = en::everyone();
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector body = en::load(q + m, i);
      unit = hn::And(unit, is_rounding(hn::Sub(dot(body, body), number(1))));
    }
    en::V sum = number(0);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < i; ++j) {
        const en::Vector a = en::load(q + m, i), b = en::load(q + m, j), across = cross(a, b);
        en::V square = dot(across, across);
        if (HWY_UNLIKELY(!hn::AllTrue(d, unit)))
          square = hn::IfThenElse(unit, square, printed_sine_squared(a, b));
        en::V ratio = hn::Div(dot(a, b), hn::Sqrt(square));
        const en::M near = hn::And(unit, hn::Lt(square, number(close)));
        if (HWY_UNLIKELY(!hn::AllFalse(d, near)))
          ratio = hn::IfThenElse(near, close_ratio(a, b), ratio);
        sum = hn::Add(sum, ratio);
      }
    hn::StoreU(hn::Mul(number(-gamma), sum), d, v + m);
  }
}

/// s² as in gradient_of() of n_body.cpp, with fused operations.
HWY_INLINE en::V sine_squared(const en::Vector& a, const en::Vector& b, en::V excess_a,
                              en::V excess_b, en::M unit) {
  const en::V x = hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y));
  const en::V y = hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z));
  const en::V z = hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x));
  en::V last = hn::Mul(z, z);
  if (HWY_UNLIKELY(!hn::AllTrue(en::D(), unit))) {
    const en::V square = hn::Add(number(1), excess_a);
    const en::V less = hn::MulAdd(square, excess_b, excess_a);
    last = hn::IfThenElse(unit, last, hn::MulSub(z, z, less));
  }
  return hn::MulAdd(x, x, hn::MulAdd(y, y, last));
}

HWY_INLINE en::Vector add_scaled(en::V weight, const en::Vector& v, const en::Vector& to) {
  return {hn::MulAdd(weight, v.x, to.x), hn::MulAdd(weight, v.y, to.y),
          hn::MulAdd(weight, v.z, to.z)};
}

/// The operations of gradient_of() in n_body.cpp and their order. That has as many columns j in a
/// vector as there are members in one here: the sums of its elements are sums[j mod lanes].
void gradient_of_many(double gamma, Eigen::Index n, const double* q, const double* low, double* g) {
  const en::D d;
  constexpr auto columns = static_cast<Eigen::Index>(en::lanes);
  const en::V one = number(1);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
    en::V excess[max_together];
    en::Vector total[max_together];
    en::M unit = en::everyone();
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector body = en::load(q + m, i);
      excess[i] = hn::Sub(dot(body, body), one);
      unit = hn::And(unit, is_rounding(excess[i]));
      total[i] = en::zero_vector();
    }
    for (Eigen::Index i = 1; i < n; ++i) {
      const en::Vector row = en::load(q + m, i);
      en::Vector sums[en::lanes];
      for (en::Vector& sum : sums) sum = en::zero_vector();
      for (Eigen::Index from = 0; from < i; from += columns) {
        const Eigen::Index count = i - from < columns ? i - from : columns;
        // s² and 1/s³, and the least s² in single precision.
        en::V square[en::lanes], weight[en::lanes], least = one;
        for (Eigen::Index k = 0; k < count; ++k) {
          const Eigen::Index j = from + k;
          square[k] = sine_squared(row, en::load(q + m, j), excess[i], excess[j], unit);
          const auto single = hn::DemoteTo(Single(), square[k]);
          least = hn::Min(least, hn::PromoteTo(d, single));
          weight[k] = inverse_cube(square[k], single);
        }
        const en::M looked_at = hn::And(unit, hn::Lt(least, number(close)));
        if (HWY_UNLIKELY(!hn::AllFalse(d, looked_at)))
          for (Eigen::Index k = 0; k < count; ++k) {
            const Eigen::Index j = from + k;
            const en::M near = hn::And(looked_at, hn::Lt(square[k], number(close)));
            const CloseTerms terms = close_terms(q + m, low ? low + m : nullptr, i, j);
            total[i] = en::choose(near, add(total[i], terms.of_i), total[i]);
            total[j] = en::choose(near, add(total[j], terms.of_j), total[j]);
            weight[k] = hn::IfThenZeroElse(near, weight[k]);
          }
        for (Eigen::Index k = 0; k < count; ++k) {
          const Eigen::Index j = from + k;
          sums[k] = add_scaled(weight[k], en::load(q + m, j), sums[k]);
          total[j] = add_scaled(weight[k], row, total[j]);
        }
      }
      // As SumOfLanes adds them.
      for (std::size_t half = en::lanes / 2; half > 0; half /= 2)
        for (std::size_t k = 0; k < half; ++k) sums[k] = add(sums[k], sums[k + half]);
      total[i] = add(total[i], sums[0]);
    }
    for (Eigen::Index i = 0; i < n; ++i) en::store(scale(number(-gamma), total[i]), g + m, i);
  }
}

void gradient_members(double gamma, Eigen::Index n, const double* q, const double* low, double* g) {
  constexpr std::array few{gradient_of_few<1>, gradient_of_few<2>, gradient_of_few<3>,
                           gradient_of_few<4>};
  static_assert(few.size() + 1 == min_vectors);
  if (n < min_vectors)
    few[static_cast<std::size_t>(n - 1)](gamma, q, low, g);
  else
    gradient_of_many(gamma, n, q, low, g);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::n_body_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::n_body_kernel {

HWY_EXPORT(gradient_members);
HWY_EXPORT(potential_members);

void gradient_together(double gamma, Eigen::Index n, const double* q, const double* q_low,
                       double* g) {
  HWY_DYNAMIC_DISPATCH(gradient_members)(gamma, n, q, q_low, g);
}

void potential_together(double gamma, Eigen::Index n, const double* q, double* v) {
  HWY_DYNAMIC_DISPATCH(potential_members)(gamma, n, q, v);
}

}  // namespace twosphere::n_body_kernel
#endif  // HWY_ONCE
