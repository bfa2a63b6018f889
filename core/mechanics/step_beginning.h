// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/integrator.h"

namespace twosphere {

/// The beginning of a step of a method, from which parts of the step can be taken, to find out when
/// something happens within it.
struct StepBeginning {
  State state;             ///< ω is up to date
  IntegratorState memory;  ///< what the method needs besides

  /// Takes a step θ h from here, 0 ≤ θ ≤ 1, with ω up to date at its end `to`, whose time is
  /// between that of the beginning and `end` [s]. The method, which must be of the same kind, is
  /// then there. Fails as the method does, and with not_finite if it cannot read `memory`.
  StepReport take(const System& system, Integrator& method, double h, double theta, double end,
                  State& to) const;
};

}  // namespace twosphere
