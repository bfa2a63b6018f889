// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/language/syntax.h"

namespace twosphere {

namespace custom {
namespace {

using namespace language;
using Kind = Syntax::Kind;

/// How tightly the parts of a piece of an equation are bound.
enum class Binding {
  comparison,
  sum,
  negative,
  product,  ///< parts side by side
  dot,
  fraction,
  raised,  ///< has a power, or is a root
  whole,   ///< needs no brackets
};

struct Piece {
  std::string text;
  Binding binding = Binding::whole;
  bool open = false;  ///< ends with the body of Σ or Π, which what follows would continue
  bool unit = false;  ///< ends with a unit
};

std::string bracketed(const Piece& piece, Binding min_binding) {
  return piece.binding < min_binding ? "(" + piece.text + ")" : piece.text;
}

/// " + b", " − b" of a piece "−b".
std::string added(const Piece& piece) {
  constexpr std::string_view minus = "−";
  return piece.text.starts_with(minus) ? " − " + piece.text.substr(minus.size())
                                       : " + " + piece.text;
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
Name split_name(const std::string& name) {
  std::size_t end = name.find('_');
  std::string index;
  if (end != name.npos && end > 0) {
    index = name.substr(end + 1);
  } else {
    end = name.find_last_not_of("0123456789") + 1;
    index = name.substr(end);
  }
  // Greek letters are written as such.
  std::string letters = name.substr(0, end);
  for (const auto& [word, letter] : greek)
    if (letters == word) letters = letter;
  std::replace(index.begin(), index.end(), '_', ' ');
  return {std::move(letters), std::move(index)};
}
std::string named(const std::string& name, const std::string& more = {}) {
  // The time derivative of q is written as such.
  const auto [letters, index] =
      name == "v" && !more.empty() ? Name{"q\u0307", ""} : split_name(name);
  return letters + script("_", index + (index.empty() || more.empty() ? "" : ",") + more);
}

class Typesetter {
 public:
  explicit Typesetter(const Source& source) : source_(source) {}

  /// The same with another letter for an index.
  Typesetter of_index(std::string name, std::string letter) const {
    Typesetter other(*this);
    other.index_ = std::move(name);
    other.letter_ = std::move(letter);
    return other;
  }

  Piece piece(const Syntax& s) const {
    switch (s.kind) {
      case Kind::number:
        return number(s);
      case Kind::name:
        return {s.name == index_ ? letter_ : named(s.name)};
      case Kind::element:
        return {named(s.name, piece(s.parts[0]).text)};
      case Kind::call:
        return call(s);
      case Kind::list:
        return {"(" + listed(s.parts) + ")"};
      case Kind::negative:
        return negative(s);
      case Kind::sum:
        return sum(s);
      case Kind::product:
        return product(s);
      case Kind::power:
        return {bracketed(piece(s.parts[0]), Binding::whole) + script("^", piece(s.parts[1]).text),
                Binding::raised};
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
    // Without the brackets around it, which belong to its part of the text.
    constexpr const char* around = "() \t\r\n";
    text.erase(text.find_last_not_of(around) + 1);
    text.erase(0, text.find_first_not_of(around));
    if (s.has_unit) return {with_exponents(text), Binding::product, false, true};
    // 1e-7 is 10^{−7}.
    if (const std::size_t e = text.find_first_of("eE"); e != text.npos && e > 0) {
      std::string exponent = text.substr(e + 1);
      if (exponent.starts_with('+')) exponent.erase(0, 1);
      if (exponent.starts_with('-')) exponent.replace(0, 1, "−");
      const std::string digits = text.substr(0, e);
      const std::string ten = "10" + script("^", exponent);
      return digits == "1" ? Piece{ten, Binding::raised}
                           : Piece{digits + "·" + ten, Binding::product};
    }
    return {text};
  }
  /// Units with raised exponents: "3 m s⁻²".
  static std::string with_exponents(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      // Up to a caret as it was typed, then its number as an exponent.
      if (text[at] != '^') {
        out += text[at];
        continue;
      }
      std::string exponent;
      while (at + 1 < text.size() &&
             std::string_view("-0123456789 ").find(text[at + 1]) != text.npos)
        if (text[++at] != ' ')
          exponent += text[at] == '-' ? "−" : std::string(1, text[at]);
        else if (!exponent.empty())
          break;
      out += script("^", exponent);
      if (text[at] == ' ') out += ' ';
    }
    return out;
  }

  Piece negative(const Syntax& s) const {
    const Piece part = piece(s.parts[0]);
    return {"−" + bracketed(part, Binding::product), Binding::negative,
            part.open && part.binding >= Binding::product, part.unit};
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
      // The body of Σ reaches to the end of the term; a sum in it takes brackets.
      const Piece body = piece(s.parts[0]);
      if (!sign.empty())
        return {sign + script("_", header(*s.over)) + " " +
                    (body.binding < Binding::product ? "[" + body.text + "]" : body.text),
                Binding::product, true};
    }
    const auto argument = [&](std::size_t i) { return piece(s.parts[i]); };
    // Bars within bars cannot be told apart.
    if (s.parts.size() == 1 && (s.name == "norm" || s.name == "abs"))
      if (const std::string inner = argument(0).text; inner.find('|') == inner.npos)
        return {"|" + inner + "|"};
    if (s.parts.size() == 1 && s.name == "sqrt")
      return {"√(" + argument(0).text + ")", Binding::raised};
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
    // Terms with their signs; a product binds closer, a sum within takes brackets.
    Piece all = piece(s.parts[0]);
    all.text = bracketed(all, Binding::negative);
    for (std::size_t k = 1; k < s.parts.size(); ++k)
      all.text += (s.operators[k - 1].text == "-" ? " − " : " + ") +
                  bracketed(piece(s.parts[k]), Binding::product);
    all.binding = Binding::sum;
    return all;
  }

  /// Factors side by side. What is divided becomes a fraction, which the rest follows.
  Piece product(const Syntax& s) const {
    std::vector<Piece> row;
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      Piece next = piece(s.parts[k]);
      if (k > 0 && s.operators[k - 1].text == "/") {
        row = {{in_fraction(together(row)) + "/" + in_fraction(next.text), Binding::fraction}};
      } else {
        row.push_back(std::move(next));
      }
    }
    const bool negative = row[0].binding == Binding::negative;
    return {together(row),
            negative          ? Binding::negative
            : row.size() == 1 ? row[0].binding
                              : Binding::product,
            row.back().open, row.back().unit};
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
      const bool last = k + 1 == row.size(), alone = row.size() == 1;
      // Two numbers beside one another would be read as one, a factor behind a unit as another.
      const bool digits = !text.empty() && std::isdigit(static_cast<unsigned char>(text.back())) &&
                          std::isdigit(static_cast<unsigned char>(row[k].text.front()));
      if (k > 0) text += digits || row[k - 1].unit ? "·" : " ";
      const bool sign = k == 0 && row[k].binding == Binding::negative;
      const bool brackets =
          !alone && ((row[k].open && !last) || (row[k].binding < Binding::product && !sign));
      text += brackets ? "(" + row[k].text + ")" : row[k].text;
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
  std::string index_, letter_;
};

/// The result of a function for a text; nothing if it cannot be read.
template <class Make>
std::optional<std::string> read(const std::string& text, const std::vector<std::string>& names,
                                const Make& make) {
  try {
    const Source source{"", text};
    Parser parser(source, [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    });
    return make(parser, Typesetter(source));
  } catch (const TextException&) {
    return std::nullopt;
  }
}

std::string kinetic_energy(Parser& parser, const Typesetter& in) {
  const Syntax s = parser.call();
  const auto part = [&](std::size_t i) { return in.piece(s.parts[i]); };
  const std::string dot = "q\u0307", coupled = "T = ½ Σ Mᵢⱼ " + dot + "ᵢ·" + dot + "ⱼ,  ";
  const auto body = [&](std::size_t k, const char* index) {
    // A list by its name alone is one number for each body.
    if (!s.over && s.parts[k].kind == Kind::name) return named(s.parts[k].name, index);
    const Piece one = s.over && s.over->items.size() == 1 && s.over->items[0].kind == Kind::name
                          ? in.of_index(s.over->items[0].name, index).piece(s.parts[k])
                          : part(k);
    return one.open ? "(" + one.text + ")" : bracketed(one, Binding::product);
  };
  if (s.name == "diag" && s.parts.size() == 1)
    return "T = ½ Σᵢ " + body(0, "i") + " |" + dot + "ᵢ|²";
  if (s.name == "matrix" && s.parts.size() == 1 && s.over) {
    std::string indices = in.header(*s.over);
    std::erase_if(indices, [](char c) { return c == ',' || c == ' '; });
    return coupled + named("M", indices) + " = " + part(0).text;
  }
  const bool rod = s.name == "rod" && (s.parts.size() == 3 || s.parts.size() == 4);
  if (rod || (s.name == "chain" && (s.parts.size() == 2 || s.parts.size() == 3))) {
    std::string equation = coupled + "Mᵢⱼ = " + body(1, "i") + " " + body(1, "j") +
                           " Σ_{k≥max(i,j)} " + body(0, "k") +
                           (rod ? " + δᵢⱼ " + body(2, "i") : "");
    if (s.parts.size() > (rod ? 3U : 2U))
      equation += " − sᵢ sⱼ/(" + part(s.parts.size() - 1).text + " + Σₖ " + body(0, "k") +
                  "),  sᵢ = " + body(1, "i") + " Σ_{k≥i} " + body(0, "k");
    return equation;
  }
  return "M: " + in.piece(s).text;
}

/// "κᵢ = kappaᵢ" of the value of each body, "c = 0.1" of one number for all.
std::string body_values(const std::string& letter, Parser& parser, const Typesetter& in,
                        const std::vector<std::string>& lists) {
  const IndexedValue s = parser.indexed_value();
  if (s.over && s.over->items.size() == 1 && s.over->items[0].kind == Kind::name)
    return letter + "ᵢ = " + in.of_index(s.over->items[0].name, "i").piece(s.value).text;
  // A list by its name alone is one number for each body.
  const bool list = s.value.kind == Kind::name &&
                    std::find(lists.begin(), lists.end(), s.value.name) != lists.end();
  return letter + "ᵢ = " + (list ? named(s.value.name, "i") : in.piece(s.value).text);
}

std::string left_side(const Assignment& a, const Typesetter& in) {
  return named(a.name == "torque" ? "tau" : a.name,
               a.index.empty() ? "" : in.piece(a.index[0]).text);
}

/// Forces or torques, of which several entries for a body add up: an equation for each left side,
/// those of all bodies first, and "+=" for what single bodies have in addition.
std::vector<std::string> loads(const std::vector<std::string>& texts,
                               const std::vector<std::string>& names) {
  struct Load {
    std::string left, right;
    bool of_all;
  };
  std::vector<Load> all;
  for (const std::string& text : texts)
    read(text, names, [&](Parser& parser, const Typesetter& in) {
      const Assignment a = parser.assignment();
      Load load{left_side(a, in), in.piece(a.value).text,
                !a.index.empty() && a.index[0].kind == Kind::name && a.index[0].name != "n"};
      const auto same = std::find_if(all.begin(), all.end(),
                                     [&](const Load& one) { return one.left == load.left; });
      if (same == all.end())
        all.push_back(load);
      else
        same->right += added({load.right});
      return load.left;
    });
  std::stable_partition(all.begin(), all.end(), [](const Load& one) { return one.of_all; });
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < all.size(); ++k)
    lines.push_back(all[k].left + (k > 0 && all[0].of_all ? " += " : " = ") + all[k].right);
  return lines;
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
  using custom::Typesetter;
  using language::Parser;
  const std::vector<std::string> names = names_of(definition);
  const bool damped = !definition.damping.empty(),
             forced = !definition.force.empty() || !definition.torque.empty(),
             heated = !definition.temperature.empty();
  std::vector<std::string> lines;
  const auto add = [&](const std::string& text, const auto& make) {
    if (auto line = custom::read(text, names, make)) lines.push_back(std::move(*line));
  };
  const auto assigned = [](Parser& parser, const Typesetter& in) {
    const custom::Assignment a = parser.assignment();
    return custom::left_side(a, in) + " = " + in.piece(a.value).text;
  };
  for (const std::string& text : definition.define) add(text, assigned);
  const auto energy = [&](const std::string& letter, const std::string& text) {
    if (!text.empty())
      add(text, [&](Parser& parser, const Typesetter& in) {
        return letter + " = " + in.piece(parser.expression()).text;
      });
  };
  std::vector<std::string> lists;
  for (const Definition::Parameter& p : definition.parameters)
    if (p.form == Definition::Parameter::Form::list) lists.push_back(p.key);
  const auto values = [&](const char* letter, const std::string& text) {
    add(text, [&](Parser& parser, const Typesetter& in) {
      return custom::body_values(letter, parser, in, lists);
    });
    // A list of the name kappa says nothing more.
    if (lines.back() == fmt::format("{0}ᵢ = {0}ᵢ", letter)) lines.pop_back();
  };
  if (definition.first_order) {
    const std::string loads = std::string(forced ? " − fᵢ" : "") + (heated ? " − ξᵢ" : ""),
                      slope = loads.empty() ? "∂H/∂qᵢ" : "(∂H/∂qᵢ" + loads + ")", rate = "q\u0307ᵢ";
    lines.push_back("κᵢ " + rate + " = " + slope + " × qᵢ" + (damped ? " − cᵢ qᵢ × " + rate : ""));
    energy("H", definition.hamiltonian);
    values("κ", definition.strength);
    if (damped) values("c", definition.damping);
    energy("ξᵢ: noise of k_BT", definition.temperature);
  } else if (!definition.lagrangian.empty()) {
    energy("L", definition.lagrangian);
  } else {
    add(definition.inertia, custom::kinetic_energy);
    energy("V", definition.potential);
    const bool spins = !definition.strength.empty(), terms = !definition.gyroscopic.empty();
    if (spins || terms)
      lines.push_back(std::string("L = T − V") + (spins ? " + Σᵢ κᵢ A(qᵢ)·q\u0307ᵢ" : "") +
                      (terms ? " + G" : ""));
    if (spins) values("κ", definition.strength);
    energy("G", definition.gyroscopic);
    if (!definition.frame_rotation.empty()) {
      lines.emplace_back("q\u0307ᵢ + Ω × qᵢ in place of q\u0307ᵢ in L");
      add(definition.frame_rotation, [](Parser& parser, const Typesetter& in) {
        return "Ω = " + in.piece(parser.expression()).text;
      });
    }
  }
  for (const auto* list : {&definition.force, &definition.torque})
    for (std::string& line : custom::loads(*list, names)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace twosphere
