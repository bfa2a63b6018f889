// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace twosphere {

/// A text from outside the program for messages: characters that would not be seen, or that would
/// move others on a terminal, are escaped, as \\u202e.
std::string printable(std::string_view text);

/// The same of a text of lines and columns, of which line breaks and tabs stay.
std::string printable_lines(std::string_view text);
/// Whether a character would not be seen, or would move others: controls, marks of the direction
/// of writing, separators of lines, spaces without width, tags and other marks of formats.
bool is_hidden(char32_t code);

/// Two lines that show a character of a text: its line, shortened to some 70 characters about it,
/// and a caret under it; empty if `column` is 0. Each line is preceded by a line break.
std::string excerpt(std::string_view text, int column);

/// N of "column N", the location of an error in a text; 0 of any other location.
int column_of(std::string_view location);

}  // namespace twosphere
