// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/mechanics/system.h"

namespace twosphere {

/// A constant force on the point x_i of a body, see System::lever().
struct PointForce {
  int body = 0;
  Vec3 force = Vec3::Zero();  ///< F [N]
};

/// A system on whose bodies constant forces act beside its own. With x_i = c_i + Σ_j a_ij q_j their
/// virtual work is F·δx_i, so that the force on q_j is f_j = Σ_i a_ij F_i, the same for every
/// configuration.
class PulledSystem final : public System {
 public:
  PulledSystem(std::shared_ptr<const System> system, const std::vector<PointForce>& forces)
      : system_(std::move(system)), force_(Columns::Zero(3, system_->size())) {
    for (const auto& [body, force] : forces)
      for (int j = 0; j < system_->size(); ++j)
        if (const double a = system_->lever(body, j); a != 0) force_.col(j) += a * force;
  }

  int size() const override { return system_->size(); }
  const Inertia& inertia() const override { return system_->inertia(); }
  double potential(const Columns& q) const override { return system_->potential(q); }
  void gradient(const Columns& q, Columns& g) const override { system_->gradient(q, g); }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    system_->hessian_times(q, v, h);
  }
  void gradient_with_rest(const Columns& q, const Columns& rest, Columns& g) const override {
    system_->gradient_with_rest(q, rest, g);
  }
  std::optional<MotionRate> encounter_rate(const Columns& q, const Columns& w) const override {
    return system_->encounter_rate(q, w);
  }
  std::optional<Encounter> closest_encounter(const Columns& q) const override {
    return system_->closest_encounter(q);
  }
  bool has_external_force() const override { return true; }
  void force(double t, const Columns& q, Columns& f) const override {
    f.setZero();
    if (system_->has_external_force()) system_->force(t, q, f);
    f += force_;
  }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    system_->force_slope(t, q, v, d);
  }
  bool time_dependent() const override { return system_->time_dependent(); }
  const Eigen::VectorXd& damping() const override { return system_->damping(); }
  double lever(int body, int link) const override { return system_->lever(body, link); }
  void geometry(const Columns& q, Geometry& out) const override { system_->geometry(q, out); }
  Extent extent() const override { return system_->extent(); }

 private:
  std::shared_ptr<const System> system_;
  Columns force_;  // f_j [N m]
};

}  // namespace twosphere
