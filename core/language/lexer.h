// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/language/source.h"

namespace twosphere::language {

/// A word of a text.
struct Token {
  enum class Kind { number, name, symbol, end };
  Kind kind = Kind::end;
  std::string text;       ///< of a symbol as below: "." of "·", "cross" of "×"
  double value = 0;       ///< of a number
  int column = 1;         ///< in characters from 1
  std::size_t begin = 0;  ///< its bytes in the text
  std::size_t end = 0;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

/// The words of a text, the last of kind `end`.
///
/// A dot with a digit after it is decimal, unless it follows a name, "]" or ")", where it is the
/// scalar product: `1.5*x[0].e3`. Read as well: − for -, · for ., × for the cross product, π for
/// pi, ² and ³ for ^2 and ^3, ≤, ≥ and ≠. Names are made of letters of any script, digits and _.
/// In fields · and × are products of numbers, "5." is a number, and a comma between digits outside
/// the brackets of a function is a decimal mark: 2,5. What may be thousands, 1,000, is refused.
/// Throws TextException at a character that has no meaning. Any bytes are read; those that are no
/// UTF-8 have no meaning.
std::vector<Token> tokens(const Source& source);

/// The advice where conditions are joined by "and" or "&&".
std::string no_logic(std::string_view word);

/// Whether this is a name as a parameter or a definition may have.
bool is_name(std::string_view text);

}  // namespace twosphere::language
