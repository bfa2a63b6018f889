// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/program/program.h"

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

/// A stage while it is written. An instruction that is there already is not written again.
class StageWriter {
 public:
  /// Thrown when the code gets longer than allowed.
  struct TooLong {};

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
  Value unary(Code code, const Value& a, int width = 1, int which = 0, double k = 1);
  Value binary(Code code, const Value& a, const Value& b, int width = 1, double k = 1,
               double k2 = 0);
  Value ternary(Code code, const Value& a, const Value& b, const Value& c, int width,
                int which = 0);
  /// Σ terms.
  Value added(const std::vector<Value>& terms, bool vector);
  Value multiplied(const Value& a, const Value& b);
  /// Of a register; that of a root is a half power of what is under the root.
  Value whole_power(const Value& base, int p);
  /// base^{n/2} of a register.
  Value half_power(const Value& base, int n);

 private:
  std::size_t longest_;
  std::map<std::string, std::pair<int, bool>> known_;
};

}  // namespace twosphere::custom
