// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/mechanics/integrator.h"

namespace twosphere {

/// The look that a method states, or one derived from its family and from those that older methods
/// have. The dash is that of the family where it can be, dash and marker are those that the fewest
/// methods have, and each colour is the tint of the family's that differs most from the others.
Look family_look(const IntegratorInfo& method, std::span<const IntegratorInfo> older);

/// The places of these methods from the oldest to the newest: those of look_order.inc in its order,
/// then the others as they stand here.
std::vector<std::size_t> look_order(std::span<const IntegratorInfo> methods);

/// Gives each of these methods its family_look() beside the older ones in look_order(): a method
/// that is added changes the look of no other one, wherever it stands.
void give_looks(std::span<IntegratorInfo> methods);

}  // namespace twosphere
