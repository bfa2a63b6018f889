// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones_near.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lennard_jones_near.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/lennard_jones-inl.h"

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

/// Some of the molecules i.
struct Group {
  V x, y, z;
};

/// Those of the slots from `slot` on, of positions or velocities by slot.
HWY_INLINE Group load(const double* by_slot, std::size_t slot) {
  Group out;
  V unused;
  hn::LoadInterleaved4(D(), by_slot + 4 * slot, out.x, out.y, out.z, unused);
  return out;
}

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

/// Computes g for the groups [begin, end).
void force_groups(const Law& law, double least_square, const NeighbourLists& lists,
                  std::size_t begin, std::size_t end, double* g) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, least_square), unit = hn::Set(d, law.force_unit());
  const double* const positions = lists.positions();
  for (std::size_t k = begin; k < end; ++k) {
    Group at[vectors], sum[vectors];
    for (std::size_t v = 0; v < vectors; ++v) {
      at[v] = load(positions, k * group + v * lanes);
      sum[v] = {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    }
    const NeighbourLists::List list = lists.neighbours(k);
    for (const std::uint32_t* j = list.begin; j != list.end; ++j)
      for (std::size_t v = 0; v < vectors; ++v) {
        const Apart to = apart(at[v], positions, *j, softening);
        const V w = hn::IfThenZeroElse(hn::Ge(to.r2, c.reach), kernel::weight(c, to.r2));
        sum[v] = {hn::MulAdd(w, to.x, sum[v].x), hn::MulAdd(w, to.y, sum[v].y),
                  hn::MulAdd(w, to.z, sum[v].z)};
      }
    for (std::size_t v = 0; v < vectors; ++v)
      scatter(lists, k * group + v * lanes,
              {hn::Mul(unit, sum[v].x), hn::Mul(unit, sum[v].y), hn::Mul(unit, sum[v].z)}, g);
  }
}

/// Computes Σ_{j≠i} [u(r) − u(r_c)]/D for each molecule i of the groups [begin, end).
void energy_groups(const Law& law, double least_square, const NeighbourLists& lists,
                   std::size_t begin, std::size_t end, double* energies) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, least_square);
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
void hessian_groups(const Law& law, double least_square, const NeighbourLists& lists,
                    const double* velocities, std::size_t begin, std::size_t end, double* h) {
  const D d;
  const Constants c = kernel::constants(d, law);
  const V softening = hn::Set(d, least_square), unit = hn::Set(d, law.force_unit());
  const double* const positions = lists.positions();
  for (std::size_t k = begin; k < end; ++k) {
    const NeighbourLists::List list = lists.neighbours(k);
    for (std::size_t slot = k * group; slot < (k + 1) * group; slot += lanes) {
      const Group at = load(positions, slot), moving = load(velocities, slot);
      Group sum{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
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
      scatter(lists, slot, {hn::Mul(unit, sum.x), hn::Mul(unit, sum.y), hn::Mul(unit, sum.z)}, h);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::lennard_jones_near
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <cmath>
#include <limits>
#include <numbers>

namespace twosphere::lennard_jones_near {

HWY_EXPORT(force_groups);
HWY_EXPORT(energy_groups);
HWY_EXPORT(hessian_groups);

namespace {

/// r_c² of the longest cutoff with lists: the chord of π/4.
constexpr double longest_square = 2 - std::numbers::sqrt2;

/// ε; v = u/ε has a finite seventh power.
double least_square(const Law& law) {
  return std::max(1e-42 * law.zero_force_squared(), std::numeric_limits<double>::min());
}

/// Whether there are lists for q.
bool has_lists(const Law& law, const Columns& q, Workspace& work) {
  return applies(law, q.cols()) && work.lists.update(q, std::sqrt(law.reach));
}

}  // namespace

bool applies(const Law& law, Eigen::Index n) {
  // A larger σ makes ε larger than the square of the smallest distance.
  return law.reach < longest_square && n >= 256 && law.sigma_squared < 2.5e7;
}

bool gradient(const Law& law, const Columns& q, Columns& g, Workspace& work) {
  if (!has_lists(law, q, work)) return false;
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(force_groups)(law, least_square(law), work.lists, begin, end, g.data());
  });
  return true;
}

std::optional<double> potential(const Law& law, const Columns& q, Workspace& work) {
  if (!has_lists(law, q, work)) return {};
  const auto n = static_cast<std::size_t>(q.cols());
  work.energies.resize(n);
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(energy_groups)
    (law, least_square(law), work.lists, begin, end, work.energies.data());
  });
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += work.energies[i];
  return law.depth * (sum / 2);
}

bool hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h,
                   Workspace& work) {
  if (!has_lists(law, q, work)) return false;
  const std::size_t slots = work.lists.groups() * NeighbourLists::group;
  work.velocities.resize(4 * slots);
  for (std::size_t slot = 0; slot < slots; ++slot)
    for (Eigen::Index c = 0; c < 3; ++c) {
      const std::int32_t i = work.lists.point(slot);
      work.velocities[4 * slot + static_cast<std::size_t>(c)] = i < 0 ? 0 : v(c, i);
    }
  work.lists.for_each_part([&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(hessian_groups)
    (law, least_square(law), work.lists, work.velocities.data(), begin, end, h.data());
  });
  return true;
}

}  // namespace twosphere::lennard_jones_near
#endif  // HWY_ONCE
