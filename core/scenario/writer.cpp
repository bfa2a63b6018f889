// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/build.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/mechanics/body_motion.h"
#include "core/mechanics/parameter.h"
#include "core/scenario/definition_io.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using json::Node;

namespace {

/// Which parameters with their defaults are written.
enum class Defaults { omitted, all };

/// Writes the parameters whose keys are `wanted`.
template <class Wanted>
void write_parameters(Node& section, const std::vector<ParameterInfo>& infos, const Values& values,
                      const Wanted& wanted, Defaults defaults = Defaults::omitted) {
  for (const ParameterInfo& info : infos) {
    if (!wanted(info.key)) continue;
    const std::vector<double>& numbers = numbers_of(values, info.key);
    const int bodies = info.shape == Shape::per_body ? static_cast<int>(numbers.size()) : 0;
    if (defaults == Defaults::omitted && info.omitted && numbers == default_numbers(info, bodies))
      continue;
    if (auto node = parameter_node(info, numbers))
      section.set(std::string(info.key), std::move(*node));
    else if (!info.unless.empty() && numbers_of(values, info.unless) == std::vector{0.0})
      section.set(std::string(info.key), Node());
  }
}

bool every_key(std::string_view) { return true; }

void write_lane_state(Node& section, const RestartState::Lane& lane) {
  section.set("time_origin", lane.time_origin);
  section.set("step_index", Node::whole(lane.step_index));
  section.set("energy_reference", lane.energy_reference);
  section.set("work", lane.work);
  Node memory = Node::object();
  for (const auto& [name, numbers] : lane.memory) memory.set(name, Node::numbers(numbers));
  section.set("integrator_state", std::move(memory));
}

/// "system" with the parameters whose keys are `wanted`.
template <class Wanted>
Node system_with(const Scenario& scenario, const Wanted& wanted,
                 Defaults defaults = Defaults::omitted) {
  Node system = Node::object();
  system.set("type", scenario.system);
  // A built-in system: its parameters; a text-defined one: those of its definition.
  if (!scenario.definition) {
    write_parameters(system, info_of(scenario).parameters, scenario.parameters, wanted, defaults);
    return system;
  }
  Node parameters = Node::object();
  for (const auto& parameter : present_definition(scenario).parameters)
    if (wanted(parameter.key))
      parameters.set(parameter.key, definition_parameter_document(parameter));
  system.set("parameters", std::move(parameters));
  return system;
}

/// The settings whose keys are `wanted`, with this as "system".
template <class Wanted>
Node settings_with(const Scenario& scenario, Node system, const Wanted& wanted) {
  Node root = Node::object();
  const auto set = [&](const char* key, bool given, const auto& document) {
    if (given && wanted(key)) root.set(key, document());
  };
  set("system", true, [&] { return std::move(system); });
  if (wanted("integrator") || wanted("lanes")) {
    Setting lanes = lanes_setting(scenario);
    root.set(lanes.path.text(), std::move(lanes.value));
  }
  set("duration", true, [&] { return Node(scenario.duration); });
  set("every", scenario.every > 0, [&] { return Node::whole(scenario.every); });
  set("stop", !scenario.stop.empty(), [&] { return to_json(scenario.stop); });
  set("section", scenario.section.has_value(), [&] { return to_json(*scenario.section); });
  set("signal", scenario.signal.has_value(), [&] { return to_json(*scenario.signal); });
  set("plots", !scenario.plots.empty(), [&] { return to_json(scenario.plots); });
  return root;
}

Node pull_document(const Pull& pull) {
  return Node::object({{"body", Node::whole(pull.body)},
                       {"force", Node::numbers({pull.force.data(), 3})},
                       {"steps", Node::whole(pull.steps)}});
}

/// Pulls in one entry: some seconds of a drag in a few lines, each still with its step.
constexpr std::size_t pulls_together = 16;

/// The number of events from `first` on that can be written as one: pulls of the same body, each of
/// which begins when the one before it ends.
std::size_t pulls_from(const std::vector<Event>& events, std::size_t first) {
  std::size_t count = 1;
  for (; count < pulls_together && first + count < events.size(); ++count) {
    const Event &before = events[first + count - 1], &next = events[first + count];
    if (!next.pull || next.pull->body != before.pull->body ||
        next.step != before.step + before.pull->steps)
      break;
  }
  return count;
}

/// Several pulls, one after the other.
Node pulls_document(const std::vector<Event>& events, std::size_t first, std::size_t count) {
  Node node = pull_document(*events[first].pull), forces = Node::array(), steps = Node::array();
  // Equal numbers of steps are written once, in the first pull.
  bool alike = true;
  for (std::size_t i = first; i < first + count; ++i) {
    const Pull& pull = *events[i].pull;
    forces.items.push_back(Node::numbers({pull.force.data(), 3}));
    steps.items.push_back(Node::whole(pull.steps));
    alike = alike && pull.steps == events[first].pull->steps;
  }
  node.set("force", std::move(forces));
  if (!alike) node.set("steps", std::move(steps));
  return node;
}

Node events_document(const std::vector<Event>& events) {
  Node list = Node::array();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    Node& entry = list.items.emplace_back(Node::object());
    entry.one_line = true;
    entry.set("step", Node::whole(event.step));
    if (event.resume || event.reverse) {
      entry.set(event.resume ? "resume" : "reverse", Node::truth(true));
      continue;
    }
    if (event.pull) {
      const std::size_t count = pulls_from(events, i);
      entry.set("pull", count > 1 ? pulls_document(events, i, count) : pull_document(*event.pull));
      i += count - 1;
      continue;
    }
    if (event.add_lane) {
      Node lane = lane_document(event.add_lane->lane);
      lane.set("from", Node::whole(static_cast<std::int64_t>(event.add_lane->from)));
      entry.set("add_lane", std::move(lane));
      continue;
    }
    Node set = Node::object();
    for (const auto& [path, value] : event.set) set.set(path.text(), value);
    entry.set("set", std::move(set));
    if (event.since) entry.set("since", Node::whole(*event.since));
  }
  return list;
}

Node branches_document(const std::vector<BranchSpec>& branches) {
  Node list = Node::array();
  for (const BranchSpec& branch : branches) {
    Node& entry = list.items.emplace_back(Node::object());
    entry.set("name", branch.name);
    entry.set("from_step", Node::whole(branch.from_step));
    entry.set("events", events_document(branch.events));
    if (branch.steps > 0) entry.set("steps", Node::whole(branch.steps));
    if (branch.color) entry.set("color", Node::whole(*branch.color));
    if (branch.hidden) entry.set("hidden", Node::truth(true));
  }
  return list;
}

template <class Wanted>
void write_title(Node& root, const Scenario& scenario, const Wanted& wanted) {
  if (!scenario.title.empty() && wanted("title")) root.set("title", scenario.title);
  if (!scenario.description.empty() && wanted("description"))
    root.set("description", scenario.description);
}

void write_events(Node& root, const Scenario& scenario) {
  if (!scenario.events.empty()) root.set("events", events_document(scenario.events));
  if (!scenario.branches.empty()) root.set("branches", branches_document(scenario.branches));
}

/// The sections that are set, those that depend on them, events and branches. "system" has only
/// the parameters that are set, or everything if a text of a definition is set.
Node sections_document(const Scenario& scenario, const std::vector<Setting>& settings) {
  const auto any = [&](const auto& condition) {
    return std::any_of(settings.begin(), settings.end(),
                       [&](const Setting& setting) { return condition(setting.path); });
  };
  const auto is_set = [&](std::string_view key) {
    return any([key](const SettingPath& path) { return path.key() == key; });
  };
  const auto is_set_parameter = [&](std::string_view key) {
    return any(
        [key](const SettingPath& path) { return path.key() == "system" && path.key(1) == key; });
  };
  const bool texts = any([&](const SettingPath& path) {
    return path.key() == "system" && !has_parameter(scenario, path.key(1));
  });
  // A new start may be impossible in the system.
  const bool system_wanted = is_set("system") || is_set("initial");
  const bool lanes_wanted = is_set("integrator") || is_set("lanes");
  const auto wanted = [&](std::string_view key) {
    if (key == "integrator" || key == "lanes") return lanes_wanted;
    if (key == "duration") return lanes_wanted || is_set(key);  // limited to a number of steps
    if (key == "every") return is_set(key);
    return system_wanted || is_set(key);  // expressions use names of the system
  };
  Node system;
  if (system_wanted)
    // Paths may go into what is set.
    system =
        texts ? system_document(scenario) : system_with(scenario, is_set_parameter, Defaults::all);
  Node root = settings_with(scenario, std::move(system), wanted);
  write_title(root, scenario, is_set);
  write_events(root, scenario);
  return root;
}

/// A document without the saved state, from settings and a start.
Node document_of(const Scenario& scenario, Node settings, Node initial) {
  Node root = Node::object();
  if (!scenario.schema.empty()) root.set(std::string(schema_key), scenario.schema);
  root.set("twosphere", Node::whole(1));
  write_title(root, scenario, every_key);
  for (auto& member : settings.members) {
    root.set(member.first, std::move(member.second));
    if (member.first == "system") root.set("initial", Node());
  }
  *root.find("initial") = std::move(initial);
  write_events(root, scenario);
  // It is said of the start, which a saved state does not have.
  if (scenario.orbit && !scenario.continuation) root.set("orbit", to_json(*scenario.orbit));
  if (scenario.view.kind == json::Kind::object) root.set("view", scenario.view);
  return root;
}

void write_past(Node& root, const Scenario& scenario) {
  const auto& c = scenario.continuation;
  if (c) root.set(std::string(program_key), program_version());
  if (c && c->reversed) root.set(std::string(reversed_key), Node::truth(true));
  if (c && !c->pulls.empty())
    root.set(std::string(pulls_key), Node::array(c->pulls, pull_document));
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
}

/// Whether a path belongs to one setting, not to the system as a whole, the start, the list of
/// lanes or the saved state.
bool is_of_settings(const SettingPath& path, const Scenario& scenario) {
  const std::string_view key = path.key();
  if (key == "system")
    return has_parameter(scenario, path.key(1)) || (scenario.definition && path.size() > 1);
  if (key == "integrator" || key == "lanes") {
    const std::string_view name = path.key(key == "lanes" ? 2 : 1);
    const auto& saved = key_names("lane_state");
    return !name.empty() && name != "initial" &&
           std::find(saved.begin(), saved.end(), name) == saved.end();
  }
  return key == "title" || key == "description" || key == "duration" || key == "every" ||
         key == "stop" || key == "section" || key == "signal" || key == "plots";
}

/// Whether the lanes are written as a list, "lanes": several, or one with its own name. Else
/// the only one is "integrator".
bool has_list_of_lanes(const Scenario& scenario) {
  const auto& lanes = scenario.lanes;
  return lanes.size() != 1 || lanes[0].name != default_names(lanes)[0];
}

}  // namespace

Node columns_document(const Columns& values) {
  Node list = Node::array();
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    list.items.push_back(Node::numbers({values.col(i).data(), 3}));
  return list;
}

Node start_document(const Columns& q, const Columns& omega) {
  return Node::object({{"q", columns_document(q)}, {"omega", columns_document(omega)}});
}

Node velocity_document(const Columns& q, const Columns& omega) {
  Columns velocity(3, q.cols());
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    velocity.col(i) = Vec3(omega.col(i)).cross(Vec3(q.col(i)));
  return Node::object({{"q", columns_document(q)}, {"velocity", columns_document(velocity)}});
}

void give_generator(Node& initial, const Scenario& scenario) {
  const auto& [directions, velocities] = scenario.generator;
  const bool without_omega = velocities.kind != json::Kind::null || info_of(scenario).first_order ||
                             scenario.omega.isZero(0);
  const bool without_q = directions.kind != json::Kind::null;
  std::erase_if(initial.members, [=](const auto& member) {
    return (without_q && member.first == "q") || (without_omega && member.first == "omega");
  });
  if (without_q) initial.set("generator", directions);
  if (velocities.kind != json::Kind::null && !initial.find("velocity"))
    initial.set("velocity", velocities);
}

Node base_document(const BaseStart& base) {
  return Node::object({{"position", Node::numbers({base.position.data(), 3})},
                       {"velocity", Node::numbers({base.velocity.data(), 3})}});
}

Node angles_document(const Columns& q, const Columns& omega) {
  Node angles = Node::array(), rates = Node::array();
  for (Eigen::Index i = 0; i < q.cols(); ++i) {
    const SphericalMotion body = spherical({q.col(i), omega.col(i)});
    angles.items.push_back(Node::numbers(std::array{body.polar, body.azimuth}));
    rates.items.push_back(Node::numbers(std::array{body.polar_rate, body.azimuth_rate}));
  }
  return Node::object({{"angles", std::move(angles)}, {"rates", std::move(rates)}});
}

Node lane_document(const LaneSpec& lane, const std::string& default_name) {
  Node node = Node::object();
  node.set("type", lane.type);
  if (lane.name != default_name) node.set("name", lane.name);
  node.set("step", lane.step);
  write_parameters(node, find_integrator(lane.type)->parameters, lane.values, every_key);
  return node;
}

Node lanes_document(const Scenario& scenario) {
  const auto names = default_names(scenario.lanes);
  Node lanes = Node::array();
  for (std::size_t i = 0; i < scenario.lanes.size(); ++i)
    lanes.items.push_back(lane_document(scenario.lanes[i], names[i]));
  return lanes;
}

std::string lane_location(const Scenario& scenario, std::size_t lane) {
  return has_list_of_lanes(scenario) ? fmt::format("lanes[{}]", lane) : "integrator";
}

Setting lanes_setting(const Scenario& scenario) {
  if (has_list_of_lanes(scenario)) return {"lanes", lanes_document(scenario)};
  const LaneSpec& only = scenario.lanes[0];
  return {"integrator", lane_document(only, only.name)};
}

std::string lane_path(std::size_t lane, std::size_t lanes, std::string_view key) {
  return lanes == 1 ? fmt::format("integrator.{}", key) : fmt::format("lanes[{}].{}", lane, key);
}

std::vector<Setting> integrator_settings(const Scenario& scenario,
                                         const std::vector<std::string>& integrators) {
  const std::size_t lanes = integrators.size();
  std::vector<Setting> settings;
  if (lanes > 0 && lanes != scenario.lanes.size()) {
    const Setting former = lanes_setting(scenario);
    Node first = former.path == "lanes" ? former.value.items[0] : former.value;
    std::erase_if(first.members, [](const auto& member) { return member.first == "name"; });
    settings.push_back({"lanes", Node::array(std::vector<Node>(lanes, first))});
  }
  for (std::size_t i = 0; i < lanes; ++i)
    settings.push_back({lane_path(i, lanes, "type"), integrators[i]});
  return settings;
}

Definition present_definition(const Scenario& scenario) {
  return with_values(scenario.definition->definition(), scenario.parameters);
}

Node system_document(const Scenario& scenario) {
  return scenario.definition ? definition_document(present_definition(scenario))
                             : system_with(scenario, every_key);
}

Node settings_document(const Scenario& scenario) {
  return settings_with(scenario, system_document(scenario), every_key);
}

EditScope edit_scope(const std::vector<Setting>& settings, const Scenario& scenario) {
  const auto all = [&](const auto& condition) {
    return std::all_of(settings.begin(), settings.end(),
                       [&](const Setting& setting) { return condition(setting.path); });
  };
  const auto of_settings = [&](const SettingPath& path) { return is_of_settings(path, scenario); };
  if (all(of_settings)) return EditScope::sections;
  const auto of_start = [](const SettingPath& path) { return path.key() == "initial"; };
  return all(std::not_fn(of_start)) ? EditScope::without_start : EditScope::whole;
}

Node edit_document(const Scenario& scenario, const std::vector<Setting>& settings,
                   EditScope scope) {
  if (scope == EditScope::whole) return to_json(scenario);
  if (scope == EditScope::sections) return sections_document(scenario, settings);
  Node root = document_of(scenario, settings_document(scenario), Node::object());
  write_past(root, scenario);
  return root;
}

json::Node to_json(const Scenario& scenario) {
  Node start = start_document(scenario.q, scenario.omega);
  // Of a system of first order ω follows from q.
  if (info_of(scenario).first_order && !scenario.continuation) start.members.pop_back();
  if (scenario.base) start.set("base", base_document(*scenario.base));
  Node root = document_of(scenario, settings_document(scenario), std::move(start));
  write_past(root, scenario);
  return root;
}

std::string write_scenario(const Scenario& scenario) { return json::write(to_json(scenario)); }

json::Node to_json(const std::vector<StopCondition>& conditions) {
  Node list = Node::array();
  for (const StopCondition& condition : conditions) {
    Node& entry = list.items.emplace_back(Node::object());
    if (condition.quantity) {
      entry.set("quantity", info(*condition.quantity).key);
      entry.set(condition.above ? "above" : "below", condition.value);
    } else if (condition.indicator) {
      entry.set("quantity", condition.indicator->name());
      entry.set(condition.above ? "above" : "below", condition.value);
    } else if (!condition.expression.empty()) {
      entry.set("expression", condition.expression);
      entry.set(condition.above ? "above" : "below", condition.value);
    } else {
      entry.set("time", condition.value);
    }
    if (condition.at_crossing) entry.set("at", "crossing");
  }
  return list;
}

json::Node to_json(const PoincareSection& section) {
  Node node = Node::object();
  if (section.stroboscopic()) {
    // Plain numbers stay numbers.
    const auto number = json::parse(section.period, "");
    node.set("period",
             number && number->kind == json::Kind::number ? *number : Node(section.period));
    if (section.phase != 0) node.set("phase", section.phase);
  } else {
    node.set("expression", section.expression);
    if (section.direction != PoincareSection::Direction::rising)
      node.set("direction", section.direction_name());
  }
  if (section.coordinates.empty()) return node;
  node.set("coordinates", Node::object({section.coordinates.begin(), section.coordinates.end()}));
  return node;
}

json::Node to_json(const ComplexSignal& signal) {
  Node node = Node::object();
  node.set("real", signal.real);
  if (!signal.imaginary.empty()) node.set("imaginary", signal.imaginary);
  if (signal.window != 1) node.set("window", Node::whole(signal.window));
  return node;
}

json::Node to_json(const ClosedOrbit& orbit) {
  Node node = Node::object({{"period", orbit.period}, {"steps", Node::whole(orbit.steps)}});
  if (!orbit.axis.isZero(0)) {
    node.set("axis", Node::numbers({orbit.axis.data(), 3}));
    node.set("rotation", orbit.rotation);
  }
  if (!orbit.places.empty())
    node.set("relabel", Node::array(orbit.places, [](int place) { return Node::whole(place); }));
  if (!orbit.kind.empty()) node.set("kind", orbit.kind);
  return node;
}

json::Node to_json(const std::vector<PlottedExpression>& plots) {
  Node node = Node::object();
  for (const PlottedExpression& plot : plots) {
    Node entry = Node::object({{"expression", plot.expression}, {"unit", plot.unit}});
    entry.one_line = true;
    node.set(plot.name, std::move(entry));
  }
  return node;
}

}  // namespace twosphere
