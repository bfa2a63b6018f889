// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/followed_cloud.h"

#include <algorithm>

#include "core/base/interrupt.h"

namespace twosphere {

void FollowedCloud::begin(Simulation& copy) {
  if (cloud_ || copy.steps() < plan_.from || plan_.lane >= copy.lane_count()) return;
  cloud_ = std::make_unique<LiveCloud>(plan_, copy);
  add_row(copy);
}

void FollowedCloud::go_to(const RunCheckpoint& from, Simulation& copy) {
  cloud_ = from.cloud ? std::make_unique<LiveCloud>(*from.cloud, copy) : nullptr;
  // Later rows are measured again.
  std::erase_if(rows_, [&](const CloudRow& row) { return row.step > from.step(); });
  begin(copy);
}

void FollowedCloud::save(RunCheckpoint& to) const {
  if (cloud_) to.cloud = cloud_->checkpoint();
}

void FollowedCloud::widen(std::int64_t every) {
  every_ = every;
  std::erase_if(rows_, [every](const CloudRow& row) { return row.step % every != 0; });
}

std::optional<StepFailure> FollowedCloud::follow_events(Simulation& copy) {
  if (cloud_) return cloud_->follow_events(copy);
  auto failed = copy.apply_events();
  if (!failed) begin(copy);
  return failed;
}

std::optional<StepFailure> FollowedCloud::advance_to(Simulation& copy, std::int64_t last) {
  if (auto failed = follow_events(copy)) return failed;
  const std::int64_t before = copy.steps();
  // Up to the beginning of the cloud, and then from row to row.
  if (before < plan_.from) last = std::min(last, plan_.from);
  if (cloud_) last = std::min(last, (before / copy.stride() + 1) * copy.stride());
  auto failed = copy.advance_to(last);
  // The members follow the copy; interrupted ones are behind it and of no use.
  if (cloud_ && !cloud_->advance(copy, before))
    return StepFailure{0, {.status = StepStatus::interrupted}, copy.steps() + 1, copy.time(), {}};
  cloud_ ? add_row(copy) : begin(copy);
  return failed;
}

/// Measures the row of the present step, if there is one.
void FollowedCloud::add_row(Simulation& copy) {
  if (!copy.at_sample() || (!rows_.empty() && rows_.back().step >= copy.steps())) return;
  const Cloud::Distances distances = cloud_->measure(copy, true);
  if (every_ > 0 && copy.steps() % every_ == 0) rows_.push_back({copy.steps(), distances});
}

}  // namespace twosphere
