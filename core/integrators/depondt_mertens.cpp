// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrators/exact_turn.h"
#include "core/integrators/turning_method.h"
#include "core/mechanics/integrator.h"

namespace twosphere {

namespace {

/// Depondt and Mertens' method for systems of first order: Heun's, with rotations in place of
/// straight steps,
///
///   q′ = R(h Ω(t, q)) q,   Q = R(½ h [Ω(t, q) + Ω(t + h, q′)]) q,
///
/// with Ω of core/mechanics/first_order.h, not projected. Order 2, explicit; keeps |q|, but is
/// neither symplectic nor reversible. The work is the trapezoidal rule of the power. Cost: two
/// gradients. Fails with not_finite alone.
class DepondtMertens final : public TurningMethod {
 public:
  void prepare(const System& system, const State& state) override {
    TurningMethod::prepare(system, state);
    predicted_.setZero(3, state.q.cols());
    later_.setZero(3, state.q.cols());
  }

 private:
  void step(const System& system, double h, const State& state, double& work) override {
    const Columns& q = state.q;
    first_order_turns(system, state.t, q, f_, turn_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 from = q.col(i), turn = turn_.col(i);
      work += h / 2 * power(system, i, turn.cross(from));
      predicted_.col(i) = corrected(twosphere::turned(h * turn, from));
    }
    first_order_turns(system, state.t + h, predicted_, f_, later_);
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 there = predicted_.col(i), later = later_.col(i);
      work += h / 2 * power(system, i, later.cross(there));
      next_.col(i) = corrected(turned(h, i, q.col(i)));
    }
  }
  Vec3 turned(double h, Eigen::Index i, const Vec3& x) const override {
    const Vec3 mean = turn_.col(i) + later_.col(i);
    return twosphere::turned(h / 2 * mean, x);
  }

  Columns predicted_, later_;  // q′ and Ω there
};

}  // namespace

const IntegratorInfo& depondt_mertens() {
  static const IntegratorInfo record = turning_record<DepondtMertens>(
      "depondt_mertens", "Depondt-Mertens",
      "Heun's method with rotations in place of straight steps, for systems of first order: "
      "keeps |q|, but neither the symplectic form nor Σ κ q nor the energy.",
      "q′ = exp(h Ω̂) q,  q₊ = exp(½h [Ω̂(q) + Ω̂(q′)]) q",
      "Depondt, Mertens, J. Phys.: Condens. Matter 21 (2009) 336005");
  return record;
}

}  // namespace twosphere
