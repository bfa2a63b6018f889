// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace twosphere::ui {

/// How well a text answers what was typed: the letters typed must come in it, in order, whatever
/// their case; blanks typed mean nothing. Higher is better: for letters at the start of a word and
/// letters in a row; lower for what is left over. None if they do not come. Letters are compared by
/// their bytes, case only in ASCII.
std::optional<int> fuzzy_score(std::string_view typed, std::string_view text);

}  // namespace twosphere::ui
