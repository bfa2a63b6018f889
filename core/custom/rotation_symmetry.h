// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/custom/model.h"

namespace twosphere::custom {

/// The components of J whose conservation follows from the texts: a turn of all q_i and v_i about
/// e_k leaves V, m(q) and what is linear in v alone, and no force has a torque about e_k. What is
/// true here holds for every state; where it is false nothing is known.
///
/// Every part of a text is looked at from the inside outwards. A vector turns with the bodies (q_i,
/// or anything along e_k), stays as it is (a point in space), or neither; a·b, a × b, |a| and
/// functions of numbers follow from their parts. Polynomials in q of degree up to 8 are also
/// evaluated with their derivative along the turn at a few random states: of a polynomial it
/// vanishes there only if it vanishes everywhere, to 1e-12 of the size of its terms. So norm(x[i] -
/// x[j]) is seen to be the same after a turn about the line of two pivots.
///
/// `wanted`: the components in question. Cost: that of reading the texts, and only if that does
/// not suffice of a few evaluations of V, up to 2·10⁶ parts; a text beyond that counts as unknown.
std::array<bool, 3> symmetry_axes_of_texts(const Model& model, const Values& values,
                                           const std::array<bool, 3>& wanted);

/// The same for System::turning_axes(), of a model without gyroscopic terms: a turn leaves V and
/// m(q), and every force turns with the state.
std::array<bool, 3> turning_axes_of_texts(const Model& model, const Values& values,
                                          const std::array<bool, 3>& wanted);

}  // namespace twosphere::custom
