// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace twosphere {

/// The SHA-256 of the bytes (FIPS 180-4), as 64 hexadecimal digits in lower case.
std::string sha256(std::string_view bytes);

}  // namespace twosphere
