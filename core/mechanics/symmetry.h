// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

#include "core/mechanics/system.h"

namespace twosphere {

/// The components of J that may be conserved, by turning states about e_1, e_2 and e_3: J_k is
/// conserved if a small turn, δq_i = e_k × q_i, of any state changes neither V nor m(q), A turns
/// with the bodies, and forces have no torque about e_k,
///
///   Σ_i δq_i·∂V/∂q_i = 0,   Σ_j ∂m/∂q_j·δq_j = 0,   Σ_i δq_i·f_i = 0,
///   Σ_j ∂A_i/∂q_j δq_j = e_k × A_i,
///
/// to 1e-10 of the sizes of the torques, of m and of A; in a frame that rotates with Ω only if e_k
/// is along Ω. This is tested at the states `further` and at `states` random ones, as far as all is
/// finite there, each at another time. A component that is missing is not conserved; the others are
/// conserved as far as these states tell: a potential that is constant but for a small part of the
/// spheres, such as that of an obstacle, can look symmetric at all of them. With damping none is
/// conserved. Cost: a gradient for each state; up to 1000 with a potential that is hardly ever
/// finite.
std::array<bool, 3> symmetric_axes(const System& system, int states = 3,
                                   const std::vector<Columns>& further = {});

/// The axes of System::turning_axes() as far as three random states tell, at each of which the
/// torques q_i × (∂V/∂q_i − f_i) of a turned state are compared.
std::array<bool, 3> axes_by_turning(const System& system);

}  // namespace twosphere
