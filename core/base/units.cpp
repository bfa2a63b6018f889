// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/base/edit_distance.h"

namespace twosphere {

namespace {

struct Unit {
  std::string_view name;
  DimensionedValue of;
  bool prefixed = true;
};
constexpr double degree = std::numbers::pi / 180;
constexpr std::array<Unit, 9> units{{{"rad", {1, 0, {}, true}, false},
                                     {"deg", {degree, 0, {}, true}, false},
                                     {"g", {1, -3, {1, 0, 0, 0}, true}},
                                     {"m", {1, 0, {0, 1, 0, 0}, true}},
                                     {"s", {1, 0, {0, 0, 1, 0}, true}},
                                     {"A", {1, 0, {0, 0, 0, 1}, true}},
                                     {"N", {1, 0, {1, 1, -2, 0}, true}},
                                     {"J", {1, 0, {1, 2, -2, 0}, true}},
                                     {"Hz", {1, 0, {0, 0, -1, 0}, true}}}};

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

std::size_t micro_sign(std::string_view text) {
  for (const Prefix& prefix : prefixes)
    if ((static_cast<unsigned char>(prefix.name[0]) & 0x80U) != 0 && text.starts_with(prefix.name))
      return prefix.name.size();
  return 0;
}

std::string name(const Dimension& dimension) {
  constexpr std::array<std::string_view, 4> base{"kg", "m", "s", "A"};
  std::string out;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (dimension[i] == 0) continue;
    out += fmt::format("{}{}", out.empty() ? "" : " ", base[i]);
    if (dimension[i] != 1) out += fmt::format("^{}", dimension[i]);
  }
  return out.empty() ? "a plain number" : out;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  names.reserve(units.size());
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

std::string no_such_unit(std::string_view word) {
  const std::vector<std::string> names = unit_names();
  // Of shorter words almost any other is near.
  const std::string near = word.size() < 3 ? "" : nearest(word, names, 2);
  return fmt::format("\"{}\" is no unit; {}the units are {}, also with prefixes such as k and m",
                     word, near.empty() ? "" : fmt::format("did you mean {}? ", near),
                     fmt::join(names, ", "));
}

}  // namespace twosphere
