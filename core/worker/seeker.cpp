// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/seeker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/interrupt.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/run/followed_cloud.h"
#include "core/worker/pacing.h"

namespace twosphere {

namespace {

/// How long nothing is shown of what is asked for before a checkpoint is, and about how long steps
/// are taken between two looks at the clock.
constexpr std::chrono::milliseconds seek_patience{25}, seek_slice{2};

}  // namespace

struct Seeker::Impl {
  struct Request {
    std::uint64_t number = 0;
    std::shared_ptr<const Scenario> record;
    std::shared_ptr<const Checkpoints> checkpoints;
    std::int64_t step = 0;
  };

  explicit Impl(std::function<void()> call_back) : wake(std::move(call_back)) {}

  const std::function<void()> wake;

  // Shared between the threads.
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::optional<Request> asked;           // protected by the mutex
  std::uint64_t number = 0;               // protected by the mutex
  std::shared_ptr<const Instant> newest;  // protected by the mutex
  // Request in progress; no record: none; protected by the mutex.
  Request sought;
  bool resting = false, stopping = false;  // protected by the mutex
  std::atomic<bool> interrupt{false};

  // Used only by the seeker's thread.
  Request request;
  std::optional<Simulation> simulation;  // of request.record
  bool cut_short = false;  // its last step was interrupted, perhaps after the events before it
  std::optional<FollowedCloud> cloud;              // beside it, if the checkpoints have one
  std::shared_ptr<const Scenario> record;          // repeated by the simulation
  std::shared_ptr<const Checkpoints> checkpoints;  // of that run
  std::optional<Clock::time_point> waits_since;    // nothing has been published since

  std::thread thread;  // last: it uses all the others

  void run() noexcept {
    name_this_thread("seeker");
    zero_upper_registers();
    for (;;) {
      {
        std::unique_lock lock(mutex);
        // Nothing is in progress while it waits.
        sought = {};
        changed.wait(lock, [this] { return asked || resting || stopping; });
        if (stopping) return;
        interrupt = false;
        // A seeker at rest gives its memory back.
        if (std::exchange(resting, false)) {
          lock.unlock();
          simulation.reset();
          cloud.reset();
          record.reset();
          checkpoints.reset();
          waits_since.reset();
          continue;
        }
        request = sought = std::move(*std::exchange(asked, {}));
      }
      try {
        find();
      } catch (const std::exception&) {  // out of memory: keep the last instant
        simulation.reset();
      }
      request = {};
    }
  }

  void find() {
    const Interruptible interruptible(interrupt);
    const auto from = request.checkpoints->before(request.step);
    if (!from) return;
    // The copy continues from where it is if that is nearer than the checkpoint.
    const bool same_run =
        simulation && record == request.record && checkpoints == request.checkpoints;
    // A state is shown without the events of its step, which the copy may have applied.
    const bool too_late = same_run && (simulation->steps() > request.step ||
                                       (simulation->steps() == request.step && cut_short));
    if (!same_run || too_late || simulation->steps() < from->step()) {
      simulation.emplace(Simulation::at(*request.record, *from));
      cut_short = false;
      cloud.reset();
      // Checkpoints before the beginning of a cloud are without it: the newest one tells its plan.
      if (const auto newest_cloud = request.checkpoints->newest()->cloud) {
        cloud.emplace(newest_cloud->course.plan);
        cloud->go_to(*from, *simulation);
      }
      record = request.record;
      checkpoints = request.checkpoints;
    }
    // The checkpoint before the step; it is shown if the step takes longer than seek_patience.
    auto near = simulation->steps() < request.step ? present() : nullptr;
    auto now = Clock::now();
    if (!waits_since) waits_since = now;
    for (std::int64_t batch = 1; simulation->steps() < request.step;) {
      if (near && now - *waits_since >= seek_patience) {
        publish(std::exchange(near, nullptr));
        if (!waits_since) waits_since = now;
      }
      const auto begun = now;
      const std::int64_t last = std::min(simulation->steps() + batch, request.step);
      const auto failed =
          cloud ? cloud->advance_to(*simulation, last) : simulation->advance_to(last);
      cut_short = failed.has_value();
      if (failed) {
        // Interrupted, or the step does not exist. Members do not continue after that.
        if (cloud) simulation.reset();
        return;
      }
      now = Clock::now();
      // Batches grow up to about seek_slice, after which an interruption is noticed.
      if (simulation->steps() == last && now - begun < seek_slice / 2) batch *= 2;
    }
    publish(present());
  }

  /// The present state.
  std::shared_ptr<Instant> present() {
    auto made = std::make_shared<Instant>();
    made->request = request.number;
    made->exact = simulation->steps() == request.step;
    made->checkpoint = std::make_shared<const RunCheckpoint>(simulation->checkpoint());
    const auto& settings = made->checkpoint->settings;
    made->snapshot.take(*simulation, false);
    made->snapshot.present = {settings, &settings->present};
    made->snapshot.system = settings->system;
    (void)settings->system->extent();  // as by the publisher
    made->snapshot.system_info = &info_of(settings->present);
    made->snapshot.stop_message = simulation->stopped().value_or("");
    if (cloud && cloud->cloud()) cloud->cloud()->show(*simulation, made->snapshot.cloud.emplace());
    return made;
  }

  /// Publishes a state, unless there is a new request: then its sample may be incomplete.
  void publish(std::shared_ptr<Instant> made) {
    if (interrupted()) return;
    {
      const std::lock_guard lock(mutex);
      if (resting) return;
      newest = std::move(made);
    }
    waits_since.reset();
    wake();
  }
};

Seeker::Seeker(std::function<void()> wake) : impl_(std::make_unique<Impl>(std::move(wake))) {
  impl_->thread = std::thread([this] { impl_->run(); });
}

Seeker::~Seeker() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->interrupt = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

std::uint64_t Seeker::seek(std::shared_ptr<const Scenario> record,
                           std::shared_ptr<const Checkpoints> checkpoints, std::int64_t step) {
  std::uint64_t number;
  {
    const std::lock_guard lock(impl_->mutex);
    number = ++impl_->number;
    const Impl::Request& sought = impl_->sought;
    // The search in progress leads to this step, too: it is not interrupted.
    const bool on_the_way =
        sought.record == record && sought.checkpoints == checkpoints && sought.step <= step;
    if (!on_the_way) impl_->interrupt = true;
    impl_->asked = {number, std::move(record), std::move(checkpoints), step};
  }
  impl_->changed.notify_one();
  return number;
}

void Seeker::rest() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->asked.reset();
    impl_->newest.reset();
    impl_->resting = true;
    impl_->interrupt = true;
  }
  impl_->changed.notify_one();
}

std::shared_ptr<const Instant> Seeker::instant() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->newest;
}

}  // namespace twosphere
