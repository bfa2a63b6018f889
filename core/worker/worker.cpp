// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/worker.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>
#include <variant>

#include "core/base/exceptions.h"
#include "core/base/simd_level.h"
#include "core/base/thread_name.h"
#include "core/worker/carry_out.h"

namespace twosphere {

namespace {

/// How long nothing is tried when memory has run out.
constexpr std::chrono::milliseconds memory_patience{100};

}  // namespace

struct Worker::Impl : CommandDesk {
  Impl(Simulation simulation, std::function<void()> call_back, const WorkerOptions& options)
      : CommandDesk(std::move(simulation), options.max_samples, options.state_budget,
                    options.max_undrained) {
    begin();
    publish(Clock::now());
    wake = std::move(call_back);
  }

  // Shared between the threads.
  using Capture = std::promise<Captured>;
  using Request = std::variant<Command, Capture>;
  std::vector<Request> inbox;  // protected by the mutex
  std::uint64_t sent = 0;      // protected by the mutex
  bool stopping = false;       // protected by the mutex

  // Used only by the worker's thread.
  std::vector<Request> requests;

  std::thread thread;  // last: it uses all the others

  /// Any thread may call it. Returns the number of requests so far.
  std::uint64_t call(Request request) {
    std::uint64_t number;
    {
      const std::lock_guard lock(mutex);
      number = sent += std::holds_alternative<Command>(request);
      if (interrupts(request)) interrupt = true;
      inbox.push_back(std::move(request));
      called = true;
    }
    changed.notify_one();
    return number;
  }

  void run() noexcept {
    name_this_thread("worker");
    zero_upper_registers();
    for (;;) {
      try {
        // Requests that waited for TakeSteps are taken up when its steps are taken.
        if ((called || (!requests.empty() && steps_left == 0)) && !listen()) return;
        if (called) continue;
        if (source->is_active()) {
          source->advance();
        } else {
          // Idle: the last snapshot is out, and memory is given back, before it waits.
          if (unpublished) publish(Clock::now());
          rows.rest();
          std::unique_lock lock(mutex);
          changed.wait(lock, [this] { return called.load(); });
        }
      } catch (const std::exception& e) {  // out of memory
        fail(from_exception(e));
        halt(RunState::paused);
        sleep_until(Clock::now() + memory_patience);
      }
    }
  }

  // Requests

  /// Receives requests and carries out what is possible now. False if the thread is to stop.
  bool listen() {
    bool stop;
    {
      const std::lock_guard lock(mutex);
      std::move(inbox.begin(), inbox.end(), std::back_inserter(requests));
      inbox.clear();
      called = false;
      stop = stopping;
      interrupt = stop;
    }
    while (!stop && !requests.empty()) {
      if (steps_left > 0) {
        // TakeSteps holds up what comes after it, unless something interrupts it.
        if (std::none_of(requests.begin(), requests.end(), interrupts)) break;
        halt(RunState::paused);
      }
      Request request = std::move(requests.front());
      requests.erase(requests.begin());
      if (auto* capture = std::get_if<Capture>(&request))
        answer(*capture);
      else
        carry_out(std::get<Command>(request), *this);
    }
    // Commands may have to wait for TakeSteps, captures do not.
    std::erase_if(requests, [this](Request& request) {
      auto* capture = std::get_if<Capture>(&request);
      if (capture) answer(*capture);
      return capture != nullptr;
    });
    return !stop;
  }

  static bool interrupts(const Request& request) {
    const auto* command = std::get_if<Command>(&request);
    return command && traits_of(*command).interrupts;
  }

  void answer(Capture& capture) {
    try {
      capture.set_value({sim.continuation(), sim.steps(), sim.record(), sim.events_applied(),
                         sim.pending(), sim.first_stride(),
                         std::make_shared<const RunCheckpoint>(sim.checkpoint())});
    } catch (...) {
      capture.set_exception(std::current_exception());
    }
  }
};

Worker::Worker(Simulation simulation, std::function<void()> wake, const WorkerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(simulation), std::move(wake), options)) {
  impl_->thread = std::thread([this] { impl_->run(); });
}

Worker::~Worker() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->interrupt = true;
    impl_->called = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

std::uint64_t Worker::send(Command command) { return impl_->call(std::move(command)); }

const Snapshot& Worker::snapshot() {
  if (impl_->publisher.take() && impl_->awaiting_reader) {
    // The lock ensures that the worker is waiting, not about to wait.
    { const std::lock_guard lock(impl_->mutex); }
    impl_->changed.notify_one();
  }
  return impl_->publisher.taken();
}

void Worker::drain_samples(std::vector<SampleRows>& out) {
  RowWriter& rows = impl_->rows;
  const std::size_t drained = rows.drain(out);
  bool waits;
  {  // the lock ensures that the worker is waiting, not about to wait
    const std::lock_guard lock(impl_->mutex);
    waits = rows.undrained() > impl_->max_undrained / 2;
    rows.release(drained);
  }
  if (waits) impl_->changed.notify_one();
}

void Worker::give_back(std::vector<SampleRows>& rows) { impl_->rows.give_back(rows); }

void Worker::drain_configurations(std::vector<Configuration>& out) {
  impl_->configurations_out.drain(out);
}

std::future<Worker::Captured> Worker::capture() {
  Impl::Capture promise;
  auto future = promise.get_future();
  impl_->call(std::move(promise));
  return future;
}

}  // namespace twosphere
