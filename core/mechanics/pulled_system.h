// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/mechanics/forwarding_system.h"

namespace twosphere {

/// A constant force on the point x_i of a body, see System::lever().
struct PointForce {
  int body = 0;
  Vec3 force = Vec3::Zero();  ///< F [N]
};

/// A system on whose bodies constant forces act beside its own. With x_i = c_i + Σ_j a_ij q_j their
/// virtual work is F·δx_i, so that the force on q_j is f_j = Σ_i a_ij F_i, the same for every
/// configuration.
class PulledSystem final : public ForwardingSystem {
 public:
  PulledSystem(std::shared_ptr<const System> system, const std::vector<PointForce>& forces)
      : ForwardingSystem(std::move(system)), force_(Columns::Zero(3, size())) {
    for (const auto& [body, force] : forces)
      for (int j = 0; j < size(); ++j)
        if (const double a = lever(body, j); a != 0) force_.col(j) += a * force;
    // They pull at the centre of mass of a base that flies.
    if (const FreeBase* base = original().free_base()) {
      base_ = *base;
      for (const PointForce& pull : forces) base_->steady += pull.force;
    }
  }

  bool has_external_force() const override { return true; }
  const FreeBase* free_base() const override { return base_ ? &*base_ : nullptr; }
  void force(double t, const Columns& q, Columns& f) const override {
    f.setZero();
    if (original().has_external_force()) original().force(t, q, f);
    f += force_;
  }
  std::array<bool, 3> conserved_momentum() const override { return {false, false, false}; }
  std::array<bool, 3> turning_axes() const override { return {false, false, false}; }

 private:
  Columns force_;                 // f_j [N m]
  std::optional<FreeBase> base_;  // with the forces
};

}  // namespace twosphere
