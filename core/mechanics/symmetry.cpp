// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/symmetry.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/mechanics/linear_terms.h"
#include "core/mechanics/random_state.h"

namespace twosphere {

namespace {

using Axes = std::array<bool, 3>;

constexpr int max_states = 1000;
constexpr double small = 1e-10;

double torques(const Columns& q, const Columns& force) {
  double sum = 0;
  for (Eigen::Index i = 0; i < q.cols(); ++i) sum += q.col(i).cross(force.col(i)).norm();
  return sum;
}

/// A state, and what acts there.
struct Trial {
  Trial(const System& system, int number, const Columns& at)
      : k(number),
        t(0.1 + 0.7 * number),
        q(at),
        w(random_tangents(at, static_cast<std::uint64_t>(number))),
        g(3, q.cols()),
        f(3, q.cols()) {
    act(system);
  }
  /// With q and ω turned.
  Trial(const System& system, const Trial& from, const Mat3& turn)
      : k(from.k), t(from.t), q(turn * from.q), w(turn * from.w), g(3, q.cols()), f(3, q.cols()) {
    act(system);
  }

  /// q_i × (∂V/∂q_i − f_i)
  Columns torque() const {
    Columns out(3, q.cols());
    for (Eigen::Index i = 0; i < q.cols(); ++i) out.col(i) = q.col(i).cross(g.col(i) - f.col(i));
    return out;
  }

  int k;
  double t;
  Columns q, w, g, f;  // ∂V/∂q, and all forces

 private:
  void act(const System& system) {
    system.gradient(q, g);
    system.force(t, q, f);
    if (!system.has_velocity_force()) return;
    Columns moving(3, q.cols());
    system.velocity_force(t, q, w, moving);
    f += moving;
  }
};

/// The axes for which `holds` at the states `further` and at so many random ones, and about which
/// m(q) does not change.
template <class Holds>
Axes axes_at_states(const System& system, int states, const std::vector<Columns>& further,
                    const Holds& holds) {
  const Eigen::Index n = system.size();
  const auto* variable = std::get_if<VariableInertia>(&system.inertia());
  Eigen::MatrixXd m(variable ? n : 0, variable ? n : 0), dm = m;
  Axes same = axes_along(system.frame_rotation());
  const int given = static_cast<int>(further.size());
  int examined = 0;
  for (int k = 0; k < given + max_states && examined < given + states; ++k) {
    // Random states after those that are given.
    const Trial at(system, k,
                   k < given
                       ? further[static_cast<std::size_t>(k)]
                       : random_directions(system.size(), static_cast<std::uint64_t>(k - given)));
    // States outside the domain of V tell nothing.
    if (!at.g.allFinite() || !at.f.allFinite()) continue;
    ++examined;
    if (variable) variable->field->evaluate(at.q, m);
    for (int axis = 0; axis < 3; ++axis) {
      bool& here = same[static_cast<std::size_t>(axis)];
      // Along δq_i = e × q_i.
      Columns along(3, n);
      for (Eigen::Index i = 0; i < n; ++i) along.col(i) = Vec3::Unit(axis).cross(at.q.col(i));
      if (here && variable) {
        variable->field->derivative_along(at.q, along, dm);
        here = dm.norm() <= small * m.norm();
      }
      here = here && holds(at, axis, along);
    }
    if (!same[0] && !same[1] && !same[2]) return same;
  }
  // Without a state there is nothing to judge by.
  if (examined == 0) return {false, false, false};
  return same;
}

}  // namespace

Axes symmetric_axes(const System& system, int states, const std::vector<Columns>& further) {
  if (damped(system)) return {false, false, false};
  const GyroscopicField* field = system.gyroscopic();
  return axes_at_states(
      system, states, further, [&](const Trial& at, int axis, const Columns& along) {
        // V does not change and the forces do no work, against the sizes of the torques.
        if (std::abs(along.cwiseProduct(at.g).sum()) > small * torques(at.q, at.g) ||
            std::abs(along.cwiseProduct(at.f).sum()) > small * torques(at.q, at.f))
          return false;
        if (!field) return true;
        // And A turns with the bodies: the tangent part of its change along δq is that of e × A.
        Columns a(3, at.q.cols()), da(3, at.q.cols());
        field->evaluate(at.q, a);
        field->derivative_along(at.q, along, da);
        double change = 0;
        for (Eigen::Index i = 0; i < at.q.cols(); ++i)
          change += tangent(at.q.col(i), da.col(i) - Vec3::Unit(axis).cross(a.col(i))).norm();
        return change <= small * (a.norm() + da.norm());
      });
}

Axes axes_by_turning(const System& system) {
  constexpr int states = 3;
  if (system.gyroscopic()) return {false, false, false};
  return axes_at_states(
      system, states, {}, [&](const Trial& at, int axis, const Columns& /*along*/) {
        const Mat3 turn = Eigen::AngleAxisd(1 + at.k, Vec3(Vec3::Unit(axis))).toRotationMatrix();
        return (Trial(system, at, turn).torque() - turn * at.torque()).norm() <=
               small * (torques(at.q, at.g) + torques(at.q, at.f));
      });
}

// What systems know of themselves only by trying.

bool System::repeats_after(double time) const {
  constexpr int times = 24, configurations = 2;
  constexpr double golden = 0.6180339887498949, allowed = 1e-9;
  Columns f(3, size()), moving(3, size());
  const auto forces = [&](double t, const Columns& q, const Columns& w) {
    force(t, q, f);
    if (has_velocity_force()) {
      velocity_force(t, q, w, moving);
      f += moving;
    }
    return f;
  };
  double largest = 0, most = 0;
  for (std::uint64_t c = 0; c < configurations; ++c) {
    const Columns q = random_directions(size(), c), w = random_tangents(q, c);
    for (int k = 0; k < times; ++k) {
      const double t = time * std::fmod(golden * (k + 1), 1.0);
      const Columns now = forces(t, q, w);
      if (!now.allFinite()) return false;
      largest = std::max(largest, now.norm());
      for (const int later : {1, 2, 7})
        most = std::max(most, (forces(t + later * time, q, w) - now).norm());
    }
  }
  return most <= allowed * largest;
}

std::array<bool, 3> System::turning_axes() const { return axes_by_turning(*this); }

}  // namespace twosphere
