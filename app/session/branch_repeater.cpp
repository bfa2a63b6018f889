// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/branch_repeater.h"

#include <algorithm>
#include <utility>

#include "app/session/run_opening.h"

namespace twosphere {

BranchRepeater::BranchRepeater(LiveRun& run) : run_(run) {
  connect(&run_, &LiveRun::updated, this, &BranchRepeater::check);
}

/// Whether samples of the run that is repeated are still missing.
bool BranchRepeater::is_wanted() const {
  const auto runs = run_.incomplete_runs();
  return std::any_of(runs.begin(), runs.end(), [this](const Branch* one) {
    return saved_ ? one->saved == saved_ : one->id == branch_;
  });
}

void BranchRepeater::check() {
  if (comparing_) return;
  if (!repeat_) {
    for (const Branch* one : run_.incomplete_runs())
      if (one->saved ? !refused_.contains(one->saved) : !given_up_.contains(one->id))
        return begin(*one);
    return;
  }
  if (!is_wanted()) return end();
  repeat_->update();
  const Snapshot& now = repeat_->snapshot();
  Q_EMIT progressed(branch_, static_cast<double>(now.steps) /
                                 static_cast<double>(std::max<std::int64_t>(steps_, 1)));
  if (!repeat_) return;  // it is not wanted any more
  if (now.commands >= repeat_->sent()) finish();
}

void BranchRepeater::begin(const Branch& branch) {
  branch_ = branch.id;
  saved_ = branch.saved;
  steps_ = saved_ ? saved_->head().step() : branch.steps;
  auto made = Simulation::create(saved_ ? *saved_->record : *branch.record);
  if (!made) {
    if (saved_) refused_.insert(saved_);
    return end();
  }
  made->keep_start();
  repeat_ = std::make_unique<LiveRun>(std::move(*made));
  connect(repeat_.get(), &LiveRun::updated, this, &BranchRepeater::check);
  repeat_->send(TakeSteps{steps_});
}

/// Gives the run what was computed, if that is what was saved.
void BranchRepeater::finish() {
  struct Repeated {
    Branch run;
    bool same = true;
  };
  comparing_ = true;
  work_.start(
      [saved = saved_, runs = saved_runs(repeat_->runs(), repeat_->snapshot().checkpoints),
       capture = repeat_->request_capture()]() -> Result<Repeated> {
        Repeated repeated{with_present(runs, capture->get()).back().front()};
        if (saved)
          repeated.same =
              continue_alike(*saved->record, saved->head(), *repeated.run.checkpoints->newest());
        return repeated;
      },
      [this](Result<Repeated> repeated) {
        comparing_ = false;
        const std::int64_t steps = repeat_->snapshot().steps;
        if (repeated && repeated->same && steps > 0) {
          repeated->run.record = repeat_->snapshot().record;
          repeated->run.histories = repeat_->histories();
          if (is_wanted()) {
            run_.complete(branch_, repeated->run);
            Q_EMIT verified(branch_, steps_);
          }
        } else if (saved_) {
          refused_.insert(saved_);
          Q_EMIT differs(
              branch_,
              !repeated ? QString::fromStdString(repeated.error().text())
              : steps != steps_
                  ? QStringLiteral("The run was repeated to step %1 of %2.").arg(steps).arg(steps_)
                  : QStringLiteral(
                        "The run was repeated to step %1, but its state differs from the "
                        "saved one. It may have been saved on another processor.")
                        .arg(steps));
        }
        end();
      });
}

void BranchRepeater::leave() {
  if (!repeat_ || comparing_) return;
  if (saved_) refused_.insert(saved_);
  end();
}

/// Continues with the next run.
void BranchRepeater::end() {
  if (!saved_) given_up_.insert(branch_);
  saved_.reset();
  if (LiveRun* const done = repeat_.release()) {
    disconnect(done, nullptr, this, nullptr);
    done->deleteLater();  // not inside one of its own signals
  }
  QMetaObject::invokeMethod(this, &BranchRepeater::check, Qt::QueuedConnection);
}

}  // namespace twosphere

#include "moc_branch_repeater.cpp"
