// SPDX-License-Identifier: GPL-3.0-or-later
// Equations as the catalogue and the help pages write them, read and set.
#include "ui/shell/formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/catalog.h"

using namespace twosphere;
using namespace twosphere::ui;

namespace {

using Kind = Formula::Kind;

/// What was read, in a notation of its own: a_{i}, a^{2}, {1/2}, √{c}, q with its mark.
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
  EXPECT_EQ(read("(σ/r)¹²"), "({σ/r})^{12}") << "what has a power keeps its brackets";
  EXPECT_EQ(read("3 (qᵢ·r)(qⱼ·r)/r²]"), "3 {(q_{i}·r)(q_{j}·r)/r^{2}}]");
  EXPECT_EQ(read("½h² ∂V/∂qᵢ"), "{1/2}h^{2} {∂V/∂q_{i}}");
  EXPECT_EQ(read("F(t + h/2, y)"), "F(t + {h/2}, y)");
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

TEST(Formula, AnyTextIsTypesetWithoutEndlessLoops) {
  for (const char* text :
       {"",  " ",  "(",    ")",        "_",      "^",  "_{", "^{a", "a/", "/a",  "√",
        "|", "||", "a//b", "(a/(b/(c", "\u0307", "½½", "{",  "}",   "_)", "a_ ", "[(|"}) {
    const auto row = parse_formula(text);
    EXPECT_LT(row.size(), 12u) << text;
  }
}

/// Every letter is half as wide as it is high.
class Ruler final : public FormulaPen {
 public:
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
  for (const SystemInfo& s : systems()) {
    Ruler pen;
    const FormulaSize one = set_formula(parse_formula(s.equations), pen, 0, 0, 10, 10'000);
    Ruler narrow;
    const FormulaSize many = set_formula(parse_formula(s.equations), narrow, 0, 0, 10, 180);
    EXPECT_GT(many.up + many.down, 1.5f * (one.up + one.down)) << s.key;
    EXPECT_LE(many.width, 181) << s.key;
    EXPECT_EQ(narrow.im_color.size(), pen.im_color.size()) << s.key << ": nothing is lost";
  }
}

}  // namespace
