// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/integrator.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/mechanics/time_scales.h"

namespace twosphere {

/// A fixed step that is too long for the motion from a state on.
struct CoarseStep {
  /// A step is called coarse from so many times the largest one that resolves; of the fastest rate,
  /// where it is not known how much of the motion has it.
  static constexpr double min_ratio = 2;

  enum class Cause {
    rate,     ///< the fastest of the rates
    damping,  ///< c: slow motion has order 1, and the angle at which a spin stops is wrong
    sweeps,   ///< the step is solved by many_sweeps: longer ones take more than they save
  };
  Cause cause = Cause::rate;
  double step = 0;  ///< h [s]
  /// The largest step that resolves the cause, or the one that takes the fewest sweeps per time
  /// [s].
  double resolving = 0;
  int sweeps = 0;  ///< StepReport::sweeps, where they are the cause

  double ratio() const { return step / resolving; }
  bool operator==(const CoarseStep&) const = default;
};

/// φ [rad], how far the fastest motion turns in the largest step that resolves it: half the step at
/// which small oscillations of frequency 1 rad/s have the error of `variational` at 0.2 s, a phase
/// or a logarithm of the amplitude that is wrong by 0.0017 per radian. 0.1 for `variational`, and 1
/// at most. Of methods for systems of first order alone, with small precessions. Measured once for
/// each method, in less than 1 ms.
double resolved_turn(const IntegratorInfo& method);
/// The largest step that resolves the fastest of the rates, φ/rate [s]; infinite if nothing moves.
double resolving_step(const IntegratorInfo& method, const TimeScales& scales);

/// How far a small oscillation of frequency 1 rad/s turns in a step h of a method with fixed steps
/// [rad]: h but for its error, 2 asin(h/2) of the methods of second order that are stable up to
/// h = 2. To eight digits, as measured at an amplitude of 1e-4 rad. NaN where it does not
/// oscillate.
double oscillation_turn(const IntegratorInfo& method, double h);

/// The sum of the errors of the steps of a method, from the q after steps in a row:
///
///   Σ_k c max_i |Δ^{p+1} q_i|,  c (2 sin φ)^{p+1} = 0.0017·2φ,  φ = resolved_turn()
///
/// with the order p and the difference Δ q = q(t + h) − q(t): h times the error of the rate of each
/// oscillation, with the weight that it has in the motion. A fast rate that is hardly excited
/// counts for little. Differences of the size of rounding count as 0.
class StepErrors {
 public:
  /// Whether φ is known: below 1.
  static bool known(const IntegratorInfo& method);
  /// From this q on.
  StepErrors(const IntegratorInfo& method, const Columns& q);

  /// The q after one more step. Allocates nothing.
  void add(const Columns& q);
  /// The next q is not that after the next step. The sum begins anew.
  void leave_out();
  /// The errors of so many steps like those of the sum, relative to the motion, the
  /// largest |q_i − q_i(start)|. 0 where nothing has moved yet.
  double share(double steps) const;
  /// How far the motion turns in a step, as far as it shows in the last q: φ of harmonic motion,
  /// (max_i |Δ^{p+1} q_i| / max_i |Δ^{p−1} q_i|)^½ [rad].
  double turn() const;
  /// Of harmonic motion from rest over `horizon`, at twice the largest step that resolves it.
  static double min_share();
  /// The turn over which errors are judged, five periods [rad].
  static constexpr double horizon = 30;
  /// As many q in a row as give one difference of that order.
  int in_row() const { return order_ + 2; }

 private:
  double largest(int j) const;

  int order_;
  double factor_;  // c
  Columns start_, next_;
  std::vector<Columns> differences_;  // Δ^j of the last q
  int known_ = 0;                     // so many of them, from the first on
  double motion_ = 0, sum_ = 0;
  int count_ = 0;  // of the sum
};

/// In what respects a step h [s] of the method is coarse for the motion from a state on. Empty for
/// adaptive methods, whose inner steps follow the motion, for methods with exact_pairs where bodies
/// can meet, where rates are not finite, and if this thread is interrupted. The fastest of the
/// rates counts where h is too large for it and StepErrors over the next 30 rad at this rate are
/// those of harmonic motion at twice the largest step that resolves: such steps are taken, up to
/// 600 of few bodies. Where they are not, with many bodies, and for methods without known(), it
/// counts from min_ratio on, and always where a step turns by 2 rad, which no explicit method
/// survives. In systems of first order of up to 40 000 bodies an implicit method takes a step,
/// whose sweeps count.
std::vector<CoarseStep> coarse_steps(const IntegratorInfo& method, const Values& values, double h,
                                     const System& system, const State& state,
                                     const TimeScales& scales);

/// The sweeps of a step up to which it is not coarse.
inline constexpr int many_sweeps = 40;
/// A step h [s] that takes N = `sweeps`, if these are more than many_sweeps. Sweeps converge with
/// hρ, so that N = −36/ln hρ of them reach rounding from a change of 1: per time they are fewest at
/// hρ = 1/e, N = 36. That step is `resolving`: h exp(36/N − 1).
std::optional<CoarseStep> coarse_by_sweeps(double h, int sweeps);

/// Whether one of them is for the rate.
bool has_coarse_rate(const std::vector<CoarseStep>& found);

/// "the step, 0.16 s, is 4.5 times the largest that resolves the fastest rate, 0.036 s".
std::string describe(const CoarseStep& coarse);

}  // namespace twosphere
