// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/run/simulation.h"

namespace twosphere {

/// Directions at one instant, for trails: about 512 of them over the span of a trail, fewer for
/// many bodies and none for very many. Only those of the last span are needed.
struct Configuration {
  std::uint64_t generation = 0;
  double t = 0;                ///< Simulation::elapsed() [s]
  std::vector<Columns> lanes;  ///< q of each lane
};

/// Selects the configurations of a trail: the newest ones, at equal intervals of simulated time.
/// Memory is bounded and reused: at most 600 configurations and about 200 000 directions.
class TrailRecorder {
 public:
  /// Prepares a trail over `span` [s] of configurations with `directions` directions each, counting
  /// those of all lanes.
  void configure(double span, int directions);
  /// Makes the next configuration due immediately.
  void restart();
  /// No configuration is due until restart() or resume().
  void pause() { next_ = std::numeric_limits<double>::infinity(); }
  /// Forgets what is recorded.
  void clear() { first_ = count_ = 0; }
  /// Continues as if configurations had been recorded up to time t [s].
  void resume(double t) { next_ = next_after(t); }

  bool due(double t) const { return t >= next_; }
  double next() const { return next_; }  ///< when the next configuration is due [s]
  /// Lanes may have been added since the last call; requires capacity() > 0.
  void record(const Simulation& simulation, std::uint64_t generation);
  /// Moves the recorded configurations to the end of `out`, oldest first.
  void take(std::vector<Configuration>& out);

  /// The number of configurations to store.
  std::size_t capacity() const { return times_.size(); }

 private:
  void widen(std::size_t numbers);
  double next_after(double t) const;

  // A ring buffer of configurations of one generation.
  std::vector<double> times_;  // [s]
  std::vector<double> q_;      // of each lane of each configuration; NaN before the lane existed
  std::size_t numbers_ = 0;    // per configuration
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t generation_ = 0;
  std::size_t lanes_ = 0;
  double interval_ = 0;                                    // [s]
  double next_ = std::numeric_limits<double>::infinity();  // [s]
};

}  // namespace twosphere
