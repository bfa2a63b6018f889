// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>

#include "core/kernels/aligned.h"
#include "core/kernels/dipoles.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/dipoles_dense.cpp"
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/ensemble-inl.h"

#ifndef TWOSPHERE_DIPOLE_PANEL
#define TWOSPHERE_DIPOLE_PANEL
namespace twosphere::dipole_kernel {

/// Largest number of rows in a panel, which is stored column by column: whole vectors of every
/// level.
inline constexpr std::size_t panel = 48;
/// The number of rows of the panel when `left` rows remain: padded with zeros to whole vectors.
inline std::size_t panel_height(std::size_t left) {
  return left < panel ? (left + 7) / 8 * 8 : panel;
}

}  // namespace twosphere::dipole_kernel
#endif

HWY_BEFORE_NAMESPACE();
namespace twosphere::dipole_kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes `count` vectors of rows of y = A x; columns are `height` numbers apart.
template <std::size_t count>
HWY_INLINE void rows(const double* a, std::size_t height, const double* x, std::size_t n,
                     double* y) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0;
  for (std::size_t j = 0; j < n; ++j, a += height) {
    const auto xj = hn::Set(d, x[j]);
    s0 = hn::MulAdd(hn::Load(d, a), xj, s0);
    if constexpr (count > 1) s1 = hn::MulAdd(hn::Load(d, a + lanes), xj, s1);
    if constexpr (count > 2) s2 = hn::MulAdd(hn::Load(d, a + 2 * lanes), xj, s2);
    if constexpr (count > 3) s3 = hn::MulAdd(hn::Load(d, a + 3 * lanes), xj, s3);
    if constexpr (count > 4) s4 = hn::MulAdd(hn::Load(d, a + 4 * lanes), xj, s4);
    if constexpr (count > 5) s5 = hn::MulAdd(hn::Load(d, a + 5 * lanes), xj, s5);
  }
  hn::StoreU(s0, d, y);
  if constexpr (count > 1) hn::StoreU(s1, d, y + lanes);
  if constexpr (count > 2) hn::StoreU(s2, d, y + 2 * lanes);
  if constexpr (count > 3) hn::StoreU(s3, d, y + 3 * lanes);
  if constexpr (count > 4) hn::StoreU(s4, d, y + 4 * lanes);
  if constexpr (count > 5) hn::StoreU(s5, d, y + 5 * lanes);
}

/// y = A x for n numbers.
void product(const double* a, const double* x, std::size_t n, double* y) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<double>());
  for (std::size_t first = 0; first < n; first += panel) {
    // One panel of rows; the last one is padded.
    const std::size_t height = panel_height(n - first);
    HWY_ALIGN double last[panel];
    const bool whole = first + height <= n;
    double* out = whole ? y + first : last;
    std::size_t row = 0;
    // Six vectors of rows at a time, then the rest.
    for (; row + 6 * lanes <= height; row += 6 * lanes) rows<6>(a + row, height, x, n, out + row);
    const std::size_t left = (height - row) / lanes;
    if (left == 5) rows<5>(a + row, height, x, n, out + row);
    if (left == 4) rows<4>(a + row, height, x, n, out + row);
    if (left == 3) rows<3>(a + row, height, x, n, out + row);
    if (left == 2) rows<2>(a + row, height, x, n, out + row);
    if (left == 1) rows<1>(a + row, height, x, n, out + row);
    if (!whole) std::copy(last, last + (n - first), y + first);
    a += height * n;
  }
}

/// y = A x of the members of an ensemble, with the sums of product().
void members_product(const double* a, const double* x, std::size_t n, double* y) {
  namespace en = ensemble::HWY_NAMESPACE;
  using en::number;
  const auto magnets = static_cast<Eigen::Index>(n / 3);
  for (Eigen::Index i = 0; i < magnets; ++i) {
    const std::size_t row = 3 * static_cast<std::size_t>(i), in_panel = row % panel,
                      first = row - in_panel, height = panel_height(n - first);
    for (std::size_t m = 0; m < ensemble_members; m += en::lanes) {
      en::Vector sum = en::zero_vector();
      // Three numbers of a column.
      const double* column = a + first * n + in_panel;
      const auto add_column = [&](en::V xj) HWY_ATTR {
        sum = {hn::MulAdd(number(column[0]), xj, sum.x), hn::MulAdd(number(column[1]), xj, sum.y),
               hn::MulAdd(number(column[2]), xj, sum.z)};
        column += height;
      };
      for (Eigen::Index j = 0; j < magnets; ++j) {
        const en::Vector q = en::load(x + m, j);
        add_column(q.x);
        add_column(q.y);
        add_column(q.z);
      }
      en::store(sum, y + m, i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twosphere::dipole_kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twosphere::dipole_kernel {

HWY_EXPORT(product);
HWY_EXPORT(members_product);

namespace {

class Dense final : public Coupling {
 public:
  Dense(const Columns& pivots, const Eigen::VectorXd& moments)
      : size_(static_cast<std::size_t>(3 * pivots.cols())),
        matrix_((size_ / panel * panel + panel_height(size_ % panel)) * size_) {
    for (Eigen::Index i = 0; i < pivots.cols(); ++i)
      for (Eigen::Index j = 0; j < pivots.cols(); ++j) {
        if (i == j) continue;
        // 3×3 block of the pair (i, j).
        const Mat3 k = pair(pivots.col(i) - pivots.col(j), moments[i], moments[j]);
        for (Eigen::Index row = 0; row < 3; ++row)
          for (Eigen::Index column = 0; column < 3; ++column)
            at(static_cast<std::size_t>(3 * i + row), static_cast<std::size_t>(3 * j + column)) =
                k(row, column);
      }
  }

  void multiply(const Columns& q, Columns& g) const override {
    HWY_DYNAMIC_DISPATCH(product)(matrix_.data(), q.data(), size_, g.data());
  }
  void multiply_together(const double* q, double* g) const override {
    HWY_DYNAMIC_DISPATCH(members_product)(matrix_.data(), q, size_, g);
  }

 private:
  double& at(std::size_t row, std::size_t column) {
    // Position in the panel, column by column.
    const std::size_t in_panel = row % panel, first = row - in_panel;
    return matrix_[first * size_ + column * panel_height(size_ - first) + in_panel];
  }

  std::size_t size_;  // 3n
  Aligned<double> matrix_;
};

}  // namespace

std::unique_ptr<const Coupling> dense(const Columns& pivots, const Eigen::VectorXd& moments) {
  return std::make_unique<Dense>(pivots, moments);
}

}  // namespace twosphere::dipole_kernel
#endif  // HWY_ONCE
