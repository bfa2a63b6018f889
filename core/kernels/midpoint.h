// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mechanics/sphere.h"

/// A sweep of the spherical midpoint method (MidpointStep), except for the gradient, and the end of
/// its step.
///
/// Notation: q ∈ S², Q the present solution, m = (q + Q)/s, s = |q + Q|, G the gradient at m [J],
/// κ strength and c damping [J s], h step [s].
///   turn   Ω = (κ G + c G × m)/(κ² + c²)
///   sweep  a = (h/s) (Ω − m (m·Ω)),  x = q + a × q,  Q' = (x + a × x + a (a·x))/(1 + a·a),
///          Q = Q' (3 − Q'·Q')/2
/// Operations are not fused and have a fixed order, so results are identical bit for bit at every
/// level and for any number of threads.
namespace twosphere::midpoint_kernel {

/// m and s.
void middle(const Columns& q, const Columns& next, Columns& m, Eigen::VectorXd& length);

/// Writes Ω and replaces Q; returns the largest change of a direction, NaN if one is not finite.
/// `along` is κ/(κ² + c²) and `across` c/(κ² + c²) of each body.
double sweep(double h, const Eigen::VectorXd& along, const Eigen::VectorXd& across,
             const Columns& q, const Columns& m, const Eigen::VectorXd& length, const Columns& g,
             Columns& turn, Columns& next);

/// Adds h G × m/κ to q + e, whose e is less than the last digit of q, and makes |q + e| = 1, of
/// bodies without damping: as core/integrators/compensated_direction.h does, bit for bit.
void advance(double h, const Eigen::VectorXd& kappa, const Columns& m, const Columns& g, Columns& q,
             Columns& e);

}  // namespace twosphere::midpoint_kernel
