// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/orbit_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/scenario/file_limits.h"
#include "core/scenario/run_clock.h"
#include "ui/plot/axis.h"

namespace twosphere {

Result<FoundFamily> found_family(const System& system, const System& rest, const Scenario& scenario,
                                 const OrbitRequest& request,
                                 const std::optional<FamilyRequest>& family,
                                 const std::function<bool(std::size_t)>& go_on) {
  auto orbit =
      search_orbit(system, rest, orbit_method(system), request, [&go_on] { return go_on(1); });
  if (!orbit) return orbit.error();
  if (!*orbit) return Error{ErrorKind::check, "orbit", "was not found: the search was cancelled"};
  if (family) return continued_family(system, rest, (*orbit)->scenario(scenario), *family, go_on);
  FoundFamily found;
  found.members.push_back(std::move(**orbit));
  found.reached = true;
  return found;
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
  const std::size_t most = max_lanes_of(run.size());
  const double step = grid_step(orbit.lanes);
  constexpr double rounding = 1e-9;  // of a ratio that is a whole number
  for (const LaneSpec& lane : run.lanes) {
    if (orbit.lanes.size() >= most) break;
    LaneSpec& beside = orbit.lanes.emplace_back(lane);
    const double parts = std::ceil(step / lane.step * (1 - rounding));
    beside.step = step / std::clamp(parts, 1.0, static_cast<double>(max_substeps));
  }
  const std::vector<std::string> names = default_names(orbit.lanes);
  for (std::size_t k = 0; k < names.size(); ++k) orbit.lanes[k].name = names[k];
  return orbit;
}

std::string orbit_in_words(const FoundFamily& family, std::size_t member) {
  using ui::significant;
  const FoundOrbit& orbit = family.members[member];
  std::string text = fmt::format("Orbit {} of {}: E = {} J", member + 1, family.members.size(),
                                 significant(orbit.orbit.energy, 8));
  if (orbit.rest_energy)
    text +=
        fmt::format(" ({} J above rest)", significant(orbit.orbit.energy - *orbit.rest_energy, 8));
  text += fmt::format(", T = {} s", significant(orbit.period(), 10));
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
