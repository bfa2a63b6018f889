// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/far_field_kernels.h"

#include <algorithm>
#include <array>
#include <limits>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/far_field_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway's mathematics come after it.
#include <hwy/contrib/math/math-inl.h>

#include "core/kernels/inverse_sine-inl.h"

namespace twosphere::far_field {

/// The terms of a close pair in the sums of the body in slot i, once for all levels.
void add_close_term(const Workspace& work, std::size_t i, std::size_t j, double* x, double* y,
                    double* z);
double close_term(const Workspace& work, std::size_t i, std::size_t j);

}  // namespace twosphere::far_field

HWY_BEFORE_NAMESPACE();
namespace twosphere::far_field {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace kernel = n_body_kernel::HWY_NAMESPACE;
using kernel::D;
using kernel::V;
constexpr std::size_t lanes = hn::MaxLanes(D());

HWY_INLINE V number(double x) { return hn::Set(D(), x); }

/// s² of bodies or nodes with this |d|², and the same in single precision.
struct Sine {
  V square;
  hn::Vec<kernel::Single> single;

  /// s² = |d|² (1 − |d|²/4)
  explicit HWY_INLINE Sine(V apart)
      : square(hn::NegMulAdd(hn::Mul(number(0.25), apart), apart, apart)),
        single(hn::DemoteTo(kernel::Single(), square)) {}
};

/// q_j/s³
struct Attraction {
  static constexpr std::size_t components = 3;
  static constexpr bool sines = true, odd = false;
  static HWY_INLINE V weight(const Sine& sine, V /*apart*/) {
    return kernel::inverse_cube(sine.square, sine.single);
  }
};
/// c/s
struct AttractionPotential {
  static constexpr std::size_t components = 1;
  static constexpr bool sines = true, odd = true;
  /// (1 − ½|d|²)/s
  static HWY_INLINE V weight(const Sine& sine, V apart) {
    return hn::Mul(hn::NegMulAdd(number(0.5), apart, number(1)),
                   kernel::inverse_sine(sine.square, sine.single));
  }
};
/// 2 q_j/|d|²
struct Vortices {
  static constexpr std::size_t components = 3;
  static constexpr bool sines = false, odd = false;
  static HWY_INLINE V weight(V apart) { return hn::Div(number(2), apart); }
};
/// ln ½|d|²
struct VorticesPotential {
  static constexpr std::size_t components = 1;
  static constexpr bool sines = false, odd = false;
  /// Highway's logarithm of 0 is finite.
  static HWY_INLINE V weight(V apart) {
    const V logarithm = hn::Log(D(), hn::Mul(number(0.5), apart));
    return hn::IfThenElse(hn::Eq(apart, hn::Zero(D())),
                          number(-std::numeric_limits<double>::infinity()), logarithm);
  }
};

/// L_k(t) of all k.
HWY_INLINE void polynomials(const Workspace& work, V t, V (&out)[max_order]) {
  V before = number(1), after = before;
  for (std::size_t k = 0; k < work.order; ++k) {
    out[k] = hn::Mul(before, number(work.weight[k]));
    before = hn::Mul(before, hn::Sub(t, number(work.t[k])));
  }
  for (std::size_t k = work.order; k-- > 0;) {
    out[k] = hn::Mul(out[k], after);
    after = hn::Mul(after, hn::Sub(t, number(work.t[k])));
  }
}
/// t of the bodies from `slot` on, of their ξ or η.
HWY_INLINE V in_cell(const double* angles, std::size_t slot, double middle, double half) {
  return hn::Mul(hn::Sub(hn::LoadU(D(), angles + slot), number(middle)), number(1 / half));
}

/// M of a leaf.
template <class L>
HWY_INLINE void leaf_moments(const Workspace& work, std::size_t leaf, double* moments) {
  const D d;
  const CellTree& tree = work.tree;
  const Cell& cell = tree.cells()[leaf];
  const std::size_t p = work.order;
  V sum[L::components][max_order * max_order];
  for (auto& of : sum)
    for (std::size_t node = 0; node < p * p; ++node) of[node] = hn::Zero(d);
  for (std::size_t from = cell.begin; from < cell.end; from += lanes) {
    V along[max_order], across[max_order];
    polynomials(work, in_cell(tree.xi(), from, cell.xi, cell.half), along);
    polynomials(work, in_cell(tree.eta(), from, cell.eta, cell.half), across);
    // Of the next cell's bodies nothing.
    const std::size_t count = std::min<std::size_t>(lanes, cell.end - from);
    const V strength =
        hn::IfThenElseZero(hn::FirstN(d, count), hn::LoadU(d, work.strength.data() + from));
    V charge[L::components];
    charge[0] = strength;
    if constexpr (L::components == 3) {
      charge[0] = hn::Mul(strength, hn::LoadU(d, tree.x() + from));
      charge[1] = hn::Mul(strength, hn::LoadU(d, tree.y() + from));
      charge[2] = hn::Mul(strength, hn::LoadU(d, tree.z() + from));
    }
    for (std::size_t c = 0; c < L::components; ++c)
      for (std::size_t a = 0; a < p; ++a) {
        const V part = hn::Mul(charge[c], along[a]);
        for (std::size_t b = 0; b < p; ++b)
          sum[c][a * p + b] = hn::MulAdd(part, across[b], sum[c][a * p + b]);
      }
  }
  double* const out = moments + place_of(work, leaf, L::components);
  for (std::size_t c = 0; c < L::components; ++c)
    for (std::size_t node = 0; node < p * p; ++node)
      out[c * work.nodes + node] = hn::GetLane(hn::SumOfLanes(d, sum[c][node]));
}

/// Adds to F of a cell what comes from the cells far from it.
template <class L>
HWY_INLINE void far_fields(const Workspace& work, std::size_t target, double* fields) {
  const D d;
  const CellTree& tree = work.tree;
  const std::size_t count = work.order * work.order, stride = work.nodes;
  const double* const here = work.positions.data() + place_of(work, target, 3);
  double* const out = fields + place_of(work, target, L::components);
  for (const std::uint32_t source : tree.far(target)) {
    const V side = number(tree.side(tree.cells()[target], tree.cells()[source]));
    const double* const x = work.positions.data() + place_of(work, source, 3);
    const double *const y = x + stride, *const z = y + stride;
    const double* const moments = work.moments.data() + place_of(work, source, L::components);
    for (std::size_t k = 0; k < count; k += lanes) {
      const V ax = hn::Mul(side, hn::Load(d, here + k)),
              ay = hn::Mul(side, hn::Load(d, here + stride + k)),
              az = hn::Mul(side, hn::Load(d, here + 2 * stride + k));
      V sum[L::components];
      for (V& of : sum) of = hn::Zero(d);
      for (std::size_t node = 0; node < count; ++node) {
        const V dx = hn::Sub(ax, number(x[node])), dy = hn::Sub(ay, number(y[node])),
                dz = hn::Sub(az, number(z[node]));
        const V apart = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
        V w;
        if constexpr (L::sines)
          w = L::weight(Sine(apart), apart);
        else
          w = L::weight(apart);
        for (std::size_t c = 0; c < L::components; ++c)
          sum[c] = hn::MulAdd(w, number(moments[c * stride + node]), sum[c]);
      }
      for (std::size_t c = 0; c < L::components; ++c) {
        double* const to = out + c * stride + k;
        const V all = L::odd ? hn::Mul(side, sum[c]) : sum[c];
        hn::Store(hn::Add(hn::Load(d, to), all), d, to);
      }
    }
  }
}

/// Bodies from a slot on, in the elements of vectors, and their sums.
template <class L>
struct Targets {
  std::size_t slot, count;  // the first of them, and how many belong to the leaf
  V x, y, z;
  V sum[L::components];
  HWY_ALIGN double close[3][lanes];  // the terms of close pairs
};

/// Adds Σ F L L of their leaf.
template <class L>
HWY_INLINE void add_fields(const Workspace& work, std::size_t leaf, Targets<L>& targets) {
  const CellTree& tree = work.tree;
  const Cell& cell = tree.cells()[leaf];
  V along[max_order], across[max_order];
  polynomials(work, in_cell(tree.xi(), targets.slot, cell.xi, cell.half), along);
  polynomials(work, in_cell(tree.eta(), targets.slot, cell.eta, cell.half), across);
  const double* const fields = work.fields.data() + place_of(work, leaf, L::components);
  for (std::size_t c = 0; c < L::components; ++c)
    for (std::size_t a = 0; a < work.order; ++a) {
      const double* const row = fields + c * work.nodes + a * work.order;
      V part = hn::Zero(D());
      for (std::size_t b = 0; b < work.order; ++b)
        part = hn::MulAdd(number(row[b]), across[b], part);
      targets.sum[c] = hn::MulAdd(along[a], part, targets.sum[c]);
    }
}

/// Adds the sums over the bodies of a near leaf, or of their own one.
template <class L, bool own>
HWY_INLINE void add_near(const Workspace& work, const Cell& source, double side,
                         Targets<L>& targets) {
  const D d;
  const CellTree& tree = work.tree;
  const V sign = number(side), x = hn::Mul(sign, targets.x), y = hn::Mul(sign, targets.y),
          z = hn::Mul(sign, targets.z), one = number(1);
  const V slots = hn::Iota(d, static_cast<double>(targets.slot));
  V sum[L::components];
  for (V& of : sum) of = hn::Zero(d);
  for (std::size_t j = source.begin; j < source.end; ++j) {
    const V xj = number(tree.x()[j]), yj = number(tree.y()[j]), zj = number(tree.z()[j]);
    const V dx = hn::Sub(x, xj), dy = hn::Sub(y, yj), dz = hn::Sub(z, zj);
    V apart = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
    // A body is no pair with itself.
    [[maybe_unused]] const auto itself = hn::Eq(slots, number(static_cast<double>(j)));
    if constexpr (own) apart = hn::IfThenElse(itself, one, apart);
    V w;
    if constexpr (L::sines) {
      const Sine sine(apart);
      w = L::weight(sine, apart);
      if (HWY_UNLIKELY(kernel::any_close(sine.single, close))) {
        w = hn::IfThenZeroElse(hn::Lt(sine.square, number(close)), w);
        const auto add_close = [&](std::size_t k) {
          if (k >= targets.count) return;
          if constexpr (L::components == 3)
            add_close_term(work, targets.slot + k, j, &targets.close[0][k], &targets.close[1][k],
                           &targets.close[2][k]);
          else
            targets.close[0][k] += close_term(work, targets.slot + k, j);
        };
        kernel::for_close(sine.square, close, add_close);
      }
    } else {
      w = L::weight(apart);
    }
    if constexpr (own) w = hn::IfThenZeroElse(itself, w);
    w = hn::Mul(w, number(work.strength[j]));
    if constexpr (L::components == 1) {
      sum[0] = hn::Add(sum[0], w);
    } else if constexpr (L::sines) {
      sum[0] = hn::MulAdd(w, xj, sum[0]);
      sum[1] = hn::MulAdd(w, yj, sum[1]);
      sum[2] = hn::MulAdd(w, zj, sum[2]);
    } else {  // by the difference, however close they are
      sum[0] = hn::NegMulAdd(w, dx, sum[0]);
      sum[1] = hn::NegMulAdd(w, dy, sum[1]);
      sum[2] = hn::NegMulAdd(w, dz, sum[2]);
    }
  }
  for (std::size_t c = 0; c < L::components; ++c)
    targets.sum[c] = hn::Add(targets.sum[c], L::odd ? hn::Mul(sign, sum[c]) : sum[c]);
}

/// The sums of the bodies of a leaf.
template <class L>
HWY_INLINE void leaf_sums(const Workspace& work, std::size_t leaf,
                          std::array<Aligned<double>, 3>& sums) {
  const D d;
  const CellTree& tree = work.tree;
  const Cell& cell = tree.cells()[leaf];
  for (std::size_t slot = cell.begin; slot < cell.end; slot += lanes) {
    Targets<L> targets;
    targets.slot = slot;
    targets.count = std::min<std::size_t>(lanes, cell.end - slot);
    targets.x = hn::LoadU(d, tree.x() + slot);
    targets.y = hn::LoadU(d, tree.y() + slot);
    targets.z = hn::LoadU(d, tree.z() + slot);
    for (V& of : targets.sum) of = hn::Zero(d);
    for (auto& of : targets.close) std::fill_n(of, lanes, 0.0);
    add_fields<L>(work, leaf, targets);
    for (const std::uint32_t near : tree.near(leaf)) {
      const Cell& source = tree.cells()[near];
      if (near == leaf)
        add_near<L, true>(work, source, 1, targets);
      else
        add_near<L, false>(work, source, tree.side(cell, source), targets);
    }
    for (std::size_t c = 0; c < L::components; ++c) {
      HWY_ALIGN double all[lanes];
      hn::Store(hn::Add(targets.sum[c], hn::Load(d, targets.close[c])), d, all);
      std::copy_n(all, targets.count, sums[c].data() + slot);
    }
  }
}

/// Calls use with the law of the sums.
template <class Use>
HWY_INLINE void with_law(Law law, const Use& use) {
  switch (law) {
    case Law::attraction:
      return use(Attraction());
    case Law::attraction_potential:
      return use(AttractionPotential());
    case Law::vortices:
      return use(Vortices());
    case Law::vortices_potential:
      return use(VorticesPotential());
  }
}

void moments_of_leaf(Workspace& work, std::size_t leaf) {
  with_law(work.law, [&]([[maybe_unused]] auto law) HWY_ATTR {
    leaf_moments<decltype(law)>(work, leaf, work.moments.data());
  });
}
void fields_of_cell(Workspace& work, std::size_t cell) {
  with_law(work.law, [&]([[maybe_unused]] auto law)
                         HWY_ATTR { far_fields<decltype(law)>(work, cell, work.fields.data()); });
}
void sums_of_leaf(Workspace& work, std::size_t leaf) {
  with_law(work.law, [&]([[maybe_unused]] auto law)
                         HWY_ATTR { leaf_sums<decltype(law)>(work, leaf, work.sums); });
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::far_field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "core/kernels/close_pair.h"

namespace twosphere::far_field {

HWY_EXPORT(moments_of_leaf);
HWY_EXPORT(fields_of_cell);
HWY_EXPORT(sums_of_leaf);

namespace {

n_body_kernel::ClosePair pair_of(const Workspace& work, std::size_t i, std::size_t j) {
  return {*work.q, work.q_low, static_cast<Eigen::Index>(work.tree.body(i)),
          static_cast<Eigen::Index>(work.tree.body(j))};
}

}  // namespace

void add_close_term(const Workspace& work, std::size_t i, std::size_t j, double* x, double* y,
                    double* z) {
  const Vec3 term = pair_of(work, i, j).term(1);
  *x += term.x();
  *y += term.y();
  *z += term.z();
}

double close_term(const Workspace& work, std::size_t i, std::size_t j) {
  return work.strength[i] * pair_of(work, i, j).ratio();
}

void find_moments(Workspace& work, std::size_t leaf) {
  HWY_DYNAMIC_DISPATCH(moments_of_leaf)(work, leaf);
}
void add_far_fields(Workspace& work, std::size_t cell) {
  HWY_DYNAMIC_DISPATCH(fields_of_cell)(work, cell);
}
void find_sums(Workspace& work, std::size_t leaf) {
  HWY_DYNAMIC_DISPATCH(sums_of_leaf)(work, leaf);
}

}  // namespace twosphere::far_field
#endif  // HWY_ONCE
