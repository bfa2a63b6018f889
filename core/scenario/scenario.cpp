// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/document.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

namespace {

using json::Kind;
using json::Node;
using json::quote;
using json::shortest;
using namespace document;

// Keywords of the format that this version rejects rather than ignores.
const Names later_systems{"custom"};

/// Conditions on quantities that the system's samples have.
std::vector<StopCondition> read_stop(const Value& list, const SystemInfo& system) {
  Names names;
  std::vector<Quantity> known;
  for (const Quantity quantity : csv_quantities(system)) {
    if (quantity == Quantity::time) continue;
    known.push_back(quantity);
    names.emplace_back(info(quantity).key);
  }
  list.expect(Kind::array);
  std::vector<StopCondition> conditions;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"time", "quantity", "above", "below"});
    const auto time = entry.find("time"), quantity = entry.find("quantity"),
               above = entry.find("above"), below = entry.find("below");
    if (time) {
      for (const auto& other : {quantity, above, below})
        if (other) other->fail("cannot be combined with time; a condition has one or the other");
      conditions.push_back({{}, true, time->number()});
      continue;
    }
    if (!quantity) entry.fail("must be {\"time\": T} or {\"quantity\": NAME, \"above\": BOUND}");
    const auto at = std::find(names.begin(), names.end(), quantity->text());
    if (at == names.end())
      quantity->fail(fmt::format("unknown quantity {}; {}known: {}", quote(quantity->text()),
                                 suggestion(quantity->text(), names), join(names)));
    if (above && below) below->fail("above and below cannot be combined; use two conditions");
    if (!above && !below) entry.fail("missing bound: \"above\" or \"below\"");
    const Value& bound = above ? *above : *below;
    StopCondition condition{known[static_cast<std::size_t>(at - names.begin())], above.has_value(),
                            bound.number()};
    if (info(*condition.quantity).error && condition.value < 0)
      bound.fail(fmt::format("must be 0 or greater, not {}: errors are compared by magnitude",
                             shortest(condition.value)));
    conditions.push_back(condition);
  }
  return conditions;
}

template <class Catalogue>
Names keys(const Catalogue& catalogue) {
  Names out;
  for (const auto& entry : catalogue) out.emplace_back(entry.key);
  return out;
}

/// The catalogue's entry named by the key "type".
template <class Info, class Catalogue>
const Info& read_type(const Value& section, const Info* (*find)(std::string_view),
                      const Catalogue& catalogue, std::string_view what, const Names& later = {}) {
  const Value type = section.expect(Kind::object).member("type");
  if (const Info* info = find(type.text())) return *info;
  const Names known = keys(catalogue);
  if (contains(later, type.text()))
    type.fail(fmt::format("{} is not supported yet; known: {}", quote(type.text()), join(known)));
  type.fail(fmt::format("unknown {} {}; {}known: {}", what, quote(type.text()),
                        suggestion(type.text(), known), join(known)));
}

/// Fails at what the error's place, a path from here, names; as far as the document has it.
[[noreturn]] void fail_at(Value at, const Error& error) {
  const SettingPath place = error.place;
  std::size_t part = 0;
  for (; part < place.size(); ++part) {
    std::optional<Value> next;
    if (const auto index = place.index(part)) {
      if (at.kind() == Kind::array && *index < at.size()) next = at.item(*index);
    } else if (at.kind() == Kind::object) {
      next = at.find(place.key(part));
    }
    if (!next) break;
    at = *next;
  }
  const std::string_view rest = std::string_view(error.place).substr(place.first(part).size());
  at.fail(rest.empty() ? error.message : fmt::format("{}: {}", rest, error.message));
}

void check_size(const Value& type, int bodies, int most) {
  if (most > 0 && bodies > most)
    type.fail(
        fmt::format("{} supports at most {} bodies, because its memory grows with their square; "
                    "the start has {}",
                    type.text(), most, bodies));
}

std::unique_ptr<const System> read_system(const Value& section, const Columns& q, std::string& type,
                                          Values& parameters) {
  const SystemInfo& info = read_type(section, find_system, systems(), "system", later_systems);
  Names allowed{"type"};
  for (const ParameterInfo& p : info.parameters) allowed.emplace_back(p.key);
  section.object(allowed);
  type = info.key;
  const int bodies = static_cast<int>(q.cols());
  check_size(section.member("type"), bodies, info.most_bodies);
  parameters = read_parameters(section, info.parameters, bodies);
  if (info.resolve) info.resolve(q, parameters);
  auto made = info.create(bodies, parameters);
  if (!made) fail_at(section, made.error());
  if (!positive_definite((*made)->inertia(), q))
    section.fail("the inertia is not positive definite and finite with these values");
  return std::move(*made);
}

const Names lane_state_keys{"time_origin", "step_index", "energy_reference", "work",
                            "integrator_state"};

/// The name is left empty where none is given. `more` keys are somebody else's.
LaneSpec read_lane(const Value& section, bool named, const System& system, const Names& more = {}) {
  const IntegratorInfo& info = read_type(section, find_integrator, integrators(), "integrator");
  if (info.applies && !info.applies(system.inertia())) {
    Names fitting;
    for (const IntegratorInfo& other : integrators())
      if (!other.applies || other.applies(system.inertia())) fitting.emplace_back(other.key);
    section.member("type").fail(fmt::format("{} needs {}; integrators for this system: {}",
                                            info.key, info.needs, join(fitting)));
  }
  check_size(section.member("type"), system.size(), info.most_bodies);
  Names allowed{"type", "step"};
  for (const ParameterInfo& p : info.parameters) allowed.emplace_back(p.key);
  if (named) allowed.emplace_back("name");
  allowed.insert(allowed.end(), more.begin(), more.end());
  section.object(allowed);
  LaneSpec lane;
  lane.type = info.key;
  lane.step = section.member("step").positive();
  lane.values = read_parameters(section, info.parameters, 0);
  const auto name = named ? section.find("name") : std::nullopt;
  if (!name) return lane;
  lane.name = name->text();
  const bool control = std::any_of(lane.name.begin(), lane.name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
  if (lane.name.empty() || control || lane.name.find('/') != std::string::npos)
    name->fail("must not be empty and must not contain a slash or a control character");
  return lane;
}

/// Names the lanes; rejects duplicate names and steps that do not divide the largest one.
void check_lanes(const std::vector<Value>& places, std::vector<LaneSpec>& lanes) {
  const std::vector<std::string> names = default_names(lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].name.empty()) lanes[i].name = names[i];
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (lanes[i].name != lanes[j].name) continue;
      const auto name = places[i].find("name");
      (name ? *name : places[i])
          .fail(fmt::format("the name {} is already used by lanes[{}]; names must be unique",
                            quote(lanes[i].name), j));
    }
  const double grid = grid_step(lanes);
  const auto largest = std::find_if(lanes.begin(), lanes.end(),
                                    [grid](const LaneSpec& lane) { return lane.step == grid; });
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!(grid / lanes[i].step <= static_cast<double>(most_substeps)))
      places[i].member("step").fail(
          fmt::format("{} s, the step of lanes[{}], is {:.4g} steps of {} s; at most {} are "
                      "allowed in one step of the run",
                      shortest(grid), largest - lanes.begin(), grid / lanes[i].step,
                      shortest(lanes[i].step), most_substeps));
    if (!substeps(grid, lanes[i].step))
      places[i].member("step").fail(
          fmt::format("{} s, the step of lanes[{}], is not a whole number of steps of {} s; every "
                      "step must divide the largest one",
                      shortest(grid), largest - lanes.begin(), shortest(lanes[i].step)));
  }
}

/// The duration, not more than 2^53 steps of any lane.
double read_duration(const Value& root) {
  const Value value = root.member("duration");
  const double duration = value.positive();
  const auto check = [&](const Value& lane) {
    const double step = lane.member("step").positive();
    if (!(duration / step < static_cast<double>(most_steps)))
      value.fail(
          fmt::format("{} s is more than 2^53 steps of {} s", shortest(duration), shortest(step)));
  };
  if (const auto one = root.find("integrator")) check(*one);
  const auto lanes = root.find("lanes");
  for (std::size_t i = 0; lanes && i < lanes->size(); ++i) check(lanes->item(i));
  return duration;
}

std::vector<Value> listed_lanes(const Value& lanes) {
  lanes.expect(Kind::array);
  if (lanes.size() == 0) lanes.fail("must have an entry");
  if (lanes.size() > most_lanes)
    lanes.fail(fmt::format("must have at most {} entries, not {}", most_lanes, lanes.size()));
  std::vector<Value> list;
  for (std::size_t i = 0; i < lanes.size(); ++i) list.push_back(lanes.item(i));
  return list;
}

/// Where a lane is, from the keys beside its settings, or beside everything if it is the only one.
RestartState::Lane read_lane_state(const Value& section) {
  RestartState::Lane lane;
  lane.step_index = section.member("step_index").whole(0);
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

bool is_saved_state(const Value& root) {
  return std::any_of(lane_state_keys.begin(), lane_state_keys.end(),
                     [&](const auto& key) { return root.find(key).has_value(); });
}

/// The lanes of a document, at "integrator" or "lanes".
std::vector<const Node*> lane_nodes(const Node& root) {
  std::vector<const Node*> list;
  if (const Node* lanes = root.find("lanes"))
    for (const Node& lane : lanes->items) list.push_back(&lane);
  else if (const Node* one = root.find("integrator"))
    list.push_back(one);
  return list;
}

/// The one lane of a document is at "integrator", or at "lanes[0]" if it has a name of its own.
/// Both paths mean it. With several "integrator" means none of them.
SettingPath canonical(const SettingPath& path, const Node& root) {
  const Node* lanes = root.find("lanes");
  if (!lanes && path.lane() == 0U) return path.with_first(2, "integrator");
  if (lanes && lanes->items.size() == 1 && path.key() == "integrator")
    return path.with_first(1, "lanes[0]");
  return path;
}

/// Why a path means no lane of the document, if it looks like one.
std::string no_such_lane(const Node& root, const SettingPath& path) {
  const auto lanes = lane_nodes(root);
  const bool vague = path.key() == "lanes" && path.size() > 1 && !path.lane();
  if (vague || (path.key() == "integrator" && path.size() > 1 && lanes.size() > 1)) {
    Names names;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const Node *type = lanes[i]->find("type"), *name = lanes[i]->find("name");
      const Node* said = name ? name : type;
      names.push_back(fmt::format("lanes[{}]", i) + (said ? " (" + said->text + ")" : ""));
    }
    return fmt::format(
        "there {}: {}; specify one, as in {}",
        lanes.size() == 1 ? "is one lane" : fmt::format("are {} lanes", lanes.size()), join(names),
        json::plain(path.with_first(1, "lanes[0]").text()));
  }
  if (const auto lane = path.lane(); lane && *lane >= lanes.size()) {
    if (lanes.size() <= 1) return lanes.empty() ? "there are no lanes" : "there is one lane";
    return fmt::format("there are {} lanes, lanes[0] to lanes[{}]", lanes.size(), lanes.size() - 1);
  }
  return {};
}

/// Drops what the lane's present method does not know, after a change of its type.
void drop_unknown_keys(Node& lane) {
  const Node* type = lane.find("type");
  const IntegratorInfo* info = type ? find_integrator(type->text) : nullptr;
  if (!info) return;
  Names known{"type", "step", "name", "initial"};
  known.insert(known.end(), lane_state_keys.begin(), lane_state_keys.end());
  for (const ParameterInfo& p : info->parameters) known.emplace_back(p.key);
  std::erase_if(lane.members, [&](const auto& member) { return !contains(known, member.first); });
}

/// Sets one value of a document.
Result<void> assign_setting(Node& root, const SettingPath& path, const Node& value) {
  const auto drop = [&root](std::string_view key) {
    std::erase_if(root.members, [key](const auto& member) { return member.first == key; });
  };
  SettingPath place = canonical(path, root);
  if (path == "lanes" || path == "integrator") {  // all of them
    place = path;
    drop(path == "lanes" ? "integrator" : "lanes");
  } else if (place == "integrator.name") {  // which only a list can have
    Node list = Node::array();
    if (const Node* one = root.find("integrator")) list.items.push_back(*one);
    drop("integrator");
    root.set("lanes", std::move(list));
    place = "lanes[0].name";
  }
  if (const std::string why = no_such_lane(root, place); !why.empty())
    return Error{ErrorKind::usage, path.text(), why};
  if (auto done = assign(root, place, value); !done)
    return Error{ErrorKind::usage, path.text(), done.error().message};
  if (place == "integrator.type") drop_unknown_keys(*root.find("integrator"));
  if (const auto lane = place.lane(); lane && place.size() == 3 && place.key(2) == "type")
    drop_unknown_keys(root.find("lanes")->items[*lane]);
  return {};
}

/// Whether the value at a path of the document may change while running; else why not.
std::string why_not_live(const Node& root, const SettingPath& path) {
  if (!path.valid()) return path.problem();
  const std::string_view key = path.key();
  if (path == "duration" || path == "every" || key == "stop") return {};
  const bool of_lane = key == "integrator" || key == "lanes";
  if (key != "system" && !of_lane)
    return "an event sets system.…, integrator.…, lanes[i].…, duration, every or stop";
  constexpr const char* reset = "cannot change during a run; it needs a reset";
  const std::size_t at = key == "lanes" ? 2 : 1;  // of the key within its section
  if (const std::string why = no_such_lane(root, path); !why.empty()) return why;
  if (path == "lanes") return reset;
  const std::string_view name = path.size() > at ? path.key(at) : key;
  const auto* parameters = &find_system(root.find("system")->find("type")->text)->parameters;
  Names live;
  if (of_lane) {
    const std::vector<const Node*> lanes = lane_nodes(root);
    const Node* type = lanes.empty() ? nullptr : lanes[path.lane().value_or(0)]->find("type");
    const IntegratorInfo* method = type ? find_integrator(type->text) : nullptr;
    if (!method) return {};  // the same event has set the type to what there is not
    parameters = &method->parameters;
    live = {"type", "step"};
    if (contains(live, name)) return {};
    if (name == "name") return reset;
  }
  for (const ParameterInfo& p : *parameters) {
    // Of springs only the stiffness.
    const bool whole =
        p.shape != Shape::springs || (path.size() == at + 3 && path.key(at + 2) == "stiffness");
    if (p.key == name && p.live && whole) return {};
    if (p.key == name) return reset;
    if (p.live) live.emplace_back(p.key);
  }
  return fmt::format("no such value; {}an event may set: {}", suggestion(name, live), join(live));
}

Node row(const double* numbers, std::size_t count) {
  Node list = Node::array();
  list.items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) list.items.emplace_back(numbers[i]);
  return list;
}

/// Of numbers, texts and lists of them, of the same shape.
bool same(const Node& a, const Node& b) {
  return a.kind == b.kind && a.number == b.number && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same) &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && same(x.second, y.second);
                    });
}

Node columns(const Columns& values) {
  Node list = Node::array();
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    list.items.push_back(row(values.col(i).data(), 3));
  return list;
}

void write_parameters(Node& section, const std::vector<ParameterInfo>& infos,
                      const Values& values) {
  for (const ParameterInfo& info : infos)
    if (auto node = parameter_node(info, values.find(info.key)->second))
      section.set(std::string(info.key), std::move(*node));
}

Node lane_document(const LaneSpec& lane, const std::string& default_name) {
  Node node = Node::object();
  node.set("type", Node(lane.type));
  if (lane.name != default_name) node.set("name", Node(lane.name));
  node.set("step", lane.step);
  write_parameters(node, find_integrator(lane.type)->parameters, lane.values);
  return node;
}

Node start_document(const Columns& q, const Columns& omega) {
  Node initial = Node::object();
  initial.set("q", columns(q));
  initial.set("omega", columns(omega));
  return initial;
}
Node start_document(const Scenario& scenario) { return start_document(scenario.q, scenario.omega); }

void write_lane_state(Node& section, const RestartState::Lane& lane) {
  section.set("time_origin", lane.time_origin);
  section.set("step_index", Node::whole(lane.step_index));
  section.set("energy_reference", lane.energy_reference);
  section.set("work", lane.work);
  Node memory = Node::object();
  for (const auto& [name, numbers] : lane.memory)
    memory.set(name, row(numbers.data(), numbers.size()));
  section.set("integrator_state", std::move(memory));
}

/// System, lanes and sampling as a document: a scenario without its start and its past.
Node settings_document(const Scenario& scenario) {
  Node root = Node::object();
  Node system = Node::object();
  system.set("type", Node(scenario.system));
  write_parameters(system, find_system(scenario.system)->parameters, scenario.parameters);
  root.set("system", std::move(system));
  Setting lanes = lanes_setting(scenario);
  root.set(lanes.path.text(), std::move(lanes.value));
  root.set("duration", scenario.duration);
  if (scenario.every > 0) root.set("every", Node::whole(scenario.every));
  if (!scenario.stop.empty()) root.set("stop", to_json(scenario.stop));
  return root;
}

/// Reads again what the paths of a settings document stand in: the first that is wrong, with the
/// index of its path.
std::optional<std::pair<std::size_t, Error>> try_settings(const Node& settings,
                                                          const std::vector<SettingPath>& paths,
                                                          const Columns& q) {
  const Source unnamed;
  const Value document(unnamed, settings, "");
  try {
    const auto touched = [&](std::string_view key) {
      return std::any_of(paths.begin(), paths.end(),
                         [&](const SettingPath& path) { return path.key() == key; });
    };
    std::string type;
    Values values;
    const auto system = read_system(document.member("system"), q, type, values);
    if (touched("integrator")) (void)read_lane(document.member("integrator"), false, *system);
    if (touched("lanes")) {
      const std::vector<Value> places = listed_lanes(document.member("lanes"));
      std::vector<LaneSpec> lanes;
      for (const Value& place : places) lanes.push_back(read_lane(place, true, *system));
      check_lanes(places, lanes);
    }
    if (touched("integrator") || touched("lanes") || touched("duration"))
      (void)read_duration(document);
    if (touched("every")) (void)document.member("every").whole(1);
    if (touched("stop")) {
      (void)read_stop(document.member("stop"), *find_system(type));
    }
  } catch (const Failure& failure) {
    const Error& error = failure.error();
    // The setting to blame is the last at the place of the error, else the last around it.
    const SettingPath place = error.place;
    for (std::size_t i = paths.size(); i-- > 0;)
      if (place.within(paths[i]) || paths[i].within(place)) return std::pair(i, error);
    return std::pair(paths.size() - 1, error);
  }
  return {};
}

std::int64_t planned_steps(const Scenario& scenario, const std::vector<Event>& events) {
  double step = grid_step(scenario.lanes), duration = scenario.duration, origin = 0;
  std::int64_t first = 0;  // step at which the clock stood at the origin
  if (const auto& from = scenario.continuation) {
    origin = from->time_origin;
    first = -from->step_index;
  }
  const auto time = [&](std::int64_t k) { return origin + static_cast<double>(k - first) * step; };
  double end = time(0) + duration;
  std::int64_t planned = count_steps(duration, step).steps;
  std::optional<Node> settings;
  for (const Event& event : events) {
    if (event.step >= planned) break;
    bool timed = false;
    for (const auto& [path, value] : event.set) {
      if (path.key() == "system" || path == "every") continue;
      if (!settings) settings = settings_document(scenario);
      timed |= assign_setting(*settings, path, value).has_value();
    }
    if (!timed) continue;
    // In the very order in which a simulation does it, to the last digit.
    const double next_duration = settings->find("duration")->number;
    double next_step = 0;
    for (const Node* lane : lane_nodes(*settings))
      next_step = std::max(next_step, lane->find("step")->number);
    if (next_step == step && next_duration == duration) continue;
    const double now = time(event.step);
    if (next_step != step) {
      origin = now;
      first = event.step;
      step = next_step;
    }
    if (next_duration != duration) end += next_duration - duration;
    duration = next_duration;
    const double left = end - time(event.step);
    planned = event.step + (left > 0 ? count_steps(left, step).steps : 1);  // that one is taken
  }
  return planned;
}

std::int64_t base_stride(const Scenario& scenario, const std::vector<Event>& events) {
  if (scenario.every > 0) return scenario.every;
  constexpr std::int64_t rows = 10000;
  return std::max<std::int64_t>(1, (planned_steps(scenario, events) + rows - 1) / rows);
}

/// Reads the events and tries each in turn on the settings that the scenario starts with.
std::vector<Event> read_events(const Value& list, const Scenario& scenario) {
  list.expect(Kind::array);
  std::vector<Event> events;
  std::vector<Value> places;  // of the settings
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value entry = list.item(i);
    entry.object({"step", "set", "resume"}, {"pull"});
    Event& event = events.emplace_back(Event{.step = entry.member("step").whole(0)});
    if (const auto resume = entry.find("resume")) {
      if (!resume->expect(Kind::boolean).node().boolean) resume->fail("must be true or omitted");
      if (const auto set = entry.find("set"))
        set->fail("cannot be combined with resume; use two events");
      event.resume = true;
      places.push_back(entry);
      continue;
    }
    const Value set = places.emplace_back(entry.member("set").expect(Kind::object));
    if (set.node().members.empty()) set.fail("must set at least one value: {path: value}");
    for (const auto& [path, value] : set.node().members) event.set.push_back({path, value});
  }
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return events[a].step < events[b].step; });

  Node trial = settings_document(scenario);
  std::vector<Event> sorted;
  for (const std::size_t i : order) {
    const Event& event = events[i];
    std::vector<SettingPath> paths;
    for (const auto& [path, value] : event.set) {
      const Value place = places[i].member(path.text());
      paths.push_back(canonical(path, trial));
      if (const std::string why = why_not_live(trial, paths.back()); !why.empty()) place.fail(why);
      if (auto done = assign_setting(trial, path, value); !done) place.fail(done.error().message);
    }
    if (const auto wrong = try_settings(trial, paths, scenario.q)) {
      const auto& [which, error] = *wrong;
      const SettingPath& path = event.set[which].path;
      places[i]
          .member(path.text())
          .fail((path == error.place || paths[which] == error.place || error.place.empty()
                     ? ""
                     : error.place + ": ") +
                error.message);
    }
    sorted.push_back(event);
  }
  if (!stride_changes(sorted)) return sorted;
  std::int64_t stride = base_stride(scenario, sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k)
    for (const auto& [path, value] : sorted[k].set) {
      if (path != "every") continue;
      const auto next = coarser_stride(stride, static_cast<std::int64_t>(value.number));
      if (!next)
        places[order[k]]
            .member(path.text())
            .fail(fmt::format("must be a multiple or a divisor of the previous stride, {}, not {}",
                              stride, shortest(value.number)));
      stride = *next;
    }
  return sorted;
}

/// Lanes, and where they are if it is a saved state; its start has been read.
void read_lanes(const Value& root, const System& system, bool saved, Scenario& scenario) {
  const auto listed = root.find("lanes");
  if (listed && root.find("integrator"))
    listed->fail("integrator and lanes cannot be given together");
  std::vector<Value> places;
  if (listed)
    places = listed_lanes(*listed);
  else
    places.push_back(root.member("integrator"));
  const bool several = places.size() > 1;
  Names more;
  if (several && saved) more = lane_state_keys;
  for (const Value& place : places) {
    if (several && saved && scenario.lanes.size() == 1) more.emplace_back("initial");
    scenario.lanes.push_back(read_lane(place, listed.has_value(), system, more));
  }
  check_lanes(places, scenario.lanes);
  if (!saved) return;
  RestartState& c = scenario.continuation.emplace();
  c.step_index = root.member("step_index").whole(0);
  c.time_origin = root.member("time_origin").number();
  if (!several) {
    c.lanes.push_back(read_lane_state(root));
    return;
  }
  for (const char* key : {"energy_reference", "work", "integrator_state"})
    if (const auto given = root.find(key))
      given->fail("applies to a single lane; with several lanes it belongs in each entry of lanes");
  for (const Value& place : places) {
    RestartState::Lane& lane = c.lanes.emplace_back(read_lane_state(place));
    const auto initial = place.find("initial");
    if (!initial) continue;
    Start start = read_start(*initial, true);
    if (start.q.cols() != scenario.q.cols())
      initial->fail(
          fmt::format("has {} bodies, but initial has {}", start.q.cols(), scenario.q.cols()));
    if (!std::isfinite(total_energy(system, State{0, start.q, start.omega})))
      initial->fail("the energy there is not a finite number");
    lane.q = std::move(start.q);
    lane.omega = std::move(start.omega);
  }
}

/// `start`: a scenario that the start is taken from, as it is; the document's is then not read.
Scenario read(const Value& root, bool exact_start = false, const Scenario* start = nullptr) {
  Names allowed{"twosphere", "title",    "description", "system", "initial", "integrator",
                "lanes",     "duration", "every",       "stop",   "events"};
  allowed.insert(allowed.end(), lane_state_keys.begin(), lane_state_keys.end());
  if (root.kind() != Kind::object) root.wrong_kind("an object: a scenario");
  if (!root.find("twosphere"))
    root.fail("missing key \"twosphere\": a scenario starts with \"twosphere\": 1");
  if (const Value format = root.member("twosphere"); format.number() != 1)
    format.fail(
        fmt::format("unknown format {}; this program reads format 1", shortest(format.number())));
  root.object(allowed, {"view"});

  Scenario scenario;
  if (const auto title = root.find("title")) scenario.title = title->text();
  if (const auto description = root.find("description")) scenario.description = description->text();
  const Value system = root.member("system"), initial = root.member("initial");
  // The type first: what is wrong with an unknown system is not the start.
  (void)read_type(system, find_system, systems(), "system", later_systems);
  const bool saved = is_saved_state(root);
  if (start) {
    scenario.q = start->q;
    scenario.omega = start->omega;
  } else {
    Start given = read_start(initial, saved || exact_start);
    scenario.q = std::move(given.q);
    scenario.omega = std::move(given.omega);
  }
  const auto made = read_system(system, scenario.q, scenario.system, scenario.parameters);
  if (const auto check = find_system(scenario.system)->check_start)
    if (auto possible = check(scenario.q, scenario.parameters); !possible)
      fail_at(initial, possible.error());

  read_lanes(root, *made, saved, scenario);

  scenario.duration = read_duration(root);
  if (const auto every = root.find("every")) scenario.every = every->whole(1);
  if (const auto stop = root.find("stop"))
    scenario.stop = read_stop(*stop, *find_system(scenario.system));
  if (const auto events = root.find("events")) scenario.events = read_events(*events, scenario);

  if (!std::isfinite(total_energy(*made, State{0, scenario.q, scenario.omega})))
    initial.fail("the energy of this start is not a finite number");
  return scenario;
}

/// The document of a scenario: all of it, or a part where it is what stands beside a table, as
/// "NAME.csv.json".
Value scenario_of(const Value& root) {
  if (root.kind() != Kind::object || root.find("twosphere")) return root;
  const Node *program = root.node().find("program"), *scenario = root.node().find("scenario");
  const bool companion = program && program->text == "twosphere" && scenario;
  return companion ? root.member("scenario") : root;
}

/// Refuses variables that are not those of the methods. Sums of rounding errors that the file
/// lacks, as those of earlier versions do, are zero; a state after steps that lacks anything goes
/// on with a warning. Of a file only: where a method is changed after that, they are left behind.
void complete_memory(const Value& root, Scenario& scenario) {
  const auto system = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
  auto& lanes = scenario.continuation->lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    RestartState::Lane& at = lanes[i];
    const Value section = lanes.size() > 1 ? root.member("lanes").item(i) : root;
    const auto given = section.find("integrator_state");
    Names missing;
    IntegratorState memory;
    for (const auto& [name, numbers] : at.memory)
      if (name != work_compensation)
        memory.emplace_back(name, numbers);
      else if (numbers.size() != 1)
        given->member(name).fail(fmt::format("must have 1 number, not {}", numbers.size()));
    if (memory.size() == at.memory.size()) missing.emplace_back(work_compensation);
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
    if (!missing.empty() && (at.step_index > 0 || at.work != 0))
      (given ? *given : section)
          .warn(fmt::format("has no {}, as if written by an earlier version; the run continues "
                            "from this state, but not bit for bit",
                            fmt::join(missing, ", ")));
    if (lacks(at.memory, work_compensation))
      memory.emplace_back(work_compensation, std::vector<double>{0.0});
    else
      memory.push_back(*std::find_if(at.memory.begin(), at.memory.end(),
                                     [](const auto& e) { return e.first == work_compensation; }));
    at.memory = std::move(memory);
  }
}

}  // namespace

std::vector<std::string> default_names(const std::vector<LaneSpec>& lanes) {
  std::vector<std::string> names;
  for (auto lane = lanes.begin(); lane != lanes.end(); ++lane) {
    const auto earlier = std::count_if(
        lanes.begin(), lane, [&](const LaneSpec& other) { return other.type == lane->type; });
    names.push_back(earlier == 0 ? lane->type : fmt::format("{}.{}", lane->type, earlier + 1));
  }
  return names;
}

double grid_step(const std::vector<LaneSpec>& lanes) {
  double step = 0;
  for (const LaneSpec& lane : lanes) step = std::max(step, lane.step);
  return step;
}

std::optional<std::int64_t> substeps(double grid, double step) {
  const double ratio = grid / step, whole = std::round(ratio);
  if (!(whole < static_cast<double>(most_steps)) || !(std::abs(ratio - whole) <= 1e-9 * whole))
    return {};
  return std::llround(ratio);
}

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

Result<Scenario> load_scenario(const std::string& path, std::vector<std::string>* warnings) {
  const auto text = read_file(path, json::max_bytes);
  if (!text) return text.error();
  return read_scenario(*text, path == "-" ? "standard input" : path, warnings);
}

namespace {

Node with_start(const Scenario& scenario, Node initial) {
  Node root = Node::object();
  root.set("twosphere", Node::whole(1));
  if (!scenario.title.empty()) root.set("title", Node(scenario.title));
  if (!scenario.description.empty()) root.set("description", Node(scenario.description));
  for (auto& [key, value] : settings_document(scenario).members) {
    root.set(key, std::move(value));
    if (key == "system") root.set("initial", std::move(initial));
  }
  if (!scenario.events.empty()) {
    Node events = Node::array();
    for (const Event& event : scenario.events) {
      Node& entry = events.items.emplace_back(Node::object());
      entry.set("step", Node::whole(event.step));
      if (event.resume) {
        entry.set("resume", Node::truth(true));
        continue;
      }
      Node set = Node::object();
      for (const auto& [path, value] : event.set) set.set(path.text(), value);
      entry.set("set", std::move(set));
    }
    root.set("events", std::move(events));
  }
  const auto& c = scenario.continuation;
  if (c && c->lanes.size() == 1) {
    write_lane_state(root, c->lanes[0]);
  } else if (c) {
    root.set("time_origin", c->time_origin);
    root.set("step_index", Node::whole(c->step_index));
    std::vector<Node>& lanes = root.find("lanes")->items;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const RestartState::Lane& lane = c->lanes[i];
      if (lane.q.cols() > 0) lanes[i].set("initial", start_document(lane.q, lane.omega));
      write_lane_state(lanes[i], lane);
    }
  }
  return root;
}

}  // namespace

json::Node to_json(const Scenario& scenario) {
  return with_start(scenario, start_document(scenario));
}

std::string write_scenario(const Scenario& scenario) { return json::write(to_json(scenario)); }

bool same(const Scenario& a, const Scenario& b) {
  const auto columns = [](const Columns& x, const Columns& y) {
    return x.cols() == y.cols() && x == y;
  };
  const auto setting = [](const Setting& x, const Setting& y) {
    return x.path == y.path && same(x.value, y.value);
  };
  const auto event = [&](const Event& x, const Event& y) {
    return x.step == y.step && x.resume == y.resume &&
           std::equal(x.set.begin(), x.set.end(), y.set.begin(), y.set.end(), setting);
  };
  const auto lane = [&](const RestartState::Lane& x, const RestartState::Lane& y) {
    return columns(x.q, y.q) && columns(x.omega, y.omega) && x.time_origin == y.time_origin &&
           x.step_index == y.step_index && x.energy_reference == y.energy_reference &&
           x.work == y.work && x.memory == y.memory;
  };
  const auto place = [&](const std::optional<RestartState>& x,
                         const std::optional<RestartState>& y) {
    if (!x || !y) return !x && !y;
    return x->time_origin == y->time_origin && x->step_index == y->step_index &&
           std::equal(x->lanes.begin(), x->lanes.end(), y->lanes.begin(), y->lanes.end(), lane);
  };
  return a.title == b.title && a.description == b.description && a.system == b.system &&
         a.parameters == b.parameters && columns(a.q, b.q) && columns(a.omega, b.omega) &&
         a.lanes == b.lanes && a.duration == b.duration && a.every == b.every && a.stop == b.stop &&
         std::equal(a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), event) &&
         place(a.continuation, b.continuation);
}

Result<Scenario> with_settings(const Scenario& scenario, const std::vector<Setting>& settings,
                               std::vector<std::string>* warnings, bool exact_start) {
  // A start that nothing is set in stays as it is: of many bodies it would be most of the document.
  const bool moved = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.path.key() == "initial";
  });
  Node root = moved ? to_json(scenario) : with_start(scenario, Node::object());
  for (const Setting& setting : settings)
    if (auto done = assign_setting(root, setting.path, setting.value); !done) return done.error();
  const Source unnamed{"", warnings};
  try {
    return read(Value(unnamed, root, ""), exact_start, moved ? nullptr : &scenario);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<Scenario> with_setting(const Scenario& scenario, const SettingPath& path,
                              const json::Node& value) {
  return with_settings(scenario, {{path, value}});
}

json::Node to_json(const std::vector<StopCondition>& conditions) {
  Node list = Node::array();
  for (const StopCondition& condition : conditions) {
    Node& entry = list.items.emplace_back(Node::object());
    if (condition.quantity) {
      entry.set("quantity", Node(std::string(info(*condition.quantity).key)));
      entry.set(condition.above ? "above" : "below", condition.value);
    } else {
      entry.set("time", condition.value);
    }
  }
  return list;
}

std::vector<Setting> differences(const Scenario& from, const Scenario& to) {
  std::vector<Setting> settings;
  const auto add_list = [&](const std::string& path, const Node& before, const Node& after) {
    std::vector<Setting> entries;
    for (std::size_t i = 0; i < after.items.size(); ++i)
      if (!same(before.items[i], after.items[i]))
        entries.push_back({fmt::format("{}[{}]", path, i), after.items[i]});
    if (entries.size() == after.items.size() && entries.size() > 1) entries = {{path, after}};
    settings.insert(settings.end(), entries.begin(), entries.end());
  };
  const auto add_values = [&](const std::string& section, const std::vector<ParameterInfo>& infos,
                              const Values& before, const Values& after) {
    for (const ParameterInfo& p : infos) {
      const auto &was = before.find(p.key)->second, &is = after.find(p.key)->second;
      if (was == is) continue;
      const std::string path = fmt::format("{}.{}", section, p.key);
      const Node before_node = parameter_node(p, was).value_or(Node());
      const Node after_node = parameter_node(p, is).value_or(Node());
      if (p.shape == Shape::springs && same_ends(was, is)) {
        for (std::size_t s = 0; s < is.size() / 3; ++s)
          if (was[3 * s + 2] != is[3 * s + 2])
            settings.push_back({fmt::format("{}[{}].stiffness", path, s), is[3 * s + 2]});
      } else if (p.shape == Shape::form && was[0] == is[0] && after_node.kind == Kind::object) {
        for (const auto& [key, value] : after_node.members) {
          const Node& earlier = *before_node.find(key);
          if (value.kind == Kind::array)
            add_list(fmt::format("{}.{}", path, key), earlier, value);
          else if (!same(earlier, value))
            settings.push_back({fmt::format("{}.{}", path, key), value});
        }
      } else if (after_node.kind == Kind::array &&
                 before_node.items.size() == after_node.items.size()) {
        add_list(path, before_node, after_node);
      } else {
        settings.push_back({path, after_node});
      }
    }
  };
  if (from.system != to.system || from.size() != to.size()) {
    settings.push_back({"system", *settings_document(to).find("system")});
    settings.push_back({"initial", start_document(to)});
  } else {
    add_values("system", find_system(to.system)->parameters, from.parameters, to.parameters);
    if (from.q != to.q) add_list("initial.q", columns(from.q), columns(to.q));
    if (from.omega != to.omega) add_list("initial.omega", columns(from.omega), columns(to.omega));
  }
  const bool other_list = from.lanes.size() != to.lanes.size();
  if (other_list) settings.push_back(lanes_setting(to));
  const auto names_before = default_names(from.lanes), names = default_names(to.lanes);
  for (std::size_t i = 0; i < to.lanes.size() && !other_list; ++i) {
    const LaneSpec &was = from.lanes[i], &is = to.lanes[i];
    const std::string section = to.lanes.size() == 1 ? "integrator" : fmt::format("lanes[{}]", i);
    const bool named_before = was.name != names_before[i], named = is.name != names[i];
    if (named != named_before || (named && is.name != was.name))
      settings.push_back({section + ".name", Node(is.name)});
    const std::vector<ParameterInfo>& infos = find_integrator(is.type)->parameters;
    if (was.type != is.type) settings.push_back({section + ".type", Node(is.type)});
    if (was.step != is.step) settings.push_back({section + ".step", is.step});
    // What a change of the type alone would leave of the keys.
    Values kept = was.values;
    if (was.type != is.type)
      for (const ParameterInfo& p : infos)
        kept.try_emplace(std::string(p.key), default_numbers(p, 0));
    add_values(section, infos, kept, is.values);
  }
  if (from.duration != to.duration) settings.push_back({"duration", to.duration});
  if (from.every != to.every) settings.push_back({"every", Node::whole(base_stride(to))});
  if (from.stop != to.stop) settings.push_back({"stop", to_json(to.stop)});
  return settings;
}

Setting lanes_setting(const Scenario& scenario) {
  const auto names = default_names(scenario.lanes);
  if (scenario.lanes.size() == 1 && scenario.lanes[0].name == names[0])
    return {"integrator", lane_document(scenario.lanes[0], names[0])};
  Node lanes = Node::array();
  for (std::size_t i = 0; i < scenario.lanes.size(); ++i)
    lanes.items.push_back(lane_document(scenario.lanes[i], names[i]));
  return {"lanes", std::move(lanes)};
}

StepCount count_steps(double duration, double step) {
  const double ratio = duration / step;
  const double nearest_whole = std::round(ratio);
  if (nearest_whole >= 1 && std::abs(ratio - nearest_whole) <= 1e-9 * nearest_whole)
    return {std::llround(ratio), false};
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(ratio))), true};
}

std::int64_t planned_steps(const Scenario& scenario) {
  return planned_steps(scenario, scenario.events);
}

std::int64_t base_stride(const Scenario& scenario) {
  return base_stride(scenario, scenario.events);
}

std::int64_t stride_through(const Scenario& scenario, std::int64_t last) {
  std::int64_t stride = base_stride(scenario);
  for (const Event& event : scenario.events)
    for (const auto& [path, value] : event.set)
      if (path == "every" && event.step <= last)
        stride = coarser_stride(stride, static_cast<std::int64_t>(value.number)).value_or(stride);
  return stride;
}

std::int64_t sampling_stride(const Scenario& scenario) {
  if (!stride_changes(scenario.events)) return base_stride(scenario);
  return stride_through(scenario, planned_steps(scenario));
}

bool stride_changes(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::any_of(event.set.begin(), event.set.end(),
                       [](const Setting& setting) { return setting.path == "every"; });
  });
}

std::optional<std::int64_t> coarser_stride(std::int64_t present, std::int64_t given) {
  if (given % present == 0) return given;
  if (present % given == 0) return present;
  return {};
}

}  // namespace twosphere
