// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, sums and choices.
#include <fmt/format.h>

#include "core/custom/checker.h"
#include "core/custom/lagrangian.h"

namespace twosphere::custom {

using Kind = Syntax::Kind;

void Checker::arguments(const Syntax& s, std::size_t count, const std::string& example) const {
  if (s.over) source_.fail(s.over->column, "only sum and prod have indices before a colon");
  if (s.parts.size() != count)
    fail(s, fmt::format("\"{}\" takes {} value{}, as in {}", s.name, count, count == 1 ? "" : "s",
                        example));
}

Ref Checker::call(const Syntax& s) {
  if (s.name == "sum" || s.name == "prod") return total(s);
  if (s.name == "if") return choice(s);
  if (s.name == "min") return extremum(Op::minimum, s);
  if (s.name == "max") return extremum(Op::maximum, s);
  if (s.name == "dot" || s.name == "cross" || s.name == "angle") {
    arguments(s, 2, s.name + "(a, b)");
    const Op op = s.name == "dot" ? Op::dot : s.name == "cross" ? Op::cross : Op::angle;
    return of_vectors(op, s, s.parts[0], s.parts[1]);
  }
  if (s.name == "norm") {
    arguments(s, 1, "norm(a)");
    auto node = make(Op::norm, s, {vector(s.parts[0])});
    node->unit = node->parts[0]->unit;
    node->free = node->parts[0]->free;
    return finished(std::move(node));
  }
  if (s.name == "atan2") {
    arguments(s, 2, "atan2(y, x)");
    auto node = make(Op::atan2, s, {number(s.parts[0]), number(s.parts[1])});
    // The units of y and x cancel; the angle has none.
    join_units(*node, node->parts, "atan2", {});
    node->unit = Dimension{};
    node->free = true;
    return finished(std::move(node));
  }
  // A name that came after definitions and parameters of this name.
  if (s.name == "rate" && !model_.knows(s.name)) return rate(s);
  const std::ptrdiff_t function = position(function_names, s.name);
  if (function < 0) {
    if (model_.knows(s.name) || bound(s.name) || is_reserved(s.name))
      fail(s, fmt::format("\"{}\" is no function; a product is written with *, an index with [ ]",
                          s.name));
    unknown(s);
  }
  arguments(s, 1, s.name + "(x)");
  auto node = make(Op::function, s, {number(s.parts[0])});
  node->function = static_cast<Function>(function);
  const Node& x = *node->parts[0];
  // abs keeps the unit and sqrt halves its powers; all others take plain numbers.
  if (node->function == Function::abs) {
    node->unit = x.unit;
    node->free = x.free;
  } else if (node->function == Function::sqrt) {
    node->free = x.free;
    node->unit = raised(x.unit, 0.5, s);
  } else if (node->function != Function::sign) {
    plain(x, s.name);
  }
  return finished(std::move(node));
}

/// rate(x[i]): with v in place of q.
Ref Checker::rate(const Syntax& s) {
  arguments(s, 1, "rate(x[i])");
  const Ref value = any(s.parts[0]);
  if (value->reads_w || value->reads_t || value->degree != 1)
    fail(s.parts[0], fmt::format("\"rate\" takes what is linear in the directions q; {} is not",
                                 text(s.parts[0])));
  return rate_of(model_, *value, unit_of_time({0, 0, -1, 0, 0}));
}

Ref Checker::total(const Syntax& s) {
  if (!s.over)
    fail(s, fmt::format("\"{}\" needs its indices and a colon, as in {}(i: …)", s.name, s.name));
  if (s.parts.size() != 1) fail(s, fmt::format("\"{}\" takes one value", s.name));
  // The indices are known in the body only.
  const auto range = open(*s.over);
  Ref body = s.name == "prod" ? number(s.parts[0]) : any(s.parts[0]);
  close();
  auto node = make(s.name == "prod" ? Op::total_product : Op::total, s, {body});
  node->over = range;
  node->is_vector = body->is_vector;
  node->unit = body->unit;
  node->free = body->free;
  // m · m · … for n bodies is m^n, which depends on n.
  if (s.name == "prod" && node->unit && !is_plain(*node->unit))
    node->unit =
        no_unit("a product of as many factors as there are indices", *body->unit, s.column);
  return finished(std::move(node));
}

Ref Checker::choice(const Syntax& s) {
  const std::string example = "if(x < 1, a, b)";
  arguments(s, 3, example);
  const Syntax& condition = s.parts[0];
  if (condition.kind != Kind::comparison)
    fail(condition, "a comparison is expected here, as in " + example);
  // Both sides are of one type, whichever is chosen at a state.
  Ref yes = any(s.parts[1]), no = any(s.parts[2]);
  if (yes->is_vector != no->is_vector)
    fail(s, fmt::format("\"if\" chooses between {} and {}", kind(*yes), kind(*no)));
  std::vector<Ref> sides;
  for (const Syntax& side : condition.parts) sides.push_back(number(side));
  // if(a < b < c, x, y) is if(a < b, if(b < c, x, y), y).
  Ref chosen = yes;
  for (std::size_t k = condition.operators.size(); k-- > 0;) {
    auto node = make(Op::choose, s, {sides[k], sides[k + 1], chosen, no});
    node->relation = static_cast<Relation>(position(relation_names, condition.operators[k].text));
    node->is_vector = yes->is_vector;
    join_units(*node, {sides[k], sides[k + 1]}, condition.operators[k].text,
               {condition.operators[k]});
    join_units(*node, {yes, no}, "if", {});
    chosen = finished(std::move(node));
  }
  return chosen;
}

Ref Checker::extremum(Op op, const Syntax& s) {
  if (s.over || s.parts.size() < 2)
    fail(s, fmt::format("\"{}\" takes two or more values, as in {}(a, b)", s.name, s.name));
  // min(a, b, c) is min(min(a, b), c).
  Ref so_far = number(s.parts[0]);
  for (std::size_t k = 1; k < s.parts.size(); ++k) {
    auto node = make(op, s, {so_far, number(s.parts[k])});
    join_units(*node, node->parts, s.name, {});
    so_far = finished(std::move(node));
  }
  return so_far;
}

}  // namespace twosphere::custom
