// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"

/// What one step of a method does to the phase space T*(S²)ⁿ, measured at one state: by trying
/// steps from there with a method of its own, prepared anew, so that a run it is measured for does
/// not notice.
///
/// A state that is off the sphere is put on it first, and so is the end of every trial step: of a
/// method that leaves the sphere it is the map with projection that is measured.
namespace twosphere {

/// A method with its settings.
struct StepMap {
  const System& system;
  const IntegratorInfo& info;
  Values values;  ///< of the method's parameters, all of them
  double step;    ///< h [s]
};

/// How far a step is from preserving the symplectic form,
///
///   max_ab |Ω(DΦ ξ_a, DΦ ξ_b) − Ω(ξ_a, ξ_b)| / max_ab |Ω(ξ_a, ξ_b)|,
///   Ω(ξ, η) = Σ_i (δq_ξi·δp_ηi − δq_ηi·δp_ξi),  p_i = Π_i Σ_j M_ij q̇_j
///
/// over the basis (b, −(p_i·b) q_i), (0, |p|_rms b) of T(T*S²)ⁿ (near rest 1e-4 M_ii/h in place of
/// |p|) with two directions b ⟂ q_i per body: 4n directions, with more than `most_bodies` bodies
/// those of so many of them, evenly spread over their indices. DΦ by the stencil (1, −8, 8, −1)/12
/// along great circles and straight lines of momenta, ε = 1e-3, and, if the result is above
/// rounding, four times finer as long as that at least halves it: the error of the stencil falls as
/// ε⁴. Cost: 16 steps per body, two to five times.
struct SymplecticityDefect {
  static constexpr int most_bodies = 16;

  double defect = 0;
  /// What rounding alone comes to in the stencil: 10 u/ε, u = 2⁻⁵², times the most that a direction
  /// grows in the step.
  double rounding = 0;
  double spacing = 0;  ///< ε
  int directions = 0;  ///< of the basis, that were used
  int dimension = 0;   ///< 4n
};
/// Fails with kind numerical if a trial step is refused, or if `stop`, asked before each of them,
/// says so.
Result<SymplecticityDefect> symplecticity_defect(const StepMap& map, const State& state,
                                                 const std::function<bool()>& stop = {});

/// How far from its start a run of N steps of h and N steps of −h ends: the largest |Δq_i|, and
/// |Δω_i| relative to the largest |ω| at either turn. Where a method is reversible it is rounding,
/// which a chaotic motion makes larger.
struct ReversalError {
  static constexpr int usual_steps = 100;

  double distance = 0;
  double rounding = 0;  ///< N u, u = 2⁻⁵²
  int steps = 0;        ///< N
};
/// Likewise.
Result<ReversalError> reversal_error(const StepMap& map, const State& state,
                                     int steps = ReversalError::usual_steps,
                                     const std::function<bool()>& stop = {});

}  // namespace twosphere
