// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones_near.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lennard_jones_near.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/lennard_jones-inl.h"
#include "core/kernels/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::lennard_jones_near {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace kernel = lennard_jones_kernel::HWY_NAMESPACE;

/// A group of molecules i in the elements of vectors.
constexpr std::size_t group = NeighbourLists::group;
using D = hn::CappedTag<double, group>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());
constexpr std::size_t vectors = group / lanes;
using Constants = kernel::Constants<V>;

using Group = twosphere::HWY_NAMESPACE::Vector3<V>;

/// The vectors of the slots from `slot` on, and the fourth numbers there.
HWY_INLINE Group load(const double* by_slot, std::size_t slot, V& fourth) {
  Group out;
  hn::LoadInterleaved4(D(), by_slot + 4 * slot, out.x, out.y, out.z, fourth);
  return out;
}
HWY_INLINE Group load(const double* by_slot, std::size_t slot) {
  V unused;
  return load(by_slot, slot, unused);
}
HWY_INLINE void store(const Group& v, V fourth, double* by_slot, std::size_t slot) {
  hn::StoreInterleaved4(v.x, v.y, v.z, fourth, D(), by_slot + 4 * slot);
}
HWY_INLINE Group none() { return {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())}; }

/// Writes the sums of the molecules in the slots from `slot` on to their columns.
HWY_INLINE void scatter(const NeighbourLists& lists, std::size_t slot, const Group& sums,
                        double* out) {
  const D d;
  HWY_ALIGN double rows[3][lanes];
  hn::Store(sums.x, d, rows[0]);
  hn::Store(sums.y, d, rows[1]);
  hn::Store(sums.z, d, rows[2]);
  for (std::size_t k = 0; k < lanes; ++k) {
    const std::int32_t i = lists.point(slot + k);
    if (i < 0) continue;
    double* const column = out + 3 * static_cast<std::size_t>(i);
    for (std::size_t axis = 0; axis < 3; ++axis) column[axis] = rows[axis][k];
  }
}

/// Δ and r² of a molecule j, at 4 times its slot.
struct Apart {
  V x, y, z, r2;
};
HWY_INLINE Apart apart(const Group& at, const double* positions, std::size_t j, V softening) {
  const D d;
  const V x = hn::Sub(at.x, hn::Set(d, positions[j])),
          y = hn::Sub(at.y, hn::Set(d, positions[j + 1])),
          z = hn::Sub(at.z, hn::Set(d, positions[j + 2]));
  return {x, y, z, hn::MulAdd(z, z, hn::MulAdd(y, y, hn::MulAdd(x, x, softening)))};
}

/// The sums of the forces on the molecules of group k at these positions, in units of 3D/u.
HWY_INLINE void add_forces(const Constants& c, V softening, const NeighbourLists& lists,
                           std::size_t k, const Group (&at)[vectors], Group (&sum)[vectors]) {
  const double* const positions = lists.positions();
  const NeighbourLists::List list = lists.neighbours(k);
  for (const std::uint32_t* j = list.begin; j != list.end; ++j)
    for (std::size_t v = 0; v < vectors; ++v) {
      const Apart to = apart(at[v], positions, *j, softening);
      const V w = hn::IfThenZeroElse(hn::Ge(to.r2, c.reach), kernel::weight(c, to.r2));
      sum[v] = {hn::MulAdd(w, to.x, sum[v].x), hn::MulAdd(w, to.y, sum[v].y),
                hn::MulAdd(w, to.z, sum[v].z)};
    }
}

/// Computes g for the groups [begin, end).
void force_groups(const Law& law, double min_square, const NeighbourLists& lists, std::size_t begin,
                  std::size_t end, double* g) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, min_square), unit = hn::Set(d, law.force_unit());
  for (std::size_t k = begin; k < end; ++k) {
    Group at[vectors], sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      at[v] = load(lists.positions(), k * group + v * lanes);
      sum[v] = none();
    }
    add_forces(c, softening, lists, k, at, sum);
    for (std::size_t v = 0; v < vectors; ++v)
      scatter(lists, k * group + v * lanes, scale(unit, sum[v]), g);
  }
}

/// Takes the molecules of the groups [begin, end) from the positions, where they have the ω and τ
/// of a step before, to the end of that step, and on to the next positions: the kick and the drift
/// of uncoupled_kernel, with their operations. Without `kick` only the drift, without `drift` only
/// the kick.
template <bool kick, bool drift>
HWY_INLINE PassReport pass_groups(const Law& law, double min_square, double h,
                                  NeighbourLists& lists, const Moving& moving, std::size_t begin,
                                  std::size_t end) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, min_square), unit = hn::Set(d, law.force_unit());
  const V zero = hn::Zero(d), one = hn::Set(d, 1), two = hn::Set(d, 2), step = hn::Set(d, h),
          square = hn::Set(d, h * h), way = hn::Set(d, lists.way_squared());
  auto finite = hn::Eq(zero, zero), turned = hn::Not(finite), far = turned;
  for (std::size_t k = begin; k < end; ++k) {
    Group at[vectors], sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      at[v] = load(lists.positions(), k * group + v * lanes);
      sum[v] = none();
    }
    if constexpr (kick) add_forces(c, softening, lists, k, at, sum);
    for (std::size_t v = 0; v < vectors; ++v) {
      const std::size_t slot = k * group + v * lanes;
      V m, there;
      Group w = load(moving.w, slot, m), t = load(moving.torque, slot, there);
      const V m2 = hn::Mul(two, m);
      const auto empty = hn::Eq(there, zero);
      if constexpr (kick) {
        // τ_{k+1} = q_{k+1} × G_{k+1}
        const Group before = t;
        t = cross(at[v], scale(unit, sum[v]));
        // ω − (h/2m) (τ_k + τ_{k+1}), then its component along q removed.
        const Group kicked = subtract(w, scale(hn::Div(step, m2), add(before, t)));
        w = subtract(kicked, scale(hn::Div(dot(at[v], kicked), dot(at[v], at[v])), at[v]));
        store(w, m, moving.w, slot);
        store(t, there, moving.torque, slot);
        // 0·v is 0 unless v is infinite or NaN.
        finite = hn::And(finite, hn::Or(empty, hn::Eq(dot(none(), w), zero)));
      }
      if constexpr (drift) {
        // a = h ω − (h²/2m) τ
        const Group a = subtract(scale(step, w), scale(hn::Div(square, m2), t));
        // Radicand 1/(q·q) − a·a; the step fails unless it is positive.
        const V under = hn::Sub(hn::Div(one, dot(at[v], at[v])), dot(a, a));
        turned = hn::Or(turned, hn::Not(hn::Or(empty, hn::Gt(under, zero))));
        // q_{k+1} = a × q + √(…) q
        Group next = add(cross(a, at[v]), scale(hn::Sqrt(under), at[v]));
        next = {hn::IfThenElse(empty, at[v].x, next.x), hn::IfThenElse(empty, at[v].y, next.y),
                hn::IfThenElse(empty, at[v].z, next.z)};
        store(next, zero, lists.next_positions(), slot);
        const Group moved = subtract(next, load(lists.origins(), slot));
        far = hn::Or(far, hn::Not(hn::Lt(dot(moved, moved), way)));
      }
    }
  }
  return {hn::AllTrue(d, finite), !hn::AllFalse(d, turned), !hn::AllFalse(d, far)};
}

PassReport drift_groups(const Law& law, double min_square, double h, NeighbourLists& lists,
                        const Moving& moving, std::size_t begin, std::size_t end) {
  return pass_groups<false, true>(law, min_square, h, lists, moving, begin, end);
}
PassReport kick_drift_groups(const Law& law, double min_square, double h, NeighbourLists& lists,
                             const Moving& moving, std::size_t begin, std::size_t end) {
  return pass_groups<true, true>(law, min_square, h, lists, moving, begin, end);
}
PassReport kick_groups(const Law& law, double min_square, double h, NeighbourLists& lists,
                       const Moving& moving, std::size_t begin, std::size_t end) {
  return pass_groups<true, false>(law, min_square, h, lists, moving, begin, end);
}

/// Computes Σ_{j≠i} [u(r) − u(r_c)]/D for each molecule i of the groups [begin, end).
void energy_groups(const Law& law, double min_square, const NeighbourLists& lists,
                   std::size_t begin, std::size_t end, double* energies) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, min_square);
  const double* const positions = lists.positions();
  for (std::size_t k = begin; k < end; ++k) {
    const NeighbourLists::List list = lists.neighbours(k);
    for (std::size_t slot = k * group; slot < (k + 1) * group; slot += lanes) {
      const Group at = load(positions, slot);
      V sum = hn::Zero(d);
      for (const std::uint32_t* j = list.begin; j != list.end; ++j) {
        const V r2 = apart(at, positions, *j, softening).r2;
        // Not those beyond r_c and not the molecule itself.
        const auto itself =
            hn::Eq(hn::Iota(d, static_cast<double>(slot)), hn::Set(d, static_cast<double>(*j / 4)));
        const auto ignored = hn::Or(hn::Ge(r2, c.reach), itself);
        sum = hn::Add(sum, hn::IfThenZeroElse(ignored, kernel::energy(c, r2)));
      }
      HWY_ALIGN double all[lanes];
      hn::Store(sum, d, all);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (const std::int32_t i = lists.point(slot + lane); i >= 0) energies[i] = all[lane];
    }
  }
}

/// Computes h for the groups [begin, end), with the velocities by slot.
void hessian_groups(const Law& law, double min_square, const NeighbourLists& lists,
                    const double* velocities, std::size_t begin, std::size_t end, double* h) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, min_square), unit = hn::Set(d, law.force_unit());
  const double* const positions = lists.positions();
  for (std::size_t k = begin; k < end; ++k) {
    const NeighbourLists::List list = lists.neighbours(k);
    for (std::size_t slot = k * group; slot < (k + 1) * group; slot += lanes) {
      const Group at = load(positions, slot), moving = load(velocities, slot);
      Group sum = none();
      for (const std::uint32_t* j = list.begin; j != list.end; ++j) {
        const Apart to = apart(at, positions, *j, softening);
        const double* const vj = velocities + *j;
        const Group change{hn::Sub(moving.x, hn::Set(d, vj[0])),
                           hn::Sub(moving.y, hn::Set(d, vj[1])),
                           hn::Sub(moving.z, hn::Set(d, vj[2]))};
        const V dot =
            hn::MulAdd(to.z, change.z, hn::MulAdd(to.y, change.y, hn::Mul(to.x, change.x)));
        const auto ignored = hn::Ge(to.r2, c.reach);
        const kernel::Slopes<V> slope = kernel::slopes(d, c, to.r2, dot);
        const V w = hn::IfThenZeroElse(ignored, slope.w);
        const V along = hn::IfThenZeroElse(ignored, slope.along);
        sum = {hn::MulAdd(w, change.x, hn::MulAdd(along, to.x, sum.x)),
               hn::MulAdd(w, change.y, hn::MulAdd(along, to.y, sum.y)),
               hn::MulAdd(w, change.z, hn::MulAdd(along, to.z, sum.z))};
      }
      scatter(lists, slot, scale(unit, sum), h);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::lennard_jones_near
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/interrupt.h"

namespace twosphere::lennard_jones_near {

HWY_EXPORT(force_groups);
HWY_EXPORT(energy_groups);
HWY_EXPORT(hessian_groups);
HWY_EXPORT(drift_groups);
HWY_EXPORT(kick_drift_groups);
HWY_EXPORT(kick_groups);

namespace {

constexpr std::size_t group = NeighbourLists::group;

/// r_c² of the longest cutoff with lists: the chord of π/4.
constexpr double longest_square = 2 - std::numbers::sqrt2;

/// ε; v = u/ε has a finite seventh power.
double min_square(const Law& law) {
  return std::max(1e-42 * law.zero_force_squared(), std::numeric_limits<double>::min());
}

/// Whether there are lists for q.
bool has_lists(const Law& law, const Columns& q, Workspace& work) {
  return applies(law, q.cols()) && work.lists.update(q, std::sqrt(law.reach));
}

/// Writes ω, m and τ of the molecules to the slots.
void enter(const Eigen::VectorXd& m, const Columns& w, const Torques& torque, Workspace& work) {
  const std::size_t slots = work.lists.groups() * group;
  work.velocities.resize(4 * slots);
  work.torques.resize(4 * slots);
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin * group; slot < end * group; ++slot) {
      const std::int32_t i = work.lists.point(slot);
      double *velocity = work.velocities.data() + 4 * slot, *t = work.torques.data() + 4 * slot;
      for (Eigen::Index c = 0; c < 3; ++c) {
        velocity[c] = i < 0 ? 0 : w(c, i);
        t[c] = i < 0 ? 0 : torque(i, c);
      }
      velocity[3] = i < 0 ? 1 : m[i];
      t[3] = i < 0 ? 0 : 1;
    }
  });
}

/// Reads q, ω and τ of the molecules from these positions and the slots.
void leave(const double* positions, const Workspace& work, Columns& q, Columns& w,
           Torques& torque) {
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    for (std::size_t slot = begin * group; slot < end * group; ++slot) {
      const std::int32_t i = work.lists.point(slot);
      if (i < 0) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const auto axis = static_cast<Eigen::Index>(c);
        q(axis, i) = positions[4 * slot + c];
        w(axis, i) = work.velocities[4 * slot + c];
        torque(i, axis) = work.torques[4 * slot + c];
      }
    }
  });
}

}  // namespace

bool applies(const Law& law, Eigen::Index n) {
  // A larger σ makes ε larger than the square of the smallest distance.
  return law.reach < longest_square && n >= 256 && law.sigma_squared < 2.5e7;
}

bool gradient(const Law& law, const Columns& q, Columns& g, Workspace& work) {
  if (!has_lists(law, q, work)) return false;
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(force_groups)(law, min_square(law), work.lists, begin, end, g.data());
  });
  return true;
}

std::optional<double> potential(const Law& law, const Columns& q, Workspace& work) {
  if (!has_lists(law, q, work)) return {};
  const auto n = static_cast<std::size_t>(q.cols());
  work.energies.resize(n);
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(energy_groups)
    (law, min_square(law), work.lists, begin, end, work.energies.data());
  });
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += work.energies[i];
  return law.depth * (sum / 2);
}

bool hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h,
                   Workspace& work) {
  if (!has_lists(law, q, work)) return false;
  const std::size_t slots = work.lists.groups() * group;
  work.velocities.resize(4 * slots);
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (Eigen::Index c = 0; c < 3; ++c) {
      const std::int32_t i = work.lists.point(slot);
      work.velocities[4 * slot + static_cast<std::size_t>(c)] = i < 0 ? 0 : v(c, i);
    }
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(hessian_groups)
    (law, min_square(law), work.lists, work.velocities.data(), begin, end, h.data());
  });
  return true;
}

std::int64_t advance(const Law& law, const Eigen::VectorXd& m, double h, std::int64_t count,
                     Columns& q, Columns& w, Torques& torque, Workspace& work) {
  NeighbourLists& lists = work.lists;
  // The ways into the slots and out of them take as long as is saved in some steps.
  if (count < 4 || !has_lists(law, q, work) || !lists.kept()) return 0;
  enter(m, w, torque, work);
  const auto pass = [&](auto pass_groups) {
    const Moving moving{work.velocities.data(), work.torques.data()};
    std::atomic<bool> finite{true}, turned{false}, far{false};
    lists.for_each_part([&](std::size_t begin, std::size_t end) {
      const PassReport part = pass_groups(law, min_square(law), h, lists, moving, begin, end);
      if (!part.finite) finite = false;
      if (part.turned) turned = true;
      if (part.far) far = true;
    });
    return PassReport{finite, turned, far};
  };
  PassReport report = pass(HWY_DYNAMIC_DISPATCH(drift_groups));
  std::int64_t taken = 0;
  while (!report.turned && taken < count && !(taken > 0 && interrupted())) {
    // The positions at the end of the step, with new lists if these do not serve there.
    if (report.far) {
      work.q.resize(3, q.cols());
      work.w.resize(3, q.cols());
      work.torque.resize(q.cols(), 3);
      leave(lists.next_positions(), work, work.q, work.w, work.torque);
      if (!has_lists(law, work.q, work) || !lists.kept()) return 0;
      enter(m, work.w, work.torque, work);
    } else {
      lists.advance();
    }
    report = taken + 1 < count ? pass(HWY_DYNAMIC_DISPATCH(kick_drift_groups))
                               : pass(HWY_DYNAMIC_DISPATCH(kick_groups));
    if (!report.finite) return 0;
    ++taken;
  }
  if (taken > 0) leave(lists.positions(), work, q, w, torque);
  return taken;
}

}  // namespace twosphere::lennard_jones_near
#endif  // HWY_ONCE
