// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_search.h"

/// Families of orbits, from what a person asks for to tables and files.
namespace twosphere {

struct FamilyRequest {
  FamilyOver over = FamilyOver::energy;
  double to = 0;            ///< in the unit of `over`
  bool above_rest = false;  ///< an energy that counts from that of nearest_minimum()
  std::size_t count = 200;  ///< the most members
  /// A branching or a doubling: the family that branches off at the first of these is followed.
  std::optional<BifurcationKind> branch;
  int threads = 1;
};

struct FoundFamily {
  FamilyOver over = FamilyOver::energy;
  std::vector<FoundOrbit> members;
  std::vector<Bifurcation> bifurcations;
  bool reached = false;
  std::string end;                    ///< why it ended before, as a clause
  std::optional<Bifurcation> origin;  ///< where it branches off

  /// Lines for a terminal: the ends, and each bifurcation.
  std::string text() const;
  /// One row for each member: number from 1, energy [J], momentum [J s], period [s], rotation
  /// [rad], steps, period_change [s], residual, gap, growth, multipliers, and kind.
  std::string csv() const;
  /// Its companion: the bifurcations, the columns and the scenario.
  std::string companion(const Scenario& scenario) const;
  /// {"members": [FoundOrbit::document(), …], "bifurcations": [{"energy", "energy_above_rest" [J],
  /// "momentum" [J s], "period" [s], "kind", "member"}, …]}, and "origin", such a bifurcation, of a
  /// family that branches off.
  json::Node document() const;
};

/// Follows the family of the orbit that a scenario's ClosedOrbit says it is on. `rest` is the
/// system_at_rest(). go_on(members) ends it with false, and what was found is kept. Fails with kind
/// usage if the scenario says nothing of an orbit, and with kind check if the start does not close.
Result<FoundFamily> continued_family(const System& system, const System& rest,
                                     const Scenario& scenario, const FamilyRequest& request,
                                     const std::function<bool(std::size_t)>& go_on);

}  // namespace twosphere
