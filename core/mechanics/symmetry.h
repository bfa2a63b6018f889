// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/mechanics/system.h"

namespace twosphere {

/// The components of J that are conserved, found by turning random states about e_1, e_2 and e_3:
/// J_k is conserved if a small turn, δq_i = e_k × q_i, changes neither V nor m(q), and forces have
/// no torque about e_k,
///
///   Σ_i δq_i·∂V/∂q_i = 0,   Σ_j ∂m/∂q_j·δq_j = 0,   Σ_i δq_i·f_i = 0,
///
/// to 1e-10 of the sizes of the torques and of m, at three states and times at which all are
/// finite. With damping none is conserved. Cost: three gradients; 1000 with a potential that is
/// hardly ever finite.
std::array<bool, 3> symmetric_axes(const System& system);

}  // namespace twosphere
