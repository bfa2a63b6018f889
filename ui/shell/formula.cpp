// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/formula.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace twosphere::ui {

namespace {

using FormulaRow = std::vector<Formula>;

// In units of the font size.
constexpr float ascent = 0.78f, descent = 0.23f;  // above and below the baseline of a line of text
constexpr float script_size = 0.72f, part_size = 0.82f;
constexpr float subscript_down = 0.2f, superscript_up = 0.38f, script_gap = 0.04f;
constexpr float axis = 0.28f;  // height of the axis of fractions and brackets above the baseline
constexpr float bar = 0.055f, bar_gap = 0.1f;
constexpr float blank = 0.28f, formula_gap = 0.35f, indent = 1;

// Parsing

std::u32string decoded(std::string_view text) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fu);
    result += c;
    i += length;
  }
  return result;
}

std::string encoded(char32_t c) {
  std::string s;
  if (c < 0x80) {
    s += static_cast<char>(c);
  } else if (c < 0x800) {
    s += static_cast<char>(0xc0 | (c >> 6));
    s += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    s += static_cast<char>(0xe0 | (c >> 12));
    s += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    s += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    s += static_cast<char>(0xf0 | (c >> 18));
    s += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    s += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    s += static_cast<char>(0x80 | (c & 0x3f));
  }
  return s;
}

constexpr std::u32string_view sub_letters = U"₀₁₂₃₄₅₆₇₈₉₊₋₌ᵢⱼₖₗₘₙₚₛₜₕₓₐₑₒᵣᵤᵥ";
constexpr std::u32string_view sub_plain = U"0123456789+−=ijklmnpsthxaeoruv";
constexpr std::u32string_view super_letters = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼ⁿⁱ";
constexpr std::u32string_view super_plain = U"0123456789+−=ni";
static_assert(sub_letters.size() == sub_plain.size() && super_letters.size() == super_plain.size());

std::optional<char32_t> plain_of(char32_t c, std::u32string_view letters,
                                 std::u32string_view plain) {
  const auto at = letters.find(c);
  return at == letters.npos ? std::nullopt : std::optional(plain[at]);
}

Formula piece(Formula::Kind kind, std::string text = {}) {
  return {.kind = kind, .text = std::move(text), .mark = {}, .inner = {}, .other = {}};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(decoded(text)) {}

  FormulaRow sequence(char32_t end) {
    FormulaRow row;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == U' ') {
        ++at_;
        if (row.empty() || row.back().kind != Formula::Kind::space)
          row.push_back(piece(Formula::Kind::space));
        continue;
      }
      if (sign(text_[at_])) {
        row.push_back(piece(Formula::Kind::text, encoded(text_[at_++])));
        continue;
      }
      FormulaRow product = factors(end);
      if (at_ + 1 < text_.size() && text_[at_] == U'/' && begins_factor(text_[at_ + 1], end)) {
        ++at_;
        Formula over = piece(Formula::Kind::fraction);
        over.inner = bare(std::move(product));
        over.other = bare(factors(end));
        row.push_back(std::move(over));
      } else {
        row.insert(row.end(), product.begin(), product.end());
      }
    }
    if (at_ < text_.size() && end != 0) ++at_;
    return row;
  }

 private:
  static bool sign(char32_t c) {
    return std::u32string_view(U"+−-=·×,;:<>≥≤←→∘…/)]}").find(c) != std::u32string_view::npos;
  }
  static bool begins_factor(char32_t c, char32_t end) { return c != U' ' && c != end && !sign(c); }

  /// A sequence without spaces and signs.
  FormulaRow factors(char32_t end) {
    FormulaRow row;
    while (at_ < text_.size() && begins_factor(text_[at_], end)) factor(row);
    return row;
  }

  void factor(FormulaRow& row) {
    const char32_t c = text_[at_];
    if (script(row)) return;
    ++at_;
    if (c == U'(' || c == U'[' || c == U'|') {
      Formula group = piece(Formula::Kind::group, c == U'(' ? "()" : c == U'[' ? "[]" : "||");
      group.inner = sequence(c == U'(' ? U')' : c == U'[' ? U']' : U'|');
      // A fraction needs no brackets, unless it has a power or is the argument of a function.
      const bool argument = !row.empty() && row.back().kind != Formula::Kind::group &&
                            row.back().kind != Formula::Kind::fraction;
      const bool power = at_ < text_.size() &&
                         (text_[at_] == U'^' || plain_of(text_[at_], super_letters, super_plain));
      if (c == U'(' && !power && !argument && group.inner.size() == 1 &&
          group.inner[0].kind == Formula::Kind::fraction) {
        row.push_back(std::move(group.inner[0]));
        return;
      }
      row.push_back(std::move(group));
      return;
    }
    if (c == U'√' && at_ < text_.size()) {
      Formula root = piece(Formula::Kind::root);
      FormulaRow under;
      factor(under);
      root.inner = bare(std::move(under));
      row.push_back(std::move(root));
      return;
    }
    if (c == U'½') {
      Formula half = piece(Formula::Kind::fraction);
      half.inner = {piece(Formula::Kind::text, "1")};
      half.other = {piece(Formula::Kind::text, "2")};
      row.push_back(std::move(half));
      return;
    }
    Formula letter = piece(Formula::Kind::text, encoded(c));
    if (c == U'\u1e41') {  // ṁ
      letter = piece(Formula::Kind::accent, "m");
      letter.mark = ".";
    } else if (at_ < text_.size()) {
      const char32_t next = text_[at_];
      const char* mark = next == U'\u0307'   ? "."
                         : next == U'\u0308' ? ":"
                         : next == U'\u0302' ? "^"
                                             : nullptr;
      if (mark) {
        ++at_;
        letter.kind = Formula::Kind::accent;
        letter.mark = mark;
      }
    }
    // Digits and letters of a word stay together, for kerning.
    if (letter.kind == Formula::Kind::text && !row.empty() &&
        row.back().kind == Formula::Kind::text)
      row.back().text += letter.text;
    else
      row.push_back(std::move(letter));
  }

  /// Reads subscripts or superscripts, which are joined with those immediately before.
  bool script(FormulaRow& row) {
    const char32_t c = text_[at_];
    const bool marked = (c == U'_' || c == U'^') && at_ + 1 < text_.size();
    const bool sub = plain_of(c, sub_letters, sub_plain).has_value() || (marked && c == U'_');
    if (!marked && !sub && !plain_of(c, super_letters, super_plain)) return false;
    FormulaRow content;
    if (marked) {
      at_ += 1;
      if (text_[at_] == U'{') {
        ++at_;
        content = sequence(U'}');
      } else {
        content.push_back(piece(Formula::Kind::text, encoded(text_[at_++])));
      }
    } else {
      std::string letters;
      for (; at_ < text_.size(); ++at_) {
        const auto plain = sub ? plain_of(text_[at_], sub_letters, sub_plain)
                               : plain_of(text_[at_], super_letters, super_plain);
        if (!plain) break;
        letters += encoded(*plain);
      }
      content.push_back(piece(Formula::Kind::text, std::move(letters)));
    }
    const bool joins = !row.empty() && row.back().kind == Formula::Kind::scripts &&
                       (sub ? row.back().inner : row.back().other).empty();
    if (!joins) row.push_back(piece(Formula::Kind::scripts));
    (sub ? row.back().inner : row.back().other) = std::move(content);
    return true;
  }

  /// The row without outer brackets.
  static FormulaRow bare(FormulaRow row) {
    if (row.size() == 1 && row[0].kind == Formula::Kind::group && row[0].text == "()") {
      FormulaRow inner = std::move(row[0].inner);
      return inner;
    }
    return row;
  }

  std::u32string text_;
  std::size_t at_ = 0;
};

// Typesetting

FormulaSize measure(const FormulaRow& row, const FormulaPen& pen, float size);

FormulaSize scripts_size(const Formula& f, const FormulaPen& pen, float size) {
  const FormulaSize sub = measure(f.inner, pen, script_size * size);
  const FormulaSize super = measure(f.other, pen, script_size * size);
  return {std::max(sub.width, super.width) + script_gap * size,
          f.other.empty() ? 0 : superscript_up * size + super.up,
          f.inner.empty() ? 0 : subscript_down * size + sub.down};
}

FormulaSize measure(const Formula& f, const FormulaPen& pen, float size) {
  switch (f.kind) {
    case Formula::Kind::text:
      return {pen.width(f.text, size), ascent * size, descent * size};
    case Formula::Kind::space:
      return {blank * size, 0, 0};
    case Formula::Kind::accent:
      return {pen.width(f.text, size), (ascent + 0.08f) * size, descent * size};
    case Formula::Kind::scripts:
      return scripts_size(f, pen, size);
    case Formula::Kind::group: {
      const FormulaSize in = measure(f.inner, pen, size);
      const float high = std::max(1.0f, (in.up + in.down) / ((ascent + descent) * size));
      const float bracket = pen.width(f.text.substr(0, 1), size * high);
      return {in.width + 2 * bracket, std::max(in.up, ascent * size),
              std::max(in.down, descent * size)};
    }
    case Formula::Kind::fraction: {
      const FormulaSize up = measure(f.inner, pen, part_size * size);
      const FormulaSize down = measure(f.other, pen, part_size * size);
      return {std::max(up.width, down.width) + 2 * bar_gap * size,
              axis * size + bar_gap * size + up.up + up.down,
              -axis * size + bar_gap * size + down.up + down.down};
    }
    case Formula::Kind::root: {
      const FormulaSize in = measure(f.inner, pen, size);
      return {in.width + 0.75f * size, in.up + 0.16f * size, in.down};
    }
  }
  return {};
}

FormulaSize measure(const FormulaRow& row, const FormulaPen& pen, float size) {
  FormulaSize all{0, 0, 0};
  for (const Formula& f : row) {
    const FormulaSize one = measure(f, pen, size);
    all = {all.width + one.width, std::max(all.up, one.up), std::max(all.down, one.down)};
  }
  return all;
}

void draw(const FormulaRow& row, FormulaPen& pen, float x, float base, float size);

void draw(const Formula& f, FormulaPen& pen, float x, float base, float size) {
  const FormulaSize whole = measure(f, pen, size);
  switch (f.kind) {
    case Formula::Kind::text:
      return pen.text(x, base, f.text, size);
    case Formula::Kind::space:
      return;
    case Formula::Kind::accent: {
      pen.text(x, base, f.text, size);
      const float middle = x + whole.width / 2;
      const bool tall = f.text == "l" || (f.text[0] >= 'A' && f.text[0] <= 'Z');
      const float y = base - (tall ? 0.86f : 0.7f) * size, r = 0.055f * size;
      if (f.mark == ".") return pen.dot(middle, y, r);
      if (f.mark == ":") {
        pen.dot(middle - 0.11f * size, y, r);
        return pen.dot(middle + 0.11f * size, y, r);
      }
      pen.line(middle - 0.14f * size, y + 0.04f * size, middle, y - 0.08f * size, bar * size);
      return pen.line(middle, y - 0.08f * size, middle + 0.14f * size, y + 0.04f * size,
                      bar * size);
    }
    case Formula::Kind::scripts:
      draw(f.inner, pen, x + script_gap * size / 2, base + subscript_down * size,
           script_size * size);
      return draw(f.other, pen, x + script_gap * size, base - superscript_up * size,
                  script_size * size);
    case Formula::Kind::group: {
      const FormulaSize in = measure(f.inner, pen, size);
      const float high = std::max(1.0f, (in.up + in.down) / ((ascent + descent) * size));
      const float of_bracket = size * high;
      // Centre the brackets on their contents.
      const float down = high > 1 ? in.down - descent * of_bracket : 0;
      const std::string open = f.text.substr(0, 1), close = f.text.substr(1);
      pen.text(x, base + down, open, of_bracket);
      const float wide = pen.width(open, of_bracket);
      draw(f.inner, pen, x + wide, base, size);
      return pen.text(x + wide + in.width, base + down, close, of_bracket);
    }
    case Formula::Kind::fraction: {
      const float small = part_size * size;
      const FormulaSize up = measure(f.inner, pen, small), down = measure(f.other, pen, small);
      const float y = base - axis * size;
      draw(f.inner, pen, x + (whole.width - up.width) / 2, y - bar_gap * size - up.down, small);
      draw(f.other, pen, x + (whole.width - down.width) / 2, y + bar_gap * size + down.up, small);
      const float edge = bar_gap * size / 2;
      return pen.line(x + edge, y, x + whole.width - edge, y, bar * size);
    }
    case Formula::Kind::root: {
      const FormulaSize in = measure(f.inner, pen, size);
      const float top = base - in.up - 0.08f * size, foot = base + in.down;
      const float thick = bar * size;
      pen.line(x + 0.06f * size, base - 0.3f * size, x + 0.2f * size, base - 0.38f * size, thick);
      pen.line(x + 0.2f * size, base - 0.38f * size, x + 0.38f * size, foot, 1.6f * thick);
      pen.line(x + 0.38f * size, foot, x + 0.6f * size, top, thick);
      pen.line(x + 0.6f * size, top, x + whole.width, top, thick);
      return draw(f.inner, pen, x + 0.66f * size, base, size);
    }
  }
}

void draw(const FormulaRow& row, FormulaPen& pen, float x, float base, float size) {
  for (const Formula& f : row) {
    draw(f, pen, x, base, size);
    x += measure(f, pen, size).width;
  }
}

/// Whether a line is preferably broken before this part: at a sign between terms.
bool between_terms(const Formula& f) {
  constexpr std::array signs{"=", "+", "−", "×", "←"};
  return f.kind == Formula::Kind::text &&
         std::find(signs.begin(), signs.end(), f.text) != signs.end();
}

/// The unbreakable parts: words with a preceding sign.
std::vector<FormulaRow> chunks(const FormulaRow& row, bool at_signs) {
  std::vector<FormulaRow> all(1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool word = row[i].kind == Formula::Kind::space && i + 1 < row.size();
    const bool after_comma =
        i > 0 && row[i - 1].kind == Formula::Kind::text && row[i - 1].text == ",";
    if (word && (!at_signs || between_terms(row[i + 1]) || after_comma))
      all.emplace_back();
    else
      all.back().push_back(row[i]);
  }
  return all;
}

/// The lines of an equation.
std::vector<FormulaRow> lines(const FormulaRow& row, const FormulaPen& pen, float size,
                              float width) {
  std::vector<FormulaRow> result;
  const auto room = [&] { return width - (result.size() > 1 ? indent * size : 0); };
  const auto put = [&](const FormulaRow& chunk, auto& self, bool whole) -> void {
    FormulaRow longer = result.empty() ? FormulaRow{} : result.back();
    if (!longer.empty()) longer.push_back(piece(Formula::Kind::space));
    longer.insert(longer.end(), chunk.begin(), chunk.end());
    if (!result.empty() && measure(longer, pen, size).width <= room()) {
      result.back() = std::move(longer);
      return;
    }
    result.emplace_back();
    if (whole && measure(chunk, pen, size).width > room()) {  // longer than a line
      for (const FormulaRow& word : chunks(chunk, false)) self(word, self, false);
      return;
    }
    result.back() = chunk;
  };
  for (const FormulaRow& chunk : chunks(row, true)) put(chunk, put, true);
  std::erase_if(result, [](const FormulaRow& line) { return line.empty(); });
  return result;
}

}  // namespace

std::vector<Formula> parse_formula(std::string_view text) { return Reader(text).sequence(0); }

FormulaSize set_formula(const std::vector<Formula>& formula, FormulaPen& pen, float x, float y,
                        float size, float width, bool im_color) {
  FormulaSize all;
  float top = y;
  bool first = true;
  for (const FormulaRow& line : lines(formula, pen, size, width)) {
    const FormulaSize one = measure(line, pen, size);
    const float left = first ? 0 : indent * size;
    if (!first) top += formula_gap * size;
    if (im_color) draw(line, pen, x + left, top + one.up, size);
    if (first) all.up = one.up;
    all.width = std::max(all.width, left + one.width);
    top += one.up + one.down;
    first = false;
  }
  all.down = top - y - all.up;
  return all;
}

}  // namespace twosphere::ui
