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

/// |x|² below which a pair is close or nearly antipodal. The product of rounded components has an
/// error of 1e-16 in x, here at most 4e-15 of it.
constexpr double close = 1.0 / 1024;

/// The unit vector of a row i in all lanes.
struct Body {
  std::size_t index;
  V x, y, z;
};

HWY_INLINE Body body(const Workspace& work, std::size_t i) {
  const D d;
  return {i, hn::Set(d, work.unit[0][i]), hn::Set(d, work.unit[1][i]), hn::Set(d, work.unit[2][i])};
}

/// x = q_i × q_j of unit vectors, and |x|².
struct Product {
  V x, y, z, square;
};

HWY_INLINE Product cross(V ax, V ay, V az, V bx, V by, V bz) {
  Product p;
  p.x = hn::MulSub(ay, bz, hn::Mul(az, by));
  p.y = hn::MulSub(az, bx, hn::Mul(ax, bz));
  p.z = hn::MulSub(ax, by, hn::Mul(ay, bx));
  p.square = hn::MulAdd(p.x, p.x, hn::MulAdd(p.y, p.y, hn::Mul(p.z, p.z)));
  return p;
}

/// The same where |x|² is small, from the shorter d = q_j ∓ q_i: x = q_i × d/(|q_i| |q_j|).
HWY_NOINLINE Product refined(const Workspace& work, const Product& p, std::size_t i,
                             std::size_t j) {
  const D d;
  const V ax = hn::Set(d, work.q[0][i]), ay = hn::Set(d, work.q[1][i]),
          az = hn::Set(d, work.q[2][i]);
  const V bx = hn::Load(d, work.q[0].data() + j), by = hn::Load(d, work.q[1].data() + j),
          bz = hn::Load(d, work.q[2].data() + j);
  const V side =
      hn::CopySign(hn::Set(d, 1), hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::Mul(az, bz))));
  const V scale = hn::Mul(hn::Set(d, work.inverse[i]), hn::Load(d, work.inverse.data() + j));
  Product r = cross(ax, ay, az, hn::NegMulAdd(side, ax, bx), hn::NegMulAdd(side, ay, by),
                    hn::NegMulAdd(side, az, bz));
  const auto which = hn::Lt(p.square, hn::Set(d, close));
  r.x = hn::IfThenElse(which, hn::Mul(r.x, scale), p.x);
  r.y = hn::IfThenElse(which, hn::Mul(r.y, scale), p.y);
  r.z = hn::IfThenElse(which, hn::Mul(r.z, scale), p.z);
  r.square = hn::IfThenElse(which, hn::Mul(r.square, hn::Mul(scale, scale)), p.square);
  return r;
}

/// All lanes of a vector are pairs.
struct Whole {
  HWY_INLINE void operator()(Product&) const {}
  HWY_INLINE V operator()(V v) const { return v; }
};
/// The first `count` lanes are; the others get x = 0, |x| = 1.
struct Part {
  std::size_t count;
  HWY_INLINE void operator()(Product& p) const {
    const D d;
    const auto pairs = hn::FirstN(d, count);
    p.x = hn::IfThenElseZero(pairs, p.x);
    p.y = hn::IfThenElseZero(pairs, p.y);
    p.z = hn::IfThenElseZero(pairs, p.z);
    p.square = hn::IfThenElse(pairs, p.square, hn::Set(d, 1));
  }
  HWY_INLINE V operator()(V v) const { return hn::IfThenElseZero(hn::FirstN(D(), count), v); }
};

template <class Pairs>
HWY_INLINE Product product(const Workspace& work, const Body& row, std::size_t j, V x, V y, V z,
                           const Pairs& pairs) {
  const D d;
  Product p = cross(row.x, row.y, row.z, x, y, z);
  pairs(p);
  if (HWY_UNLIKELY(!hn::AllFalse(d, hn::Lt(p.square, hn::Set(d, close)))))
    p = refined(work, p, row.index, j);
  return p;
}

/// r ≈ 1/s in single precision, by operations that are rounded identically on all processors; with
/// δ = 1 − s² r² the full precision is r (1 − δ)^{−1/2}, δ³ being beyond it.
HWY_INLINE V inverse_sine(V square) {
  const D d;
  const hn::Rebind<float, D> single;
  const auto s = hn::Sqrt(hn::DemoteTo(single, square));
  return hn::PromoteTo(d, hn::Div(hn::Set(single, 1), s));
}

/// Σ x/s³ of the pairs j < i of rows `begin` ≤ i < `end`.
void stripe_torque(const Workspace& work, std::size_t begin, std::size_t end,
                   Workspace::Stripe& out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1), first = hn::Set(d, 3.0 / 2), second = hn::Set(d, 15.0 / 8);
  const double *x = work.unit[0].data(), *y = work.unit[1].data(), *z = work.unit[2].data();
  double *tx = out.torque[0].data(), *ty = out.torque[1].data(), *tz = out.torque[2].data();
  std::fill_n(tx, end, 0.0);
  std::fill_n(ty, end, 0.0);
  std::fill_n(tz, end, 0.0);
  for (std::size_t from = 0; from + 1 < end && !is_set(work.stop); from += tile)
    for (std::size_t i = std::max(begin, from + 1); i < end; ++i) {
      const Body row = body(work, i);
      V sx = hn::Zero(d), sy = sx, sz = sx;
      const auto add_pairs = [&](std::size_t j, const auto& pairs) HWY_ATTR {
        const Product p = product(work, row, j, hn::Load(d, x + j), hn::Load(d, y + j),
                                  hn::Load(d, z + j), pairs);
        // 1/s³ = r³ (1 − δ)^{−3/2}, by its series.
        const V r = inverse_sine(p.square), r2 = hn::Mul(r, r);
        const V delta = hn::NegMulAdd(p.square, r2, one);
        const V exact = hn::MulAdd(delta, hn::MulAdd(delta, second, first), one);
        const V weight = hn::Mul(hn::Mul(r, r2), exact);
        // Newton's third law: x/s³ for i, −x/s³ for j.
        sx = hn::MulAdd(weight, p.x, sx);
        sy = hn::MulAdd(weight, p.y, sy);
        sz = hn::MulAdd(weight, p.z, sz);
        hn::Store(hn::NegMulAdd(weight, p.x, hn::Load(d, tx + j)), d, tx + j);
        hn::Store(hn::NegMulAdd(weight, p.y, hn::Load(d, ty + j)), d, ty + j);
        hn::Store(hn::NegMulAdd(weight, p.z, hn::Load(d, tz + j)), d, tz + j);
      };
      const std::size_t to = std::min(from + tile, i), whole = to - to % lanes;
      for (std::size_t j = from; j < whole; j += lanes) add_pairs(j, Whole{});
      if (whole < to) add_pairs(whole, Part{to - whole});
      // Sum over the lanes for row i.
      tx[i] += hn::GetLane(hn::SumOfLanes(d, sx));
      ty[i] += hn::GetLane(hn::SumOfLanes(d, sy));
      tz[i] += hn::GetLane(hn::SumOfLanes(d, sz));
    }
}

/// Σ c/s of the same pairs.
double stripe_potential(const Workspace& work, std::size_t begin, std::size_t end) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1), first = hn::Set(d, 1.0 / 2), second = hn::Set(d, 3.0 / 8);
  const double *x = work.unit[0].data(), *y = work.unit[1].data(), *z = work.unit[2].data();
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i % tile == 0 && is_set(work.stop)) break;
    const Body row = body(work, i);
    V row_sum = hn::Zero(d);
    const auto add_pairs = [&](std::size_t j, const auto& pairs) HWY_ATTR {
      const V xj = hn::Load(d, x + j), yj = hn::Load(d, y + j), zj = hn::Load(d, z + j);
      // c/s with 1/s = r (1 − δ)^{−1/2}
      const V cosine = hn::MulAdd(row.x, xj, hn::MulAdd(row.y, yj, hn::Mul(row.z, zj)));
      const V square = product(work, row, j, xj, yj, zj, pairs).square;
      const V r = inverse_sine(square), delta = hn::NegMulAdd(square, hn::Mul(r, r), one);
      const V exact = hn::MulAdd(delta, hn::MulAdd(delta, second, first), one);
      row_sum = hn::Add(row_sum, pairs(hn::Mul(cosine, hn::Mul(r, exact))));
    };
    const std::size_t whole = i - i % lanes;
    for (std::size_t j = 0; j < whole; j += lanes) add_pairs(j, Whole{});
    if (whole < i) add_pairs(whole, Part{i - whole});
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

HWY_EXPORT(stripe_torque);
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
  for (Workspace::Components* components : {&work.unit, &work.q})
    for (Aligned<double>& component : *components) component.resize(n);
  work.inverse.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 v = q.col(static_cast<Eigen::Index>(i));
    work.inverse[i] = 1 / v.norm();
    for (std::size_t k = 0; k < 3; ++k) {
      work.q[k][i] = v[static_cast<Eigen::Index>(k)];
      work.unit[k][i] = work.inverse[i] * work.q[k][i];
    }
  }
  work.stripes.resize(stripe_count(n));
  work.stop = stripe_count(n) > 1 ? Interruptible::flag() : nullptr;
  return n;
}

/// c, x = a × b without cancellation where the vectors are nearly parallel, and |x|².
struct PlainProduct {
  double c;
  Vec3 x;
  double square;
};
PlainProduct product(const Vec3& a, const Vec3& b) {
  const double c = a.dot(b);
  const Vec3 x = a.cross(b - std::copysign(1, c) * a);
  return {c, x, x.squaredNorm()};
}

/// g_i = T_i × q_i/|q_i|².
Vec3 from_torque(const Vec3& torque, const Vec3& q) { return torque.cross(q) / q.squaredNorm(); }

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
    for (Aligned<double>& component : stripe.torque) component.resize(stripe_begin(k + 1, n));
  }
  parallel_for(count, [&](std::size_t k) {
    HWY_DYNAMIC_DISPATCH(stripe_torque)
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
        sum += Vec3(stripe.torque[0][i], stripe.torque[1][i], stripe.torque[2][i]);
      }
      const auto column = static_cast<Eigen::Index>(i);
      g.col(column) = from_torque(-gamma * sum, q.col(column));
    }
    begin = end;
  }
}

double plain_potential(double gamma, const Columns& q) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const PlainProduct p = product(q.col(i), q.col(j));
      sum += p.c / std::sqrt(p.square);
    }
  return -gamma * sum;
}

void plain_gradient(double gamma, const Columns& q, Columns& g) {
  // Torques first.
  g.setZero();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const PlainProduct p = product(q.col(i), q.col(j));
      const double lengths = q.col(i).squaredNorm() * q.col(j).squaredNorm();
      const Vec3 torque = (-gamma * lengths / (p.square * std::sqrt(p.square))) * p.x;
      g.col(i) += torque;
      g.col(j) -= torque;
    }
  for (Eigen::Index i = 0; i < q.cols(); ++i) g.col(i) = from_torque(g.col(i), q.col(i));
}

}  // namespace twosphere::n_body_kernel
#endif  // HWY_ONCE
