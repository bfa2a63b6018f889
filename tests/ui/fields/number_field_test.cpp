// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into a field for a number, or reached by dragging it.
#include "ui/fields/number_field.h"

#include <gtest/gtest.h>

#include <cmath>

namespace twosphere::ui::number_field_test {
namespace {

TEST(NumberField, NamesWhatWasGivenAndWhatIsAllowed) {
  const ParameterInfo mass{.key = "masses",
                           .symbol = "m",
                           .label = "mass",
                           .unit = "kg",
                           .help = "",
                           .domain = Domain::positive,
                           .low = 0.01,
                           .high = 100,
                           .logarithmic = true};
  NumberField field{.path = "", .info = &mass, .symbol = "m₁"};
  EXPECT_EQ(typed(field, " +2,5 ").value, 2.5);
  EXPECT_EQ(typed(field, "1e3").value, 1000) << "outside the range of dragging, but possible";
  EXPECT_EQ(typed(field, "−5").error,
            "m₁ must be greater than 0, not −5 kg.\nUsual range: 0.01000 to 100.0 kg.");
  EXPECT_EQ(typed(field, "5kg").value, 5);
  EXPECT_EQ(typed(field, "250 g").value, 0.25);
  EXPECT_EQ(typed(field, "sqrt(2)/2").value, std::sqrt(2) / 2);
  EXPECT_EQ(typed(field, "1/0").error,
            "\"1/0\", column 2: 1 / 0 is not a finite number.\nUsual range: 0.01000 to 100.0 kg.");
  EXPECT_EQ(typed(field, "5 m").error,
            "\"5 m\", column 1: the value must be in kg, not in m.\n"
            "Usual range: 0.01000 to 100.0 kg.");
  for (const char* wrong : {"", " ", "inf", "nan", "0x10", "1.2.3", "1e999", "0"})
    EXPECT_FALSE(typed(field, wrong).value) << wrong;
  field.multiple = 4;
  EXPECT_EQ(typed(field, "12").value, 12);
  EXPECT_TRUE(typed(field, "10").error.starts_with("m₁ must be a multiple of 4, not 10 kg."));
  EXPECT_EQ(dragged(field, 4, 1), 4);
  EXPECT_EQ(dragged(field, 4, 120), 40);
  EXPECT_EQ(dragged(field, 40, -900), 4);
  const ParameterInfo share{
      .key = "q", .symbol = "q", .label = "", .unit = "1", .help = "", .low = -1, .high = 1};
  field = {.path = "", .info = &share, .symbol = "q₁ x", .min = -1, .max = 1};
  EXPECT_EQ(typed(field, "-1").value, -1);
  EXPECT_TRUE(typed(field, "1.5").error.starts_with("q₁ x must be from −1 to 1, not 1.5."));
}

}  // namespace
}  // namespace twosphere::ui::number_field_test
