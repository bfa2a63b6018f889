// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/record/section_points.h"
#include "core/run/section_crossings.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// Finds the points in which runs cross the sections of their records, on its own thread. It
/// repeats the records, bit for bit, so that a run in progress elsewhere is not touched, and so
/// that points are those of `twosphere run --points`. As the record of a run grows, it continues;
/// if a record changes, it goes back to where the two differ, from its own checkpoint. Several
/// runs take turns.
class SectionFollower {
 public:
  static constexpr std::size_t max_points = 10'000'000;

  struct Run {
    std::shared_ptr<const Scenario> record;  ///< with a section
    /// The step to follow it to, beyond its planned end if need be.
    std::int64_t steps = std::numeric_limits<std::int64_t>::max();
    /// It ends when the lanes together have about so many points.
    std::size_t points = max_points;
  };
  /// How far a run is followed.
  struct Progress {
    std::shared_ptr<const Scenario> record;
    std::vector<SectionPoints> lanes;  ///< views
    /// Of each lane, the points before the last change of the run: of a parameter, a state, a
    /// method or the direction of time, or the end of a pull. They are of another motion.
    std::vector<std::size_t> before_change;
    /// That of the present parameters; null where a system no longer has what the section names.
    std::shared_ptr<const SectionSurface> surface;
    std::int64_t steps = 0;
    double t = 0;            ///< [s]
    State latest;            ///< the last point of the first lane; without bodies if there is none
    std::int64_t jumps = 0;  ///< of g through zero, in all lanes
    bool ended = false;      ///< at its number of points, or at a step that cannot be taken
    std::string problem;     ///< why it ended early; empty: it did not
  };

  SectionFollower();
  /// Abandons a long step in progress.
  ~SectionFollower();
  SectionFollower(const SectionFollower&) = delete;
  SectionFollower& operator=(const SectionFollower&) = delete;

  /// Begins a run, or continues with the one of this number.
  void follow(int number, Run run);
  void forget(int number);
  /// Null until there is some.
  std::shared_ptr<const Progress> progress(int number) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twosphere
