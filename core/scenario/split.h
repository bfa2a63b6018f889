// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace twosphere {

/// How a scene with several lanes or runs is shown: all in one, or each in its own cell.
enum class Split { none, lanes, runs };
inline constexpr std::array splits{Split::none, Split::lanes, Split::runs};

/// "none", "lanes", "runs", as in files and options.
constexpr std::string_view key(Split split) {
  return split == Split::lanes ? "lanes" : split == Split::runs ? "runs" : "none";
}

}  // namespace twosphere
