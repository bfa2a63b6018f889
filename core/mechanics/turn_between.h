// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/mechanics/state.h"

namespace twosphere {

/// The largest angle between the directions of two configurations after the rotation about the
/// conserved axes that brings them closest, in the mean over the bodies [rad].
double turn_between(const Columns& a, const Columns& b, const std::array<bool, 3>& axes);

}  // namespace twosphere
