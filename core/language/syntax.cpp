// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/language/functions.h"
#include "core/language/lexer.h"

namespace twosphere::language {

namespace {

using Kind = Syntax::Kind;

/// How tightly operators bind.
enum Precedence { comparing = 1, adding, multiplying, negating, raising, dotting, crossing };

struct Infix {
  std::string_view symbol;
  Precedence binding;
  Kind kind;
};
constexpr std::array<Infix, 15> infixes{{{"<", comparing, Kind::comparison},
                                         {"<=", comparing, Kind::comparison},
                                         {">", comparing, Kind::comparison},
                                         {">=", comparing, Kind::comparison},
                                         {"==", comparing, Kind::comparison},
                                         {"!=", comparing, Kind::comparison},
                                         {"+", adding, Kind::sum},
                                         {"-", adding, Kind::sum},
                                         {"*", multiplying, Kind::product},
                                         {"/", multiplying, Kind::product},
                                         {"^", raising, Kind::power},
                                         {"²", raising, Kind::power},
                                         {"³", raising, Kind::power},
                                         {".", dotting, Kind::dot},
                                         {"cross", crossing, Kind::cross}}};

/// A unit in a field, after an operand.
constexpr Infix unit_follows{"*", multiplying, Kind::product};

const Infix* infix(const Token& token) {
  if (token.kind != Token::Kind::symbol) return nullptr;
  for (const Infix& i : infixes)
    if (i.symbol == token.text) return &i;
  return nullptr;
}

constexpr const char* no_comparison =
    "\"=\" stands only after the name that is defined; a comparison is ==";

/// Words that join conditions elsewhere.
bool is_logic(const Token& token) {
  return token.kind == Token::Kind::name &&
         (token.text == "and" || token.text == "or" || token.text == "not");
}

bool is_function(const std::string& name) { return position(function_names, name) >= 0; }

std::string quoted(const Token& token) {
  if (token.kind == Token::Kind::end) return token.text;
  return fmt::format("\"{}\"", token.is("cross") ? "×" : token.text);
}

}  // namespace

class Parser::Reader {
 public:
  Reader(const Source& source, std::function<bool(const std::string&)> declared)
      : source_(source), declared_(std::move(declared)), tokens_(tokens(source)) {}

  Syntax whole() {
    Syntax value = nested(comparing);
    finish();
    return value;
  }

  IndexedValue indexed_value() {
    IndexedValue out;
    if (colon_ahead()) out.over = header();
    out.value = whole();
    return out;
  }

  Assignment assignment(std::string_view example) {
    Assignment out;
    const Token name = take_name(fmt::format("a name and =, as in {}, are expected here", example));
    out.name = name.text;
    out.column = name.column;
    if (take("[")) {
      out.index.push_back(nested(adding));
      expect("]");
    }
    if (!take("="))
      fail(fmt::format("\"=\" is expected here, not {}, as in {}", quoted(next()), example));
    out.value = whole();
    return out;
  }

  Syntax call(std::string_view wanted) {
    std::unique_ptr<Header> over;
    if (colon_ahead()) over = header();
    const bool begins = next().kind == Token::Kind::name && next(1).is("(");
    if (!begins) fail(std::string(wanted));
    const Token name = tokens_[at_++];
    Syntax out = called(name);
    if (next().kind == Token::Kind::symbol && infix(next())) fail(std::string(wanted));
    if (over && out.over) source_.fail(out.over->column, "indices are given before the name");
    if (over) out.over = std::move(over);
    finish();
    return out;
  }

 private:
  const Token& next(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& last() const { return tokens_[at_ - 1]; }
  bool take(std::string_view symbol) {
    if (!next().is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (take(symbol)) return;
    if (next().is("=")) fail(no_comparison);
    if (is_logic(next())) fail(no_logic(next().text));
    if (no_unit(next()) && symbol == ")") fail(unknown_unit(next().text));
    fail(fmt::format("\"{}\" is expected here, not {}", symbol, quoted(next())));
  }
  Token take_name(const std::string& message) {
    if (next().kind != Token::Kind::name) fail(message);
    return tokens_[at_++];
  }
  [[noreturn]] void fail(std::string message) const {
    source_.fail(next().column, std::move(message));
  }

  void finish() const {
    const Token& rest = next();
    if (rest.kind == Token::Kind::end) return;
    if (rest.is(")") || rest.is("]")) fail(fmt::format("\"{}\" closes no bracket", rest.text));
    if (rest.is("=")) fail(no_comparison);
    if (rest.is(",")) fail("a comma separates only the values of a function or of a list");
    if (rest.is(":")) fail("\":\" stands only after the indices of a sum, as in sum(i: …)");
    if (is_logic(rest)) fail(no_logic(rest.text));
    if (no_unit(rest)) fail(unknown_unit(rest.text));
    fail(fmt::format("an operator such as * must stand before {}", quoted(rest)));
  }

  /// Gives a part its extent and depth once its parts are known; the depths of those before `from`
  /// are in it already.
  Syntax& closed(Syntax& part, std::size_t from = 0) {
    part.end = last().end;
    int deepest = from > 0 ? part.depth - 1 : 0;
    for (std::size_t k = from; k < part.parts.size(); ++k)
      deepest = std::max(deepest, part.parts[k].depth);
    if (part.over)
      for (const Syntax& p : part.over->items) deepest = std::max(deepest, p.depth);
    part.depth = deepest + 1;
    // In fields brackets, signs and exponents are counted: nested(). Parts between two of them are
    // nested less than four deep.
    if (part.depth > (source_.is_field() ? 4 : 1) * max_depth)
      source_.fail(part.column, fmt::format("nested deeper than {}", max_depth));
    return part;
  }

  /// A part within brackets, after a sign or in an exponent.
  Syntax nested(Precedence min_binding) {
    if (++nesting_ > max_depth) fail(fmt::format("nested deeper than {}", max_depth));
    Syntax inside = part(min_binding);
    --nesting_;
    return inside;
  }

  /// The operator that comes next, if one does.
  const Infix* joining() const {
    const bool unit = source_.is_field() && next().kind == Token::Kind::name && !next(1).is("(") &&
                      find_unit(next().text).has_value();
    return unit ? &unit_follows : infix(next());
  }

  Syntax part(Precedence min_binding) {
    Syntax left = operand();
    while (const Infix* op = joining()) {
      if (op->binding < min_binding) break;
      const Token token = next();
      if (op != &unit_follows) ++at_;
      // One part for all that a sum, product or comparison joins.
      if (left.kind == op->kind && joins_many(op->kind) && !bracketed_) {
        join(left, token, *op);
      } else {
        Syntax joined;
        joined.kind = op->kind;
        joined.begin = left.begin;
        joined.parts.push_back(std::move(left));
        join(joined, token, *op);
        left = std::move(joined);
      }
      bracketed_ = false;
    }
    bracketed_ = false;
    return left;
  }

  static bool joins_many(Kind kind) {
    return kind == Kind::sum || kind == Kind::product || kind == Kind::comparison;
  }

  void join(Syntax& left, const Token& token, const Infix& op) {
    left.operators.push_back({std::string(op.symbol), token.column});
    left.column = token.column;
    if (token.is("²") || token.is("³")) {
      Syntax exponent;
      exponent.column = token.column;
      exponent.begin = token.begin;
      exponent.end = token.end;
      exponent.value = token.is("²") ? 2 : 3;
      left.parts.push_back(std::move(exponent));
    } else {
      // To the right of ^ a sign and another ^ may follow; all others join from the left.
      left.parts.push_back(op.kind == Kind::power ? nested(negating)
                                                  : part(static_cast<Precedence>(op.binding + 1)));
    }
    closed(left, left.parts.size() > 2 ? left.parts.size() - 1 : 0);
  }

  Syntax operand() {
    const Token token = next();
    Syntax out;
    out.column = token.column;
    out.begin = token.begin;
    bracketed_ = false;
    if (token.kind == Token::Kind::end)
      fail(at_ > 0              ? "the expression ends too early"
           : source_.is_field() ? "a number is expected"
                                : "an expression is expected");
    ++at_;
    if (token.kind == Token::Kind::number) return number(token);
    if (token.is("-")) {
      out.kind = Kind::negative;
      out.parts.push_back(nested(negating));
      return std::move(closed(out));
    }
    if (token.is("+")) return nested(negating);
    if (token.is("(")) {
      out = nested(comparing);
      expect(")");
      out.begin = token.begin;
      out.end = last().end;
      bracketed_ = true;
      return out;
    }
    if (token.is("[")) {
      out.kind = Kind::list;
      do {
        out.parts.push_back(nested(adding));
      } while (take(","));
      expect("]");
      return std::move(closed(out));
    }
    if (token.kind == Token::Kind::symbol) {
      --at_;
      if (token.is("*") && at_ > 0 && last().is("*"))
        source_.fail(last().column, "a power is written ^, as in x^2, not **");
      fail(fmt::format("{} is expected here, not {}",
                       source_.is_field() ? "a number" : "a number, a vector or a name",
                       quoted(token)));
    }
    if (next().is("(")) return called(token);
    if (const Infix* op = infix(next()); op && op->kind == Kind::power && is_function(token.text))
      fail(fmt::format("a power of {0} is written {0}(x)^2, not {0}^2(x)", token.text));
    if (is_function(token.text) && (source_.is_field() || next().kind != Token::Kind::symbol))
      expect("(");
    out.kind = Kind::name;
    out.name = token.text;
    if (take("[")) {
      out.kind = Kind::element;
      out.parts.push_back(nested(adding));
      expect("]");
      if (next().is("[")) second_index(out);
    }
    return std::move(closed(out));
  }

  /// x[0][2] is e3.x[0].
  [[noreturn]] void second_index(const Syntax& element) const {
    const Token& which = next(1);
    const bool axis = which.kind == Token::Kind::number && next(2).is("]") &&
                      (which.value == 0 || which.value == 1 || which.value == 2);
    const std::string of = source_.text.substr(element.begin, last().end - element.begin);
    fail(axis ? fmt::format("a component is written e{}.{}", which.value + 1, of)
              : fmt::format("\"{0}\" takes no other index; its components are e1.{0}, e2.{0} and "
                            "e3.{0}",
                            of));
  }

  /// The brackets after a name, with a header if there is a colon in them.
  Syntax called(const Token& name) {
    Syntax out;
    out.kind = Kind::call;
    out.column = name.column;
    out.begin = name.begin;
    out.name = name.text;
    expect("(");
    if (colon_ahead()) out.over = header();
    if (!next().is(")") || out.over) {
      do {
        out.parts.push_back(nested(comparing));
      } while (take(","));
    }
    if (!out.over && takes_indices(name.text) && next().kind == Token::Kind::name &&
        !is_logic(next()))
      fail(fmt::format("a colon is missing before \"{}\": after the indices, as in {}(i: …)",
                       next().text, name.text));
    expect(")");
    return std::move(closed(out));
  }

  static bool takes_indices(const std::string& name) {
    constexpr std::array<std::string_view, 6> names{"sum",   "prod", "diag",
                                                    "chain", "rod",  "matrix"};
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Whether a colon comes before these brackets end.
  bool colon_ahead() const {
    int open = 0;
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("(") || token.is("[")) ++open;
      if ((token.is(")") || token.is("]")) && --open < 0) return false;
      if (open == 0 && token.is(":")) return true;
    }
    return false;
  }

  std::unique_ptr<Header> header() {
    auto out = std::make_unique<Header>();
    out->column = next().column;
    do {
      out->items.push_back(nested(comparing));
    } while (take(","));
    if (next().kind == Token::Kind::name && next().text == "in") {
      ++at_;
      out->pairs_column = next().column;
      out->pairs = take_name("the name of a list is expected here").text;
    }
    expect(":");
    return out;
  }

  /// A number with the units after it, which in a field are parts of their own.
  Syntax number(const Token& token) {
    DimensionedValue of{token.value, 0, {}, false};
    int sign = 1;
    while (!source_.is_field() && unit_ahead()) {
      const Token word = tokens_[at_++];
      const auto unit = find_unit(word.text);
      if (!unit && is_logic(word)) source_.fail(word.column, no_logic(word.text));
      if (!unit) source_.fail(word.column, unknown_unit(word.text));
      if (!of.has_unit && declared_(word.text))
        source_.fail(word.column,
                     fmt::format("\"{0}\" is a unit and a name of the definition; write *{0} for "
                                 "the product, or use another name",
                                 word.text));
      const int power = sign * exponent();
      of.value *= std::pow(unit->value, power);
      of.tens += power * unit->tens;
      of.dimension = dimension_of_product(of.dimension, unit->dimension, power);
      of.has_unit = true;
      sign = 1;
      const Token& after = next(1);
      if (next().is("/") && after.kind == Token::Kind::name && find_unit(after.text) &&
          !declared_(after.text) && !next(2).is("(") && !next(2).is("[")) {
        sign = -1;
        ++at_;
      }
    }
    Syntax out;
    out.column = token.column;
    out.begin = token.begin;
    out.value = of.si();
    out.dimension = of.dimension;
    out.has_unit = of.has_unit;
    for (const int e : of.dimension)
      if (std::abs(e) > 100) source_.fail(token.column, "the exponents of the units exceed 100");
    if (!std::isfinite(out.value)) source_.fail(token.column, "exceeds the range of a double");
    return std::move(closed(out));
  }

  bool unit_ahead() const {
    return next().kind == Token::Kind::name && next().text != "in" && !next(1).is("(") &&
           !next(1).is("[");
  }
  /// A name in a field after an operand, where only a unit has a meaning.
  bool no_unit(const Token& token) const {
    return source_.is_field() && token.kind == Token::Kind::name && !is_function(token.text) &&
           position(call_names, token.text) < 0 && !find_constant(token.text) &&
           !find_unit(token.text);
  }
  std::string unknown_unit(const std::string& word) const {
    return declared_ && declared_(word)
               ? fmt::format("an operator such as * must stand before \"{}\"", word)
               : fmt::format("{}; a product is written with *", no_such_unit(word));
  }

  /// Of a unit: ², ³, ^2, ^-1.
  int exponent() {
    if (take("²")) return 2;
    if (take("³")) return 3;
    if (!next().is("^")) return 1;
    ++at_;
    const int sign = take("-") ? -1 : 1;
    if (next().kind != Token::Kind::number || next().value != std::round(next().value) ||
        next().value > 16)
      fail("units have whole exponents up to 16");
    return sign * static_cast<int>(tokens_[at_++].value);
  }

  const Source& source_;
  std::function<bool(const std::string&)> declared_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int nesting_ = 0;
  bool bracketed_ = false;  // the operand read last stands in brackets
};

Parser::Parser(const Source& source, std::function<bool(const std::string&)> declared)
    : reader_(std::make_unique<Reader>(source, std::move(declared))) {}
Parser::~Parser() = default;

Syntax Parser::expression() { return reader_->whole(); }
IndexedValue Parser::indexed_value() { return reader_->indexed_value(); }
Assignment Parser::assignment(std::string_view example) { return reader_->assignment(example); }
Syntax Parser::call(std::string_view wanted) { return reader_->call(wanted); }

}  // namespace twosphere::language
