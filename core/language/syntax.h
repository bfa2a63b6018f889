// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/source.h"
#include "core/language/units.h"

namespace twosphere::language {

/// A part of a text as it was typed, before names have a meaning.
struct Syntax {
  enum class Kind {
    number,      ///< 0.2 N m: `value` in SI units, `dimension`
    name,        ///< m
    element,     ///< m[i]: parts[0] is the index
    call,        ///< cross(a, b); sum and prod have `over`
    list,        ///< [a, b, c]
    negative,    ///< -a
    sum,         ///< a + b − c: `operators` before each part but the first
    product,     ///< a*b/c
    power,       ///< a^b
    dot,         ///< a.b
    cross,       ///< a×b
    comparison,  ///< a < b <= c
  };
  /// One that joins two parts.
  struct Operator {
    std::string text;
    int column;
  };

  Kind kind = Kind::number;
  int column = 1;                  ///< of its first character, of a joined one of its last operator
  std::size_t begin = 0, end = 0;  ///< its bytes in the text
  int depth = 1;
  std::string name;
  double value = 0;
  Dimension dimension{};
  bool has_unit = false;
  std::vector<Syntax> parts;
  std::vector<Operator> operators;
  std::unique_ptr<struct Header> over;  ///< of sum and prod, and of figures and inertias
};

/// The indices that a sum runs over: `i`, `j <= i`, `i < j`, `0 < i < n`, `i, j in springs`,
/// `i, j, row in springs`, `a in magnets`.
struct Header {
  int column = 1;
  std::vector<Syntax> items;  ///< names and comparisons
  std::string pairs;          ///< name of a list of pairs or numbers, or empty
  int pairs_column = 0;
};

/// "x[i] = …", "a = …".
struct Assignment {
  std::string name;
  int column = 1;
  std::vector<Syntax> index;  ///< one or none
  Syntax value;
};

/// Reads texts:
///   comparison = sum {("<" | "<=" | ">" | ">=" | "==" | "!=") sum}
///   sum        = product {("+" | "-") product}
///   product    = signed {("*" | "/") signed}
///   signed     = ("-" | "+") signed | power
///   power      = dot ["²" | "³"] ["^" signed]
///   dot        = cross {"." cross}
///   cross      = operand {"×" operand}
///   operand    = number [units] | name ["[" sum "]"] | name "(" [header ":"] arguments ")"
///              | "(" comparison ")" | "[" sum {"," sum} "]"
///   header     = item {"," item} ["in" name],  item = comparison
/// So −a.b^2 = −((a·b)²). Units follow a number: 0.2 N m, 9.81 m/s^2; a "/" there belongs to the
/// unit unless a name that was `declared` follows it.
///
/// In a field units are names like others. One that follows an operand multiplies all of the
/// product before it, as if a * stood there: 1/2 m is half a metre, where in a text it is 1/(2 m).
///
/// Parts are nested 64 deep at most. Throws TextException.
class Parser {
 public:
  explicit Parser(const Source& source, std::function<bool(const std::string&)> declared = nullptr);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Syntax expression();
  /// `example` is what messages name: "x[i] = …".
  Assignment assignment(std::string_view example = "x[i] = …");
  /// "rod(x[i-1], x[i])", with a header before it or within its brackets before any argument.
  /// `wanted` is the message where there is something else.
  Syntax call(std::string_view wanted = "a name and brackets are expected here");

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace twosphere::language
