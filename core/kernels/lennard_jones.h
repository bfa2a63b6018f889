// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "core/kernels/aligned.h"
#include "core/sphere.h"

/// Lennard-Jones forces between all pairs.
///
/// Notation: D = 4ε [J], σ [m], Δ = q_i − q_j, r = |Δ| (differences, so that they are right off the
/// sphere too).
///   g_i = D Σ_{j≠i} [6 (σ/r)⁶ − 12 (σ/r)¹²] Δ/r²
namespace twosphere::lennard_jones_kernel {

struct Workspace {
  Aligned<double> x, y, z;     ///< q by components
  Aligned<double> gx, gy, gz;  ///< g by components
};

/// Each g_i is summed over j in increasing order: the same on levels of one rounding.
void gradient(double depth, double sigma_squared, const Columns& q, Columns& g, Workspace& work);

/// The same sums, plainly.
void plain_gradient(double depth, double sigma_squared, const Columns& q, Columns& g);

}  // namespace twosphere::lennard_jones_kernel
