// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/live_cloud.h"

#include <algorithm>
#include <utility>

#include "core/base/interrupt.h"
#include "core/scenario/state_edit.h"

namespace twosphere {

void LiveCloud::begin(Simulation& run) {
  const Uninterrupted beginning;
  if (lane_ >= run.lane_count()) lane_ = 0;
  (void)run.state(lane_);
  settings_ = run.present().lanes[static_cast<std::size_t>(lane_)];
  system_ = run.acting_system();
  substeps_ = run.lane(lane_).substeps;
  reversed_ = run.reversed();
  events_ = run.events_applied();
  cloud_ = std::make_unique<Cloud>(spec_, settings_, run.lane(lane_), *system_);
  fit_ = GrowthFit();
  since_ = run.steps();
  began_ = run.time();
  measured_ = -1;
  first_ = measure(run, run.at_sample());
}

void LiveCloud::follow(Simulation& run) {
  const auto& events = run.record().events;
  bool edited = false;
  for (std::size_t k = std::min(events_, run.events_applied()); k < run.events_applied(); ++k)
    edited = edited || std::any_of(events[k].set.begin(), events[k].set.end(),
                                   [](const Setting& set) { return is_of_state(set.path); });
  events_ = run.events_applied();
  if (edited) return begin(run);
  const LaneSpec& now = run.present().lanes[static_cast<std::size_t>(lane_)];
  const Lane& lane = run.lane(lane_);
  if (run.acting_system() == system_ && now == settings_ && lane.substeps == substeps_ &&
      run.reversed() == reversed_)
    return;
  const auto former = std::exchange(system_, run.acting_system());
  cloud_->change(*former, *system_, now, lane);
  settings_ = now;
  substeps_ = lane.substeps;
  reversed_ = run.reversed();
}

bool LiveCloud::advance(Simulation& run, std::int64_t before) {
  const std::int64_t since = since_;
  follow(run);
  // One that has begun anew is already at the present step.
  if (since_ != since || run.steps() == before) return true;
  return cloud_->advance(*system_, run.steps() - before);
}

Cloud::Distances LiveCloud::measure(Simulation& run, bool row) {
  const Cloud::Distances now = cloud_->distances(run.state(lane_));
  if (row && measured_ != run.steps()) {
    if (!fit_.ended()) fit_.add(run.time(), now.median, cloud_->group_medians(run.state(lane_)));
    measured_ = run.steps();
  }
  return now;
}

void LiveCloud::show(Simulation& run, CloudView& to) {
  to.spec = spec_;
  to.lane = lane_;
  to.since = since_;
  to.began = began_;
  to.lost = cloud_->lost();
  to.first = first_;
  to.distances = measure(run, false);
  to.growth = fit_.rate();
  cloud_->directions(to.directions, most_shown);
}

}  // namespace twosphere
