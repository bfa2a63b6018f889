// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/xml.h"

#include "core/base/text.h"

namespace twosphere {

namespace {

bool is_xml(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code != 0xFFFE && code != 0xFFFF;
}

}  // namespace

std::string xml_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const char32_t code = code_point(character);
    out += is_utf8(character) && is_xml(code) ? character : "\uFFFD";
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
