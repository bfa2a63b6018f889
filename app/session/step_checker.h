// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <cstdint>
#include <memory>

#include "app/base/background.h"
#include "core/worker/worker.h"
#include "ui/shell/step_check.h"

namespace twosphere {

/// Measures the step map of every lane on a separate thread, at a copy of the state of the run,
/// which is not affected.
class StepChecker : public QObject {
  Q_OBJECT
 public:
  explicit StepChecker(QObject* parent = nullptr);
  /// Cancels a check in progress after its current step.
  ~StepChecker() override;

  /// Starts a check at the snapshot. A check in progress is cancelled.
  void start(const Snapshot& snapshot);
  /// Cancels a check in progress, which then signals nothing more.
  void cancel() { ++number_; }

 Q_SIGNALS:
  /// A check has started or a lane has been measured. In the last signal of a check done() is true.
  void changed(std::shared_ptr<const ui::StepCheck> check);

 private:
  void show(const ui::StepCheck& check);

  std::shared_ptr<const ui::StepCheck> shown_;  ///< the newest
  std::atomic<std::uint64_t> number_ = 0;       ///< number of the current check
  Background work_;                             ///< last member: it uses the others
};

}  // namespace twosphere
