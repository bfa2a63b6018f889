// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/lennard_jones.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/lennard_jones.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace twosphere::lennard_jones_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes are molecules i; each meets all j in turn.
void all_pairs(double depth, double s, std::size_t n, Workspace& work) {
  const hn::ScalableTag<double> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const double *x = work.x.data(), *y = work.y.data(), *z = work.z.data();
  // With u = 1/r²: D [6 (σ/r)⁶ − 12 (σ/r)¹²]/r² = 6 D σ⁶ u⁴ (1 − 2 σ⁶ u³).
  const double s3 = s * s * s;
  const V one = hn::Set(d, 1), repulsion = hn::Set(d, 2 * s3), scale = hn::Set(d, 6 * depth * s3);
  for (std::size_t i = 0; i < n; i += lanes) {
    const V xi = hn::Load(d, x + i), yi = hn::Load(d, y + i), zi = hn::Load(d, z + i);
    V gx = hn::Zero(d), gy = gx, gz = gx;
    const auto meet = [&](std::size_t j, auto weight_of) HWY_ATTR {
      const V dx = hn::Sub(xi, hn::Set(d, x[j]));
      const V dy = hn::Sub(yi, hn::Set(d, y[j]));
      const V dz = hn::Sub(zi, hn::Set(d, z[j]));
      const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      const V u = hn::Div(one, r2), u2 = hn::Mul(u, u), u3 = hn::Mul(u2, u);
      const V w = weight_of(hn::Mul(hn::Mul(u2, u2), hn::NegMulAdd(repulsion, u3, one)));
      gx = hn::MulAdd(w, dx, gx);
      gy = hn::MulAdd(w, dy, gy);
      gz = hn::MulAdd(w, dz, gz);
    };
    const auto whole = [](V w) HWY_ATTR { return w; };
    const std::size_t end = i + lanes < n ? i + lanes : n;
    for (std::size_t j = 0; j < i; ++j) meet(j, whole);
    const V index = hn::Iota(d, static_cast<double>(i));
    for (std::size_t j = i; j < end; ++j)  // not with itself
      meet(j, [&](V w) HWY_ATTR {
        return hn::IfThenZeroElse(hn::Eq(index, hn::Set(d, static_cast<double>(j))), w);
      });
    for (std::size_t j = end; j < n; ++j) meet(j, whole);
    hn::Store(hn::Mul(scale, gx), d, work.gx.data() + i);
    hn::Store(hn::Mul(scale, gy), d, work.gy.data() + i);
    hn::Store(hn::Mul(scale, gz), d, work.gz.data() + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::lennard_jones_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twosphere::lennard_jones_kernel {

HWY_EXPORT(all_pairs);

void gradient(double depth, double sigma_squared, const Columns& q, Columns& g, Workspace& work) {
  const auto n = static_cast<std::size_t>(q.cols());
  for (Aligned<double>* component : {&work.x, &work.y, &work.z, &work.gx, &work.gy, &work.gz})
    component->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = q.col(static_cast<Eigen::Index>(i));
    work.x[i] = column[0];
    work.y[i] = column[1];
    work.z[i] = column[2];
  }
  HWY_DYNAMIC_DISPATCH(all_pairs)(depth, sigma_squared, n, work);
  for (std::size_t i = 0; i < n; ++i)
    g.col(static_cast<Eigen::Index>(i)) << work.gx[i], work.gy[i], work.gz[i];
}

void plain_gradient(double depth, double sigma_squared, const Columns& q, Columns& g) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index j = 0; j < q.cols(); ++j) {
      if (j == i) continue;
      const Vec3 apart = q.col(i) - q.col(j);
      const double r2 = apart.squaredNorm();
      const double s2 = sigma_squared / r2, s6 = s2 * s2 * s2;
      sum += (depth * (6 - 12 * s6) * s6 / r2) * apart;
    }
    g.col(i) = sum;
  }
}

}  // namespace twosphere::lennard_jones_kernel
#endif  // HWY_ONCE
