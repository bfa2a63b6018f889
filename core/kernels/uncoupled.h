// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

/// One variational step of uncoupled bodies but for the gradient.
///
/// Notation: q ∈ S², ω ⟂ q [rad/s], m inertia [kg m²], h step [s], G the gradient of q [J], and the
/// torque τ = q × G [J], by components, one row per body.
///   drift  a = h ω_k − (h²/2m) τ_k,  q_{k+1} = a × q_k + √(1/(q_k·q_k) − a·a) q_k
///   kick   τ_{k+1} = q_{k+1} × G_{k+1},  ω = ω_k − (h/2m) (τ_k + τ_{k+1}),
///          ω_{k+1} = ω − q_{k+1} (q_{k+1}·ω)/(q_{k+1}·q_{k+1})
/// Each operation is rounded by itself and in one order: the same bits on every level.
namespace twosphere::uncoupled_kernel {

using Torques = Eigen::MatrixX3d;

void torque(const Columns& q, const Columns& g, Torques& out);

/// The first body that cannot take the step, as the root's argument is not positive, or n; `next`
/// is of use only then.
Eigen::Index drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                   const Torques& torque, Columns& next);

/// 1/(q·q) − a·a of one body: what the root is taken of.
double drift_square(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                    const Torques& torque, Eigen::Index i);

/// The first body whose ω_{k+1} or torque is not finite, or n; `torque_next` and `w_next` are of
/// use only then.
Eigen::Index kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                  const Columns& w, const Torques& torque, Torques& torque_next, Columns& w_next);

/// The same, body by body.
Eigen::Index plain_drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                         const Torques& torque, Columns& next);
Eigen::Index plain_kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                        const Columns& w, const Torques& torque, Torques& torque_next,
                        Columns& w_next);

}  // namespace twosphere::uncoupled_kernel
