// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

#include "core/mechanics/free_base.h"
#include "core/mechanics/inertia.h"
#include "core/mechanics/sphere.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// The exact flow of all forces on a chain whose base flies, at a fixed configuration and time,
/// where the drag −k ẋ_0 of the base (FreeBase) is the only one that depends on velocities:
///
///   Π_i [Σ_j M_ij v̇_j + G_i − k a_i ẋ_0] = 0,  m_t Ẍ = m_t g + F − k ẋ_0,  ẋ_0 = Ẋ − Σ_i a_i v_i
///
/// The drag acts through the three numbers y = ẋ_0 alone. Links without mass pass on only what acts
/// along them, so that the chain adds to the mass of the base along q_1 and nothing across. Each of
/// the two is a DampedMode: with the forces c, those of the chain included,
///
///   (m_0 I + μ_1 q_1 q_1ᵀ) ẏ = −k y + c
///
/// Mass i with what hangs on it has the mass μ_i along link i, where it pulls with T_i = μ_i a −
/// β_i if the other end of the link has the acceleration a along it. With φ_i the force on mass i,
/// c_i = q_i·q_{i+1}, ρ_i = μ_{i+1}/(m_i + μ_{i+1}), μ_n = m_n and β_n = q_n·φ_n, from the last
/// link to the first:
///
///   μ_i = m_i (m_i + μ_{i+1})/(m_i + μ_{i+1} |q_i × q_{i+1}|²)
///   β_i = (μ_i/m_i) (q_i·φ_i − c_i r_i),  r_i = ρ_i q_{i+1}·φ_i − (1 − ρ_i) β_{i+1}
///
/// Then T_1 follows from ẏ, T_{i+1} = ρ_i c_i T_i + r_i, and v̇ = M⁻¹ (T_i l_i q_i − G_i + k a_i y).
/// All are linear in forces and accelerations, and so hold for their integrals. No terms of μ
/// cancel one another. O(n). Tests: VelocityFlow; a base that strong drag makes a pivot.
class BaseDrag {
 public:
  /// Whether these are the forces of a system.
  static bool suits(const System& system);
  /// Allocates memory; flow() does not.
  explicit BaseDrag(Eigen::Index links);

  /// Whether neither mode is amplified more than max_enlarged times over s.
  static bool sound(const FreeBase& base, double s);

  /// What a flow does besides the changes of the v_i.
  struct Effect {
    double work;   ///< −∫ k |ẋ_0|² dt [J]
    Vec3 impulse;  ///< −∫ k ẋ_0 dt [N s], of which X has its share
  };
  /// Writes v_i⁺ − v_i, for G with the forces F_s and F_0 on the base, of which F_0 is `control`,
  /// and Ẋ = `velocity` at the beginning.
  Effect flow(const ChainInertia& chain, const FreeBase& base, const Columns& q, const Columns& g,
              double s, const Columns& v, const Vec3& velocity, const Vec3& control,
              Columns& change);

 private:
  Eigen::VectorXd passed_, rest_;  // ρ_i c_i and r_i
};

}  // namespace twosphere
