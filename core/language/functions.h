// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

/// The functions of function_list.h, of a double and by name, and comparisons.
namespace twosphere::functions {

inline double sqrt(double x) { return std::sqrt(x); }
inline double abs(double x) { return x < 0 ? -x : x; }
inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
#define LIBRARY_own(name)
#define LIBRARY_library(name) \
  inline double name(double x) { return std::name(x); }
#define FUNCTION(name, reads, derivative, code) LIBRARY_##code(name)
#include "core/language/function_list.h"
#undef LIBRARY_own
#undef LIBRARY_library

}  // namespace twosphere::functions

namespace twosphere::language {

enum class Function {
#define FUNCTION(name, ...) name,
#include "core/language/function_list.h"
};
inline constexpr std::array function_names{
#define FUNCTION(name, ...) std::string_view(#name),
#include "core/language/function_list.h"
};
/// The value of a function of one number.
double apply(Function function, double x);

/// The others. In fields those of numbers alone have a meaning: if, min, max and atan2.
inline constexpr std::array<std::string_view, 10> call_names{
    "sum", "prod", "if", "dot", "cross", "norm", "angle", "min", "max", "atan2"};

/// The constants of fields. In texts, e is free for a parameter.
inline constexpr std::array<std::string_view, 2> constant_names{"pi", "e"};
std::optional<double> find_constant(std::string_view name);

enum class Relation { less, at_most, greater, at_least, equal, unequal };
inline constexpr std::array<std::string_view, 6> relation_names{"<", "<=", ">", ">=", "==", "!="};
bool holds(Relation relation, double a, double b);

/// The index of a name in a list; −1 if it is not there.
template <class List>
std::ptrdiff_t position(const List& list, std::string_view name) {
  const auto at = std::find(list.begin(), list.end(), name);
  return at == list.end() ? -1 : at - list.begin();
}

}  // namespace twosphere::language
