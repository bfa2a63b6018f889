// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/turning_potential.h"

#include <utility>
#include <variant>

namespace twosphere {

/// v_i − e (e·v_i).
Columns Turning::across(const Columns& v) const { return v - axis_ * (axis_.transpose() * v); }

double Turning::inertia(const Columns& q) const {
  if (first_order(system_)) return 0;
  return 2 * kinetic_energy(system_.inertia(), q, across(q));
}

double Turning::strength(const Columns& q) const {
  if (system_.strength().size() == 0) return 0;
  return axis_.dot(q * system_.strength());
}

Columns Turning::inertia_slope(const Columns& q) const {
  Columns slope = Columns::Zero(3, q.cols());
  if (first_order(system_)) return slope;
  const Columns p = across(q);
  multiply(system_.inertia(), q, p, slope);
  slope *= 2;
  if (const auto* variable = std::get_if<VariableInertia>(&system_.inertia()))
    variable->field->slopes(q, p.transpose() * p, slope);
  return slope;
}

Columns Turning::inertia_slope_along(const Columns& q, const Columns& v) const {
  Columns slope = Columns::Zero(3, q.cols());
  if (first_order(system_)) return slope;
  const Columns p = across(q), change = across(v);
  multiply(system_.inertia(), q, change, slope);
  slope *= 2;
  if (const auto* variable = std::get_if<VariableInertia>(&system_.inertia())) {
    const InertiaField& field = *variable->field;
    Eigen::MatrixXd dm(q.cols(), q.cols());
    field.derivative_along(q, v, dm);
    slope += 2 * p * dm;
    const Eigen::MatrixXd products = p.transpose() * p, half = change.transpose() * p;
    field.slopes(q, half + half.transpose(), slope);
    field.slopes_along(q, products, v, slope);
  }
  return slope;
}

Columns Turning::strength_slope(const Columns& q) const {
  if (system_.strength().size() == 0) return Columns::Zero(3, q.cols());
  return axis_ * system_.strength().transpose();
}

TurningPotential::TurningPotential(std::shared_ptr<const System> rest, int axis, Held held,
                                   double value)
    : ForwardingSystem(std::move(rest)),
      turning_(original(), Vec3::Unit(axis)),
      held_(held),
      value_(value) {
  conserved_[static_cast<std::size_t>(axis)] = true;
}

/// Ω.
double TurningPotential::rate(const Columns& q) const {
  return held_ == Held::rate ? value_ : (value_ - turning_.strength(q)) / turning_.inertia(q);
}

double TurningPotential::potential(const Columns& q) const {
  const double inertia = turning_.inertia(q), turn = rate(q), energy = 0.5 * turn * turn * inertia;
  return original().potential(q) +
         (held_ == Held::momentum ? energy : -energy - turn * turning_.strength(q));
}

/// Adds −½ Ω² ∂I − Ω ∂k, the slope of both forms.
void TurningPotential::add_slope(const Columns& q, Columns& g) const {
  const double turn = rate(q);
  g -= 0.5 * turn * turn * turning_.inertia_slope(q) + turn * turning_.strength_slope(q);
}

void TurningPotential::gradient(const Columns& q, Columns& g) const {
  original().gradient(q, g);
  add_slope(q, g);
}

void TurningPotential::gradient_compensated(const Columns& q, const Columns& q_low,
                                            Columns& g) const {
  original().gradient_compensated(q, q_low, g);
  add_slope(q, g);
}

void TurningPotential::hessian_times(const Columns& q, const Columns& v, Columns& h) const {
  original().hessian_times(q, v, h);
  const double turn = rate(q);
  h -= 0.5 * turn * turn * turning_.inertia_slope_along(q, v);
  if (held_ == Held::rate) return;
  // δΩ = −(δk + Ω δI)/I at a constant μ.
  const Columns slope = turning_.strength_slope(q) + turn * turning_.inertia_slope(q);
  h += slope.cwiseProduct(v).sum() / turning_.inertia(q) * slope;
}

}  // namespace twosphere
