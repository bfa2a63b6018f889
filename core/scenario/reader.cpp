// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/exponents.h"
#include "core/mechanics/first_order.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/document.h"
#include "core/scenario/event_reader.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/keys.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/sections.h"
#include "core/scenario/settings_reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;
using json::shortest;
using namespace document;

/// Reads the saved state of a lane from the keys next to its settings, or from the top level if it
/// is the only lane.
RestartState::Lane read_lane_state(const Value& section) {
  RestartState::Lane lane;
  lane.step_index = section.member("step_index").whole(-max_steps);
  lane.time_origin = section.member("time_origin").number();
  lane.energy_reference = section.member("energy_reference").number();
  lane.work = section.member("work").number();
  if (const auto memory = section.find("integrator_state"))
    for (const auto& [name, unused] : memory->expect(Kind::object).node().members) {
      std::vector<double> numbers;
      for (const Value& one : memory->member(name).items()) numbers.push_back(one.number());
      lane.memory.emplace_back(name, std::move(numbers));
    }
  return lane;
}

bool is_saved_state(const Value& root) {
  const Names& keys = key_names("lane_state");
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return root.find(key).has_value(); });
}

/// Checks that the saved state of a lane has a finite energy.
void check_lane_start(const Value& initial, const System& system, const Scenario& scenario,
                      const RestartState::Lane& lane) {
  if (!std::isfinite(total_energy(system, saved_state(scenario, system, lane))))
    initial.fail("the energy there is not a finite number");
}

/// Reads the saved states of the lanes.
RestartState read_saved_state(const Value& root, const System& system, const Scenario& scenario) {
  RestartState c;
  c.step_index = root.member("step_index").whole(-max_steps);
  if (const auto reversed = root.find(reversed_key)) c.reversed = read_true(*reversed);
  if (const auto pulls = root.find(pulls_key))
    for (const Value& pull : pulls->items()) c.pulls.push_back(read_pull(pull, scenario.size(), 0));
  c.time_origin = root.member("time_origin").number();
  const std::vector<Value> entries = lane_entries(root, scenario.size());
  if (entries.size() == 1) {
    c.lanes.push_back(read_lane_state(root));
    return c;
  }
  for (const char* key : {"energy_reference", "work", "integrator_state"})
    if (const auto given = root.find(key))
      given->fail("applies to a single lane; with several lanes it belongs in each entry of lanes");
  for (const Value& entry : entries) {
    RestartState::Lane& lane = c.lanes.emplace_back(read_lane_state(entry));
    const auto initial = entry.find("initial");
    if (!initial) continue;
    InitialConditions start = read_start(*initial, true);
    if (start.q.cols() != scenario.q.cols())
      initial->fail(
          fmt::format("has {} bodies, but initial has {}", start.q.cols(), scenario.q.cols()));
    const StepClock clock{lane.time_origin, scenario.lanes[c.lanes.size() - 1].step,
                          lane.step_index};
    settle_velocities(*initial, system, clock.time(), true, start);
    lane.q = std::move(start.q);
    lane.omega = std::move(start.omega);
    check_lane_start(*initial, system, scenario, lane);
  }
  return c;
}

void check_energy(const Value& root, const System& system, const Scenario& scenario) {
  const State start = start_state(scenario, system, scenario.q, scenario.omega);
  if (!std::isfinite(total_energy(system, start)))
    start_section(root).fail("the energy of this start is not a finite number");
}

/// Checks the forces at the time of the start, which of a saved state depends on the steps.
void check_forces(const Value& root, const System& system, const Scenario& scenario) {
  if (!scenario.definition) return;
  const State start{RunClock(scenario).time(), scenario.q, scenario.omega};
  if (const auto error = scenario.definition->check_forces(start, system, scenario.parameters))
    fail_at(root.find("system").value_or(root.named("system")), *error);
}

/// Gives the start of an edited scenario of first order the ω that follow from q, unless it is a
/// saved state.
void follow_positions(const System& system, Scenario& scenario) {
  if (!scenario.continuation)
    first_order_velocity(system, RunClock(scenario).time(), scenario.q, scenario.omega);
}

/// Reads events and branches, if there are any.
void read_record(const Value& root, Scenario& scenario) {
  scenario.events.clear();
  scenario.branches.clear();
  EventChecks checks;
  if (const auto events = root.find("events")) read_events(*events, scenario, checks);
  if (const auto branches = root.find("branches")) read_branches(*branches, scenario, checks);
}

/// Reads a whole document. `former`: the scenario that it edits. Its definition is kept if it is
/// the same; its start is taken if the document has none by its scope.
Scenario read(const Value& root, bool exact_start = false, const Scenario* former = nullptr,
              EditScope scope = EditScope::whole) {
  if (root.kind() != Kind::object) root.wrong_kind("an object: a scenario");
  if (!root.find("twosphere"))
    root.fail("missing key \"twosphere\": a scenario starts with \"twosphere\": 1");
  if (const Value format = root.member("twosphere"); format.number() != 1)
    format.fail(
        fmt::format("unknown format {}; this program reads format 1", shortest(format.number())));
  root.object(key_names_of({"scenario", "lane_state", "run_state"}));

  Scenario scenario;
  read_title(root, scenario);
  if (const auto schema = root.find(schema_key)) scenario.schema = schema->text();
  if (const auto program = root.find(program_key)) (void)program->text();
  const Value system = root.member("system"), initial = root.member("initial");
  // Check the type first: for an unknown system the start is not the cause of the error.
  (void)read_system_type(system);
  const bool saved = is_saved_state(root);
  for (const std::string_view key : {reversed_key, pulls_key})
    if (const auto given = root.find(key); given && !saved)
      given->fail("belongs to a saved state; otherwise it is an event");
  if (former) {
    scenario.definition = former->definition;
    scenario.parameters = former->parameters;
  }
  InitialConditions given;
  if (scope == EditScope::without_start) {
    scenario.q = former->q;
    scenario.omega = former->omega;
    scenario.generator = former->generator;
    scenario.base = former->base;
  } else {
    given = read_start(initial, saved || exact_start, system);
    scenario.q = given.q;
    scenario.omega = given.omega;
    if (given.generated && !saved)
      scenario.generator.directions = initial.member("generator").node();
    if (const auto velocity = initial.find("velocity");
        velocity && velocity->kind() == Kind::object && !saved)
      scenario.generator.velocities = velocity->node();
  }
  const auto made = read_system_at_start(root, scenario);
  if (scope != EditScope::without_start && !first_order(*made))
    settle_velocities(initial, *made, 0, saved || exact_start, given);
  if (scope == EditScope::without_start) {
    if (!made->free_base()) scenario.base.reset();
  } else if (const auto base = initial.find("base");
             base && (made->free_base() || !former || !former->base)) {
    // Where an edit ends the flight, the base of the former start is dropped without an error.
    scenario.base = read_base(*base, *made);
  }
  scenario.lanes = read_lanes(root, scenario.size(), made.get(), saved);
  if (given.q_next.cols() > 0) {
    if (first_order(*made)) initial.member("q_next").fail(std::string(follows_from_q));
    give_velocities(initial, *made, scenario.lanes, given);
    scenario.omega = given.omega;
  }
  if (saved) scenario.continuation = read_saved_state(root, *made, scenario);
  if (first_order(*made) && former) {
    follow_positions(*made, scenario);
  } else if (first_order(*made)) {
    settle_velocities(initial, *made, RunClock(scenario).time(), saved || exact_start, given);
    scenario.omega = given.omega;
  }
  (void)root.member("duration");
  read_rest(root, scenario);
  check_following(root, scenario, *made);
  read_record(root, scenario);
  if (const auto orbit = root.find("orbit")) scenario.orbit = read_orbit(*orbit, scenario);
  if (const auto view = root.find("view")) scenario.view = view->expect(Kind::object).node();
  check_energy(root, *made, scenario);
  check_forces(root, *made, scenario);
  return scenario;
}

/// Drops the orbit that an edit leaves as it was: it is that of a system, a start and steps. One
/// that the edit gives stays.
void drop_former_orbit(Scenario& edited, const Scenario& former) {
  if (!edited.orbit) return;
  const bool moved = edited.size() != former.size() || edited.q != former.q ||
                     edited.omega != former.omega || edited.base != former.base ||
                     edited.lanes != former.lanes || !same_system(edited, former);
  if (moved && edited.orbit == former.orbit) edited.orbit.reset();
}

/// Reads some sections of a scenario; all else is taken from `former`.
Scenario read_edited_sections(const Value& root, const Scenario& former) {
  Scenario scenario = former;
  const auto system = read_given_sections(root, scenario, SettingsCheck::at_start);
  if (system && !system->free_base()) scenario.base.reset();
  if (system && former.continuation)
    for (std::size_t i = 0; i < former.continuation->lanes.size(); ++i)
      if (const RestartState::Lane& lane = former.continuation->lanes[i]; lane.q.cols() > 0)
        check_lane_start(root.named(lane_location(former, i) + ".initial"), *system, scenario,
                         lane);
  const bool moved = scenario.definition && scenario.lanes != former.lanes;
  const auto same = system || !(moved || info_of(scenario).first_order)
                        ? nullptr
                        : checked_system(root.named("system"), scenario);
  const System* const present = system ? system.get() : same.get();
  if (info_of(scenario).first_order) follow_positions(*present, scenario);
  read_record(root, scenario);
  if (system) check_energy(root, *system, scenario);
  if (system || moved) check_forces(root, *present, scenario);
  drop_former_orbit(scenario, former);
  return scenario;
}

/// The scenario in a document: the whole document, or a part of it in a companion of a table,
/// "NAME.csv.json".
Value scenario_of(const Value& root) {
  if (root.kind() != Kind::object || root.find("twosphere")) return root;
  const Node *program = root.node().find("program"), *scenario = root.node().find("scenario");
  const bool companion = program && program->text == "twosphere" && scenario;
  return companion ? root.member("scenario") : root;
}

/// Rejects variables that do not belong to the methods. Missing sums of rounding errors, as in
/// files of earlier versions, are set to zero; a state after steps that lacks anything is continued
/// with a warning. Applies only to files: a later change of the method discards the variables.
void complete_memory(const Value& root, Scenario& scenario) {
  const auto system = create_system(scenario);
  auto& lanes = scenario.continuation->lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    RestartState::Lane& at = lanes[i];
    const Value section = lanes.size() > 1 ? root.member("lanes").item(i) : root;
    const auto given = section.find("integrator_state");
    Names missing;
    IntegratorState memory;
    bool compensated = false, tangent = false, oriented = !(*system)->follows_attitude();
    for (const auto& [name, numbers] : at.memory) {
      if ((name == work_compensation || name == section_entry) && numbers.size() != 1)
        given->member(name).fail(fmt::format("must have 1 number, not {}", numbers.size()));
      if (name == centre_entry && (numbers.size() != 6 || !(*system)->free_base()))
        given->member(name).fail((*system)->free_base()
                                     ? fmt::format("must have 6 numbers, not {}", numbers.size())
                                     : std::string("this system has no base that flies"));
      oriented |= name == attitude_entry;
      if (name == attitude_entry)
        check_attitude(given->member(name), numbers, **system, at.q.cols() > 0 ? at.q : scenario.q);
      if (name == work_compensation)
        compensated = true;
      else if (Exponents::is_entry(name))
        tangent = true;
      else if (!is_entry_of_lane(name))
        memory.emplace_back(name, numbers);
    }
    if (tangent && !Exponents::load(at.memory, scenario.size()))
      given->fail(fmt::format(
          "has no tangent vectors of {} bodies; the numbers of each entry must fit the "
          "others, and tangent_metric has the inertia of each body and ω₀², all greater "
          "than 0",
          scenario.size()));
    if (!compensated) missing.emplace_back(work_compensation);
    if (!oriented) missing.emplace_back(attitude_entry);
    const LaneSpec& lane = scenario.lanes[i];
    const auto method = find_integrator(lane.type)->create(lane.values);
    method->prepare(**system, saved_state(scenario, **system, at));
    const IntegratorState known = method->saved_state();
    const auto lacks = [](const IntegratorState& all, std::string_view name) {
      return std::none_of(all.begin(), all.end(), [&](const auto& e) { return e.first == name; });
    };
    for (std::size_t k = 0; k < known.size(); ++k) {
      const auto& [name, numbers] = known[k];
      if (!lacks(memory, name)) continue;
      missing.push_back(name);
      if (memory.empty() || memory.size() < k || !name.ends_with("compensation")) continue;
      memory.emplace(memory.begin() + static_cast<std::ptrdiff_t>(k), name,
                     std::vector<double>(numbers.size(), 0.0));
    }
    if (!memory.empty() && !method->load_state(memory))
      given->fail(fmt::format("is not what {} writes for {} bodies", lane.type, scenario.size()));
    if (!missing.empty() && (at.step_index != 0 || at.work != 0))
      (given ? *given : section)
          .warn(fmt::format("has no {}, as if written by an earlier version; the run continues "
                            "from this state, but not bit for bit",
                            fmt::join(missing, ", ")));
    if (lacks(at.memory, work_compensation))
      memory.emplace_back(work_compensation, std::vector<double>{0.0});
    std::copy_if(at.memory.begin(), at.memory.end(), std::back_inserter(memory), [](const auto& e) {
      return is_entry_of_lane(e.first) || Exponents::is_entry(e.first);
    });
    at.memory = std::move(memory);
  }
}

}  // namespace

Result<Scenario> from_json(const json::Node& root, std::string_view source,
                           std::vector<std::string>* warnings) {
  const Origin named{source, warnings};
  try {
    return read(scenario_of(Value(named, root, "")));
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Scenario> read_scenario(std::string_view text, std::string_view source,
                               std::vector<std::string>* warnings) {
  const auto root = json::parse(text, source);
  if (!root) return root.error();
  const Origin named{source, warnings};
  try {
    const Value document = scenario_of(Value(named, *root, ""));
    Scenario scenario = read(document);
    if (scenario.continuation) complete_memory(document, scenario);
    return scenario;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Scenario> read_edited(const Node& root, const Scenario& former, EditScope scope,
                             bool exact_start, std::vector<std::string>* warnings) {
  const Origin unnamed{"", warnings};
  const Value document(unnamed, root, "");
  try {
    if (scope == EditScope::sections) return read_edited_sections(document, former);
    Scenario edited = read(document, exact_start, &former, scope);
    drop_former_orbit(edited, former);
    return edited;
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Scenario> load_scenario(const std::string& path, std::vector<std::string>* warnings) {
  auto text = read_file(path, json::max_bytes);
  if (!text) {
    Error error = text.error();
    if (find_preset(path)) error.message += "; there is a preset of this name: --preset=" + path;
    return error;
  }
  const std::string source = path == "-" ? "standard input" : path;
  if (is_web_page(*text)) text = page_scenario(*text, source);
  if (!text) return text.error();
  return read_scenario(*text, source, warnings);
}

Result<Scenario> load_preset(const std::string& key, std::vector<std::string>* warnings) {
  if (const Preset* found = find_preset(key))
    return read_scenario(found->text, found->key, warnings);
  const std::vector<std::string> keys = preset_keys();
  const std::string near = nearest(key, keys);
  return Error{ErrorKind::usage, "",
               fmt::format("unknown preset {}; {}known: {}", json::quote(key),
                           near.empty() ? "" : fmt::format("did you mean {}? ", near),
                           fmt::join(keys, ", "))};
}

}  // namespace twosphere
