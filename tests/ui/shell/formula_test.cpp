// SPDX-License-Identifier: GPL-3.0-or-later
// Equations as the catalogue and the help pages write them, read and set.
#include "ui/shell/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalog.h"
#include "core/custom/equations.h"

namespace twosphere::formula_test {
namespace {

using namespace ui;

using Kind = Formula::Kind;

/// What was read, in its own notation: a_{i}, a^{2}, {1/2}, √{c}, q with its mark.
std::string written(const std::vector<Formula>& row) {
  std::string text;
  for (const Formula& f : row) switch (f.kind) {
      case Kind::text:
        text += f.text;
        break;
      case Kind::space:
        text += ' ';
        break;
      case Kind::accent:
        text += f.text + "'" + f.mark;
        break;
      case Kind::scripts:
        if (!f.inner.empty()) text += "_{" + written(f.inner) + "}";
        if (!f.other.empty()) text += "^{" + written(f.other) + "}";
        break;
      case Kind::group:
        text += f.text.substr(0, 1) + written(f.inner) + f.text.substr(1);
        break;
      case Kind::fraction:
        text += "{" + written(f.inner) + "/" + written(f.other) + "}";
        break;
      case Kind::root:
        text += "√{" + written(f.inner) + "}";
        break;
    }
  return text;
}

TEST(Formula, ReadsIndicesPowersDotsFractionsAndRoots) {
  const auto read = [](const char* text) { return written(parse_formula(text)); };
  EXPECT_EQ(read("q_i"), "q_{i}");
  EXPECT_EQ(read("qᵢ₋₁·qᵢ"), "q_{i−1}·q_{i}");
  EXPECT_EQ(read("lᵢ²"), "l_{i}^{2}") << "one above the other";
  EXPECT_EQ(read("x^2 + y^{n+1}"), "x^{2} + y^{n+1}");
  EXPECT_EQ(read("ω\u0307 q\u0308 ω\u0302 \u1e41ᵢⱼ"), "ω'. q': ω'^ m'._{ij}");
  EXPECT_EQ(read("Σ_{k≥i} mₖ"), "Σ_{k≥i} m_{k}");
  EXPECT_EQ(read("½ lᵢ"), "{1/2} l_{i}");
  EXPECT_EQ(read("(a + b)/(c)"), "{a + b/c}");
  EXPECT_EQ(read("c/√(1 − c²),"), "{c/√{1 − c^{2}}},");
  EXPECT_EQ(read("(mᵢlᵢ²/12) |q\u0307ᵢ|²"), "{m_{i}l_{i}^{2}/12} |q'._{i}|^{2}");
  EXPECT_EQ(read("exp(−(γ/2))"), "exp(−{γ/2})");
  EXPECT_EQ(read("exp(γ/2) 2"), "exp({γ/2}) 2") << "the argument of a function";
  EXPECT_EQ(read("(σ/r)¹²"), "({σ/r})^{12}") << "what has a power keeps its brackets";
  EXPECT_EQ(read("3 (qᵢ·r)(qⱼ·r)/r²]"), "3 {(q_{i}·r)(q_{j}·r)/r^{2}}]");
  EXPECT_EQ(read("½h² ∂V/∂qᵢ"), "{1/2}h^{2} {∂V/∂q_{i}}");
  EXPECT_EQ(read("F(t + h/2, y)"), "F(t + {h/2}, y)");
}

/// An expression of the language of custom systems, and its value.
struct Valued {
  std::string text;
  double value;
};

/// The value of an equation as it is seen: what stands side by side is multiplied, a power belongs
/// to what it stands at, Σ and Π, over two bodies, reach to the next sign between terms.
class Seen {
 public:
  static double value(const std::vector<Formula>& row) {
    Seen seen(row);
    const double v = seen.sum();
    return seen.at_ == row.size() ? v : std::nan("");
  }

 private:
  explicit Seen(const std::vector<Formula>& row) : row_(row) {}

  bool is(const char* text) const {
    return at_ < row_.size() && row_[at_].kind == Kind::text && row_[at_].text == text;
  }
  bool take(const char* text) {
    while (at_ < row_.size() && row_[at_].kind == Kind::space) ++at_;
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  double sum() {
    double v = term();
    while (true) {
      if (take("+"))
        v += term();
      else if (take("−"))
        v -= term();
      else
        return v;
    }
  }
  double term() {
    if (take("−")) return -term();
    double v = factor();
    while (true) {
      take("·");
      if (at_ == row_.size() || is("+") || is("−")) return v;
      v *= factor();
    }
  }
  double factor() {
    double v = operand();
    for (; at_ < row_.size() && row_[at_].kind == Kind::scripts; ++at_)
      v = std::pow(v, value(row_[at_].other));
    return v;
  }
  double operand() {
    if (at_ == row_.size()) return std::nan("");
    const Formula& f = row_[at_++];
    if (f.kind == Kind::group) return f.text == "||" ? std::abs(value(f.inner)) : value(f.inner);
    if (f.kind == Kind::fraction) return value(f.inner) / value(f.other);
    if (f.kind == Kind::root) return std::sqrt(value(f.inner));
    if (f.kind != Kind::text) return std::nan("");
    if (f.text == "Σ" || f.text == "Π") {
      ++at_;  // the index
      const double v = term();
      return f.text == "Σ" ? 2 * v : v * v;
    }
    if (f.text == "a") return 1.3;
    if (f.text == "b") return 0.7;
    if (f.text == "exp" || f.text == "abs") {
      if (at_ == row_.size() || row_[at_].text != "()") return std::nan("");
      const double v = value(row_[at_++].inner);
      return f.text == "exp" ? std::exp(v) : std::abs(v);
    }
    constexpr std::string_view minus = "−";  // of a small exponent
    const bool negative = f.text.starts_with(minus);
    const std::string digits = f.text.substr(negative ? minus.size() : 0);
    double number = std::nan("");
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return negative ? -number : number;
  }

  const std::vector<Formula>& row_;
  std::size_t at_ = 0;
};

TEST(Formula, AnEquationIsSeenAsItIsComputed) {
  using Make = std::function<Valued(const Valued&, const Valued&)>;
  const auto call = [](const char* name, double (*f)(double)) -> Make {
    return [=](const Valued& x, const Valued&) -> Valued {
      return {name + ("(" + x.text + ")"), f(x.value)};
    };
  };
  const auto join = [](const char* sign, double (*f)(double, double)) -> Make {
    return [=](const Valued& x, const Valued& y) -> Valued {
      return {"(" + x.text + ")" + sign + "(" + y.text + ")", f(x.value, y.value)};
    };
  };
  const auto over = [](const char* name, double (*f)(double)) -> Make {
    return [=](const Valued& x, const Valued&) -> Valued {
      return {name + ("(i: " + x.text + ")"), f(x.value)};
    };
  };
  const std::vector<Make> makers{
      join("+", [](double x, double y) { return x + y; }),
      join("-", [](double x, double y) { return x - y; }),
      join("*", [](double x, double y) { return x * y; }),
      join("/", [](double x, double y) { return x / y; }),
      join("^", [](double x, double y) { return std::pow(x, y); }),
      call("-", [](double x) { return -x; }),
      call("sqrt", [](double x) { return std::sqrt(x); }),
      call("exp", [](double x) { return std::exp(x); }),
      call("abs", [](double x) { return std::abs(x); }),
      over("sum", [](double x) { return 2 * x; }),
      over("prod", [](double x) { return x * x; }),
      [](const Valued& x, const Valued&) -> Valued {
        return {x.text, x.value};
      },
  };
  const std::array<Valued, 5> leaves{{{"a", 1.3}, {"b", 0.7}, {"2", 2}, {"3", 3}, {"1e-1", 0.1}}};
  std::size_t next = 0, seen = 0;
  const auto leaf = [&] { return leaves[next++ % leaves.size()]; };
  const auto check = [&](const Valued& made) {
    if (!std::isfinite(made.value) || std::abs(made.value) > 1e50) return;
    Definition definition;
    definition.inertia = "diag(1)";
    definition.potential = made.text;
    const std::vector<std::string> lines = equations(definition);
    ASSERT_EQ(lines.size(), 2u) << made.text;
    const std::string right = lines[1].substr(std::string("V = ").size());
    EXPECT_NEAR(Seen::value(parse_formula(right)), made.value, 1e-9 * std::abs(made.value))
        << made.text << " is set as " << right;
    ++seen;
  };
  for (const Make& outer : makers)
    for (const Make& middle : makers)
      for (const Make& inner : makers)
        for (int place = 0; place < 4; ++place) {
          const Valued x = inner(leaf(), leaf()), other = leaf();
          const Valued y = place % 2 == 0 ? middle(x, other) : middle(other, x), last = leaf();
          check(place < 2 ? outer(y, last) : outer(last, y));
        }
  EXPECT_GT(seen, 4000u);
}

TEST(Formula, LosesNothingOfWhatTheCatalogueHas) {
  // Every letter of the text is in what is set, indices in plain letters; only signs of the
  // notation go, and brackets that a bar stands for.
  const std::function<void(const std::vector<Formula>&, std::string&)> gather =
      [&](const std::vector<Formula>& row, std::string& all) {
        for (const Formula& f : row) {
          all += f.text;
          gather(f.inner, all);
          gather(f.other, all);
        }
      };
  std::vector<std::string> texts;
  for (const SystemInfo& s : systems()) texts.emplace_back(s.equations);
  for (const IntegratorInfo& i : integrators()) texts.emplace_back(i.formula);
  for (const std::string& text : texts) {
    std::string set;
    gather(parse_formula(text), set);
    for (const std::string_view letter : {"L", "q", "m", "g", "h", "ω", "Σ", "∂", "Π", "κ", "ε"})
      EXPECT_EQ(text.find(letter) != text.npos, set.find(letter) != set.npos)
          << letter << " in " << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '='), std::count(set.begin(), set.end(), '='))
        << text;
  }
}

TEST(Formula, AWordBelowASignIsNotCutAfterItsFirstLetter) {
  static const std::regex cut("_[A-Za-z]{2}");
  for (const SystemInfo& s : systems())
    EXPECT_FALSE(std::regex_search(std::string(s.equations), cut)) << s.equations;
  for (const Preset& p : presets()) {
    std::istringstream page{std::string(p.help)};
    for (std::string line; std::getline(page, line);)
      EXPECT_FALSE(line.starts_with("    ") && std::regex_search(line, cut)) << p.key << line;
  }
}

TEST(Formula, AnyTextIsTypesetWithoutEndlessLoops) {
  for (const char* text :
       {"",  " ",  "(",    ")",        "_",      "^",  "_{", "^{a", "a/", "/a",  "√",
        "|", "||", "a//b", "(a/(b/(c", "\u0307", "½½", "{",  "}",   "_)", "a_ ", "[(|"}) {
    const auto row = parse_formula(text);
    EXPECT_LT(row.size(), 12u) << text;
  }
}

/// Every letter is half as wide as it is high.
struct Ruler final : FormulaPen {
  struct Ink {
    float x, y, size;
    std::string text;
  };
  float width(const std::string& text, float size) const override {
    const auto letters =
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
    return 0.5f * size * static_cast<float>(letters);
  }
  void text(float x, float baseline, const std::string& text, float size) override {
    im_color.push_back({x, baseline, size, text});
  }
  void line(float x0, float y0, float x1, float y1, float) override {
    lines.push_back({x0, y0, x1 - x0, std::to_string(y1)});
  }
  void dot(float x, float y, float radius) override { dots.push_back({x, y, radius, ""}); }

  std::vector<Ink> im_color, lines, dots;
};

TEST(Formula, SetsIndicesLowerPowersHigherAndPartsOverOneAnother) {
  Ruler pen;
  const FormulaSize size = set_formula(parse_formula("q\u0307ᵢ² + a/b"), pen, 10, 20, 16, 1000);
  ASSERT_EQ(pen.im_color.size(), 6u);
  const auto &q = pen.im_color[0], &i = pen.im_color[1], &two = pen.im_color[2],
             &a = pen.im_color[4], &b = pen.im_color[5];
  EXPECT_EQ(q.x, 10);
  EXPECT_GT(i.y, q.y);
  EXPECT_LT(two.y, q.y);
  EXPECT_NEAR(i.x, two.x, 2) << "one above the other";
  EXPECT_LT(i.size, q.size);
  ASSERT_EQ(pen.dots.size(), 1u);
  EXPECT_GT(pen.dots[0].x, q.x);
  EXPECT_LT(pen.dots[0].x, q.x + 8);
  EXPECT_LT(pen.dots[0].y, q.y - 8);
  ASSERT_EQ(pen.lines.size(), 1u);
  EXPECT_LT(a.y, pen.lines[0].y);
  EXPECT_GT(b.y, pen.lines[0].y);
  EXPECT_EQ(a.x, b.x);
  EXPECT_GE(pen.lines[0].x + pen.lines[0].size, a.x + 6);
  EXPECT_NEAR(q.y, 20 + size.up, 1e-4);
  // Measured without ink, it is as large.
  Ruler measure;
  const FormulaSize same =
      set_formula(parse_formula("q\u0307ᵢ² + a/b"), measure, 10, 20, 16, 1000, false);
  EXPECT_TRUE(measure.im_color.empty());
  EXPECT_EQ(same.width, size.width);
}

TEST(Formula, BreaksBeforeASignAndStaysWithinItsWidth) {
  int broken = 0;
  for (const SystemInfo& s : systems()) {
    Ruler pen;
    const FormulaSize one = set_formula(parse_formula(s.equations), pen, 0, 0, 10, 10'000);
    Ruler narrow;
    const FormulaSize many = set_formula(parse_formula(s.equations), narrow, 0, 0, 10, 180);
    if (one.width > 181) {
      EXPECT_GT(many.up + many.down, 1.5f * (one.up + one.down)) << s.key;
      ++broken;
    }
    EXPECT_LE(many.width, 181) << s.key;
    EXPECT_EQ(narrow.im_color.size(), pen.im_color.size()) << s.key << ": nothing is lost";
  }
  EXPECT_GE(broken, 8) << "systems with an equation wider than the page";
}

}  // namespace
}  // namespace twosphere::formula_test
