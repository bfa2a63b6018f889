// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/studies/orbit_family.h"

/// Families that branch off others.
namespace twosphere {

/// The directions in which orbits may branch off: the null vector of M_red − 1 of a branching, of
/// M_red + 1 of a doubling. Where a symmetry makes m multipliers equal they are m²: a basis of the
/// null space, each vector of which moves a coordinate that the others leave alone, and the sum and
/// the difference of every two of it. Empty of other kinds.
std::vector<OrbitDirection> branch_directions(const OrbitProblem& problem,
                                              const Bifurcation& bifurcation);

/// What each of them moves, in parts of the largest: "q[0] by [1, 0, -0.47], q[2] by [-1, 0,
/// 0.47]".
std::vector<std::string> told_directions(const OrbitProblem& problem,
                                         const Bifurcation& bifurcation);

/// The first orbit of the family that branches off.
struct BranchStart {
  Closure
      closure;  ///< relative to the conserved axis, if there is one, also where the first is not
  OrbitSolution solution;
  std::string along{};  ///< of several directions which one it is, "direction 0 of 4: …"
};
/// At a distance ε along one of branch_directions(), with N and T doubled at a doubling, corrected
/// orthogonal to it, with J about the axis held. Fails as solve_orbit() does, of several directions
/// with these, and with kind usage for another kind of bifurcation or a number that none has.
Result<BranchStart> branch_start(const OrbitProblem& problem, const Bifurcation& bifurcation,
                                 double distance, std::size_t number = 0);

}  // namespace twosphere
