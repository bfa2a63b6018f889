// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <cstdint>
#include <memory>

#include "app/base/background.h"
#include "core/run/worker.h"
#include "ui/shell/step_check.h"

namespace twosphere {

/// Measures the step map of every lane on a thread of its own, at a state that is copied out of the
/// run: the run goes on and does not notice.
class StepChecker : public QObject {
  Q_OBJECT
 public:
  explicit StepChecker(QObject* parent = nullptr);
  /// Gives up a check in progress, which ends with the step it is at.
  ~StepChecker() override;

  /// Measures at the snapshot. A check in progress is given up.
  void start(const Snapshot& snapshot);

 Q_SIGNALS:
  /// A lane has been measured, or a check has begun. The last one of a check is done().
  void changed(std::shared_ptr<const ui::StepCheck> check);

 private:
  void tell(const ui::StepCheck& check);

  std::shared_ptr<const ui::StepCheck> shown_;  ///< the newest
  std::atomic<std::uint64_t> number_ = 0;       ///< of the check that counts
  Background work_;                             ///< last: it uses the others
};

}  // namespace twosphere
