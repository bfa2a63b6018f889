// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/definition_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/excerpt.h"
#include "core/custom/definition_keys.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"
#include "core/scenario/names.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using json::Kind;
using json::Node;
using json::quote;
using json::shortest;

namespace {

using Parameter = Definition::Parameter;

/// Values of "dynamics".
const document::Names orders{"second_order", "first_order"};
/// Values of "units".
const document::Names unit_checks{"warnings", "strict"};

/// Whether a text is a constant, which may be a number in the file.
bool is_constant(std::string_view key) {
  return key == "strength" || key == "damping" || key == "temperature";
}

Node value_document(const Parameter& parameter) {
  if (parameter.form == Parameter::Form::number) return parameter.value[0];
  if (parameter.form == Parameter::Form::list) return Node::numbers(parameter.value);
  Node list = Node::array();
  for (std::size_t k = 0; k + 1 < parameter.value.size(); k += 2) {
    const auto end = [&](std::size_t at) {
      return Node::whole(static_cast<std::int64_t>(parameter.value[at]));
    };
    list.items.push_back(Node::array({end(k), end(k + 1)}));
  }
  return list;
}

}  // namespace

Node without_text(std::string_view key) {
  if (key == "parameters") return Node::object();
  if (key == "units") return Node(unit_checks[0]);
  if (is_constant(key) || key == "gyroscopic") return Node("0");
  if (key == "seed") return Node::whole(0);
  if (key == "frame_rotation") return Node("[0, 0, 0]");
  for (const auto& [text, member] : single_texts)
    if (key == text) return Node(std::string());
  return Node::array();
}

Node definition_parameter_document(const Parameter& parameter) {
  if (parameter.unit.empty() && parameter.help.empty() && !parameter.range)
    return value_document(parameter);
  Node node = Node::object();
  node.set("value", value_document(parameter));
  if (!parameter.unit.empty()) node.set("unit", parameter.unit);
  if (parameter.range) node.set("range", Node::numbers(*parameter.range));
  if (!parameter.help.empty()) node.set("help", parameter.help);
  return node;
}

Node definition_document(const Definition& definition) {
  Node node = Node::object();
  node.set("type", custom_system().key);
  node.set("bodies", Node::whole(definition.bodies));
  if (definition.first_order) node.set("dynamics", orders[1]);
  if (!definition.parameters.empty()) {
    Node parameters = Node::object();
    for (const Parameter& parameter : definition.parameters)
      parameters.set(parameter.key, definition_parameter_document(parameter));
    node.set("parameters", std::move(parameters));
  }
  if (!definition.define.empty()) node.set("define", Node::array(definition.define));
  for (const auto& [key, member] : single_texts)
    if (const std::string& text = definition.*member; !text.empty())
      node.set(std::string(key), text);
  if (definition.seed != 0) node.set("seed", Node::whole(definition.seed));
  for (const auto& [key, member] : text_lists)
    if (const auto& all = definition.*member; !all.empty() && key != "define")
      node.set(std::string(key), Node::array(all));
  for (const auto& [key, member] : named_expressions)
    if (const auto& all = definition.*member; !all.empty())
      node.set(std::string(key), Node::object({all.begin(), all.end()}));
  if (definition.strict_units) node.set("units", "strict");
  return node;
}

namespace document {

namespace {

std::string_view unit_of(const Parameter& parameter) {
  return parameter.unit.empty() ? "1" : std::string_view(parameter.unit);
}

/// Reads the value of a parameter whose unit is known.
void read_value(const Value& value, int bodies, Parameter& to) {
  to.value.clear();
  to.form = Parameter::Form::number;
  if (value.kind() != Kind::array) {
    refuse_list_without_brackets(value);
    to.value.push_back(value.number(unit_of(to)));
    return;
  }
  if (value.size() == 0) value.fail("must have an entry");
  to.form = value.item(0).kind() == Kind::array ? Parameter::Form::pairs : Parameter::Form::list;
  for (const Value& item : value.items()) {
    if (to.form == Parameter::Form::list) {
      to.value.push_back(item.number(unit_of(to)));
      continue;
    }
    item.list_of(2, "2 bodies, counted from 0");
    for (const std::size_t end : {0U, 1U})
      to.value.push_back(static_cast<double>(item.item(end).whole(0, bodies - 1)));
  }
}

Parameter read_parameter(const Value& entry, const std::string& path, const std::string& key,
                         int bodies) {
  Parameter parameter;
  parameter.key = key;
  if (is_definition_key(key) && !is_later_definition_key(key))
    entry.fail(fmt::format("{} is a key of system; a parameter needs another name", quote(key)));
  if (entry.kind() != Kind::object) {
    read_value(entry.named(path), bodies, parameter);
    return parameter;
  }
  entry.object(key_names("parameter"));
  if (const auto unit = entry.find("unit")) parameter.unit = unit->text();
  if (const auto help = entry.find("help")) parameter.help = help->text();
  read_value(entry.member("value").named(path), bodies, parameter);
  if (const auto range = entry.find("range")) {
    range->list_of(2, "2 numbers, the least and the greatest");
    const double low = range->item(0).number(unit_of(parameter));
    const double high = range->item(1).number(unit_of(parameter));
    if (!(low < high))
      range->fail(fmt::format("must be from a number to a greater one, not from {} to {}",
                              shortest(low), shortest(high)));
    parameter.range = {low, high};
  }
  return parameter;
}

/// Refuses keys that came after files with parameters of these names, which the names mean there.
void refuse_keys_of_parameters(const Value& section, const Definition& definition) {
  for (const Parameter& parameter : definition.parameters)
    if (is_later_definition_key(parameter.key))
      if (const auto key = section.find(parameter.key))
        key->fail(
            fmt::format("{} is a parameter of this definition; to use the key, give the "
                        "parameter another name",
                        quote(parameter.key)));
}

std::vector<std::string> read_texts(const Value& value) {
  if (value.kind() == Kind::string) return {value.text()};
  if (value.kind() != Kind::array) value.wrong_kind("a text or a list of texts");
  std::vector<std::string> all;
  for (const Value& one : value.items()) all.push_back(one.text());
  return all;
}

/// Where the message belongs, and the message with the text.
std::pair<Value, std::string> told(const Value& section, const TextError& error) {
  const std::string shown = error.text.empty() ? "" : excerpt(error.text, error.column);
  const std::string message = printable(error.message) + shown;
  const SettingPath path = error.location;
  // If only parameters are given, the document has no texts to point at; their paths name them.
  if (!is_full_definition(section) && is_definition_key(path.key()) && path.key() != "parameters")
    return {section.named(fmt::format("{}.{}", section.path(), json::plain(path.text()))), message};
  const auto [at, rest] = descend(section, path);
  return {at, rest.empty() ? message : fmt::format("{}: {}", printable(rest), message)};
}

}  // namespace

std::pair<Value, std::string> descend(Value at, const SettingPath& path) {
  std::size_t part = 0;
  for (; part < path.size(); ++part) {
    std::optional<Value> next;
    if (const auto index = path.index(part)) {
      if (at.kind() == Kind::array && *index < at.size()) next = at.item(*index);
      if (at.kind() == Kind::string && *index == 0) next = at;  // one text for a list of one
      if (at.kind() == Kind::number) next = at;                 // one number for all bodies
    } else if (at.kind() == Kind::object) {
      next = at.find(path.key(part));
    }
    if (!next) break;
    at = *next;
  }
  return {at, path.text().substr(path.first(part).size())};
}

bool is_full_definition(const Value& section) {
  return section.find("inertia") || section.find("dynamics") || section.find("hamiltonian") ||
         section.find("lagrangian");
}

Definition read_definition(const Value& section, int bodies, const Definition* former) {
  section.object(key_names("definition"));
  Definition definition;
  if (former) definition = *former;
  if (const auto parameters = section.find("parameters")) {
    const auto& members = parameters->expect(Kind::object).node().members;
    if (members.size() > max_parameters)
      parameters->fail(
          fmt::format("must have at most {} entries, not {}", max_parameters, members.size()));
    for (const auto& [key, unused] : members) {
      Parameter parameter =
          read_parameter(parameters->member(key),
                         fmt::format("{}.{}", section.path(), json::plain(key)), key, bodies);
      auto& all = definition.parameters;
      const auto known = std::find_if(all.begin(), all.end(),
                                      [&key = key](const Parameter& p) { return p.key == key; });
      if (known != all.end())
        *known = std::move(parameter);
      else
        all.push_back(std::move(parameter));
    }
  }
  if (former) return definition;
  definition.bodies = bodies;
  if (const auto given = section.find("bodies"))
    if (const std::int64_t count = given->whole(1); count != bodies)
      given->fail(
          fmt::format("must agree with the start, which has {} bodies, not {}", bodies, count));
  refuse_keys_of_parameters(section, definition);
  if (const auto dynamics = section.find("dynamics"))
    definition.first_order = dynamics->choice(orders, "order of the equations of motion") == 1;
  // What no definition can do without.
  if (definition.first_order) {
    (void)section.member("strength");
    // The reader of the texts says what stands in place of the others.
    if (!section.find("inertia") && !section.find("potential")) (void)section.member("hamiltonian");
  } else if (!section.find("strength") && !section.find("hamiltonian") &&
             !section.find("lagrangian")) {
    (void)section.member("inertia");
  }
  for (const auto& [key, member] : single_texts)
    if (const auto text = section.find(key)) {
      const bool number = is_constant(key) && text->kind() == Kind::number;
      definition.*member = number ? shortest(text->number()) : text->text();
      if ((definition.*member).find_first_not_of(" \t\n\r") == std::string::npos)
        text->fail("is empty; an expression is expected");
    }
  if (const auto seed = section.find("seed")) definition.seed = seed->whole(0);
  for (const auto& [key, member] : text_lists)
    if (const auto all = section.find(key)) definition.*member = read_texts(*all);
  for (const auto& [key, member] : named_expressions)
    if (const auto all = section.find(key))
      for (const auto& [name, unused] : all->expect(Kind::object).node().members) {
        check_name(all->member(name), name);
        (definition.*member).emplace_back(name, all->member(name).text());
      }
  if (const auto units = section.find("units"))
    definition.strict_units = units->choice(unit_checks, "check of units") == 1;
  return definition;
}

void fail_at(const Value& section, const TextError& error) {
  auto [at, message] = told(section, error);
  at.fail(std::move(message), error.column, error.unknown);
}

void warn_at(const Value& section, const TextError& warning) {
  const auto [at, message] = told(section, warning);
  at.warn("warning: " + message, warning.column);
}

}  // namespace document
}  // namespace twosphere
