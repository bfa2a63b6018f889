// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace twosphere {

/// The wall clock of the worker, which is monotonic.
using Clock = std::chrono::steady_clock;

/// Maps simulated time t to wall-clock time, w_0 + (t − t_0)/k, where k is the factor of real time.
class Pacer {
 public:
  /// Simulated time t [s] is due at `now`; later times follow at `factor` > 0 times real time.
  void anchor(Clock::time_point now, double t, double factor);
  Clock::time_point due(double t) const;
  /// The simulated time that is due at `now` [s].
  double reached(Clock::time_point now) const;
  /// Delays longer than `patience` are not made up: if t was due earlier than that, it becomes due
  /// now.
  void forgive(Clock::time_point now, double t);

  static constexpr std::chrono::milliseconds patience{250};

 private:
  Clock::time_point wall_;
  double t_ = 0, factor_ = 1;
};

/// Rates over the last half second or the last few marks, whichever is longer.
class RateMeter {
 public:
  void clear() { marks_.clear(); }
  /// Records that at `now` the run is at simulated time t [s] and has taken `steps` steps, with a
  /// total computing time of `busy`.
  void mark(Clock::time_point now, double t, std::int64_t steps, Clock::duration busy);

  /// Simulated seconds per second; 0 while there is not enough data.
  double factor() const;
  double steps_per_second() const;
  /// Computing time per step [s].
  double step_seconds() const;

  static constexpr std::chrono::milliseconds window{500};

 private:
  struct Mark {
    Clock::time_point wall;
    double t;
    std::int64_t steps;
    Clock::duration busy;
  };
  double elapsed() const;  // [s]
  std::deque<Mark> marks_;
};

}  // namespace twosphere
