// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/setting.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/parse_number.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/scenario/document.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using document::contains;
using document::join;
using document::Names;
using document::suggestion;
using json::Kind;
using json::Node;
using json::plain;
using json::quote;

namespace {

/// Reads an index from the whole text: 0, or digits without a leading zero.
std::optional<std::size_t> read_index(std::string_view digits) {
  if (digits.size() > 1 && digits.front() == '0') return {};
  return parse_number<std::size_t>(digits);
}

/// The lanes of a document, from "integrator" or "lanes".
std::vector<const Node*> lane_nodes(const Node& root) {
  std::vector<const Node*> list;
  if (const Node* lanes = root.find("lanes"))
    for (const Node& lane : lanes->items) list.push_back(&lane);
  else if (const Node* one = root.find("integrator"))
    list.push_back(one);
  return list;
}

/// An error message if a path refers to a lane that the document does not have; else empty.
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

/// Removes keys that the present method of the lane does not have, after a change of its type.
void drop_unknown_keys(Node& lane) {
  const Node* type = lane.find("type");
  const IntegratorInfo* info = type ? find_integrator(type->text) : nullptr;
  if (!info) return;
  Names known = key_names_of({"integrator", "lane", "lane_state", "later_lane_state"});
  for (const ParameterInfo& p : info->parameters) known.emplace_back(p.key);
  std::erase_if(lane.members, [&](const auto& member) { return !contains(known, member.first); });
}

/// The parameters of a definition, if the document's system has one that declares any.
const Node* defined_parameters(const Node& root) {
  const Node* system = root.find("system");
  const Node* type = system ? system->find("type") : nullptr;
  return type && type->text == custom_system().key ? system->find("parameters") : nullptr;
}

/// Whether a path is "system.NAME…" of a parameter of a definition.
bool is_defined_parameter(const SettingPath& path, const Node& root) {
  const Node* parameters = path.key() == "system" ? defined_parameters(root) : nullptr;
  const std::string_view key = path.key(1);
  if (!parameters || key.empty()) return false;
  return !is_definition_key(key) || (is_later_definition_key(key) && parameters->find(key));
}

/// Where the document stores the value of a parameter of a definition.
Result<SettingPath> place_of_parameter(const SettingPath& path, const Node& root) {
  const Node& all = *defined_parameters(root);
  const Node* parameter = all.find(path.key(1));
  if (!parameter) {
    Names names;
    for (const auto& [key, value] : all.members) names.push_back(key);
    return Error{ErrorKind::usage, path.text(),
                 fmt::format("there is no such parameter; {}parameters: {}",
                             suggestion(path.key(1), names), join(names))};
  }
  const bool object = parameter->kind == Kind::object;
  return path.with_first(
      2, fmt::format("system.parameters.{}{}", path.key(1), object ? ".value" : ""));
}

/// The number of bodies of a document: those of its start, else of a list of all bodies.
int bodies_of(const Node& root, const Node& system, const SystemInfo& info) {
  const Node* initial = root.find("initial");
  for (const char* key : {"q", "angles"})
    if (const Node* start = initial ? initial->find(key) : nullptr)
      return static_cast<int>(start->items.size());
  std::size_t count = 0;
  for (const ParameterInfo& p : info.parameters)
    if (const Node* list = p.shape == Shape::per_body ? system.find(p.key) : nullptr)
      count = std::max(count, list->items.size());
  return static_cast<int>(count);
}

/// Whether a parameter has one value for all bodies, in place of a list with one of each.
bool is_for_all(const ParameterInfo& info, const Node& value) {
  if (info.shape == Shape::per_body)
    return value.kind == Kind::number || value.kind == Kind::string;
  return info.shape == Shape::points && value.kind == Kind::array && !value.items.empty() &&
         value.items[0].kind != Kind::array;
}

/// Writes the parameter of a system that a path goes into in full: one that the document leaves out
/// because it has its default, and one with one value for all bodies.
void write_in_full(Node& root, const SettingPath& path) {
  Node* system = path.key() == "system" && path.size() > 2 ? root.find("system") : nullptr;
  const Node* type = system ? system->find("type") : nullptr;
  const SystemInfo* info = type ? find_system(type->text) : nullptr;
  if (!info) return;
  for (const ParameterInfo& p : info->parameters) {
    if (p.key != path.key(1)) continue;
    const int bodies = bodies_of(root, *system, *info);
    Node* given = system->find(p.key);
    if (!given && p.omitted) {
      if (auto node = parameter_node(p, default_numbers(p, bodies)))
        system->set(std::string(p.key), std::move(*node));
    } else if (given && bodies > 0 && is_for_all(p, *given)) {
      Node list = Node::array();
      list.items.assign(static_cast<std::size_t>(bodies), *given);
      *given = std::move(list);
    }
  }
}

/// The path that is meant by one without its section, "system.gravity" by "gravity"; empty: none.
std::string with_section(const Node& root, const SettingPath& path) {
  const std::string_view key = path.key();
  const auto is_in = [key](const auto& list) {
    return std::find(list.begin(), list.end(), key) != list.end();
  };
  if (is_in(key_names("scenario")) || root.find(key)) return {};
  const Node *system = root.find("system"), *parameters = defined_parameters(root);
  const std::vector<const Node*> lanes = lane_nodes(root);
  std::string section;
  if ((system && system->find(key)) || (parameters && parameters->find(key)))
    section = "system";
  else if (!lanes.empty() && lanes.front()->find(key))
    section = root.find("lanes") ? "lanes[0]" : "integrator";
  else if (is_in(key_names("initial")))
    section = "initial";
  return section.empty() ? "" : section + "." + path.text();
}

}  // namespace

SettingPath::SettingPath(std::string text) : text_(std::move(text)) {
  const std::string why = parse();
  if (why.empty()) return;
  parts_.clear();
  problem_ =
      fmt::format("{} is not a path: {}; a path looks like system.masses[0]", quote(text_), why);
}

std::string SettingPath::parse() {
  const std::string_view all = text_;
  if (all.empty()) return "it is empty";
  for (std::size_t at = 0; at < all.size();) {
    if (parts_.size() == max_parts) return fmt::format("it has more than {} parts", max_parts);
    if (all[at] == '[') {
      if (at == 0) return "it must begin with a key";
      const std::size_t close = all.find(']', at);
      if (close == all.npos) return "a bracket is not closed";
      const std::string_view digits = all.substr(at + 1, close - at - 1);
      const auto index = read_index(digits);
      if (!index)
        return fmt::format("an index must be a whole number from 0, not {}", quote(digits));
      parts_.push_back({{}, *index, at = close + 1});
      continue;
    }
    if (at > 0 && all[at++] != '.')
      return fmt::format("{} after an index", quote(all.substr(at - 1)));
    const std::size_t end = std::min(all.find_first_of(".[", at), all.size());
    if (end == at) return "a key is empty";
    parts_.push_back({std::string(all.substr(at, end - at)), 0, end});
    at = end;
  }
  return {};
}

std::string_view SettingPath::key(std::size_t i) const {
  return i < size() ? std::string_view(parts_[i].key) : std::string_view();
}

std::optional<std::size_t> SettingPath::index(std::size_t i) const {
  if (i >= size() || !parts_[i].is_index()) return {};
  return parts_[i].index;
}

std::string_view SettingPath::first(std::size_t parts) const {
  return parts == 0 ? std::string_view() : std::string_view(text_).substr(0, parts_[parts - 1].end);
}

std::string_view SettingPath::from(std::size_t i) const {
  return std::string_view(text_).substr(i == 0 ? 0 : parts_[i - 1].end + 1);
}

SettingPath SettingPath::with_first(std::size_t parts, std::string_view other) const {
  return std::string(other) + text_.substr(first(parts).size());
}

bool SettingPath::within(const SettingPath& outer) const {
  return size() > 0 && outer.size() > 0 && outer.size() <= size() &&
         first(outer.size()) == outer.text_;
}

Result<void> assign(Node& root, const SettingPath& path, Node value) {
  const auto fail = [&](std::string message) {
    return Error{ErrorKind::usage, path.text(), std::move(message)};
  };
  if (!path.valid()) return fail(path.problem());
  Node* node = &root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string here = plain(path.first(i));
    if (path[i].is_index()) {
      if (node->kind != Kind::array)
        return fail(fmt::format("{} is {}, not a list", here, name(node->kind)));
      if (path[i].index >= node->items.size())
        return fail(fmt::format("{} has {} entries, counted from 0", here, node->items.size()));
      node = &node->items[path[i].index];
      continue;
    }
    if (node->kind != Kind::object)
      return fail(fmt::format("{} is {}, not an object", here, name(node->kind)));
    if (Node* rest = node->find(path.from(i))) {
      node = rest;
      break;
    }
    Node* next = node->find(path[i].key);
    if (!next) {
      if (i + 1 < path.size()) return fail(fmt::format("there is no {}", plain(path.first(i + 1))));
      next = &node->members.emplace_back(path[i].key, Node{}).second;
    }
    node = next;
  }
  *node = std::move(value);
  return {};
}

SettingPath canonical(const SettingPath& path, const Node& root) {
  const Node* lanes = root.find("lanes");
  if (!lanes && path.lane() == 0U) return path.with_first(2, "integrator");
  if (lanes && lanes->items.size() == 1 && path.key() == "integrator")
    return path.with_first(1, "lanes[0]");
  if (path.key() == "system" && path.key(1) == "parameters" && defined_parameters(root)) {
    const bool value = path.key(3) == "value";
    if (value || (path.size() >= 3 && path.key(3).empty()))
      return path.with_first(value ? 4 : 3, fmt::format("system.{}", path.key(2)));
  }
  return path;
}

const Node* find_setting(const Node& root, const SettingPath& path) {
  SettingPath target = path == "lanes" || path == "integrator" ? path : canonical(path, root);
  if (is_defined_parameter(target, root)) {
    auto stored = place_of_parameter(target, root);
    if (!stored) return nullptr;
    target = std::move(*stored);
  }
  const Node* node = target.valid() ? &root : nullptr;
  for (std::size_t i = 0; node && i < target.size(); ++i) {
    const auto index = target.index(i);
    if (index) {
      node = *index < node->items.size() ? &node->items[*index] : nullptr;
      continue;
    }
    if (const Node* rest = node->find(target.from(i))) return rest;
    node = node->find(target[i].key);
  }
  return node;
}

Result<void> assign_setting(Node& root, const SettingPath& path, const Node& value) {
  if (const std::string meant = with_section(root, path); !meant.empty())
    return Error{ErrorKind::usage, path.text(),
                 fmt::format("there is no such setting; did you mean {}?", plain(meant))};
  const auto drop = [&root](std::string_view key) {
    std::erase_if(root.members, [key](const auto& member) { return member.first == key; });
  };
  SettingPath target = canonical(path, root);
  if (path == "lanes" || path == "integrator") {  // all lanes
    target = path;
    drop(path == "lanes" ? "integrator" : "lanes");
  } else if (target == "integrator.name") {  // possible only in a list
    Node list = Node::array();
    if (const Node* one = root.find("integrator")) list.items.push_back(*one);
    drop("integrator");
    root.set("lanes", std::move(list));
    target = "lanes[0].name";
  }
  if (const std::string why = no_such_lane(root, target); !why.empty())
    return Error{ErrorKind::usage, path.text(), why};
  if (is_defined_parameter(target, root)) {
    auto stored = place_of_parameter(target, root);
    if (!stored) return stored.error();
    target = std::move(*stored);
  }
  write_in_full(root, target);
  if (auto done = assign(root, target, value); !done)
    return Error{ErrorKind::usage, path.text(), done.error().message};
  if (target == "integrator.type") drop_unknown_keys(*root.find("integrator"));
  if (const auto lane = target.lane(); lane && target.size() == 3 && target.key(2) == "type")
    drop_unknown_keys(root.find("lanes")->items[*lane]);
  return {};
}

bool is_of_generator(const SettingPath& path) {
  const std::string_view key = path.key(1);
  return path.key() == "initial" &&
         (key == "generator" || (key == "velocity" && !path.key(2).empty()));
}

std::string why_not_live(const Node& root, const SettingPath& path) {
  if (!path.valid()) return path.problem();
  const std::string_view key = path.key();
  if (path == "duration" || path == "every" || key == "stop") return {};
  const bool of_lane = key == "integrator" || key == "lanes";
  if (key != "system" && !of_lane)
    return "an event sets system.…, integrator.…, lanes[i].…, state.q[i], state.omega[i], "
           "state.base.…, duration, every or stop";
  constexpr const char* reset = "cannot change during a run; it needs a reset";
  const std::size_t at = key == "lanes" ? 2 : 1;  // position of the key within its section
  if (std::string why = no_such_lane(root, path); !why.empty()) return why;
  if (path == "lanes") return reset;
  const std::string_view name = path.size() > at ? path.key(at) : key;
  const std::vector<ParameterInfo>* parameters = nullptr;
  Names live;
  if (const Node* defined = of_lane ? nullptr : defined_parameters(root)) {
    if (is_live_text(name) || defined->find(name)) return {};
    if (is_definition_key(name)) return reset;
    for (const auto& [parameter, value] : defined->members) live.push_back(parameter);
  }
  if (of_lane) {
    const std::vector<const Node*> lanes = lane_nodes(root);
    const Node* type = lanes.empty() ? nullptr : lanes[path.lane().value_or(0)]->find("type");
    const IntegratorInfo* method = type ? find_integrator(type->text) : nullptr;
    if (!method) return {};  // the same event has set an unknown type
    parameters = &method->parameters;
    live = {"type", "step", "name"};
    if (contains(live, name)) return {};
  } else {
    parameters = &find_system(root.find("system")->find("type")->text)->parameters;
  }
  for (const ParameterInfo& p : *parameters) {
    // Of springs only the stiffness can change.
    const bool whole =
        p.shape != Shape::springs || (path.size() == at + 3 && path.key(at + 2) == "stiffness");
    if (p.key == name && p.live && whole) return {};
    if (p.key == name) return reset;
    if (p.live) live.emplace_back(p.key);
  }
  return fmt::format("no such value; {}an event may set: {}", suggestion(name, live), join(live));
}

}  // namespace twosphere
