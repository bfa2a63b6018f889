// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "core/custom/syntax.h"

namespace twosphere {

namespace custom {
namespace {

using Kind = Syntax::Kind;

/// How tightly the parts of a piece of an equation are bound.
enum class Binding {
  comparison,
  sum,
  negative,
  product,  ///< parts side by side
  dot,
  whole,  ///< needs no brackets
};

struct Piece {
  std::string text;
  Binding binding = Binding::whole;
};

std::string bracketed(const Piece& piece, Binding least) {
  return piece.binding < least ? "(" + piece.text + ")" : piece.text;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 33> greek{{
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"}, {"iota", "ι"},  {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},    {"pi", "π"},
    {"rho", "ρ"},    {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},
    {"psi", "ψ"},    {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"},
    {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},    {"Sigma", "Σ"}, {"Phi", "Φ"},
    {"Psi", "Ψ"},    {"Omega", "Ω"}, {"w", "ω"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 26> subscripts{{
    {"0", "₀"}, {"1", "₁"}, {"2", "₂"}, {"3", "₃"}, {"4", "₄"}, {"5", "₅"}, {"6", "₆"},
    {"7", "₇"}, {"8", "₈"}, {"9", "₉"}, {"−", "₋"}, {"+", "₊"}, {" ", ""},  {"i", "ᵢ"},
    {"j", "ⱼ"}, {"k", "ₖ"}, {"l", "ₗ"}, {"m", "ₘ"}, {"n", "ₙ"}, {"p", "ₚ"}, {"s", "ₛ"},
    {"t", "ₜ"}, {"x", "ₓ"}, {"a", "ₐ"}, {"e", "ₑ"}, {"o", "ₒ"},
}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> superscripts{{
    {"0", "⁰"},
    {"1", "¹"},
    {"2", "²"},
    {"3", "³"},
    {"4", "⁴"},
    {"5", "⁵"},
    {"6", "⁶"},
    {"7", "⁷"},
    {"8", "⁸"},
    {"9", "⁹"},
    {"−", "⁻"},
}};
/// A text as small letters, where there are such: "ᵢ₋₁"; else in braces after "_" or "^".
std::string script(std::string_view mark, const std::string& text) {
  const auto in = [&](const auto& letters) {
    std::string small;
    for (std::size_t at = 0; at < text.size();) {
      const auto found = std::find_if(letters.begin(), letters.end(), [&](const auto& letter) {
        return text.compare(at, letter.first.size(), letter.first) == 0;
      });
      if (found == letters.end()) return std::string(mark) + "{" + text + "}";
      small += found->second;
      at += found->first.size();
    }
    return small;
  };
  return mark == "_" ? in(subscripts) : in(superscripts);
}

/// A name with what is behind "_" or its last digits as its index: "e3", "x_max".
struct Name {
  std::string letters, index;
};
Name split_linear(const std::string& name) {
  std::size_t end = name.find('_');
  std::string index;
  if (end != name.npos && end > 0) {
    index = name.substr(end + 1);
  } else {
    end = name.find_last_not_of("0123456789") + 1;
    index = name.substr(end);
  }
  std::string letters = name.substr(0, end);
  for (const auto& [word, letter] : greek)
    if (letters == word) letters = letter;
  std::replace(index.begin(), index.end(), '_', ' ');
  return {std::move(letters), std::move(index)};
}
std::string named(const std::string& name, const std::string& more = {}) {
  // The time derivative of q is written as such.
  const auto [letters, index] =
      name == "v" && !more.empty() ? Name{"q\u0307", ""} : split_linear(name);
  return letters + script("_", index + (index.empty() || more.empty() ? "" : ",") + more);
}

class Typesetter {
 public:
  explicit Typesetter(const Source& source) : source_(source) {}

  Piece piece(const Syntax& s) const {
    switch (s.kind) {
      case Kind::number:
        return number(s);
      case Kind::name:
        return {named(s.name)};
      case Kind::element:
        return {named(s.name, piece(s.parts[0]).text)};
      case Kind::call:
        return call(s);
      case Kind::list:
        return {"(" + listed(s.parts) + ")"};
      case Kind::negative:
        return {"−" + bracketed(piece(s.parts[0]), Binding::product), Binding::negative};
      case Kind::sum:
        return sum(s);
      case Kind::product:
        return product(s);
      case Kind::power:
        return {bracketed(piece(s.parts[0]), Binding::whole) + script("^", piece(s.parts[1]).text)};
      case Kind::dot:
        return joined(s, "·", Binding::dot);
      case Kind::cross:
        return joined(s, "×", Binding::whole, Binding::dot);
      case Kind::comparison:
        return comparison(s);
    }
    return {};
  }

  std::string header(const Header& over) const {
    std::string text = listed(over.items);
    if (!over.pairs.empty()) text += " ∈ " + named(over.pairs);
    return text;
  }

 private:
  /// As it was typed, with its unit.
  Piece number(const Syntax& s) const {
    std::string text = source_.text.substr(s.begin, s.end - s.begin);
    while (!text.empty() && text.back() == ' ') text.pop_back();
    // 1e-7 is 10^{−7}.
    if (const std::size_t e = text.find_first_of("eE"); e != text.npos && e > 0 && !s.has_unit) {
      std::string exponent = text.substr(e + 1);
      if (exponent.starts_with('+')) exponent.erase(0, 1);
      if (exponent.starts_with('-')) exponent.replace(0, 1, "−");
      const std::string digits = text.substr(0, e);
      return {(digits == "1" ? "" : digits + "·") + "10" + script("^", exponent)};
    }
    return {text, s.has_unit ? Binding::product : Binding::whole};
  }

  std::string listed(const std::vector<Syntax>& parts) const {
    std::string text;
    for (const Syntax& part : parts) text += (text.empty() ? "" : ", ") + piece(part).text;
    return text;
  }

  Piece joined(const Syntax& s, const char* sign, Binding parts, Binding all = Binding::dot) const {
    std::string text;
    for (const Syntax& part : s.parts)
      text += (text.empty() ? "" : sign) + bracketed(piece(part), parts);
    return {std::move(text), all};
  }

  Piece call(const Syntax& s) const {
    if (s.over) {
      const std::string sign = s.name == "sum" ? "Σ" : s.name == "prod" ? "Π" : "";
      const Piece body = piece(s.parts[0]);
      if (!sign.empty())
        return {sign + script("_", header(*s.over)) + " " +
                    (body.binding < Binding::product ? "[" + body.text + "]" : body.text),
                Binding::product};
    }
    const auto argument = [&](std::size_t i) { return piece(s.parts[i]); };
    if (s.parts.size() == 1 && (s.name == "norm" || s.name == "abs"))
      return {"|" + argument(0).text + "|"};
    if (s.parts.size() == 1 && s.name == "sqrt") return {"√(" + argument(0).text + ")"};
    if (s.parts.size() == 2 && (s.name == "dot" || s.name == "cross"))
      return {bracketed(argument(0), Binding::whole) + (s.name == "dot" ? "·" : "×") +
                  bracketed(argument(1), Binding::whole),
              Binding::dot};
    if (s.parts.size() == 2 && s.name == "angle")
      return {"∠(" + argument(0).text + ", " + argument(1).text + ")"};
    if (s.parts.size() == 3 && s.name == "if")
      return {"[" + argument(1).text + " if " + argument(0).text + ", else " + argument(2).text +
              "]"};
    return {s.name + "(" + listed(s.parts) + ")"};
  }

  Piece sum(const Syntax& s) const {
    std::string text = bracketed(piece(s.parts[0]), Binding::negative);
    for (std::size_t k = 1; k < s.parts.size(); ++k)
      text += (s.operators[k - 1].text == "-" ? " − " : " + ") +
              bracketed(piece(s.parts[k]), Binding::product);
    return {std::move(text), Binding::sum};
  }

  /// Factors side by side. What is divided becomes a fraction, which the rest follows.
  Piece product(const Syntax& s) const {
    std::vector<Piece> row;
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      Piece next = piece(s.parts[k]);
      if (k > 0 && s.operators[k - 1].text == "/") {
        row = {{in_fraction(together(row)) + "/" + in_fraction(next.text)}};
      } else {
        row.push_back(std::move(next));
      }
    }
    const bool negative = row[0].binding == Binding::negative;
    return {together(row), negative          ? Binding::negative
                           : row.size() == 1 ? row[0].binding
                                             : Binding::product};
  }
  /// In brackets, which the fraction makes superfluous, unless it is a letter or number.
  static std::string in_fraction(const std::string& text) {
    const bool simple = std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c >= 0x80;
    });
    for (const char* sign : {"−", "·", "×", "Σ", "Π", "√", "≤", "≥", "≠"})
      if (text.find(sign) != text.npos) return "(" + text + ")";
    return simple ? text : "(" + text + ")";
  }
  static std::string together(const std::vector<Piece>& row) {
    std::string text;
    for (std::size_t k = 0; k < row.size(); ++k) {
      // Two numbers beside one another would be read as one.
      const bool digits = !text.empty() && std::isdigit(static_cast<unsigned char>(text.back())) &&
                          std::isdigit(static_cast<unsigned char>(row[k].text.front()));
      if (k > 0) text += digits ? "·" : " ";
      // The last factor may extend to the end, as a sum does.
      const bool last = k + 1 == row.size() && k > 0;
      const bool open = row[k].binding == Binding::product && !last && row.size() > 1 &&
                        (row[k].text.starts_with("Σ") || row[k].text.starts_with("Π"));
      const bool sign = k == 0 && row[k].binding == Binding::negative;
      text += open || (row.size() > 1 && row[k].binding < Binding::product && !sign)
                  ? "(" + row[k].text + ")"
                  : row[k].text;
    }
    return text;
  }

  Piece comparison(const Syntax& s) const {
    std::string text = piece(s.parts[0]).text;
    for (std::size_t k = 1; k < s.parts.size(); ++k) {
      const std::string& op = s.operators[k - 1].text;
      text += " " +
              (op == "<="   ? "≤"
               : op == ">=" ? "≥"
               : op == "!=" ? "≠"
               : op == "==" ? "="
                            : op) +
              " " + piece(s.parts[k]).text;
    }
    return {std::move(text), Binding::comparison};
  }

  const Source& source_;
};

/// What a function makes of a text; nothing if it cannot be read.
template <class Make>
std::optional<std::string> read(const std::string& text, const std::vector<std::string>& names,
                                const Make& make) {
  try {
    const Source source{"", text};
    Parser parser(source, [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    return make(parser, Typesetter(source));
  } catch (const DefinitionException&) {
    return std::nullopt;
  }
}

std::string kinetic_energy(Parser& parser, const Typesetter& in) {
  const Syntax s = parser.call();
  const auto part = [&](std::size_t i) { return in.piece(s.parts[i]); };
  const std::string dot = "q\u0307", coupled = "T = ½ Σ Mᵢⱼ " + dot + "ᵢ·" + dot + "ⱼ,  ";
  const auto body = [&](std::size_t k, const char* index) {
    // A list by its name alone is one number for each body.
    const bool listed = !s.over && s.parts[k].kind == Kind::name;
    return listed ? named(s.parts[k].name, index) : bracketed(part(k), Binding::product);
  };
  if (s.name == "diag" && s.parts.size() == 1)
    return "T = ½ Σᵢ " + body(0, "i") + " |" + dot + "ᵢ|²";
  if (s.name == "matrix" && s.parts.size() == 1 && s.over) {
    std::string indices = in.header(*s.over);
    std::erase_if(indices, [](char c) { return c == ',' || c == ' '; });
    return coupled + named("M", indices) + " = " + part(0).text;
  }
  const bool rod = s.name == "rod" && s.parts.size() == 3;
  if (rod || (s.name == "chain" && s.parts.size() == 2))
    return coupled + "Mᵢⱼ = " + body(1, "i") + " " + body(1, "j") + " Σ_{k≥max(i,j)} " +
           body(0, "k") + (rod ? " + δᵢⱼ " + body(2, "i") : "");
  return "M: " + in.piece(s).text;
}

}  // namespace
}  // namespace custom

std::vector<std::string> names_of(const Definition& definition) {
  std::vector<std::string> names;
  for (const Definition::Parameter& p : definition.parameters) names.push_back(p.key);
  for (const std::string& text : definition.define)
    names.push_back(text.substr(0, text.find_first_of("[= ")));
  std::erase(names, "");
  return names;
}

std::vector<std::string> equations(const Definition& definition) {
  using custom::Parser;
  using custom::Typesetter;
  const std::vector<std::string> names = names_of(definition);
  std::vector<std::string> lines;
  const auto add = [&](const std::string& text, const auto& make) {
    if (auto line = custom::read(text, names, make)) lines.push_back(std::move(*line));
  };
  const auto assigned = [](Parser& parser, const Typesetter& in) {
    const custom::Assignment a = parser.assignment();
    const std::string name = a.name == "torque" ? "tau" : a.name;
    return custom::named(name, a.index.empty() ? "" : in.piece(a.index[0]).text) + " = " +
           in.piece(a.value).text;
  };
  for (const std::string& text : definition.define) add(text, assigned);
  add(definition.inertia, custom::kinetic_energy);
  if (!definition.potential.empty())
    add(definition.potential, [](Parser& parser, const Typesetter& in) {
      return "V = " + in.piece(parser.expression()).text;
    });
  for (const auto* list : {&definition.force, &definition.torque})
    for (const std::string& text : *list) add(text, assigned);
  return lines;
}

}  // namespace twosphere
