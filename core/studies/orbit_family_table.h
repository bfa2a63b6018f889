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
  SettingPath setting{};    ///< of the system, with FamilyOver::parameter
  double to = 0;            ///< in the unit of `over`
  bool above_rest = false;  ///< an energy that counts from that of nearest_minimum()
  std::size_t count = 200;  ///< the most members
  /// A branching or a doubling: the family that branches off at the first of these is followed.
  std::optional<BifurcationKind> branch;
  std::size_t direction = 0;  ///< in which it does, of branch_directions()
  int threads = 1;
  /// As FamilyPlan::start, where it is part of a family that is known.
  std::optional<OrbitPoint> start{};
};

/// "energy", "period", "momentum", or the path of a setting, "system.gravity", in the request.
/// Fails with the location "over" for anything else.
Result<void> read_over(const std::string& text, const Scenario& scenario, FamilyRequest& request);
/// A value of what the request is over, "rest+E" only of an energy; in the unit of the setting. The
/// location of errors is "to".
Result<void> read_to(const std::string& text, const Scenario& scenario, FamilyRequest& request);

/// "+1", the family of a branching, or "-1", that of a doubling, in the request, or with the number
/// of its direction "+1:K". The location of errors is "bifurcate".
Result<void> read_branch(const std::string& text, FamilyRequest& request);

struct FoundFamily {
  FamilyOver over = FamilyOver::energy;
  std::optional<FamilySetting> setting;  ///< with FamilyOver::parameter
  std::vector<FoundOrbit> members;
  std::vector<Bifurcation> bifurcations;
  bool reached = false;
  bool closed = false;                ///< as in Family
  std::string end;                    ///< why it ended before, as a clause
  std::optional<Bifurcation> origin;  ///< where it branches off
  std::string along{};                ///< BranchStart::along of it
  bool complete = false;              ///< it cannot be gone on with
  OrbitDirection direction;           ///< as in Family
  double arc = 0;                     ///< as in Family
  int doublings = 0;                  ///< as in Family

  /// Whether the forces are conservative.
  bool keeps_energy() const { return members.front().keeps_energy(); }
  /// What it is followed over, as in read_over().
  std::string over_text() const;
  /// Lines for a terminal: the ends, and each bifurcation.
  std::string text() const;
  /// One row for each member: number from 1, the value of the setting, energy [J], momentum [J s],
  /// period [s], rotation [rad], steps, period_change [s], residual, gap, growth, multipliers,
  /// their tests, and kind. Without energy and momentum where they are not kept; where T is that of
  /// driven forces start_change stands for period_change.
  std::string csv() const;
  /// Its companion: the bifurcations, the columns and the scenario.
  std::string companion(const Scenario& scenario) const;
  /// {"members": [FoundOrbit::document(), …], "bifurcations": [{"energy", "energy_above_rest" [J],
  /// "momentum" [J s], "period" [s], "kind", "member"}, …]}, over a setting with its value there,
  /// "parameter", of several pairs or multipliers at once with their number, "multiplicity",
  /// "closed" of a family that is, and "origin", such a bifurcation, with "along" of several
  /// directions, of a family that branches off. An energy that is not kept is null.
  json::Node document() const;
  /// As netCDF-4: the columns of csv() over `member`, and q and omega over `member`, `body` and
  /// `axis`. Fails with kind usage where there is no netCDF, see has_netcdf().
  Result<std::string> netcdf(const Scenario& scenario) const;
};

/// What is known of a family that is gone on with.
struct KnownFamily {
  Family family;
  Closure closure;                    ///< of its orbits
  std::optional<Bifurcation> origin;  ///< where it branches off
  std::string along{};                ///< likewise
};

/// Follows the family of the orbit that a scenario's ClosedOrbit says it is on. `rest` is the
/// orbit_system(). proceed(members) ends it with false, and what was found is kept. `known`: it is
/// gone on with, and the result is that of one go, bit for bit. Fails with kind usage if the
/// scenario says nothing of an orbit, and with kind check if the start does not close, or if it was
/// ended before there were members.
Result<FoundFamily> continued_family(const System& system, const System& rest,
                                     const Scenario& scenario, const FamilyRequest& request,
                                     const std::function<bool(std::size_t)>& proceed,
                                     const KnownFamily* known = nullptr);

}  // namespace twosphere
