// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/color/look.h"

namespace twosphere {

/// The look in an integrator's record; that of text if there is none of that key.
Look integrator_look(std::string_view integrator);

/// The integrator whose look a lane has, of lanes with these integrators: its own; for a second
/// lane of a kind the next one that is lent and that no lane has, so that colour, dash and marker
/// tell all apart.
std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane);

}  // namespace twosphere
