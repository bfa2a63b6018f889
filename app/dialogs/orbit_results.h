// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_search.h"
#include "core/studies/relative_equilibria.h"

/// What the dialog of orbits does with those that it has found.
namespace twosphere {

/// An orbit by search_orbit(), as a family of one, and its family by continued_family() if that is
/// asked for. Fails as these do, and where go_on() has ended the search for the orbit.
Result<FoundFamily> found_family(const System& system, const System& rest, const Scenario& scenario,
                                 const OrbitRequest& request,
                                 const std::optional<FamilyRequest>& family,
                                 const std::function<bool(std::size_t)>& go_on);

/// Joins orbits that continue a family from one of its members, `from`: at its end or before its
/// beginning. Returns the number of what was its last new member then; none, and nothing is
/// changed, if they begin within it.
std::optional<std::size_t> join(FoundFamily& family, std::size_t from, FoundFamily further);

/// The first branching or doubling after a member; null if there is none.
const Bifurcation* branching_after(const FoundFamily& family, std::size_t member);

/// The scenario of an orbit with the lanes of a run beside its own, as many as there may be. Lanes
/// meet at every step of the orbit: theirs become the longest that divide it and are no longer than
/// in the run.
Scenario with_lanes_of(Scenario orbit, const Scenario& run);

/// In a line: "Orbit 3 of 60: E = …".
std::string orbit_in_words(const FoundFamily& family, std::size_t member);
std::string turning_in_words(const RelativeEquilibrium& relative, int axis);

}  // namespace twosphere
