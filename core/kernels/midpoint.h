// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cmath>

#include "core/base/thread_pool.h"
#include "core/mechanics/sphere.h"

/// A sweep of the spherical midpoint method (MidpointStep), except for the gradient.
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

/// Ω alone, as sweep() writes it.
void turns(const Eigen::VectorXd& along, const Eigen::VectorXd& across, const Columns& m,
           const Columns& g, Columns& turn);

/// Writes Ω and replaces Q; returns the largest change of a direction, NaN if one is not finite.
/// `along` is κ/(κ² + c²) and `across` c/(κ² + c²) of each body.
double sweep(double h, const Eigen::VectorXd& along, const Eigen::VectorXd& across,
             const Columns& q, const Columns& m, const Eigen::VectorXd& length, const Columns& g,
             Columns& turn, Columns& next);

/// Bodies that one thread takes at a time.
inline constexpr Eigen::Index share_of_sweep = 2048;

/// The root of the largest square(begin, end) of the shares of n bodies, NaN if one is NaN. Each
/// share is a call, on any of the threads.
template <class Square>
double largest_change(Eigen::Index n, const Square& square) {
  std::atomic<double> largest{0};
  parallel_ranges(n, share_of_sweep, [&](Eigen::Index begin, Eigen::Index end) {
    const double part = square(begin, end);
    double known = largest;
    // NaN stays.
    while (!(part <= known) && !std::isnan(known) && !largest.compare_exchange_weak(known, part)) {
    }
  });
  return std::sqrt(largest.load());
}

}  // namespace twosphere::midpoint_kernel
