// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/run/cloud.h"
#include "core/run/simulation.h"
#include "core/run/step_cost.h"

namespace twosphere {

/// The distances of a cloud at a row of its run.
struct CloudRow {
  std::int64_t step = 0;
  Cloud::Distances distances;
};
void add_cloud(StepCost& to, const Cloud::Distances& distances);

/// The visible state of a cloud.
struct CloudView {
  CloudSpec spec;
  int lane = 0;                       ///< the lane around which it began
  std::int64_t since = 0;             ///< the step at which it began
  double began = 0;                   ///< the time of the run then [s]
  int lost = 0;                       ///< members whose steps failed
  Cloud::Distances first, distances;  ///< at its beginning, and now
  GrowthRate growth;                  ///< of the median at the rows since then
  Columns positions;                  ///< of the members: Cloud::positions()
};

/// A cloud around a lane of a run in progress, whose results it does not change. Its members do
/// what the lane does: parameters, pulls, method, step and direction of time change in them, too.
/// It begins anew, with the same seed, where the state of the lane is edited.
class LiveCloud {
 public:
  /// At most about so many bodies are shown: whole members.
  static constexpr Eigen::Index max_shown = 65'536;
  /// How many members a system of n bodies may have: 4096 up to 64 bodies, fewer of larger systems,
  /// for memory and time.
  static constexpr int max_members(int bodies) {
    return std::clamp(CloudSpec::max_members * 64 / std::max(bodies, 1), 1, CloudSpec::max_members);
  }

  /// Around the present state of a lane.
  LiveCloud(const CloudPlan& plan, Simulation& run) : course_{.plan = plan} { begin(run); }
  /// Continues, bit for bit, beside a run with the state and the settings of the checkpoint.
  LiveCloud(const CloudCheckpoint& from, Simulation& run);
  /// All members have taken all steps.
  std::shared_ptr<const CloudCheckpoint> checkpoint() const;
  /// Begins anew at the present state; around the first lane if the run does not have the lane any
  /// more.
  void begin(Simulation& run);
  /// Takes over what has been changed at the present step. All members have taken all steps.
  void follow(Simulation& run);
  /// Call before a step of the run: its events that are due take effect, and are taken over.
  std::optional<StepFailure> follow_events(Simulation& run);
  /// Takes the steps from `before`, at which changes may have been made, to the present one. False
  /// if this thread is interrupted: catch_up() takes the missing steps.
  bool advance(Simulation& run, std::int64_t before);
  bool catch_up() { return cloud_->catch_up(*system_); }

  int lane() const { return course_.plan.lane; }
  /// The distances from the present state, which count for the rate if a row is due.
  Cloud::Distances measure(Simulation& run, bool row);
  void show(Simulation& run, CloudView& to);

 private:
  void take_settings(Simulation& run);
  const LaneSpec& spec_of_lane(const Simulation& run) const {
    return run.present().lanes[static_cast<std::size_t>(lane())];
  }

  CloudCourse course_;
  std::unique_ptr<Cloud> cloud_;
  std::shared_ptr<const System> system_;  // in which the members have taken their steps
  LaneSpec settings_;
  std::int64_t substeps_ = 1;
  bool reversed_ = false;
  std::size_t events_ = 0;  // that have been taken over
};

}  // namespace twosphere
