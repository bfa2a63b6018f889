// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/integrator.h"

namespace twosphere {

/// The scheme of [P1] (3.10)-(3.13) for a structure of the inertia matrix; one file each.
std::unique_ptr<Integrator> make_variational(const DiagonalInertia&);
std::unique_ptr<Integrator> make_variational(const ChainInertia&);

}  // namespace twosphere
