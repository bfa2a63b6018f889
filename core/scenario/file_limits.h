// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// Limits of scenario files, which the readers and the table of keys share.
namespace twosphere {

inline constexpr std::size_t max_branches = 8;
inline constexpr std::size_t longest_branch_name = 64;  ///< [bytes of UTF-8]
inline constexpr int max_subdivisions = 7;              ///< 163 842 directions

}  // namespace twosphere
