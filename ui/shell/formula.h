// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Typesetting of equations from the plain text in the catalogue and the help pages.
namespace twosphere::ui {

/// A part of an equation.
struct Formula {
  enum class Kind {
    text,      ///< letters and signs, unchanged
    space,     ///< a possible line break
    accent,    ///< a letter with one dot, two dots or a hat
    scripts,   ///< a subscript, a superscript or both, of the preceding part
    group,     ///< in brackets that grow with their contents
    fraction,  ///< numerator over denominator
    root,      ///< a square root
  };
  Kind kind = Kind::text;
  std::string text;  ///< the letters, the letter below the accent, or both brackets: "()"
  std::string mark;  ///< the accent: ".", ":" or "^"
  std::vector<Formula>
      inner;  ///< the subscript, the contents of brackets or root, or the numerator
  std::vector<Formula> other;  ///< the superscript or the denominator

  bool operator==(const Formula&) const = default;
};

/// Reads "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ_{i<j} c/√(1 − c²)": letters with combining dots or hats;
/// subscripts and superscripts as Unicode characters or as _{…}, _x, ^{…}, ^x; ½; a/b of parts
/// without spaces; brackets; √(…). All other text is unchanged.
std::vector<Formula> parse_formula(std::string_view text);

/// Measures and draws the parts of an equation, in the units of the caller. y points downwards.
class FormulaPen {
 public:
  virtual ~FormulaPen() = default;
  virtual float width(const std::string& text, float size) const = 0;
  virtual void text(float x, float baseline, const std::string& text, float size) = 0;
  virtual void line(float x0, float y0, float x1, float y1, float thickness) = 0;
  virtual void dot(float x, float y, float radius) = 0;
};

/// The size of an equation: above its first baseline, and below it to its end.
struct FormulaSize {
  float width = 0, up = 0, down = 0;
};

/// Typesets an equation with its top at (x, y), at a font size, in lines of a width, which are
/// broken before a sign where possible. With `im_color` false it is only measured.
FormulaSize set_formula(const std::vector<Formula>& formula, FormulaPen& pen, float x, float y,
                        float size, float width, bool im_color = true);

}  // namespace twosphere::ui
