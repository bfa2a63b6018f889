// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/random_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace twosphere {

namespace {

/// SplitMix64: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// Numbers in [0, 1), the k-th of a stream.
class Stream {
 public:
  explicit Stream(std::uint64_t seed) : seed_(mixed(seed)) {}
  double operator()(std::uint64_t k) const {
    return static_cast<double>(mixed(seed_ + k) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

Columns random_directions(int n, std::uint64_t which) {
  const Stream number(2 * which);
  Columns q(3, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::uint64_t>(2 * i);
    const double z = 2 * number(k) - 1, phi = 2 * std::numbers::pi * number(k + 1);
    const double r = std::sqrt(std::max(0.0, 1 - z * z));
    q.col(i) = Vec3(r * std::cos(phi), r * std::sin(phi), z).normalized();
  }
  return q;
}

Columns random_tangents(const Columns& q, std::uint64_t which) {
  const Stream number(2 * which + 1);
  Columns d(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double phi = 2 * std::numbers::pi * number(static_cast<std::uint64_t>(i));
    d.col(i) = tangent_basis(q.col(i)) * Eigen::Vector2d(std::cos(phi), std::sin(phi));
  }
  return d;
}

}  // namespace twosphere
