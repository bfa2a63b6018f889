// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/live_run.h"
#include "core/scenario/timetable.h"
#include "core/worker/seeker.h"

namespace twosphere {

/// A configuration of another run of the same start at the time shown.
struct Ghost {
  int color = 0;  ///< of the run: BranchLook::color
  std::size_t lane = 0;
  Columns q;                      ///< positions()
  Columns w{};                    ///< ω [rad/s]
  int run = 0;                    ///< Branch::id
  std::int64_t step = 0;          ///< of the run
  std::optional<double> ended{};  ///< the run ended before, at this time [s], where it is then
  /// Whether it is drawn over the present run, where that has no cell of its own: it has left that
  /// run, has not ended, and is known.
  bool overlaid = true;
};

/// Finds where the other runs are at the time shown. While the bodies rest, the configurations are
/// exact: stored ones, or computed again on a thread for each run. While they move, a body whose
/// configuration is known for a time nearby is carried there along a great circle with its ω.
/// Belongs to the window thread.
class Ghosts {
 public:
  /// `wake` is called on another thread when a configuration has been computed.
  explicit Ghosts(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// The configurations of the runs that are shown, where they have left the present one and have
  /// not ended; if `all`, also where not. One that is not known yet is left out until wake() is
  /// called, or if `all`, it is the nearest one known. `moves`: whether the bodies move.
  std::vector<Ghost> find(const LiveRun& run, bool moves, bool all = false);

 private:
  /// Of another run.
  struct Search {
    std::shared_ptr<const Scenario> record;
    Timetable table;
    std::unique_ptr<Seeker> seeker{};  ///< from its first request on
    std::int64_t wanted = -1;          ///< the step requested of it
  };
  void find(const LiveRun& run, const Branch& branch, bool moves, bool all,
            std::vector<Ghost>& found);

  std::function<void()> wake_;
  std::map<int, Search> searches_;  ///< by Branch::id
};

}  // namespace twosphere
