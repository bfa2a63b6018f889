// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/scenario/document.h"
#include "core/scenario/scenario.h"
#include "core/studies/orbit_search.h"

/// The periodic orbit of each task of a sweep.
namespace twosphere {

/// From where it is looked for and what is asked of it, as `orbits find` takes them.
struct OrbitPlan {
  std::string from = "return";     ///< read_from()
  std::optional<double> period{};  ///< near which it is looked for [s]
  std::string energy{};            ///< read_energy(); empty: that of the task
  std::string relative{};          ///< read_axis(); empty: it closes in space
  std::string relabel{};           ///< read_relabel(); empty: no bodies change places

  bool operator==(const OrbitPlan&) const = default;
};
/// The default: "start" near the period of the orbit that the scenario says its start is on,
/// Scenario::orbit, else "return".
OrbitPlan default_orbit_plan(const Scenario& scenario);
/// {"from", "period", "energy", "relative", "relabel"}, without what is not given.
json::Node to_json(const OrbitPlan& plan);
/// Reads it. Throws as document::Value does.
OrbitPlan read_orbit_plan(const document::Value& value);

/// Whether the orbit of a scenario can be looked for so, with its system: as the parts of the plan
/// and check_orbit() say, whose method is orbit_method().
Result<void> check_task_orbit(const OrbitPlan& plan, const Scenario& scenario,
                              std::shared_ptr<const System> system);
/// The orbit of a scenario, by search_orbit() from its start on one thread. Empty if this thread is
/// interrupted; fails as that does where there is none.
Result<std::optional<FoundOrbit>> find_task_orbit(const OrbitPlan& plan, const Scenario& scenario,
                                                  std::shared_ptr<const System> system);

}  // namespace twosphere
