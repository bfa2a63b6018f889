// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "core/mechanics/integrator.h"
#include "core/mechanics/motion_rate.h"

namespace twosphere {

/// A method with a fixed step that can take the inner steps of an adaptive one.
class InnerMethod : public Integrator {
 public:
  /// Copies the state of another method of the same kind and size; allocates no memory.
  virtual void assign(const InnerMethod& other) = 0;
};

/// Inner steps whose length follows the motion, around any symmetric method Φ (Hairer, Söderlind,
/// SIAM J. Sci. Comput. 26, 2005). Reversible, of the order of Φ, and on the sphere if Φ is; not
/// symplectic.
///
/// Notation: y = (q, ω); κ squared rate of the motion [1/s²] and κ̇ its rate of change, see
/// motion_rate(); κ_min = 1e-4 of the first κ; σ = (κ + κ_min)^{−1/2} [s]; ρ density of the inner
/// steps [1/s]; ε [1].
///
///   ρ_{1/2} = 1/σ(y_0) + ½ ε G(y_0),  G = −d(ln σ)/dt = ½ κ̇/(κ + κ_min)
///
///   y_{n+1} = Φ_η(y_n),  η = ε/ρ_{n+1/2},  ρ_{n+3/2} = ρ_{n+1/2} + ε G(y_{n+1})
///
/// ε is set by the first inner step η_0: ε = η_0/σ(y_0), and kept from then on. G is odd under ω →
/// −ω, so that backwards in time, with ρ_{n−1/2} = ρ_{n+1/2} − ε G(y_n), the same inner steps are
/// taken back. The step h of the lane is the sampling grid: a sample at t_n ≤ t < t_{n+1} is
/// Φ_{t−t_n}(y_n), and nothing of it is fed back, so that the inner steps do not depend on the
/// grid. The time t_n is a compensated sum.
///
/// Cost: Φ and a κ̇ for each inner step, and Φ once more for each sample. Fails as Φ does, with
/// motion_not_resolved if |ln ρ_{n±1/2} σ(y_n)| > 0.2, too_many_steps after 100 000 inner steps
/// within one h, step_too_small if η is lost in the rounding of t. Tests: order, reversibility,
/// exact restart, the encounters of Example 2.
class ReversibleSteps final : public Integrator {
 public:
  /// `make` creates Φ; called three times.
  ReversibleSteps(const Values& values, std::unique_ptr<InnerMethod> (*make)());

  void prepare(const System& system, const State& state) override;
  StepReport advance(const System& system, double h, State& state) override;
  void save_state(IntegratorState& memory) const override;
  bool load_state(const IntegratorState& memory) override;
  /// Another η_0 means the same everywhere on the way: ε changes in proportion.
  void take_over(const Integrator& former) override;

  /// The formula in the records of these methods, and their parameter η_0.
  static constexpr std::string_view formula = "y ← Φ_η(y), η = ε/ρ,  ρ ← ρ + ε G(y)";
  static ParameterInfo first_step();

 private:
  /// A point y_n of the motion, with the method there.
  struct Point {
    std::unique_ptr<InnerMethod> method;
    State state;         // ω up to date
    double rest = 0;     // t_n = state.t + rest
    double density = 0;  // ρ_{n+1/2}
    double work = 0;     // since the method was prepared

    void assign(const Point& other);
  };

  StepStatus begin(const System& system, double h, const State& state);
  StepReport move(const System& system, double side, Point& point);
  bool change_density(const System& system, double side, Point& point);
  bool follows(double density, double rate) const;
  bool resume(const System& system);

  double first_step_;       // η_0; 0: the step of the lane
  Point now_, kept_, row_;  // now_: t_n ≤ the time of the last sample < t_{n+1}
  double spacing_ = 0;      // ε; 0 before the first step
  double first_rate_ = 0;   // 1/σ(y_0)
  double min_square_ = 0;   // κ_min
  bool started_ = false;    // whether now_ is a point of the motion
  double sampled_work_ = 0;
  MotionRateWorkspace rate_workspace_;
  bool resumed_ = false;            // now_.method has still to be prepared at now_
  IntegratorState loaded_;          // its variables then
  mutable IntegratorState method_;  // scratch
};

}  // namespace twosphere
