// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/symmetry.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>

#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"

namespace twosphere {

namespace {

constexpr int max_states = 1000;
constexpr double small = 1e-10;

double torques(const Columns& q, const Columns& force) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) sum += q.col(i).cross(force.col(i)).norm();
  return sum;
}

}  // namespace

std::array<bool, 3> symmetric_axes(const System& system, int states,
                                   const std::vector<Columns>& further) {
  if (damped(system)) return {false, false, false};
  const Eigen::Index n = system.size();
  const auto* variable = std::get_if<VariableInertia>(&system.inertia());
  std::array<bool, 3> same = axes_along(system.frame_rotation());
  Columns g(3, n), f(3, n), moving(3, n), turned(3, n);
  Eigen::MatrixXd m, dm;
  if (variable) m.resize(n, n), dm.resize(n, n);
  const GyroscopicField* field = system.gyroscopic();
  Columns a(3, n), da(3, n);
  const int given = static_cast<int>(further.size());
  int examined = 0;
  for (int k = 0; k < given + max_states && examined < given + states; ++k) {
    // Random states after those that are given.
    const int s = k - given;
    const Columns q = s < 0 ? further[static_cast<std::size_t>(k)]
                            : random_directions(system.size(), static_cast<std::uint64_t>(s));
    system.gradient(q, g);
    const double t = 0.1 + 0.7 * k;
    system.force(t, q, f);
    // Random tangents as angular velocities.
    if (system.has_velocity_force()) {
      const Columns w = random_tangents(q, static_cast<std::uint64_t>(k));
      system.velocity_force(t, q, w, moving);
      f += moving;
    }
    // States outside the domain of V tell nothing.
    if (!g.allFinite() || !f.allFinite()) continue;
    ++examined;
    // Sizes of the torques, against which a change is small.
    const double of_potential = torques(q, g), of_forces = torques(q, f);
    if (variable) variable->field->evaluate(q, m);
    if (field) field->evaluate(q, a);
    for (int axis = 0; axis < 3; ++axis) {
      // Symmetric about e: along δq_i = e × q_i V does not change and the forces do no work.
      for (Eigen::Index i = 0; i < n; ++i) turned.col(i) = Vec3::Unit(axis).cross(q.col(i));
      bool here = std::abs(turned.cwiseProduct(g).sum()) <= small * of_potential &&
                  std::abs(turned.cwiseProduct(f).sum()) <= small * of_forces;
      if (variable) {
        // And m(q) does not change.
        variable->field->derivative_along(q, turned, dm);
        here = here && dm.norm() <= small * m.norm();
      }
      if (field) {
        // And A turns with the bodies: the tangent part of its change along δq is that of e × A.
        field->derivative_along(q, turned, da);
        const double size = a.norm() + da.norm();
        double change = 0;
        for (Eigen::Index i = 0; i < n; ++i)
          change += tangent(q.col(i), da.col(i) - Vec3::Unit(axis).cross(a.col(i))).norm();
        here = here && change <= small * size;
      }
      same[static_cast<std::size_t>(axis)] = same[static_cast<std::size_t>(axis)] && here;
    }
    if (!same[0] && !same[1] && !same[2]) return same;
  }
  // Without a state there is nothing to judge by.
  if (examined == 0) return {false, false, false};
  return same;
}

std::array<bool, 3> turning_axes(const System& system) {
  constexpr int states = 3;
  if (system.gyroscopic()) return {false, false, false};
  const auto* variable = std::get_if<VariableInertia>(&system.inertia());
  const Eigen::Index n = system.size();
  std::array<bool, 3> same = axes_along(system.frame_rotation());
  Columns g(3, n), f(3, n), moving(3, n);
  // The torques at a state, and their size.
  const auto torques_at = [&](double t, const Columns& q, const Columns& w, Columns& out) {
    system.gradient(q, g);
    system.force(t, q, f);
    double size = torques(q, g) + torques(q, f);
    g -= f;
    if (system.has_velocity_force()) {
      system.velocity_force(t, q, w, moving);
      size += torques(q, moving);
      g -= moving;
    }
    for (Eigen::Index i = 0; i < n; ++i) out.col(i) = q.col(i).cross(g.col(i));
    return size;
  };
  int examined = 0;
  for (int k = 0; k < max_states && examined < states; ++k) {
    const Columns q = random_directions(system.size(), static_cast<std::uint64_t>(k)),
                  w = random_tangents(q, static_cast<std::uint64_t>(k));
    const double t = 0.1 + 0.7 * k;
    Columns here(3, n), there(3, n);
    const double size = torques_at(t, q, w, here);
    if (!here.allFinite()) continue;
    ++examined;
    for (int axis = 0; axis < 3; ++axis) {
      bool& fine = same[static_cast<std::size_t>(axis)];
      if (!fine) continue;
      const Mat3 turn = Eigen::AngleAxisd(1 + k, Vec3(Vec3::Unit(axis))).toRotationMatrix();
      torques_at(t, turn * q, turn * w, there);
      fine = (there - turn * here).norm() <= small * size;
      if (!fine || !variable) continue;
      Eigen::MatrixXd m(n, n), turned(n, n);
      variable->field->evaluate(q, m);
      variable->field->evaluate(turn * q, turned);
      fine = (turned - m).norm() <= small * m.norm();
    }
  }
  if (examined == 0) return {false, false, false};
  return same;
}

}  // namespace twosphere
