// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace twosphere {

/// Whether a text is an HTML document rather than a scenario.
bool is_web_page(std::string_view text);
/// Fails if a page that is written cannot have this name. Errors refer to `option`.
Result<void> check_page_name(const std::string& path, const char* option);
/// Whether a file is one, by its name or by its first bytes. It is read, never written: a scenario
/// that is saved is a separate file.
bool is_web_page_file(const std::string& path);

/// The scenario in a web page of `twosphere run --html`: the bytes that its block "scenario" holds.
/// Fails with the location `source` if there is none.
Result<std::string> page_scenario(std::string_view page, std::string_view source);

}  // namespace twosphere
