// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/uncoupled.h"

#include <cmath>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/uncoupled.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::uncoupled_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;
using twosphere::HWY_NAMESPACE::load_bodies;
using twosphere::HWY_NAMESPACE::store_bodies;

/// Processes the bodies [begin, end) in whole vectors; returns the first body whose step fails, or
/// the first one left over.
Eigen::Index drift(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& m,
                   const Columns& q, const Columns& w, const Torques& torque, Columns& next) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d)), whole = end - (end - begin) % lanes;
  const V one = hn::Set(d, 1), two = hn::Set(d, 2), step = hn::Set(d, h),
          square = hn::Set(d, h * h);
  const double *tx = torque.data(), *ty = tx + torque.rows(), *tz = ty + torque.rows();
  for (Eigen::Index i = begin; i < whole; i += lanes) {
    const Vector qi = load_bodies(d, q.data() + 3 * i), wi = load_bodies(d, w.data() + 3 * i);
    const Vector t{hn::LoadU(d, tx + i), hn::LoadU(d, ty + i), hn::LoadU(d, tz + i)};
    const V m2 = hn::Mul(two, hn::LoadU(d, m.data() + i));
    // a = h ω − (h²/2m) τ
    const Vector a = subtract(scale(step, wi), scale(hn::Div(square, m2), t));
    // Radicand 1/(q·q) − a·a; the step fails unless it is positive.
    const V under = hn::Sub(hn::Div(one, dot(qi, qi)), dot(a, a));
    const auto failed = hn::FindFirstTrue(d, hn::Not(hn::Gt(under, hn::Zero(d))));
    if (HWY_UNLIKELY(failed >= 0)) return i + static_cast<Eigen::Index>(failed);
    // q_{k+1} = a × q + √(…) q
    store_bodies(add(cross(a, qi), scale(hn::Sqrt(under), qi)), d, next.data() + 3 * i);
  }
  return whole;
}

Eigen::Index kick(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& m,
                  const Columns& q, const Columns& g, const Columns& w, const Torques& torque,
                  Torques& torque_next, Columns& w_next) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d)), whole = end - (end - begin) % lanes;
  const V zero = hn::Zero(d), two = hn::Set(d, 2), step = hn::Set(d, h);
  const double *tx = torque.data(), *ty = tx + torque.rows(), *tz = ty + torque.rows();
  double *ox = torque_next.data(), *oy = ox + torque_next.rows(), *oz = oy + torque_next.rows();
  for (Eigen::Index i = begin; i < whole; i += lanes) {
    // τ_{k+1} = q_{k+1} × G_{k+1}
    const Vector qi = load_bodies(d, q.data() + 3 * i),
                 t = cross(qi, load_bodies(d, g.data() + 3 * i));
    const Vector before{hn::LoadU(d, tx + i), hn::LoadU(d, ty + i), hn::LoadU(d, tz + i)};
    const V m2 = hn::Mul(two, hn::LoadU(d, m.data() + i));
    // ω − (h/2m) (τ_k + τ_{k+1}), then its component along q removed.
    const Vector kicked =
        subtract(load_bodies(d, w.data() + 3 * i), scale(hn::Div(step, m2), add(before, t)));
    const Vector next = subtract(kicked, scale(hn::Div(dot(qi, kicked), dot(qi, qi)), qi));
    hn::StoreU(t.x, d, ox + i);
    hn::StoreU(t.y, d, oy + i);
    hn::StoreU(t.z, d, oz + i);
    store_bodies(next, d, w_next.data() + 3 * i);
    // 0·v is 0 unless v is infinite or NaN.
    const auto failed = hn::FindFirstTrue(d, hn::Not(hn::Eq(dot({zero, zero, zero}, next), zero)));
    if (HWY_UNLIKELY(failed >= 0)) return i + static_cast<Eigen::Index>(failed);
  }
  return whole;
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::uncoupled_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <atomic>

#include "core/base/thread_pool.h"

namespace twosphere::uncoupled_kernel {

HWY_EXPORT(drift);
HWY_EXPORT(kick);

namespace {

/// As drift() and kick(), for the bodies [begin, end), with scalar arithmetic.
Eigen::Index drift_from(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& m,
                        const Columns& q, const Columns& w, const Torques& torque, Columns& next) {
  for (Eigen::Index i = begin; i < end; ++i) {
    const double x = q(0, i), y = q(1, i), z = q(2, i), k = h * h / (2 * m[i]);
    const double ax = h * w(0, i) - k * torque(i, 0), ay = h * w(1, i) - k * torque(i, 1),
                 az = h * w(2, i) - k * torque(i, 2);
    // Radicand 1/(q·q) − a·a.
    const double square = 1 / (x * x + y * y + z * z) - (ax * ax + ay * ay + az * az);
    if (!(square > 0)) return i;
    // q_{k+1} = a × q + √(…) q
    const double root = std::sqrt(square);
    next(0, i) = (ay * z - az * y) + root * x;
    next(1, i) = (az * x - ax * z) + root * y;
    next(2, i) = (ax * y - ay * x) + root * z;
  }
  return end;
}

Eigen::Index kick_from(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& m,
                       const Columns& q, const Columns& g, const Columns& w, const Torques& torque,
                       Torques& torque_next, Columns& w_next) {
  for (Eigen::Index i = begin; i < end; ++i) {
    const double x = q(0, i), y = q(1, i), z = q(2, i), k = h / (2 * m[i]);
    // τ_{k+1} = q_{k+1} × G_{k+1}
    const double tx = y * g(2, i) - z * g(1, i), ty = z * g(0, i) - x * g(2, i),
                 tz = x * g(1, i) - y * g(0, i);
    // ω − (h/2m) (τ_k + τ_{k+1}), then its component along q removed.
    const double wx = w(0, i) - k * (torque(i, 0) + tx), wy = w(1, i) - k * (torque(i, 1) + ty),
                 wz = w(2, i) - k * (torque(i, 2) + tz);
    const double along = (x * wx + y * wy + z * wz) / (x * x + y * y + z * z);
    torque_next(i, 0) = tx;
    torque_next(i, 1) = ty;
    torque_next(i, 2) = tz;
    w_next(0, i) = wx - along * x;
    w_next(1, i) = wy - along * y;
    w_next(2, i) = wz - along * z;
    if (0 * w_next(0, i) + 0 * w_next(1, i) + 0 * w_next(2, i) != 0) return i;
  }
  return end;
}

/// Processes the bodies in chunks, shared by the threads; returns the first body whose step fails,
/// or n. `chunk` returns its first failed body or its end.
template <class Chunk>
Eigen::Index for_chunks(Eigen::Index n, const Chunk& chunk) {
  std::atomic<Eigen::Index> first{n};
  parallel_ranges(n, 2048, [&](Eigen::Index begin, Eigen::Index end) {
    const Eigen::Index failed = chunk(begin, end);
    if (failed == end) return;
    Eigen::Index known = first;
    // Smallest index over all chunks.
    while (failed < known && !first.compare_exchange_weak(known, failed)) {
    }
  });
  return first;
}

}  // namespace

void torque(const Columns& q, const Columns& g, Torques& out) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) out.row(i) = q.col(i).cross(g.col(i)).transpose();
}

Eigen::Index drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                   const Torques& torque, Columns& next) {
  return for_chunks(q.cols(), [&](Eigen::Index begin, Eigen::Index end) {
    const auto taken = HWY_DYNAMIC_DISPATCH(drift)(begin, end, h, m, q, w, torque, next);
    return drift_from(taken, end, h, m, q, w, torque, next);
  });
}

Eigen::Index kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                  const Columns& w, const Torques& torque, Torques& torque_next, Columns& w_next) {
  return for_chunks(q.cols(), [&](Eigen::Index begin, Eigen::Index end) {
    const auto taken =
        HWY_DYNAMIC_DISPATCH(kick)(begin, end, h, m, q, g, w, torque, torque_next, w_next);
    return kick_from(taken, end, h, m, q, g, w, torque, torque_next, w_next);
  });
}

double drift_square(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                    const Torques& torque, Eigen::Index i) {
  const Vec3 a = h * w.col(i) - (h * h / (2 * m[i])) * torque.row(i).transpose();
  return 1 / q.col(i).squaredNorm() - a.squaredNorm();
}

Eigen::Index plain_drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                         const Torques& torque, Columns& next) {
  return drift_from(0, q.cols(), h, m, q, w, torque, next);
}

Eigen::Index plain_kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                        const Columns& w, const Torques& torque, Torques& torque_next,
                        Columns& w_next) {
  return kick_from(0, q.cols(), h, m, q, g, w, torque, torque_next, w_next);
}

}  // namespace twosphere::uncoupled_kernel
#endif  // HWY_ONCE
