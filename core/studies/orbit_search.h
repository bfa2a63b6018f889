// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_family.h"
#include "core/studies/orbit_parameter.h"
#include "core/studies/orbit_starts.h"

/// A search for one orbit, from what a person asks for to what is printed of it.
namespace twosphere {

struct OrbitRequest {
  enum class From : std::uint8_t {
    /// A small motion about an equilibrium; with `closure` about an axis and a start that is a
    /// turning_start() about it, without `at`, one about that.
    mode,
    start,     ///< the present state, with `period`, which driven forces may give
    returned,  ///< the nearest return of the run from there over `duration`
    rest,      ///< of driven forces: rest where the system is stable without them, or `at`
  };
  From from = From::start;
  std::size_t mode = 0;                 ///< its number
  std::optional<EquilibriumChoice> at;  ///< of the mode, or of rest; none: nearest_minimum()
  State start;                          ///< the present state
  double duration = 0;                  ///< [s]
  Closure closure;
  /// Of a return: with the places of equal bodies with which it is nearest, of up to 120.
  bool any_places = false;
  std::optional<double> period;    ///< T near which it is looked for, all of it [s]
  std::optional<double> energy;    ///< E [J]; none: that of the start
  bool above_rest = false;         ///< `energy` counts from that of nearest_minimum()
  std::optional<double> momentum;  ///< J of a relative orbit [J s]; none: that of the start
  std::optional<int> steps;        ///< N; none: default_steps(), doubled where needed
  int threads = 1;
};
/// "mode:K", "start", "return" or "rest" in the request. False for anything else. The location of
/// errors is "from".
Result<bool> read_from(const std::string& text, OrbitRequest& request);
/// Takes T, N, e and P from what a scenario says of its orbit (ClosedOrbit), unless they are given.
/// Nothing if it says nothing.
void take_closed_orbit(const Scenario& scenario, OrbitRequest& request);
/// An energy that is asked for.
struct AskedEnergy {
  double value = 0;         ///< [J]
  bool above_rest = false;  ///< it counts from that of nearest_minimum()
};
/// "20", "rest+20". The location of errors is "energy".
Result<AskedEnergy> read_energy(const std::string& text);
/// "e1", "e2", "e3", "J" or three numbers, "1,0,0": the axis of a relative orbit. The location of
/// errors is "relative".
Result<Vec3> read_axis(const std::string& text, const System& system, const State& state);
/// "1,2,0", Closure::places, or, after read_from() of a return, "any", in the request. The location
/// of errors is "relabel".
Result<void> read_relabel(const std::string& text, OrbitRequest& request);

/// The momentum that is told of an orbit with this J: that about the axis of a relative orbit, else
/// the conserved component, or |J| where all are conserved; none if none is.
std::optional<double> told_momentum(const System& rest, const Closure& closure, const Vec3& j);

struct FoundOrbit {
  Orbit orbit;
  const IntegratorInfo* method = nullptr;
  Closure closure;
  std::optional<double> rest_energy;  ///< of nearest_minimum() [J]
  /// told_momentum() [J s]; none where the energy is not kept and J is not.
  std::optional<double> momentum;
  std::vector<std::string> notes;  ///< what has to be said of it, clauses
  /// Of a family over a setting: that setting, with the value here.
  std::optional<FamilySetting> setting{};

  /// T, N, φ and the multipliers of the whole period: as many times that of the closure as
  /// Closure::order() says.
  double period() const { return closure.order() * orbit.point().period; }
  int steps() const { return closure.order() * orbit.point().steps; }
  double rotation() const { return closure.order() * orbit.point().rotation; }
  OrbitMultipliers multipliers() const { return orbit.multipliers.over(closure.order()); }
  /// As FamilyMember::value(), of the whole period.
  double value(FamilyOver over) const;
  /// Whether the forces are conservative.
  bool keeps_energy() const { return orbit.multipliers.single.empty(); }

  /// Lines for a terminal.
  std::string text() const;
  /// {"energy", "energy_above_rest" [J], "momentum" [J s], "period" [s], "rotation" [rad],
  /// "steps", "residual", "period_change" [s], "growth", "gap", "method", "multipliers": [[re, im],
  /// …], "pairs": [{"kind", "krein", "rotation"}, …], "pairing": |μμ′ − 1|, "determinant": |det M −
  /// 1|, "kind", "state": {"q", "omega"}}, of a family over a setting also "parameter", its value.
  /// Where the energy is not kept it is null, as are what counts from it and "pairing", there are
  /// no pairs, and there are "start_change", "trivial", how many of the last multipliers belong to
  /// the flow and the symmetry, and "contraction".
  json::Node document() const;
  /// A scenario whose run is one period of it. `of` may have another value of the setting.
  Scenario scenario(const Scenario& of) const;
};

/// Looks for an orbit of a system, whose orbit_system() is `rest`. From the start an orbit of its
/// energy is found, about a relative equilibrium of the momentum of that, and from there the family
/// is followed to the energy and the momentum asked for. Of forces that are not conservative that
/// near the start is looked for, of driven ones with driven_period(). Empty if proceed() has ended
/// it. Fails as the parts do, with kind check where nothing is found.
Result<std::optional<FoundOrbit>> search_orbit(const System& system, const System& rest,
                                               const IntegratorInfo& method,
                                               const OrbitRequest& request,
                                               const std::function<bool()>& proceed);

}  // namespace twosphere
