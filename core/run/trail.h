// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/run/checkpoint.h"
#include "core/run/simulation.h"

namespace twosphere {

/// Directions at one instant, for trails: about 512 of them over the span of a trail, fewer for
/// many bodies and none for very many. Only those of the last span are needed.
struct Configuration {
  std::uint64_t generation = 0;
  double t = 0;                ///< Simulation::elapsed() [s]
  std::vector<Columns> lanes;  ///< positions() of each lane
  double time = 0;             ///< Simulation::time() [s]
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
  struct Instant {
    double elapsed = 0, time = 0;  // [s]
  };
  std::vector<Instant> times_;
  std::vector<double> q_;    // of each lane of each configuration; NaN before the lane existed
  std::size_t numbers_ = 0;  // per configuration
  std::size_t first_ = 0, count_ = 0;
  std::uint64_t generation_ = 0;
  std::size_t lanes_ = 0;
  double interval_ = 0;                                    // [s]
  double next_ = std::numeric_limits<double>::infinity();  // [s]
};

/// The trail of a run that is shown now and then. At full speed a run passes over the span of its
/// trail many times between two pictures. Most of it is then left out: the part that a picture
/// needs is recorded just before the picture is taken, or, where that comes unexpectedly, by
/// repeating the last steps from a checkpoint. Either way the same configurations come out.
class RunTrail {
 public:
  /// Begins a new trail over `span` [s], as TrailRecorder::configure().
  void configure(double span, int directions);

  double span() const { return span_; }  ///< [s]
  double next() const { return recorder_.next(); }
  /// Records the present configuration where it is due.
  void follow(const Simulation& simulation, std::uint64_t generation) {
    if (!recorder_.due(simulation.elapsed())) return;
    recorder_.record(simulation, generation);
    recorded_ = simulation.elapsed();
  }

  /// Leaves configurations out from now on. Call it again every few milliseconds: from one of these
  /// calls the steps are repeated if need be.
  void leave_out(Simulation& simulation);
  /// If everything is left out that a picture would need now: records again, and returns the time
  /// [s] when the trail is complete.
  std::optional<double> record_again(const Simulation& simulation);
  /// Adds what is missing of the last `span()` seconds and records from now on.
  void complete(const Simulation& simulation, std::uint64_t generation);

  /// Moves the configurations that are new to the end of `out`, oldest first. Call complete()
  /// before.
  void take(std::vector<Configuration>& out) { recorder_.take(out); }
  /// The number of configurations to store.
  std::size_t capacity() const { return recorder_.capacity(); }

 private:
  void repeat(const Simulation& simulation, double after, std::uint64_t generation);

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// The span and some intervals between two configurations.
  double enough() const { return 1.01 * span_; }

  TrailRecorder recorder_;
  double span_ = 0;
  bool leaves_out_ = false;
  double since_ = -infinity;     // from when on nothing has been left out [s]
  double recorded_ = -infinity;  // time of the last configuration [s]
  // More than the span apart, the earlier one more than the span ago; only while some is left out.
  std::optional<RunCheckpoint> earlier_, later_;
};

}  // namespace twosphere
