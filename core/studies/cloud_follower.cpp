// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/cloud_follower.h"

#include <algorithm>

namespace twosphere {

Result<std::int64_t> CloudFollower::proceed(const Wanted& wanted, std::chrono::milliseconds turn) {
  // The steps up to which it is the copy that is wanted; none: it begins anew.
  std::optional<std::int64_t> shared;
  if (copy_.begun() && cloud_->plan() == wanted.plan && wanted.every % cloud_->every() == 0)
    shared = copy_.shared_steps(*wanted.record);
  wanted_ = wanted;
  if (!shared) {
    cloud_.emplace(wanted.plan, wanted.every);
    copy_.set_companion(
        {[this](Simulation& run, std::int64_t last) { return cloud_->advance_to(run, last); },
         [this](RunCheckpoint& to) { cloud_->save(to); }});
    const auto begin_cloud = [this](Simulation& run) -> Result<void> {
      cloud_->begin(run);
      return {};
    };
    if (auto begun = copy_.begin(wanted.record, begin_cloud); !begun) return begun.error();
  } else if (const std::int64_t last = std::min(*shared, wanted.steps);
             copy_.record() != wanted.record || copy_.run().steps() > last) {
    copy_.add_checkpoint();
    const auto from = copy_.go_back(wanted.record, last);
    cloud_->go_to(*from, copy_.run());
  }
  if (wanted.every != cloud_->every()) cloud_->widen(wanted.every);
  const auto begun = std::chrono::steady_clock::now();
  while (copy_.run().steps() < wanted.steps && std::chrono::steady_clock::now() - begun <= turn) {
    if (const auto failed = copy_.advance(wanted.steps)) {
      copy_.end();
      return Error{ErrorKind::numerical, "", failed->message};
    }
  }
  return copy_.run().steps();
}

std::shared_ptr<const CloudBeginning> CloudFollower::beginning() {
  copy_.add_checkpoint();
  return std::make_shared<const CloudBeginning>(
      CloudBeginning{wanted_.generation, copy_.checkpoints()->up_to(copy_.run().steps(), {}),
                     cloud_->every(), cloud_->rows()});
}

}  // namespace twosphere
