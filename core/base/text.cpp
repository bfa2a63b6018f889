// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace twosphere {

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(by);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && length < 4 &&
         (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    ++length;
  return text.substr(0, length);
}

char32_t code_point(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]);
  char32_t code = static_cast<unsigned char>(character[0]) & (0x7FU >> character.size());
  for (const char byte : character.substr(1))
    code = (code << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  return code;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const auto first = static_cast<unsigned char>(character[0]);
    const char32_t code = code_point(character);
    const bool surrogate = 0xD800 <= code && code < 0xE000;
    const bool right = character.size() == 1   ? first < 0x80
                       : character.size() == 2 ? 0xC2 <= first && first < 0xE0
                       : character.size() == 3
                           ? 0xE0 <= first && first < 0xF0 && code >= 0x800 && !surrogate
                           : 0xF0 <= first && first < 0xF5 && 0x10000 <= code && code <= 0x10FFFF;
    if (!right) return false;
    text.remove_prefix(character.size());
  }
  return true;
}

int count_characters(std::string_view text) {
  // All bytes but those that continue a character.
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

bool has_control_character(std::string_view text) {
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const char32_t code = code_point(character);
    if (code < 0x20 || (0x7F <= code && code <= 0x9F)) return true;
    text.remove_prefix(character.size());
  }
  return false;
}

std::string with_index(std::string_view symbol, int index) {
  static constexpr std::array<std::string_view, 10> digits{"₀", "₁", "₂", "₃", "₄",
                                                           "₅", "₆", "₇", "₈", "₉"};
  std::string result(symbol);
  for (const char c : std::to_string(index)) result += digits[static_cast<std::size_t>(c - '0')];
  return result;
}

std::string cut_to_fit(std::string_view text, const std::function<bool(const std::string&)>& fits) {
  if (fits(std::string(text))) return std::string(text);
  // At the beginning of a character, without spaces before the ellipsis.
  const auto cut = [text](std::size_t length) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    while (length > 0 && text[length - 1] == ' ') --length;
    return std::string(text.substr(0, length)) + "…";
  };
  if (!fits(cut(0))) return {};
  std::size_t fitting = 0, too_long = text.size();
  while (too_long - fitting > 1) {
    const std::size_t middle = fitting + (too_long - fitting) / 2;
    (fits(cut(middle)) ? fitting : too_long) = middle;
  }
  return cut(fitting);
}

std::string counted(std::int64_t count, std::string_view what) {
  return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      out.append(1, '\n').append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace twosphere
