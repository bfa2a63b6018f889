// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/exact_turn.h"
#include "core/integrators/turning_method.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// The semi-implicit method B of Mentink, Tretyakov, Fasolino, Katsnelson and Rasing for systems of
/// first order: the implicit midpoint rule with Ω at an estimate of the midpoint, so that each body
/// has a linear equation of its own,
///
///   q′ = q + h Ω(t, q) × ½ (q + q′),   Q = q + h Ω(t + ½ h, ½ (q + q′)) × ½ (q + Q),
///
/// with Ω of core/mechanics/first_order.h, not projected. Order 2; keeps |q|, but is neither
/// symplectic nor reversible. The work is that at the second stage. Cost: two gradients. Fails with
/// not_finite alone.
class SemiImplicit final : public TurningMethod {
 public:
  void prepare(const System& system, const State& state) override {
    TurningMethod::prepare(system, state);
    middle_.setZero(3, state.q.cols());
  }

 private:
  void step(const System& system, double h, const State& state, double& work) override {
    const Columns& q = state.q;
    first_order_turns(system, state.t, q, f_, turn_);
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      middle_.col(i) = (q.col(i) + cayley_turned(h / 2 * turn_.col(i), q.col(i))) / 2;
    first_order_turns(system, state.t + h / 2, middle_, f_, turn_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      next_.col(i) = corrected(turned(h, i, q.col(i)));
      work += h * power(system, i, (next_.col(i) - q.col(i)) / h);
    }
  }
  Vec3 turned(double h, Eigen::Index i, const Vec3& x) const override {
    return cayley_turned(h / 2 * turn_.col(i), x);
  }

  Columns middle_;  // ½ (q + q′)
};

}  // namespace

const IntegratorInfo& semi_implicit() {
  static const IntegratorInfo record = turning_record<SemiImplicit>(
      "semi_implicit", "Semi-implicit (SIB)",
      "The midpoint rule with the field at an estimate of the midpoint, for systems of first "
      "order: keeps |q|, but neither the symplectic form nor Σ κ q nor the energy.",
      "q₊ = q + h Ω(½(q + q′)) × ½(q + q₊),  q′ = q + h Ω(q) × ½(q + q′)",
      "Mentink, Tretyakov, Fasolino, Katsnelson, Rasing, J. Phys.: Condens. Matter 22 "
      "(2010) 176001");
  return record;
}

}  // namespace twosphere
