// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace twosphere {

/// Bytes as text: base64 of RFC 4648, padded, without line breaks.
std::string base64(std::string_view bytes);
/// The bytes of such a text, in which white space may stand anywhere; none if it is not one.
std::optional<std::string> from_base64(std::string_view text);

/// Bytes compressed as RFC 1950 (zlib); level 1 to 9.
std::string deflated(std::string_view bytes, int level = 9);

}  // namespace twosphere
