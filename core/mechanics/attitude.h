// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"
#include "core/mechanics/state.h"

/// The attitude in space of bodies whose q_i are the directions of their angular momenta, seen from
/// the bodies (System::follows_attitude()): two directions a_i and b_i at rest in space, seen from
/// body i, with a_i × b_i = q_i. They are the columns 2i and 2i + 1 of State::x. What is at x in
/// the axes of the body is at (a·x, b·x, q·x) in space, whose third axis is along the angular
/// momentum. All of space turns against the body, with Ω = −ω_b of core/mechanics/first_order.h:
///
///   q̇ = Ω × q,  ȧ = Ω × a,  ḃ = Ω × b
///
/// They are passive: neither H nor J nor the symplectic form has them.
namespace twosphere {

/// The attitude in which the third axis of each body is in the plane of the first and third axis of
/// space, or its first one where the third is along the angular momentum.
Columns first_attitude(const Columns& q);
/// Carries the attitude from these directions to those of the state, by the smallest rotations.
void carry_attitude(const Columns& from, State& state);
/// Makes a_i ⟂ q_i of length 1 and b_i = q_i × a_i: corrections of rounding size, unless q or a was
/// changed alone.
void settle_attitude(const Columns& q, Columns& x);

}  // namespace twosphere
