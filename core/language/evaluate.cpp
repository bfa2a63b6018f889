// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "core/base/edit_distance.h"
#include "core/base/exceptions.h"
#include "core/base/text.h"
#include "core/language/functions.h"
#include "core/language/units.h"

namespace twosphere {

namespace {

constexpr int max_nesting = 64;

[[noreturn]] void fail(int column, std::string message) {
  throw Failure({ErrorKind::usage, fmt::format("column {}", column), std::move(message)});
}

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array<Constant, 2> constants{{{"pi", std::numbers::pi}, {"e", std::numbers::e}}};

struct Function {
  std::string_view name;
  double (*of)(double);
};
constexpr std::array number_functions{
#define FUNCTION(name, ...) Function{#name, functions::name},
#include "core/language/function_list.h"
};
constexpr std::string_view arctangent = "atan2";  // the only function of two values

template <class List>
auto find(const List& list, std::string_view name) {
  const auto at =
      std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.name == name; });
  return at == list.end() ? nullptr : &*at;
}

enum class Kind { number, word, symbol, end };

struct Token {
  Kind kind = Kind::end;
  std::string text;  ///< "+", "sin"; of a number as it was typed
  double value = 0;
  int column = 1;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Characters that stand for others.
struct Spelling {
  std::string_view typed, read;
  Kind kind;
};
constexpr std::array<Spelling, 7> spellings{{{"−", "-", Kind::symbol},
                                             {"·", "*", Kind::symbol},
                                             {"×", "*", Kind::symbol},
                                             {"²", "²", Kind::symbol},
                                             {"³", "³", Kind::symbol},
                                             {"π", "pi", Kind::word},
                                             {"°", "deg", Kind::word}}};

/// A text in quotes is what stands in them, as in a file: its quotes as spaces.
std::string unquoted(std::string_view text) {
  std::string plain(text);
  const std::size_t first = plain.find_first_not_of(" \t"), last = plain.find_last_not_of(" \t");
  if (first != plain.npos && first < last && plain[first] == '"' && plain[last] == '"')
    plain[first] = plain[last] = ' ';
  return plain;
}

/// Whether the comma of a number may separate thousands: 1,000 but not 0,125 or 1,25.
bool may_be_thousands(const std::string& number) {
  const std::size_t comma = number.find(',');
  if (comma == number.npos || comma > 3 || number[0] == '0') return false;
  const std::size_t digits = number.find_first_not_of("0123456789", comma + 1);
  return std::min(digits, number.size()) - comma == 4;
}
std::string with_comma_as(std::string number, const char* mark) {
  return number.replace(number.find(','), 1, mark);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(unquoted(text)) {}

  std::vector<Token> tokens() {
    std::vector<Token> list;
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
      Token next = token();
      if (next.is("(")) {
        // The brackets of a function separate its values by commas.
        const bool of_function = !list.empty() && list.back().kind == Kind::word;
        separates_.push_back(of_function || separates());
      }
      if (next.is(")") && !separates_.empty()) separates_.pop_back();
      list.push_back(std::move(next));
    }
    list.push_back({Kind::end, "the end", 0, column_});
    return list;
  }

 private:
  bool separates() const { return !separates_.empty() && separates_.back(); }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) take(1);
  }

  /// The next bytes; a column is a character, whose bytes after the first are 10xxxxxx.
  std::string_view take(std::size_t bytes) {
    const std::string_view taken = std::string_view(text_).substr(at_, bytes);
    at_ += taken.size();
    column_ += count_characters(taken);
    return taken;
  }

  Token token() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    const int column = column_;
    if (digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && digit(rest[1]))) return number();
    for (const Spelling& s : spellings)
      if (rest.starts_with(s.typed)) {
        take(s.typed.size());
        return {s.kind, std::string(s.read), 0, column};
      }
    if (std::string_view("+-*/^(),").find(rest[0]) != std::string_view::npos)
      return {Kind::symbol, std::string(take(1)), 0, column};
    std::size_t size = micro_sign(rest);
    while (size < rest.size() && (letter(rest[size]) || (size > 0 && digit(rest[size])))) ++size;
    if (size > 0) return {Kind::word, std::string(take(size)), 0, column};
    size = 1;  // one character, however many bytes
    while (size < rest.size() && (static_cast<unsigned char>(rest[size]) & 0xC0U) == 0x80U) ++size;
    fail(column,
         fmt::format("\"{}\" has no meaning here; allowed are numbers, + - * / ^, brackets, "
                     "functions such as sqrt, and units",
                     rest.substr(0, size)));
  }

  Token number() {
    const std::string_view rest = std::string_view(text_).substr(at_);
    std::size_t size = 0;
    const auto next_is_digit = [&](std::size_t i) {
      return i + 1 < rest.size() && digit(rest[i + 1]);
    };
    bool mark = false;  // there was a decimal mark
    for (; size < rest.size(); ++size) {
      const bool comma = rest[size] == ',' && !separates() && size > 0 && next_is_digit(size);
      const bool decimal = !mark && (rest[size] == '.' || comma);
      if (!digit(rest[size]) && !decimal) break;
      mark = mark || decimal;
    }
    if (size < rest.size() && (rest[size] == 'e' || rest[size] == 'E')) {
      const bool sign = size + 1 < rest.size() && (rest[size + 1] == '-' || rest[size + 1] == '+');
      if (next_is_digit(size + (sign ? 1 : 0)))
        for (size += sign ? 2 : 1; size < rest.size() && digit(rest[size]);) ++size;
    }
    Token token{Kind::number, std::string(rest.substr(0, size)), 0, column_};
    if (may_be_thousands(token.text))
      fail(column_,
           fmt::format("\"{}\" may be {} or {}; write a point as the decimal mark, and "
                       "thousands without a mark",
                       token.text, with_comma_as(token.text, ""), with_comma_as(token.text, ".")));
    std::string plain = token.text;
    std::replace(plain.begin(), plain.end(), ',', '.');
    if (std::from_chars(plain.data(), plain.data() + plain.size(), token.value).ec != std::errc{})
      fail(column_, fmt::format("{} exceeds the range of a double", token.text));
    take(size);
    return token;
  }

  const std::string text_;
  std::size_t at_ = 0;
  int column_ = 1;
  std::vector<bool> separates_;  // by open bracket: whether a comma separates values there
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(Lexer(text).tokens()) {}

  DimensionedValue parse() {
    const DimensionedValue value = sum();
    const Token& rest = next();
    if (rest.kind == Kind::end) return value;
    if (rest.is(")")) fail(rest.column, "\")\" closes no bracket");
    if (rest.is(",")) fail(rest.column, "a comma separates only the values of a function");
    if (rest.kind == Kind::word && !find(number_functions, rest.text) &&
        !find(constants, rest.text) && rest.text != arctangent)
      fail(rest.column, no_such_unit(rest.text));
    fail(rest.column, fmt::format("an operator such as * must stand before \"{}\"", rest.text));
  }

  /// Whether what has been read is more than a unit.
  bool has_number() const { return has_number_; }
  /// Whether it contains π, other than in the brackets of a function.
  bool has_pi() const { return has_pi_; }

 private:
  const Token& next() const { return tokens_[at_]; }
  bool take(std::string_view symbol) {
    if (!next().is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (take(symbol)) return;
    fail(next().column, fmt::format("\"{}\" is expected here, not {}", symbol, quoted(next())));
  }
  static std::string quoted(const Token& token) {
    return token.kind == Kind::end ? token.text : fmt::format("\"{}\"", token.text);
  }

  /// The quantity, whose value must be finite.
  static DimensionedValue finite(DimensionedValue q, int column, const std::string& what) {
    if (!std::isfinite(q.value) || !std::isfinite(q.si()))
      fail(column, fmt::format("{} is not a finite number", what));
    return q;
  }

  DimensionedValue sum() {
    DimensionedValue left = product();
    while (next().is("+") || next().is("-")) {
      const Token op = tokens_[at_++];
      const DimensionedValue right = product();
      if (!agree(left.dimension, right.dimension))
        fail(op.column, fmt::format("\"{}\" joins {} and {}", op.text, name(left.dimension),
                                    name(right.dimension)));
      const double a = left.si(), b = right.si();
      left = {op.is("+") ? a + b : a - b, 0, joined(left.dimension, right.dimension),
              left.has_unit || right.has_unit};
      finite(left, op.column, fmt::format("{} {} {}", a, op.text, b));
    }
    return left;
  }

  DimensionedValue product() {
    DimensionedValue left = signed_power();
    for (;;) {
      const Token op = next();
      if (op.is("*") || op.is("/")) {
        ++at_;
        left = multiplied(left, signed_power(), op.is("/") ? -1 : 1, op);
      } else if (op.kind == Kind::word && find_unit(op.text)) {
        left = multiplied(left, power(), 1, op);
      } else {
        return left;
      }
    }
  }

  /// So that they stay far from overflow.
  static void check_exponents(const DimensionedValue& value, int column) {
    constexpr int most = 1000;
    bool small = std::abs(value.tens) <= most;
    for (const int exponent : value.dimension) small = small && std::abs(exponent) <= most;
    if (!small) fail(column, fmt::format("the exponents of the units exceed {}", most));
  }

  static DimensionedValue multiplied(const DimensionedValue& a, const DimensionedValue& b, int sign,
                                     const Token& op) {
    DimensionedValue out{sign > 0 ? a.value * b.value : a.value / b.value, a.tens + sign * b.tens,
                         a.dimension, a.has_unit || b.has_unit};
    for (std::size_t i = 0; i < out.dimension.size(); ++i)
      out.dimension[i] += sign * b.dimension[i];
    check_exponents(out, op.column);
    return finite(out, op.column, fmt::format("{} {} {}", a.si(), sign > 0 ? "*" : "/", b.si()));
  }

  DimensionedValue signed_power() {
    if (++nesting_ > max_nesting)
      fail(next().column, fmt::format("nested deeper than {}", max_nesting));
    DimensionedValue value;
    if (take("-")) {
      value = signed_power();
      value.value = -value.value;
    } else {
      value = take("+") ? signed_power() : power();
    }
    --nesting_;
    return value;
  }

  DimensionedValue power() {
    DimensionedValue base = operand();
    if (next().is("²") || next().is("³")) {
      const Token op = tokens_[at_++];
      base = raised(base, op.is("²") ? 2 : 3, op.column);
    }
    if (!next().is("^")) return base;
    const int column = tokens_[at_++].column;
    const bool had_number = has_number_;
    const DimensionedValue exponent = signed_power();
    has_number_ = had_number;  // s^-1 alone is a unit
    if (!exponent.is_number())
      fail(column,
           fmt::format("an exponent must be a plain number, not {}", name(exponent.dimension)));
    return raised(base, exponent.si(), column);
  }

  static DimensionedValue raised(const DimensionedValue& base, double exponent, int column) {
    constexpr double most = 16;  // of units
    DimensionedValue out{std::pow(base.si(), exponent), 0, {}, base.has_unit};
    const bool is_whole = std::abs(exponent) <= most && exponent == std::round(exponent);
    if (!base.is_number() && !is_whole)
      fail(column, fmt::format("units have whole exponents up to {}, not {}", most, exponent));
    if (is_whole && base.dimension != Dimension{}) {
      const int whole = static_cast<int>(exponent);
      out.value = std::pow(base.value, exponent);
      out.tens = base.tens * whole;
      for (std::size_t i = 0; i < out.dimension.size(); ++i)
        out.dimension[i] = base.dimension[i] * whole;
      check_exponents(out, column);
    }
    return finite(out, column, fmt::format("{} ^ {}", base.si(), exponent));
  }

  DimensionedValue operand() {
    const Token token = next();
    if (token.kind == Kind::end)
      fail(token.column, at_ == 0 ? "a number is expected" : "the expression ends too early");
    ++at_;
    // Functions have numbers in their brackets.
    has_number_ = has_number_ || token.kind == Kind::number || find(constants, token.text);
    has_pi_ = has_pi_ || token.text == "pi";
    if (token.kind == Kind::number) return {token.value, 0, {}, false};
    if (token.is("(")) {
      const DimensionedValue value = sum();
      expect(")");
      return value;
    }
    if (token.kind == Kind::symbol)
      fail(token.column, fmt::format("a number is expected here, not \"{}\"", token.text));
    if (token.text == arctangent) return arctan2(token);
    if (const Function* function = find(number_functions, token.text))
      return call(*function, token);
    if (const Constant* constant = find(constants, token.text))
      return {constant->value, 0, {}, false};
    if (const auto unit = find_unit(token.text)) return *unit;
    fail(token.column, unknown(token.text));
  }

  DimensionedValue argument(const Token& function) {
    const bool had_pi = has_pi_;
    const DimensionedValue value = sum();
    has_pi_ = had_pi;
    if (!value.is_number())
      fail(function.column,
           fmt::format("{} takes a plain number, not {}", function.text, name(value.dimension)));
    return value;
  }

  DimensionedValue call(const Function& function, const Token& token) {
    expect("(");
    const double x = argument(token).si();
    if (next().is(",")) fail(next().column, fmt::format("{} takes one value", token.text));
    expect(")");
    return finite({function.of(x), 0, {}, false}, token.column,
                  fmt::format("{}({})", token.text, x));
  }

  DimensionedValue arctan2(const Token& token) {
    expect("(");
    const double y = argument(token).si();
    if (!take(","))
      fail(next().column, fmt::format("{} takes two values, separated by a comma", token.text));
    const double x = argument(token).si();
    expect(")");
    return {std::atan2(y, x), 0, {}, false};
  }

  static std::string unknown(const std::string& given) {
    std::vector<std::string> names;
    names.reserve(number_functions.size());
    for (const Function& f : number_functions) names.emplace_back(f.name);
    names.emplace_back(arctangent);
    for (const Constant& c : constants) names.emplace_back(c.name);
    for (std::string& u : unit_names()) names.push_back(std::move(u));
    const std::string near = nearest(given, names);
    return fmt::format("\"{}\" is not known; {}the names are {}", given,
                       near.empty() ? "" : fmt::format("did you mean {}? ", near),
                       fmt::join(names, ", "));
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  bool has_number_ = false, has_pi_ = false;
};

}  // namespace

bool may_be_list(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (text[at] == ',' && depth == 0 && at > 0 && at + 1 < text.size() && digit(text[at - 1]) &&
        digit(text[at + 1]))
      return true;
  }
  return false;
}

std::optional<DimensionedValue> read_unit(std::string_view text) {
  try {
    return Parser(text).parse();
  } catch (const Failure&) {
    return {};
  }
}

Result<double> evaluate(std::string_view text, std::string_view unit) {
  try {
    Parser parser(text);
    const DimensionedValue value = parser.parse();
    if (!parser.has_number())
      fail(1, fmt::format("\"{0}\" is a unit without a number; write 1 {0}", text));
    if (!value.has_unit || unit.empty()) return value.si();
    const auto wanted = read_unit(unit);
    if (!wanted || without_turns(wanted->dimension) != without_turns(value.dimension))
      fail(1, fmt::format("the value must be in {}, not in {}",
                          unit == "1" ? "plain numbers" : unit, name(value.dimension)));
    const int turns = cycles_to_radians(value.dimension, wanted->dimension);
    if (turns != 0 && parser.has_pi())
      fail(1, fmt::format("the value is converted from {} to {} with 1 Hz = 2π rad/s, and contains "
                          "π already; leave that factor out, or write the unit with 1/s",
                          name(value.dimension), unit));
    DimensionedValue out = value;
    out.value /= wanted->value * std::pow(2 * std::numbers::pi, -turns);
    out.tens -= wanted->tens;
    if (!std::isfinite(out.si()))
      fail(1, fmt::format("the value exceeds the range of a double in {}", unit));
    return out.si();
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace twosphere
