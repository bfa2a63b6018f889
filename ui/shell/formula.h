// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Equations set from the plain text that the catalogue and the help pages have them in.
namespace twosphere::ui {

/// A part of an equation.
struct Formula {
  enum class Kind {
    text,      ///< letters and signs as they are
    space,     ///< where a line may end
    accent,    ///< a letter with one dot, two dots or a hat above
    scripts,   ///< a subscript, a superscript or both, of what stands before
    group,     ///< within brackets as high as what they hold
    fraction,  ///< one over the other
    root,      ///< a square root
  };
  Kind kind = Kind::text;
  std::string text;  ///< the letters, the accent's letter, both brackets: "()"
  std::string mark;  ///< of an accent: ".", ":" or "^"
  std::vector<Formula>
      inner;  ///< the subscript, what is in brackets or under the root, the numerator
  std::vector<Formula> other;  ///< the superscript, the denominator

  bool operator==(const Formula&) const = default;
};

/// Reads "L = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ + Σ_{i<j} c/√(1 − c²)": letters with combining dots or hats; subscripts
/// and superscripts by their own letters, or as _{…}, _x, ^{…}, ^x; ½; a/b of what stands together
/// without blanks; brackets; √(…). Whatever is none of these stays as it is.
std::vector<Formula> parse_formula(std::string_view text);

/// What sets an equation: widths and ink of text, in units of the caller. y runs downwards.
class FormulaPen {
 public:
  virtual ~FormulaPen() = default;
  virtual float width(const std::string& text, float size) const = 0;
  virtual void text(float x, float baseline, const std::string& text, float size) = 0;
  virtual void line(float x0, float y0, float x1, float y1, float thickness) = 0;
  virtual void dot(float x, float y, float radius) = 0;
};

/// How large an equation is: from its first baseline up, and down to its end.
struct FormulaSize {
  float width = 0, up = 0, down = 0;
};

/// Sets an equation from (x, y), y being its top, at a letter size, in lines of a width: they end
/// before a sign where they can. Without `ink` it is only measured.
FormulaSize set_formula(const std::vector<Formula>& formula, FormulaPen& pen, float x, float y,
                        float size, float width, bool im_color = true);

}  // namespace twosphere::ui
