// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twosphere {

/// Breaks a text at blanks so that no line is longer than `width`; every line but the first starts
/// with `indent` blanks, and the first has so many columns before it.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace twosphere
