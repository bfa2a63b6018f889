// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/integrator.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The velocities with which the variational integrator goes from q_k to q_{k+1} in one step h: the
/// discrete Legendre transform [P1] (3.8), μ_k = −Π_k ∂L_d/∂q_k,
///
///   μ_{i,k} = Π_i [(1/h) Σ_j M_ij Δq_j + (h/2) (∂V/∂q_i − f_i)(t, q_k)],  Δq = q_{k+1} − q_k,
///
/// where for m_ij(q) the first term is (1/2h) Σ_j [m_ij(q_k) + m_ij(q_{k+1})] Δq_j − (1/4h) Σ_jl
/// (Δq_j·Δq_l) ∂m_jl/∂q_i. Terms Σ A_i(q)·q̇_i of the Lagrangian add ½ [A_{i,k+1} − A_{i,k} − Σ_j
/// (∂A_j/∂q_i)ᵀ Δq_j]. With damping or other forces that depend on velocities, the flow of all
/// forces over h/2 takes the place of the last term, see Damping. ω_k is that of μ_k. In axes that
/// rotate with Ω exp(h Ω̂) q_{k+1} is in place of q_{k+1}, and q̇ is relative to them.
///
/// Writes ω_k to `w`. Fails with step_too_large where a body turns a quarter turn or more, which no
/// step does, as Damping::apply() does, and with not_finite; `w` is then unchanged. Cost: one
/// gradient and one TangentSolver::solve(). Allocates memory.
StepReport velocities_between(const System& system, double t, double h, const Columns& q,
                              const Columns& next, Columns& w);

}  // namespace twosphere
