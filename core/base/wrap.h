// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twosphere {

/// Breaks a text at spaces so that no line is longer than `width`. The first line starts at column
/// `indent`; each further line starts with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace twosphere
