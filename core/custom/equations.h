// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/custom/definition.h"

namespace twosphere {

/// The names that a definition gives meanings to: of its parameters and in `define`. It need not be
/// right.
std::vector<std::string> names_of(const Definition& definition);

/// A definition as equations in plain text, UTF-8, as in the catalogue: "V = −g Σᵢ mᵢ e₃·xᵢ".
/// One for each definition, then T with the inertia and V, or of first order the equation of
/// motion, H, κ and c, and then the forces and torques. A text that cannot be read gives no
/// equation: it is shown while it is typed.
std::vector<std::string> equations(const Definition& definition);

}  // namespace twosphere
