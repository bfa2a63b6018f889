// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/edit_distance.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

struct Unit {
  std::string_view name;
  DimensionedValue of;
  bool prefixed = true;
};
constexpr double degree = std::numbers::pi / 180;
constexpr std::array<Unit, 14> units{{{"rad", {1, 0, {0, 0, 0, 0, 1}, true}, false},
                                      {"deg", {degree, 0, {0, 0, 0, 0, 1}, true}, false},
                                      {"g", {1, -3, {1}, true}},
                                      {"m", {1, 0, {0, 1}, true}},
                                      {"s", {1, 0, {0, 0, 1}, true}},
                                      {"min", {60, 0, {0, 0, 1}, true}, false},
                                      {"h", {3600, 0, {0, 0, 1}, true}, false},
                                      {"d", {86400, 0, {0, 0, 1}, true}, false},
                                      {"A", {1, 0, {0, 0, 0, 1}, true}},
                                      {"N", {1, 0, {1, 1, -2}, true}},
                                      {"J", {1, 0, {1, 2, -2}, true}},
                                      {"T", {1, 0, {1, 0, -2, -1}, true}},
                                      {"Hz", {1, 0, {0, 0, -1, 0, 0, 1}, true}},
                                      {"rpm", {1.0 / 60, 0, {0, 0, -1, 0, 0, 1}, true}, false}}};

/// Where the powers of rad and of cycles are.
constexpr std::size_t rad_power = 4, cycle_power = 5;

struct Prefix {
  std::string_view name;
  int tens;
};
constexpr std::array<Prefix, 9> prefixes{{{"n", -9},
                                          {"µ", -6},  // the micro sign
                                          {"μ", -6},  // the Greek letter
                                          {"u", -6},
                                          {"m", -3},
                                          {"c", -2},
                                          {"k", 3},
                                          {"M", 6},
                                          {"G", 9}}};

const Unit* plain_unit(std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace

Dimension without_turns(Dimension dimension) {
  dimension[rad_power] = dimension[cycle_power] = 0;
  return dimension;
}

bool is_plain(const Dimension& dimension) { return without_turns(dimension) == Dimension{}; }

int cycles_to_radians(const Dimension& a, const Dimension& b) {
  const int more_cycles = a[cycle_power] - b[cycle_power],
            more_radians = b[rad_power] - a[rad_power];
  if (more_cycles > 0 && more_radians > 0) return std::min(more_cycles, more_radians);
  if (more_cycles < 0 && more_radians < 0) return std::max(more_cycles, more_radians);
  return 0;
}

bool agree(const Dimension& a, const Dimension& b) {
  return without_turns(a) == without_turns(b) && cycles_to_radians(a, b) == 0;
}

Dimension joined(Dimension a, const Dimension& b) {
  for (const std::size_t turns : {rad_power, cycle_power})
    if (a[turns] == 0) a[turns] = b[turns];
  return a;
}

Dimension dimension_of_product(Dimension a, const Dimension& b, int power) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += power * b[i];
  return a;
}

double DimensionedValue::si() const {
  return tens < 0 ? value / std::pow(10.0, -tens) : value * std::pow(10.0, tens);
}

std::optional<DimensionedValue> find_unit(std::string_view name) {
  if (const Unit* unit = plain_unit(name)) return unit->of;
  for (const Prefix& prefix : prefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const Unit* unit = plain_unit(name.substr(prefix.name.size()));
    if (!unit || !unit->prefixed) continue;
    DimensionedValue of = unit->of;
    of.tens += prefix.tens;
    return of;
  }
  return {};
}

namespace {

/// A dimension as a product of powers, with those of a derived unit in place of the powers of kg.
struct Product {
  std::string text;
  /// Short ones are better, and those with a derived unit unless powers of s are left beside it.
  int cost = 0;

  explicit Product(Dimension of, const Unit* derived = nullptr) {
    const int power = derived ? of[0] : 0;
    if (derived) of = dimension_of_product(of, derived->of.dimension, -power);
    // Cycles are written as Hz, which have their own power of s.
    const auto [kg, m, s, ampere, rad, cycle] = of;
    add("rad", rad);
    if (derived) add(derived->name, power);
    add("kg", kg);
    add("m", m);
    add("s", s + cycle);
    add("A", ampere);
    add("Hz", cycle);
    cost += !derived ? 1 : s + cycle != 0 ? 2 : 0;
  }

 private:
  void add(std::string_view unit, int power) {
    if (power == 0) return;
    text += fmt::format("{}{}", text.empty() ? "" : " ", unit);
    if (power != 1) text += fmt::format("^{}", power);
    cost += 2;
  }
};

}  // namespace

std::string name(const Dimension& dimension) {
  Product best(dimension);
  for (const std::string_view derived : {"N", "J", "T"})
    if (Product other(dimension, plain_unit(derived)); dimension[0] != 0 && other.cost < best.cost)
      best = std::move(other);
  return best.text.empty() ? "a plain number" : best.text;
}

std::string shown_unit(std::string_view text) {
  std::string shown(text);
  for (const auto& [typed, raised] : {std::pair("^2", "²"), std::pair("^3", "³")})
    for (std::size_t at = shown.find(typed); at != shown.npos; at = shown.find(typed, at + 1))
      if (at + 2 == shown.size() || shown[at + 2] == ' ' || shown[at + 2] == '/')
        shown.replace(at, 2, raised);
  return shown;
}

std::vector<std::string> unit_names() { return texts_of(units, &Unit::name); }

std::string no_such_unit(std::string_view word) {
  const std::vector<std::string> names = unit_names();
  // Of shorter words almost any other is near.
  const std::string near = word.size() < 3 ? "" : nearest(word, names, 2);
  return fmt::format("\"{}\" is no unit; {}the units are {}, also with prefixes such as k and m",
                     word, near.empty() ? "" : fmt::format("did you mean {}? ", near),
                     fmt::join(names, ", "));
}

}  // namespace twosphere
