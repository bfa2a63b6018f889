// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The units that texts may name: rad, deg, g, m, s, A, N, J, Hz, and these (but for angles) with
/// the prefixes n, µ or u, m, c, k, M, G. Angles have no dimension.
namespace twosphere {

/// Powers of kg, m, s and A.
using Dimension = std::array<int, 4>;

/// value · 10^tens in units of the dimension. Decimal prefixes are kept apart, so that 57 cm is not
/// 57 times the rounded 0.01.
struct DimensionedValue {
  double value = 0;
  int tens = 0;
  Dimension dimension{};
  bool has_unit = false;

  double si() const;
  bool is_number() const { return dimension == Dimension{}; }
};

/// The unit of this name, with or without a prefix.
std::optional<DimensionedValue> find_unit(std::string_view name);
/// The beginning of `text` that is a prefix which is no ASCII letter ("µ"), in bytes; 0 if none.
std::size_t micro_sign(std::string_view text);
/// "kg m^2 s^-2" of a dimension; "a plain number".
std::string name(const Dimension& dimension);
/// The names of all units, without prefixes.
std::vector<std::string> unit_names();
/// What to say of a word that is no unit: which there are, and the nearest if one is near.
std::string no_such_unit(std::string_view word);

}  // namespace twosphere
