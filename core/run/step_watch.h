// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/mechanics/coarse_step.h"

namespace twosphere {

/// Watches whether the steps of a run become too coarse for a motion that has become faster since
/// they were judged: looks at a few q in a row from time to time, whatever the stride of the rows
/// is. The first time is after 30 rad at the rate that was judged, which coarse_steps() has
/// examined; then after each eighth of the steps so far, from 16 to 4096 of them. In a long run
/// this costs less than 1 % of the cheapest steps.
class StepWatch {
 public:
  /// Lanes of more bodies are not watched: of each body, p + 4 directions are kept.
  static constexpr int max_bodies = 10'000;

  /// Watches no lane.
  StepWatch() = default;
  /// From step `now` on, of `step` s each, which were judged at this rate [1/s].
  StepWatch(std::int64_t now, double step, double rate);
  /// A lane that takes so many steps of its own in a step of the run; null: one that is not
  /// watched, as it has been called coarse.
  void add_lane(const IntegratorInfo* method, std::int64_t substeps, const Columns& q);

  /// The step of the run after which it looks again.
  std::int64_t next() const {
    return in_row_ > 0 ? next_ : std::numeric_limits<std::int64_t>::max();
  }
  /// Takes the q of a lane at step next(). Whether the errors of its steps, if they continue like
  /// this, are those of a step that is too coarse: coarse_steps() decides. Allocates nothing.
  bool look(std::size_t lane, const Columns& q);
  /// Call when all lanes have been looked at.
  void continue_watch();
  /// A lane has been judged at step next() again: not before twice as many steps have been taken.
  void put_off(std::size_t lane);

 private:
  struct WatchedLane {
    StepErrors errors;
    double parts;  // substeps^−p
    std::int64_t from;
  };
  std::vector<std::optional<WatchedLane>> lanes_;
  std::int64_t begin_ = 0, next_ = 0;  // [steps]
  int in_row_ = 0, seen_ = 0;          // of the q in a row
};

}  // namespace twosphere
