// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/system.h"

#include "core/mechanics/state.h"

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
