// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/document.h"
#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/color/palette.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/exponents.h"
#include "core/mechanics/random_state.h"
#include "core/scenario/added_lane.h"
#include "core/scenario/branches.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/sections.h"
#include "core/scenario/state_edit.h"
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
  lane.step_index = section.member("step_index").whole(-most_steps);
  lane.time_origin = section.member("time_origin").number();
  lane.energy_reference = section.member("energy_reference").number();
  lane.work = section.member("work").number();
  if (const auto memory = section.find("integrator_state"))
    for (const auto& [name, unused] : memory->expect(Kind::object).node().members) {
      const Value list = memory->member(name);
      std::vector<double> numbers;
      for (std::size_t i = 0; i < list.expect(Kind::array).size(); ++i)
        numbers.push_back(list.item(i).number());
      lane.memory.emplace_back(name, std::move(numbers));
    }
  return lane;
}

/// Reads a key that must be true or omitted.
bool read_true(const Value& value) {
  if (!value.expect(Kind::boolean).node().boolean) value.fail("must be true or omitted");
  return true;
}

/// `least`: the smallest number of steps.
Pull read_pull(const Value& section, int bodies, std::int64_t least) {
  section.object({"body", "force", "steps"});
  return {.body = static_cast<int>(section.member("body").whole(0, bodies - 1)),
          .force = read_vector(section.member("force"), "N"),
          .steps = section.member("steps").whole(least)};
}

/// One pull, or several that follow one another: with lists of forces and, unless all are equally
/// long, of steps.
std::vector<Pull> read_pulls(const Value& section, int bodies) {
  const auto forces = section.find("force");
  if (!forces || forces->node().kind != Kind::array || forces->size() == 0 ||
      forces->item(0).node().kind != Kind::array)
    return {read_pull(section, bodies, 1)};
  section.object({"body", "force", "steps"});
  const auto body = static_cast<int>(section.member("body").whole(0, bodies - 1));
  const Value steps = section.member("steps");
  const bool listed = steps.node().kind == Kind::array;
  if (listed && steps.size() != forces->size())
    steps.fail(fmt::format("must be one number or have {}, one per force, not {}", forces->size(),
                           steps.size()));
  std::vector<Pull> pulls;
  for (std::size_t i = 0; i < forces->size(); ++i)
    pulls.push_back(
        {body, read_vector(forces->item(i), "N"), (listed ? steps.item(i) : steps).whole(1)});
  return pulls;
}

bool is_saved_state(const Value& root) {
  return std::any_of(lane_state_keys.begin(), lane_state_keys.end(),
                     [&](const auto& key) { return root.find(key).has_value(); });
}

/// The lanes of a settings document.
std::vector<LaneSpec> lanes_of(const Value& document, const System& system) {
  const auto listed = document.find("lanes");
  if (!listed) {
    std::vector<LaneSpec> one{read_lane(document.member("integrator"), false, system)};
    check_lanes({document.member("integrator")}, one);
    return one;
  }
  const std::vector<Value> entries = listed_lanes(*listed);
  std::vector<LaneSpec> lanes;
  lanes.reserve(entries.size());
  for (const Value& entry : entries) lanes.push_back(read_lane(entry, true, system));
  check_lanes(entries, lanes);
  return lanes;
}

/// Adds a lane to a settings document.
void add_lane(Node& settings, const AddedLane& added) {
  Node list = Node::array();
  if (const Node* one = settings.find("integrator"))
    list.items.push_back(*one);
  else
    list = *settings.find("lanes");
  std::vector<LaneSpec> lanes;
  for (const Node& lane : list.items) lanes.emplace_back().type = lane.find("type")->text;
  lanes.push_back(added.lane);
  list.items.push_back(lane_document(added.lane, default_names(lanes).back()));
  (void)assign_setting(settings, "lanes", list);
}

/// Reads the lane that an event adds and appends it to the settings document. Its name must differ
/// from theirs and from those of the scenario. `trial`: as for try_settings().
AddedLane read_added_lane(const Value& section, const Scenario& scenario, Node& settings,
                          Scenario& trial) {
  const Source unnamed;
  const Value document(unnamed, settings, "");
  const auto system = read_system(document.member("system"), trial);
  const std::vector<LaneSpec> lanes = lanes_of(document, *system);
  Names taken = names_of(lanes);
  for (std::string& name : names_of(recorded_lanes(scenario))) taken.push_back(std::move(name));
  AddedLane added = twosphere::read_added_lane(section, *system, lanes, taken);
  add_lane(settings, added);
  return added;
}

/// Fails if a potential that an event sets is finite nowhere: neither at the start nor at a few
/// other states.
void check_potential(const Value& section, const System& system, const Columns& q) {
  constexpr unsigned others = 4;
  bool finite = std::isfinite(system.potential(q));
  for (unsigned k = 0; k < others && !finite; ++k)
    finite = std::isfinite(system.potential(random_directions(system.size(), k)));
  if (!finite)
    section.find("potential")
        .value_or(section)
        .fail("is not a finite number, at the start or at other states");
}

/// Reads the sections of a settings document that these paths belong to again. Returns the first
/// error with the index of the path that causes it. `trial`: the directions of the start, and the
/// kind of system that the former settings have, which is replaced.
std::optional<std::pair<std::size_t, Error>> try_settings(const Value& document,
                                                          const std::vector<SettingPath>& paths,
                                                          Scenario& trial) {
  try {
    const auto touched = [&](std::string_view key) {
      return std::any_of(paths.begin(), paths.end(),
                         [&](const SettingPath& path) { return path.key() == key; });
    };
    const auto system = read_system(document.member("system"), trial);
    // Texts may change the inertia and the potential.
    const bool texts = trial.kind && touched("system");
    if (texts) check_potential(document.member("system"), *system, trial.q);
    if (texts || touched("integrator") || touched("lanes")) (void)lanes_of(document, *system);
    if (touched("integrator") || touched("lanes") || touched("duration"))
      (void)read_duration(document);
    if (touched("every")) (void)document.member("every").whole(1);
    // The system may no longer have what an expression names.
    const auto stop = document.find("stop");
    if (stop && (touched("stop") || touched("system"))) (void)read_stop(*stop, trial);
  } catch (const Failure& failure) {
    const Error& error = failure.error();
    // The setting to report is the last one at the location of the error, else the last one around
    // it.
    const SettingPath location = split_location(error.location).first;
    for (std::size_t i = paths.size(); i-- > 0;)
      if (location.within(paths[i]) || paths[i].within(location)) return std::pair(i, error);
    return std::pair(paths.size() - 1, error);
  }
  return {};
}

constexpr std::int64_t largest_step = std::int64_t{1} << 53;

/// Reads events, from step `from` on, which follow those of the scenario. Each is checked with the
/// settings that the earlier events lead to.
void read_events(const Value& list, Scenario& scenario, std::int64_t from = 0) {
  list.expect(Kind::array);
  std::vector<Event> events;
  std::vector<Value> locations;  // of the settings
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"step", "set", "since", "resume", "reverse", "pull", "add_lane"});
    Event& event = events.emplace_back(Event{.step = entry.member("step").whole(0)});
    if (event.step < from)
      entry.member("step").fail(
          fmt::format("must be at least from_step, {}, not {}", from, event.step));
    // Either one of these keys, or settings.
    std::optional<std::string_view> what;
    std::vector<Pull> pulls;
    for (const std::string_view key : {"resume", "reverse", "pull", "add_lane", "set"}) {
      const auto given = entry.find(key);
      if (!given) continue;
      if (what) given->fail(fmt::format("cannot be combined with {}; use two events", *what));
      what = key;
      if (key == "resume") event.resume = read_true(*given);
      if (key == "reverse") event.reverse = read_true(*given);
      if (key == "pull") pulls = read_pulls(*given, scenario.size());
    }
    if (const auto since = entry.find("since")) {
      if (what && *what != "set")
        since->fail(fmt::format("cannot be combined with {}; it belongs to set", *what));
      event.since = since->whole(0);
      if (*event.since > event.step)
        since->fail(fmt::format("must be at most the step of the event, {}, not {}", event.step,
                                *event.since));
    }
    if (what && *what != "set") {
      locations.push_back(entry);
      if (!pulls.empty()) event.pull = pulls.front();
      for (std::size_t k = 1; k < pulls.size(); ++k) {
        const std::int64_t step = events.back().step + pulls[k - 1].steps;
        if (step > largest_step) entry.fail(fmt::format("pulls beyond step {}", largest_step));
        events.push_back({.step = step, .pull = pulls[k]});
        locations.push_back(entry);
      }
      continue;
    }
    const Value set = locations.emplace_back(entry.member("set").expect(Kind::object));
    if (set.node().members.empty()) set.fail("must set at least one value: {path: value}");
    for (const auto& [path, value] : set.node().members) event.set.push_back({path, value});
  }
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return events[a].step < events[b].step; });

  Node trial = settings_document(scenario);
  Scenario made;  // from it
  made.q = scenario.q;
  made.kind = scenario.kind;
  const std::size_t former = scenario.events.size();
  for (const Event& event : scenario.events) {
    if (event.add_lane) add_lane(trial, *event.add_lane);
    for (const auto& [path, value] : event.set) (void)assign_setting(trial, path, value);
  }
  for (const std::size_t i : order) {
    Event& event = events[i];
    if (const auto added = locations[i].find("add_lane"); added && event.set.empty())
      event.add_lane = read_added_lane(*added, scenario, trial, made);
    std::vector<SettingPath> paths;
    StateEdits edits;
    for (const auto& [path, value] : event.set) {
      const Value location = locations[i].member(path.text());
      paths.push_back(canonical(path, trial));
      if (is_of_state(path)) {
        read_state_edit(location, path, scenario.size(), edits);
        continue;
      }
      if (const std::string why = why_not_live(trial, paths.back()); !why.empty())
        location.fail(why);
      if (auto done = assign_setting(trial, path, value); !done)
        location.fail(done.error().message);
    }
    const Source unnamed;
    const auto wrong =
        paths.empty() ? std::nullopt : try_settings(Value(unnamed, trial, ""), paths, made);
    if (wrong) {
      const auto& [which, error] = *wrong;
      const SettingPath& path = event.set[which].path;
      const auto [at, column] = split_location(error.location);
      const bool there = path == at || paths[which] == at;
      locations[i]
          .member(path.text())
          .fail((there || at.empty() ? "" : error.location + ": ") + error.message,
                there ? column : 0);
    }
    // Written files have numbers.
    for (auto& [path, value] : event.set) {
      const Node* read = unnamed.evaluated.empty() ? nullptr : find_setting(trial, path);
      if (read) value = Value(unnamed, *read, "").with_numbers();
      if (is_of_state(path)) value = locations[i].member(path.text()).with_numbers();
    }
    scenario.events.push_back(event);
  }
  if (!stride_changes(scenario.events)) return;
  std::int64_t stride = base_stride(scenario);
  for (std::size_t k = 0; k < scenario.events.size(); ++k)
    for (const auto& [path, value] : scenario.events[k].set) {
      if (path != "every") continue;
      const auto next = coarser_stride(stride, static_cast<std::int64_t>(value.number));
      if (!next) {
        const std::string why =
            fmt::format("must be a multiple or a divisor of the previous stride, {}, not {}",
                        stride, shortest(value.number));
        if (k < former) list.fail(fmt::format("with these, events[{}].set.every {}", k, why));
        locations[order[k - former]].member(path.text()).fail(why);
      }
      stride = *next;
    }
}

/// Reads the branches. The events of each follow the shared events of the scenario.
void read_branches(const Value& list, Scenario& scenario) {
  list.expect(Kind::array);
  if (list.size() > most_branches)
    list.fail(fmt::format("must have at most {} entries, not {}", most_branches, list.size()));
  std::vector<BranchSpec> branches;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"name", "from_step", "events", "steps", "color", "hidden"});
    const Value name = entry.member("name");
    if (const std::string why = why_no_branch_name(name.text()); !why.empty()) name.fail(why);
    for (std::size_t j = 0; j < i; ++j)
      if (branches[j].name == name.text())
        name.fail(fmt::format("the name {} is already used by branches[{}]; names must be unique",
                              json::quote(name.text()), j));
    BranchSpec& branch =
        branches.emplace_back(BranchSpec{name.text(), entry.member("from_step").whole(0)});
    Scenario record = scenario;
    record.events = events_before(scenario, branch.from_step);
    const auto shared = static_cast<std::ptrdiff_t>(record.events.size());
    read_events(entry.member("events"), record, branch.from_step);
    branch.events.assign(record.events.begin() + shared, record.events.end());
    if (const auto steps = entry.find("steps")) branch.steps = steps->whole(0);
    if (const auto color = entry.find("color"))
      branch.color = static_cast<int>(color->whole(0, branch_color_count - 1));
    if (const auto hidden = entry.find("hidden")) branch.hidden = read_true(*hidden);
  }
  scenario.branches = std::move(branches);
}

/// Checks that the saved state of a lane has a finite energy.
void check_lane_start(const Value& initial, const System& system, const RestartState::Lane& lane) {
  if (!std::isfinite(total_energy(system, State{0, lane.q, lane.omega})))
    initial.fail("the energy there is not a finite number");
}

/// Reads the lanes and, for a saved state whose `continuation` is not known yet, their saved
/// states. The start has already been read.
void read_lanes(const Value& root, const System& system, bool saved, Scenario& scenario) {
  const auto listed = root.find("lanes");
  if (listed && root.find("integrator"))
    listed->fail("integrator and lanes cannot be given together");
  std::vector<Value> entries;
  if (listed)
    entries = listed_lanes(*listed);
  else
    entries.push_back(root.member("integrator"));
  const bool several = entries.size() > 1;
  Names more;
  const bool known = scenario.continuation.has_value();
  saved |= known;
  if (several && saved) more.assign(lane_state_keys.begin(), lane_state_keys.end());
  for (const Value& entry : entries) {
    if (several && saved && scenario.lanes.size() == 1) more.emplace_back("initial");
    scenario.lanes.push_back(read_lane(entry, listed.has_value(), system, more));
  }
  check_lanes(entries, scenario.lanes);
  if (!saved) return;
  if (known) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (const auto initial = entries[i].find("initial"))
        check_lane_start(*initial, system, scenario.continuation->lanes[i]);
    return;
  }
  RestartState& c = scenario.continuation.emplace();
  c.step_index = root.member("step_index").whole(-most_steps);
  if (const auto reversed = root.find(reversed_key)) c.reversed = read_true(*reversed);
  if (const auto pulls = root.find(pulls_key))
    for (std::size_t i = 0; i < pulls->expect(Kind::array).size(); ++i)
      c.pulls.push_back(read_pull(pulls->item(i), scenario.size(), 0));
  c.time_origin = root.member("time_origin").number();
  if (!several) {
    c.lanes.push_back(read_lane_state(root));
    return;
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
    lane.q = std::move(start.q);
    lane.omega = std::move(start.omega);
    check_lane_start(*initial, system, lane);
  }
}

/// `former`: the scenario that the document edits, from which everything is taken that the document
/// lacks by its scope.
Scenario read(const Value& root, bool exact_start = false, const Scenario* former = nullptr,
              EditScope scope = EditScope::whole) {
  Names allowed{"twosphere", "title",    "description", "system", "initial", "integrator",
                "lanes",     "duration", "every",       "stop",   "section", "signal",
                "plots",     "events",   "branches",    "view"};
  allowed.insert(allowed.end(), lane_state_keys.begin(), lane_state_keys.end());
  for (const std::string_view key : {reversed_key, pulls_key, program_key})
    allowed.emplace_back(key);
  if (root.kind() != Kind::object) root.wrong_kind("an object: a scenario");
  if (!root.find("twosphere"))
    root.fail("missing key \"twosphere\": a scenario starts with \"twosphere\": 1");
  if (const Value format = root.member("twosphere"); format.number() != 1)
    format.fail(
        fmt::format("unknown format {}; this program reads format 1", shortest(format.number())));
  root.object(allowed);

  Scenario scenario;
  if (const auto title = root.find("title")) scenario.title = title->text();
  if (const auto description = root.find("description")) scenario.description = description->text();
  if (const auto program = root.find(program_key)) (void)program->text();
  const Value system = root.member("system"), initial = root.member("initial");
  // Check the type first: for an unknown system the start is not the cause of the error.
  (void)read_system_type(system);
  const bool saved = is_saved_state(root);
  for (const std::string_view key : {reversed_key, pulls_key})
    if (const auto given = root.find(key); given && !saved)
      given->fail("belongs to a saved state; otherwise it is an event");
  if (former) {
    scenario.kind = former->kind;
    scenario.parameters = former->parameters;
  }
  if (scope != EditScope::whole) {
    scenario.q = former->q;
    scenario.omega = former->omega;
  } else {
    InitialConditions given = read_start(initial, saved || exact_start);
    scenario.q = std::move(given.q);
    scenario.omega = std::move(given.omega);
  }
  const bool settings_only = scope == EditScope::settings;
  const auto made = read_system(system, scenario, settings_only ? &former->parameters : nullptr);
  check_texts(system, scenario);
  if (const auto& check = info_of(scenario).check_start; check && !scenario.kind)
    if (auto possible = check(scenario.q, scenario.parameters); !possible)
      fail_at(initial, possible.error());

  if (settings_only) scenario.continuation = former->continuation;
  read_lanes(root, *made, saved, scenario);

  scenario.duration = read_duration(root);
  if (const auto every = root.find("every")) scenario.every = every->whole(1);
  if (const auto stop = root.find("stop")) scenario.stop = read_stop(*stop, scenario);
  if (const auto section = root.find("section"))
    scenario.section = read_section(*section, scenario);
  if (const auto signal = root.find("signal")) scenario.signal = read_signal(*signal, scenario);
  if (const auto plots = root.find("plots")) scenario.plots = read_plots(*plots, scenario);
  if (const auto events = root.find("events")) read_events(*events, scenario);
  if (const auto branches = root.find("branches")) read_branches(*branches, scenario);
  if (const auto view = root.find("view")) scenario.view = view->expect(Kind::object).node();

  if (!std::isfinite(total_energy(*made, State{0, scenario.q, scenario.omega})))
    initial.fail("the energy of this start is not a finite number");
  if (scenario.kind)
    if (const auto error = scenario.kind->check_forces(
            {RunClock(scenario).time(), scenario.q, scenario.omega}, scenario.parameters))
      fail_at(system, *error);
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
  const auto system = info_of(scenario).create(scenario.size(), scenario.parameters);
  auto& lanes = scenario.continuation->lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    RestartState::Lane& at = lanes[i];
    const Value section = lanes.size() > 1 ? root.member("lanes").item(i) : root;
    const auto given = section.find("integrator_state");
    Names missing;
    IntegratorState memory;
    bool compensated = false, tangent = false;
    for (const auto& [name, numbers] : at.memory) {
      if ((name == work_compensation || name == section_entry) && numbers.size() != 1)
        given->member(name).fail(fmt::format("must have 1 number, not {}", numbers.size()));
      if (name == work_compensation)
        compensated = true;
      else if (Exponents::is_entry(name))
        tangent = true;
      else if (name != section_entry)
        memory.emplace_back(name, numbers);
    }
    if (tangent && !Exponents::load(at.memory, scenario.size()))
      given->fail(fmt::format("has tangent vectors that are not of {} bodies", scenario.size()));
    if (!compensated) missing.emplace_back(work_compensation);
    const LaneSpec& lane = scenario.lanes[i];
    const bool own = at.q.cols() > 0;
    const auto method = find_integrator(lane.type)->create(lane.values);
    method->prepare(**system, State{0, own ? at.q : scenario.q, own ? at.omega : scenario.omega});
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
      return e.first == work_compensation || e.first == section_entry ||
             Exponents::is_entry(e.first);
    });
    at.memory = std::move(memory);
  }
}

}  // namespace

Result<Scenario> read_scenario(const json::Node& root, std::string_view source,
                               std::vector<std::string>* warnings) {
  const Source named{source, warnings};
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
  const Source named{source, warnings};
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
  const Source unnamed{"", warnings};
  try {
    return read(Value(unnamed, root, ""), exact_start, &former, scope);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Scenario> load_scenario(const std::string& path, std::vector<std::string>* warnings) {
  const auto text = read_file(path, json::max_bytes);
  if (!text) return text.error();
  return read_scenario(*text, path == "-" ? "standard input" : path, warnings);
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
