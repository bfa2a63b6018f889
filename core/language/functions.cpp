// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/functions.h"

#include <numbers>

namespace twosphere::language {

double apply(Function function, double x) {
  switch (function) {
#define FUNCTION(name, ...) \
  case Function::name:      \
    return functions::name(x);
#include "core/language/function_list.h"
  }
  return 0;
}

std::optional<double> find_constant(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  return {};
}

bool holds(Relation relation, double a, double b) {
  switch (relation) {
    case Relation::less:
      return a < b;
    case Relation::at_most:
      return a <= b;
    case Relation::greater:
      return a > b;
    case Relation::at_least:
      return a >= b;
    case Relation::equal:
      return a == b;
    case Relation::unequal:
      return a != b;
  }
  return false;
}

}  // namespace twosphere::language
