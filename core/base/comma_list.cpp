// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/comma_list.h"

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text.h"

namespace twosphere {

Result<std::vector<std::string>> comma_list(std::string_view text) {
  std::vector<std::string> members = split(text, ',');
  for (std::size_t k = 0; k < members.size(); ++k)
    if (members[k].find_first_not_of(" \t") == std::string::npos)
      return Error{ErrorKind::usage, "",
                   fmt::format("{}: value {} of the list is missing", json::quote(text), k + 1)};
  return members;
}

}  // namespace twosphere
