// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/mechanics/integrator.h"

namespace twosphere {

/// The modified energy H̃ of a variational method by its discrete action S, for any order and any
/// inertia. S grows in a step by the sum of the discrete Lagrangians of its stages, with Δq over a
/// stage of length s, or of its kicks and rotations of length s:
///
///   (1/2s) Σ m̄_ij Δq_i·Δq_j − (s/2)(U + U'),   −s U,   (s/2) Σ M_ii |ω_i|²
///
/// where U = V − Σ f_i·q_i and m̄ is the mean of m(q) at both ends. The steps are those of an exact
/// motion q(t) of a Lagrangian L̃ (backward error analysis), S is its action, and p = ∂L̃/∂q̇, so
/// that H̃ = p·q̇ − L̃ with the rates of change of q and S by central differences:
///
///   H̃_k = Σ_j c_j [p_k·(q_{k+j} − q_{k−j}) − (S_{k+j} − S_{k−j})]/h,   c = 4/5, −1/5, 4/105,
///   −1/280
///
/// The error of these differences is O(h⁸). Cost: eight steps.
class DiscreteActionEnergy {
 public:
  /// The method must have a DiscreteAction, and support the system.
  explicit DiscreteActionEnergy(const IntegratorInfo& method);

  /// H̃ [J] for steps of length h > 0 at a state whose ω is up to date, with constant forces as part
  /// of the potential. NaN if a step fails.
  double value(const System& system, const State& state, double h);

 private:
  double take_stage(const System& system, double s, State& state);
  double take_splitting(const System& system, double h, State& state);

  DiscreteAction action_;
  std::unique_ptr<Integrator> stage_;  // null for a splitting
  Columns before_, change_, product_, g_, f_;
};

/// U = V − Σ f_i·q_i [J] of constant forces.
double potential_with_forces(const System& system, const State& state);

}  // namespace twosphere
