// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/run/simulation.h"

namespace twosphere {

/// Directions at one instant, for trails: about 512 of them over Trail::span, fewer for many bodies
/// and none for very many. Only the newest `Trail::span` seconds matter, older ones may be dropped.
struct Configuration {
  std::uint64_t generation = 0;
  double t = 0;
  std::vector<Columns> lanes;  ///< q of each lane
};

/// Picks the poses of a trail: at even intervals of simulated time, the newest ones only. Memory is
/// bounded and reused: at most 600 poses and about 200 000 directions.
class TrailRecorder {
 public:
  /// A trail over `span` [s] of poses with `directions` each, of all lanes of one run.
  void configure(double span, int directions);
  /// The next pose is due at once.
  void restart();

  bool due(double t) const { return t >= next_; }
  void record(const Simulation& simulation, std::uint64_t generation);  ///< capacity() > 0
  /// Moves what was recorded to the end of `out`, oldest first.
  void take(std::vector<Configuration>& out);

  /// How many poses are worth keeping.
  std::size_t capacity() const { return times_.size(); }

 private:
  // A ring of poses; all have their generation and lanes in common.
  std::vector<double> times_;  // [s]
  std::vector<double> q_;      // of each lane of each pose
  std::size_t numbers_ = 0;    // of a pose
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t generation_ = 0;
  std::size_t lanes_ = 0;
  double interval_ = 0;                                    // [s]
  double intervals_ = 0;                                   // up to the next pose, a whole number
  double next_ = std::numeric_limits<double>::infinity();  // [s]
};

}  // namespace twosphere
