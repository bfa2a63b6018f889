// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/mechanics/integrator.h"

/// Properties of one step of a method as a map of the phase space T*(S²)ⁿ, measured at one state
/// with a separate instance of the method, so that the run is not affected.
///
/// The state is first projected onto the sphere, and so is the end of every trial step. For a
/// method that leaves the sphere, the step followed by projection is measured.
namespace twosphere {

/// A method with its settings.
struct StepMap {
  const System& system;
  const IntegratorInfo& info;
  Values values;  ///< of the method's parameters, all of them
  double step;    ///< h [s]
};

/// The verdict of a measured defect on a step.
enum class Symplecticity {
  symplectic,      ///< symplectic by construction, which the measurement confirms
  not_symplectic,  ///< the defect is more than rounding
  not_resolved,    ///< it is hidden by rounding, and the method is not symplectic by construction
};
/// "symplectic", "not symplectic" or "not resolved".
std::string_view describe(Symplecticity verdict);

/// The deviation of a step from preserving the symplectic form,
///
///   max_ab |Ω(DΦ ξ_a, DΦ ξ_b) − Ω(ξ_a, ξ_b)| / max_ab |Ω(ξ_a, ξ_b)|,
///   Ω(ξ, η) = Σ_i (δq_ξi·δp_ηi − δq_ηi·δp_ξi),  p_i = Π_i Σ_j M_ij q̇_j
///
/// with Ω(ξ, η) = Σ_i κ_i q_i·(δq_ξi × δq_ηi) added for strengths, p_i + A_i in place of p_i with
/// gyroscopic terms, and p_i of inertial velocities in a frame that rotates, over the basis (b,
/// −(p_i·b) q_i), (0, |p|_rms b) of T(T*S²)ⁿ (near rest 1e-4 M_ii/h in place of |p|) with two
/// directions b ⟂ q_i per body: 4n directions; with more than `max_bodies` bodies, those of
/// `max_bodies` of them, evenly spaced over the indices. A base that flies adds δX·δP of X and its
/// momentum P = m_t Ẋ, and the six directions of X/L and L P. DΦ is the tangent map of the method
/// or the derivative of its stages, see TangentMap and Integrator::stage_derivative(). Where there
/// is neither, it is approximated by the stencil (1, −8, 8, −1)/12 along great circles and straight
/// lines of momenta, with ε = 1e-3. If the result is above rounding, ε is divided by four as long
/// as this at least halves the defect, because the error of the stencil falls as ε⁴. Cost: a step
/// per two bodies and its derivatives; by the stencil 16 steps per body, two to five times.
///
/// The same of Φ^100, each step from the projected end of the one before, over the directions of 4
/// bodies: 100 steps per two bodies and their derivatives.
///
/// A step is not symplectic if one of the two is above four times its rounding. It is symplectic if
/// the method is by construction, of fixed steps, and no force depends on velocities: damping and
/// magnetic forces change Ω, also where the change is less than rounding.
struct SymplecticityDefect {
  static constexpr int max_bodies = 16;
  static constexpr int many_steps = 100;
  static constexpr int max_bodies_of_many = 4;

  double defect = 0;
  /// The effect of rounding: with u = 2⁻⁵², 15 u √(4n) N times the square of the largest growth of
  /// a direction in N steps; by the stencil 10 u/ε times that growth.
  double rounding = 0;
  double spacing = 0;  ///< ε of the stencil, 0 if DΦ is exact
  int directions = 0;  ///< of the basis, that were used
  int dimension = 0;   ///< 4n, and 6 of a base that flies
  struct Measured {
    double defect = 0, rounding = 0;
  };
  /// Of Φ^100; none by the stencil, or where a later step fails.
  std::optional<Measured> many{};
  Symplecticity verdict = Symplecticity::not_resolved;
};
/// Fails with kind numerical if a trial step fails, or if `stop`, called before each trial step,
/// returns true.
Result<SymplecticityDefect> symplecticity_defect(const StepMap& map, const State& state,
                                                 const std::function<bool()>& stop = {});

/// The distance from the initial state after N steps of h and N steps of −h: the largest |Δq_i|,
/// and |Δω_i| relative to the largest |ω| at the start and after each half. Of a base that flies
/// also |ΔX| relative to the largest |X| there or, if that is longer, to the length L of the chain,
/// and |ΔẊ| relative to the largest |Ẋ| or L|ω|. For a reversible method this is rounding, which a
/// chaotic motion amplifies.
struct ReversalError {
  static constexpr int default_steps = 100;

  double distance = 0;
  double rounding = 0;  ///< N u, u = 2⁻⁵²
  int steps = 0;        ///< N
};
/// Likewise.
Result<ReversalError> reversal_error(const StepMap& map, const State& state,
                                     int steps = ReversalError::default_steps,
                                     const std::function<bool()>& stop = {});

}  // namespace twosphere
