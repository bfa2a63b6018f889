// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/schema_nodes.h"

#include <fmt/format.h>

#include <utility>

namespace twosphere {

using json::Node;

Node schema_object(std::string key, Node value) {
  return Node::object({{std::move(key), std::move(value)}});
}

Node schema_of_type(std::string_view type) { return schema_object("type", type); }

void allow_type(Node& node, std::string_view type) {
  Node& types = *node.find("type");
  if (types.kind != json::Kind::array) types = Node::array({types.text});
  types.items.emplace_back(std::string(type));
}

Node schema_reference(std::string_view name) {
  Node node = schema_object("$ref", fmt::format("#/$defs/{}", name));
  node.one_line = true;
  return node;
}

Node schema_list(Node item, std::size_t min_items, std::size_t max_items) {
  Node node = schema_of_type("array");
  if (min_items > 0) node.set("minItems", Node::whole(static_cast<std::int64_t>(min_items)));
  if (max_items > 0) node.set("maxItems", Node::whole(static_cast<std::int64_t>(max_items)));
  node.set("items", std::move(item));
  return node;
}

Node schema_number(std::string_view type, bool plain) {
  Node node = schema_of_type(type);
  if (plain) return node;
  allow_type(node, "string");
  node.set("minLength", Node::whole(1));
  return node;
}

Node schema_text(std::int64_t min_length) {
  Node node = schema_of_type("string");
  if (min_length > 0) node.set("minLength", Node::whole(min_length));
  return node;
}

Node schema_named(Node value) {
  Node node = schema_of_type("object");
  node.set("patternProperties", schema_object("^[^=+@-]", std::move(value)));
  node.set("additionalProperties", Node::truth(false));
  return node;
}

Node schema_requires(const SchemaTexts& keys) {
  return schema_object("required", Node::array(keys));
}

Node schema_requires_one(const SchemaTexts& keys) {
  return schema_object(
      "anyOf", Node::array(keys, [](std::string_view key) { return schema_requires({key}); }));
}

Node schema_refuses(const SchemaTexts& keys) {
  Node properties = Node::object();
  for (const std::string_view key : keys) properties.set(std::string(key), Node::truth(false));
  return schema_object("properties", std::move(properties));
}

Node schema_case(Node condition, Node then) {
  Node node = schema_object("if", std::move(condition));
  node.set("then", std::move(then));
  return node;
}

Node schema_case_of_type(std::string_view type, Node then) {
  Node condition = schema_of_type("object");
  condition.set("properties", schema_object("type", schema_object("const", type)));
  condition.set("required", Node::array({"type"}));
  return schema_case(std::move(condition), std::move(then));
}

void choose_by_type(Node& node, const SchemaTexts& types, Node cases) {
  node.set("required", Node::array({"type"}));
  node.set("properties", schema_object("type", schema_object("enum", Node::array(types))));
  node.set("allOf", std::move(cases));
}

}  // namespace twosphere
