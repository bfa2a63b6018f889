// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/json.h"
#include "core/run/simulation.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/orbit_problem.h"

namespace twosphere {

namespace {

using json::Node;

Error no_parameter(const SettingPath& path, const std::string& why) {
  return {ErrorKind::usage, "over", path.text() + " " + why};
}

/// Why a value of a scenario is not one number.
std::string not_one_number(const SettingPath& path, const Node& value) {
  if (value.kind == json::Kind::array)
    return fmt::format("is a list of {}; name one of its numbers, such as {}[0]",
                       value.items.size(), path.text());
  if (value.kind == json::Kind::object)
    return value.members.empty() ? "is no number"
                                 : fmt::format("has parts; name one of its numbers, such as {}.{}",
                                               path.text(), value.members.back().first);
  return fmt::format("must be a number, not {}", value.kind == json::Kind::string
                                                     ? json::quote(value.text)
                                                     : std::string(json::name(value.kind)));
}

}  // namespace

Result<FamilySetting> family_setting_of(const Scenario& scenario, const SettingPath& path) {
  if (!path.valid()) return Error{ErrorKind::usage, "over", path.problem()};
  if (path.key() != family_setting || path.size() < 2)
    return no_parameter(path, "is not a setting of the system, such as system.gravity");
  const Node document = to_json(scenario);
  const Node* const value = find_setting(document, path);
  if (!value) {
    const auto made = with_setting(scenario, path, Node(1.0));
    if (!made) return Error{ErrorKind::usage, "over", made.error().text()};
    return no_parameter(path, "has no value in the scenario; give it one with --set");
  }
  if (value->kind != json::Kind::number) return no_parameter(path, not_one_number(path, *value));
  const double theta = value->number;
  // At an end of the range of values there are those on one side.
  constexpr double little = 1e-6;
  const double step = little * (theta == 0 ? 1 : std::abs(theta));
  const auto above = with_setting(scenario, path, Node(theta + step)),
             below = with_setting(scenario, path, Node(theta - step));
  if (!above && !below)
    return no_parameter(path, "does not change continuously: " + above.error().text());
  const std::string unit = setting_unit(scenario, path);
  return FamilySetting{path, unit.empty() ? "1" : unit, theta};
}

Result<OrbitParameter> orbit_parameter(const Scenario& scenario, const OrbitProblem& problem,
                                       const FamilySetting& setting, double to) {
  const OrbitForces forces = orbit_forces(problem.system);
  if (first_order(problem.system) && forces == OrbitForces::conservative)
    return no_parameter(
        setting.path,
        "cannot be followed over in systems of first order: the derivative of their "
        "steps by it is not known");
  OrbitParameter out;
  const double size = std::max(std::abs(setting.value), std::abs(to));
  if (size > 0) out.scale = size;
  // The scenario has the orbit's start, which is none of other systems.
  Scenario of = scenario;
  of.orbit.reset();
  of.events.clear();
  of.branches.clear();
  out.system = [of = std::move(of), path = setting.path, &method = problem.method,
                closure = problem.closure, conserved = problem.system.conserved_momentum(), forces,
                axes = orbit_axes(problem.system), inertia = problem.system.inertia().index()](
                   double theta) -> Result<std::shared_ptr<const System>> {
    const auto wrong = [&](const std::string& why) {
      return Error{ErrorKind::usage, fmt::format("{} = {}", path.text(), json::shortest(theta)),
                   why};
    };
    const auto there = with_setting(of, path, Node(theta));
    if (!there) return Error{ErrorKind::usage, there.error().location, there.error().message};
    if (there->size() != of.size())
      return wrong(fmt::format("makes {} bodies of {}", there->size(), of.size()));
    const auto system = Simulation::make_system(*there);
    if (!system) return wrong(system.error().text());
    if (auto fine = check_orbit(**system, method, closure); !fine)
      return wrong(fine.error().text());
    auto rest = orbit_system(*system, 0, of.q);
    if (!rest) return wrong(rest.error().text());
    if (orbit_forces(**rest) != forces)
      return wrong("changes whether there are damping, or forces of the time or of velocities");
    if ((*rest)->conserved_momentum() != conserved)
      return wrong("changes which components of J are conserved");
    if (orbit_axes(**rest) != axes) return wrong("changes the symmetry");
    if ((*rest)->inertia().index() != inertia) return wrong("changes the form of the inertia");
    return rest;
  };
  if (!std::isfinite(to)) return Error{ErrorKind::usage, "to", "must be a finite number"};
  if (const auto end = out.system(to); !end)
    return Error{ErrorKind::usage, "to", end.error().text()};
  return out;
}

}  // namespace twosphere
