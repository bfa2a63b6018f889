// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <set>

#include "app/session/live_run.h"

namespace twosphere {

/// Computes the branches of a file or of a recovered session up to their heads, one after another,
/// beside the run, so that they can be shown and continued from there.
class BranchRepeater : public QObject {
  Q_OBJECT
 public:
  explicit BranchRepeater(LiveRun& run);

 private:
  void check();
  void begin(const Branch& branch);

  LiveRun& run_;
  std::set<int> tried_;  // ids of branches
  int branch_ = 0;       // id of the branch being computed
  std::unique_ptr<LiveRun> repeat_;
  bool leaving_ = false;  // it has reached its head
};

}  // namespace twosphere
