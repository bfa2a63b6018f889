// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/text.h"

namespace twosphere {

namespace {

/// The character at the front of a text.
struct Character {
  std::size_t length = 1;  ///< in bytes
  std::string shown;
  std::size_t columns = 1;  ///< that it takes up on a terminal
};

Character front(std::string_view text) {
  Character front;
  const std::string_view bytes = first_character(text);
  front.length = bytes.size();
  const char32_t code = code_point(bytes);
  if (code == '\t' || code == '\n' || code == '\r') {
    front.shown = " ";
  } else if (is_hidden(code)) {
    const auto number = static_cast<unsigned>(code);
    front.shown =
        number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
    front.columns = front.shown.size();
  } else {
    front.shown = bytes;
    if (0x300 <= code && code < 0x370) front.columns = 0;  // an accent
  }
  return front;
}

}  // namespace

bool is_hidden(char32_t code) {
  const auto in = [code](char32_t first, char32_t last) { return first <= code && code <= last; };
  return code < 0x20 || in(0x7F, 0x9F) || code == 0xAD || code == 0x61C || in(0x200B, 0x200F) ||
         in(0x2028, 0x202E) || in(0x2060, 0x206F) || code == 0xFEFF || code == 0x180E ||
         in(0xFFF9, 0xFFFB) || in(0x1D173, 0x1D17A) || in(0xE0000, 0xE007F);
}

namespace {

/// A text as it is shown, in which these characters stay.
std::string shown(std::string_view text, std::string_view kept) {
  const auto plain = [](char c) { return ' ' <= c && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Character next = front(text.substr(i));
    out += kept.find(text[i]) == kept.npos ? std::string_view(next.shown) : text.substr(i, 1);
    i += next.length;
  }
  return out;
}

}  // namespace

std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

std::string printable(std::string_view text) { return shown(text, ""); }

std::string excerpt(std::string_view text, int column) {
  constexpr int most = 70;
  if (column <= 0) return {};
  std::string line;
  std::vector<std::size_t> starts;  // of the columns of the line
  int at = 0, caret = 0;            // of the text, and in the line
  for (std::size_t i = 0; i < text.size();) {
    const Character next = front(text.substr(i));
    i += next.length;
    if (next.length == 1 && text[i - 1] == '\n') {
      if (++at >= column) break;
      line.clear();
      starts.clear();
      continue;
    }
    if (++at == column)
      caret = static_cast<int>(starts.size()) - (next.columns == 0 && !starts.empty() ? 1 : 0);
    for (std::size_t k = 0; k < next.columns; ++k) starts.push_back(line.size() + k);
    line += next.shown;
  }
  const int width = static_cast<int>(starts.size());
  if (at < column) caret = width;  // behind the end
  const int from = std::clamp(caret - most / 2, 0, std::max(0, width - most));
  const int to = std::min(width, from + most);
  const auto byte = [&](int k) {
    return k < width ? starts[static_cast<std::size_t>(k)] : line.size();
  };
  const std::string_view before = from > 0 ? "…" : "", after = to < width ? "…" : "";
  return fmt::format("\n    {}{}{}\n    {}^", before,
                     std::string_view(line).substr(byte(from), byte(to) - byte(from)), after,
                     std::string(static_cast<std::size_t>(caret - from + (from > 0 ? 1 : 0)), ' '));
}

int column_of(std::string_view location) {
  constexpr std::string_view column = "column ";
  int number = 0;
  if (location.starts_with(column))
    std::from_chars(location.data() + column.size(), location.data() + location.size(), number);
  return number;
}

}  // namespace twosphere
