// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/task_orbit.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/interrupt.h"

namespace twosphere {

namespace {

/// What is asked of a system: its orbit_system(), and the search.
struct AskedOrbit {
  std::shared_ptr<const System> rest;
  OrbitRequest request;
};

Result<AskedOrbit> asked_of(const OrbitPlan& plan, const Scenario& scenario,
                            std::shared_ptr<const System> system) {
  AskedOrbit asked;
  OrbitRequest& request = asked.request;
  request.start = {0, scenario.q, scenario.omega};
  request.duration = scenario.duration;
  const auto known = read_from(plan.from, request);
  if (!known) return known.error();
  if (!*known)
    return Error{ErrorKind::usage, "from",
                 "must be mode:K, start, return or rest, not " + json::quote(plan.from)};
  request.period = plan.period;
  if (request.from == OrbitRequest::From::start && !request.period &&
      orbit_forces(*system) != OrbitForces::driven)
    return Error{ErrorKind::usage, "period", "is needed with start: near which T to look"};
  if (!plan.energy.empty()) {
    const auto energy = read_energy(plan.energy);
    if (!energy) return energy.error();
    request.energy = energy->value;
    request.above_rest = energy->above_rest;
  }
  if (!plan.relative.empty()) {
    const auto axis = read_axis(plan.relative, *system, request.start);
    if (!axis) return axis.error();
    request.closure.axis = *axis;
  }
  if (!plan.relabel.empty())
    if (auto read = read_relabel(plan.relabel, request); !read) return read.error();
  auto rest = orbit_system(std::move(system), 0, scenario.q);
  if (!rest) return rest.error();
  asked.rest = std::move(*rest);
  return asked;
}

}  // namespace

OrbitPlan default_orbit_plan(const Scenario& scenario) {
  if (!scenario.orbit) return {};
  const ClosedOrbit& orbit = *scenario.orbit;
  OrbitPlan plan{.from = "start", .period = orbit.period};
  if (!orbit.axis.isZero(0))
    plan.relative = fmt::format("{},{},{}", json::shortest(orbit.axis.x()),
                                json::shortest(orbit.axis.y()), json::shortest(orbit.axis.z()));
  if (!orbit.places.empty()) plan.relabel = fmt::format("{}", fmt::join(orbit.places, ","));
  return plan;
}

json::Node to_json(const OrbitPlan& plan) {
  json::Node node = json::Node::object({{"from", plan.from}});
  if (plan.period) node.set("period", *plan.period);
  for (const auto& [key, text] : {std::pair("energy", &plan.energy),
                                  {"relative", &plan.relative},
                                  {"relabel", &plan.relabel}})
    if (!text->empty()) node.set(key, *text);
  return node;
}

OrbitPlan read_orbit_plan(const document::Value& value) {
  value.object({"from", "period", "energy", "relative", "relabel"});
  OrbitPlan plan{.from = value.member("from").text()};
  if (const auto period = value.find("period")) plan.period = period->positive("s");
  for (const auto& [key, text] : {std::pair("energy", &plan.energy),
                                  {"relative", &plan.relative},
                                  {"relabel", &plan.relabel}})
    if (const auto given = value.find(key)) *text = given->text();
  return plan;
}

Result<void> check_task_orbit(const OrbitPlan& plan, const Scenario& scenario,
                              std::shared_ptr<const System> system) {
  const auto asked = asked_of(plan, scenario, system);
  if (!asked) return asked.error();
  return check_orbit(*system, orbit_method(*system), asked->request.closure);
}

Result<std::optional<FoundOrbit>> find_task_orbit(const OrbitPlan& plan, const Scenario& scenario,
                                                  std::shared_ptr<const System> system) {
  const auto asked = asked_of(plan, scenario, system);
  if (!asked) return asked.error();
  auto found = search_orbit(*system, *asked->rest, orbit_method(*system), asked->request,
                            [] { return !interrupted(); });
  // What an interruption has cut short is no failure.
  if (interrupted()) return std::optional<FoundOrbit>();
  return found;
}

}  // namespace twosphere
