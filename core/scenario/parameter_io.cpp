// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/parameter_io.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/base/text.h"
#include "core/language/evaluate.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/keys.h"
#include "core/systems/site_lattice.h"

namespace twosphere {

using document::Names;
using document::Value;
using json::Kind;
using json::Node;
using json::quote;
using json::shortest;

void refuse_list_without_brackets(const Value& value) {
  if (value.kind() == Kind::string && may_be_list(value.text()))
    value.fail(
        fmt::format("{} may be a list, which is written in brackets, or a number, which is "
                    "written with a decimal point",
                    quote(value.text())));
}

namespace {

double read_number(const Value& value, const ParameterInfo& info) {
  if (info.whole) return static_cast<double>(value.whole(0));
  if (info.domain == Domain::positive) return value.positive(info.unit);
  const double number = value.number(info.unit);
  if (info.domain == Domain::non_negative && number < 0)
    value.fail(fmt::format("must be 0 or greater, not {}", shortest(number)));
  return number;
}

std::vector<double> read_scalar(const Value& value, const ParameterInfo& info) {
  if (!info.word.empty() && value.kind() == Kind::string) {
    if (value.text() == info.word) return {};
    if (const auto number = evaluate(value.text(), info.unit); !number)
      value.fail_in_text(
          value.no_number(number.error(), fmt::format("a number or {}", quote(info.word))));
  }
  return {read_number(value, info)};
}

std::vector<double> read_list(const Value& value, const ParameterInfo& info, std::size_t count) {
  value.list_of(count, counted(static_cast<std::int64_t>(count), "number"));
  std::vector<double> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(read_number(value.item(k), info));
  return out;
}

std::vector<double> read_vector_parameter(const Value& value, const ParameterInfo& info) {
  return read_list(value, info, 3);
}

constexpr std::string_view one_number = "a number or ";

/// Checks that a list has one entry per body. `otherwise`: what may stand in place of it.
const Value& per_body(const Value& value, int bodies, std::string_view otherwise) {
  const auto count = static_cast<std::size_t>(bodies);
  if (value.kind() != Kind::array)
    value.wrong_kind(fmt::format("{}a list of {}, one per body", otherwise, count));
  if (value.size() != count)
    value.fail(fmt::format("must {}have {}, one per body of the start, not {}",
                           otherwise == one_number ? "be one number or " : "", count,
                           value.size()));
  return value;
}

std::vector<double> read_per_body(const Value& value, const ParameterInfo& info, int bodies) {
  const auto count = static_cast<std::size_t>(bodies);
  if (value.kind() == Kind::number || value.kind() == Kind::string) {
    refuse_list_without_brackets(value);
    return std::vector<double>(count, read_number(value, info));
  }
  per_body(value, bodies, one_number);
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(read_number(value.item(i), info));
  return out;
}

std::vector<double> read_count(const Value& value, int bodies) {
  const std::int64_t count = value.whole(1);
  if (count != bodies)
    value.fail(
        fmt::format("must agree with the start, which has {} bodies, not {}", bodies, count));
  return {static_cast<double>(count)};
}

std::vector<double> read_points(const Value& value, const ParameterInfo& info, int bodies) {
  std::vector<double> out;
  // One for all.
  if (value.kind() == Kind::array && value.size() > 0 && value.item(0).kind() != Kind::array) {
    const std::vector<double> one = read_vector_parameter(value, info);
    for (int i = 0; i < bodies; ++i) out.insert(out.end(), one.begin(), one.end());
    return out;
  }
  per_body(value, bodies, "a list of 3 numbers or ");
  for (std::size_t i = 0; i < value.size(); ++i)
    for (const double x : read_vector_parameter(value.item(i), info)) out.push_back(x);
  return out;
}

std::vector<double> read_lattice(const Value& value, const ParameterInfo& info, int bodies) {
  value.object(key_names("lattice"));
  const std::int64_t rows = value.member("rows").whole(1);
  const std::int64_t columns = value.member("columns").whole(1);
  const double spacing = value.member("spacing").positive(info.unit);
  if (rows > bodies || rows * columns != bodies)
    value.fail(
        fmt::format("rows · columns must agree with the start, which has {} bodies, not {} · {}",
                    bodies, rows, columns));
  return {static_cast<double>(rows), static_cast<double>(columns), spacing};
}

/// Appends two different bodies.
void read_ends(const Value& ends, int bodies, std::vector<double>& out) {
  ends.list_of(2, "2 bodies, counted from 0");
  const std::int64_t i = ends.item(0).whole(0, bodies - 1), j = ends.item(1).whole(0, bodies - 1);
  if (i == j) ends.fail(fmt::format("must be two different bodies, not {} twice", i));
  out.push_back(static_cast<double>(i));
  out.push_back(static_cast<double>(j));
}

std::vector<double> read_springs(const Value& value, const ParameterInfo& info, int bodies) {
  std::vector<double> out;
  for (const Value& entry : value.items()) {
    entry.object(key_names("spring"));
    read_ends(entry.member("between"), bodies, out);
    out.push_back(read_number(entry.member("stiffness"), info));
  }
  return out;
}

std::vector<double> read_sites(const Value& value, const ParameterInfo& info, int bodies) {
  std::vector<double> out = read_site_lattice(value, info);
  const std::ptrdiff_t count = SiteLattice(out).sites();
  if (count != bodies)
    value.fail(fmt::format("has {} sites, but the start has {} bodies", count, bodies));
  return out;
}

std::vector<double> read_pairs(const Value& value, int bodies) {
  const std::vector<Value> pairs = value.items();
  if (pairs.empty()) value.fail("must have at least one pair of bodies");
  std::vector<double> out;
  for (const Value& ends : pairs) read_ends(ends, bodies, out);
  return out;
}

std::vector<double> read_per_pair(const Value& value, const ParameterInfo& info) {
  if (value.kind() == Kind::number || value.kind() == Kind::string) {
    refuse_list_without_brackets(value);
    return {read_number(value, info)};
  }
  if (value.kind() != Kind::array) value.wrong_kind("a number or a list with one of each bond");
  if (value.size() == 0) value.fail("must have at least one number");
  std::vector<double> out;
  for (std::size_t k = 0; k < value.size(); ++k) out.push_back(read_number(value.item(k), info));
  return out;
}

std::vector<double> read_waypoints(const Value& value, const ParameterInfo& info) {
  const std::vector<Value> places = value.items();
  if (places.empty()) value.fail("must have at least one place, [t, x, y, z]");
  std::vector<double> out;
  for (const Value& place : places) {
    place.list_of(4, "4 numbers, [t, x, y, z]");
    const double t = place.item(0).number("s");
    if (!out.empty() && !(t > out[out.size() - 4]))
      place.item(0).fail(
          fmt::format("must be greater than {}, the time before, not {}", out[out.size() - 4], t));
    out.push_back(t);
    for (std::size_t axis = 1; axis < 4; ++axis) out.push_back(place.item(axis).number(info.unit));
  }
  return out;
}

std::vector<double> read_numbers(const Value& value, const ParameterInfo& info, int bodies);

std::vector<double> read_form(const Value& value, const ParameterInfo& info) {
  std::vector<double> out{0};
  const auto append = [&out](const std::vector<double>& numbers) {
    out.insert(out.end(), numbers.begin(), numbers.end());
  };
  Names types;
  for (std::size_t k = 1; k < info.forms.size(); ++k) types.emplace_back(info.forms[k].key);
  if (value.kind() == Kind::array) {
    append(read_numbers(value, info.forms[0].fields[0], 0));
    return out;
  }
  if (value.kind() != Kind::object)
    value.wrong_kind(fmt::format("a list of 3 numbers or an object with a type, one of: {}",
                                 document::join(types)));
  const std::size_t form = value.member("type").choice(types, info.label) + 1;
  Names allowed{"type"};
  for (const ParameterInfo& field : info.forms[form].fields) allowed.emplace_back(field.key);
  value.object(allowed);
  out[0] = static_cast<double>(form);
  const Values fields = read_parameters(value, info.forms[form].fields, 0);
  for (const ParameterInfo& field : info.forms[form].fields) append(fields.find(field.key)->second);
  return out;
}

std::vector<double> read_numbers(const Value& value, const ParameterInfo& info, int bodies) {
  switch (info.shape) {
    case Shape::scalar:
      return read_scalar(value, info);
    case Shape::vector:
      return read_vector_parameter(value, info);
    case Shape::list:
      return read_list(value, info, info.default_vector.size());
    case Shape::per_body:
      return read_per_body(value, info, bodies);
    case Shape::choice:
      return {static_cast<double>(
          value.choice({info.choices.begin(), info.choices.end()}, info.label))};
    case Shape::count:
      return read_count(value, bodies);
    case Shape::points:
      return read_points(value, info, bodies);
    case Shape::lattice:
      return read_lattice(value, info, bodies);
    case Shape::springs:
      return read_springs(value, info, bodies);
    case Shape::sites:
      return read_sites(value, info, bodies);
    case Shape::pairs:
      return read_pairs(value, bodies);
    case Shape::per_pair:
      return read_per_pair(value, info);
    case Shape::waypoints:
      return read_waypoints(value, info);
    case Shape::form:
      return read_form(value, info);
  }
  return {};
}

}  // namespace

Vec3 read_vector(const Value& entry, std::string_view unit) {
  entry.list_of(3, "3 numbers");
  return {entry.item(0).number(unit), entry.item(1).number(unit), entry.item(2).number(unit)};
}

std::vector<double> read_site_lattice(const Value& value, const ParameterInfo& info) {
  value.object(key_names("sites"));
  Names types;
  for (const LatticeKind& kind : lattice_kinds()) types.emplace_back(kind.key);
  const std::size_t type = value.member("type").choice(types, info.label);
  const LatticeKind& kind = lattice_kinds()[type];
  const auto periodic = value.find("periodic");
  const bool closed = periodic && periodic->truth();
  const Value sizes = value.member("size");
  const auto wanted = static_cast<std::size_t>(kind.dimension);
  sizes.list_of(wanted, fmt::format("{} for a {} lattice", counted(kind.dimension, "whole number"),
                                    kind.key));
  std::vector<double> out{static_cast<double>(type), 1, 1, 1, 1, closed ? 1.0 : 0.0};
  double cells = 1;
  for (std::size_t k = 0; k < wanted; ++k) {
    const Value size = sizes.item(k);
    out[k + 1] = static_cast<double>(size.whole(1));
    if (closed && out[k + 1] < 3)
      size.fail(fmt::format("of a periodic lattice must be 3 or greater, not {}", out[k + 1]));
    cells *= out[k + 1];
    if (cells * kind.cell_sites > max_sites)
      sizes.fail(fmt::format("must give at most {} sites", max_sites));
  }
  if (const auto spacing = value.find("spacing")) out[4] = spacing->positive(info.unit);
  return out;
}

const ParameterForm& form_of(const ParameterInfo& info, const std::vector<double>& numbers) {
  return info.forms[static_cast<std::size_t>(numbers[0])];
}

std::vector<FormField> fields_of(const ParameterForm& form, const std::vector<double>& numbers) {
  std::vector<FormField> fields;
  std::size_t first = 1;
  for (const ParameterInfo& field : form.fields) {
    const bool rest = field.shape == Shape::waypoints;
    fields.push_back(
        {field, first, rest ? numbers.size() - first : default_numbers(field, 0).size()});
    first += fields.back().count;
  }
  return fields;
}

bool same_ends(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i % 3 != 2 && a[i] != b[i]) return false;
  return true;
}

Values read_parameters(const Value& section, const std::vector<ParameterInfo>& infos, int bodies,
                       const Values* former) {
  Values values;
  for (const ParameterInfo& info : infos) {
    const Node* given = section.node().find(info.key);
    if (former && !given) {
      values.emplace(info.key, former->find(info.key)->second);
      continue;
    }
    if (info.required) (void)section.member(info.key);
    const bool absent = !given || (info.optional && given->kind == Kind::null);
    if (!given && !info.unless.empty() && !section.node().find(info.unless))
      values.emplace(info.key, std::vector{info.default_value});
    else
      values.emplace(info.key, absent ? default_numbers(info, bodies)
                                      : read_numbers(section.member(info.key), info, bodies));
  }
  return values;
}

std::optional<Node> parameter_node(const ParameterInfo& info, const std::vector<double>& numbers) {
  if (info.optional && numbers.empty())
    return info.word.empty() ? std::nullopt : std::optional(Node(info.word));
  const auto whole = [&numbers](std::size_t k) {
    return Node::whole(static_cast<std::int64_t>(numbers[k]));
  };
  switch (info.shape) {
    case Shape::scalar:
      return Node(numbers[0]);
    case Shape::choice:
      return Node(info.choices[static_cast<std::size_t>(numbers[0])]);
    case Shape::count:
      return whole(0);
    case Shape::points: {
      Node list = Node::array();
      for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
        list.items.push_back(Node::numbers({&numbers[i], 3}));
      return list;
    }
    case Shape::lattice: {
      return Node::object({{"rows", whole(0)}, {"columns", whole(1)}, {"spacing", numbers[2]}});
    }
    case Shape::springs: {
      Node list = Node::array();
      for (std::size_t s = 0; s + 2 < numbers.size(); s += 3)
        list.items.push_back(Node::object(
            {{"between", Node::array({whole(s), whole(s + 1)})}, {"stiffness", numbers[s + 2]}}));
      return list;
    }
    case Shape::sites: {
      const LatticeKind& kind = SiteLattice(numbers).kind();
      Node size = Node::array();
      for (int k = 1; k <= kind.dimension; ++k)
        size.items.push_back(whole(static_cast<std::size_t>(k)));
      size.one_line = true;
      return Node::object({{"type", kind.key},
                           {"size", std::move(size)},
                           {"spacing", numbers[4]},
                           {"periodic", Node::truth(numbers[5] != 0)}});
    }
    case Shape::pairs: {
      Node list = Node::array();
      for (std::size_t s = 0; s + 1 < numbers.size(); s += 2)
        list.items.push_back(Node::array({whole(s), whole(s + 1)}));
      return list;
    }
    case Shape::per_pair:
      return numbers.size() == 1 ? Node(numbers[0]) : Node::numbers(numbers);
    case Shape::form: {
      const ParameterForm& form = form_of(info, numbers);
      Node node = Node::object();
      node.set("type", form.key);
      for (const FormField& field : fields_of(form, numbers)) {
        std::optional<Node> value = parameter_node(field.info, field.of(numbers));
        if (numbers[0] == 0) return value;
        if (value) node.set(std::string(field.info.key), std::move(*value));
      }
      return node;
    }
    case Shape::waypoints: {
      Node list = Node::array();
      for (std::size_t k = 0; k + 3 < numbers.size(); k += 4)
        list.items.push_back(Node::numbers(std::span(numbers).subspan(k, 4)));
      return list;
    }
    case Shape::vector:
    case Shape::list:
    case Shape::per_body:
      return Node::numbers(numbers);
  }
  return {};
}

}  // namespace twosphere
