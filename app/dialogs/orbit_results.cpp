// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbit_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/mechanics/return_map.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/setting.h"
#include "core/scenario/writer.h"
#include "core/studies/equilibria.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

std::string orbit_reason(const Error& error) {
  return (error.location == "system" ? "The system " : "An orbit ") + error.message;
}

/// "system.damping = 0.3 1/s"
std::string number_in_words(const FamilySetting& setting, double value, int digits) {
  return fmt::format("{} = {}{}", setting.path.text(), ui::significant(value, digits),
                     setting.unit == "1" ? "" : " " + setting.unit);
}

}  // namespace

Result<OrbitSystems> orbit_systems(const Scenario& scenario) {
  auto made = create_system(scenario);
  if (!made) return made.error();
  OrbitSystems out;
  out.system = std::move(*made);
  out.forces = orbit_forces(*out.system);
  auto rest = system_at_rest(out.system, 0, scenario.q);
  if (rest)
    out.rest = std::move(*rest);
  else
    out.no_turning = out.no_rest = "The system " + rest.error().message;
  auto orbits = orbit_system(out.system, 0, scenario.q);
  if (!orbits) {
    out.no_orbits = orbit_reason(orbits.error());
  } else if (const auto fine = check_orbit(*out.system, orbit_method(*out.system), {}); !fine) {
    out.no_orbits = orbit_reason(fine.error());
  } else {
    out.orbits = std::move(*orbits);
    if (out.driven()) {
      out.rest = unforced_system(out.system);
      out.no_rest.clear();
      out.no_turning = "Under forces that depend on the time nothing turns steadily";
    }
  }
  if (!out.rest && !out.orbits)
    return Error{ErrorKind::usage, {}, out.driven() ? out.no_orbits : out.no_rest};
  return out;
}

double number_at(const Scenario& scenario, const std::string& path) {
  if (path.empty()) return std::numeric_limits<double>::quiet_NaN();
  const json::Node document = to_json(scenario);
  const json::Node* value = find_setting(document, path);
  return value && value->kind == json::Kind::number ? value->number
                                                    : std::numeric_limits<double>::quiet_NaN();
}

Result<State> at_whole_period(const System& orbits, const State& state,
                              const std::optional<double>& period) {
  constexpr double rounding = 1e-9;  // of a number of periods
  State start{0, state.q, state.w};
  if (orbit_forces(orbits) != OrbitForces::driven) return start;
  const auto of_forces = driven_period(orbits, period);
  if (!of_forces) return of_forces.error();
  const double periods = state.t / of_forces->period,
               left = std::ceil(periods - rounding) - periods;
  if (left <= rounding) return start;
  const int whole = default_steps(orbits, start, of_forces->period);
  if (whole == 0)
    return Error{ErrorKind::check, "period", "has too many steps for the motion at this state"};
  const int steps = std::max(1, static_cast<int>(std::ceil(left * whole)));
  const ReturnMap map(orbits, orbit_method(orbits), {}, state.t);
  auto end = map.end(start, left * of_forces->period / steps, steps, 0);
  if (!end) return Error{ErrorKind::check, "start", end.error().message};
  return State{0, end->q, end->w};
}

Result<FoundFamily> found_family(const System& system, const System& rest, const Scenario& scenario,
                                 const OrbitRequest& request,
                                 const std::optional<FamilyRequest>& family,
                                 const std::function<bool(std::size_t)>& proceed) {
  auto orbit =
      search_orbit(system, rest, orbit_method(system), request, [&proceed] { return proceed(1); });
  if (!orbit) return orbit.error();
  if (!*orbit) return Error{ErrorKind::check, "orbit", "was not found: the search was cancelled"};
  if (family) return continued_family(system, rest, (*orbit)->scenario(scenario), *family, proceed);
  FoundFamily found;
  found.members.push_back(std::move(**orbit));
  found.reached = true;
  return found;
}

Result<FoundFamily> family_of(const Scenario& orbit, const FamilyRequest& request,
                              const std::function<bool(std::size_t)>& proceed) {
  const auto systems = orbit_systems(orbit);
  if (!systems) return systems.error();
  if (!systems->orbits) return Error{ErrorKind::usage, {}, systems->no_orbits};
  return continued_family(*systems->system, *systems->orbits, orbit, request, proceed);
}

WayOn way_on(const FoundFamily& family, std::size_t member, FamilyRequest& request) {
  using To = WayOn::To;
  const std::vector<FoundOrbit>& members = family.members;
  const std::size_t last = members.size() - 1;
  const auto holds_momentum = [](FamilyOver over) { return over != FamilyOver::momentum; };
  const bool same =
      request.over == FamilyOver::parameter
          ? family.setting && family.setting->path == request.setting
          : !family.setting && holds_momentum(family.over) == holds_momentum(request.over);
  if (!same || last == 0) return {To::another, member};
  const auto value = [&](std::size_t k) { return members[k].value(request.over); };
  const auto beyond = [&](std::size_t end) -> WayOn {
    if (family.closed) return {To::nowhere, end};
    request.start = members[last - end].orbit.point();
    return {To::beyond, end};
  };
  if (std::isinf(request.to)) {
    const std::size_t end = member == 0 ? 0 : last, beside = member == 0 ? 1 : last - 1;
    request.to = std::copysign(request.to, value(end) - value(beside));
    return beyond(end);
  }
  // What is left to the value, and whether it becomes less from one orbit to the next.
  const double to = request.to + (request.above_rest ? members[member].rest_energy.value_or(0) : 0);
  const auto left = [&](std::size_t k) { return to - value(k); };
  const auto leads = [&](std::size_t from, std::size_t next) {
    return (value(next) - value(from)) * left(from) > 0;
  };
  if (left(member) == 0) return {To::within, member};
  const bool up = member < last && leads(member, member + 1),
             down = member > 0 && leads(member, member - 1);
  if (!up && !down)
    return member == 0 || member == last ? beyond(member) : WayOn{To::nowhere, member};
  const std::size_t end = up ? last : 0;
  std::size_t at = member, before = member;
  while (at != end) {
    before = at;
    at = up ? at + 1 : at - 1;
    if (left(before) * left(at) <= 0)
      return {To::within, std::abs(left(before)) < std::abs(left(at)) ? before : at};
  }
  return leads(before, end) ? beyond(end) : WayOn{To::nowhere, end};
}

bool can_join(const FoundFamily& family, const FoundFamily& further) {
  if (!family.setting || !further.setting) return !family.setting && !further.setting;
  return family.setting->path == further.setting->path;
}

std::optional<std::size_t> join(FoundFamily& family, std::size_t from, FoundFamily further) {
  std::vector<FoundOrbit>&members = family.members, &more = further.members;
  const std::size_t last = members.size() - 1, added = more.size() - 1;
  const bool at_end = from == last;
  if (!at_end && from != 0) return {};
  if (at_end) {
    for (Bifurcation& one : further.bifurcations) one.member += last;
    std::move(more.begin() + 1, more.end(), std::back_inserter(members));
  } else {
    for (Bifurcation& one : family.bifurcations) one.member += added;
    for (Bifurcation& one : further.bifurcations) one.member = added - 1 - one.member;
    std::reverse(more.begin(), more.end());
    more.pop_back();
    std::move(members.begin(), members.end(), std::back_inserter(more));
    members = std::move(more);
  }
  std::move(further.bifurcations.begin(), further.bifurcations.end(),
            std::back_inserter(family.bifurcations));
  family.over = further.over;
  family.reached = further.reached;
  family.closed = further.closed;
  family.end = std::move(further.end);
  return at_end ? members.size() - 1 : 0;
}

const Bifurcation* branching_after(const FoundFamily& family, std::size_t member) {
  const Bifurcation* found = nullptr;
  for (const Bifurcation& one : family.bifurcations)
    if (one.member >= member && (!found || one.member < found->member) &&
        (one.kind == BifurcationKind::branching || one.kind == BifurcationKind::doubling))
      found = &one;
  return found;
}

Scenario with_lanes_of(Scenario orbit, const Scenario& run) {
  const std::size_t limit = max_lanes_of(run.size());
  const double step = grid_step(orbit.lanes);
  constexpr double rounding = 1e-9;  // of a ratio that is a whole number
  for (const LaneSpec& lane : run.lanes) {
    if (orbit.lanes.size() >= limit) break;
    LaneSpec& beside = orbit.lanes.emplace_back(lane);
    const double parts = std::ceil(step / lane.step * (1 - rounding));
    beside.step = step / std::clamp(parts, 1.0, static_cast<double>(max_substeps));
  }
  const std::vector<std::string> names = default_names(orbit.lanes);
  for (std::size_t k = 0; k < names.size(); ++k) orbit.lanes[k].name = names[k];
  return orbit;
}

std::string place_in_words(const FoundFamily& family, const Bifurcation& at) {
  constexpr int digits = 6;
  if (family.setting)
    return number_in_words(*family.setting, at.at.solution.point.parameter, digits);
  return ui::significant(at.at.energy, digits) + " J";
}

std::string kinds_in_words(const FoundFamily& family) {
  const auto& members = family.members;
  const std::string_view first = members.front().orbit.kind();
  if (std::all_of(members.begin(), members.end(),
                  [&](const FoundOrbit& one) { return one.orbit.kind() == first; }))
    return std::string(first);
  const auto stable = [](const FoundOrbit& one) { return one.orbit.multipliers.stable(); };
  const bool all = std::all_of(members.begin(), members.end(), stable),
             any = std::any_of(members.begin(), members.end(), stable);
  const std::string word = family.keeps_energy() ? "stable" : "attracting";
  return all ? "attracting or linearly stable" : any ? word + " in parts" : "unstable";
}

std::string orbit_in_words(const FoundFamily& family, std::size_t member) {
  using ui::significant;
  const FoundOrbit& orbit = family.members[member];
  std::string text = fmt::format("Orbit {} of {}: ", member + 1, family.members.size());
  if (orbit.setting) text += number_in_words(*orbit.setting, orbit.setting->value, 8) + ", ";
  if (orbit.keeps_energy()) {
    text += fmt::format("E = {} J", significant(orbit.orbit.energy, 8));
    if (orbit.rest_energy)
      text += fmt::format(" ({} J above rest)",
                          significant(orbit.orbit.energy - *orbit.rest_energy, 8));
    text += ", ";
  }
  text += fmt::format("T = {} s", significant(orbit.period(), 10));
  if (orbit.closure.relative())
    text += fmt::format(", turned by {} rad", significant(orbit.rotation(), 8));
  if (orbit.momentum) text += fmt::format(", J = {} J s", significant(*orbit.momentum, 6));
  text += fmt::format(", {} steps, {}.", orbit.steps(), orbit.orbit.kind());
  for (const std::string& note : orbit.notes) text += " Note: " + note + '.';
  return text;
}

std::string turning_in_words(const RelativeEquilibrium& relative, int axis) {
  using ui::significant;
  return fmt::format(
      "Relative equilibrium: J = {} J s, E = {} J, {} rad/s about e{}, index {}, {}.",
      significant(relative.momentum, 8), significant(relative.energy, 8),
      significant(relative.rate, 8), axis + 1, relative.index, name(relative.stability));
}

}  // namespace twosphere
