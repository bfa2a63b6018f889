// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/rotation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/rotation.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/compensated-inl.h"
#include "core/kernels/ensemble-inl.h"
#include "core/kernels/turn_series.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::rotation_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace en = ensemble::HWY_NAMESPACE;
using en::number;

HWY_INLINE en::Vector load(const Aligned<double>& all, std::size_t slot) {
  return en::load(all.data() + place(slot), 0);
}
HWY_INLINE void store(const en::Vector& v, Aligned<double>& all, std::size_t slot) {
  en::store(v, all.data() + place(slot), 0);
}

void correct_slots(std::size_t count, Slots& slots) {
  for (std::size_t k = 0; k < count; k += en::lanes) {
    const en::Vector q = load(slots.q, k), e = load(slots.e, k);
    store(add(e, length_correction(q, e)), slots.e, k);
  }
}

/// ω after a kick of s/m. |q|² is 1 but for rounding.
HWY_INLINE en::Vector kicked(en::V factor, const en::Vector& q, const en::Vector& g,
                             const en::Vector& before) {
  const en::Vector w = subtract(before, scale(factor, cross(q, g)));
  return subtract(w, scale(dot(q, w), q));
}

/// Σ c_k y^k
HWY_INLINE en::V series(const std::array<double, 9>& c, en::V y) {
  const auto pair = [&](std::size_t k)
                        HWY_ATTR { return hn::Add(number(c[k]), hn::Mul(number(c[k + 1]), y)); };
  const en::V square = hn::Mul(y, y), fourth = hn::Mul(square, square);
  const en::V low = hn::Add(pair(1), hn::Mul(square, pair(3)));
  const en::V high = hn::Add(pair(5), hn::Mul(square, pair(7)));
  return hn::Add(number(c[0]), hn::Mul(y, hn::Add(low, hn::Mul(fourth, high))));
}

/// sin θ/|ω| and 1 − cos θ with θ = s |ω|; not numbers if θ has no significant digits.
struct Turn {
  en::V across, back;
  en::M large;  // |θ| ≥ 1

  HWY_INLINE Turn(double s, const en::Vector& w) {
    static constexpr auto sine = turn_series<9>(1), cosine = turn_series<9>(2);
    const en::V speed_square = dot(w, w), square = hn::Mul(speed_square, number(s * s));
    const en::V against = hn::Neg(square);
    across = hn::Mul(number(s), series(sine, against));
    back = hn::Mul(square, series(cosine, against));
    large = hn::Not(hn::Lt(square, number(1)));
    if (HWY_UNLIKELY(!hn::AllFalse(en::D(), large))) turn_far(s, speed_square);
  }

 private:
  /// Those of large turns, one by one.
  HWY_NOINLINE void turn_far(double s, en::V speed_square) {
    const en::D d;
    HWY_ALIGN double speeds[en::lanes], sines[en::lanes], versines[en::lanes];
    hn::Store(hn::Sqrt(speed_square), d, speeds);
    for (std::size_t k = 0; k < en::lanes; ++k) {
      double half = speeds[k] * s / 2;
      if (!(std::abs(half) < 0.5 / std::numeric_limits<double>::epsilon()))
        half = std::numeric_limits<double>::quiet_NaN();
      const double sine = std::sin(half);
      sines[k] = 2 * sine * std::cos(half) / speeds[k];
      versines[k] = 2 * sine * sine;
    }
    across = hn::IfThenElse(large, hn::Load(d, sines), across);
    back = hn::IfThenElse(large, hn::Load(d, versines), back);
  }
};

/// R(s ω) (q + e)
HWY_INLINE void rotate_bodies(double s, const en::Vector& w, en::Vector& q, en::Vector& e) {
  const Turn turn(s, w);
  // Δq = sin θ (ω/|ω|) × q − (1 − cos θ) q
  add_compensated(subtract(scale(turn.across, cross(w, q)), scale(turn.back, q)), q, e);
  // A large turn has rounding errors of its own.
  if (HWY_LIKELY(hn::AllFalse(en::D(), turn.large))) return;
  en::Vector corrected = q, rest = e;
  add_compensated(length_correction(q, e), corrected, rest);
  q = en::choose(turn.large, corrected, q);
  e = en::choose(turn.large, rest, e);
}

HWY_INLINE bool all_finite(en::V sum) {
  return hn::AllTrue(en::D(),
                     hn::Lt(hn::Abs(sum), number(std::numeric_limits<double>::infinity())));
}

/// Members of an ensemble.
struct OfMembers {
  const Slots& slots;

  HWY_INLINE en::Vector gradient(std::size_t k) const { return load(slots.g, k); }
  HWY_INLINE void give(std::size_t, const en::Vector&, const en::Vector&) const {}
};

/// The bodies of a run, of which there are n.
struct OfRun {
  std::size_t n;
  const double* g;
  double *q, *e;

  HWY_INLINE en::Vector gradient(std::size_t k) const {
    if (n - k >= en::lanes) return twosphere::HWY_NAMESPACE::load_bodies(en::D(), g + 3 * k);
    // 0 in the elements that are left.
    const en::V place_in_vector = hn::Iota(en::D(), 0);
    en::Vector all = en::zero_vector();
    for (std::size_t i = k; i < n; ++i)
      all = en::choose(hn::Eq(place_in_vector, number(static_cast<double>(i - k))),
                       {number(g[3 * i]), number(g[3 * i + 1]), number(g[3 * i + 2])}, all);
    return all;
  }
  HWY_INLINE void give(std::size_t k, const en::Vector& now, const en::Vector& rest) const {
    give(k, now, q + 3 * k);
    give(k, rest, e + 3 * k);
  }

 private:
  HWY_INLINE void give(std::size_t k, const en::Vector& v, double* to) const {
    const en::D d;
    if (n - k >= en::lanes) {
      twosphere::HWY_NAMESPACE::store_bodies(v, d, to);
      return;
    }
    // Whoever reads a body next finds it as one store has left it.
    HWY_ALIGN double all[4 * en::lanes];
    hn::StoreInterleaved4(v.x, v.y, v.z, number(0), d, all);
    for (std::size_t i = 0; i < n - k; ++i) std::copy_n(all + 4 * i, 3, to + 3 * i);
  }
};

/// A kick, if `m` is given, and a rotation. Whether all q are finite.
template <class Bodies>
HWY_INLINE bool pass(double kick, double s, const double* m, std::size_t count, Slots& slots,
                     const Bodies& bodies) {
  en::V sum = number(0);
  for (std::size_t k = 0; k < count; k += en::lanes) {
    en::Vector q = load(slots.q, k), e = load(slots.e, k), w = load(slots.w, k);
    if (m) {
      w = kicked(hn::Div(number(kick), hn::Load(en::D(), m + k)), q, bodies.gradient(k), w);
      store(w, slots.w, k);
    }
    rotate_bodies(s, w, q, e);
    store(q, slots.q, k);
    store(e, slots.e, k);
    bodies.give(k, q, e);
    sum = hn::Add(sum, hn::Add(hn::Add(q.x, q.y), q.z));
  }
  return all_finite(sum);
}

/// A kick alone. Whether all q, ω and g are finite.
template <class Bodies>
HWY_INLINE bool last_pass(double kick, const double* m, std::size_t count, Slots& slots,
                          const Bodies& bodies) {
  const en::Vector zero = en::zero_vector();
  en::V sum = zero.x;
  for (std::size_t k = 0; k < count; k += en::lanes) {
    const en::Vector q = load(slots.q, k), g = bodies.gradient(k);
    const en::V factor = hn::Div(number(kick), hn::Load(en::D(), m + k));
    const en::Vector w = kicked(factor, q, g, load(slots.w, k));
    store(w, slots.w, k);
    // 0 x is 0 if x is finite, however large, and NaN otherwise.
    for (const en::Vector& v : {q, w, g}) sum = hn::Add(sum, dot(v, zero));
  }
  return all_finite(sum);
}

bool pass_of_members(double kick, double s, const double* m, std::size_t count, Slots& slots) {
  return pass(kick, s, m, count, slots, OfMembers{slots});
}
bool last_pass_of_members(double kick, const double* m, std::size_t count, Slots& slots) {
  return last_pass(kick, m, count, slots, OfMembers{slots});
}

bool pass_of_run(double kick, double s, const double* m, std::size_t n, Slots& slots,
                 const double* g, double* q, double* e) {
  return pass(kick, s, m, n, slots, OfRun{n, g, q, e});
}
bool last_pass_of_run(double kick, const double* m, std::size_t n, Slots& slots, const double* g) {
  return last_pass(kick, m, n, slots, OfRun{n, g, nullptr, nullptr});
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::rotation_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::rotation_kernel {

HWY_EXPORT(correct_slots);
HWY_EXPORT(pass_of_members);
HWY_EXPORT(last_pass_of_members);
HWY_EXPORT(pass_of_run);
HWY_EXPORT(last_pass_of_run);

namespace {

/// Slots of whole blocks.
std::size_t whole(std::size_t count) {
  return (count + ensemble_members - 1) / ensemble_members * ensemble_members;
}

}  // namespace

void Slots::clear(std::size_t count) {
  for (Aligned<double>* all : {&q, &e, &w, &g}) {
    all->resize(3 * whole(count));
    std::fill_n(all->data(), 3 * whole(count), 0.0);
  }
}

void Slots::assign(const Slots& other, std::size_t count) {
  for (const auto& [to, from] :
       {std::pair(&q, &other.q), {&e, &other.e}, {&w, &other.w}, {&g, &other.g}})
    std::copy_n(from->data(), 3 * whole(count), to->data());
}

void set_inertia(const Eigen::VectorXd& m, std::size_t members, Aligned<double>& all) {
  const auto bodies = static_cast<std::size_t>(m.size()), count = bodies * members;
  all.resize(whole(count));
  std::fill_n(all.data(), whole(count), 1.0);
  for (std::size_t k = 0; k < count; ++k) all[k] = m[static_cast<Eigen::Index>(k / members)];
}

void correct_lengths(std::size_t count, Slots& slots) {
  HWY_DYNAMIC_DISPATCH(correct_slots)(count, slots);
}

bool kick_and_rotate(double kick, double s, const Aligned<double>& m, std::size_t count,
                     Slots& slots) {
  return HWY_DYNAMIC_DISPATCH(pass_of_members)(kick, s, m.data(), count, slots);
}

bool last_kick(double kick, const Aligned<double>& m, std::size_t count, Slots& slots) {
  return HWY_DYNAMIC_DISPATCH(last_pass_of_members)(kick, m.data(), count, slots);
}

bool rotate(double s, Slots& slots, Columns& q, Columns& e) {
  const auto n = static_cast<std::size_t>(q.cols());
  return HWY_DYNAMIC_DISPATCH(pass_of_run)(0, s, nullptr, n, slots, nullptr, q.data(), e.data());
}

bool kick_and_rotate(double kick, double s, const Aligned<double>& m, const Columns& g,
                     Slots& slots, Columns& q, Columns& e) {
  const auto n = static_cast<std::size_t>(q.cols());
  return HWY_DYNAMIC_DISPATCH(pass_of_run)(kick, s, m.data(), n, slots, g.data(), q.data(),
                                           e.data());
}

bool last_kick(double kick, const Aligned<double>& m, const Columns& g, Slots& slots) {
  const auto n = static_cast<std::size_t>(g.cols());
  return HWY_DYNAMIC_DISPATCH(last_pass_of_run)(kick, m.data(), n, slots, g.data());
}

}  // namespace twosphere::rotation_kernel
#endif  // HWY_ONCE
