// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/mechanics/sphere.h"
#include "core/studies/turning_potential.h"

namespace twosphere {

/// A relative equilibrium by its configuration and its rate Ω [rad/s].
struct RelativePlace {
  Columns q;
  double rate = 0;
};

/// What was found along a curve of relative equilibria.
struct RelativeWay {
  struct Point {
    RelativePlace place;
    bool turn = false;  ///< the momentum turns back here
  };
  std::vector<Point> points;  ///< those of the given momenta and the turns, in their order
  bool closed = false;        ///< the curve came back to its start
};

/// Follows the curve from a relative equilibrium of one of the momenta, which is not among the
/// points, at first to larger momenta (direction 1) or to smaller ones (−1), as
/// relative_equilibria_of_momenta() says. At most 5000 steps, each of a few O(n³). Ends where a
/// step fails, and if this thread is interrupted.
RelativeWay follow_relative_curve(const TurningSystem& turning, const RelativePlace& from,
                                  int direction, const std::vector<double>& momenta);

}  // namespace twosphere
