// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/mechanics/sphere.h"
#include "core/mechanics/state.h"
#include "core/mechanics/system.h"

namespace twosphere {

/// n directions, each uniform on S² and independent of the others. The numbers are a function of
/// `which` alone (Philox), so that every state can be made again by itself.
Columns random_directions(int n, std::uint64_t which);
/// Unit vectors d_i ⟂ q_i, each uniform on its circle, made in the same way.
Columns random_tangents(const Columns& q, std::uint64_t which);

/// Member `member` of a cloud of states around (q, ω): each q_i turns by spread·N(0, 1) rad about
/// two axes ⟂ q_i, and ω_i changes by spread·N(0, 1) rad/s along them, by the normal_numbers() of
/// (member, body) and the seed. On the sphere and tangent to rounding.
void scatter(Columns& q, Columns& omega, double spread, std::uint64_t member, std::uint64_t seed);
/// The same of a whole state: if the base flies, the components of X also change by L·spread·N(0,
/// 1) m and those of Ẋ by L·spread·N(0, 1) m/s, with L of FreeBase, by the numbers of two more
/// bodies.
void scatter(const System& system, State& state, double spread, std::uint64_t member,
             std::uint64_t seed);

}  // namespace twosphere
