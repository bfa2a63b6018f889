// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// n directions, each uniform on S² and independent of the others. The numbers are a function of
/// `which` alone (Philox), so that every state can be made again by itself.
Columns random_directions(int n, std::uint64_t which);
/// Unit vectors d_i ⟂ q_i, each uniform on its circle, likewise.
Columns random_tangents(const Columns& q, std::uint64_t which);

}  // namespace twosphere
