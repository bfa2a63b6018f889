// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/energy_scaling.h"

#include <cmath>

#include "core/mechanics/diagnostics.h"

namespace twosphere {

double scale_to_energy(const System& system, const State& state, double energy) {
  const double kinetic = kinetic_energy(system, state), needed = energy - system.potential(state.q);
  if (kinetic == 0 && needed == 0) return 1;
  const double factor = std::sqrt(needed / kinetic);
  return std::isfinite(factor) ? factor : std::nan("");
}

}  // namespace twosphere
