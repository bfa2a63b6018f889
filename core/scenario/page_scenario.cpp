// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/page_scenario.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/packing.h"

namespace twosphere {

namespace {

constexpr std::string_view doctype = "<!doctype html";

char lower_case(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/// Whether a file of this name is an HTML document: it ends in .html or .htm, in letters of either
/// case.
bool is_web_page_name(std::string_view path) {
  const auto ends = [path](std::string_view ending) {
    return path.size() > ending.size() &&
           std::equal(ending.begin(), ending.end(), path.end() - std::ssize(ending),
                      [](char a, char b) { return a == lower_case(b); });
  };
  return ends(".html") || ends(".htm");
}

}  // namespace

bool is_web_page(std::string_view text) {
  return text.size() >= doctype.size() &&
         std::equal(doctype.begin(), doctype.end(), text.begin(),
                    [](char a, char b) { return a == lower_case(b); });
}

Result<void> check_page_name(const std::string& path, const char* option) {
  if (is_web_page_name(path)) return {};
  return Error{ErrorKind::usage, option, json::quote(path) + " must end in .html or .htm"};
}

bool is_web_page_file(const std::string& path) {
  return is_web_page_name(path) || is_web_page(first_bytes(path, doctype.size()));
}

Result<std::string> page_scenario(std::string_view page, std::string_view source) {
  constexpr std::string_view block = " id=\"scenario\">", end = "</script>";
  const auto found = page.find(block);
  if (found == page.npos)
    return Error{ErrorKind::usage, std::string(source),
                 "this web page has no scenario; twosphere run --html makes pages that have one"};
  const std::string_view rest = page.substr(found + block.size());
  auto scenario = from_base64(rest.substr(0, rest.find(end)));
  if (!scenario)
    return Error{ErrorKind::usage, std::string(source), "the scenario in this web page is damaged"};
  return std::move(*scenario);
}

}  // namespace twosphere
