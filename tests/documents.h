// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// The documents of the source tree and their parts generated from tables of the program. With
/// TWOSPHERE_UPDATE=1 these parts are rewritten.
namespace twosphere::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(TWOSPHERE_SOURCE_DIR "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline bool updating() { return std::getenv("TWOSPHERE_UPDATE") != nullptr; }

/// Compares the text between `begin` and `end` in a file with `wanted`, or replaces it when
/// updating.
inline void expect_between(const std::string& path, const std::string& begin,
                           const std::string& end, const std::string& wanted) {
  std::string text = text_of(path);
  const std::size_t from = text.find(begin);
  ASSERT_NE(from, std::string::npos) << path << " has no " << begin;
  const std::size_t first = from + begin.size(), last = text.find(end, first);
  ASSERT_NE(last, std::string::npos) << path << " has no " << end << " after " << begin;
  if (updating()) {
    text.replace(first, last - first, wanted);
    std::ofstream(TWOSPHERE_SOURCE_DIR "/" + path, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text.substr(first, last - first), wanted)
      << path << " is behind the program; TWOSPHERE_UPDATE=1 writes it anew";
}

/// A line of a Markdown table.
inline std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? "\\|" : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}
/// The first two lines of a Markdown table.
inline std::string head(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) line += "---|";
  return row(cells) + line + "\n";
}
inline std::string code(std::string_view key) { return '`' + std::string(key) + '`'; }

}  // namespace twosphere::test
