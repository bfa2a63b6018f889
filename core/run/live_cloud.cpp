// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/live_cloud.h"

#include <algorithm>

#include "core/base/interrupt.h"
#include "core/scenario/state_edit.h"

namespace twosphere {

void add_cloud(StepCost& to, const Cloud::Distances& distances) {
  to[StepQuantity::cloud_distance] = distances.median;
  to[StepQuantity::cloud_low] = distances.low;
  to[StepQuantity::cloud_high] = distances.high;
  to[StepQuantity::cloud_members] = distances.members;
}

LiveCloud::LiveCloud(const CloudCheckpoint& from, Simulation& run) : course_(from.course) {
  const Uninterrupted beginning;
  take_settings(run);
  cloud_ = std::make_unique<Cloud>(from.members, settings_, run.lane(lane()), *system_);
}

std::shared_ptr<const CloudCheckpoint> LiveCloud::checkpoint() const {
  return std::make_shared<const CloudCheckpoint>(
      CloudCheckpoint{course_, cloud_->checkpoint(*system_)});
}

/// The members have what the lane has now.
void LiveCloud::take_settings(Simulation& run) {
  settings_ = spec_of_lane(run);
  system_ = run.acting_system();
  substeps_ = run.lane(lane()).substeps;
  reversed_ = run.reversed();
  events_ = run.events_applied();
}

void LiveCloud::begin(Simulation& run) {
  const Uninterrupted beginning;
  // The lane may be gone, as after a change of the start.
  if (lane() >= run.lane_count()) course_.plan.lane = 0;
  (void)run.state(lane());
  take_settings(run);
  cloud_ = std::make_unique<Cloud>(course_.plan.spec, settings_, run.lane(lane()), *system_);
  course_.fit = GrowthFit();
  course_.since = run.steps();
  course_.began = run.time();
  course_.measured = -1;
  course_.first = measure(run, run.at_sample());
}

void LiveCloud::follow(Simulation& run) {
  const auto& events = run.record().events;
  bool edited = false;
  // An edit of the state among the events since: the cloud begins around the new one.
  for (std::size_t k = std::min(events_, run.events_applied()); k < run.events_applied(); ++k)
    edited = edited || std::any_of(events[k].set.begin(), events[k].set.end(),
                                   [](const Setting& set) { return is_of_state(set.path); });
  events_ = run.events_applied();
  if (edited) return begin(run);
  const LaneSpec& now = spec_of_lane(run);
  const Lane& around = run.lane(lane());
  // Nothing that the members share with the lane has changed.
  if (run.acting_system() == system_ && now == settings_ && around.substeps == substeps_ &&
      run.reversed() == reversed_)
    return;
  const auto former = system_;
  take_settings(run);
  cloud_->change(*former, *system_, settings_, around);
}

std::optional<StepFailure> LiveCloud::follow_events(Simulation& run) {
  auto failed = run.apply_events();
  if (!failed) follow(run);
  return failed;
}

bool LiveCloud::advance(Simulation& run, std::int64_t before) {
  const std::int64_t since = course_.since;
  follow(run);
  // One that has begun anew is already at the present step.
  if (course_.since != since || run.steps() == before) return true;
  return cloud_->advance(*system_, run.steps() - before);
}

Cloud::Distances LiveCloud::measure(Simulation& run, bool row) {
  const State& centre = run.state(lane());
  const Cloud::Distances now = cloud_->distances(*system_, centre);
  if (row && course_.measured != run.steps()) {
    if (!course_.fit.ended())
      // A row counts once, whoever measures it first.
      course_.fit.add(run.time(), now.median, cloud_->group_medians(*system_, centre));
    course_.measured = run.steps();
  }
  return now;
}

void LiveCloud::show(Simulation& run, CloudView& to) {
  to.spec = course_.plan.spec;
  to.lane = lane();
  to.since = course_.since;
  to.began = course_.began;
  to.lost = cloud_->lost();
  to.first = course_.first;
  to.distances = measure(run, false);
  to.growth = course_.fit.rate();
  cloud_->positions(to.positions, max_shown);
}

}  // namespace twosphere
