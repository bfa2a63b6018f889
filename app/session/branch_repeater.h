// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <set>

#include "app/session/live_run.h"

namespace twosphere {

/// Computes the branches of a file or of a recovered session up to where they were, one after
/// another, beside the run, so that they are shown and gone on with at their heads.
class BranchRepeater : public QObject {
  Q_OBJECT
 public:
  explicit BranchRepeater(LiveRun& run);

 private:
  void check();
  void begin(const Branch& branch);

  LiveRun& run_;
  std::set<int> tried_;  // branches
  int branch_ = 0;       // that is computed
  std::unique_ptr<LiveRun> repeat_;
  bool leaving_ = false;  // it has come to its head
};

}  // namespace twosphere
