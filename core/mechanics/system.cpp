// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/system.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/mechanics/random_state.h"
#include "core/mechanics/state.h"
#include "core/mechanics/symmetry.h"

namespace twosphere {

void Geometry::clear() {
  pivots.clear();
  bodies.clear();
  links.clear();
  springs.clear();
  arrows.clear();
  guides.clear();
  frame.clear();
  curves.reset();
  ellipsoid.setZero();
  cells.clear();
  fixed.clear();
  bending.clear();
  ring = false;
  sphere = false;
  body_radius = 0;
}

const Eigen::VectorXd& System::damping() const {
  static const Eigen::VectorXd none;
  return none;
}

const Eigen::VectorXd& System::strength() const {
  static const Eigen::VectorXd none;
  return none;
}

void System::geometry(const State& state, Geometry& out) const {
  if (state.x.cols() == 0)
    geometry(state.q, out);
  else
    geometry(positions(state), out);
}

double System::own_quantity(std::string_view name, const State& state) const {
  return own_quantity(name, state.t, state.q, state.w);
}

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
      largest = std::max(largest, now.norm());
      for (const int later : {1, 2, 7})
        most = std::max(most, (forces(t + later * time, q, w) - now).norm());
    }
  }
  return most <= allowed * largest;
}

std::array<bool, 3> System::turning_axes() const { return axes_by_turning(*this); }

Box System::accessible_box(double /*energy*/) const {
  // The cube about everything that can be reached.
  const Extent e = extent();
  return {e.center - Vec3::Constant(e.radius), e.center + Vec3::Constant(e.radius)};
}

namespace {

/// G = ∂V/∂q − f from ∂V/∂q.
void subtract_force(const System& system, double t, const Columns& q, Columns& g, Columns& f) {
  if (!system.has_external_force()) return;
  system.force(t, q, f);
  g -= f;
}

}  // namespace

void generalised_gradient(const System& system, double t, const Columns& q, Columns& g,
                          Columns& f) {
  system.gradient(q, g);
  subtract_force(system, t, q, g, f);
}

void generalised_gradient(const System& system, double t, const Columns& q, const Columns& q_low,
                          Columns& g, Columns& f) {
  system.gradient_compensated(q, q_low, g);
  subtract_force(system, t, q, g, f);
}

}  // namespace twosphere
