// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/midpoint.h"

#include <algorithm>
#include <array>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/midpoint.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/compensated-inl.h"
#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::midpoint_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;
using twosphere::HWY_NAMESPACE::load_bodies;
using twosphere::HWY_NAMESPACE::store_bodies;

/// Bodies that do not fill a vector: a copy, filled up with the last of them.
template <int size>
struct Rest {
  static constexpr std::size_t most = 8;  // elements of a vector
  std::array<double, most * size> values{};

  Rest(const double* from, Eigen::Index count) {
    for (std::size_t i = 0; i < most; ++i) {
      const auto body = std::min(i, static_cast<std::size_t>(count) - 1);
      for (std::size_t k = 0; k < size; ++k) values[size * i + k] = from[size * body + k];
    }
  }
  const double* data() const { return values.data(); }
  double* data() { return values.data(); }
  void copy_to(double* to, Eigen::Index count) const {
    std::copy_n(values.begin(), size * count, to);
  }
};

HWY_INLINE void middle_of(const double* q, const double* next, double* m, double* length) {
  const D d;
  const Vector sum = add(load_bodies(d, q), load_bodies(d, next));
  const V s = hn::Sqrt(dot(sum, sum));
  store_bodies({hn::Div(sum.x, s), hn::Div(sum.y, s), hn::Div(sum.z, s)}, d, m);
  hn::StoreU(s, d, length);
}

/// The squares of the changes.
HWY_INLINE V sweep_of(V h, const double* along, const double* across, const double* q,
                      const double* m, const double* length, const double* g, double* turn,
                      double* next) {
  const D d;
  const V one = hn::Set(d, 1), three = hn::Set(d, 3), half = hn::Set(d, 0.5);
  const Vector qi = load_bodies(d, q), mi = load_bodies(d, m), gi = load_bodies(d, g),
               last = load_bodies(d, next);
  // Ω = (κ G + c G × m)/(κ² + c²)
  const Vector rate =
      add(scale(hn::LoadU(d, along), gi), scale(hn::LoadU(d, across), cross(gi, mi)));
  store_bodies(rate, d, turn);
  // a = (h/s) (Ω − m (m·Ω)), and its Cayley transform of q.
  const Vector a =
      scale(hn::Div(h, hn::LoadU(d, length)), subtract(rate, scale(dot(mi, rate), mi)));
  const Vector x = add(qi, cross(a, qi));
  const Vector sum = add(add(x, cross(a, x)), scale(dot(a, x), a));
  const V size = hn::Add(one, dot(a, a));
  const Vector turned{hn::Div(sum.x, size), hn::Div(sum.y, size), hn::Div(sum.z, size)};
  // |Q| = 1
  const Vector to = scale(hn::Mul(hn::Sub(three, dot(turned, turned)), half), turned);
  store_bodies(to, d, next);
  const Vector change = subtract(to, last);
  return dot(change, change);
}

HWY_INLINE void advance_of(V h, const double* kappa, const double* m, const double* g, double* q,
                           double* e) {
  const D d;
  const V strength = hn::LoadU(d, kappa);
  const Vector moment = cross(load_bodies(d, g), load_bodies(d, m));
  Vector qi = load_bodies(d, q), ei = load_bodies(d, e);
  add_compensated({hn::Mul(h, hn::Div(moment.x, strength)), hn::Mul(h, hn::Div(moment.y, strength)),
                   hn::Mul(h, hn::Div(moment.z, strength))},
                  qi, ei);
  add_compensated(length_correction(qi, ei), qi, ei);
  store_bodies(qi, d, q);
  store_bodies(ei, d, e);
}

void middle(Eigen::Index begin, Eigen::Index end, const Columns& q, const Columns& next, Columns& m,
            Eigen::VectorXd& length) {
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(D()));
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    middle_of(q.data() + 3 * i, next.data() + 3 * i, m.data() + 3 * i, length.data() + i);
  if (i == end) return;
  const Eigen::Index count = end - i;
  const Rest<3> qs(q.data() + 3 * i, count), nexts(next.data() + 3 * i, count);
  Rest<3> ms(m.data() + 3 * i, count);
  Rest<1> lengths(length.data() + i, count);
  middle_of(qs.data(), nexts.data(), ms.data(), lengths.data());
  ms.copy_to(m.data() + 3 * i, count);
  lengths.copy_to(length.data() + i, count);
}

void advance(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& kappa,
             const Columns& m, const Columns& g, Columns& q, Columns& e) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d));
  const V step = hn::Set(d, h);
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    advance_of(step, kappa.data() + i, m.data() + 3 * i, g.data() + 3 * i, q.data() + 3 * i,
               e.data() + 3 * i);
  if (i == end) return;
  const Eigen::Index count = end - i;
  const Rest<1> kappas(kappa.data() + i, count);
  const Rest<3> ms(m.data() + 3 * i, count), gs(g.data() + 3 * i, count);
  Rest<3> qs(q.data() + 3 * i, count), es(e.data() + 3 * i, count);
  advance_of(step, kappas.data(), ms.data(), gs.data(), qs.data(), es.data());
  qs.copy_to(q.data() + 3 * i, count);
  es.copy_to(e.data() + 3 * i, count);
}

/// The largest square of a change; NaN if one is not finite.
double sweep(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& along,
             const Eigen::VectorXd& across, const Columns& q, const Columns& m,
             const Eigen::VectorXd& length, const Columns& g, Columns& turn, Columns& next) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d));
  const V step = hn::Set(d, h);
  V largest = hn::Zero(d), finite = hn::Zero(d);  // 0 as long as all changes are finite
  const auto take = [&](V square) {
    largest = hn::Max(largest, square);
    finite = hn::Add(finite, hn::Mul(square, hn::Zero(d)));
  };
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    take(sweep_of(step, along.data() + i, across.data() + i, q.data() + 3 * i, m.data() + 3 * i,
                  length.data() + i, g.data() + 3 * i, turn.data() + 3 * i, next.data() + 3 * i));
  if (i < end) {
    const Eigen::Index count = end - i;
    const Rest<1> alongs(along.data() + i, count), acrosses(across.data() + i, count),
        lengths(length.data() + i, count);
    const Rest<3> qs(q.data() + 3 * i, count), ms(m.data() + 3 * i, count),
        gs(g.data() + 3 * i, count);
    Rest<3> turns(turn.data() + 3 * i, count), nexts(next.data() + 3 * i, count);
    take(sweep_of(step, alongs.data(), acrosses.data(), qs.data(), ms.data(), lengths.data(),
                  gs.data(), turns.data(), nexts.data()));
    turns.copy_to(turn.data() + 3 * i, count);
    nexts.copy_to(next.data() + 3 * i, count);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest)) + hn::GetLane(hn::SumOfLanes(d, finite));
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::midpoint_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <atomic>
#include <cmath>

#include "core/base/thread_pool.h"

namespace twosphere::midpoint_kernel {

HWY_EXPORT(middle);
HWY_EXPORT(sweep);
HWY_EXPORT(advance);

/// Bodies that one thread takes at a time.
constexpr Eigen::Index share_of_sweep = 2048;

void middle(const Columns& q, const Columns& next, Columns& m, Eigen::VectorXd& length) {
  parallel_ranges(q.cols(), share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    HWY_DYNAMIC_DISPATCH(middle)(begin, end, q, next, m, length);
  });
}

double sweep(double h, const Eigen::VectorXd& along, const Eigen::VectorXd& across,
             const Columns& q, const Columns& m, const Eigen::VectorXd& length, const Columns& g,
             Columns& turn, Columns& next) {
  std::atomic<double> largest{0};
  parallel_ranges(q.cols(), share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    const double part =
        HWY_DYNAMIC_DISPATCH(sweep)(begin, end, h, along, across, q, m, length, g, turn, next);
    double known = largest;
    // NaN stays.
    while (!(part <= known) && !std::isnan(known) && !largest.compare_exchange_weak(known, part)) {
    }
  });
  return std::sqrt(largest.load());
}

void advance(double h, const Eigen::VectorXd& kappa, const Columns& m, const Columns& g, Columns& q,
             Columns& e) {
  parallel_ranges(q.cols(), share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    HWY_DYNAMIC_DISPATCH(advance)(begin, end, h, kappa, m, g, q, e);
  });
}

}  // namespace twosphere::midpoint_kernel
#endif  // HWY_ONCE
