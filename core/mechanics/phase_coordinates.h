// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/integrator.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// Coordinates of the phase space T(S²)ⁿ about a state z = (q, ω): 4n numbers x = (ξ, η), two and
/// two for each body, with B_i = tangent_basis(q_i) and ω₀ of tangent_norm(),
///
///   δq_i = B_i ξ_i [rad],   Π_i δω_i = ω₀ B_i η_i,
///
/// the part of δω_i along q_i being −(ω_i·δq_i). Systems of first order have no η, and δω = 0: 2n
/// numbers of (S²)ⁿ.
class PhaseCoordinates {
 public:
  /// The system must outlive them.
  PhaseCoordinates(const System& system, const State& state);

  Eigen::Index size() const { return (first_order_ ? 2 : 4) * state_.q.cols(); }
  const State& state() const { return state_; }
  double rate() const { return rate_; }  ///< ω₀ [1/s]

  TangentVector vector(const Eigen::VectorXd& x) const;
  /// x of a tangent vector, also of one at another state: its parts along B_i.
  Eigen::VectorXd coordinates(const Columns& dq, const Columns& dw) const;
  /// x of the differences of another state from this one, in R³.
  Eigen::VectorXd difference(const State& to) const {
    return coordinates(to.q - state_.q, to.w - state_.w);
  }
  /// The length of difference() with the parts of the q_i along this state's, which the coordinates
  /// do not have: opposite directions are 2 apart.
  double distance(const State& to) const;
  /// The state at x: q_i ← (q_i + δq_i)/|q_i + δq_i|, ω_i + δω_i made tangent there; of first order
  /// with the ω that follows from q.
  State moved(const Eigen::VectorXd& x) const;
  /// The symplectic form Ω(a, b) = Σ_i (δq_a·δp_b − δq_b·δp_a)_i [J s] as a matrix, with p_i = Π_i
  /// Σ_j M_ij q̇_j and what add_to_form() adds, which costs 4n conversions by PhaseTangent; of first
  /// order Ω(a, b) = Σ_i κ_i q_i·(δq_a × δq_b)_i.
  Eigen::MatrixXd form(const System& system) const;
  /// The coordinates of ż along the motion, by the equations of motion without time: [1/s].
  Eigen::VectorXd flow(const System& system) const;
  /// Those of the rotation of the whole state about an axis, e × q_i and e × ω_i.
  Eigen::VectorXd rotation(const Vec3& axis) const;

 private:
  const System* system_;
  bool first_order_;
  State state_;
  double rate_;
};

}  // namespace twosphere
