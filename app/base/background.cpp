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

void Background::begin(std::function<void()> work,
                       std::function<void(const std::optional<Error>&)> end) {
  const JobIterator job = jobs_.insert(jobs_.end(), Job{std::move(end)});
  const auto announce = [this, job] { post(this, [this, job] { finish(job); }); };
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
}

void Background::finish(JobIterator job) {
  if (job->thread.joinable()) job->thread.join();
  const auto end = std::move(job->end);
  const auto failure = std::move(job->failure);
  jobs_.erase(job);
  end(failure);
}

}  // namespace twosphere
