// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/past_view.h"

#include <algorithm>
#include <utility>

namespace twosphere {

namespace {

/// With the cloud, if there is one at past instants.
const std::shared_ptr<const Checkpoints>& checkpoints_of(const Snapshot& head) {
  return head.cloud_checkpoints ? head.cloud_checkpoints : head.checkpoints;
}

}  // namespace

void PastView::request(std::optional<std::int64_t> step, const Snapshot& head) {
  if (step) step = std::clamp<std::int64_t>(*step, 0, head.steps);
  if (step == step_) return;
  step_ = step;
  if (step) {
    if (!seeker_) seeker_ = std::make_unique<Seeker>(wake_);
    seek(head);
  } else {
    seeker_->rest();
    instant_.reset();
    snapshot_.reset();
  }
}

void PastView::seek(const Snapshot& head) {
  sought_ = checkpoints_of(head);
  seeker_->seek(head.record, sought_, *step_);
}

void PastView::update(const Snapshot& head) {
  if (step_ && sought_ != checkpoints_of(head)) seek(head);
  auto newest = step_ ? seeker_->instant() : nullptr;
  if (!newest || newest == instant_) return;
  instant_ = std::move(newest);
  auto past = std::make_shared<Snapshot>(instant_->snapshot);
  past->generation = head.generation;
  past->commands = head.commands;
  past->pacing = head.pacing;
  past->requested_factor = head.requested_factor;
  past->checkpoints = head.checkpoints;
  past->followed = head.followed;
  past->planned_steps = head.planned_steps;
  past->stride = head.stride;
  past->end_time = head.end_time;
  past->loaded = head.loaded;
  past->after_rewind = head.after_rewind;
  past->pending = head.pending;
  past->record = head.record;
  past->markers = head.markers;
  past->warnings = head.warnings;
  snapshot_ = std::move(past);
}

}  // namespace twosphere
