// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/source.h"
#include "core/language/units.h"

/// The language of number fields, the command line and the texts of systems.
///
/// A text goes through three steps, each of which knows the one before it:
///   lexer.h    characters become tokens: numbers, names and symbols. What people write for one
///              another (− and -, π and pi, ≤ and <=) is one from here on.
///   syntax.h   tokens become a tree of what stands where. Precedence, brackets and nesting are
///              decided here, for both dialects by the same code; names have no meaning yet.
///   meaning    evaluate.h makes one number of the tree of a field. core/custom/checker.h gives the
///              names in a text their meanings, and its parts types and units.
/// The names are the same in both: units.h, and functions.h with the list of functions.
///
/// There are two dialects (Dialect), because habits differ. On paper 1/2 m is half a metre, and a
/// field reads it like that: units are factors that need no sign. In a text every product has a
/// sign, so that a forgotten one is found, and a unit belongs to the number before it. A field has
/// the decimal comma of its user; in a text commas separate. The dot and the cross of numbers are
/// their product, those of vectors are not.
///
/// A field is evaluated with its units, not translated like a text: 57 cm must be the double
/// nearest to 0.57, and its units must be right, where a text may leave them out.
///
/// Errors are exceptions inside the language, because almost every function can fail, and results
/// or records of an error outside: evaluate() and translate() catch them. Each has a column, which
/// counts characters. The time and memory that a text takes grow with its length alone; its depth
/// is bounded, so that no text exhausts the stack.
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

/// A value with indices before it: "i: m[i]".
struct IndexedValue {
  std::unique_ptr<Header> over;  ///< null: none
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
  /// An expression, with a header before it or without.
  IndexedValue indexed_value();
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
