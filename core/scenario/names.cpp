// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/names.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/scenario/file_limits.h"

namespace twosphere {

std::string why_formula(std::string_view text) {
  const std::string_view first = first_character(text);
  for (const std::string_view sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
    if (first == sign)
      return fmt::format("must not begin with {}, which spreadsheets take for a formula", sign);
  return {};
}

std::string why_no_name(std::string_view name) {
  if (name.find_first_not_of(" \t\r\n") == name.npos) return "must not be empty";
  if (has_control_character(name)) return "must not contain a control character";
  if (std::string why = why_formula(name); !why.empty()) return why;
  if (name.size() > longest_name)
    return fmt::format("must have at most {} bytes, not {}", longest_name, name.size());
  return {};
}

void check_name(const document::Value& value, std::string_view name) {
  if (const std::string why = why_no_name(name); !why.empty()) value.fail("the name " + why);
}

std::string name_of_expression(const std::string& expression) {
  return why_no_name(expression).empty() ? expression : '(' + expression + ')';
}

}  // namespace twosphere
