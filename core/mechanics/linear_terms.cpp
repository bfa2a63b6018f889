// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/linear_terms.h"

namespace twosphere {

bool has_strength(const System& system) {
  return system.strength().size() > 0 && !first_order(system);
}

bool has_frame_rotation(const System& system) { return !system.frame_rotation().isZero(0); }

bool has_gyroscopic(const System& system) { return system.gyroscopic() != nullptr; }

bool has_linear_terms(const System& system) {
  return has_strength(system) || has_frame_rotation(system) || has_gyroscopic(system);
}

std::array<bool, 3> axes_along(const Vec3& frame_rotation) {
  const Vec3& turn = frame_rotation;
  return {turn.y() == 0 && turn.z() == 0, turn.x() == 0 && turn.z() == 0,
          turn.x() == 0 && turn.y() == 0};
}

void add_frame_velocity(const Vec3& frame_rotation, const Columns& q, Columns& v) {
  for (Eigen::Index i = 0; i < q.cols(); ++i) v.col(i) += frame_rotation.cross(q.col(i));
}

double effective_potential(const System& system, const Columns& q) {
  const double potential = system.potential(q);
  const Vec3 turn = system.frame_rotation();
  if (turn.isZero(0)) return potential;
  // −½ Σ M_ij (Ω × q_i)·(Ω × q_j) − Ω·Σ κ_i q_i
  // Memory kept for the next call on this thread.
  thread_local Columns v;
  v.setZero(3, q.cols());
  add_frame_velocity(turn, q, v);
  double sum = -kinetic_energy(system.inertia(), q, v);
  const Eigen::VectorXd& kappa = system.strength();
  for (Eigen::Index i = 0; i < kappa.size(); ++i) sum -= kappa[i] * turn.dot(q.col(i));
  return potential + sum;
}

void add_effective_gradient(const System& system, const Columns& q, Columns& g) {
  if (!has_frame_rotation(system)) return;
  const Columns rest = Columns::Zero(3, q.cols());
  LinearTermsWorkspace work{rest, rest};
  add_linear_terms(system, q, rest, g, work);
}

void add_linear_terms(const System& system, const Columns& q, const Columns& v, Columns& g,
                      LinearTermsWorkspace& work) {
  const Vec3 turn = system.frame_rotation();
  if (!turn.isZero(0)) {
    // Σ_j M_ij Ω × (2 q̇_j + Ω × q_j)
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      work.rate.col(i) = turn.cross(Vec3(2 * v.col(i) + turn.cross(q.col(i))));
    multiply(system.inertia(), q, work.rate, work.product);
    g += work.product;
  }
  // −κ_i q_i × (q̇_i + Ω × q_i)
  const Eigen::VectorXd& kappa = system.strength();
  for (Eigen::Index i = 0; i < kappa.size(); ++i)
    g.col(i) -= kappa[i] * Vec3(q.col(i)).cross(Vec3(v.col(i) + turn.cross(q.col(i))));
  // Σ_j [∂A_i/∂q_j − (∂A_j/∂q_i)ᵀ] q̇_j
  if (const GyroscopicField* field = system.gyroscopic()) {
    field->derivative_along(q, v, work.product);
    g += work.product;
    work.product.setZero();
    field->slopes(q, v, work.product);
    g -= work.product;
  }
}

void add_to_form(const System& system, const Columns& q, const Columns& dq, Columns& p) {
  const Vec3 turn = system.frame_rotation();
  if (!turn.isZero(0)) {
    Columns rate = Columns::Zero(3, q.cols()), product(3, q.cols());
    add_frame_velocity(turn, dq, rate);
    multiply(system.inertia(), q, rate, product);
    p += product;
  }
  const Eigen::VectorXd& kappa = system.strength();
  for (Eigen::Index i = 0; i < kappa.size(); ++i)
    p.col(i) -= kappa[i] / 2 * Vec3(q.col(i)).cross(Vec3(dq.col(i)));
  if (const GyroscopicField* field = system.gyroscopic()) {
    Columns change(3, q.cols());
    field->derivative_along(q, dq, change);
    p += change;
  }
}

}  // namespace twosphere
