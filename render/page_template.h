// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere::render {

/// Source texts of a page, by their names.
using PageFiles = std::map<std::string_view, std::string_view>;

/// The file "page.html" with each @NAME@ replaced by the part of that name: @STYLE@ by the file
/// "player.css", @PLAYER@ by "player.js" without its comments and most of its spaces. Fails if a
/// file or a part is missing, as where the program was built from an incomplete tree.
Result<std::string> filled_page(const PageFiles& files,
                                std::map<std::string_view, std::string> parts);

/// A source text without lines that are comments (//) and the spaces around its lines; `all`:
/// without comments that follow code either, which a language with // in its texts must keep.
std::string without_comments(std::string_view source, bool all);

/// A script in JavaScript without the spaces beside brackets and operators, except in texts. There
/// must be no quotation mark in a comment or a regular expression, no space in one of these, and no
/// text in backquotes within another.
std::string without_spaces(std::string_view script);

}  // namespace twosphere::render
