// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace twosphere::language {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The character at the start of `text`, which is not empty, or its first byte if it is none.
std::string shown(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : first >= 0xC0U ? 2 : 1;
  bool valid = first >= 0x20U && first != 0x7FU && first < 0xF8U && !continuation(text[0]) &&
               size <= text.size();
  for (std::size_t i = 1; valid && i < size; ++i) valid = continuation(text[i]);
  return valid ? fmt::format("\"{}\"", text.substr(0, size))
               : fmt::format("the byte 0x{:02X}", first);
}

/// The bytes of a letter at the start of `text`; 0 if there is none. Of those beyond ASCII the
/// Latin, Greek and Cyrillic ones are letters: two bytes, 0xC3 to 0xD3, but × and ÷.
std::size_t letter(std::string_view text) {
  if (text.empty()) return 0;
  if (ascii_letter(text[0])) return 1;
  const auto first = static_cast<unsigned char>(text[0]);
  if (text.size() < 2 || !continuation(text[1])) return 0;
  if (text.starts_with("µ")) return 2;
  if (first < 0xC3U || first > 0xD3U) return 0;
  if (text.starts_with("×") || text.starts_with("÷") || text.starts_with("π")) return 0;
  return 2;
}

struct Spelling {
  std::string_view typed, read;
  Token::Kind kind = Token::Kind::symbol;
};
// The longer ones first.
constexpr std::array<Spelling, 30> spellings{{{"<=", "<="},
                                              {">=", ">="},
                                              {"!=", "!="},
                                              {"==", "=="},
                                              {"−", "-"},
                                              {"·", "."},
                                              {"⋅", "."},
                                              {"×", "cross"},
                                              {"²", "²"},
                                              {"³", "³"},
                                              {"≤", "<="},
                                              {"≥", ">="},
                                              {"≠", "!="},
                                              {"π", "pi", Token::Kind::name},
                                              {"°", "deg", Token::Kind::name},
                                              {"+", "+"},
                                              {"-", "-"},
                                              {"*", "*"},
                                              {"/", "/"},
                                              {"^", "^"},
                                              {"(", "("},
                                              {")", ")"},
                                              {"[", "["},
                                              {"]", "]"},
                                              {",", ","},
                                              {":", ":"},
                                              {"<", "<"},
                                              {">", ">"},
                                              {"=", "="},
                                              {".", "."}}};

/// Whether the comma of a number may separate thousands: 1,000 but not 0,125 or 1,25.
bool may_be_thousands(std::string_view number) {
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
  explicit Lexer(const Source& source) : source_(source), text_(source.text) {}

  std::vector<Token> tokens() {
    std::vector<Token> list;
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) {
      list.push_back(token(list));
      if (source_.is_field()) follow_brackets(list);
    }
    list.push_back({Token::Kind::end, "the end", 0, column_, at_, at_});
    return list;
  }

 private:
  /// The brackets of a function, and those in them, separate values by commas.
  void follow_brackets(const std::vector<Token>& list) {
    const Token& last = list.back();
    const bool of_name = list.size() > 1 && list[list.size() - 2].kind == Token::Kind::name;
    if (last.is("(")) separates_.push_back(of_name || separates());
    if (last.is(")") && !separates_.empty()) separates_.pop_back();
  }
  bool separates() const { return !separates_.empty() && separates_.back(); }

  void skip_spaces() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != text_.npos)
      advance(1);
  }

  void advance(std::size_t bytes) {
    for (const std::size_t end = at_ + bytes; at_ < end; ++at_)
      column_ += continuation(text_[at_]) ? 0 : 1;
  }

  Token take(Token::Kind kind, std::string text, std::size_t bytes, double value = 0) {
    Token token{kind, std::move(text), value, column_, at_, at_ + bytes};
    advance(bytes);
    return token;
  }

  Token token(const std::vector<Token>& before) {
    const std::string_view rest = text_.substr(at_);
    const bool decimal = rest[0] == '.' && rest.size() > 1 && digit(rest[1]) && !operand(before);
    if (digit(rest[0]) || decimal) return number();
    std::size_t size = 0;
    while (size < rest.size()) {
      const std::size_t more = letter(rest.substr(size));
      if (more == 0 && (size == 0 || !digit(rest[size]))) break;
      size += std::max<std::size_t>(more, 1);
    }
    if (size > 0) return take(Token::Kind::name, std::string(rest.substr(0, size)), size);
    for (const Spelling& s : spellings) {
      if (!rest.starts_with(s.typed)) continue;
      const bool times =
          source_.is_field() && (s.read == "cross" || (s.read == "." && s.typed != "."));
      return take(s.kind, times ? "*" : std::string(s.read), s.typed.size());
    }
    if (rest[0] == '&' || (rest.starts_with("||") && operand(before)))
      source_.fail(column_, no_logic(rest.substr(0, 1)));
    if (rest[0] == '|')
      source_.fail(column_,
                   "\"|\" has no meaning here; |a| is norm(a) of a vector, abs(a) of a number");
    source_.fail(
        column_,
        fmt::format("{} has no meaning here; allowed are numbers, {}", shown(rest),
                    source_.is_field() ? "+ - * / ^, brackets, functions such as sqrt, and units"
                                       : "names, + - * / ^ . ×, comparisons and brackets"));
  }

  /// Whether what has been read ends with an operand, after which a dot is the scalar product.
  static bool operand(const std::vector<Token>& before) {
    return !before.empty() && (before.back().kind == Token::Kind::name || before.back().is("]") ||
                               before.back().is(")"));
  }

  Token number() {
    const std::string_view rest = text_.substr(at_);
    std::size_t size = 0;
    const auto digits = [&] {
      while (size < rest.size() && digit(rest[size])) ++size;
    };
    const auto digit_at = [&](std::size_t i) { return i < rest.size() && digit(rest[i]); };
    digits();
    const char mark = size < rest.size() ? rest[size] : '\0';
    const bool point = mark == '.' && (source_.is_field() || digit_at(size + 1));
    if (point || (mark == ',' && source_.is_field() && !separates() && digit_at(size + 1))) {
      ++size;
      digits();
    }
    if (size < rest.size() && (rest[size] == 'e' || rest[size] == 'E')) {
      const bool sign = size + 1 < rest.size() && (rest[size + 1] == '-' || rest[size + 1] == '+');
      if (const std::size_t first = size + (sign ? 2 : 1); digit_at(first)) {
        size = first;
        digits();
      }
    }
    const std::string typed(rest.substr(0, size));
    if (may_be_thousands(typed))
      source_.fail(column_,
                   fmt::format("\"{}\" may be {} or {}; write a point as the decimal mark, and "
                               "thousands without a mark",
                               typed, with_comma_as(typed, ""), with_comma_as(typed, ".")));
    std::string plain = typed;
    std::replace(plain.begin(), plain.end(), ',', '.');
    double value = 0;
    if (std::from_chars(plain.data(), plain.data() + size, value).ec != std::errc{})
      source_.fail(column_, fmt::format("{} exceeds the range of a double", typed));
    return take(Token::Kind::number, typed, size, value);
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
  int column_ = 1;
  std::vector<bool> separates_;  // by open bracket: whether a comma separates values there
};

}  // namespace

std::string no_logic(std::string_view word) {
  return fmt::format(
      "\"{}\" has no meaning here; conditions are combined as in if(a < b < c, x, y) or "
      "if(a < b, if(c < d, x, y), y)",
      word);
}

std::vector<Token> tokens(const Source& source) { return Lexer(source).tokens(); }

bool is_name(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = letter(text.substr(at));
    if (size == 0 && (at == 0 || !digit(text[at]))) return false;
    at += std::max<std::size_t>(size, 1);
  }
  return !text.empty();
}

}  // namespace twosphere::language
