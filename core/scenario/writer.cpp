// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/writer.h"

#include <fmt/format.h>

#include "core/catalog.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using json::Node;

namespace {

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

void write_lane_state(Node& section, const RestartState::Lane& lane) {
  section.set("time_origin", lane.time_origin);
  section.set("step_index", Node::whole(lane.step_index));
  section.set("energy_reference", lane.energy_reference);
  section.set("work", lane.work);
  Node memory = Node::object();
  for (const auto& [name, numbers] : lane.memory) memory.set(name, Node::numbers(numbers));
  section.set("integrator_state", std::move(memory));
}

}  // namespace

Node columns_document(const Columns& values) {
  Node list = Node::array();
  for (Eigen::Index i = 0; i < values.cols(); ++i)
    list.items.push_back(Node::numbers({values.col(i).data(), 3}));
  return list;
}

Node start_document(const Columns& q, const Columns& omega) {
  Node initial = Node::object();
  initial.set("q", columns_document(q));
  initial.set("omega", columns_document(omega));
  return initial;
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

Node document_with_start(const Scenario& scenario, Node initial) {
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

json::Node to_json(const Scenario& scenario) {
  return document_with_start(scenario, start_document(scenario.q, scenario.omega));
}

std::string write_scenario(const Scenario& scenario) { return json::write(to_json(scenario)); }

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

}  // namespace twosphere
