// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace twosphere::ui {

/// How well a text matches a search. The letters of the search must occur in the text in order;
/// case and spaces are ignored. The score is higher for letters at the start of a word and for
/// consecutive letters, and lower for the remaining text. None if they do not occur. Comparison is
/// bytewise, with ASCII case only.
std::optional<int> fuzzy_score(std::string_view typed, std::string_view text);

}  // namespace twosphere::ui
