// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twosphere {

/// The first place where two JSON documents differ, with both values: "initial.q[0][2]: 0.5 and
/// 0.25". None if the texts are equal.
std::optional<std::string> first_difference(std::string_view whole, std::string_view parts);

/// The same for two tables, where `whole` has `more` additional rows after its header:
/// "total_energy [J] at time [s] = 0.25: 1 and 2".
std::optional<std::string> first_different_row(std::string_view whole, std::string_view parts,
                                               std::int64_t more);

}  // namespace twosphere
