// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/exceptions.h"
#include "core/color/palette.h"
#include "core/scenario/added_lane.h"
#include "core/scenario/branches.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/schedule.h"
#include "core/scenario/settings_reader.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/tangent_maps.h"
#include "core/scenario/writer.h"

namespace twosphere::document {

using json::Kind;
using json::Node;
using json::shortest;

namespace {

/// Fails at a list with which a run has more events than it may.
void check_count(const Value& list, std::size_t events) {
  if (events > max_events)
    list.fail(fmt::format("the run has {} events up to here, at most {} are allowed", events,
                          max_events));
}

/// One pull, or several that follow one another: with lists of forces and, unless all are equally
/// long, of steps. Each is an event; `events`: those of the run up to here, of which it is one.
std::vector<Pull> read_pulls(const Value& section, int bodies, std::size_t& events) {
  const auto forces = section.find("force");
  if (!forces || forces->node().kind != Kind::array || forces->size() == 0 ||
      forces->item(0).node().kind != Kind::array)
    return {read_pull(section, bodies, 1)};
  section.object(key_names("pull"));
  check_count(*forces, events += forces->size() - 1);
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

/// The settings of a run before its events, without what no event sets or depends on: title,
/// section, signal, plots and the saved state.
Scenario settings_of(const Scenario& scenario) {
  Scenario settings;
  settings.system = scenario.system;
  settings.definition = scenario.definition;
  settings.parameters = scenario.parameters;
  settings.q = scenario.q;
  settings.omega = scenario.omega;
  settings.lanes = scenario.lanes;
  settings.duration = scenario.duration;
  settings.every = scenario.every;
  settings.stop = scenario.stop;
  return settings;
}

/// Applies an event that has been read to the settings of the run.
void apply_event(const Event& event, Scenario& settings) {
  if (event.add_lane) settings.lanes.push_back(event.add_lane->lane);
  const std::vector<Setting> changes = part_of(event.set, false);
  if (changes.empty()) return;
  Node root = edit_document(settings, changes, EditScope::sections);
  for (const auto& [path, value] : changes) (void)assign_setting(root, path, value);
  const Origin unnamed;
  (void)read_given_sections(Value(unnamed, root, ""), settings, SettingsCheck::none);
}

/// Reads the lane that an event adds. Its name must differ from those of all other lanes.
AddedLane read_added_lane(const Value& section, const Scenario& scenario, const Scenario& settings,
                          SettingsCheck check) {
  const auto system = check == SettingsCheck::none ? nullptr : checked_system(section, settings);
  Names taken = names_of(settings.lanes);
  for (std::string& name : names_of(recorded_lanes(scenario))) taken.push_back(std::move(name));
  AddedLane added =
      twosphere::read_added_lane(section, system.get(), settings.size(), settings.lanes, taken);
  if (system)
    if (auto follow = check_conditions(settings.stop, {added.lane}, *system, settings.parameters);
        !follow)
      section.member("type").fail(follow.error().message);
  return added;
}

/// Fails at the setting of an event that causes an error in the settings of the run: the last one
/// at, around or within the location of the error, else the last of all.
[[noreturn]] void fail_at_setting(const Value& set, const std::vector<Setting>& changes,
                                  const std::vector<SettingPath>& paths, const Error& error) {
  const auto [at, column] = split_location(error.location);
  const SettingPath location = at;
  std::size_t which = paths.size() - 1;
  for (std::size_t i = paths.size(); i-- > 0;)
    if (location.within(paths[i]) || paths[i].within(location)) {
      which = i;
      break;
    }
  const SettingPath& path = changes[which].path;
  const bool there = path == at || paths[which] == at;
  set.member(path.text())
      .fail((there || at.empty() ? "" : error.location + ": ") + error.message, there ? column : 0);
}

/// Whether a value is a text or contains one.
bool has_text(const Node& value) {
  return value.kind == Kind::string ||
         std::any_of(value.items.begin(), value.items.end(), has_text) ||
         std::any_of(value.members.begin(), value.members.end(),
                     [](const auto& member) { return has_text(member.second); });
}

/// Whether the system of a run has a base that flies.
bool has_flying_base(const Scenario& settings) {
  const auto system = create_system(settings);
  return system && (*system)->free_base();
}

/// Checks the settings of an event, applies them to the settings of the run, and replaces the
/// expressions in the event by numbers. `set`: where the settings of the event stand.
void read_event_settings(const Value& set, Event& event, Scenario& settings, SettingsCheck check) {
  const std::vector<Setting> changes = part_of(event.set, false);
  Node root = edit_document(settings, changes, EditScope::sections);
  std::vector<SettingPath> paths;  // of the changes
  StateEdits edits;
  for (const auto& [path, value] : event.set) {
    const Value location = set.member(path.text());
    if (is_of_state(path)) {
      read_state_edit(location, path,
                      {settings.size(), path.key(1) == "base" && has_flying_base(settings),
                       info_of(settings).first_order},
                      edits);
      continue;
    }
    paths.push_back(canonical(path, root));
    if (const std::string why = why_not_live(root, paths.back()); !why.empty()) location.fail(why);
    if (auto done = assign_setting(root, path, value); !done) location.fail(done.error().message);
  }
  const Origin unnamed;
  try {
    (void)read_given_sections(Value(unnamed, root, ""), settings, check);
  } catch (const Failure& failure) {
    fail_at_setting(set, changes, paths, failure.error());
  }
  // Written files have numbers.
  for (auto& [path, value] : event.set) {
    if (is_of_state(path))
      value = set.member(path.text()).with_numbers();
    else if (const Node* read = has_text(value) ? find_setting(root, path) : nullptr)
      value = Value(unnamed, *read, "").with_numbers();
  }
}

/// The tangent vectors that follow a run from its start; those of a saved state are not known here.
int vectors_at_start(const Scenario& scenario) {
  return scenario.continuation ? 0 : vectors_needed(scenario.stop);
}

/// Warns of a stop condition that needs more tangent vectors than those that follow the run from
/// the conditions before it, `following`; 0: none do yet. Counts those that follow from then on.
void warn_of_vectors(const Value& set, const Scenario& settings, int& following) {
  const int needed = vectors_needed(settings.stop);
  if (following > 0 && needed > following)
    set.warn(fmt::format(
        "stop needs {0} tangent vectors, but {1} follow the run from an earlier condition, and it "
        "ends here; with --exponents {0} they follow from its start",
        needed, following));
  following = std::max(following, needed);
}

/// Reads events, from step `from` on, which follow those of the scenario. `settings`: those of the
/// run after the events of the scenario; `following`: the tangent vectors that follow it.
void read_events(const Value& list, Scenario& scenario, Scenario settings, std::int64_t from,
                 int following, EventChecks& checks) {
  const std::size_t former = scenario.events.size();
  std::size_t count = former + list.expect(Kind::array).size();
  check_count(list, count);
  std::vector<Event> events;
  std::vector<Value> locations;  // of the settings
  for (const Value& entry : list.items()) {
    entry.object(key_names("event"));
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
      if (key == "pull") pulls = read_pulls(*given, scenario.size(), count);
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
        if (step > max_steps) entry.fail(fmt::format("pulls beyond step {}", max_steps));
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

  for (const std::size_t i : order) {
    Event& event = events[i];
    if (const auto added = locations[i].find("add_lane"); added && event.set.empty()) {
      event.add_lane = read_added_lane(*added, scenario, settings, checks.next(locations[i]));
      apply_event(event, settings);
    }
    if (!event.set.empty()) {
      read_event_settings(locations[i], event, settings, checks.next(locations[i]));
      warn_of_vectors(locations[i], settings, following);
    }
    const bool checked =
        event.add_lane || std::any_of(event.set.begin(), event.set.end(),
                                      [](const Setting& set) { return !is_of_state(set.path); });
    checks.count(locations[i], checked ? settings.size() : 0);
    scenario.events.push_back(std::move(event));
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

}  // namespace

bool read_true(const Value& value) {
  if (!value.truth()) value.fail("must be true or omitted, not false");
  return true;
}

Pull read_pull(const Value& section, int bodies, std::int64_t min_steps) {
  section.object(key_names("pull"));
  return {.body = static_cast<int>(section.member("body").whole(0, bodies - 1)),
          .force = read_vector(section.member("force"), "N"),
          .steps = section.member("steps").whole(min_steps)};
}

SettingsCheck EventChecks::next(const Value& location) const {
  return location.operations() + of_systems_ < max_operations / 2 ? SettingsCheck::running
                                                                  : SettingsCheck::none;
}

void EventChecks::count(const Value& location, int bodies) {
  constexpr long of_an_event = 1000, of_a_body = 100;
  if (bodies > 0 && next(location) == SettingsCheck::running)
    of_systems_ += of_an_event + of_a_body * bodies;
  location.check_operations();
}

void read_events(const Value& list, Scenario& scenario, EventChecks& checks) {
  read_events(list, scenario, settings_of(scenario), 0, vectors_at_start(scenario), checks);
}

void read_branches(const Value& list, Scenario& scenario, EventChecks& checks) {
  list.expect(Kind::array);
  if (list.size() > max_branches)
    list.fail(fmt::format("must have at most {} entries, not {}", max_branches, list.size()));
  std::vector<BranchSpec> branches;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object(key_names("branch"));
    const Value name = entry.member("name");
    if (const std::string why = why_no_branch_name(name.text()); !why.empty()) name.fail(why);
    for (std::size_t j = 0; j < i; ++j)
      if (branches[j].name == name.text())
        name.fail(fmt::format("the name {} is already used by branches[{}]; names must be unique",
                              json::quote(name.text()), j));
    BranchSpec& branch =
        branches.emplace_back(BranchSpec{name.text(), entry.member("from_step").whole(0)});
    if (const auto steps = entry.find("steps")) branch.steps = steps->whole(0, max_steps_taken);
    if (const auto color = entry.find("color"))
      branch.color = static_cast<int>(color->whole(0, branch_color_count - 1));
    if (const auto hidden = entry.find("hidden")) branch.hidden = read_true(*hidden);
  }
  // In order of their beginnings, so that each event of the scenario is applied once.
  std::vector<std::size_t> order(branches.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return branches[a].from_step < branches[b].from_step;
  });
  Scenario settings = settings_of(scenario);
  std::size_t applied = 0;
  int following = vectors_at_start(scenario);
  for (const std::size_t i : order) {
    Scenario record = scenario;
    record.events = events_before(scenario, branches[i].from_step);
    for (; applied < record.events.size(); ++applied) {
      apply_event(record.events[applied], settings);
      following = std::max(following, vectors_needed(settings.stop));
    }
    read_events(list.item(i).member("events"), record, settings, branches[i].from_step, following,
                checks);
    branches[i].events.assign(record.events.begin() + static_cast<std::ptrdiff_t>(applied),
                              record.events.end());
  }
  scenario.branches = std::move(branches);
}

}  // namespace twosphere::document
