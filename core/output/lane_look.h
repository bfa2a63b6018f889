// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "core/color/look.h"

namespace twosphere {

/// The look in the record of an integrator; the default look if the key is unknown.
Look integrator_look(std::string_view integrator);

/// The integrator whose look a lane takes, given the integrators of all lanes. The first lane of an
/// integrator has its own look. Each further one takes the look of the next integrator in the order
/// of Look::reuse_order that has no lane, so that colour, dash and marker differ between lanes.
std::string_view lane_look(std::span<const std::string_view> integrators, std::size_t lane);

}  // namespace twosphere
