// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/mechanics/integrator.h"

namespace twosphere {

/// The look that a method states, or one derived from its family and from those that these records
/// have. The dash is that of the family where it can be, dash and marker are those that the fewest
/// methods have, and each colour is the tint of the family's that differs most from the others.
/// Records without a look, Look{}, take up nothing. The same records give the same look.
Look family_look(const IntegratorInfo& method, std::span<const IntegratorInfo> records);

}  // namespace twosphere
