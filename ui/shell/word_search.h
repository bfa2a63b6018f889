// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace twosphere::ui {

/// How words are compared with those that are looked for.
enum class Spelling {
  exact,       ///< the words, or how they begin
  with_typos,  ///< also with one letter wrong, missing, too many, or exchanged with the next, in
               ///< words of at least four letters
};

/// How well a text answers a search: every word of the search must be one of its words, or the
/// beginning of one. Case is ignored, in ASCII. The score is higher for whole words and for the
/// first word of the text, and lower for a longer text. None if a word is missing.
std::optional<int> word_score(std::string_view typed, std::string_view text,
                              Spelling spelling = Spelling::exact);

/// The words at a key of an object of lists of words, "chaos lyapunov"; empty if there are none.
std::string listed_words(const json::Node& lists, std::string_view key);

}  // namespace twosphere::ui
