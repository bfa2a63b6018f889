// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/mechanics/state.h"

namespace twosphere {

/// The state of a lane at one instant, with ω up to date.
struct LaneConfiguration {
  std::string lane;
  State state;
};

/// A table separated by tabs with a heading and one line per body and lane: lane, body numbered
/// from 1, time, q and ω. Numbers have the shortest form that reads back to the same double.
std::string configuration_table(std::span<const LaneConfiguration> configurations);

}  // namespace twosphere
