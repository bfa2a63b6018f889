// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// The parts of a text between characters `by`: one more than there are of these.
std::vector<std::string> split(std::string_view text, char by);

/// The first character of a text in UTF-8 that is not empty, and the code point of one.
std::string_view first_character(std::string_view text);
char32_t code_point(std::string_view character);
/// Whether a text is UTF-8: of every character in the shortest form, and of no surrogate.
bool is_utf8(std::string_view text);
/// The number of characters of a text in UTF-8.
int count_characters(std::string_view text);

/// Whether a control character of ASCII or Unicode is in it, which no table can have in a name.
bool has_control_character(std::string_view text);

/// A text of each item: texts_of(lanes, &LaneSpec::name).
template <class Range, class Text>
std::vector<std::string> texts_of(const Range& range, const Text& text) {
  std::vector<std::string> all;
  for (const auto& item : range) all.emplace_back(std::invoke(text, item));
  return all;
}
/// These texts in one, with a separator between them.
template <class Range, class Text>
std::string joined(const Range& range, std::string_view separator, const Text& text) {
  std::string all;
  for (const auto& item : range)
    all.append(all.empty() ? "" : separator).append(std::invoke(text, item));
  return all;
}

/// A symbol with a number as its subscript: "m₁".
std::string with_index(std::string_view symbol, int index);
/// The text if it fits, else the longest beginning of it that does with an ellipsis, or nothing.
/// Asks about as many times as its length in bytes has binary digits.
std::string cut_to_fit(std::string_view text, const std::function<bool(const std::string&)>& fits);
/// "1 step", "2 steps".
std::string counted(std::int64_t count, std::string_view what);
/// CRC-32 of IEEE 802.3, as of gzip.
std::uint32_t checksum(std::string_view text);
/// With a capital in place of a first letter from a to z.
std::string capitalised(std::string text);

/// Breaks a text at spaces so that no line is longer than `width`. The first line starts at column
/// `indent`; each further line starts with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace twosphere
