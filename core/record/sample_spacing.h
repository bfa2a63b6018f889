// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <numbers>
#include <string>

namespace twosphere {

/// How far apart equally spaced samples of a signal of a run are, and what they resolve.
struct SampleSpacing {
  double interval = 0;  ///< Δt, with the sign of the direction of time [s]; 0 if there is no sample
  double turn = 0;      ///< max_i |ω_i| in states among them [rad/s]

  /// The largest frequency that they can tell from a lower one, 1/(2 |Δt|) [Hz].
  double nyquist() const { return 1 / (2 * std::abs(interval)); }
  /// Whether a body turned by π or more between two samples, so that frequencies may be beyond
  /// nyquist() and then appear as lower ones.
  bool may_be_aliased() const { return turn * std::abs(interval) >= std::numbers::pi; }
  /// That in words, without an end; empty if it is not so.
  std::string warning() const;
};

}  // namespace twosphere
