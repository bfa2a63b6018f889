// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The units that texts may name: g, m, s, A, N, J, T, Hz, also with the prefixes n, µ or u, m, c,
/// k, M, G, and without any rad, deg, min, h, d, rpm. Angles are numbers, and 1 Hz = 2π rad/s.
namespace twosphere {

/// Powers of kg, m, s, A, rad and cycles. The last two only tell rad/s from Hz, cycles per second;
/// 1/s goes with both.
using Dimension = std::array<int, 6>;

/// Without its powers of rad and cycles.
Dimension without_turns(Dimension dimension);
/// Whether it is that of a number: an angle, too.
bool is_plain(const Dimension& dimension);
/// How many powers of cycles in `a` are powers of rad in `b`: 1 of Hz and rad/s, −1 the other way
/// round.
int cycles_to_radians(const Dimension& a, const Dimension& b);
/// Whether quantities of both may be added and compared, as those in Hz and in rad/s may not.
bool agree(const Dimension& a, const Dimension& b);
/// The dimension of a sum of quantities that agree.
Dimension joined(Dimension a, const Dimension& b);

/// The dimension of a·b^power.
Dimension dimension_of_product(Dimension a, const Dimension& b, int power = 1);

/// value · 10^tens in units of the dimension. Decimal prefixes are kept apart, so that 57 cm is not
/// 57 times the rounded 0.01.
struct DimensionedValue {
  double value = 0;
  int tens = 0;
  Dimension dimension{};
  bool has_unit = false;

  double si() const;
  bool is_number() const { return is_plain(dimension); }
};

/// The unit of this name, with or without a prefix.
std::optional<DimensionedValue> find_unit(std::string_view name);
/// "kg m^2", "J s", "rad s^-1" or "Hz" of a dimension; "a plain number".
std::string name(const Dimension& dimension);
/// A unit as it is shown: "m/s²" of "m/s^2". It means the same.
std::string shown_unit(std::string_view text);
/// The names of all units, without prefixes.
std::vector<std::string> unit_names();
/// The message about a word that is no unit: which there are, and the nearest if one is near.
std::string no_such_unit(std::string_view word);

}  // namespace twosphere
