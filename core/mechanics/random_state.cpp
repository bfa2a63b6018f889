// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/random_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/philox.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/free_base.h"

namespace twosphere {

namespace {

enum class Kind : std::uint32_t { direction, tangent };

/// Four normal numbers for a body of a member.
auto normal_of(std::uint64_t member, Eigen::Index body, std::uint64_t seed) {
  return normal_numbers(
      {static_cast<std::uint32_t>(member), static_cast<std::uint32_t>(member >> 32),
       static_cast<std::uint32_t>(body), 0},
      seed);
}

/// Two numbers in [0, 1) for a body of a state.
std::array<double, 2> drawn(Kind kind, Eigen::Index body, std::uint64_t which) {
  return uniform_numbers({static_cast<std::uint32_t>(body), static_cast<std::uint32_t>(kind), 0, 0},
                         which);
}

}  // namespace

Columns random_directions(int n, std::uint64_t which) {
  Columns q(3, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto [u, v] = drawn(Kind::direction, i, which);
    // Uniform in height and azimuth.
    const double z = 2 * u - 1, phi = 2 * std::numbers::pi * v;
    const double r = std::sqrt(std::max(0.0, 1 - z * z));
    q.col(i) = Vec3(r * std::cos(phi), r * std::sin(phi), z).normalized();
  }
  return q;
}

Columns random_tangents(const Columns& q, std::uint64_t which) {
  Columns d(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    // A unit vector of the tangent plane at a uniform angle.
    const double phi = 2 * std::numbers::pi * drawn(Kind::tangent, i, which)[0];
    d.col(i) = tangent_basis(q.col(i)) * Eigen::Vector2d(std::cos(phi), std::sin(phi));
  }
  return d;
}

void scatter(Columns& q, Columns& omega, double spread, std::uint64_t member, std::uint64_t seed) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const auto z = normal_of(member, i, seed);
    const Vec3 from = q.col(i), w = omega.col(i);
    const Eigen::Matrix<double, 3, 2> plane = tangent_basis(from);
    // q moved in its tangent plane; ω changed there and carried along.
    const Vec3 turned = (from + spread * (z[0] * plane.col(0) + z[1] * plane.col(1))).normalized();
    const Vec3 change = spread * (z[2] * plane.col(0) + z[3] * plane.col(1));
    q.col(i) = turned;
    omega.col(i) = tangent(turned, carried(from, turned, w + change));
  }
}

void scatter(const System& system, State& state, double spread, std::uint64_t member,
             std::uint64_t seed) {
  const Columns from = state.q;
  scatter(state.q, state.w, spread, member, seed);
  if (state.has_attitude()) carry_attitude(from, state);
  if (!state.flies()) return;
  const double by = spread * system.free_base()->length;
  const auto x = normal_of(member, state.q.cols(), seed),
             v = normal_of(member, state.q.cols() + 1, seed);
  state.x.col(0) += by * Vec3(x[0], x[1], x[2]);
  state.v.col(0) += by * Vec3(v[0], v[1], v[2]);
}

}  // namespace twosphere
