// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/background.h"

#include "core/base/exceptions.h"
#include "core/base/simd_level.h"

namespace twosphere {

Background::~Background() { wait(); }

void Background::wait() {
  for (const Job& job : jobs_) job.thread->wait();
}

void Background::begin(std::function<void()> work,
                       std::function<void(const std::optional<Error>&)> end) {
  const Place job = jobs_.insert(jobs_.end(), Job{std::move(end)});
  job->thread.reset(QThread::create([this, job, work = std::move(work)]() noexcept {
    zero_upper_registers();
    try {
      work();
    } catch (const std::exception& e) {
      job->failure = from_exception(e);
    }
    announce(job);
  }));
  job->thread->start();
  if (job->thread->isRunning() || job->thread->isFinished()) return;
  job->failure = Error{ErrorKind::input_output, "", "no thread can be started"};
  announce(job);
}

void Background::announce(Place job) {
  QMetaObject::invokeMethod(
      this, [this, job] { finish(job); }, Qt::QueuedConnection);
}

void Background::finish(Place job) {
  job->thread->wait();
  const auto end = std::move(job->end);
  const auto failure = std::move(job->failure);
  jobs_.erase(job);
  end(failure);
}

}  // namespace twosphere
