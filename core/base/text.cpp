// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <algorithm>

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

int count_characters(std::string_view text) {
  // All bytes but those that continue a character.
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace twosphere
