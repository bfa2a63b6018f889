// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/mechanics/system.h"

namespace twosphere::test {

/// A system with its inertia replaced, for instance by another form of the same matrix; everything
/// else is forwarded.
class Recast final : public System {
 public:
  Recast(std::unique_ptr<const System> original, Inertia inertia)
      : original_(std::move(original)), inertia_(std::move(inertia)) {}

  int size() const override { return original_->size(); }
  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns& q) const override { return original_->potential(q); }
  void gradient(const Columns& q, Columns& g) const override { original_->gradient(q, g); }
  void gradient_with_rest(const Columns& q, const Columns& rest, Columns& g) const override {
    original_->gradient_with_rest(q, rest, g);
  }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    original_->hessian_times(q, v, h);
  }
  std::optional<MotionRate> encounter_rate(const Columns& q, const Columns& w) const override {
    return original_->encounter_rate(q, w);
  }
  std::optional<Encounter> closest_encounter(const Columns& q) const override {
    return original_->closest_encounter(q);
  }
  bool has_external_force() const override { return original_->has_external_force(); }
  void force(double t, const Columns& q, Columns& f) const override { original_->force(t, q, f); }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    original_->force_slope(t, q, v, d);
  }
  bool time_dependent() const override { return original_->time_dependent(); }
  const Eigen::VectorXd& damping() const override { return original_->damping(); }
  std::array<bool, 3> conserved_momentum() const override {
    return original_->conserved_momentum();
  }
  void geometry(const Columns& q, Geometry& out) const override { original_->geometry(q, out); }
  Extent extent() const override { return original_->extent(); }

 private:
  std::unique_ptr<const System> original_;
  Inertia inertia_;
};

/// The same system with its constant inertia as a dense matrix.
inline std::unique_ptr<const System> as_matrix(std::unique_ptr<const System> system) {
  Inertia matrix = DenseInertia(dense(system->inertia(), Columns(3, system->size())));
  return std::make_unique<Recast>(std::move(system), std::move(matrix));
}

}  // namespace twosphere::test
