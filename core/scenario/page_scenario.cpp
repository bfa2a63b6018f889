// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/page_scenario.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/packing.h"

namespace twosphere {

bool is_web_page(std::string_view text) {
  constexpr std::string_view doctype = "<!doctype html";
  if (text.size() < doctype.size()) return false;
  for (std::size_t i = 0; i < doctype.size(); ++i) {
    const char c = text[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != doctype[i]) return false;
  }
  return true;
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
