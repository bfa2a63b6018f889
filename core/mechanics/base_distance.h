// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/free_base.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// What states of a base that flies differ by besides their directions, in units of these:
///
///   |X_a − X_b|/L
///
/// with L of FreeBase, the length of the chain. A direction that changes by as much moves the end
/// of a straight chain as far. 0 of a system without such a base, or of states without X.
inline double base_distance(const System& system, const State& a, const State& b) {
  const FreeBase* base = system.free_base();
  return base && a.x.cols() > 0 && b.x.cols() > 0 ? (a.x - b.x).norm() / base->length : 0;
}

}  // namespace twosphere
