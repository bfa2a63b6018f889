// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "core/mechanics/forwarding_system.h"

namespace twosphere::test {

/// Units in which masses and moments of inertia are `mass` times as large numbers, rates are `rate`
/// times, times are divided by it, and V has another zero. Powers of two leave every bit of a
/// motion as it is.
struct Units {
  double mass = 1, rate = 1, zero = 0;

  double energy() const { return mass * rate * rate; }
};

/// The same system in other units.
class OtherUnits final : public ForwardingSystem {
 public:
  OtherUnits(std::shared_ptr<const System> system, const Units& units)
      : ForwardingSystem(std::move(system)),
        units_(units),
        damping_(units.mass * units.rate * original().damping()),
        strength_(units.mass * units.rate * original().strength()),
        field_(original().inertia(), units.mass),
        inertia_(std::visit([this](const auto& m) { return scaled(m); }, original().inertia())) {
    if (const FreeBase* base = original().free_base()) base_ = scaled(*base);
  }

  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns& q) const override {
    return units_.energy() * original().potential(q) + units_.zero;
  }
  void gradient(const Columns& q, Columns& g) const override {
    original().gradient(q, g);
    g *= units_.energy();
  }
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    original().gradient_compensated(q, q_low, g);
    g *= units_.energy();
  }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    original().hessian_times(q, v, h);
    h *= units_.energy();
  }
  std::optional<MotionRate> encounter_rate(const Columns& q, const Columns& w) const override {
    auto rate = original().encounter_rate(q, w / units_.rate);
    if (!rate) return rate;
    rate->square *= units_.rate * units_.rate;
    rate->change *= units_.rate * units_.rate * units_.rate;
    return rate;
  }
  std::optional<Encounter> closest_encounter(const Columns& q) const override {
    auto pair = original().closest_encounter(q);
    if (!pair) return pair;
    pair->strength *= units_.rate * units_.rate;
    pair->rate *= units_.rate;
    return pair;
  }
  void force(double t, const Columns& q, Columns& f) const override {
    original().force(t * units_.rate, q, f);
    f *= units_.energy();
  }
  void force_slope(double t, const Columns& q, const Columns& v, Columns& d) const override {
    original().force_slope(t * units_.rate, q, v, d);
    d *= units_.energy();
  }
  const Eigen::VectorXd& damping() const override { return damping_; }
  const Eigen::VectorXd& strength() const override { return strength_; }
  const FreeBase* free_base() const override { return base_ ? &*base_ : nullptr; }
  Vec3 frame_rotation() const override { return units_.rate * original().frame_rotation(); }
  PairTerms pair_terms() const override {
    PairTerms terms = original().pair_terms();
    for (PairTerms::Pair& pair : terms.pairs) {
      pair.linear *= units_.energy();
      pair.square *= units_.energy();
      pair.cross *= units_.energy();
    }
    terms.logarithmic /= units_.mass;
    terms.field *= units_.energy();
    terms.anisotropy *= units_.energy();
    return terms;
  }
  void velocity_force(double t, const Columns& q, const Columns& w, Columns& f) const override {
    original().velocity_force(t * units_.rate, q, w / units_.rate, f);
    f *= units_.energy();
  }

 private:
  /// m(q) times a factor.
  class Field final : public InertiaField {
   public:
    Field(const Inertia& inertia, double factor) : factor_(factor) {
      if (const auto* variable = std::get_if<VariableInertia>(&inertia)) field_ = variable->field;
    }
    void evaluate(const Columns& q, Eigen::MatrixXd& m) const override {
      field_->evaluate(q, m);
      m *= factor_;
    }
    void slopes(const Columns& q, const Eigen::MatrixXd& a, Columns& r) const override {
      field_->slopes(q, factor_ * a, r);
    }
    void derivative_along(const Columns& q, const Columns& d, Eigen::MatrixXd& dm) const override {
      field_->derivative_along(q, d, dm);
      dm *= factor_;
    }
    void slopes_along(const Columns& q, const Eigen::MatrixXd& a, const Columns& d,
                      Columns& r) const override {
      field_->slopes_along(q, factor_ * a, d, r);
    }

   private:
    const InertiaField* field_ = nullptr;
    double factor_;
  };

  Inertia scaled(const DiagonalInertia& m) const { return DiagonalInertia(units_.mass * m.m); }
  Inertia scaled(const ChainInertia& m) const {
    return ChainInertia(units_.mass * m.mass, m.length, units_.mass * m.base_mass);
  }
  Inertia scaled(const RodInertia& m) const {
    return RodInertia(units_.mass * m.mass, m.length, units_.mass * m.rotary_inertia,
                      units_.mass * m.base_mass);
  }
  Inertia scaled(const DenseInertia& m) const { return DenseInertia(units_.mass * m.matrix); }
  Inertia scaled(const VariableInertia& m) const { return VariableInertia{&field_, m.n}; }
  Inertia scaled(const NoInertia& m) const { return m; }
  FreeBase scaled(FreeBase base) const {
    base.mass *= units_.mass;
    base.own_mass *= units_.mass;
    base.gravity *= units_.rate * units_.rate;
    base.steady *= units_.energy();
    base.drag *= units_.mass * units_.rate;
    if (base.control)
      base.control = [control = base.control, units = units_](double t, const Vec3& place) -> Vec3 {
        return units.energy() * control(t * units.rate, place);
      };
    return base;
  }

  Units units_;
  Eigen::VectorXd damping_, strength_;
  Field field_;
  Inertia inertia_;
  std::optional<FreeBase> base_;
};

}  // namespace twosphere::test
