// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <set>

#include "app/base/background.h"
#include "app/session/live_run.h"

namespace twosphere {

/// Repeats the runs of a file or of a recovered session of which samples are missing, one after
/// another, beside the run (LiveRun::incomplete_runs()). What was saved of a run is compared with
/// the repetition, bit for bit, before that gives it its samples.
class BranchRepeater : public QObject {
  Q_OBJECT
 public:
  explicit BranchRepeater(LiveRun& run);

  /// Does not repeat the present run any more.
  void leave();

 Q_SIGNALS:
  /// The fraction of the repetition of a run that is done, by its id.
  void progressed(int id, double share);
  /// A saved state is that of the repeated run, bit for bit, or a run without one has been
  /// repeated.
  void verified(int id, std::int64_t steps);
  /// The state differs, or it cannot be computed; `why` is a sentence. The run continues from it
  /// without the samples before it.
  void differs(int id, const QString& why);

 private:
  void check();
  void begin(const Branch& branch);
  void finish();
  void end();
  bool is_wanted() const;

  LiveRun& run_;
  // Runs that have been tried in vain.
  std::set<int> given_up_;
  std::set<std::shared_ptr<const SavedStates>> refused_;
  int branch_ = 0;                            // id of the run being repeated
  std::shared_ptr<const SavedStates> saved_;  // of that run
  std::int64_t steps_ = 0;                    // to be taken
  std::unique_ptr<LiveRun> repeat_;
  bool comparing_ = false;
  Background work_;  // last member: it uses the others
};

}  // namespace twosphere
