// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/n_body.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::n_body_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

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

/// s² = |q_i × q_j|² − N_i − (1 + N_i) N_j.
HWY_INLINE V sine_squared(const Body& i, V x, V y, V z, V excess) {
  // Components of q_i × q_j.
  const V cx = hn::MulSub(i.y, z, hn::Mul(i.z, y));
  const V cy = hn::MulSub(i.z, x, hn::Mul(i.x, z));
  const V cz = hn::MulSub(i.x, y, hn::Mul(i.y, x));
  const V off = hn::MulAdd(i.square, excess, i.excess);
  return hn::MulAdd(cx, cx, hn::MulAdd(cy, cy, hn::MulSub(cz, cz, off)));
}

/// r ≈ 1/s in single precision, by operations that are rounded identically on all processors; with
/// δ = 1 − s² r² the full precision is r (1 − δ)^{−1/2}, δ³ being beyond it.
HWY_INLINE V inverse_sine(V square) {
  const D d;
  const hn::Rebind<float, D> single;
  const auto s = hn::Sqrt(hn::DemoteTo(single, square));
  return hn::PromoteTo(d, hn::Div(hn::Set(single, 1), s));
}

/// Σ q_j/s³ of the pairs j < i of rows `begin` ≤ i < `end`.
void stripe_gradient(const Workspace& work, std::size_t begin, std::size_t end,
                     Workspace::Stripe& out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1), first = hn::Set(d, 3.0 / 2), second = hn::Set(d, 15.0 / 8);
  const double *x = work.x.data(), *y = work.y.data(), *z = work.z.data(),
               *excess = work.excess.data();
  double *gx = out.x.data(), *gy = out.y.data(), *gz = out.z.data();
  std::fill_n(gx, end, 0.0);
  std::fill_n(gy, end, 0.0);
  std::fill_n(gz, end, 0.0);
  for (std::size_t from = 0; from + 1 < end && !is_set(work.stop); from += tile)
    for (std::size_t i = std::max(begin, from + 1); i < end; ++i) {
      const Body row = body(work, i);
      V sx = hn::Zero(d), sy = sx, sz = sx;
      const auto add_pairs = [&](std::size_t j, auto only) HWY_ATTR {
        const V xj = hn::Load(d, x + j), yj = hn::Load(d, y + j), zj = hn::Load(d, z + j);
        // s² and 1/s³ = r³ (1 − δ)^{−3/2}, by its series.
        const V square = sine_squared(row, xj, yj, zj, hn::Load(d, excess + j));
        const V r = inverse_sine(square), r2 = hn::Mul(r, r);
        const V delta = hn::NegMulAdd(square, r2, one);
        const V exact = hn::MulAdd(delta, hn::MulAdd(delta, second, first), one);
        const V weight = only(hn::Mul(hn::Mul(r, r2), exact));
        // Newton's third law: q_j/s³ for i, q_i/s³ for j.
        sx = hn::MulAdd(weight, xj, sx);
        sy = hn::MulAdd(weight, yj, sy);
        sz = hn::MulAdd(weight, zj, sz);
        hn::Store(hn::MulAdd(weight, row.x, hn::Load(d, gx + j)), d, gx + j);
        hn::Store(hn::MulAdd(weight, row.y, hn::Load(d, gy + j)), d, gy + j);
        hn::Store(hn::MulAdd(weight, row.z, hn::Load(d, gz + j)), d, gz + j);
      };
      const std::size_t to = std::min(from + tile, i), whole = to - to % lanes;
      for (std::size_t j = from; j < whole; j += lanes)
        add_pairs(j, [](V w) HWY_ATTR { return w; });
      if (whole < to)
        add_pairs(whole,
                  [&](V w) HWY_ATTR { return hn::IfThenElseZero(hn::FirstN(d, to - whole), w); });
      // Sum over the lanes for row i.
      gx[i] += hn::GetLane(hn::SumOfLanes(d, sx));
      gy[i] += hn::GetLane(hn::SumOfLanes(d, sy));
      gz[i] += hn::GetLane(hn::SumOfLanes(d, sz));
    }
}

/// Σ c/s of the same pairs.
double stripe_potential(const Workspace& work, std::size_t begin, std::size_t end) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1), first = hn::Set(d, 1.0 / 2), second = hn::Set(d, 3.0 / 8);
  const double *x = work.x.data(), *y = work.y.data(), *z = work.z.data(),
               *excess = work.excess.data();
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i % tile == 0 && is_set(work.stop)) break;
    const Body row = body(work, i);
    V row_sum = hn::Zero(d);
    const auto add_pairs = [&](std::size_t j, auto only) HWY_ATTR {
      const V xj = hn::Load(d, x + j), yj = hn::Load(d, y + j), zj = hn::Load(d, z + j);
      // c/s with 1/s = r (1 − δ)^{−1/2}
      const V cosine = hn::MulAdd(row.x, xj, hn::MulAdd(row.y, yj, hn::Mul(row.z, zj)));
      const V square = sine_squared(row, xj, yj, zj, hn::Load(d, excess + j));
      const V r = inverse_sine(square), delta = hn::NegMulAdd(square, hn::Mul(r, r), one);
      const V exact = hn::MulAdd(delta, hn::MulAdd(delta, second, first), one);
      row_sum = hn::Add(row_sum, only(hn::Mul(cosine, hn::Mul(r, exact))));
    };
    const std::size_t whole = i - i % lanes;
    for (std::size_t j = 0; j < whole; j += lanes) add_pairs(j, [](V v) HWY_ATTR { return v; });
    if (whole < i)
      add_pairs(whole,
                [&](V v) HWY_ATTR { return hn::IfThenElseZero(hn::FirstN(d, i - whole), v); });
    sum += hn::GetLane(hn::SumOfLanes(d, row_sum));
  }
  return sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::n_body_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/base/thread_pool.h"

namespace twosphere::n_body_kernel {

HWY_EXPORT(stripe_gradient);
HWY_EXPORT(stripe_potential);

namespace {

/// Fewer bodies do not fill the vectors.
constexpr Eigen::Index least_vectors = 5;

/// The number of stripes of rows, with about equal numbers of pairs; it depends only on n.
std::size_t stripe_count(std::size_t n) { return n < 1024 ? 1 : 16; }
std::size_t stripe_begin(std::size_t k, std::size_t n) {
  const std::size_t count = stripe_count(n);
  const double part = std::sqrt(static_cast<double>(k) / static_cast<double>(count));
  return k == count ? n : static_cast<std::size_t>(part * static_cast<double>(n));
}

std::size_t prepare(const Columns& q, Workspace& work) {
  const auto n = static_cast<std::size_t>(q.cols());
  for (Aligned<double>* component : {&work.x, &work.y, &work.z, &work.excess}) component->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = q.col(static_cast<Eigen::Index>(i));
    work.x[i] = v.x();
    work.y[i] = v.y();
    work.z[i] = v.z();
    work.excess[i] = v.squaredNorm() - 1;
  }
  work.stripes.resize(stripe_count(n));
  work.stop = stripe_count(n) > 1 ? Interruptible::flag() : nullptr;
  return n;
}

/// 1 − c², without cancellation where c is near ±1: (1 − c)(1 + c) with 1 ∓ c = ½ |q_i ∓ q_j|² on
/// the sphere. Off the sphere the deviation of |q|² from 1 is included, so that the result is 1 −
/// c² as printed.
double sine_squared(const Vec3& a, const Vec3& b, double c) {
  const double excess = (a.squaredNorm() + b.squaredNorm()) / 2 - 1;
  const Vec3& nearer = c > 0 ? Vec3(a - b) : Vec3(a + b);
  const double small = nearer.squaredNorm() / 2 - excess;  // 1 − |c|
  return small * (1 + std::abs(c));
}

}  // namespace

double potential(double gamma, const Columns& q, Pool<Workspace>& pool) {
  if (q.cols() < least_vectors) return plain_potential(gamma, q);
  const auto lease = pool.take();
  Workspace& work = *lease;
  const std::size_t n = prepare(q, work), count = stripe_count(n);
  parallel_for(count, [&](std::size_t k) {
    work.stripes[k].potential =
        HWY_DYNAMIC_DISPATCH(stripe_potential)(work, stripe_begin(k, n), stripe_begin(k + 1, n));
  });
  double sum = is_set(work.stop) ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (const Workspace::Stripe& stripe : work.stripes) sum += stripe.potential;
  return -gamma * sum;
}

void gradient(double gamma, const Columns& q, Columns& g, Pool<Workspace>& pool) {
  if (q.cols() < least_vectors) return plain_gradient(gamma, q, g);
  const auto lease = pool.take();
  Workspace& work = *lease;
  const std::size_t n = prepare(q, work), count = stripe_count(n);
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

double plain_potential(double gamma, const Columns& q) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double c = q.col(i).dot(q.col(j));
      sum += c / std::sqrt(sine_squared(q.col(i), q.col(j), c));
    }
  return -gamma * sum;
}

void plain_gradient(double gamma, const Columns& q, Columns& g) {
  g.setZero();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double square = sine_squared(q.col(i), q.col(j), q.col(i).dot(q.col(j)));
      const double weight = -gamma / (square * std::sqrt(square));
      g.col(i) += weight * q.col(j);
      g.col(j) += weight * q.col(i);
    }
}

}  // namespace twosphere::n_body_kernel
#endif  // HWY_ONCE
