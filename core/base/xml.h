// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace twosphere {

/// A text with U+FFFD for what XML 1.0 has no character for: control characters other than tab and
/// line breaks, and bytes that are not UTF-8.
std::string xml_characters(std::string_view text);

/// The same in an XML document, in an element or in quotes as an attribute, where white space is
/// kept as it is.
std::string xml_text(std::string_view text);

}  // namespace twosphere
