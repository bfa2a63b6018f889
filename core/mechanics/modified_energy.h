// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/mechanics/discrete_action.h"
#include "core/mechanics/dynamics.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

/// The modified energy H̃ of a variational method: its steps follow the exact motion of H̃ to a
/// higher order than that of the energy H = T + V itself, and what H̃ drifts by is what the method
/// does not follow (backward error analysis, Hairer, Lubich, Wanner 2006, IX).
///
/// Methods of order 2 have it in closed form to order 4, so that H̃ − W varies by O(h⁴) where H − W
/// varies by O(h²). With variable inertia and for methods of order 4 it is that of
/// DiscreteActionEnergy, to order 8. Methods of higher order have none: their H is kept better.
///
/// Notation: constant M, constant forces f, G = ∂V/∂q − f, K = ∂²V, v_i = q̇_i, a_i = q̈_i in R³,
/// with its part −|v_i|² q_i. The discrete Lagrangian of [P1] (3.1) is the exact one of
///
///   L̃ = L − h² [(1/24) Σ M_ij a_i·a_j + (1/12) V̈],  V̈ = Σ v_i·(K v)_i + G_i·a_i
///
/// along curves on the spheres, up to O(h⁴). Momenta are those of L_d, so that the first correction
/// of H is minus that of L:
///
///   variational: H̃ = H + (h²/24) Σ M_ij a_i·a_j + (h²/12) Σ [v_i·(K v)_i + G_i·a_i]
///
///   rotation:    H̃ = H + (h²/12) Σ [v_i·(K v)_i − (q_i·G_i) |v_i|²] − (h²/24) Σ |Π_i G_i|²/m_i
///
/// the second by the formula of Baker, Campbell and Hausdorff. Cost: a gradient, a product with the
/// Hessian and, for the first, the accelerations; of the discrete action eight steps. Tests: slopes
/// of the variation of H̃ − W.
class ModifiedEnergy {
 public:
  /// Why this method has no modified energy in this system, as a clause for "…, because …"; empty
  /// if it has one.
  static std::string missing(const System& system, const IntegratorInfo& method);
  /// The power of h with which H̃ − W varies, 4 or 8; missing() must be empty.
  static int order(const System& system, const IntegratorInfo& method);

  /// Allocates; missing() must be empty.
  ModifiedEnergy(const System& system, const IntegratorInfo& method);

  /// H̃ − H [J] for steps of length h > 0 at a state whose ω is up to date; NaN where the steps of
  /// the discrete action fail.
  double correction(const System& system, const State& state, double h);

 private:
  ModifiedForm form_;
  std::optional<DiscreteActionEnergy> action_;  // in place of the closed form
  EquationsOfMotion equations_;
  Columns v_, a_, g_, f_, product_;
};

}  // namespace twosphere
