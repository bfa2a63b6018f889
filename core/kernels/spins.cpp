// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/spins.h"

#include <cstddef>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/spins.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vector-inl.h"

#ifndef TWOSPHERE_SPIN_ROWS
#define TWOSPHERE_SPIN_ROWS
namespace twosphere::spin_kernel {

/// Pointers to the components of vectors, each component by itself.
struct Parts3 {
  const double *x, *y, *z;
};

/// What a row of cells needs: q and v of its first cell, and the neighbours by their distances in
/// these arrays.
struct Row {
  Parts3 q, v;
  std::ptrdiff_t count;
  const std::ptrdiff_t* offsets;
  const Neighbour* neighbours;
  std::ptrdiff_t neighbour_count;
  double exchange, biquadratic;
  const double* anisotropy;  // of the first cell, or null
  const double *axis, *field;
};

}  // namespace twosphere::spin_kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace twosphere::spin_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using Vector = twosphere::HWY_NAMESPACE::Vector3<V>;

HWY_INLINE Vector load(const Parts3& from, std::ptrdiff_t i) {
  const D d;
  return {hn::LoadU(d, from.x + i), hn::LoadU(d, from.y + i), hn::LoadU(d, from.z + i)};
}
HWY_INLINE Vector same(const double* v) {
  const D d;
  return {hn::Set(d, v[0]), hn::Set(d, v[1]), hn::Set(d, v[2])};
}
HWY_INLINE bool is_zero(const Vec3& v) { return v.x() == 0 && v.y() == 0 && v.z() == 0; }

/// Takes apart `count` vectors x, y, z.
void split(const double* from, std::ptrdiff_t count, double* x, double* y, double* z) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  std::ptrdiff_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    V a, b, c;
    hn::LoadInterleaved3(d, from + 3 * i, a, b, c);
    hn::StoreU(a, d, x + i);
    hn::StoreU(b, d, y + i);
    hn::StoreU(c, d, z + i);
  }
  for (; i < count; ++i) {
    x[i] = from[3 * i];
    y[i] = from[3 * i + 1];
    z[i] = from[3 * i + 2];
  }
}

/// Stores the vectors of the cells from i on, as many as there are.
HWY_INLINE void store(const Vector& g, std::ptrdiff_t i, std::ptrdiff_t count, double* out) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  if (i + lanes <= count) {
    hn::StoreInterleaved3(g.x, g.y, g.z, d, out + 3 * i);
    return;
  }
  HWY_ALIGN double rest[3 * hn::MaxLanes(D())];
  hn::StoreInterleaved3(g.x, g.y, g.z, d, rest);
  for (std::ptrdiff_t k = 0; k < 3 * (count - i); ++k) out[3 * i + k] = rest[k];
}

/// ∂H/∂q of a row.
void gradient_row(const Row& row, double* out) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const Vector n = same(row.axis), b = same(row.field);
  const V j = hn::Set(d, row.exchange), twice = hn::Set(d, 2 * row.biquadratic),
          two = hn::Set(d, 2);
  for (std::ptrdiff_t i = 0; i < row.count; i += lanes) {
    const Vector q = load(row.q, i);
    // B + 2K (n·q) n
    Vector sum = b;
    if (row.anisotropy)
      sum = add(sum, scale(hn::Mul(hn::Mul(two, hn::LoadU(d, row.anisotropy + i)), dot(n, q)), n));
    for (std::ptrdiff_t s = 0; s < row.neighbour_count; ++s) {
      const Vector next = load(row.q, i + row.offsets[s]), last = load(row.q, i - row.offsets[s]);
      // J q_j + 2b (q·q_j) q_j
      sum = add(sum, scale(j, add(next, last)));
      if (row.biquadratic != 0)
        sum = add(sum, scale(twice, add(scale(dot(q, next), next), scale(dot(q, last), last))));
      // q_j × D after the bond, D × q_j before it.
      if (const Vec3& dm = row.neighbours[s].dm; !is_zero(dm))
        sum = add(sum, cross(subtract(next, last), same(dm.data())));
    }
    store({hn::Neg(sum.x), hn::Neg(sum.y), hn::Neg(sum.z)}, i, row.count, out);
  }
}

/// The derivative of ∂H/∂q along v.
void hessian_row(const Row& row, double* out) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const Vector n = same(row.axis);
  const V j = hn::Set(d, row.exchange), twice = hn::Set(d, 2 * row.biquadratic),
          two = hn::Set(d, 2), zero = hn::Zero(d);
  for (std::ptrdiff_t i = 0; i < row.count; i += lanes) {
    const Vector q = load(row.q, i), v = load(row.v, i);
    Vector sum{zero, zero, zero};
    if (row.anisotropy)
      sum = scale(hn::Mul(hn::Mul(two, hn::LoadU(d, row.anisotropy + i)), dot(n, v)), n);
    for (std::ptrdiff_t s = 0; s < row.neighbour_count; ++s) {
      const Vector next = load(row.v, i + row.offsets[s]), last = load(row.v, i - row.offsets[s]);
      sum = add(sum, scale(j, add(next, last)));
      if (row.biquadratic != 0) {
        // 2b [(v·q_j + q·v_j) q_j + (q·q_j) v_j]
        const auto turned = [&](const Vector& qj, const Vector& vj) {
          return add(scale(hn::Add(dot(v, qj), dot(q, vj)), qj), scale(dot(q, qj), vj));
        };
        sum = add(sum, scale(twice, add(turned(load(row.q, i + row.offsets[s]), next),
                                        turned(load(row.q, i - row.offsets[s]), last))));
      }
      if (const Vec3& dm = row.neighbours[s].dm; !is_zero(dm))
        sum = add(sum, cross(subtract(next, last), same(dm.data())));
    }
    store({hn::Neg(sum.x), hn::Neg(sum.y), hn::Neg(sum.z)}, i, row.count, out);
  }
}

/// −H of each cell of a row with its bonds to later neighbours; `out` has room for whole vectors.
void energy_row(const Row& row, double* out) {
  const D d;
  const auto lanes = static_cast<std::ptrdiff_t>(hn::Lanes(d));
  const Vector n = same(row.axis), b = same(row.field);
  const V j = hn::Set(d, row.exchange), biquadratic = hn::Set(d, row.biquadratic);
  for (std::ptrdiff_t i = 0; i < row.count; i += lanes) {
    const Vector q = load(row.q, i);
    V sum = dot(b, q);
    if (row.anisotropy) {
      const V along = dot(n, q);
      sum = hn::Add(sum, hn::Mul(hn::LoadU(d, row.anisotropy + i), hn::Mul(along, along)));
    }
    for (std::ptrdiff_t s = 0; s < row.neighbour_count; ++s) {
      const Vector next = load(row.q, i + row.offsets[s]);
      const V c = dot(q, next);
      sum = hn::Add(sum, hn::Mul(hn::Add(j, hn::Mul(biquadratic, c)), c));
      if (const Vec3& dm = row.neighbours[s].dm; !is_zero(dm))
        sum = hn::Add(sum, dot(same(dm.data()), cross(q, next)));
    }
    hn::StoreU(sum, d, out + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::spin_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"

namespace twosphere::spin_kernel {

HWY_EXPORT(split);
HWY_EXPORT(gradient_row);
HWY_EXPORT(hessian_row);
HWY_EXPORT(energy_row);

/// Vectors lie in arrays with a border of one cell on both sides of each direction with more than
/// one cell or periodic: copies of the opposite cells, or zeros, which add nothing to any sum.
struct Lattice::Parts {
  // Vectors end at most this far behind the last cell of a row.
  static constexpr std::ptrdiff_t spare = 8;

  explicit Parts(Couplings given) : couplings(std::move(given)) {
    const auto& size = couplings.size;
    for (std::size_t k = 0; k < 3; ++k) {
      bool used = false;
      for (const Neighbour& one : couplings.neighbours)
        used = used || std::array{one.dx, one.dy, one.dz}[k] != 0;
      border[k] = used ? 1 : 0;
    }
    stride[0] = 1;
    stride[1] = size[0] + 2 * border[0];
    stride[2] = stride[1] * (size[1] + 2 * border[1]);
    room = stride[2] * (size[2] + 2 * border[2]) + spare;
    for (const Neighbour& one : couplings.neighbours)
      offsets.push_back(one.dx + one.dy * stride[1] + one.dz * stride[2]);
    if (couplings.anisotropy.size() > 0) {
      anisotropy.resize(static_cast<std::size_t>(couplings.anisotropy.size() + spare));
      std::copy(couplings.anisotropy.begin(), couplings.anisotropy.end(), anisotropy.data());
    }
  }

  struct Work {
    Aligned<double> q[3], v[3], row;
  };
  auto take() const {
    return pool.take([this] {
      Work work;
      for (auto* arrays : {&work.q, &work.v})
        for (Aligned<double>& one : *arrays) one.resize(static_cast<std::size_t>(room));
      work.row.resize(static_cast<std::size_t>(couplings.size[0] + spare));
      return work;
    });
  }

  std::ptrdiff_t first_cell(std::ptrdiff_t y, std::ptrdiff_t z) const {
    return border[0] + (y + border[1]) * stride[1] + (z + border[2]) * stride[2];
  }

  /// Takes vectors apart and fills the border.
  void spread(const Columns& from, Aligned<double> (&to)[3]) const {
    const auto take_apart = HWY_DYNAMIC_DISPATCH(split);
    in_parallel([&](std::ptrdiff_t first, std::ptrdiff_t at, std::ptrdiff_t count) {
      take_apart(from.data() + 3 * first, count, to[0].data() + at, to[1].data() + at,
                 to[2].data() + at);
    });
    fill_border(to);
  }

  /// Copies the opposite cells of a periodic lattice into the border.
  void fill_border(Aligned<double> (&to)[3]) const {
    const auto [nx, ny, nz] = couplings.size;
    if (!couplings.periodic) return;
    for (Aligned<double>& one : to) {
      double* const all = one.data();
      if (border[0] != 0)
        for (std::ptrdiff_t z = 0; z < nz; ++z)
          for (std::ptrdiff_t y = 0; y < ny; ++y) {
            double* const row = all + first_cell(y, z);
            row[-1] = row[nx - 1];
            row[nx] = row[0];
          }
      // Whole rows, then whole layers, so that the corners are right, too.
      if (border[1] != 0)
        for (std::ptrdiff_t z = 0; z < nz; ++z) {
          double* const layer = all + (z + border[2]) * stride[2];
          std::copy_n(layer + ny * stride[1], stride[1], layer);
          std::copy_n(layer + stride[1], stride[1], layer + (ny + 1) * stride[1]);
        }
      if (border[2] != 0) {
        std::copy_n(all + nz * stride[2], stride[2], all);
        std::copy_n(all + stride[2], stride[2], all + (nz + 1) * stride[2]);
      }
    }
  }

  /// `count` cells of a row from the cell `first` on, which is at `at` in arrays with a border.
  Row row(const Work& work, std::ptrdiff_t first, std::ptrdiff_t at, std::ptrdiff_t count) const {
    const auto from = [at](const Aligned<double>(&arrays)[3]) {
      return Parts3{arrays[0].data() + at, arrays[1].data() + at, arrays[2].data() + at};
    };
    return {from(work.q),
            from(work.v),
            count,
            offsets.data(),
            couplings.neighbours.data(),
            static_cast<std::ptrdiff_t>(offsets.size()),
            couplings.exchange,
            couplings.biquadratic,
            couplings.anisotropy.size() > 0 ? anisotropy.data() + first : nullptr,
            couplings.axis.data(),
            couplings.field.data()};
  }

  /// Calls compute(first, at, count), as of row(), for the parts of rows among the cells from
  /// `begin` to `end`, in order.
  template <class Compute>
  void for_parts(std::ptrdiff_t begin, std::ptrdiff_t end, const Compute& compute) const {
    const auto [nx, ny, nz] = couplings.size;
    while (begin < end) {
      const std::ptrdiff_t line = begin / nx, x = begin - line * nx;
      const std::ptrdiff_t count = std::min(nx - x, end - begin);
      compute(begin, first_cell(line % ny, line / ny) + x, count);
      begin += count;
    }
  }
  /// The same for all cells, in shares that threads take.
  template <class Compute>
  void in_parallel(const Compute& compute) const {
    constexpr std::ptrdiff_t share = 2048;
    parallel_ranges(cells(), share, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      for_parts(begin, end, compute);
    });
  }
  std::ptrdiff_t cells() const { return couplings.size[0] * couplings.size[1] * couplings.size[2]; }

  Couplings couplings;
  std::array<std::ptrdiff_t, 3> border{}, stride{};
  std::ptrdiff_t room = 0;
  std::vector<std::ptrdiff_t> offsets;
  Aligned<double> anisotropy;
  mutable Pool<Work> pool;
};

Lattice::Lattice(Couplings couplings) : parts_(std::make_unique<Parts>(std::move(couplings))) {}
Lattice::~Lattice() = default;

double Lattice::energy(const Columns& q) const {
  const auto work = parts_->take();
  parts_->spread(q, work->q);
  const auto compute = HWY_DYNAMIC_DISPATCH(energy_row);
  double sum = 0;
  parts_->for_parts(0, parts_->cells(),
                    [&](std::ptrdiff_t first, std::ptrdiff_t at, std::ptrdiff_t count) {
                      compute(parts_->row(*work, first, at, count), work->row.data());
                      for (std::ptrdiff_t i = 0; i < count; ++i) sum -= work->row.data()[i];
                    });
  return sum;
}

void Lattice::gradient(const Columns& q, Columns& g) const {
  const auto work = parts_->take();
  parts_->spread(q, work->q);
  const auto compute = HWY_DYNAMIC_DISPATCH(gradient_row);
  parts_->in_parallel([&](std::ptrdiff_t first, std::ptrdiff_t at, std::ptrdiff_t count) {
    compute(parts_->row(*work, first, at, count), g.data() + 3 * first);
  });
}

void Lattice::hessian_times(const Columns& q, const Columns& v, Columns& h) const {
  const auto work = parts_->take();
  parts_->spread(q, work->q);
  parts_->spread(v, work->v);
  const auto compute = HWY_DYNAMIC_DISPATCH(hessian_row);
  parts_->in_parallel([&](std::ptrdiff_t first, std::ptrdiff_t at, std::ptrdiff_t count) {
    compute(parts_->row(*work, first, at, count), h.data() + 3 * first);
  });
}

}  // namespace twosphere::spin_kernel
#endif  // HWY_ONCE
