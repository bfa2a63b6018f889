// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/motion_rate.h"

#include <cmath>

namespace twosphere {

MotionRate motion_rate(const System& system, double t, const Columns& q, const Columns& w,
                       MotionRateWorkspace& work) {
  if (const auto encounter = system.encounter_rate(q, w)) return *encounter;
  auto& [v, g, f, h, m, dm] = work;
  for (Columns* c : {&v, &g, &f, &h}) c->resize(3, q.cols());
  m.resize(q.cols());
  const Inertia& inertia = system.inertia();
  // q̇, ∂V/∂q, its derivative along q̇, and the power of all forces.
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) = w.col(i).cross(q.col(i));
  system.gradient(q, g);
  system.hessian_times(q, v, h);
  diagonal(inertia, q, m);
  double power = -g.cwiseProduct(v).sum();
  if (system.has_external_force()) {
    system.force(t, q, f);
    power += f.cwiseProduct(v).sum();
    if (!system.time_dependent()) {
      // G and its derivative along v.
      g -= f;
      system.force_slope(t, q, v, f);
      h -= f;
    }
  }
  if (system.has_velocity_force()) {
    system.velocity_force(t, q, w, f);
    power += f.cwiseProduct(v).sum();
  }
  // Σ |G_i|²/m_ii² and half its rate of change, Σ G_i·Ġ_i/m_ii² − |G_i|² ṁ_ii/m_ii³.
  double forces = 0, forces_change = 0, all_change = 0;
  const auto* variable = std::get_if<VariableInertia>(&inertia);
  if (variable) {
    dm.resize(q.cols(), q.cols());
    variable->field->derivative_along(q, v, dm);
  }
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double square = g.col(i).squaredNorm() / (m[i] * m[i]);
    const double change = variable ? dm(i, i) : 0;  // ṁ_ii
    forces += square;
    forces_change += g.col(i).dot(h.col(i)) / (m[i] * m[i]) - square * change / m[i];
    all_change += change;
  }
  // 2T/Σ m_ii and its rate of change, 2 (f − g)·v/Σ m_ii − 2T Σ ṁ_ii/(Σ m_ii)².
  double speed = 0, speed_change = 0;
  if (!damped(system)) {
    const double all = m.sum();
    multiply(inertia, q, v, h);
    speed = h.cwiseProduct(v).sum() / all;
    speed_change = 2 * power / all - speed * all_change / all;
  }
  // σ² and its rate of change.
  const double square = std::sqrt(speed * speed + forces);
  if (square == 0) return {};
  return {square, (speed * speed_change + forces_change) / square};
}

}  // namespace twosphere
