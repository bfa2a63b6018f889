// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <cstdint>
#include <memory>

#include "app/base/background.h"
#include "app/session/live_run.h"
#include "core/studies/cloud_follower.h"

namespace twosphere {

/// Follows a cloud that is asked for after its step along the record of the run, beside the run,
/// and lets it join the run once it has come to the head.
class CloudRepeater : public QObject {
  Q_OBJECT
 public:
  explicit CloudRepeater(LiveRun& run);
  /// Abandons a long step in progress.
  ~CloudRepeater() override;

  /// The part of the run along which the last cloud has been followed so far.
  double share() const { return share_; }

 Q_SIGNALS:
  /// share() is another.
  void progressed();

 private:
  void check();
  void end_turn(const CloudFollower::Wanted& wanted, const Result<std::int64_t>& reached);

  LiveRun& run_;
  std::unique_ptr<CloudFollower> follower_;  // while there is a cloud
  double share_ = 0;
  std::uint64_t sent_ = 0;  // number of the command by which it joins
  std::atomic<bool> leaving_ = false;
  Background work_;  // last member: it uses the others
};

}  // namespace twosphere
