// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/mechanics/state.h"

namespace twosphere {

/// The rotation about the conserved axes that takes the columns of `a` closest to those of `b`, in
/// the mean; two axes make all.
Mat3 alignment(const Columns& a, const Columns& b, const std::array<bool, 3>& axes);
/// The largest angle between the directions of two configurations after their alignment()
/// [rad].
double turn_between(const Columns& a, const Columns& b, const std::array<bool, 3>& axes);

}  // namespace twosphere
