// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/grip.h"

#include <algorithm>
#include <cmath>

#include "core/base/decompositions.h"

namespace twosphere {

namespace {

/// a M⁻¹ aᵀ [1/kg].
double mobility(const Inertia& inertia, const Columns& q, const Eigen::VectorXd& a, int body) {
  if (const auto* chain = std::get_if<ChainInertia>(&inertia)) return 1 / chain->mass[body];
  if (const auto* diagonal = std::get_if<DiagonalInertia>(&inertia))
    return (a.array().square() / diagonal->m.array()).sum();
  return a.dot(solve_semidefinite(dense(inertia, q), a));
}

}  // namespace

Grip::Grip(const System& system, const Columns& q, int body) : levers_(system.size()) {
  for (int j = 0; j < system.size(); ++j) levers_[j] = system.lever(body, j);
  Geometry geometry;
  system.geometry(q, geometry);
  offset_ = geometry.bodies[static_cast<std::size_t>(body)].position - q * levers_;
  mass_ = 1 / mobility(system.inertia(), q, levers_, body);
  shortest_ = std::abs(levers_[body]);
  for (const double a : levers_)
    if (a != 0) shortest_ = std::min(shortest_, std::abs(a));
}

Vec3 Grip::point(const Columns& q) const { return offset_ + q * levers_; }

Vec3 Grip::velocity(const State& state) const {
  Vec3 v = Vec3::Zero();
  for (Eigen::Index j = 0; j < levers_.size(); ++j)
    if (levers_[j] != 0) v += levers_[j] * state.w.col(j).cross(Vec3(state.q.col(j)));
  return v;
}

Vec3 Grip::force(const State& state, const Vec3& target, const Spring& spring) const {
  const double frequency = spring.frequency;
  Vec3 stretch = target - point(state.q);
  const double longest = most_turn * shortest_ / (spring.step * frequency);
  if (const double length = stretch.norm(); length > longest) stretch *= longest / length;
  const Vec3 v = (spring.reversed ? -1 : 1) * velocity(state);
  return mass_ * frequency * (frequency * stretch - 2 * v);
}

}  // namespace twosphere
