// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace twosphere::ui {

/// With primes for dots above (U+0307): q′ = dq/dt. Few fonts put a dot over a letter that is
/// followed by an index, and a derivative without its dot is another equation.
std::string with_primes(std::string text);

}  // namespace twosphere::ui
