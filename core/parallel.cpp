// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace twosphere {

namespace {

/// The threads beside the caller's. Between loops they look out for the next one for a moment, then
/// sleep. A loop does not wait for threads that have not come yet: the caller does their parts.
class Team {
 public:
  ~Team() { resize(1); }

  int size() {
    const std::lock_guard lock(callers_);
    return made() ? size_ : processors();
  }

  void resize(int count) {
    const std::lock_guard lock(callers_);
    remake(count);
  }

  void run(std::size_t parts, void (*body)(void*, std::size_t), void* context) {
    std::unique_lock<std::mutex> caller;
    // Who holds a mutex may not try it: a loop in a loop of this thread.
    static thread_local bool holding = false;
    if (parts > 1 && !holding) caller = std::unique_lock(callers_, std::try_to_lock);
    if (caller && !made()) remake(processors());
    if (!caller || size_ < 2) {
      if (caller) caller.unlock();
      for (std::size_t part = 0; part < parts; ++part) body(context, part);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      body_ = body;
      context_ = context;
      parts_ = parts;
      next_ = 0;
      open_ = true;
      ++loops_;
    }
    if (sleeping_ > 0) wake_.notify_all();
    holding = true;
    work(body, context, parts);
    holding = false;
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
    }
    while (inside_ > 0) std::this_thread::yield();  // their last parts
  }

 private:
  static int processors() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }

  bool made() const { return size_ > 0; }

  void remake(int count) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      ++loops_;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    ending_ = false;
    size_ = std::max(1, count);
    for (int k = 1; k < size_; ++k)
      threads_.emplace_back([this, seen = loops_.load()] { serve(seen); });
  }

  void work(void (*body)(void*, std::size_t), void* context, std::size_t parts) {
    for (std::size_t part = next_++; part < parts; part = next_++) body(context, part);
  }

  void serve(std::uint64_t seen) {
    for (;;) {
      await_other(seen);
      void (*body)(void*, std::size_t);
      void* context;
      std::size_t parts;
      {
        const std::lock_guard lock(mutex_);
        seen = loops_;
        if (ending_) return;
        if (!open_) continue;
        body = body_;
        context = context_;
        parts = parts_;
        ++inside_;
      }
      work(body, context, parts);
      --inside_;
    }
  }

  /// Until there is another loop than that one.
  void await_other(std::uint64_t seen) {
    constexpr std::chrono::microseconds patience(200);
    const auto start = std::chrono::steady_clock::now();
    do {
      for (int k = 0; k < 64; ++k)
        if (loops_ != seen) return;
    } while (std::chrono::steady_clock::now() - start < patience);
    std::unique_lock lock(mutex_);
    ++sleeping_;
    wake_.wait(lock, [&] { return loops_ != seen; });
    --sleeping_;
  }

  std::mutex callers_;  // held during a loop: the others find it taken
  int size_ = 0;        // 0: not made yet
  std::vector<std::thread> threads_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> loops_{0};
  std::atomic<int> sleeping_{0};
  bool ending_ = false, open_ = false;
  void (*body_)(void*, std::size_t) = nullptr;
  void* context_ = nullptr;
  std::size_t parts_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<int> inside_{0};
};

Team& team() {
  static Team made;
  return made;
}

}  // namespace

int threads() { return team().size(); }

void set_threads(int count) { team().resize(count); }

void run_parallel(std::size_t parts, void (*body)(void*, std::size_t), void* context) {
  team().run(parts, body, context);
}

}  // namespace twosphere
