// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/cloud_repeater.h"

#include <chrono>
#include <limits>

#include "core/base/interrupt.h"

namespace twosphere {

namespace {

/// How long a cloud is followed between two looks at the run.
constexpr std::chrono::milliseconds cloud_turn{50};

}  // namespace

CloudRepeater::CloudRepeater(LiveRun& run) : run_(run) {
  connect(&run_, &LiveRun::cloud_awaited, this, &CloudRepeater::check, Qt::QueuedConnection);
  connect(&run_, &LiveRun::updated, this, [this] {
    if (!work_.busy() && !run_.snapshot().cloud_plan) follower_.reset();
  });
}

CloudRepeater::~CloudRepeater() { leaving_ = true; }

void CloudRepeater::check() {
  const Snapshot& now = run_.snapshot();
  const bool awaited = now.cloud_plan && !now.cloud && now.commands >= sent_;
  if (!awaited || work_.busy() || run_.is_opening()) return;
  if (!follower_) follower_ = std::make_unique<CloudFollower>();
  const auto rows = static_cast<std::int64_t>(run_.histories().front().state_stride().stride());
  const CloudFollower::Wanted wanted{now.record, *now.cloud_plan, now.steps, now.stride * rows,
                                     now.generation};
  work_.start(
      [this, wanted] {
        const Interruptible interruptible(leaving_);
        return follower_->proceed(wanted, cloud_turn);
      },
      [this, wanted](const Result<std::int64_t>& reached) { end_turn(wanted, reached); });
}

void CloudRepeater::end_turn(const CloudFollower::Wanted& wanted,
                             const Result<std::int64_t>& reached) {
  const Snapshot& now = run_.snapshot();
  if (now.cloud_plan == wanted.plan && !now.cloud && now.generation == wanted.generation) {
    const auto& [spec, lane, from] = wanted.plan;
    share_ = 0;
    if (!reached) {  // it begins at the head
      // Also of a run that has continued until the command arrives.
      sent_ = run_.send(FollowCloud{spec, lane, std::numeric_limits<std::int64_t>::max()});
    } else if (*reached >= now.steps) {
      sent_ = run_.send(FollowCloud{spec, lane, from, follower_->beginning()});
    } else {
      share_ = static_cast<double>(*reached) / static_cast<double>(now.steps);
      Q_EMIT progressed();
    }
  }
  check();
}

}  // namespace twosphere

#include "moc_cloud_repeater.cpp"
