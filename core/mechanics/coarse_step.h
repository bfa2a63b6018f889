// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/mechanics/integrator.h"
#include "core/mechanics/time_scales.h"

namespace twosphere {

/// A fixed step that is too long for the motion at a state.
struct CoarseStep {
  /// A step is called coarse from so many times the largest one that resolves.
  static constexpr double least_ratio = 2;

  enum class Cause {
    rate,     ///< the fastest of the rates
    damping,  ///< c: slow motion has order 1, and the angle at which a spin stops is wrong
  };
  Cause cause = Cause::rate;
  double step = 0;       ///< h [s]
  double resolving = 0;  ///< the largest step that resolves the cause [s]

  double ratio() const { return step / resolving; }
  bool operator==(const CoarseStep&) const = default;
};

/// φ [rad], how far the fastest motion turns in the largest step that resolves it: half the step at
/// which small oscillations of frequency 1 rad/s have the error of `variational` at 0.2 s, a phase
/// or a logarithm of the amplitude that is wrong by 0.0017 per radian. 0.1 for `variational`, and 1
/// at most. Measured once for each method, in less than 1 ms.
double resolved_turn(const IntegratorInfo& method);
/// The largest step that resolves the fastest of the rates, φ/rate [s]; infinite if nothing moves.
double resolving_step(const IntegratorInfo& method, const TimeScales& scales);

/// In what respects a step h [s] of the method is coarse. Empty for adaptive methods, whose inner
/// steps follow the motion, and where rates are not finite.
std::vector<CoarseStep> coarse_steps(const IntegratorInfo& method, double h,
                                     const TimeScales& scales);

/// "the step, 0.16 s, is 4.5 times the largest that resolves the fastest rate, 0.036 s".
std::string describe(const CoarseStep& coarse);

}  // namespace twosphere
