// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/midpoint.h"

#include <algorithm>
#include <array>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/midpoint.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/midpoint-inl.h"
#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::midpoint_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;
using Changes = twosphere::HWY_NAMESPACE::Changes<V>;
using twosphere::HWY_NAMESPACE::largest_square;
using twosphere::HWY_NAMESPACE::load_bodies;
using twosphere::HWY_NAMESPACE::middle_of;
using twosphere::HWY_NAMESPACE::no_changes;
using twosphere::HWY_NAMESPACE::store_bodies;
using twosphere::HWY_NAMESPACE::take_change;
using twosphere::HWY_NAMESPACE::turn_of;
using twosphere::HWY_NAMESPACE::turned;

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

HWY_INLINE void store_middle(const double* q, const double* next, double* m, double* length) {
  const D d;
  const auto found = middle_of(load_bodies(d, q), load_bodies(d, next));
  store_bodies(found.m, d, m);
  hn::StoreU(found.length, d, length);
}

HWY_INLINE Vector store_turn(const double* along, const double* across, const Vector& m,
                             const double* g, double* turn) {
  const D d;
  const Vector rate = turn_of(hn::LoadU(d, along), hn::LoadU(d, across), m, load_bodies(d, g));
  store_bodies(rate, d, turn);
  return rate;
}

HWY_INLINE void sweep_of(V h, const double* along, const double* across, const double* q,
                         const double* m, const double* length, const double* g, double* turn,
                         double* next, Changes& changes) {
  const D d;
  const Vector mi = load_bodies(d, m), last = load_bodies(d, next);
  const Vector rate = store_turn(along, across, mi, g, turn);
  const Vector to = turned(d, h, load_bodies(d, q), {mi, hn::LoadU(d, length)}, rate);
  store_bodies(to, d, next);
  take_change(d, to, last, changes);
}

void middle(Eigen::Index begin, Eigen::Index end, const Columns& q, const Columns& next, Columns& m,
            Eigen::VectorXd& length) {
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(D()));
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    store_middle(q.data() + 3 * i, next.data() + 3 * i, m.data() + 3 * i, length.data() + i);
  if (i == end) return;
  const Eigen::Index count = end - i;
  const Rest<3> qs(q.data() + 3 * i, count), nexts(next.data() + 3 * i, count);
  Rest<3> ms(m.data() + 3 * i, count);
  Rest<1> lengths(length.data() + i, count);
  store_middle(qs.data(), nexts.data(), ms.data(), lengths.data());
  ms.copy_to(m.data() + 3 * i, count);
  lengths.copy_to(length.data() + i, count);
}

void turns(Eigen::Index begin, Eigen::Index end, const Eigen::VectorXd& along,
           const Eigen::VectorXd& across, const Columns& m, const Columns& g, Columns& turn) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d));
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    store_turn(along.data() + i, across.data() + i, load_bodies(d, m.data() + 3 * i),
               g.data() + 3 * i, turn.data() + 3 * i);
  if (i == end) return;
  const Eigen::Index count = end - i;
  const Rest<1> alongs(along.data() + i, count), acrosses(across.data() + i, count);
  const Rest<3> ms(m.data() + 3 * i, count), gs(g.data() + 3 * i, count);
  Rest<3> turned_by(turn.data() + 3 * i, count);
  store_turn(alongs.data(), acrosses.data(), load_bodies(d, ms.data()), gs.data(),
             turned_by.data());
  turned_by.copy_to(turn.data() + 3 * i, count);
}

/// The largest square of a change; NaN if one is not finite.
double sweep(Eigen::Index begin, Eigen::Index end, double h, const Eigen::VectorXd& along,
             const Eigen::VectorXd& across, const Columns& q, const Columns& m,
             const Eigen::VectorXd& length, const Columns& g, Columns& turn, Columns& next) {
  const D d;
  const auto lanes = static_cast<Eigen::Index>(hn::Lanes(d));
  const V step = hn::Set(d, h);
  Changes changes = no_changes(d);
  Eigen::Index i = begin;
  for (; i + lanes <= end; i += lanes)
    sweep_of(step, along.data() + i, across.data() + i, q.data() + 3 * i, m.data() + 3 * i,
             length.data() + i, g.data() + 3 * i, turn.data() + 3 * i, next.data() + 3 * i,
             changes);
  if (i < end) {
    const Eigen::Index count = end - i;
    const Rest<1> alongs(along.data() + i, count), acrosses(across.data() + i, count),
        lengths(length.data() + i, count);
    const Rest<3> qs(q.data() + 3 * i, count), ms(m.data() + 3 * i, count),
        gs(g.data() + 3 * i, count);
    Rest<3> turns(turn.data() + 3 * i, count), nexts(next.data() + 3 * i, count);
    sweep_of(step, alongs.data(), acrosses.data(), qs.data(), ms.data(), lengths.data(), gs.data(),
             turns.data(), nexts.data(), changes);
    turns.copy_to(turn.data() + 3 * i, count);
    nexts.copy_to(next.data() + 3 * i, count);
  }
  return largest_square(d, changes);
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::midpoint_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace twosphere::midpoint_kernel {

HWY_EXPORT(middle);
HWY_EXPORT(turns);
HWY_EXPORT(sweep);

void middle(const Columns& q, const Columns& next, Columns& m, Eigen::VectorXd& length) {
  parallel_ranges(q.cols(), share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    HWY_DYNAMIC_DISPATCH(middle)(begin, end, q, next, m, length);
  });
}

void turns(const Eigen::VectorXd& along, const Eigen::VectorXd& across, const Columns& m,
           const Columns& g, Columns& turn) {
  parallel_ranges(m.cols(), share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    HWY_DYNAMIC_DISPATCH(turns)(begin, end, along, across, m, g, turn);
  });
}

double sweep(double h, const Eigen::VectorXd& along, const Eigen::VectorXd& across,
             const Columns& q, const Columns& m, const Eigen::VectorXd& length, const Columns& g,
             Columns& turn, Columns& next) {
  return largest_change(q.cols(), [&](Eigen::Index begin, Eigen::Index end) {
    return HWY_DYNAMIC_DISPATCH(sweep)(begin, end, h, along, across, q, m, length, g, turn, next);
  });
}

}  // namespace twosphere::midpoint_kernel
#endif  // HWY_ONCE
