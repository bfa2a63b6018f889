// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/background.h"

#include "app/base/post.h"
#include "core/base/exceptions.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"

namespace twosphere {

Background::~Background() { wait(); }

void Background::wait() {
  for (Job& job : jobs_)
    if (job.thread.joinable()) job.thread.join();
}

void Background::begin(std::function<void()> work, End end, std::chrono::milliseconds patience) {
  const JobIterator job = jobs_.emplace(jobs_.end(), std::move(end));
  const auto announce = [this, job] {
    post(&job->receiver, [this, job] { finish(job); });
    job->done.set_value();
  };
  try {
    job->thread = std::thread([job, announce, work = std::move(work)]() noexcept {
      name_this_thread("background");
      zero_upper_registers();
      try {
        work();
      } catch (const std::exception& e) {
        job->failure = from_exception(e);
      }
      announce();
    });
  } catch (const std::exception&) {
    job->failure = Error{ErrorKind::input_output, "", "no thread can be started"};
    announce();
  }
  if (patience.count() > 0 &&
      job->done.get_future().wait_for(patience) == std::future_status::ready)
    finish(job);
}

void Background::finish(JobIterator job) {
  if (job->thread.joinable()) job->thread.join();
  const auto end = std::move(job->end);
  const auto failure = std::move(job->failure);
  jobs_.erase(job);
  end(failure);
}

}  // namespace twosphere
