// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>

#include "core/mechanics/system.h"

namespace twosphere {

/// Forwards every function to another system: the base of systems that change some of them. Members
/// of an ensemble do not go together in them. It has the functions of System, which are more than
/// forty.
class ForwardingSystem : public System {
 public:
  explicit ForwardingSystem(std::shared_ptr<const System> original)
      : original_(std::move(original)) {}

  int size() const override { return original_->size(); }
  const Inertia& inertia() const override { return original_->inertia(); }
  double potential(const Columns& q) const override { return original_->potential(q); }
  void gradient(const Columns& q, Columns& g) const override { original_->gradient(q, g); }
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    original_->gradient_compensated(q, q_low, g);
  }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    original_->hessian_times(q, v, h);
  }
  double force_tolerance() const override { return original_->force_tolerance(); }
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
  double force_period() const override { return original_->force_period(); }
  bool repeats_after(double time) const override { return original_->repeats_after(time); }
  const Eigen::VectorXd& damping() const override { return original_->damping(); }
  const HeatBath* heat_bath() const override { return original_->heat_bath(); }
  const Eigen::VectorXd& strength() const override { return original_->strength(); }
  Vec3 frame_rotation() const override { return original_->frame_rotation(); }
  const FreeBase* free_base() const override { return original_->free_base(); }
  bool follows_attitude() const override { return original_->follows_attitude(); }
  const GyroscopicField* gyroscopic() const override { return original_->gyroscopic(); }
  TermKinds term_kinds() const override { return original_->term_kinds(); }
  PairTerms pair_terms() const override { return original_->pair_terms(); }
  bool has_velocity_force() const override { return original_->has_velocity_force(); }
  void velocity_force(double t, const Columns& q, const Columns& w, Columns& f) const override {
    original_->velocity_force(t, q, w, f);
  }
  std::array<bool, 3> conserved_momentum() const override {
    return original_->conserved_momentum();
  }
  std::array<bool, 3> turning_axes() const override { return original_->turning_axes(); }
  void geometry(const Columns& q, Geometry& out) const override { original_->geometry(q, out); }
  double lever(int body, int link) const override { return original_->lever(body, link); }
  double own_quantity(std::string_view name, double t, const Columns& q,
                      const Columns& w) const override {
    return original_->own_quantity(name, t, q, w);
  }
  double own_quantity(std::string_view name, const State& state) const override {
    return original_->own_quantity(name, state);
  }
  std::optional<OwnQuantity> own_color() const override { return original_->own_color(); }
  void own_color_values(double t, const Columns& q, const Columns& w,
                        std::vector<double>& out) const override {
    original_->own_color_values(t, q, w, out);
  }
  const Fluid* fluid() const override { return original_->fluid(); }
  bool shows_directions() const override { return original_->shows_directions(); }
  bool apolar() const override { return original_->apolar(); }
  std::array<int, 3> lattice_layers() const override { return original_->lattice_layers(); }
  Extent extent() const override { return original_->extent(); }
  Box accessible_box(double energy) const override { return original_->accessible_box(energy); }
  double operations() const override { return original_->operations(); }

 protected:
  const System& original() const { return *original_; }

 private:
  std::shared_ptr<const System> original_;
};

}  // namespace twosphere
