// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "core/custom/definition_keys.h"
#include "tests/outcome.h"

namespace twosphere::test {

/// A text of a definition that is refused.
struct WrongText {
  std::string where, text;  ///< put() into a definition
  std::string location;     ///< that the error names
  int column;
  std::string message;  ///< part of it
};
inline void PrintTo(const WrongText& c, std::ostream* out) { *out << c.where << ": " << c.text; }

/// The definition with the text in its place, in a list behind the others.
inline Definition put(Definition d, const WrongText& c) {
  for (const auto& [key, text] : single_texts)
    if (c.where == key) d.*text = c.text;
  for (const auto& [key, texts] : text_lists)
    if (c.where == key) (d.*texts).push_back(c.text);
  return d;
}

/// The error of a definition with this text, at the place and with the message that it has.
inline TextError expect_refused(const Definition& d, const WrongText& c) {
  const CompileResult t = translate(d);
  EXPECT_FALSE(t.definition) << "is accepted";
  EXPECT_EQ(t.error.location, c.location) << t.error.message;
  EXPECT_EQ(t.error.column, c.column) << t.error.message;
  EXPECT_TRUE(says(t.error.message, c.message));
  return t.error;
}

}  // namespace twosphere::test
