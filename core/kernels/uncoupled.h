// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

/// One variational step of uncoupled bodies, except for the gradient.
///
/// Notation: q ∈ S², ω ⟂ q [rad/s], m inertia [kg m²], h step [s], G the gradient of q [J], and the
/// torque τ = q × G [J], by components, one row per body.
///   drift  a = h ω_k − (h²/2m) τ_k,  q_{k+1} = a × q_k + √(1/(q_k·q_k) − a·a) q_k
///   kick   τ_{k+1} = q_{k+1} × G_{k+1},  ω = ω_k − (h/2m) (τ_k + τ_{k+1}),
///          ω_{k+1} = ω − q_{k+1} (q_{k+1}·ω)/(q_{k+1}·q_{k+1})
/// Operations are not fused and have a fixed order, so results are identical bit for bit at every
/// level.
namespace twosphere::uncoupled_kernel {

using Torques = Eigen::MatrixX3d;

void torque(const Columns& q, const Columns& g, Torques& out);

/// The first body whose step fails because the radicand is not positive, or n. `next` is valid only
/// if n is returned.
Eigen::Index drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                   const Torques& torque, Columns& next);

/// The radicand 1/(q·q) − a·a of one body.
double drift_square(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                    const Torques& torque, Eigen::Index i);

/// The first body whose ω_{k+1} or torque is not finite, or n. `torque_next` and `w_next` are valid
/// only if n is returned.
Eigen::Index kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                  const Columns& w, const Torques& torque, Torques& torque_next, Columns& w_next);

/// Scalar versions.
Eigen::Index plain_drift(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& w,
                         const Torques& torque, Columns& next);
Eigen::Index plain_kick(double h, const Eigen::VectorXd& m, const Columns& q, const Columns& g,
                        const Columns& w, const Torques& torque, Torques& torque_next,
                        Columns& w_next);

}  // namespace twosphere::uncoupled_kernel
