// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the register machine of custom systems runs; see core/program/program.h.
namespace twosphere::custom {

enum class Code : std::uint8_t {
  constant,  ///< d = k
  table,     ///< d = tables[b] at this tuple
  gather,    ///< d = element columns[b] of array a, a number
  gather_vector,
  time,         ///< d = t
  linear,       ///< d = k a + k2 b
  affine,       ///< d = k a + k2
  multiply,     ///< d = a b
  divide,       ///< d = k a/b
  reciprocal,   ///< d = k/a
  square,       ///< d = a²
  whole_power,  ///< d = a^which, of any sign
  half_power,   ///< d = a^(which/2), of any sign
  real_power,   ///< d = a^k
  flat_power,   ///< the same, by a root if k = which/2; where a = 0 its derivative is 0, and that
                ///< of the derivative k2
  power,        ///< d = a^b; where a = 0 its derivative is as that of flat_power, if k b > 1 and
                ///< b is not 1: with Growth::order k, 0 if nothing is known of a
#define FUNCTION(name, ...) name,
#include "core/language/function_list.h"
  atan2,
  minimum,
  maximum,
  choose,  ///< d = b if a REL 0, otherwise c; REL by `which`
  choose_vector,
  linear_vector,    ///< d = k a + k2 b
  scale_vector,     ///< d = k a
  multiply_vector,  ///< d = a b, a number and a vector
  dot,
  cross,
  norm,
  angle,
  angle_square,  ///< the square of it
  acos_square,   ///< d = acos(a)²
  component,     ///< d = a[which]
  pack,          ///< d = [a, b, c]
};

/// Registers are numbers; a vector is in three that follow one another.
struct Instruction {
  Code code = Code::constant;
  bool active = false;  ///< depends on q, and so do a, b, c:
  bool a_active = false, b_active = false, c_active = false;
  int which = 0;
  int d = 0, a = 0, b = 0, c = 0;
  double k = 1, k2 = 0;
};

/// Elements: numbers or vectors. Component m of element e is number e element_step +
/// m component_step. In programs with loops all first components lie in a row, then all second
/// ones, so that eight elements that follow one another are eight numbers in a row; even the last
/// element begins such a row.
struct Array {
  int width = 1;
  int size = 0;
  bool active = false;
  bool needed = false;  ///< by the reverse sweep
  int element_step = 0, component_step = 0;
  std::size_t begin = 0;  ///< its first number among those of all arrays
};

/// Values of elements, or their adjoints.
enum class Elements { values, adjoints };

/// The order of sums: eight tuples after eight, of each all that they add, number by number. But
/// eight numbers for one element, 0 where a tuple does not count, are added up first:
/// y_k = x_k + x_{k+4}, (y₀ + y₂) + (y₁ + y₃).
/// Where a column is held (Stage::held), what is added to its element in a run is added up lane by
/// lane, x_k = Σ x_k of the eights of the run, and the eight sums like that at the end of the run.
inline constexpr int group_size = 8;
/// Where the elements are that eight tuples read or write, those of them that count: anywhere, all
/// at one place, all at one that is the same for every eight, or one after the other.
enum class Access : std::uint8_t { scattered, broadcast, fixed, contiguous };

struct Stage {
  enum class Kind {
    body,     ///< code for each tuple
    running,  ///< to[k] = Σ_{j<k} from[j]
    product,  ///< to[s] = Π from[k], starts[s] ≤ k < starts[s + 1]
  };
  struct Output {
    int array = 0, column = 0, from = 0;
    bool active = false;
    double scale = 1;
    int width = 1;
  };
  Kind kind = Kind::body;
  int count = 1;  ///< of tuples, those of whole eights where a column is held
  std::vector<std::vector<int>> columns;      ///< element numbers by tuple
  std::vector<std::vector<Access>> accesses;  ///< of each column, by eights of tuples
  std::vector<std::vector<Access>> ways;      ///< of each column: which of them occur
  std::vector<std::vector<double>> tables;    ///< constants by tuple
  std::vector<Instruction> code;              ///< all of it
  /// What the reverse sweep evaluates, runs backwards, and at last adds to the adjoints of
  /// elements.
  std::vector<Instruction> again, backward, gathers;
  std::vector<Output> outputs;
  int registers = 0;
  bool guarded = false;  ///< has choices: what was not chosen contributes nothing, even if infinite
  int from = 0, to = 0;
  std::vector<int> starts;

  /// A column that has one element in each of the runs of eights runs[r] … runs[r + 1] − 1, such as
  /// that of i in a sum over i < j; −1: none. What its elements contribute is `held_sums`.
  int held = -1;
  std::vector<int> runs;
  struct HeldSum {
    Elements which;
    int array, width;
  };
  std::vector<HeldSum> held_sums;
  /// Of each eight: how many of its tuples count, the first ones. Machine code compares lanes with
  /// it as it is.
  std::vector<double> valid;
  int held_sum(Elements which, int array) const {
    for (std::size_t s = 0; s < held_sums.size(); ++s)
      if (held_sums[s].which == which && held_sums[s].array == array) return static_cast<int>(s);
    return -1;
  }
};

}  // namespace twosphere::custom
