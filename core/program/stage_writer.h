// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/program/program.h"
#include "core/program/tree.h"

namespace twosphere::custom {

/// A number or vector in a body: the same for all tuples, or `scale` times what is in a register.
struct Value {
  std::optional<Vec3> uniform;
  int reg = -1;
  double scale = 1;
  bool active = false;
};
Value number(double x);
Value scaled(Value value, double factor);

/// What is known of the number in a register, or of the length of a vector.
struct Growth {
  /// It is nowhere negative, and near a place where it is 0 it grows as this power of the distance
  /// or a higher one. Infinite: it is nowhere 0. 0: nothing is known.
  double order = 0;
  /// Its absolute value is nowhere larger, and where it is as large its derivative along the
  /// spheres is 0.
  double bound = std::numeric_limits<double>::infinity();
};

/// A stage while it is written. An instruction that is there already is not written again.
class StageWriter {
 public:
  /// Thrown when the code gets longer than allowed.
  struct TooLong {};
  /// Of exponents whose powers are made of products.
  static constexpr double max_power = 64;

  explicit StageWriter(std::size_t longest = std::numeric_limits<std::size_t>::max())
      : longest_(longest) {}

  Stage stage;

  /// Writes an instruction for a number or a vector (`width` 1 or 3).
  Value emit(Instruction in, int width);
  /// The index of a column of element numbers by tuple, and constants by tuple.
  int column(const std::vector<int>& elements);
  Value table(std::vector<double> numbers);
  Value constant(double x);
  /// The value in a register as it is.
  Value plain(const Value& value, bool vector);
  /// The register without its scale.
  Value unscaled(const Value& value, bool vector);
  Value unary(Code code, const Value& a, int width = 1, int which = 0, double k = 1, double k2 = 0);
  Value binary(Code code, const Value& a, const Value& b, int width = 1, double k = 1,
               double k2 = 0);
  Value ternary(Code code, const Value& a, const Value& b, const Value& c, int width,
                int which = 0);
  /// Σ terms.
  Value added(const std::vector<Value>& terms, bool vector);
  Value multiplied(const Value& a, const Value& b);
  /// baseᵖ of a number, with the derivatives that exist where it is 0: a power of a power, an
  /// even one of a norm, an angle or an absolute value, and one of an arc cosine, are powers of
  /// what is in them, and of factors beside them.
  Value power(const Value& base, double p);

  const Growth& growth(const Value& of) const { return growths_[at(of.reg)]; }
  void set_growth(const Value& of, const Growth& growth) { growths_[at(of.reg)] = growth; }

 private:
  /// A register as a power of another; of itself if it is none.
  struct Power {
    Value base;
    double p = 1;
  };
  Power as_power(const Value& x) const;
  /// baseᵖ by a root or by pow().
  Value real_power(const Value& base, double p);
  /// The square of a norm, an angle, an arc cosine or an absolute value.
  std::optional<Value> square_of_root(const Value& x);
  /// Whether the derivative of baseᵖ is 0 where the base is 0, and that of the base is 0 there or
  /// does not exist, so that the chain rule does not give it.
  bool is_flat(const Value& base, double p) const;
  /// Whether power() writes baseᵖ as a power of what is in the base.
  bool reaches_inside(const Value& base, double p) const;
  /// That of what an instruction writes, by those of its operands.
  Growth growth_of(const Instruction& in) const;
  const Instruction& origin(int reg) const { return stage.code[origins_[at(reg)]]; }

  std::size_t longest_;
  std::map<std::string, std::pair<int, bool>> known_;
  std::vector<std::size_t> origins_;  // by register: the instruction that writes it
  std::vector<Growth> growths_;
};

}  // namespace twosphere::custom
