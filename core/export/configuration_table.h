// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/mechanics/state.h"

namespace twosphere {

/// A lane at an instant, ω up to date.
struct LaneConfiguration {
  std::string lane;
  State state;
};

/// q and ω of every body of every lane, a line each, with a heading: lane, body from 1, time,
/// q and ω, separated by tabs. Numbers have the shortest form that reads back to the same double.
std::string configuration_table(std::span<const LaneConfiguration> poses);

}  // namespace twosphere
