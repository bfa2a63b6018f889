// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/xml.h"

#include "core/base/text.h"

namespace twosphere {

namespace {

/// Whether the bytes of one character are UTF-8, in the shortest form.
bool is_utf8(std::string_view character, char32_t code) {
  const auto first = static_cast<unsigned char>(character[0]);
  switch (character.size()) {
    case 1:
      return first < 0x80;
    case 2:
      return first >= 0xC2 && first < 0xE0;
    case 3:
      return first >= 0xE0 && first < 0xF0 && code >= 0x800;
    default:
      return first >= 0xF0 && first < 0xF5 && code >= 0x10000 && code <= 0x10FFFF;
  }
}

bool is_xml(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return !surrogate && code != 0xFFFE && code != 0xFFFF;
}

}  // namespace

std::string xml_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const char32_t code = code_point(character);
    out += is_utf8(character, code) && is_xml(code) ? character : "\uFFFD";
    text.remove_prefix(character.size());
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : xml_characters(text)) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
        out += "&#9;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      default:
        out += c;
    }
  return out;
}

}  // namespace twosphere
