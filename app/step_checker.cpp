// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/step_checker.h"

#include <QThreadPool>
#include <atomic>
#include <mutex>
#include <utility>

namespace twosphere {

/// What a check and the one who asked for it know of each other.
struct StepChecker::Shared {
  std::atomic<bool> stop = false;
  std::mutex mutex;
  StepChecker* owner;  // under the mutex; null once nobody waits any more

  explicit Shared(StepChecker* asking) : owner(asking) {}

  void tell(const ui::StepCheck& check) {
    const std::lock_guard lock(mutex);
    if (!owner) return;
    QMetaObject::invokeMethod(
        owner,
        [to = owner, copy = std::make_shared<const ui::StepCheck>(check)] {
          if (copy->number == to->number_) Q_EMIT to->changed(copy);
        },
        Qt::QueuedConnection);
  }
  void leave() {
    stop = true;
    const std::lock_guard lock(mutex);
    owner = nullptr;
  }
};

StepChecker::StepChecker(QObject* parent) : QObject(parent) {}

StepChecker::~StepChecker() {
  if (shared_) shared_->leave();
}

void StepChecker::start(const Snapshot& snapshot) {
  if (shared_) shared_->leave();
  shared_ = std::make_shared<Shared>(this);

  struct Measured {
    const IntegratorInfo* info;
    LaneSpec spec;
    State state;
  };
  std::vector<Measured> lanes;
  ui::StepCheck check;
  check.number = ++number_;
  check.steps = snapshot.steps;
  check.t = snapshot.t;
  check.conservative = !snapshot.system->driven() && snapshot.system->damping() == 0;
  for (std::size_t i = 0; i < snapshot.lanes.size(); ++i) {
    const LaneSpec& spec = snapshot.present->lanes[i];
    lanes.push_back({snapshot.lanes[i].info, spec, snapshot.lanes[i].state});
    check.lanes.push_back({.integrator = std::string(snapshot.lanes[i].info->key),
                           .step = spec.step,
                           .symplecticity = {},
                           .reversal = {},
                           .problem = {}});
  }
  Q_EMIT changed(std::make_shared<const ui::StepCheck>(check));
  QThreadPool::globalInstance()->start([shared = shared_, system = snapshot.system,
                                        lanes = std::move(lanes), check]() mutable {
    const auto stop = [&shared] { return shared->stop.load(); };
    for (std::size_t i = 0; i < lanes.size() && !stop(); ++i) {
      const StepMap map{*system, *lanes[i].info, lanes[i].spec.values, lanes[i].spec.step};
      ui::StepCheck::Lane& result = check.lanes[i];
      const auto reversal = reversal_error(map, lanes[i].state, ReversalError::usual_steps, stop);
      if (reversal)
        result.reversal = *reversal;
      else
        result.problem = reversal.error().text();
      const auto symplecticity = symplecticity_defect(map, lanes[i].state, stop);
      if (symplecticity)
        result.symplecticity = *symplecticity;
      else
        result.problem = symplecticity.error().text();
      result.done = true;
      shared->tell(check);
    }
  });
}

}  // namespace twosphere
