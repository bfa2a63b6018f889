// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

/// How the sums over pairs are taken, see core/kernels/far_field.h.
ParameterInfo far_field_parameter();
/// That parameter, or an error if it is too small.
Result<std::optional<double>> far_field_tolerance(const Values& values);
/// System::force_tolerance() with that parameter: 0 for so few bodies that they are taken pair by
/// pair.
double far_field_force_tolerance(std::optional<double> tolerance, int bodies);
/// System::operations() of sums to a tolerance.
double far_field_operations(double tolerance, int bodies);

}  // namespace twosphere
