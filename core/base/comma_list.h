// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace twosphere {

/// The members of a list that are separated by commas. Fails where one is missing or blank; the
/// error has no location.
Result<std::vector<std::string>> comma_list(std::string_view text);

}  // namespace twosphere
