// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/effective_potential.h"

#include <memory>

#include "core/mechanics/linear_terms.h"

namespace twosphere {

EffectivePotential::EffectivePotential(const System& system)
    : ForwardingSystem({std::shared_ptr<const System>(), &system}),
      turn_(system.frame_rotation()) {}

double EffectivePotential::potential(const Columns& q) const {
  return effective_potential(original(), q);
}

/// out_i += Σ_j M_ij Ω × (Ω × v_j)
void EffectivePotential::add_centrifugal(const Columns& q, const Columns& v, Columns& out) const {
  Columns twice(3, v.cols()), product(3, v.cols());
  for (Eigen::Index i = 0; i < v.cols(); ++i)
    twice.col(i) = turn_.cross(Vec3(turn_.cross(Vec3(v.col(i)))));
  multiply(inertia(), q, twice, product);
  out += product;
}

void EffectivePotential::add_slope(const Columns& q, Columns& g) const {
  if (turn_.isZero(0)) return;
  add_centrifugal(q, q, g);
  const Eigen::VectorXd& kappa = strength();
  for (Eigen::Index i = 0; i < kappa.size(); ++i) g.col(i) -= kappa[i] * turn_;
}

void EffectivePotential::gradient(const Columns& q, Columns& g) const {
  original().gradient(q, g);
  add_slope(q, g);
}

void EffectivePotential::gradient_compensated(const Columns& q, const Columns& q_low,
                                              Columns& g) const {
  original().gradient_compensated(q, q_low, g);
  add_slope(q, g);
}

void EffectivePotential::hessian_times(const Columns& q, const Columns& v, Columns& h) const {
  original().hessian_times(q, v, h);
  if (!turn_.isZero(0)) add_centrifugal(q, v, h);
}

}  // namespace twosphere
