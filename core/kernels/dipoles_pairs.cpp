// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kernels/aligned.h"
#include "core/kernels/dipoles.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/dipoles_pairs.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TWOSPHERE_DIPOLE_PAIRS
#define TWOSPHERE_DIPOLE_PAIRS
namespace twosphere::dipole_kernel {

using Components = std::array<Aligned<double>, 3>;

}  // namespace twosphere::dipole_kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace twosphere::dipole_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// 1/√x to rounding for a normal finite x > 0: an estimate from the bits of x, which is the same on
/// every processor, and two steps of the series of 1/√(1 − e), e = 1 − x y², with errors of 5e-7
/// and 1e-19.
template <class D, class V>
HWY_INLINE V inverse_root(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  const V one = hn::Set(d, 1), half = hn::Set(d, 0.5), c2 = hn::Set(d, 0.375);
  // First estimate.
  const V y = hn::BitCast(
      d, hn::Sub(hn::Set(bits, 0x5FE6EB50C7B537A9), hn::ShiftRight<1>(hn::BitCast(bits, x))));
  const V e = hn::NegMulAdd(x, hn::Mul(y, y), one);
  V series = hn::MulAdd(e, hn::Set(d, 35.0 / 128), hn::Set(d, 0.3125));
  series = hn::MulAdd(e, hn::MulAdd(e, series, c2), half);
  const V y1 = hn::MulAdd(hn::Mul(y, e), series, y);
  // Second step of the series.
  const V e1 = hn::NegMulAdd(x, hn::Mul(y1, y1), one);
  return hn::MulAdd(hn::Mul(y1, e1), hn::MulAdd(e1, c2, half), y1);
}

/// out_i = Σ_{j≠i} [s_j − 3 r (r·s_j)/r²]/r³, r = p_j − p_i. Vector lanes are targets i; the loop
/// runs over all j.
void field(const Components& p, const Components& s, std::size_t n, Components& out) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const double *px = p[0].data(), *py = p[1].data(), *pz = p[2].data();
  const double *sx = s[0].data(), *sy = s[1].data(), *sz = s[2].data();
  const V three = hn::Set(d, 3);
  for (std::size_t i = 0; i < n; i += lanes) {
    const V xi = hn::Load(d, px + i), yi = hn::Load(d, py + i), zi = hn::Load(d, pz + i);
    V gx = hn::Zero(d), gy = gx, gz = gx;
    const auto add_pairs = [&](std::size_t j, auto apart) HWY_ATTR {
      // r = p_j − p_i and the source s_j.
      const V rx = hn::Sub(hn::Set(d, px[j]), xi);
      const V ry = hn::Sub(hn::Set(d, py[j]), yi);
      const V rz = hn::Sub(hn::Set(d, pz[j]), zi);
      const V x = hn::Set(d, sx[j]), y = hn::Set(d, sy[j]), z = hn::Set(d, sz[j]);
      const V r2 = apart(hn::MulAdd(rz, rz, hn::MulAdd(ry, ry, hn::Mul(rx, rx))));
      // s/r³ − 3 r (r·s)/r⁵
      const V u = inverse_root(d, r2), u2 = hn::Mul(u, u), w = hn::Mul(u2, u);
      const V along = hn::MulAdd(rz, z, hn::MulAdd(ry, y, hn::Mul(rx, x)));
      const V part = hn::Mul(hn::Mul(three, w), hn::Mul(u2, along));
      gx = hn::NegMulAdd(part, rx, hn::MulAdd(w, x, gx));
      gy = hn::NegMulAdd(part, ry, hn::MulAdd(w, y, gy));
      gz = hn::NegMulAdd(part, rz, hn::MulAdd(w, z, gz));
    };
    const auto others = [](V r2) HWY_ATTR { return r2; };
    const std::size_t end = std::min(i + lanes, n);
    for (std::size_t j = 0; j < i; ++j) add_pairs(j, others);
    const V index = hn::Iota(d, static_cast<double>(i));
    for (std::size_t j = i; j < end;
         ++j)  // the body itself is moved so far away that it contributes nothing
      add_pairs(j, [&](V r2) HWY_ATTR {
        const auto itself = hn::Eq(index, hn::Set(d, static_cast<double>(j)));
        return hn::IfThenElse(itself, hn::Set(d, 1e300), r2);
      });
    for (std::size_t j = end; j < n; ++j) add_pairs(j, others);
    hn::Store(gx, d, out[0].data() + i);
    hn::Store(gy, d, out[1].data() + i);
    hn::Store(gz, d, out[2].data() + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::dipole_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "core/base/workspace_pool.h"

namespace twosphere::dipole_kernel {

HWY_EXPORT(field);

namespace {

class Pairs final : public Coupling {
 public:
  Pairs(const Columns& pivots, const Eigen::VectorXd& moments)
      : size_(static_cast<std::size_t>(pivots.cols())), moments_(moments) {
    // Scale lengths by a power of two such that squares neither overflow nor underflow.
    int exponent = 0;
    std::frexp(pivots.cwiseAbs().maxCoeff(), &exponent);
    for (Eigen::Index k = 0; k < 3; ++k) {
      auto& component = pivots_[static_cast<std::size_t>(k)];
      component.resize(size_);
      for (std::size_t i = 0; i < size_; ++i)
        component[i] = std::ldexp(pivots(k, static_cast<Eigen::Index>(i)), -exponent);
    }
    // μ/4π in the scaled unit of length.
    factor_ = std::ldexp(permeability_over_4pi, -3 * exponent);
  }

  void multiply(const Columns& q, Columns& g) const override {
    const auto work = pool_.take([&] {
      Workspace made;
      for (std::size_t k = 0; k < 3; ++k) {
        made.sources[k].resize(size_);
        made.field[k].resize(size_);
      }
      return made;
    });
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        work->sources[k][i] = moments_.data()[i] * q.data()[3 * i + k];
    HWY_DYNAMIC_DISPATCH(field)(pivots_, work->sources, size_, work->field);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        g.data()[3 * i + k] = factor_ * moments_.data()[i] * work->field[k][i];
  }

 private:
  struct Workspace {
    Components sources, field;  // ν_j q_j, Σ_j …
  };

  std::size_t size_;
  Components pivots_;
  Eigen::VectorXd moments_;
  double factor_ = 0;
  mutable Pool<Workspace> pool_;
};

}  // namespace

std::unique_ptr<const Coupling> pairs(const Columns& pivots, const Eigen::VectorXd& moments) {
  return std::make_unique<Pairs>(pivots, moments);
}

}  // namespace twosphere::dipole_kernel
#endif  // HWY_ONCE
