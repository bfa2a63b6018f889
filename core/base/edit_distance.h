// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// The name in `candidates` nearest to `given` by edit distance, or empty if none is close enough;
/// at most `max_distance` edits.
std::string nearest(std::string_view given, const std::vector<std::string>& candidates,
                    std::size_t max_distance = std::string_view::npos);

}  // namespace twosphere
