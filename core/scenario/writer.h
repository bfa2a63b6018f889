// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/scenario/scenario.h"

namespace twosphere {

struct Definition;

/// The scenario as a document with all parameters explicit and lists in full.
/// from_json(to_json(s)) gives s bit for bit.
json::Node to_json(const Scenario& scenario);
std::string write_scenario(const Scenario& scenario);

/// The part of a scenario that a document for editing contains. The rest is not changed.
enum class EditScope {
  whole,
  without_start,  ///< "initial" is an empty object
  sections,       ///< what is set, the sections that depend on it, events and branches
};
/// The smallest scope in which these settings can be applied.
EditScope edit_scope(const std::vector<Setting>& settings, const Scenario& scenario);
json::Node edit_document(const Scenario& scenario, const std::vector<Setting>& settings,
                         EditScope scope);

// Parts of a document:

/// The value of "system".
json::Node system_document(const Scenario& scenario);
/// The definition of a scenario that has a kind, with the present values of its parameters.
Definition present_definition(const Scenario& scenario);
/// The settings of a scenario, without its start, saved state and events.
json::Node settings_document(const Scenario& scenario);
/// The value of "initial".
json::Node start_document(const Columns& q, const Columns& omega);
/// The same start by the velocities dq/dt in place of ω.
json::Node velocity_document(const Columns& q, const Columns& omega);
/// Puts the generator of the start of a scenario in place of its q into "initial", beside ω unless
/// all are 0. Without a generator q is left out.
void give_generator(json::Node& initial, const Scenario& scenario);
/// "initial.base".
json::Node base_document(const BaseStart& base);
/// The same start by spherical angles and their rates: see SphericalMotion.
json::Node angles_document(const Columns& q, const Columns& omega);
/// [x, y, z] of every body.
json::Node columns_document(const Columns& values);
/// The value of "stop" in files and settings.
json::Node to_json(const std::vector<StopCondition>& conditions);
json::Node to_json(const PoincareSection& section);
json::Node to_json(const ComplexSignal& signal);
json::Node to_json(const ClosedOrbit& orbit);
json::Node to_json(const std::vector<PlottedExpression>& plots);
/// A lane; its name if it differs from the default.
json::Node lane_document(const LaneSpec& lane, const std::string& default_name = {});
/// The value of "lanes".
json::Node lanes_document(const Scenario& scenario);
/// Where a lane stands in the document of a scenario: "integrator" or "lanes[i]".
std::string lane_location(const Scenario& scenario, std::size_t lane);
/// The setting that replaces the whole list of lanes by that of this scenario.
Setting lanes_setting(const Scenario& scenario);
/// The path that sets a key of one of so many lanes: "lanes[1].type", of a single one, wherever it
/// stands, "integrator.type".
std::string lane_path(std::size_t lane, std::size_t lanes, std::string_view key);
/// The settings that give a scenario a lane for each of these integrators: if their number changes,
/// copies of its first lane without the name.
std::vector<Setting> integrator_settings(const Scenario& scenario,
                                         const std::vector<std::string>& integrators);

}  // namespace twosphere
