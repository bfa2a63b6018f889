// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lennard_jones.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"
#include "core/kernels/lennard_jones-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twosphere::lennard_jones_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums over j have eight partial sums for any vector width.
constexpr std::size_t parts = 8;
using D = hn::CappedTag<double, parts>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

/// A molecule i with a vector of its partial sums.
struct Row {
  V x, y, z;
  V gx, gy, gz;
  V sum;
};

/// A vector of molecules j and of their g.
struct Others {
  V x, y, z;
  V gx, gy, gz;
};

/// Adds the pairs of i with the molecules from j on: with `limited` those within r_c, with `edge`
/// only those with j in (i, end).
template <bool forces, bool limited, bool edge>
HWY_INLINE void add_pair(const Constants<V>& c, std::size_t i, std::size_t j, std::size_t end,
                         Others& others, Row& row) {
  const D d;
  // Δ = q_i − q_j and r².
  const V dx = hn::Sub(row.x, others.x);
  const V dy = hn::Sub(row.y, others.y);
  const V dz = hn::Sub(row.z, others.z);
  const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
  V w = forces ? weight(c, r2) : energy(c, r2);
  // Exclude r ≥ r_c; a NaN distance is included.
  if constexpr (limited) w = hn::IfThenZeroElse(hn::Ge(r2, c.reach), w);
  // Only pairs i < j < end.
  if constexpr (edge) {
    const V index = hn::Iota(d, static_cast<double>(j));
    w = hn::IfThenElseZero(hn::And(hn::Gt(index, hn::Set(d, static_cast<double>(i))),
                                   hn::Lt(index, hn::Set(d, static_cast<double>(end)))),
                           w);
  }
  if constexpr (forces) {
    // Newton's third law: +w Δ on i, −w Δ on j.
    row.gx = hn::MulAdd(w, dx, row.gx);
    row.gy = hn::MulAdd(w, dy, row.gy);
    row.gz = hn::MulAdd(w, dz, row.gz);
    others.gx = hn::NegMulAdd(w, dx, others.gx);
    others.gy = hn::NegMulAdd(w, dy, others.gy);
    others.gz = hn::NegMulAdd(w, dz, others.gz);
  } else {
    row.sum = hn::Add(row.sum, w);
  }
}

/// The same for the rows i, i + 1, …, which share the loads of the q_j and g_j.
template <bool forces, bool limited, bool edge, class... Rows>
HWY_INLINE void add_pairs(const Constants<V>& c, std::size_t i, std::size_t j, std::size_t end,
                          Workspace& work, Rows&... rows) {
  const D d;
  const V zero = hn::Zero(d);
  Others others{hn::Load(d, work.x.data() + j),
                hn::Load(d, work.y.data() + j),
                hn::Load(d, work.z.data() + j),
                zero,
                zero,
                zero};
  double *gx = work.gx.data() + j, *gy = work.gy.data() + j, *gz = work.gz.data() + j;
  if constexpr (forces) {
    others.gx = hn::Load(d, gx);
    others.gy = hn::Load(d, gy);
    others.gz = hn::Load(d, gz);
  }
  (add_pair<forces, limited, edge>(c, i++, j, end, others, rows), ...);
  if constexpr (forces) {
    hn::Store(others.gx, d, gx);
    hn::Store(others.gy, d, gy);
    hn::Store(others.gz, d, gz);
  }
}

/// The total of the eight partial sums, in the same order at all levels.
HWY_INLINE double total(const double* p) {
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

/// Molecule i, without pairs.
HWY_INLINE Row row_of(const Workspace& work, std::size_t i) {
  const D d;
  const V zero = hn::Zero(d);
  return {
      hn::Set(d, work.x[i]), hn::Set(d, work.y[i]), hn::Set(d, work.z[i]), zero, zero, zero, zero};
}

/// Adds the pairs of the rows i, i + 1, …, all of them in one group of eight, with the j > i in
/// [j0, j1), of each group of eight those from `part` on.
template <bool forces, bool limited, class... Rows>
HWY_INLINE void add_groups(const Constants<V>& c, std::size_t i, std::size_t part, std::size_t j0,
                           std::size_t j1, Workspace& work, Rows&... rows) {
  const std::size_t whole = j0 + (j1 - j0) / parts * parts;
  // First group of eight that contains a j > i.
  std::size_t j = (i < j0 ? j0 : i / parts * parts) + part;
  if (i >= j0) {
    add_pairs<forces, limited, true>(c, i, j, j1, work, rows...);
    j += parts;
  }
  for (; j < whole; j += parts) add_pairs<forces, limited, false>(c, i, j, j1, work, rows...);
  if (j < j1) add_pairs<forces, limited, true>(c, i, j, j1, work, rows...);
}

/// Computes the pairs of each i in [i0, i1) with the j > i in [j0, j1); i0 and j0 are multiples of
/// eight. `limited`: whether r_c is finite. Two rows at a time, in the order of one at a time.
template <bool forces, bool limited>
HWY_INLINE double tile_of(const Law& law, std::size_t i0, std::size_t i1, std::size_t j0,
                          std::size_t j1, Workspace& work) {
  const D d;
  const Constants<V> c = constants(d, law);
  HWY_ALIGN double sums[2][4][parts];
  const auto keep = [&](const Row& row, std::size_t k, std::size_t part) HWY_ATTR {
    hn::Store(row.gx, d, sums[k][0] + part);
    hn::Store(row.gy, d, sums[k][1] + part);
    hn::Store(row.gz, d, sums[k][2] + part);
    hn::Store(row.sum, d, sums[k][3] + part);
  };
  double total_energy = 0;
  for (std::size_t i = i0; i < i1; i += 2) {
    const std::size_t rows = i + 1 < i1 ? 2 : 1;
    for (std::size_t part = 0; part < parts; part += lanes) {
      Row first = row_of(work, i);
      if (rows == 2) {
        Row second = row_of(work, i + 1);
        add_groups<forces, limited>(c, i, part, j0, j1, work, first, second);
        keep(second, 1, part);
      } else {
        add_groups<forces, limited>(c, i, part, j0, j1, work, first);
      }
      keep(first, 0, part);
    }
    for (std::size_t k = 0; k < rows; ++k) {
      if constexpr (forces) {
        // Total of the eight partial sums of each molecule.
        work.gx[i + k] += total(sums[k][0]);
        work.gy[i + k] += total(sums[k][1]);
        work.gz[i + k] += total(sums[k][2]);
      } else {
        total_energy += total(sums[k][3]);
      }
    }
  }
  return total_energy;
}

void force_tile(const Law& law, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1,
                Workspace& work) {
  if (law.limited())
    tile_of<true, true>(law, i0, i1, j0, j1, work);
  else
    tile_of<true, false>(law, i0, i1, j0, j1, work);
}

/// The forces of the members of an ensemble, as force_tile() has them.
void gradient_members(const Law& law, Eigen::Index n, const double* q, double* g) {
  namespace en = ensemble::HWY_NAMESPACE;
  const Constants<V> c = constants(D(), law);
  const V scale_of_all = en::number(law.force_unit());
  for (std::size_t m = 0; m < ensemble_members; m += lanes) {
    en::Vector sum[max_together];
    for (Eigen::Index i = 0; i < n; ++i) sum[i] = en::zero_vector();
    for (Eigen::Index i = 0; i < n; ++i) {
      const en::Vector at = en::load(q + m, i);
      en::Vector p[parts];
      for (en::Vector& part : p) part = en::zero_vector();
      for (Eigen::Index j = i + 1; j < n; ++j) {
        // Δ = q_i − q_j and r².
        const en::Vector apart = subtract(at, en::load(q + m, j));
        const V r2 =
            hn::MulAdd(apart.z, apart.z, hn::MulAdd(apart.y, apart.y, hn::Mul(apart.x, apart.x)));
        const V w = hn::IfThenZeroElse(hn::Ge(r2, c.reach), weight(c, r2));
        // Newton's third law: +w Δ on i, −w Δ on j.
        en::Vector& of_i = p[static_cast<std::size_t>(j) % parts];
        of_i = {hn::MulAdd(w, apart.x, of_i.x), hn::MulAdd(w, apart.y, of_i.y),
                hn::MulAdd(w, apart.z, of_i.z)};
        sum[j] = {hn::NegMulAdd(w, apart.x, sum[j].x), hn::NegMulAdd(w, apart.y, sum[j].y),
                  hn::NegMulAdd(w, apart.z, sum[j].z)};
      }
      // As total().
      const en::Vector even = add(add(p[0], p[4]), add(p[2], p[6])),
                       odd = add(add(p[1], p[5]), add(p[3], p[7]));
      sum[i] = add(sum[i], add(even, odd));
    }
    for (Eigen::Index i = 0; i < n; ++i) en::store(scale(scale_of_all, sum[i]), g + m, i);
  }
}

double energy_tile(const Law& law, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1,
                   Workspace& work) {
  return law.limited() ? tile_of<false, true>(law, i0, i1, j0, j1, work)
                       : tile_of<false, false>(law, i0, i1, j0, j1, work);
}

/// Molecules i in the lanes, with their v and the sums h.
struct Moving {
  V x, y, z, vx, vy, vz;
  V hx, hy, hz;
};

/// Positions and velocities by slot or by molecule.
struct Sources {
  const double *x, *y, *z, *vx, *vy, *vz;
};

HWY_INLINE Moving moving(const Sources& s, std::size_t i) {
  const D d;
  const V zero = hn::Zero(d);
  return {hn::Load(d, s.x + i),
          hn::Load(d, s.y + i),
          hn::Load(d, s.z + i),
          hn::Load(d, s.vx + i),
          hn::Load(d, s.vy + i),
          hn::Load(d, s.vz + i),
          zero,
          zero,
          zero};
}

/// Adds the change of the forces of the molecules [begin, end) on those of this vector, of which
/// the first is i.
HWY_INLINE void add_changes(const Constants<V>& c, const Sources& s, std::size_t begin,
                            std::size_t end, std::size_t i, Moving& at) {
  const D d;
  for (std::size_t j = begin; j < end; ++j) {
    // Δ, r², δ and Δ·δ.
    const V dx = hn::Sub(at.x, hn::Set(d, s.x[j])), dy = hn::Sub(at.y, hn::Set(d, s.y[j])),
            dz = hn::Sub(at.z, hn::Set(d, s.z[j]));
    const V ex = hn::Sub(at.vx, hn::Set(d, s.vx[j])), ey = hn::Sub(at.vy, hn::Set(d, s.vy[j])),
            ez = hn::Sub(at.vz, hn::Set(d, s.vz[j]));
    const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    const V dot = hn::MulAdd(dz, ez, hn::MulAdd(dy, ey, hn::Mul(dx, ex)));
    auto ignored = hn::Ge(r2, c.reach);
    // No force of a molecule on itself.
    if (j - i < lanes)
      ignored = hn::Or(ignored, hn::Eq(hn::Iota(d, 0.0), hn::Set(d, static_cast<double>(j - i))));
    const Slopes<V> slope = slopes(d, c, r2, dot);
    const V w = hn::IfThenZeroElse(ignored, slope.w),
            along = hn::IfThenZeroElse(ignored, slope.along);
    at.hx = hn::MulAdd(w, ex, hn::MulAdd(along, dx, at.hx));
    at.hy = hn::MulAdd(w, ey, hn::MulAdd(along, dy, at.hy));
    at.hz = hn::MulAdd(w, ez, hn::MulAdd(along, dz, at.hz));
  }
}

/// The molecules [begin, end) of n; begin is a multiple of eight.
void hessian_rows(const Law& law, Workspace& work, std::size_t n, std::size_t begin,
                  std::size_t end) {
  const D d;
  const Constants<V> c = constants(d, law);
  const Sources s{work.x.data(),  work.y.data(),  work.z.data(),
                  work.vx.data(), work.vy.data(), work.vz.data()};
  for (std::size_t i = begin; i < end; i += lanes) {
    Moving at = moving(s, i);
    add_changes(c, s, 0, n, i, at);
    hn::Store(at.hx, d, work.gx.data() + i);
    hn::Store(at.hy, d, work.gy.data() + i);
    hn::Store(at.hz, d, work.gz.data() + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::lennard_jones_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/kernels/lennard_jones_near.h"

namespace twosphere::lennard_jones_kernel {

HWY_EXPORT(force_tile);
HWY_EXPORT(energy_tile);
HWY_EXPORT(gradient_members);
HWY_EXPORT(hessian_rows);

namespace {

/// Molecules per tile: their positions and forces fit into the L1 cache.
constexpr std::size_t block = 512;

void load(const Columns& q, Workspace& work) {
  const auto n = static_cast<std::size_t>(q.cols());
  for (Aligned<double>* component : {&work.x, &work.y, &work.z, &work.gx, &work.gy, &work.gz})
    component->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = q.col(static_cast<Eigen::Index>(i));
    // Components of q in separate arrays.
    work.x[i] = column[0];
    work.y[i] = column[1];
    work.z[i] = column[2];
  }
}

/// Calls tile(number, i0, i1, j0, j1) for all pairs of blocks I ≤ J. In a round, I + J ≡ round,
/// every block occurs once, so its tiles can run in parallel. Ends early if interrupted.
template <class Tile>
void for_tiles(std::size_t n, const Tile& tile) {
  const std::size_t blocks = (n + block - 1) / block;
  for (std::size_t round = 0; round < blocks && !interrupted(); ++round) {
    const auto part = [&](std::size_t a) {
      // Tile (a, b) with a + b ≡ round, each pair of blocks once.
      if (const std::size_t b = (round + blocks - a) % blocks; a <= b)
        tile(round * blocks + a, a * block, std::min(n, (a + 1) * block), b * block,
             std::min(n, (b + 1) * block));
    };
    if (blocks > 3) {
      parallel_for(blocks, part);
    } else {
      for (std::size_t a = 0; a < blocks; ++a) part(a);
    }
  }
}

}  // namespace

double pair_potential(const Law& law, double r2) {
  const double s2 = law.sigma_squared / r2, s6 = s2 * s2 * s2;
  return law.depth * (s6 - 1) * s6;
}

void gradient(const Law& law, const Columns& q, Columns& g, Workspace& work) {
  if (lennard_jones_near::gradient(law, q, g, work)) return;
  const auto n = static_cast<std::size_t>(q.cols());
  load(q, work);
  for (Aligned<double>* component : {&work.gx, &work.gy, &work.gz})
    std::fill_n(component->data(), n, 0.0);
  for_tiles(n, [&](std::size_t, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
    HWY_DYNAMIC_DISPATCH(force_tile)(law, i0, i1, j0, j1, work);
  });
  // Scale to forces; an interrupted sum is NaN.
  const double scale = interrupted() ? std::numeric_limits<double>::quiet_NaN() : law.force_unit();
  for (std::size_t i = 0; i < n; ++i)
    g.col(static_cast<Eigen::Index>(i)) << scale * work.gx[i], scale * work.gy[i],
        scale * work.gz[i];
}

void gradient_together(const Law& law, Eigen::Index n, const double* q, double* g) {
  HWY_DYNAMIC_DISPATCH(gradient_members)(law, n, q, g);
}

double potential(const Law& law, const Columns& q, Workspace& work) {
  if (const auto near = lennard_jones_near::potential(law, q, work)) return *near;
  const auto n = static_cast<std::size_t>(q.cols());
  double sum = 0;
  load(q, work);
  const std::size_t blocks = (n + block - 1) / block;
  work.energies.resize(blocks * blocks);
  std::fill_n(work.energies.data(), blocks * blocks, 0.0);
  for_tiles(n,
            [&](std::size_t tile, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) {
              work.energies[tile] = HWY_DYNAMIC_DISPATCH(energy_tile)(law, i0, i1, j0, j1, work);
            });
  if (interrupted()) return std::numeric_limits<double>::quiet_NaN();
  for (std::size_t tile = 0; tile < blocks * blocks; ++tile) sum += work.energies[tile];
  return law.depth * sum;
}

void hessian_times(const Law& law, const Columns& q, const Columns& v, Columns& h,
                   Workspace& work) {
  if (lennard_jones_near::hessian_times(law, q, v, h, work)) return;
  const auto n = static_cast<std::size_t>(q.cols()), blocks = (n + block - 1) / block;
  load(q, work);
  for (Aligned<double>* component : {&work.vx, &work.vy, &work.vz}) component->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = v.col(static_cast<Eigen::Index>(i));
    work.vx[i] = column[0];
    work.vy[i] = column[1];
    work.vz[i] = column[2];
  }
  const std::atomic<bool>* stop = Interruptible::flag();
  const auto rows = [&](std::size_t k) {
    if (!is_set(stop))
      HWY_DYNAMIC_DISPATCH(hessian_rows)(law, work, n, k * block, std::min(n, (k + 1) * block));
  };
  if (blocks > 3) {
    parallel_for(blocks, rows);
  } else {
    for (std::size_t k = 0; k < blocks; ++k) rows(k);
  }
  const double scale = is_set(stop) ? std::numeric_limits<double>::quiet_NaN() : law.force_unit();
  for (std::size_t i = 0; i < n; ++i)
    h.col(static_cast<Eigen::Index>(i)) = scale * Vec3(work.gx[i], work.gy[i], work.gz[i]);
}

}  // namespace twosphere::lennard_jones_kernel
#endif  // HWY_ONCE
