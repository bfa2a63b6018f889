// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/rotation_ensemble.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rotation_ensemble.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/compensated-inl.h"
#include "core/kernels/ensemble-inl.h"
#include "core/kernels/small_sine.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::rotation_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace en = ensemble::HWY_NAMESPACE;
using en::number;

void correct_members(Eigen::Index n, Members& members) {
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector q = en::load(members.q.data() + m, i), e = en::load(members.e.data() + m, i);
      en::store(add(e, length_correction(q, e)), members.e.data() + m, i);
    }
}

void kick_members(double s, const double* mass, Eigen::Index n, Members& members) {
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector q = en::load(members.q.data() + m, i);
      const en::Vector torque = cross(q, en::load(members.g.data() + m, i));
      const en::Vector w =
          subtract(en::load(members.w.data() + m, i), scale(number(s / mass[i]), torque));
      en::store(subtract(w, scale(hn::Div(dot(q, w), dot(q, q)), q)), members.w.data() + m, i);
    }
}

/// As small_sine.h has it.
HWY_INLINE en::V small_sine(en::V x) {
  const auto term = [](int k, en::V v)
                        HWY_ATTR { return hn::Mul(number(small_sine_series[k]), v); };
  const en::V square = hn::Mul(x, x), fourth = hn::Mul(square, square);
  const auto pair = [&](int k) HWY_ATTR {
    return hn::Add(number(small_sine_series[k]), term(k + 1, square));
  };
  const en::V low = hn::Add(pair(0), hn::Mul(fourth, pair(2)));
  const en::V high = hn::Add(pair(4), term(6, fourth));
  const en::V rest = hn::Add(low, hn::Mul(hn::Mul(fourth, fourth), high));
  return hn::Add(x, hn::Mul(hn::Mul(x, square), rest));
}

/// The sine and cosine of half an angle as in rotate() of rotation.cpp.
struct HalfTurn {
  en::V sine, cosine;

  HWY_INLINE explicit HalfTurn(en::V angle) {
    const en::D d;
    const en::V half = hn::Mul(angle, number(0.5));
    sine = small_sine(half);
    cosine = hn::Sqrt(hn::Sub(number(1), hn::Mul(sine, sine)));
    const en::M small = hn::Lt(hn::Abs(angle), number(1));
    if (HWY_LIKELY(hn::AllTrue(d, small))) return;
    HWY_ALIGN double halves[en::lanes], sines[en::lanes], cosines[en::lanes];
    hn::Store(half, d, halves);
    for (std::size_t k = 0; k < en::lanes; ++k) {
      sines[k] = std::sin(halves[k]);
      cosines[k] = std::cos(halves[k]);
    }
    sine = hn::IfThenElse(small, sine, hn::Load(d, sines));
    cosine = hn::IfThenElse(small, cosine, hn::Load(d, cosines));
  }
};

bool rotate_members(double s, Eigen::Index n, Members& members) {
  const en::D d;
  const en::V zero = number(0), one = number(1), two = number(2), step = number(s);
  en::V sum = zero;
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i) {
      en::Vector q = en::load(members.q.data() + m, i), e = en::load(members.e.data() + m, i);
      const en::Vector w = en::load(members.w.data() + m, i);
      // θ = s |ω|; one that is too large has no significant digits.
      const en::V speed = hn::Sqrt(dot(w, w)), turn = hn::Mul(speed, step);
      const en::M digits =
          hn::Lt(hn::Abs(turn), number(1 / std::numeric_limits<double>::epsilon()));
      const en::V angle = hn::IfThenElse(digits, turn, zero);
      const HalfTurn half(angle);
      // Δq = sin θ (ω/|ω|) × q − 2 sin²(θ/2) q
      const en::V twice = hn::Mul(two, half.sine);
      const en::V across =
          hn::IfThenElse(hn::Gt(speed, zero), hn::Div(hn::Mul(twice, half.cosine), speed), step);
      add_compensated(subtract(scale(across, cross(w, q)), scale(hn::Mul(twice, half.sine), q)), q,
                      e);
      const en::M large = hn::Gt(hn::Abs(angle), one);
      if (HWY_UNLIKELY(!hn::AllFalse(d, large))) {
        en::Vector corrected = q, rest = e;
        add_compensated(length_correction(q, e), corrected, rest);
        q = en::choose(large, corrected, q);
        e = en::choose(large, rest, e);
      }
      en::store(q, members.q.data() + m, i);
      en::store(e, members.e.data() + m, i);
      // Finite only if every component is, and every angle has digits.
      sum = hn::Add(sum, hn::Add(hn::Add(q.x, q.y), q.z));
      sum = hn::IfThenElse(digits, sum, number(std::numeric_limits<double>::infinity()));
    }
  return hn::AllTrue(d, hn::Lt(hn::Abs(sum), number(std::numeric_limits<double>::infinity())));
}

bool finite_members(Eigen::Index n, const Members& members) {
  const en::D d;
  en::V sum = hn::Zero(d);
  for (std::size_t m = 0; m < ensemble_members; m += en::lanes)
    for (Eigen::Index i = 0; i < n; ++i)
      for (const Aligned<double>* all : {&members.q, &members.w, &members.g}) {
        // 0 x is 0 if x is finite, however large, and NaN otherwise.
        const en::Vector v = en::load(all->data() + m, i);
        sum = hn::Add(sum, dot(v, en::zero_vector()));
      }
  return hn::AllTrue(d, hn::Eq(sum, hn::Zero(d)));
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::rotation_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::rotation_kernel {

HWY_EXPORT(correct_members);
HWY_EXPORT(kick_members);
HWY_EXPORT(rotate_members);
HWY_EXPORT(finite_members);

void Members::resize(Eigen::Index n) {
  for (Aligned<double>* all : {&q, &e, &w, &g})
    all->resize(3 * static_cast<std::size_t>(n) * ensemble_members);
}

void Members::assign(const Members& other, Eigen::Index n) {
  const std::size_t count = 3 * static_cast<std::size_t>(n) * ensemble_members;
  for (const auto& [to, from] :
       {std::pair(&q, &other.q), {&e, &other.e}, {&w, &other.w}, {&g, &other.g}})
    std::copy_n(from->data(), count, to->data());
}

void correct_lengths(Eigen::Index n, Members& members) {
  HWY_DYNAMIC_DISPATCH(correct_members)(n, members);
}

void kick(double s, const Eigen::VectorXd& m, Members& members) {
  HWY_DYNAMIC_DISPATCH(kick_members)(s, m.data(), m.size(), members);
}

bool rotate(double s, Eigen::Index n, Members& members) {
  return HWY_DYNAMIC_DISPATCH(rotate_members)(s, n, members);
}

bool finite(Eigen::Index n, const Members& members) {
  return HWY_DYNAMIC_DISPATCH(finite_members)(n, members);
}

}  // namespace twosphere::rotation_kernel
#endif  // HWY_ONCE
