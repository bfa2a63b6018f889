// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/page_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace twosphere::render {

Result<std::string> filled_page(const PageFiles& files,
                                std::map<std::string_view, std::string> parts) {
  for (const char* name : {"page.html", "player.css", "player.js"})
    if (const auto found = files.find(name); found == files.end() || found->second.empty())
      return Error{ErrorKind::input_output, name,
                   "this file, of which web pages are made, is missing in the program"};
  parts["STYLE"] = files.at("player.css");
  parts["PLAYER"] = without_spaces(without_comments(files.at("player.js"), false));
  std::string_view page = files.at("page.html");
  std::string out;
  for (;;) {
    const std::size_t open = page.find('@'), close = page.find('@', open + 1);
    if (open == page.npos || close == page.npos) break;
    out += page.substr(0, open);
    const std::string_view name = page.substr(open + 1, close - open - 1);
    const auto part = parts.find(name);
    if (part == parts.end())
      return Error{ErrorKind::input_output, "page.html",
                   fmt::format("the program has no part {} for this file", name)};
    out += part->second;
    page.remove_prefix(close + 1);
  }
  out += page;
  return out;
}

std::string without_comments(std::string_view source, bool all) {
  std::string out;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    std::string_view line = source.substr(0, end);
    source.remove_prefix(std::min(end + 1, source.size()));
    if (all) line = line.substr(0, line.find("//"));
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
    if (first == line.npos || line.substr(first).starts_with("//")) continue;
    out += line.substr(first, last - first + 1);
    out += '\n';
  }
  return out;
}

std::string without_spaces(std::string_view script) {
  constexpr std::string_view marks = "=,;{}()[]?:*/%+-!<>&|\n";
  std::string out;
  char quote = 0;  // that of the text which is open
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (quote != 0) {
      if (c == '\\' && i + 1 < script.size())
        out += script[i++];
      else if (c == quote)
        quote = 0;
      out += script[i];
      continue;
    }
    if (c == '\'' || c == '"' || c == '`') quote = c;
    const char before = out.empty() ? '\n' : out.back(),
               after = i + 1 < script.size() ? script[i + 1] : '\n';
    const bool beside = marks.find(before) != marks.npos || marks.find(after) != marks.npos;
    // Two signs that are alike would be another one.
    if (c != ' ' || !beside || before == after) out += c;
  }
  return out;
}

}  // namespace twosphere::render
