// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/far_field_parameter.h"

#include <fmt/format.h>

#include "core/kernels/far_field.h"
#include "core/systems/parameters.h"

namespace twosphere {

ParameterInfo far_field_parameter() {
  return {
      .key = "far_field",
      .symbol = "τ",
      .label = "far field",
      .unit = "1",
      .help =
          "Tolerance of the forces, relative to the median torque, at least 1e-10: sums over all "
          "pairs by a fast multipole method, to which symplectic methods are symplectic and "
          "reversible. direct, and with fewer than 4000 bodies: pair by pair.",
      .domain = Domain::positive,
      .optional = true,
      .word = "direct",
      .low = far_field::min_tolerance,
      .high = 1e-5,
      .logarithmic = true,
      .omitted = true};
}

Result<std::optional<double>> far_field_tolerance(const Values& values) {
  const std::optional<double> tolerance = optional_scalar(values, "far_field");
  if (tolerance && *tolerance < far_field::min_tolerance)
    return Error{ErrorKind::usage, "far_field",
                 fmt::format("must be {} or greater, or \"direct\", not {}",
                             far_field::min_tolerance, *tolerance)};
  return tolerance;
}

double far_field_force_tolerance(std::optional<double> tolerance, int bodies) {
  return bodies >= far_field::min_bodies ? tolerance.value_or(0) : 0;
}

double far_field_operations(double tolerance, int bodies) {
  return 20 * far_field::pairs_per_body(tolerance) * bodies;
}

}  // namespace twosphere
