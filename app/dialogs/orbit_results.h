// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_problem.h"
#include "core/studies/orbit_search.h"
#include "core/studies/relative_equilibria.h"

/// What the dialog of orbits does with those that it has found.
namespace twosphere {

/// What is examined of a scenario: the system whose equilibria are found and that whose orbits are.
struct OrbitSystems {
  std::shared_ptr<const System> system;  ///< that of the scenario; null: there is none
  /// Its system_at_rest() or, where forces depend on the time, its unforced_system(); null: it has
  /// no equilibria, with `no_rest`.
  std::shared_ptr<const System> rest;
  std::shared_ptr<const System> orbits;  ///< its orbit_system(); null: it has none
  OrbitForces forces = OrbitForces::conservative;
  /// Why there are none, as sentences without their stops; the last one of relative equilibria.
  std::string no_rest{}, no_orbits{}, no_turning{};

  bool keeps_energy() const { return forces == OrbitForces::conservative; }
  bool driven() const { return forces == OrbitForces::driven; }
};
/// Fails where the system is refused, and where it has neither equilibria nor orbits.
Result<OrbitSystems> orbit_systems(const Scenario& scenario);

/// The number at a path of a scenario; NaN if there is none.
double number_at(const Scenario& scenario, const std::string& path);

/// The state at the next whole period of driven forces after a state, at its time; of other forces
/// the state itself. At t = 0. Fails as driven_period() does and like a step.
Result<State> at_whole_period(const System& orbits, const State& state,
                              const std::optional<double>& period);

/// An orbit by search_orbit(), as a family of one, and its family by continued_family() if that is
/// asked for. Fails as these do, and where proceed() has ended the search for the orbit.
Result<FoundFamily> found_family(const System& system, const System& rest, const Scenario& scenario,
                                 const OrbitRequest& request,
                                 const std::optional<FamilyRequest>& family,
                                 const std::function<bool(std::size_t)>& proceed);

/// The family of the orbit that a scenario is on, by continued_family().
Result<FoundFamily> family_of(const Scenario& orbit, const FamilyRequest& request,
                              const std::function<bool(std::size_t)>& proceed);

/// How a family is followed from one of its orbits to a value.
struct WayOn {
  enum class To : std::uint8_t {
    beyond,   ///< it is continued from an end, `member`
    within,   ///< it passes the value already, `member` being the nearest of its orbits there
    nowhere,  ///< it does not lead there
    another,  ///< the family that is asked for is another one, of this orbit, `member`
  };
  To to = To::another;
  std::size_t member = 0;
};
/// Of one of its orbits, to the value of `request`; an infinite one is beyond the last orbit, or
/// the first if it is that, and gets the sign of the way. Where it is continued the request learns
/// of the other end, to which it may come back.
WayOn way_on(const FoundFamily& family, std::size_t member, FamilyRequest& request);

/// Whether orbits that continue a family can be joined with it: they are followed over the same
/// number of the system, or over none.
bool can_join(const FoundFamily& family, const FoundFamily& further);
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

/// The value of what a family is followed over where a branch begins, with its unit: "182.5 J",
/// "system.damping = 0.3 1/s".
std::string place_in_words(const FoundFamily& family, const Bifurcation& at);
/// What the orbits of a family are: "linearly stable", "unstable", or, where they differ, "stable
/// in parts"; where the energy is not kept as Orbit::kind(), or "attracting in parts".
std::string kinds_in_words(const FoundFamily& family);
/// In a line: "Orbit 3 of 60: E = …".
std::string orbit_in_words(const FoundFamily& family, std::size_t member);
std::string turning_in_words(const RelativeEquilibrium& relative, int axis);

}  // namespace twosphere
