// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/state.h"
#include "core/studies/orbit.h"

namespace twosphere {

/// How far a state is from an orbit: the length in PhaseCoordinates of its difference from the
/// nearest state of the motion, of driven forces from those at whole periods of the forces, after
/// the rotation about orbit_axes() and the exchange of bodies of the closure that bring it closest.
/// The problem is that of the solution, whose image has its points. Infinite if a step fails.
double distance_from_orbit(const OrbitProblem& problem, const OrbitSolution& orbit,
                           const State& state);

}  // namespace twosphere
