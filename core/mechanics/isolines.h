// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/mechanics/sphere.h"
#include "core/mechanics/sphere_mesh.h"

namespace twosphere {

/// The curves on the unit sphere along which a function has the value `level`, as points where they
/// cross the edges of a closed mesh: there the function is taken as linear between its `values` at
/// the vertices or, if `exact` is given, is found to rounding. Of a closed curve the last point is
/// the first one. O(faces), and O(c log c) for c crossings.
std::vector<std::vector<Vec3>> isolines(const SphereMesh& mesh, std::span<const double> values,
                                        double level,
                                        const std::function<double(const Vec3&)>& exact = {});

}  // namespace twosphere
