// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/legendre_transform.h"

#include <variant>

#include "core/integrators/damping.h"
#include "core/integrators/frame_turn.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/tangent_solver.h"

namespace twosphere {

namespace {

/// h times the terms of μ_k of the displacement.
Columns momentum_of_displacement(const System& system, double h, const Columns& q,
                                 const Columns& next) {
  const Eigen::Index n = q.cols();
  const Inertia& inertia = system.inertia();
  const Columns dq = next - q;
  Columns p(3, n);
  const auto* variable = std::get_if<VariableInertia>(&inertia);
  if (variable) {
    // ½ Σ_j [m_ij(q_k) + m_ij(q_{k+1})] Δq_j
    Eigen::MatrixXd m(n, n), m_next(n, n);
    variable->field->evaluate(q, m);
    variable->field->evaluate(next, m_next);
    multiply(Eigen::MatrixXd((m + m_next) / 2), dq, p);
    // −¼ Σ_jl (Δq_j·Δq_l) ∂m_jl/∂q_i
    const Eigen::MatrixXd products = -0.25 * (dq.transpose() * dq);
    variable->field->slopes(q, products, p);
  } else {
    multiply(inertia, q, dq, p);
  }
  if (const GyroscopicField* terms = system.gyroscopic()) {
    // (h/2) [A_{i,k+1} − A_{i,k} − Σ_j (∂A_j/∂q_i)ᵀ Δq_j]
    Columns a(3, n), a_next(3, n), slope = Columns::Zero(3, n);
    terms->evaluate(q, a);
    terms->evaluate(next, a_next);
    terms->slopes(q, dq, slope);
    p += h / 2 * (a_next - a - slope);
  }
  return p;
}

}  // namespace

StepReport velocities_between(const System& system, double t, double h, const Columns& q,
                              const Columns& next, Columns& w) {
  const Eigen::Index n = q.cols();
  StepReport report;
  // q_{k+1} in the axes at the beginning: exp(h Ω̂) q_{k+1}
  const Vec3 turn = system.frame_rotation();
  const bool turns = !turn.isZero(0);
  Columns there = next;
  if (turns) there += turn_change(turn, -h) * next;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (q.col(i).dot(there.col(i)) > 0) continue;
    report.status = StepStatus::step_too_large;
    report.body = static_cast<int>(i);
    return report;
  }
  Columns g(3, n), f = Columns::Zero(3, n), v(3, n);
  generalised_gradient(system, t, q, g, f);
  const bool flows = velocity_dependent(system);
  // −μ_k, or that of the velocities after the flow of all forces over h/2
  Columns rest = -momentum_of_displacement(system, h, q, there) / h;
  if (!flows) rest -= h / 2 * g;
  TangentSolver(system.inertia())
      .solve(system.inertia(), q, {.left = q, .right = q, .rest = rest}, v);
  if (turns) add_frame_velocity(-turn, q, v);
  if (flows) {
    double work = 0;
    report.status = Damping(system).apply(system, t, q, g, -h / 2, v, work);
    if (!report.ok()) return report;
  }
  if (!v.allFinite()) {
    report.status = StepStatus::not_finite;
    return report;
  }
  w.resize(3, n);
  for (Eigen::Index i = 0; i < n; ++i) w.col(i) = q.col(i).cross(v.col(i));
  return report;
}

}  // namespace twosphere
