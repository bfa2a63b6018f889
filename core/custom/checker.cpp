// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/edit_distance.h"
#include "core/base/text.h"
#include "core/language/evaluate.h"
#include "core/language/lexer.h"

namespace twosphere::custom {

namespace {

using Kind = Syntax::Kind;

constexpr std::array<std::string_view, 11> words{"q",  "w",  "v",  "t",  "n",    "pi",
                                                 "e1", "e2", "e3", "in", "pairs"};

/// Names in other languages for something of ours.
struct Alias {
  std::string_view theirs, ours;
};
constexpr std::array<Alias, 16> aliases{{{"qdot", "v"},
                                         {"dq", "v"},
                                         {"omega", "w"},
                                         {"ω", "w"},
                                         {"Omega", "w"},
                                         {"ln", "log"},
                                         {"arcsin", "asin"},
                                         {"arccos", "acos"},
                                         {"arctan", "atan"},
                                         {"arctan2", "atan2"},
                                         {"fabs", "abs"},
                                         {"length", "norm"},
                                         {"time", "t"},
                                         {"pow", "^"},
                                         {"Pi", "pi"},
                                         {"product", "prod"}}};

/// ASCII letters only.
bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

/// The names of the parameters and definitions that a text declares: parts of definitions have
/// none.
std::vector<std::string> declared_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& p : model.definition.parameters) names.push_back(p.key);
  for (const Named& named : model.named)
    if (!named.name.empty()) names.push_back(named.name);
  return names;
}

}  // namespace

bool is_reserved(const std::string& name) {
  return position(words, name) >= 0 || position(call_names, name) >= 0 ||
         position(function_names, name) >= 0;
}

Checker::Checker(Model& model, const Source& source, bool implicit, bool origin)
    : model_(model), source_(source), implicit_(implicit), origin_(origin) {}

void Checker::fail(const Syntax& s, std::string message, std::string unknown) const {
  // At its first character.
  const std::string_view before = std::string_view(source_.text).substr(0, s.begin);
  source_.fail(count_characters(before) + 1, std::move(message), std::move(unknown));
}

std::string Checker::text(const Syntax& s) const {
  constexpr std::size_t max_shown = 60;
  const std::string part = source_.text.substr(s.begin, s.end - s.begin);
  return part.size() > max_shown ? "this expression" : fmt::format("\"{}\"", part);
}

std::shared_ptr<Node> Checker::make(Op op, const Syntax& s, std::vector<Ref> parts) const {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->column = s.column;
  node->source = &source_;
  node->parts = std::move(parts);
  return node;
}

std::shared_ptr<Node> Checker::make(Op op, const Syntax& s, const Definition::Parameter& parameter,
                                    std::vector<Ref> parts) const {
  auto node = make(op, s, std::move(parts));
  node->which = static_cast<int>(&parameter - model_.definition.parameters.data());
  const auto unit = read_unit(parameter.unit);
  node->unit = parameter.unit.empty() || !unit ? std::nullopt : std::optional(unit->dimension);
  node->free = false;
  return node;
}

Ref Checker::finished(std::shared_ptr<Node> node, const Node* body) {
  complete(*node, body);
  if (node->depth > max_depth)
    node->source->fail(node->column, fmt::format("nested deeper than {} with the definitions that "
                                                 "it uses",
                                                 max_depth));
  return node;
}

void Checker::warn(int column, std::string message) {
  if (model_.warnings.size() < Limits::warnings)
    model_.warnings.push_back({source_.location, column, std::move(message), source_.text});
}

// Names of indices.

const int* Checker::bound(const std::string& name) const {
  // The innermost sum counts: its names hide nothing, but are found first.
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto at = scope->find(name); at != scope->end()) return &at->second;
  for (const auto& [known, variable] : implied_)
    if (known == name) return &variable;
  return nullptr;
}

int Checker::bind(const std::string& name, int column) {
  if (bound(name)) source_.fail(column, fmt::format("\"{}\" is the name of an outer index", name));
  if (is_reserved(name) || model_.knows(name))
    source_.fail(column, fmt::format("\"{}\" has a meaning; give the index another name", name));
  scopes_.back()[name] = model_.variables;
  return model_.variables++;
}

std::shared_ptr<const Range> Checker::open(const std::string& name, int column) {
  auto range = std::make_shared<Range>();
  range->column = column;
  range->source = &source_;
  scopes_.emplace_back();
  range->variables.push_back(bind(name, column));
  return range;
}

std::shared_ptr<const Range> Checker::open(const Header& header, bool whole) {
  auto range = std::make_shared<Range>();
  range->column = header.column;
  range->source = &source_;
  scopes_.emplace_back();
  // First the names, then the conditions on them.
  const auto introduce = [&](const Syntax& s) {
    if (s.kind != Kind::name || s.name == "n" || scopes_.back().contains(s.name)) return;
    if (!bound(s.name)) range->variables.push_back(bind(s.name, s.column));
  };
  for (const Syntax& item : header.items) {
    if (item.kind == Kind::name && bound(item.name))
      fail(item, fmt::format("\"{}\" is the name of an outer index", item.name));
    if (item.kind == Kind::name) introduce(item);
    if (item.kind == Kind::comparison)
      for (const Syntax& side : item.parts) introduce(side);
    if (item.kind != Kind::name && item.kind != Kind::comparison)
      fail(item, "the indices of a sum are names and comparisons: i, j <= i, 0 < i");
  }
  if (range->variables.empty())
    source_.fail(header.column, "a sum needs a new index, as i in sum(i: …)");
  // An i or a j of several indices may have been meant to be that of the body.
  if (implicit_ && !whole && range->variables.size() > 1)
    for (const char* name : {"i", "j"})
      for (const Syntax& item : header.items)
        for (const Syntax& side : item.parts)
          if (item.kind == Kind::comparison && side.kind == Kind::name && side.name == name &&
              scopes_.back().contains(name))
            bound_by_sums_.push_back({name, side.column});
  for (const Syntax& item : header.items) {
    if (item.kind != Kind::comparison) continue;
    std::vector<Ref> sides;
    for (const Syntax& side : item.parts) sides.push_back(index(side));
    for (std::size_t k = 0; k < item.operators.size(); ++k)
      range->conditions.push_back(
          {sides[k], sides[k + 1],
           static_cast<Relation>(position(relation_names, item.operators[k].text))});
  }
  if (header.pairs.empty()) return range;
  // The rows of a list of pairs, or the entries of a list of numbers.
  using Form = Definition::Parameter::Form;
  const auto& parameters = model_.definition.parameters;
  const Definition::Parameter* list = model_.find_parameter(header.pairs);
  // Only lists can follow "in"; near names of lists are offered.
  if (!list || list->form == Form::number) {
    std::vector<std::string> names;
    for (const auto& p : parameters)
      if (p.form != Form::number) names.push_back(p.key);
    const std::string near = nearest(header.pairs, names);
    source_.fail(header.pairs_column,
                 fmt::format("\"{}\" is not a list{}", header.pairs,
                             near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  const std::size_t variables = range->variables.size();
  const bool pairs = list->form == Form::pairs;
  // Pairs have two indices and perhaps that of the row, a list of numbers has one.
  if (!range->conditions.empty() || (pairs ? variables < 2 || variables > 3 : variables != 1))
    source_.fail(header.column,
                 pairs ? fmt::format("a list of pairs takes two indices, and one for the row if it "
                                     "is needed: i, j in {}",
                                     header.pairs)
                       : fmt::format("a list of numbers takes one index: i in {}", header.pairs));
  range->list = static_cast<int>(list - parameters.data());
  return range;
}

void Checker::close() { scopes_.pop_back(); }

void Checker::unbound(const std::string& name, int column) const {
  source_.fail(column, fmt::format("the index \"{}\" is bound by nothing; {}{}{}", name,
                                   binding_[0], name, binding_[1]));
}

std::shared_ptr<const Range> Checker::implied() const {
  for (const BoundIndex& taken : bound_by_sums_) {
    const bool outside = std::any_of(implied_.begin(), implied_.end(),
                                     [&](const auto& known) { return known.first == taken.name; });
    if (!outside && !implied_.empty()) continue;
    source_.fail(taken.column,
                 fmt::format("this sum binds \"{0}\" itself, as a sum binds every index before its "
                             "colon that is not bound outside; for the index of the body "
                             "{1}{0}{2}",
                             taken.name, binding_[0], binding_[1]));
  }
  // The indices that the text reads without binding them run over all bodies.
  if (implied_.empty()) return nullptr;
  auto range = std::make_shared<Range>();
  range->source = &source_;
  for (const auto& [name, variable] : implied_) range->variables.push_back(variable);
  return range;
}

// Kinds of values.

Ref Checker::number(const Syntax& s) {
  Ref node = any(s);
  if (node->is_vector) fail(s, fmt::format("{} is a vector; a number is expected here", text(s)));
  return node;
}

Ref Checker::vector(const Syntax& s) {
  Ref node = any(s);
  if (!node->is_vector) fail(s, fmt::format("{} is a number; a vector is expected here", text(s)));
  return node;
}

Ref Checker::index(const Syntax& s) {
  // A name that is no index of a sum: an index of the body where the text has one, else an error.
  if (s.kind == Kind::name && !bound(s.name) && s.name != "n") {
    if (!implicit_ || (s.name != "i" && s.name != "j")) {
      if (!is_reserved(s.name) && !model_.find_parameter(s.name)) unbound(s.name, s.column);
    }
  }
  Ref node = any(s);
  if (node->is_vector || !node->whole)
    fail(s, fmt::format("{} is no index; an index is a whole number made of i, n and numbers by "
                        "+, - and *",
                        text(s)));
  return node;
}

Ref Checker::any(const Syntax& s) {
  switch (s.kind) {
    case Kind::number: {
      auto node = make(Op::number, s, {});
      node->value = s.value;
      // Whole numbers may be indices; beyond 1e9 none is.
      node->whole = !s.has_unit && s.value == std::round(s.value) && std::abs(s.value) < 1e9;
      node->unit = s.dimension;
      node->free = !s.has_unit;
      return finished(std::move(node));
    }
    case Kind::name:
      return name(s);
    case Kind::element:
      return element(s);
    case Kind::call:
      return call(s);
    case Kind::list:
      return list(s);
    case Kind::negative:
      return negative(s);
    case Kind::sum:
      return sum(s);
    case Kind::product:
      return product(s);
    case Kind::power:
      return power(s);
    case Kind::dot:
      return of_vectors(Op::dot, s, s.parts[0], s.parts[1]);
    case Kind::cross:
      return of_vectors(Op::cross, s, s.parts[0], s.parts[1]);
    case Kind::comparison:
      break;
  }
  fail(s, "a comparison stands only in if(…, a, b) and in the indices of a sum");
}

/// The unit of t, w or v where units are strict. Otherwise it is not known, so that sin(2*pi*t) and
/// -0.1*w[0] are told nothing.
std::optional<Dimension> Checker::unit_of_time(const Dimension& unit) const {
  return model_.definition.strict_units ? std::optional(unit) : std::nullopt;
}

const Definition::Parameter* Checker::parameter(const Syntax& s) const {
  const Definition::Parameter* p = model_.find_parameter(s.name);
  if (p && p->form == Definition::Parameter::Form::pairs)
    fail(s, fmt::format("\"{}\" is a list of pairs: it stands only in sum(i, j in {}: …)", s.name,
                        s.name));
  return p;
}

Ref Checker::name(const Syntax& s) {
  if (const int* variable = bound(s.name)) {
    auto node = make(Op::index, s, {});
    node->which = *variable;
    node->whole = true;
    return finished(std::move(node));
  }
  if (s.name == "t") {
    auto node = make(Op::time, s, {});
    node->unit = unit_of_time({0, 0, 1});
    node->free = false;
    return finished(std::move(node));
  }
  if (s.name == "n" || s.name == "pi") {
    auto node = make(Op::number, s, {});
    node->value = s.name == "n" ? model_.definition.bodies : std::numbers::pi;
    node->whole = s.name == "n";
    return finished(std::move(node));
  }
  if (s.name == "e1" || s.name == "e2" || s.name == "e3") {
    auto node = make(Op::basis, s, {});
    node->is_vector = true;
    node->which = s.name[1] - '1';
    return finished(std::move(node));
  }
  if (s.name == "q" || s.name == "w" || s.name == "v")
    fail(s, fmt::format("\"{}\" takes an index, as in {}[0]", s.name, s.name));
  // A list of three numbers is a vector; longer ones are read by an index.
  if (const Definition::Parameter* p = parameter(s)) {
    const bool list = p->form == Definition::Parameter::Form::list;
    if (list && p->value.size() != 3)
      fail(s, fmt::format("\"{}\" is a list of {} numbers and takes an index, as in {}[i]; only a "
                          "list of three is a vector",
                          s.name, p->value.size(), s.name));
    auto node = make(Op::parameter, s, *p, {});
    node->is_vector = list;
    return finished(std::move(node));
  }
  if (const Named* named = model_.find_named(s.name)) return use(*named, s);
  // The index of the body, bound by the text as a whole.
  if (implicit_ && (s.name == "i" || s.name == "j")) {
    implied_.emplace_back(s.name, model_.variables++);
    return name(s);
  }
  unknown(s);
}

void Checker::unknown(const Syntax& s) const {
  const auto meant = [&](std::string_view ours) {
    fail(s, fmt::format("\"{}\" is not known; did you mean {}?", s.name, ours));
  };
  // First the names that other programs have for ours, then misspelt ones.
  for (const Alias& a : aliases)
    if (a.theirs == s.name) meant(a.ours);
  std::vector<std::string> names = declared_names(model_);
  for (const Scope& scope : scopes_)
    for (const auto& [index, variable] : scope) names.push_back(index);
  names.insert(names.end(), words.begin(), words.end() - 2);
  names.insert(names.end(), call_names.begin(), call_names.end());
  names.insert(names.end(), function_names.begin(), function_names.end());
  names.emplace_back("rate");
  for (const std::string& name : names)
    if (same_but_case(name, s.name)) meant(name);
  if (s.kind == Kind::name && (s.name == "x" || s.name == "y" || s.name == "z"))
    fail(s, fmt::format("\"{}\" is not known; a component of q[0] is q[0].{}", s.name,
                        s.name == "x"   ? "e1"
                        : s.name == "y" ? "e2"
                                        : "e3"));
  // q0 and q_0.
  const std::size_t digits = s.name.find_first_of("0123456789");
  if (s.kind == Kind::name && digits != s.name.npos && digits > 0 &&
      s.name.find_first_not_of("0123456789", digits) == s.name.npos) {
    std::string base = s.name.substr(0, digits);
    if (base.size() > 1 && base.back() == '_') base.pop_back();
    if (base == "q" || base == "w" || base == "v" || takes_index(base))
      meant(fmt::format("{}[{}]", base, s.name.substr(digits)));
    if (base == "e")
      fail(s, fmt::format("\"{}\" is not known; the axes are e1, e2 and e3", s.name));
  }
  // Of short names almost any other is near.
  std::erase_if(names, [](const std::string& name) { return count_characters(name) < 3; });
  const int size = count_characters(s.name);
  const std::string near = size < 3 ? "" : nearest(s.name, names, size < 6 ? 1 : 2);
  if (!near.empty()) meant(near);
  if (s.name == "i" || s.name == "j") unbound(s.name, s.column);
  no_name(s);
}

/// With what there is instead.
void Checker::no_name(const Syntax& s) const {
  if (s.kind == Kind::call)
    fail(s, fmt::format("\"{}\" is not known; the functions are {}, {}", s.name,
                        fmt::join(function_names, ", "), fmt::join(call_names, ", ")));
  std::string known = fmt::format("{}", fmt::join(declared_names(model_), ", "));
  // A long list of names would hide what is wrong.
  if (known.empty() || known.size() > 200) known = "those of the parameters and definitions";
  fail(s,
       fmt::format("\"{}\" is not known; the names are {}, and q, w, v, t, n, pi, e1, e2, e3",
                   s.name, known),
       is_name(s.name) ? s.name : "");
}

bool Checker::takes_index(const std::string& name) const {
  const Definition::Parameter* p = model_.find_parameter(name);
  const Named* named = model_.find_named(name);
  return p ? p->form == Definition::Parameter::Form::list : named && named->variable >= 0;
}

Ref Checker::element(const Syntax& s) {
  if (s.name == "q") return state(Op::q, s);
  if (s.name == "w") return state(Op::w, s);
  if (s.name == "v") return state(Op::v, s);
  if (const Definition::Parameter* p = parameter(s)) {
    Ref which = index(s.parts[0]);
    // One number for all bodies.
    if (p->form == Definition::Parameter::Form::number) return name(s);
    return finished(make(Op::element, s, *p, {std::move(which)}));
  }
  if (const Named* named = model_.find_named(s.name)) return use(*named, s);
  if (bound(s.name) || is_reserved(s.name)) fail(s, fmt::format("\"{}\" takes no index", s.name));
  unknown(s);
}

Ref Checker::state(Op op, const Syntax& s) {
  auto node = make(op, s, {index(s.parts[0])});
  node->is_vector = true;
  // ω is in rad/s and q̇ = ω × q in 1/s; q has no unit.
  if (op != Op::q) {
    node->unit = unit_of_time({0, 0, -1, 0, op == Op::w ? 1 : 0});
    node->free = false;
  }
  return finished(std::move(node));
}

Ref Checker::use(const Named& named, const Syntax& s) {
  if (named.variable >= 0 && s.parts.empty())
    fail(s, fmt::format("\"{}\" takes an index, as in {}[0]", s.name, s.name));
  if (named.variable < 0 && !s.parts.empty())
    fail(s, fmt::format("\"{}\" is {} and takes no index", s.name, kind(*named.body)));
  std::vector<Ref> parts;
  for (const Syntax& part : s.parts) parts.push_back(index(part));
  auto node = make(Op::use, s, std::move(parts));
  // A definition is referred to by its place; its value has the type and unit of its body.
  node->which = static_cast<int>(&named - model_.named.data());
  node->is_vector = named.body->is_vector;
  node->origin = origin_ && node->is_vector;
  node->unit = named.body->unit;
  node->free = named.body->free;
  return finished(std::move(node), named.body.get());
}

}  // namespace twosphere::custom
