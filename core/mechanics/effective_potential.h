// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/forwarding_system.h"

namespace twosphere {

/// A system as one in axes at rest whose potential is V_eff, see core/mechanics/linear_terms.h: its
/// equilibria are those in the axes of the original, and the second derivative of V_eff on the
/// spheres is its TangentHessian. Without a rotation of the axes it is V, bit for bit. Beyond the
/// spheres V_eff is continued by its formula,
///
///   ∂V_eff/∂q_i = ∂V/∂q_i + Σ_j M_ij Ω × (Ω × q_j) − κ_i Ω
class EffectivePotential final : public ForwardingSystem {
 public:
  /// Uses the system, of a constant inertia, while it exists.
  explicit EffectivePotential(const System& system);

  double potential(const Columns& q) const override;
  void gradient(const Columns& q, Columns& g) const override;
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override;
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override;
  Vec3 frame_rotation() const override { return Vec3::Zero(); }

 private:
  void add_centrifugal(const Columns& q, const Columns& v, Columns& out) const;
  void add_slope(const Columns& q, Columns& g) const;

  Vec3 turn_;  // Ω
};

}  // namespace twosphere
