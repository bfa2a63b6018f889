// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/run/checkpoint.h"
#include "core/run/simulation.h"
#include "core/run/trail.h"

namespace twosphere {

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
