// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/poincare_section.h"

namespace twosphere {

struct Scenario;

/// The section of a scenario or, if it has none, one that its orbits are likely to cross: the first
/// body passes the plane e₂ = 0 or, where it starts within that plane, e₁ = 0 or, where it starts
/// along e₁, the first body turns back. Without coordinates of its own these are the angle of the
/// second body, or of the only one, from e₃ towards e₁, and its rate ω·e₂.
PoincareSection usual_section(const Scenario& scenario);

}  // namespace twosphere
