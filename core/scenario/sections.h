// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/scenario.h"

/// Reads and checks the sections of a scenario document. Internal to the readers of scenarios;
/// errors are thrown as a Failure with their location.
namespace twosphere {

struct IntegratorInfo;

namespace document {

/// The catalogue entry of the system named by "system".
const SystemInfo& read_system_type(const Value& section);
/// The system for the directions of the scenario, whose system, kind and parameters are set. A kind
/// that it already has is kept if this is its definition. Missing parameters, and the texts of a
/// definition, are taken from `former` and from that kind, if `former` is given.
std::unique_ptr<const System> read_system(const Value& section, Scenario& scenario,
                                          const Values* former = nullptr);
/// Reads the same into the scenario without creating the system, which costs much less: whether it
/// exists with these values is not checked.
void read_system_values(const Value& section, Scenario& scenario, const Values* former = nullptr);
/// Fails at the part of a text that is wrong at the start, of V, its gradient or the inertia.
void check_texts(const Value& section, const System& system, const Scenario& scenario);
/// Fails at the location of the error, a path relative to the section, as far as the document
/// contains it.
[[noreturn]] void fail_at(const Value& section, const Error& error);

/// The entries of "lanes", not more than a run of so many bodies may have.
std::vector<Value> listed_lanes(const Value& lanes, int bodies);
/// Fails if the method cannot integrate the system. `type`: where the method is named.
void check_method(const Value& type, const IntegratorInfo& info, const System& system);
/// The name is left empty if none is given. `system`: null where it is not checked whether the
/// method can integrate it. `more`: keys that are allowed and read elsewhere.
LaneSpec read_lane(const Value& section, bool named, const System* system, const Names& more = {});
/// Names the lanes; rejects duplicate names and steps that do not divide the largest one.
void check_lanes(const std::vector<Value>& entries, std::vector<LaneSpec>& lanes);

/// The duration, limited to max_steps steps of every lane.
double read_duration(const Value& value, const std::vector<LaneSpec>& lanes);
/// The stop conditions; quantities must be among those sampled for the system of the scenario,
/// whose kind, parameters and directions are set.
std::vector<StopCondition> read_stop(const Value& list, const Scenario& scenario);
/// The Poincaré section of such a scenario.
PoincareSection read_section(const Value& section, const Scenario& scenario);
/// The signal of such a scenario whose frequencies are measured.
ComplexSignal read_signal(const Value& signal, const Scenario& scenario);
/// The periodic orbit that the start is on.
ClosedOrbit read_orbit(const Value& orbit, const Scenario& scenario);
/// The plotted expressions of such a scenario. The unit of one that is only a text is that of the
/// text.
std::vector<PlottedExpression> read_plots(const Value& plots, const Scenario& scenario);

}  // namespace document
}  // namespace twosphere
