// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/n_body_hessian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/interrupt.h"
#include "core/kernels/n_body.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/n_body_hessian.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::n_body_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The sums of the bodies i in [begin, end); vector lanes are bodies i, the loop runs over all j.
template <bool on_sphere>
void rows_of(HessianWorkspace& work, std::size_t n, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V one = hn::Set(d, 1), three = hn::Set(d, 3), zero = hn::Zero(d), half = hn::Set(d, 0.5);
  const V least = hn::Set(d, on_sphere ? close : 0);
  for (std::size_t i = begin; i < end && !is_set(work.stop); i += lanes) {
    const V x = hn::Load(d, work.x.data() + i), y = hn::Load(d, work.y.data() + i),
            z = hn::Load(d, work.z.data() + i), vx = hn::Load(d, work.vx.data() + i),
            vy = hn::Load(d, work.vy.data() + i), vz = hn::Load(d, work.vz.data() + i);
    V hx = zero, hy = zero, hz = zero;
    // |q_i|² − 1 and q_i·v_i
    const V excess = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulSub(z, z, one)));
    const V radial = hn::MulAdd(x, vx, hn::MulAdd(y, vy, hn::Mul(z, vz)));
    const V index = hn::Iota(d, static_cast<double>(i));
    for (std::size_t j = 0; j < n; ++j) {
      V qx = hn::Set(d, work.x[j]), qy = hn::Set(d, work.y[j]), qz = hn::Set(d, work.z[j]);
      V ux = hn::Set(d, work.vx[j]), uy = hn::Set(d, work.vy[j]), uz = hn::Set(d, work.vz[j]);
      // c and d = q_j − σ q_i, σ its sign.
      const V c = hn::MulAdd(x, qx, hn::MulAdd(y, qy, hn::Mul(z, qz)));
      const V sign = hn::CopySign(one, c);
      const V dx = hn::NegMulAdd(sign, x, qx), dy = hn::NegMulAdd(sign, y, qy),
              dz = hn::NegMulAdd(sign, z, qz);
      // s² = |q_i × d|², off the sphere (1 − |c|) (1 + |c|), 1 − |c| = ½ (|d|² − N_i − N_j).
      V sine;
      if constexpr (on_sphere) {
        const V nx = hn::MulSub(y, dz, hn::Mul(z, dy)), ny = hn::MulSub(z, dx, hn::Mul(x, dz)),
                nz = hn::MulSub(x, dy, hn::Mul(y, dx));
        sine = hn::MulAdd(nx, nx, hn::MulAdd(ny, ny, hn::Mul(nz, nz)));
      } else {
        const V other = hn::MulAdd(qx, qx, hn::MulAdd(qy, qy, hn::MulSub(qz, qz, one)));
        const V apart = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
        sine = hn::Mul(hn::Mul(half, hn::Sub(apart, hn::Add(excess, other))),
                       hn::Add(one, hn::Abs(c)));
      }
      // A body has no pair with itself.
      const auto itself = hn::Eq(index, hn::Set(d, static_cast<double>(j)));
      const V square = hn::IfThenElse(itself, one, sine);
      // −σ δc = d·e, e = v_j − σ v_i, less q_i·v_i + q_j·v_j off the sphere.
      const V ex = hn::NegMulAdd(sign, vx, ux), ey = hn::NegMulAdd(sign, vy, uy),
              ez = hn::NegMulAdd(sign, vz, uz);
      V change = hn::MulAdd(dx, ex, hn::MulAdd(dy, ey, hn::Mul(dz, ez)));
      if constexpr (!on_sphere)
        change = hn::Sub(change,
                         hn::Add(radial, hn::MulAdd(qx, ux, hn::MulAdd(qy, uy, hn::Mul(qz, uz)))));
      // 1/s³ and 3 c δc/s⁵
      const V inverse = hn::Div(one, square);
      const V weight = hn::IfThenZeroElse(itself, hn::Mul(inverse, hn::Sqrt(inverse)));
      const V along =
          hn::Neg(hn::Mul(hn::Mul(three, hn::Abs(c)), hn::Mul(change, hn::Mul(weight, inverse))));
      const auto near = hn::Lt(square, least);
      if (on_sphere && HWY_UNLIKELY(!hn::AllFalse(d, near))) {
        // Close pairs: d + κ q_i and e + κ v_i − δc q_i in place of q_j and v_j.
        const V length = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
        const V kappa = hn::Mul(sign, hn::Mul(half, length)), less = hn::Mul(sign, change);
        qx = hn::IfThenElse(near, hn::MulAdd(kappa, x, dx), qx);
        qy = hn::IfThenElse(near, hn::MulAdd(kappa, y, dy), qy);
        qz = hn::IfThenElse(near, hn::MulAdd(kappa, z, dz), qz);
        ux = hn::IfThenElse(near, hn::MulAdd(kappa, vx, hn::MulAdd(less, x, ex)), ux);
        uy = hn::IfThenElse(near, hn::MulAdd(kappa, vy, hn::MulAdd(less, y, ey)), uy);
        uz = hn::IfThenElse(near, hn::MulAdd(kappa, vz, hn::MulAdd(less, z, ez)), uz);
      }
      hx = hn::MulAdd(weight, ux, hn::MulAdd(along, qx, hx));
      hy = hn::MulAdd(weight, uy, hn::MulAdd(along, qy, hy));
      hz = hn::MulAdd(weight, uz, hn::MulAdd(along, qz, hz));
    }
    hn::Store(hx, d, work.hx.data() + i);
    hn::Store(hy, d, work.hy.data() + i);
    hn::Store(hz, d, work.hz.data() + i);
  }
}

void hessian_rows(HessianWorkspace& work, std::size_t n, std::size_t begin, std::size_t end) {
  if (work.on_sphere)
    rows_of<true>(work, n, begin, end);
  else
    rows_of<false>(work, n, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::n_body_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/base/thread_pool.h"

namespace twosphere::n_body_kernel {

HWY_EXPORT(hessian_rows);

void hessian_times(double gamma, const Columns& q, const Columns& v, Columns& h,
                   Pool<HessianWorkspace>& pool) {
  if (q.cols() < min_vectors) return plain_hessian_times(gamma, q, v, h);
  constexpr std::size_t block = 64;
  const auto lease = pool.take();
  HessianWorkspace& work = *lease;
  const auto n = static_cast<std::size_t>(q.cols()), blocks = (n + block - 1) / block;
  for (Aligned<double>* component :
       {&work.x, &work.y, &work.z, &work.vx, &work.vy, &work.vz, &work.hx, &work.hy, &work.hz})
    component->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    // Components of q and v in separate arrays.
    const auto column = static_cast<Eigen::Index>(i);
    work.x[i] = q(0, column);
    work.y[i] = q(1, column);
    work.z[i] = q(2, column);
    work.vx[i] = v(0, column);
    work.vy[i] = v(1, column);
    work.vz[i] = v(2, column);
  }
  const auto rows = [&](std::size_t k) {
    HWY_DYNAMIC_DISPATCH(hessian_rows)(work, n, k * block, std::min(n, (k + 1) * block));
  };
  work.on_sphere = on_sphere(q);
  // Many bodies in parallel, and only these are interrupted.
  const bool many = n >= 1024;
  work.stop = many ? Interruptible::flag() : nullptr;
  if (many) {
    parallel_for(blocks, rows);
  } else {
    for (std::size_t k = 0; k < blocks; ++k) rows(k);
  }
  const double scale = is_set(work.stop) ? std::numeric_limits<double>::quiet_NaN() : -gamma;
  for (std::size_t i = 0; i < n; ++i)
    h.col(static_cast<Eigen::Index>(i)) = scale * Vec3(work.hx[i], work.hy[i], work.hz[i]);
}

void plain_hessian_times(double gamma, const Columns& q, const Columns& v, Columns& h) {
  const bool unit = on_sphere(q);
  h.setZero();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const Vec3 qi = q.col(i), qj = q.col(j), vi = v.col(i), vj = v.col(j);
      const double c = qi.dot(qj), sign = std::copysign(1.0, c);
      const Vec3 d = qj - sign * qi, e = vj - sign * vi;
      double square = qi.cross(d).squaredNorm(), change = -sign * d.dot(e);
      if (!unit) {
        square = printed_sine_squared(qi, qj, c);
        change += sign * (qi.dot(vi) + qj.dot(vj));
      }
      // v_j/s³ + 3 c δc q_j/s⁵ on i, and the same with i and j exchanged on j.
      const double weight = -gamma / (square * std::sqrt(square));
      const double along = 3 * c * change * weight / square;
      if (unit && square < close) {
        // d + κ q_i and e + κ v_i − δc q_i in place of q_j and v_j, and −σ d and −σ e for j.
        const double kappa = sign * d.squaredNorm() / 2;
        h.col(i) += weight * (e + kappa * vi - change * qi) + along * (d + kappa * qi);
        h.col(j) +=
            weight * (-sign * e + kappa * vj - change * qj) + along * (-sign * d + kappa * qj);
      } else {
        h.col(i) += weight * vj + along * qj;
        h.col(j) += weight * vi + along * qi;
      }
    }
}

}  // namespace twosphere::n_body_kernel
#endif  // HWY_ONCE
