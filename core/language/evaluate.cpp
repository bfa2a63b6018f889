// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/base/edit_distance.h"
#include "core/base/text.h"
#include "core/language/functions.h"
#include "core/language/syntax.h"

namespace twosphere {

namespace language {
namespace {

using Kind = Syntax::Kind;

/// A text in quotes is what stands in them, as in a file: its quotes as spaces.
std::string unquoted(std::string_view text) {
  std::string plain(text);
  const std::size_t first = plain.find_first_not_of(" \t"), last = plain.find_last_not_of(" \t");
  if (first != plain.npos && first < last && plain[first] == '"' && plain[last] == '"')
    plain[first] = plain[last] = ' ';
  return plain;
}

/// The content of a field: the value of its expression, each part of which is finite.
class Quantity {
 public:
  explicit Quantity(std::string_view text)
      : source_{"", unquoted(text), Dialect::field}, syntax_(Parser(source_).expression()) {}

  DimensionedValue value() const { return value(syntax_); }
  /// Whether it is more than a unit, as s^-1 is not. Functions have numbers in their brackets.
  bool has_number() const { return has_number(syntax_); }
  /// Whether it contains π, other than in the brackets of a function that makes a plain number.
  bool has_pi() const { return has_pi(syntax_); }

 private:
  static bool has_number(const Syntax& s) {
    if (s.kind == Kind::number || (s.kind == Kind::name && find_constant(s.name))) return true;
    if (s.kind == Kind::power) return has_number(s.parts[0]);
    return std::any_of(s.parts.begin(), s.parts.end(),
                       [](const Syntax& part) { return has_number(part); });
  }
  static bool has_pi(const Syntax& s) {
    const bool chooses = s.name == "min" || s.name == "max" || s.name == "if";
    if (s.kind == Kind::call && !chooses) return false;
    return (s.kind == Kind::name && s.name == "pi") ||
           std::any_of(s.parts.begin(), s.parts.end(), [](const Syntax& part) {
             return part.kind != Kind::comparison && has_pi(part);
           });
  }

  [[noreturn]] void fail(int column, std::string message) const {
    source_.fail(column, std::move(message));
  }
  /// At its first character.
  [[noreturn]] void fail(const Syntax& s, std::string message) const {
    fail(count_characters(std::string_view(source_.text).substr(0, s.begin)) + 1,
         std::move(message));
  }

  /// The quantity, whose value must be finite.
  DimensionedValue finite(DimensionedValue q, int column, const std::string& what) const {
    if (!std::isfinite(q.value) || !std::isfinite(q.si()))
      fail(column, fmt::format("{} is not a finite number", what));
    return q;
  }

  DimensionedValue value(const Syntax& s) const {
    switch (s.kind) {
      case Kind::number:
        return {s.value, 0, {}, false};
      case Kind::name:
        if (const auto constant = find_constant(s.name)) return {*constant, 0, {}, false};
        if (const auto unit = find_unit(s.name)) return *unit;
        unknown(s);
      case Kind::negative: {
        DimensionedValue out = value(s.parts[0]);
        out.value = -out.value;
        return out;
      }
      case Kind::sum:
        return sum(s);
      case Kind::product: {
        DimensionedValue out = value(s.parts[0]);
        for (std::size_t k = 0; k < s.operators.size(); ++k)
          out = multiplied(out, value(s.parts[k + 1]), s.operators[k]);
        return out;
      }
      case Kind::power:
        return power(s);
      case Kind::call:
        return call(s);
      case Kind::comparison:
        fail(s, "a comparison stands only in if(…, a, b)");
      default:
        fail(s, "a field takes numbers; there are no vectors and indices in it");
    }
  }

  [[noreturn]] void unknown(const Syntax& s) const {
    std::vector<std::string> names(function_names.begin(), function_names.end());
    for (const std::string_view name : {"atan2", "min", "max", "if"}) names.emplace_back(name);
    names.insert(names.end(), constant_names.begin(), constant_names.end());
    for (std::string& unit : unit_names()) names.push_back(std::move(unit));
    const std::string near = nearest(s.name, names);
    fail(s, fmt::format("\"{}\" is not known; {}the names are {}", s.name,
                        near.empty() ? "" : fmt::format("did you mean {}? ", near),
                        fmt::join(names, ", ")));
  }

  /// Quantities that are added, compared or chosen must be of one dimension.
  void check_joined(const DimensionedValue& a, const DimensionedValue& b, int column,
                    std::string_view by) const {
    if (!agree(a.dimension, b.dimension))
      fail(column, fmt::format("\"{}\" joins {} and {}", by, name(a.dimension), name(b.dimension)));
  }

  /// One of two quantities, in the unit that their sum would have.
  static DimensionedValue chosen(DimensionedValue one, const DimensionedValue& other) {
    one.dimension = joined(one.dimension, other.dimension);
    one.has_unit = one.has_unit || other.has_unit;
    return one;
  }

  DimensionedValue sum(const Syntax& s) const {
    DimensionedValue left = value(s.parts[0]);
    for (std::size_t k = 0; k < s.operators.size(); ++k) {
      const auto& [op, column] = s.operators[k];
      const DimensionedValue right = value(s.parts[k + 1]);
      check_joined(left, right, column, op);
      const double a = left.si(), b = right.si();
      left = {op == "+" ? a + b : a - b, 0, joined(left.dimension, right.dimension),
              left.has_unit || right.has_unit};
      finite(left, column, fmt::format("{} {} {}", a, op, b));
    }
    return left;
  }

  /// So that they stay far from overflow.
  void check_exponents(const DimensionedValue& value, int column) const {
    constexpr int max_exponent = 1000;
    bool small = std::abs(value.tens) <= max_exponent;
    for (const int exponent : value.dimension) small = small && std::abs(exponent) <= max_exponent;
    if (!small) fail(column, fmt::format("the exponents of the units exceed {}", max_exponent));
  }

  DimensionedValue multiplied(const DimensionedValue& a, const DimensionedValue& b,
                              const Syntax::Operator& op) const {
    const int sign = op.text == "*" ? 1 : -1;
    DimensionedValue out{sign > 0 ? a.value * b.value : a.value / b.value, a.tens + sign * b.tens,
                         dimension_of_product(a.dimension, b.dimension, sign),
                         a.has_unit || b.has_unit};
    check_exponents(out, op.column);
    return finite(out, op.column, fmt::format("{} {} {}", a.si(), op.text, b.si()));
  }

  DimensionedValue power(const Syntax& s) const {
    const DimensionedValue base = value(s.parts[0]), power = value(s.parts[1]);
    if (!power.is_number())
      fail(s.column,
           fmt::format("an exponent must be a plain number, not {}", name(power.dimension)));
    constexpr double max_exponent = 16;  // of units
    const double exponent = power.si();
    DimensionedValue out{std::pow(base.si(), exponent), 0, {}, base.has_unit};
    const bool is_whole = std::abs(exponent) <= max_exponent && exponent == std::round(exponent);
    if (!base.is_number() && !is_whole)
      fail(s.column,
           fmt::format("units have whole exponents up to {}, not {}", max_exponent, exponent));
    if (is_whole && base.dimension != Dimension{}) {
      // Decimal prefixes stay apart, and exact.
      const int whole = static_cast<int>(exponent);
      out.value = std::pow(base.value, exponent);
      out.tens = base.tens * whole;
      out.dimension = dimension_of_product({}, base.dimension, whole);
      check_exponents(out, s.column);
    }
    return finite(out, s.column, fmt::format("{} ^ {}", base.si(), exponent));
  }

  void check_arguments(const Syntax& s, bool enough, const char* example) const {
    if (!enough || s.over) fail(s, fmt::format("{0} is written {0}{1}", s.name, example));
  }
  double plain(const Syntax& s, std::size_t k) const {
    const DimensionedValue x = value(s.parts[k]);
    if (!x.is_number())
      fail(s, fmt::format("{} takes a plain number, not {}", s.name, name(x.dimension)));
    return x.si();
  }

  DimensionedValue call(const Syntax& s) const {
    if (const std::ptrdiff_t function = position(function_names, s.name); function >= 0) {
      check_arguments(s, s.parts.size() == 1, "(x)");
      const double x = plain(s, 0);
      return finite({apply(static_cast<Function>(function), x), 0, {}, false}, s.column,
                    fmt::format("{}({})", s.name, x));
    }
    if (s.name == "atan2") {
      check_arguments(s, s.parts.size() == 2, "(y, x)");
      return {std::atan2(plain(s, 0), plain(s, 1)), 0, {}, false};
    }
    if (s.name == "min" || s.name == "max") {
      check_arguments(s, s.parts.size() >= 2, "(a, b)");
      DimensionedValue out = value(s.parts[0]);
      for (std::size_t k = 1; k < s.parts.size(); ++k) {
        const DimensionedValue other = value(s.parts[k]);
        check_joined(out, other, s.column, s.name);
        const bool better = s.name == "min" ? other.si() < out.si() : other.si() > out.si();
        out = better ? chosen(other, out) : chosen(out, other);
      }
      return out;
    }
    if (s.name == "if") return choice(s);
    if (find_constant(s.name) || find_unit(s.name))
      fail(s, fmt::format("\"{}\" is no function; a product is written with *", s.name));
    unknown(s);
  }

  DimensionedValue choice(const Syntax& s) const {
    check_arguments(s, s.parts.size() == 3 && s.parts[0].kind == Kind::comparison, "(x < 1, a, b)");
    const Syntax& condition = s.parts[0];
    bool all = true;
    for (std::size_t k = 0; k < condition.operators.size(); ++k) {
      const auto& [op, column] = condition.operators[k];
      const DimensionedValue a = value(condition.parts[k]), b = value(condition.parts[k + 1]);
      check_joined(a, b, column, op);
      all = all && holds(static_cast<Relation>(position(relation_names, op)), a.si(), b.si());
    }
    const DimensionedValue yes = value(s.parts[1]), no = value(s.parts[2]);
    check_joined(yes, no, s.column, "if");
    return all ? chosen(yes, no) : chosen(no, yes);
  }

  Source source_;
  Syntax syntax_;
};

}  // namespace
}  // namespace language

bool may_be_list(std::string_view text) {
  const auto digit_at = [text](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (text[at] == ',' && depth == 0 && at > 0 && digit_at(at - 1) && digit_at(at + 1))
      return true;
  }
  return false;
}

std::optional<DimensionedValue> read_unit(std::string_view text) {
  try {
    return language::Quantity(text).value();
  } catch (const language::TextException&) {
    return {};
  }
}

Result<double> evaluate(std::string_view text, std::string_view unit) {
  const auto error = [](int column, std::string message) {
    return Error{ErrorKind::usage, fmt::format("column {}", column), std::move(message)};
  };
  try {
    const language::Quantity quantity(text);
    const DimensionedValue value = quantity.value();
    if (!quantity.has_number())
      return error(1, fmt::format("\"{0}\" is a unit without a number; write 1 {0}", text));
    if (!value.has_unit || unit.empty()) return value.si();
    const auto wanted = read_unit(unit);
    if (!wanted || without_turns(wanted->dimension) != without_turns(value.dimension))
      return error(1, fmt::format("the value must be in {}, not in {}",
                                  unit == "1" ? "plain numbers" : unit, name(value.dimension)));
    const int turns = cycles_to_radians(value.dimension, wanted->dimension);
    if (turns != 0 && quantity.has_pi())
      return error(1, fmt::format("the value is converted from {} to {} with 1 Hz = 2π rad/s, and "
                                  "contains π already; leave that factor out, or write the unit "
                                  "with 1/s",
                                  name(value.dimension), unit));
    DimensionedValue out = value;
    out.value /= wanted->value * std::pow(2 * std::numbers::pi, -turns);
    out.tens -= wanted->tens;
    if (!std::isfinite(out.si()))
      return error(1, fmt::format("the value exceeds the range of a double in {}", unit));
    return out.si();
  } catch (const language::TextException& failure) {
    return error(failure.error().column, failure.error().message);
  }
}

}  // namespace twosphere
