// SPDX-License-Identifier: GPL-3.0-or-later
// Every letter of an explanation is in the font that draws it; one that is not is a question mark.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/output/body_quantity.h"
#include "core/run/step_cost.h"
#include "tests/ui/desk.h"
#include "ui/shell/actions.h"

namespace twosphere::letters_test {
namespace {

using namespace ui;
using namespace ui_test;

void add(std::vector<std::string_view>& texts, const std::vector<ParameterInfo>& parameters) {
  for (const ParameterInfo& p : parameters) {
    texts.insert(texts.end(), {p.symbol, p.label, p.help, p.unit});
    for (const ParameterForm& form : p.forms) {
      texts.push_back(form.help);
      add(texts, form.fields);
    }
  }
}

/// The texts of the lists that explanations are made of.
std::vector<std::string_view> listed_texts() {
  std::vector<std::string_view> texts;
  for (const SystemInfo& s : systems()) {
    texts.insert(texts.end(), {s.title, s.description, s.reference});
    add(texts, s.parameters);
  }
  for (const IntegratorInfo& method : integrators()) {
    texts.insert(texts.end(), {method.title, method.description, method.reference});
    add(texts, method.parameters);
  }
  for (const QuantityInfo& q : quantities()) texts.insert(texts.end(), {q.label, q.symbol, q.help});
  for (const QuantityInfo& q : step_quantities())
    texts.insert(texts.end(), {q.label, q.symbol, q.help});
  for (const BodyVectorInfo& v : body_vectors())
    texts.insert(texts.end(), {v.label, v.symbol, v.help});
  for (const ActionInfo& action : actions()) texts.insert(texts.end(), {action.label, action.help});
  return texts;
}

TEST(Letters, AreInTheFontOfTooltips) {
  const Desk desk;
  int dots = 0;
  for (const std::string_view text : listed_texts())
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view letter = first_character(rest);
      const char32_t code = code_point(letter);
      rest.remove_prefix(letter.size());
      if (code < U' ') continue;
      dots += code == U'\u0307';
      EXPECT_TRUE(font(Face::text)->FindGlyphNoFallback(static_cast<ImWchar>(code)))
          << letter << " of " << text;
    }
  EXPECT_GT(dots, 0) << "what this is about is in none of them any more";
}

// The kinetic energy is T = ½ Σ Mᵢⱼ q̇ᵢ·q̇ⱼ.
TEST(Letters, ARateKeepsItsDotWhereItIsDrawn) {
  Desk desk;
  desk.interface.settings().plots = {plot_of(Quantity::kinetic_energy)};
  desk.run_and_draw(10);
  const ImFontGlyph *dot = font(Face::text)->FindGlyphNoFallback(0x307),
                    *q = font(Face::text)->FindGlyphNoFallback('q');
  ASSERT_TRUE(dot);
  // Above the letter before it.
  EXPECT_EQ(dot->AdvanceX, 0);
  EXPECT_GT(dot->X0 + q->AdvanceX, q->X0);
  EXPECT_LT(dot->X1 + q->AdvanceX, q->X1);
  EXPECT_LT((dot->Y0 + dot->Y1) / 2, q->Y0);
  const auto drawn = [dot] {
    const std::vector<ImDrawVert> corners = drawn_corners();
    return std::count_if(corners.begin(), corners.end(), [dot](const ImDrawVert& v) {
      return v.uv.x == dot->U0 && v.uv.y == dot->V0;
    });
  };
  EXPECT_EQ(drawn(), 0);
  desk.point("plot_title/kinetic_energy", 60);
  EXPECT_EQ(drawn(), 2) << "of the tooltip";
}

}  // namespace
}  // namespace twosphere::letters_test
