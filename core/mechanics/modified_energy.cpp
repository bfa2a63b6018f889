// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/modified_energy.h"

#include <cmath>
#include <variant>

#include "core/mechanics/diagnostics.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

namespace {

/// Whether external forces depend on q: their slope along a vector without symmetry is not zero.
bool forces_depend_on_directions(const System& system) {
  if (!system.has_external_force()) return false;
  Columns q(3, system.size()), v(3, system.size()), slope(3, system.size());
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const double x = static_cast<double>(i) + 1;
    q.col(i) = Vec3(std::sin(x), std::cos(2 * x), std::sin(3 * x) + 2).normalized();
    v.col(i) = tangent(q.col(i), Vec3(std::cos(x), std::sin(5 * x), std::cos(7 * x)));
  }
  system.force_slope(0, q, v, slope);
  return !slope.isZero(0);
}

bool by_action(const System& system, const IntegratorInfo& method) {
  return method.modified_energy == ModifiedForm::none ||
         std::holds_alternative<VariableInertia>(system.inertia());
}

}  // namespace

std::string ModifiedEnergy::missing(const System& system, const IntegratorInfo& method) {
  if (method.adaptive) return "it adapts its steps";
  if (!method.symplectic) return "it is not symplectic";
  if (first_order(system)) return "the system has no kinetic energy";
  if (by_action(system, method) && method.action.stages.empty())
    return method.order > 4 ? "methods of order above 4 keep the energy itself as well"
                            : "the inertia depends on the directions";
  if (has_strength(system)) return "bodies have a strength";
  if (has_frame_rotation(system)) return "the frame rotates";
  if (system.free_base()) return "the base flies";
  if (has_gyroscopic(system)) return "the system has gyroscopic terms";
  if (system.force_tolerance() > 0) return "the forces are sums to a tolerance";
  if (damped(system)) return "bodies are damped";
  if (system.has_velocity_force()) return "a force depends on velocities";
  if (system.time_dependent()) return "a force depends on time";
  if (forces_depend_on_directions(system)) return "a force depends on the directions";
  return {};
}

ModifiedEnergy::ModifiedEnergy(const System& system, const IntegratorInfo& method)
    : form_(method.modified_energy), equations_(system, Formulation::velocity) {
  if (by_action(system, method)) action_.emplace(method);
  for (Columns* c : {&v_, &a_, &g_, &f_, &product_}) c->setZero(3, system.size());
}

int ModifiedEnergy::order(const System& system, const IntegratorInfo& method) {
  return by_action(system, method) ? 8 : 4;
}

double ModifiedEnergy::correction(const System& system, const State& state, double h) {
  const auto n = state.q.cols();
  if (action_)
    return action_->value(system, state, h) -
           (kinetic_energy(system, state) + potential_with_forces(system, state));
  for (Eigen::Index i = 0; i < n; ++i) v_.col(i) = state.w.col(i).cross(state.q.col(i));
  generalised_gradient(system, state.t, state.q, g_, f_);
  system.hessian_times(state.q, v_, product_);
  const double along = v_.cwiseProduct(product_).sum();
  if (form_ == ModifiedForm::rotation) {
    const Eigen::VectorXd& m = std::get<DiagonalInertia>(system.inertia()).m;
    double radial = 0, squares = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      radial += state.q.col(i).dot(g_.col(i)) * v_.col(i).squaredNorm();
      squares += tangent(state.q.col(i), g_.col(i)).squaredNorm() / m[i];
    }
    return h * h * ((along - radial) / 12 - squares / 24);
  }
  // q̈; q̇ is v again.
  (void)equations_.evaluate(system, state.t, state.q, v_, product_, a_);
  multiply(system.inertia(), state.q, a_, product_);
  return h * h * (a_.cwiseProduct(product_).sum() / 24 + (along + g_.cwiseProduct(a_).sum()) / 12);
}

}  // namespace twosphere
