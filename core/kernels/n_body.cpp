// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/n_body.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/inverse_sine-inl.h"

namespace twosphere::n_body_kernel {

// Close pairs, once for all levels: adds the terms of g_i and g_j to the sums; returns c/s.
void add_close_pair(const Workspace& work, std::size_t i, std::size_t j, Workspace::Stripe& out);
double close_potential(const Workspace& work, std::size_t i, std::size_t j);

}  // namespace twosphere::n_body_kernel

HWY_BEFORE_NAMESPACE();
namespace twosphere::n_body_kernel {
namespace HWY_NAMESPACE {

/// Columns j per block: their data stay in the L1 cache.
constexpr std::size_t tile = 512;

/// A row i and the terms that all its pairs share.
struct Body {
  V x, y, z, excess, square;  // q, N, 1 + N
};

HWY_INLINE Body body(const Workspace& work, std::size_t i) {
  const D d;
  // q_i, N_i and 1 + N_i in all lanes.
  const double excess = work.excess[i];
  return {hn::Set(d, work.x[i]), hn::Set(d, work.y[i]), hn::Set(d, work.z[i]), hn::Set(d, excess),
          hn::Set(d, 1 + excess)};
}

/// s² = |q_i × q_j|², off the sphere less N_i + (1 + N_i) N_j.
template <bool on_sphere>
HWY_INLINE V sine_squared(const Body& i, V x, V y, V z, const double* excess) {
  // Components of q_i × q_j.
  const V cx = hn::MulSub(i.y, z, hn::Mul(i.z, y));
  const V cy = hn::MulSub(i.z, x, hn::Mul(i.x, z));
  const V cz = hn::MulSub(i.x, y, hn::Mul(i.y, x));
  V last;
  if constexpr (on_sphere)
    last = hn::Mul(cz, cz);
  else
    last = hn::MulSub(cz, cz, hn::MulAdd(i.square, hn::Load(D(), excess), i.excess));
  return hn::MulAdd(cx, cx, hn::MulAdd(cy, cy, last));
}

/// All lanes of a vector are pairs.
struct Whole {
  HWY_INLINE V operator()(V v, V) const { return v; }
};
/// The first `count` lanes are; the others get another value.
struct Part {
  std::size_t count;
  HWY_INLINE V operator()(V v, V other) const {
    return hn::IfThenElse(hn::FirstN(D(), count), v, other);
  }
};

/// Σ q_j/s³ of the pairs j < i of rows `begin` ≤ i < `end`.
template <bool on_sphere>
HWY_INLINE void gradient_of(const Workspace& work, std::size_t begin, std::size_t end,
                            Workspace::Stripe& out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V zero = hn::Zero(d), one = hn::Set(d, 1);
  const double *x = work.x.data(), *y = work.y.data(), *z = work.z.data(),
               *excess = work.excess.data();
  double *gx = out.x.data(), *gy = out.y.data(), *gz = out.z.data();
  std::fill_n(gx, end, 0.0);
  std::fill_n(gy, end, 0.0);
  std::fill_n(gz, end, 0.0);
  for (std::size_t from = 0; from + 1 < end && !is_set(work.stop); from += tile)
    for (std::size_t i = std::max(begin, from + 1); i < end; ++i) {
      const Body row = body(work, i);
      V sx = zero, sy = zero, sz = zero;
      // Always inlined: the sums stay in registers.
      const auto add_pairs = [&](std::size_t j, auto only) HWY_ATTR __attribute__((always_inline)) {
        const V xj = hn::Load(d, x + j), yj = hn::Load(d, y + j), zj = hn::Load(d, z + j);
        // s² and 1/s³
        const V square = only(sine_squared<on_sphere>(row, xj, yj, zj, excess + j), one);
        const auto single = hn::DemoteTo(Single(), square);
        V weight = only(inverse_cube(square, single), zero);
        if constexpr (on_sphere) {
          if (HWY_UNLIKELY(any_close(single, close))) {
            weight = hn::IfThenZeroElse(hn::Lt(square, hn::Set(d, close)), weight);
            for_close(square, close, [&](std::size_t k) { add_close_pair(work, i, j + k, out); });
          }
        }
        // Newton's third law: q_j/s³ for i, q_i/s³ for j.
        sx = hn::MulAdd(weight, xj, sx);
        sy = hn::MulAdd(weight, yj, sy);
        sz = hn::MulAdd(weight, zj, sz);
        hn::Store(hn::MulAdd(weight, row.x, hn::Load(d, gx + j)), d, gx + j);
        hn::Store(hn::MulAdd(weight, row.y, hn::Load(d, gy + j)), d, gy + j);
        hn::Store(hn::MulAdd(weight, row.z, hn::Load(d, gz + j)), d, gz + j);
      };
      const std::size_t to = std::min(from + tile, i), whole = to - to % lanes;
      for (std::size_t j = from; j < whole; j += lanes) add_pairs(j, Whole{});
      if (whole < to) add_pairs(whole, Part{to - whole});
      // Sum over the lanes for row i.
      gx[i] += hn::GetLane(hn::SumOfLanes(d, sx));
      gy[i] += hn::GetLane(hn::SumOfLanes(d, sy));
      gz[i] += hn::GetLane(hn::SumOfLanes(d, sz));
    }
}

void stripe_gradient(const Workspace& work, std::size_t begin, std::size_t end,
                     Workspace::Stripe& out) {
  if (work.on_sphere)
    gradient_of<true>(work, begin, end, out);
  else
    gradient_of<false>(work, begin, end, out);
}

/// Σ c/s of the same pairs.
template <bool on_sphere>
HWY_INLINE double potential_of(const Workspace& work, std::size_t begin, std::size_t end) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V zero = hn::Zero(d), one = hn::Set(d, 1);
  const double *x = work.x.data(), *y = work.y.data(), *z = work.z.data(),
               *excess = work.excess.data();
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i % tile == 0 && is_set(work.stop)) break;
    const Body row = body(work, i);
    V row_sum = zero;
    const auto add_pairs = [&](std::size_t j, auto only) HWY_ATTR __attribute__((always_inline)) {
      const V xj = hn::Load(d, x + j), yj = hn::Load(d, y + j), zj = hn::Load(d, z + j);
      // c/s
      const V cosine = hn::MulAdd(row.x, xj, hn::MulAdd(row.y, yj, hn::Mul(row.z, zj)));
      const V square = only(sine_squared<on_sphere>(row, xj, yj, zj, excess + j), one);
      const auto single = hn::DemoteTo(Single(), square);
      V ratio = only(hn::Mul(cosine, inverse_sine(square, single)), zero);
      if constexpr (on_sphere) {
        if (HWY_UNLIKELY(any_close(single, close))) {
          ratio = hn::IfThenZeroElse(hn::Lt(square, hn::Set(d, close)), ratio);
          for_close(square, close, [&](std::size_t k) { sum += close_potential(work, i, j + k); });
        }
      }
      row_sum = hn::Add(row_sum, ratio);
    };
    const std::size_t whole = i - i % lanes;
    for (std::size_t j = 0; j < whole; j += lanes) add_pairs(j, Whole{});
    if (whole < i) add_pairs(whole, Part{i - whole});
    sum += hn::GetLane(hn::SumOfLanes(d, row_sum));
  }
  return sum;
}

double stripe_potential(const Workspace& work, std::size_t begin, std::size_t end) {
  return work.on_sphere ? potential_of<true>(work, begin, end)
                        : potential_of<false>(work, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::n_body_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/base/thread_pool.h"
#include "core/kernels/close_pair.h"

namespace twosphere::n_body_kernel {

HWY_EXPORT(stripe_gradient);
HWY_EXPORT(stripe_potential);

namespace {

/// The number of stripes of rows, with about equal numbers of pairs; it depends only on n.
std::size_t stripe_count(std::size_t n) { return n < 1024 ? 1 : 16; }
std::size_t stripe_begin(std::size_t k, std::size_t n) {
  const std::size_t count = stripe_count(n);
  const double part = std::sqrt(static_cast<double>(k) / static_cast<double>(count));
  return k == count ? n : static_cast<std::size_t>(part * static_cast<double>(n));
}

/// Whether N is that of a rounded unit vector.
bool is_rounding(double excess) {
  return std::abs(excess) <= 8 * std::numeric_limits<double>::epsilon();
}

std::size_t prepare(const Columns& q, const Columns* q_low, Workspace& work) {
  const auto n = static_cast<std::size_t>(q.cols());
  for (Aligned<double>* component : {&work.x, &work.y, &work.z, &work.excess}) component->resize(n);
  work.on_sphere = true;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = q.col(static_cast<Eigen::Index>(i));
    work.x[i] = v.x();
    work.y[i] = v.y();
    work.z[i] = v.z();
    work.excess[i] = v.squaredNorm() - 1;
    if (!is_rounding(work.excess[i])) work.on_sphere = false;
  }
  work.q = &q;
  work.q_low = q_low;
  work.stripes.resize(stripe_count(n));
  work.stop = stripe_count(n) > 1 ? Interruptible::flag() : nullptr;
  return n;
}

ClosePair close_pair(const Workspace& work, std::size_t i, std::size_t j) {
  return {*work.q, work.q_low, static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)};
}

/// plain_gradient() of so many bodies on the sphere, if no two of them are close: the same
/// operations, with all numbers in registers. Whether that is so.
template <int n>
bool gradient_of_few(double gamma, const Columns& q, Columns& g) {
  double x[n], y[n], z[n], gx[n], gy[n], gz[n];
  bool suits = true;
#pragma GCC unroll 4
  for (int i = 0; i < n; ++i) {
    const double* const from = q.data() + 3 * i;
    x[i] = from[0], y[i] = from[1], z[i] = from[2];
    gx[i] = gy[i] = gz[i] = 0;
    suits &= is_rounding(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] - 1);
  }
#pragma GCC unroll 4
  for (int i = 0; i < n; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < i; ++j) {
      const double cx = y[i] * z[j] - z[i] * y[j], cy = z[i] * x[j] - x[i] * z[j],
                   cz = x[i] * y[j] - y[i] * x[j];
      const double square = cx * cx + cy * cy + cz * cz;
      suits &= square >= close;
      const double weight = -gamma / (square * std::sqrt(square));
      gx[i] += weight * x[j], gy[i] += weight * y[j], gz[i] += weight * z[j];
      gx[j] += weight * x[i], gy[j] += weight * y[i], gz[j] += weight * z[i];
    }
#pragma GCC unroll 4
  for (int i = 0; i < n; ++i) {
    double* const to = g.data() + 3 * i;
    to[0] = gx[i], to[1] = gy[i], to[2] = gz[i];
  }
  return suits;
}

}  // namespace

double printed_sine_squared(const Vec3& a, const Vec3& b, double c) {
  const double excess = (a.squaredNorm() + b.squaredNorm()) / 2 - 1;
  const Vec3& nearer = c > 0 ? Vec3(a - b) : Vec3(a + b);
  const double small = nearer.squaredNorm() / 2 - excess;  // 1 − |c|
  return small * (1 + std::abs(c));
}

bool on_sphere(const Columns& q) {
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    if (!is_rounding(q.col(i).squaredNorm() - 1)) return false;
  return true;
}

double potential(double gamma, const Columns& q, Pool<Workspace>& pool) {
  if (q.cols() < min_vectors) return plain_potential(gamma, q);
  const auto lease = pool.take();
  Workspace& work = *lease;
  const std::size_t n = prepare(q, nullptr, work), count = stripe_count(n);
  parallel_for(count, [&](std::size_t k) {
    work.stripes[k].potential =
        HWY_DYNAMIC_DISPATCH(stripe_potential)(work, stripe_begin(k, n), stripe_begin(k + 1, n));
  });
  double sum = is_set(work.stop) ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (const Workspace::Stripe& stripe : work.stripes) sum += stripe.potential;
  return -gamma * sum;
}

void gradient(double gamma, const Columns& q, Columns& g, Pool<Workspace>& pool,
              const Columns* q_low) {
  if (const auto n = q.cols(); n < min_vectors) {
    constexpr std::array few{gradient_of_few<1>, gradient_of_few<2>, gradient_of_few<3>,
                             gradient_of_few<4>};
    static_assert(few.size() + 1 == min_vectors);
    if (n == 0 || !few[static_cast<std::size_t>(n - 1)](gamma, q, g))
      plain_gradient(gamma, q, g, q_low);
    return;
  }
  const auto lease = pool.take();
  Workspace& work = *lease;
  const std::size_t n = prepare(q, q_low, work), count = stripe_count(n);
  for (std::size_t k = 0; k < count; ++k) {
    Workspace::Stripe& stripe = work.stripes[k];
    for (Aligned<double>* component : {&stripe.x, &stripe.y, &stripe.z})
      component->resize(stripe_begin(k + 1, n));
  }
  parallel_for(count, [&](std::size_t k) {
    HWY_DYNAMIC_DISPATCH(stripe_gradient)
    (work, stripe_begin(k, n), stripe_begin(k + 1, n), work.stripes[k]);
  });
  if (is_set(work.stop)) {
    g.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t k = 0, begin = 0; k < count; ++k) {
    const std::size_t end = stripe_begin(k + 1, n);
    for (std::size_t i = begin; i < end; ++i) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t s = k; s < count; ++s) {  // earlier stripes do not contribute
        const Workspace::Stripe& stripe = work.stripes[s];
        sum += Vec3(stripe.x[i], stripe.y[i], stripe.z[i]);
      }
      g.col(static_cast<Eigen::Index>(i)) = -gamma * sum;
    }
    begin = end;
  }
}

void add_close_pair(const Workspace& work, std::size_t i, std::size_t j, Workspace::Stripe& out) {
  const ClosePair pair = close_pair(work, i, j);
  const auto add = [&out](std::size_t body, const Vec3& term) {
    out.x[body] += term.x();
    out.y[body] += term.y();
    out.z[body] += term.z();
  };
  add(i, pair.term(1));
  add(j, pair.term(-1));
}

double close_potential(const Workspace& work, std::size_t i, std::size_t j) {
  return close_pair(work, i, j).ratio();
}

double plain_potential(double gamma, const Columns& q) {
  const bool unit = on_sphere(q);
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vec3 qi = q.col(i), qj = q.col(j);
      const double c = qi.dot(qj);
      const double square = unit ? qi.cross(qj).squaredNorm() : printed_sine_squared(qi, qj, c);
      sum += unit && square < close ? ClosePair(q, nullptr, i, j).ratio() : c / std::sqrt(square);
    }
  return -gamma * sum;
}

void plain_gradient(double gamma, const Columns& q, Columns& g, const Columns* q_low) {
  const bool unit = on_sphere(q);
  g.setZero();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vec3 qi = q.col(i), qj = q.col(j);
      const double square =
          unit ? qi.cross(qj).squaredNorm() : printed_sine_squared(qi, qj, qi.dot(qj));
      if (unit && square < close) {
        const ClosePair pair(q, q_low, i, j);
        g.col(i) -= gamma * pair.term(1);
        g.col(j) -= gamma * pair.term(-1);
        continue;
      }
      const double weight = -gamma / (square * std::sqrt(square));
      g.col(i) += weight * qj;
      g.col(j) += weight * qi;
    }
}

MotionRate motion_rate(double gamma, const Eigen::VectorXd& m, const Columns& q, const Columns& w) {
  MotionRate sum;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vec3 a = q.col(i), b = q.col(j);
      const double c = a.dot(b);
      // q_i × q_j without cancellation where bodies are close or nearly antipodal.
      const Vec3 x = a.cross(b - std::copysign(1, c) * a);
      const double square = x.squaredNorm();
      const double term = std::abs(gamma) * (1 / m[i] + 1 / m[j]) / (square * std::sqrt(square));
      sum.square += term;
      sum.change += 3 * term * c * (w.col(i) - w.col(j)).dot(x) / square;
    }
  return sum;
}

}  // namespace twosphere::n_body_kernel
#endif  // HWY_ONCE
