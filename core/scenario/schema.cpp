// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schema.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/version.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/scenario.h"
#include "core/scenario/schema_nodes.h"

namespace twosphere {

namespace {

using json::Node;
/// The keys of an object, of which no others are allowed.
struct SchemaKeys {
  Node properties = Node::object();
  SchemaTexts required{};

  void write_to(Node& node) const {
    node.set("properties", properties);
    if (!required.empty()) node.set("required", Node::array(required));
    node.set("additionalProperties", Node::truth(false));
  }
};

/// Markdown without the targets of links.
std::string without_targets(std::string_view markdown) {
  static const std::regex link(R"(\[([^\]]+)\]\([^)]+\))");
  return std::regex_replace(std::string(markdown), link, "$1");
}

Node schema_of_objects(const SchemaTexts& names);

/// The forms of the value of a parameter of a definition.
Node schema_of_defined_value() {
  Node item = schema_number("number", false);
  allow_type(item, "array");
  item.set("minItems", Node::whole(2));
  item.set("maxItems", Node::whole(2));
  item.set("items", schema_number("integer", false));
  Node node = schema_number("number", false);
  allow_type(node, "array");
  node.set("minItems", Node::whole(1));
  node.set("items", std::move(item));
  return node;
}

/// Adds a form that is an object with these keys.
void allow_object(Node& node, std::string_view name) {
  allow_type(node, "object");
  const Node object = schema_of_objects({name});
  for (const auto& [key, value] : object.members)
    if (key != "type") node.set(key, value);
}

/// Values that no kind of key describes.
Node schema_of_special(std::string_view object, std::string_view key) {
  const std::string path = fmt::format("{}.{}", object, key);
  if (path == "scenario.lanes") return schema_list(schema_reference("lane"), 1, max_lanes);
  if (path == "scenario.plots") {
    Node plot = schema_text(1);
    allow_object(plot, "plot");
    return schema_named(std::move(plot));
  }
  if (path == "lane_state.integrator_state") {
    Node node = schema_of_type("object");
    node.set("additionalProperties", schema_list(schema_of_type("number")));
    return node;
  }
  if (path == "initial.velocity") {
    Node node = schema_list(schema_list(schema_number("number", false), 3, 3), 1);
    allow_object(node, "vortices");
    return node;
  }
  if (path == "spring.between") {
    Node body = schema_number("integer", false);
    body.set("minimum", Node::whole(0));
    return schema_list(std::move(body), 2, 2);
  }
  if (path == "definition.parameters") {
    Node parameter = schema_of_defined_value(), node = schema_of_type("object");
    allow_object(parameter, "parameter");
    node.set("additionalProperties", std::move(parameter));
    return node;
  }
  if (path == "definition.strength" || path == "definition.damping" ||
      path == "definition.temperature") {
    Node node = schema_text(1);
    allow_type(node, "number");
    return node;
  }
  if (path == "parameter.value") return schema_of_defined_value();
  if (path == "stop_condition.quantity") {
    Node indicator = schema_object("pattern", R"(^(lyapunov(\[[0-9]+\])?|megno|fli)$)");
    SchemaTexts names;
    for (const QuantityInfo& quantity : quantities())
      if (quantity.key != info(Quantity::time).key) names.push_back(quantity.key);
    return Node::object({{"type", "string"},
                         {"anyOf", Node::array({schema_object("enum", Node::array(names)),
                                                std::move(indicator)})}});
  }
  if (path == "event.set") {
    Node node = schema_of_type("object"), paths = Node::object();
    paths.set(R"(^((system|integrator|lanes\[[0-9]+\]|state)\.|stop(\[|$)|(duration|every)$))",
              Node::truth(true));
    node.set("minProperties", Node::whole(1));
    node.set("patternProperties", std::move(paths));
    node.set("additionalProperties", Node::truth(false));
    return node;
  }
  if (path == "event.pull") {
    Node steps = schema_number("integer", false);
    steps.set("minimum", Node::whole(1));
    Node more = steps, force = schema_number("number", false), node = schema_of_objects({"pull"});
    allow_type(more, "array");
    more.set("items", std::move(steps));
    Node forces = force;
    allow_type(forces, "array");
    forces.set("minItems", Node::whole(3));
    forces.set("maxItems", Node::whole(3));
    forces.set("items", std::move(force));
    Node& properties = *node.find("properties");
    properties.set("force", schema_list(std::move(forces), 1));
    properties.set("steps", std::move(more));
    return node;
  }
  if (path == "frame.axis") {
    Node node = schema_list(schema_number("number", false), 3, 3);
    allow_type(node, "string");
    node.set("pattern", "^J$");
    return node;
  }
  if (path == "frame.rate") {
    Node node = schema_number("number", true);
    allow_type(node, "string");
    node.set("pattern", "^(orbit|line:([0-9]|[12][0-9]|3[01]))$");
    return node;
  }
  if (path == "view.runs") return schema_list(schema_of_type("object"));
  return schema_reference(key == "add_lane" ? "added_lane" : key);  // which the catalogue defines
}

void set_bounds(Node& node, const KeyInfo& key) {
  if (key.positive) node.set("exclusiveMinimum", Node::whole(0));
  if (key.low) node.set("minimum", *key.low);
  if (key.high) node.set("maximum", *key.high);
}

Node schema_of_value(std::string_view object, const KeyInfo& key) {
  const auto number = [&key] { return schema_number("number", key.plain); };
  const auto highest = static_cast<std::size_t>(key.high.value_or(0));
  const auto lowest = static_cast<std::int64_t>(key.low.value_or(0));
  switch (key.kind) {
    case KeyKind::number:
    case KeyKind::whole: {
      Node node = key.kind == KeyKind::number ? number() : schema_number("integer", key.plain);
      set_bounds(node, key);
      return node;
    }
    case KeyKind::flag:
      return schema_of_type("boolean");
    case KeyKind::only_true:
      return schema_object("const", Node::truth(true));
    case KeyKind::text:
    case KeyKind::name: {
      const bool name = key.kind == KeyKind::name;
      Node node = schema_text(name ? 1 : lowest);
      if (key.high) node.set("maxLength", Node::whole(static_cast<std::int64_t>(highest)));
      if (name) node.set("pattern", "^[^=+@-]");
      return node;
    }
    case KeyKind::choice:
      return schema_object("enum", Node::array(key.choices));
    case KeyKind::vector:
      return schema_list(number(), 3, 3);
    case KeyKind::vectors:
      return schema_list(schema_list(number(), 3, 3), 1);
    case KeyKind::pair:
      return schema_list(number(), 2, 2);
    case KeyKind::pairs:
      return schema_list(schema_list(number(), 2, 2), 1);
    case KeyKind::wholes: {
      Node item = schema_number("integer", key.plain);
      set_bounds(item, key);
      return schema_list(std::move(item));
    }
    case KeyKind::texts:
      return schema_list(schema_text(0));
    case KeyKind::lines: {
      Node node = schema_text(0);
      allow_type(node, "array");
      node.set("items", schema_text(0));
      return node;
    }
    case KeyKind::named_texts: {
      Node node = schema_named(schema_text(1));
      if (lowest > 0) node.set("minProperties", Node::whole(lowest));
      return node;
    }
    case KeyKind::object:
      return schema_reference(key.object);
    case KeyKind::objects:
      return schema_list(schema_reference(key.object), static_cast<std::size_t>(lowest), highest);
    case KeyKind::scenarios:
      return schema_list(schema_object("$ref", "#"), 0, highest);
    case KeyKind::special:
      return schema_of_special(object, key.key);
  }
  return Node::object();
}

Node schema_of_key(std::string_view object, const KeyInfo& key) {
  Node node = schema_of_value(object, key);
  node.one_line = false;
  node.set("description", without_targets(key.help));
  if (!key.unit.empty()) node.set("x-unit", key.unit);
  return node;
}

/// An object with the keys of all these.
Node schema_of_objects(const SchemaTexts& names) {
  SchemaKeys keys;
  Node excluded = Node::object(), all_of = Node::array();
  for (const std::string_view name : names) {
    const ObjectInfo& object = file_object(name);
    for (const KeyInfo& key : object.keys) {
      keys.properties.set(std::string(key.key), schema_of_key(name, key));
      if (key.required) keys.required.push_back(key.key);
      if (!key.excludes.empty()) excluded.set(std::string(key.key), schema_refuses(key.excludes));
    }
    for (const auto& group : object.one_of) all_of.items.push_back(schema_requires_one(group));
  }
  Node node = schema_of_type("object");
  keys.write_to(node);
  if (!excluded.members.empty()) node.set("dependentSchemas", std::move(excluded));
  if (!all_of.items.empty()) node.set("allOf", std::move(all_of));
  return node;
}

// Of the catalogue:

Node schema_of_parameter(const ParameterInfo& info);

void add_parameters(SchemaKeys& keys, const std::vector<ParameterInfo>& infos) {
  for (const ParameterInfo& info : infos) {
    keys.properties.set(std::string(info.key), schema_of_parameter(info));
    if (info.required) keys.required.push_back(info.key);
  }
}

/// An object with "type" and these parameters.
Node schema_of_parameters(std::string_view type, const std::vector<ParameterInfo>& infos) {
  SchemaKeys keys;
  keys.properties.set("type", schema_object("const", type));
  add_parameters(keys, infos);
  Node node = schema_of_type("object");
  keys.write_to(node);
  return node;
}

Node schema_of_numbers(const ParameterInfo& info) {
  Node number = schema_number(info.whole ? "integer" : "number", false);
  if (info.domain == Domain::positive) number.set("exclusiveMinimum", Node::whole(0));
  if (info.domain == Domain::non_negative) number.set("minimum", Node::whole(0));
  switch (info.shape) {
    case Shape::scalar:
      return number;
    case Shape::vector:
      return schema_list(std::move(number), 3, 3);
    case Shape::list:
      return schema_list(std::move(number), info.default_vector.size(), info.default_vector.size());
    case Shape::per_pair:
    case Shape::per_body: {
      Node node = number;
      allow_type(node, "array");
      node.set("minItems", Node::whole(1));
      node.set("items", std::move(number));
      return node;
    }
    case Shape::choice:
      return schema_object("enum", Node::array(info.choices));
    case Shape::count: {
      Node node = schema_number("integer", false);
      node.set("minimum", Node::whole(1));
      return node;
    }
    case Shape::points: {
      // One vector for all bodies, or a list of vectors.
      Node item = number;
      allow_type(item, "array");
      item.set("minItems", Node::whole(3));
      item.set("maxItems", Node::whole(3));
      item.set("items", std::move(number));
      return schema_list(std::move(item), 1);
    }
    case Shape::lattice:
      return schema_of_objects({"lattice"});
    case Shape::springs:
      return schema_list(schema_of_objects({"spring"}));
    case Shape::sites:
      return schema_of_objects({"sites"});
    case Shape::pairs: {
      Node body = schema_number("integer", false);
      body.set("minimum", Node::whole(0));
      return schema_list(schema_list(std::move(body), 2, 2), 1);
    }
    case Shape::waypoints:
      return schema_list(schema_list(schema_number("number", false), 4, 4), 1);
    case Shape::form: {
      Node node = schema_of_numbers(info.forms[0].fields[0]), cases = Node::array();
      SchemaTexts types;
      for (std::size_t k = 1; k < info.forms.size(); ++k) {
        const ParameterForm& form = info.forms[k];
        types.push_back(form.key);
        cases.items.push_back(
            schema_case_of_type(form.key, schema_of_parameters(form.key, form.fields)));
      }
      allow_type(node, "object");
      choose_by_type(node, types, std::move(cases));
      return node;
    }
  }
  return number;
}

Node schema_of_parameter(const ParameterInfo& info) {
  Node node = schema_of_numbers(info);
  if (info.optional && node.find("type")) allow_type(node, "null");
  std::string help(info.help);
  for (const ParameterForm& form : info.forms)
    help += fmt::format(" {}: {}", form.label, form.help);
  node.set("description", std::move(help));
  if (!info.required) {
    std::optional<Node> value;
    if (!info.unless.empty())
      value = Node(info.default_value);
    else if (info.optional || (info.shape != Shape::per_body && info.shape != Shape::points))
      value = parameter_node(info, default_numbers(info, 0));
    else if (info.shape == Shape::per_body)
      value = Node(info.default_value);
    else
      value = Node::numbers(default_numbers(info, 1));
    if (value) node.set("default", *value);
  }
  if (info.shape == Shape::choice || info.shape == Shape::count) {
    node.set("x-live", Node::truth(info.live));
    return node;
  }
  if (!info.symbol.empty()) node.set("x-symbol", info.symbol);
  node.set("x-unit", info.unit);
  node.set("x-range", Node::numbers(std::array{info.low, info.high}));
  node.set("x-live", Node::truth(info.live));
  return node;
}

std::string definition_of(std::string_view object, std::string_view key) {
  return fmt::format("{}.{}", object, key);
}

/// A method with its parameters, and the keys of further objects.
Node schema_of_method(const SchemaTexts& further) {
  SchemaTexts types;
  Node cases = Node::array();
  for (const IntegratorInfo& method : integrators()) {
    types.push_back(method.key);
    SchemaKeys keys;
    keys.properties.set("type", schema_object("const", method.key));
    keys.properties.set("step", schema_reference("step"));
    keys.required = {"step"};
    for (const ParameterInfo& info : method.parameters)
      keys.properties.set(std::string(info.key),
                          schema_reference(definition_of(method.key, info.key)));
    for (const std::string_view object : further)
      for (const KeyInfo& key : file_object(object).keys)
        keys.properties.set(std::string(key.key), schema_reference(definition_of(object, key.key)));
    Node then = Node::object();
    then.set("description", method.description);
    keys.write_to(then);
    cases.items.push_back(schema_case_of_type(method.key, std::move(then)));
  }
  Node node = schema_of_type("object");
  choose_by_type(node, types, std::move(cases));
  return node;
}

/// The keys of a saved state, which are refused in other scenarios: the clock at the top
/// level, and the state of a lane there or, of several, with each.
Node schema_of_saved_state() {
  const auto& keys = key_names("lane_state");
  const SchemaTexts of_lane(keys.begin(), keys.end());
  SchemaTexts of_lanes = of_lane;
  for (const std::string& key : key_names("later_lane_state")) of_lanes.push_back(key);

  Node none = schema_refuses({"reversed", "pulls"});
  none.find("properties")->set("lanes", schema_object("items", schema_refuses(of_lanes)));

  Node several = schema_requires({"lanes"});
  several.set("properties", schema_object("lanes", schema_object("minItems", Node::whole(2))));
  Node with_each = schema_refuses({"energy_reference", "work", "integrator_state"});
  with_each.find("properties")
      ->set("lanes", schema_object("items", schema_requires({"time_origin", "step_index",
                                                             "energy_reference", "work"})));

  Node saved = schema_case(std::move(several), std::move(with_each));
  saved.set("else", schema_requires({"energy_reference", "work"}));
  saved.set("required", Node::array({"time_origin", "step_index"}));
  Node node = schema_case(schema_requires_one(of_lane), std::move(saved));
  node.set("else", std::move(none));
  return node;
}

/// A start has velocities, unless a generator makes it or the system is of first order.
Node schema_of_velocities() {
  SchemaTexts types;
  for (const SystemInfo& info : systems())
    if (info.first_order) types.push_back(info.key);
  Node of_text = schema_requires({"dynamics"}), of_first_order = Node::array();
  const auto property = [](std::string key, Node value) {
    return schema_object("properties", schema_object(std::move(key), std::move(value)));
  };
  of_text.set("properties", schema_object("dynamics", schema_object("const", "first_order")));
  of_first_order.items = {property("type", schema_object("enum", Node::array(types))),
                          std::move(of_text)};
  Node node = schema_case(property("system", schema_object("anyOf", std::move(of_first_order))),
                          property("initial", schema_refuses({"q_next"})));
  node.set("else", property("initial", schema_requires_one(
                                           {"omega", "velocity", "rates", "q_next", "generator"})));
  return node;
}

/// A generator of a start by its type, or a list of these.
Node schema_of_generators() {
  Node node = schema_of_type("object"), cases = Node::array();
  const std::vector<std::string_view>& types = generator_names();
  for (const std::string_view type : types)
    cases.items.push_back(schema_case_of_type(type, schema_of_objects({type})));
  choose_by_type(node, types, std::move(cases));
  allow_type(node, "array");
  node.set("minItems", Node::whole(1));
  node.set("items", schema_reference("generator"));
  return node;
}

Node schema_definitions() {
  Node all = Node::object();
  // Parts of other objects, and those that stand at one place, have no definition of their own.
  for (const KeyInfo& key : file_object("scenario").keys)
    if (!key.object.empty()) all.set(std::string(key.object), schema_of_objects({key.object}));
  all.set("generator", schema_of_generators());
  for (const char* part : {"base", "pull", "camera", "frame", "layer", "selected_body"})
    all.set(part, schema_of_objects({part}));
  Node rates = schema_object("if", schema_requires({"angles"}));
  rates.set("else", schema_refuses({"rates"}));
  all.find("initial")->find("allOf")->items.push_back(std::move(rates));

  for (const char* object : {"lane", "lane_state", "later_lane_state", "added_lane"})
    for (const KeyInfo& key : file_object(object).keys)
      all.set(definition_of(object, key.key), schema_of_key(object, key));
  all.set("step", schema_of_parameter(step_parameter()));
  for (const IntegratorInfo& method : integrators())
    for (const ParameterInfo& info : method.parameters)
      all.set(definition_of(method.key, info.key), schema_of_parameter(info));
  all.set("integrator", schema_of_method({}));
  all.set("lane", schema_of_method({"lane", "lane_state", "later_lane_state"}));
  all.set("added_lane", schema_of_method({"lane", "added_lane"}));

  SchemaTexts types;
  Node cases = Node::array(), system = schema_of_type("object");
  for (const SystemInfo& info : systems()) {
    types.push_back(info.key);
    Node one = info.key == custom_system().key ? schema_of_objects({"definition"})
                                               : schema_of_parameters(info.key, info.parameters);
    one.set("description", info.description);
    const std::string name = definition_of("system", info.key);
    cases.items.push_back(schema_case_of_type(info.key, schema_reference(name)));
    all.set(name, std::move(one));
  }
  choose_by_type(system, types, std::move(cases));
  all.set("system", std::move(system));
  return all;
}

}  // namespace

Node scenario_schema() {
  Node root = Node::object();
  root.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  root.set("title", "twosphere scenario");
  root.set("description",
           fmt::format(
               "A scenario of twosphere {}, made from its catalogue. A file may pass and still be "
               "refused by the program: the schema cannot check that lists have an entry for each "
               "body, that steps of lanes divide the largest one, what expressions and other texts "
               "say, that the start is on the sphere, and what events set.",
               version));
  const Node object = schema_of_objects({"scenario", "lane_state", "run_state"});
  for (const auto& [key, value] : object.members) root.set(key, value);
  root.find("allOf")->items.push_back(schema_of_saved_state());
  root.find("allOf")->items.push_back(schema_of_velocities());
  root.set("$defs", schema_definitions());
  return root;
}

}  // namespace twosphere
