// SPDX-License-Identifier: GPL-3.0-or-later
// The operators of the language and the units of what they join.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/custom/checker.h"

namespace twosphere::custom {

using Kind = Syntax::Kind;

namespace {

/// The value of what is made of numbers alone.
std::optional<double> literal_value(const Node& node) {
  if (node.op == Op::number) return node.value;
  if (node.op != Op::sum && node.op != Op::product) return {};
  double value = node.op == Op::sum ? 0 : 1;
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    const auto part = literal_value(*node.parts[k]);
    if (!part) return {};
    if (node.op == Op::sum)
      value += node.inverse[k] ? -*part : *part;
    else
      value = node.inverse[k] ? value / *part : value * *part;
  }
  return value;
}

/// Adds the parameters among the factors of a term, with their powers, 1 or -1.
void add_parameters(const Node& term, int power,
                    std::vector<std::pair<const Node*, int>>& parameters) {
  if (term.op == Op::parameter || term.op == Op::element) parameters.emplace_back(&term, power);
  if (term.op == Op::total) add_parameters(*term.parts[0], power, parameters);
  if (term.op != Op::product) return;
  for (std::size_t m = 0; m < term.parts.size(); ++m)
    add_parameters(*term.parts[m], term.inverse[m] ? -power : power, parameters);
}

}  // namespace

Ref Checker::of_vectors(Op op, const Syntax& s, const Syntax& a, const Syntax& b) {
  const char* sign = op == Op::dot ? "." : "×";
  Ref left = any(a), right = any(b);
  if (!left->is_vector || !right->is_vector) {
    const bool numbers = !left->is_vector && !right->is_vector;
    if (s.kind == Kind::call)
      fail(left->is_vector ? b : a, fmt::format("\"{}\" takes two vectors; {} is a number", s.name,
                                                text(left->is_vector ? b : a)));
    source_.fail(s.column, numbers
                               ? fmt::format("{} multiplies two numbers; write *", text(s))
                               : fmt::format("\"{}\" joins two vectors; {} is a number: write *",
                                             sign, text(left->is_vector ? b : a)));
  }
  auto node = make(op, s, {left, right});
  // The angle is a plain number; the other products multiply the units of their vectors.
  node->is_vector = op == Op::cross;
  if (op == Op::angle) return finished(std::move(node));
  node->free = left->free && right->free;
  node->unit = std::nullopt;
  if (left->unit && right->unit) node->unit = dimension_of_product(*left->unit, *right->unit);
  return finished(std::move(node));
}

Ref Checker::list(const Syntax& s) {
  if (s.parts.size() != 3)
    fail(s,
         fmt::format("a vector has three components, as [1, 0, 0]; these are {}", s.parts.size()));
  std::vector<Ref> parts;
  for (const Syntax& part : s.parts) parts.push_back(number(part));
  auto node = make(Op::vector, s, parts);
  node->is_vector = true;
  join_units(*node, parts, "[ ]", {});
  return finished(std::move(node));
}

Ref Checker::negative(const Syntax& s) {
  Ref part = any(s.parts[0]);
  auto node = make(Op::sum, s, {part});
  // −a is a sum with one term that is subtracted.
  node->inverse = {true};
  node->is_vector = part->is_vector;
  node->whole = part->whole;
  node->unit = part->unit;
  node->free = part->free;
  return finished(std::move(node));
}

Ref Checker::sum(const Syntax& s) {
  std::vector<Ref> parts;
  for (const Syntax& part : s.parts) parts.push_back(any(part));
  auto node = make(Op::sum, s, parts);
  node->inverse.push_back(false);
  node->whole = parts[0]->whole;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const Syntax::Operator& op = s.operators[k - 1];
    // Terms behind a minus are subtracted; all must be numbers or all vectors.
    node->inverse.push_back(op.text == "-");
    node->whole = node->whole && parts[k]->whole;
    if (parts[k]->is_vector != parts[0]->is_vector)
      source_.fail(op.column,
                   fmt::format("\"{}\" joins {} and {}: {} is {}", op.text, kind(*parts[0]),
                               kind(*parts[k]), text(s.parts[k]), kind(*parts[k])));
  }
  node->is_vector = parts[0]->is_vector;
  join_units(*node, parts, "", s.operators);
  return finished(std::move(node));
}

Ref Checker::product(const Syntax& s) {
  std::vector<Ref> parts;
  for (const Syntax& part : s.parts) parts.push_back(any(part));
  auto node = make(Op::product, s, parts);
  node->inverse.push_back(false);
  node->is_vector = parts[0]->is_vector;
  node->whole = parts[0]->whole;
  node->unit = parts[0]->unit;
  node->free = parts[0]->free;
  // At most one factor is a vector.
  const Syntax* first = parts[0]->is_vector ? s.parts.data() : nullptr;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const Syntax::Operator& op = s.operators[k - 1];
    const bool divides = op.text == "/";
    node->inverse.push_back(divides);
    node->whole = node->whole && parts[k]->whole && !divides;
    if (divides && parts[k]->is_vector)
      source_.fail(op.column, fmt::format("{} is a vector: only numbers divide, such as norm(…)",
                                          text(s.parts[k])));
    if (parts[k]->is_vector && first) {
      const std::string a = source_.text.substr(first->begin, first->end - first->begin),
                        b = source_.text.substr(s.parts[k].begin,
                                                s.parts[k].end - s.parts[k].begin);
      // Short factors are quoted in the forms that were meant.
      const bool simple = a.size() + b.size() < 60;
      source_.fail(op.column, simple
                                  ? fmt::format("\"{}*{}\" multiplies two vectors; write {}.{} or "
                                                "cross({}, {})",
                                                a, b, a, b, a, b)
                                  : "\"*\" multiplies two vectors; write a.b or cross(a, b)");
    }
    if (parts[k]->is_vector) first = &s.parts[k];
    node->is_vector = node->is_vector || parts[k]->is_vector;
    node->free = node->free && parts[k]->free;
    // The dimensions of the factors are added, those of divisors subtracted.
    if (!parts[k]->unit) node->unit = std::nullopt;
    if (node->unit)
      node->unit = dimension_of_product(*node->unit, *parts[k]->unit, divides ? -1 : 1);
  }
  // A plain factor that is no whole number may be 2π, which makes rad/s of Hz. What is left of
  // rad/s divided by Hz is a number.
  const bool scaled = std::any_of(parts.begin(), parts.end(), [](const Ref& part) {
    return !part->whole && part->unit && is_plain(*part->unit);
  });
  if (node->unit && (scaled || !agree(*node->unit, without_turns(*node->unit))))
    node->unit = without_turns(*node->unit);
  return finished(std::move(node));
}

Ref Checker::power(const Syntax& s) {
  Ref base = any(s.parts[0]);
  if (base->is_vector)
    fail(s, fmt::format("{} is a vector; write norm(…)^2 or a.a", text(s.parts[0])));
  Ref exponent = number(s.parts[1]);
  plain(*exponent, "^");
  auto node = make(Op::power, s, {base, exponent});
  node->free = base->free;
  node->unit = std::nullopt;
  // unit^x is known where x is a number, or where there is no unit.
  const std::optional<double> literal = literal_value(*exponent);
  if (base->unit && is_plain(*base->unit))
    node->unit = Dimension{};
  else if (base->unit && literal)
    node->unit = raised(base->unit, *literal, s);
  else if (base->unit)
    node->unit = no_unit("a power that is not a number", *base->unit, s.column);
  return finished(std::move(node));
}

// Units.

/// What gives a term with parameters the unit of those that it is added to: "; k must be in N m^2",
/// and of several parameters, any of which may be wrong, "; a factor in m^-1 is missing". Nothing
/// where turns alone differ: a factor 2π is more likely to be missing.
std::string Checker::remedy(const Node& term, const Dimension& wanted) const {
  std::vector<std::pair<const Node*, int>> parameters;
  add_parameters(term, 1, parameters);
  if (parameters.empty() || without_turns(*term.unit) == without_turns(wanted)) return {};
  const Dimension factor = dimension_of_product(wanted, *term.unit, -1);
  if (parameters.size() > 1)
    return fmt::format("; a factor in {} is missing", twosphere::name(factor));
  const auto& [parameter, power] = parameters[0];
  if (!parameter->unit) return {};
  const Dimension unit = dimension_of_product(*parameter->unit, factor, power);
  return fmt::format("; {} must be {}", model_.definition.parameters[at(parameter->which)].key,
                     is_plain(unit) ? "a plain number" : "in " + twosphere::name(unit));
}

void Checker::join_units(Node& node, const std::vector<Ref>& parts, const std::string& what,
                         const std::vector<Syntax::Operator>& at) {
  node.free = true;
  node.unit = Dimension{};
  bool known = true;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Node& part = *parts[k];
    // A plain number goes with any unit.
    if (part.free) continue;
    if (!part.unit) known = false;
    if (part.unit && !node.free && node.unit && !agree(*node.unit, *part.unit)) {
      const bool placed = k > 0 && k - 1 < at.size();
      warn(placed ? at[k - 1].column : part.column,
           fmt::format("\"{}\" joins {} and {}{}", placed ? at[k - 1].text : what,
                       twosphere::name(*node.unit), twosphere::name(*part.unit),
                       remedy(part, *node.unit)));
      known = false;
    }
    // The unit of the whole is that of its parts so far: Hz and 1/s together are Hz.
    if (part.unit && node.unit) {
      node.unit = node.free ? part.unit : joined(*node.unit, *part.unit);
      node.free = false;
    }
  }
  // Nothing is said of what contains a part whose unit is not known.
  if (!known) {
    node.unit = std::nullopt;
    node.free = false;
  }
}

/// unit^exponent, if that has whole powers; without rad and cycles if only theirs are not whole.
std::optional<Dimension> Checker::raised(const std::optional<Dimension>& unit, double exponent,
                                         const Syntax& s) {
  if (!unit) return {};
  for (Dimension out : {*unit, without_turns(*unit)}) {
    const bool whole = std::all_of(out.begin(), out.end(), [exponent](int& power) {
      const double product = power * exponent;
      power = std::abs(product) <= 1000 ? static_cast<int>(product) : 0;
      return power == product;
    });
    if (whole) return out;
  }
  return no_unit(fmt::format("the power {}", exponent), *unit, s.column);
}

/// Warns, where units are strict, that something has none.
std::nullopt_t Checker::no_unit(const std::string& what, const Dimension& of, int column) {
  if (model_.definition.strict_units)
    warn(column, fmt::format("{} of {} has no unit with whole powers", what, twosphere::name(of)));
  return std::nullopt;
}

void Checker::plain(const Node& node, const std::string& what) {
  if (node.free || !node.unit || is_plain(*node.unit)) return;
  warn(node.column,
       fmt::format("\"{}\" takes a plain number, not {}", what, twosphere::name(*node.unit)));
}

namespace {

/// The column of the first character of a part.
int begin_of(const Node& node) {
  int column = node.column;
  for (const Ref& part : node.parts)
    if (part->source == node.source) column = std::min(column, begin_of(*part));
  return column;
}

/// Of a sum the first term whose unit is known, else the whole.
const Node& with_unit(const Node& node) {
  if (node.op != Op::sum) return node;
  for (const Ref& part : node.parts)
    if (!part->free && part->unit) return with_unit(*part);
  return node;
}

}  // namespace

void Checker::expect_unit(const Node& node, const std::vector<Dimension>& allowed,
                          const std::string& what) {
  if (node.free || !node.unit) return;
  if (std::any_of(allowed.begin(), allowed.end(),
                  [&](const Dimension& unit) { return agree(unit, *node.unit); }))
    return;
  // The missing factor: the first unit that is allowed, divided by that of the value.
  std::string factor =
      twosphere::name(dimension_of_product(allowed.front(), without_turns(*node.unit), -1));
  if (what == "N m" && (factor == "J" || factor.starts_with("J "))) factor.replace(0, 1, what);
  warn(begin_of(with_unit(node)), fmt::format("is {}, must be {}; a factor in {} is missing",
                                              twosphere::name(*node.unit), what, factor));
}

}  // namespace twosphere::custom
