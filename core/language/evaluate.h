// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/base/result.h"
#include "core/language/units.h"

namespace twosphere {

/// The value of an expression that a person typed, in the unit given.
///
/// The language is that of texts (core/language/syntax.h) in its dialect for fields, with numbers
/// alone: the functions of one number (core/language/function_list.h), atan2(y, x), min, max and
/// if(x < 1, a, b); the constants pi and e; the units of core/language/units.h. So −2^2 = −4,
/// 2^3^2 = 2^9, and a unit multiplies all of the product before it: 1/2 m is half a metre.
/// Outside the brackets of a function a comma between digits is a decimal mark.
///
/// A plain number is in `unit`, which is written in the same way ("kg m²"; "1" for pure numbers). A
/// value with units must be of its dimension; angles have none. Where rad/s is expected, 1 Hz is
/// 2π rad/s, and the other way round; 1/s is either. Units of decimal prefixes are exact: 57 cm is
/// 0.57 m.
///
/// The place of an error is "column N", counted in characters from 1. The value is finite, and so
/// is every part of it. Parts are nested 64 deep at most. If nothing in `text` follows the unit
/// `unit`, because that is none of these ("steps"), only plain numbers are accepted. If `unit` is
/// empty, because it is not known, a value may have any unit and is in that of the SI.
Result<double> evaluate(std::string_view text, std::string_view unit = "1");

/// Whether a comma stands between digits outside brackets, "1,5": a decimal mark for evaluate(),
/// but two entries where a list may stand.
bool may_be_list(std::string_view text);

/// The unit of a field, written as above ("kg m²"); none if it is not one.
std::optional<DimensionedValue> read_unit(std::string_view text);

}  // namespace twosphere
