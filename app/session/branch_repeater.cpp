// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/branch_repeater.h"

#include <algorithm>
#include <utility>

namespace twosphere {

namespace {

/// Whether steps of the branch remain to be computed.
bool waits(const Branch& branch, const LiveRun& run) {
  return branch.id != run.present_branch() && branch.record && !branch.checkpoints &&
         branch.steps > 0;
}

}  // namespace

BranchRepeater::BranchRepeater(LiveRun& run) : run_(run) {
  connect(&run_, &LiveRun::updated, this, &BranchRepeater::check);
}

void BranchRepeater::check() {
  const auto& all = run_.branches();
  if (!repeat_) {
    const auto next = std::find_if(all.begin(), all.end(), [this](const Branch& branch) {
      return waits(branch, run_) && !tried_.contains(branch.id);
    });
    if (next != all.end()) begin(*next);
    return;
  }
  const auto wanted = std::find_if(all.begin(), all.end(),
                                   [this](const Branch& branch) { return branch.id == branch_; });
  bool whole = false;
  if (wanted != all.end() && waits(*wanted, run_)) {
    repeat_->update();
    if (repeat_->snapshot().commands < repeat_->sent()) return;
    if (!leaving_) {  // leaving it makes it complete
      repeat_->show(0);
      leaving_ = true;
      if (repeat_->snapshot().steps > 0 && repeat_->fork()) return;
    }
    whole = repeat_->branches().size() > 1;
  }
  LiveRun* const done = repeat_.release();
  if (whole) run_.complete(branch_, done->branches().front());
  done->deleteLater();  // not inside one of its own signals
  QMetaObject::invokeMethod(this, &BranchRepeater::check, Qt::QueuedConnection);
}

void BranchRepeater::begin(const Branch& branch) {
  branch_ = branch.id;
  tried_.insert(branch_);
  leaving_ = false;
  auto made = Simulation::create(*branch.record);
  if (!made) return;
  repeat_ = std::make_unique<LiveRun>(std::move(*made));
  connect(repeat_.get(), &LiveRun::updated, this, &BranchRepeater::check);
  repeat_->send(TakeSteps{branch.steps});
}

}  // namespace twosphere
