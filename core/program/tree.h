// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/language/functions.h"
#include "core/language/source.h"
#include "core/language/units.h"
#include "core/mechanics/sphere.h"

/// Expressions whose names have their meanings and whose parts have their types: numbers and
/// vectors.
namespace twosphere::custom {

using namespace language;

/// How much a definition may ask for.
struct Limits {
  static constexpr std::size_t characters = 100000;   ///< of all texts together
  static constexpr long operations = 10'000'000;      ///< of one evaluation
  static constexpr std::size_t numbers = 1ULL << 24;  ///< in tables and arrays
  static constexpr int bodies = 100000;
  static constexpr int matrix_bodies = 1024;         ///< where memory grows with the square
  static constexpr std::size_t figures = 1'000'000;  ///< that are drawn
  static constexpr std::size_t warnings = 100;       ///< further ones are not told
};

/// Numbers of variables, bodies and registers are int; this is one as the index of a list.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

enum class Op {
  number,     ///< value
  vector,     ///< [a, b, c] of three numbers
  basis,      ///< e1, e2, e3: which = 0, 1, 2
  parameter,  ///< a number, or a list of three as a vector
  element,    ///< of a list, by parts[0]
  index,      ///< the value of index variable `which`
  time,
  q,         ///< q_i, by parts[0]
  w,         ///< ω_i
  v,         ///< q̇_i
  use,       ///< of definition `which`, by parts[0] if it has an index
  sum,       ///< Σ ± parts, by `inverse`
  product,   ///< Π parts^±1, by `inverse`; one of them may be a vector
  power,     ///< parts[0]^parts[1]
  dot,       ///< a·b
  cross,     ///< a × b
  norm,      ///< |a|
  angle,     ///< between a and b, in [0, π]
  function,  ///< of one number, by `function`
  atan2,
  minimum,
  maximum,
  choose,  ///< if(a REL b, c, d), REL by `relation`
  total,   ///< Σ over `over` of parts[0]
  total_product,
};

struct Node;
using Ref = std::shared_ptr<const Node>;

/// What a sum runs over: all values in 0 … n − 1 of its variables that keep the conditions, in
/// lexical order; or the rows of a list of pairs: i, j and, if there is a third variable, the row;
/// or the indices of a list of numbers.
struct Range {
  struct Condition {
    Ref left, right;
    Relation relation = Relation::less;
  };
  std::vector<int> variables;
  std::vector<Condition> conditions;
  int list = -1;  ///< a parameter, or −1
  int column = 1;
  const Source* source = nullptr;
};

struct Node {
  Op op = Op::number;
  bool is_vector = false;
  bool whole = false;   ///< a whole number whatever the parameters are: may be an index
  bool origin = false;  ///< of `use`: index −1 means the origin
  int column = 1;
  const Source* source = nullptr;
  std::vector<Ref> parts;
  std::vector<bool> inverse;
  int which = 0;
  double value = 0;
  Function function = Function::sqrt;
  Relation relation = Relation::less;
  std::shared_ptr<const Range> over;

  bool reads_q = false, reads_t = false, reads_w = false;  ///< w or v
  int degree = 0;            ///< in q: 0, 1 or 2 for anything that is not linear
  std::vector<int> indices;  ///< free index variables, in ascending order
  int depth = 1;             ///< of nested parts, definitions included
  /// Unknown if something without a unit is in it. `free`: all its numbers are plain ones that have
  /// no unit because none was written, which go with any.
  std::optional<Dimension> unit = Dimension{};
  bool free = true;

  bool constant() const { return !reads_q && !reads_t && !reads_w; }
};

/// Fills in what follows from the parts: reads_*, degree, indices, depth. `body` is that of a
/// definition which is used, or null.
void complete(Node& node, const Node* body = nullptr);

/// "m", "J s" or "kg m²"; "rad" of a function whose values are angles; "1" of numbers, and if it is
/// not known.
std::string unit_name(const Node& node);

/// A definition of `define`.
struct Named {
  std::string name;
  int variable = -1;  ///< of x[i]; −1 if there is none
  Ref body;
};

/// What nodes refer to by numbers.
struct Bindings {
  /// With the value that the definition gives; its address must last.
  struct Parameter {
    std::string_view key;
    const std::vector<double>* value;
  };
  int bodies = 0;
  int variables = 0;  ///< how many index variables there are
  std::vector<Parameter> parameters;
  std::vector<Named> named;
};

}  // namespace twosphere::custom
