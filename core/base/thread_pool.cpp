// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/simd_level.h"
#include "core/base/thread_name.h"

namespace twosphere {

namespace {

/// The threads besides the calling one. After a loop they spin for a moment, then sleep. A loop
/// does not wait for threads that have not joined it yet: the calling thread takes over their
/// parts.
class ThreadPool {
 public:
  ~ThreadPool() { resize(1); }

  int size() {
    const std::lock_guard lock(callers_);
    return started() ? size_ : processors();
  }

  void resize(int count) {
    const std::lock_guard lock(callers_);
    restart(count);
  }

  void run(std::size_t parts, void (*body)(void*, std::size_t), void* context) {
    std::unique_lock<std::mutex> caller;
    // A thread must not call try_lock on a mutex that it holds, as a nested loop would.
    static thread_local bool in_loop = false;
    if (parts > 1 && !in_loop) caller = std::unique_lock(callers_, std::try_to_lock);
    if (caller && !started()) restart(processors());
    if (!caller || size_ < 2) {
      if (caller) caller.unlock();
      for (std::size_t part = 0; part < parts; ++part) body(context, part);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      body_ = body;
      context_ = context;
      // Divide the parts into one contiguous share per thread.
      const std::size_t shares = share_count();
      for (std::size_t k = 0; k < shares; ++k) {
        shares_[k].next = k * parts / shares;
        shares_[k].end = (k + 1) * parts / shares;
      }
      open_ = true;
      ++loops_;
    }
    if (sleeping_ > 0) wake_.notify_all();
    in_loop = true;
    work(0, body, context);
    in_loop = false;
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
    }
    while (inside_ > 0) std::this_thread::yield();  // until their last parts are done
  }

 private:
  bool started() const { return size_ > 0; }

  std::size_t share_count() const { return static_cast<std::size_t>(size_); }

  void restart(int count) noexcept {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      ++loops_;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    ending_ = false;
    size_ = 1;
    try {
      const auto wanted = static_cast<std::size_t>(std::max(1, count));
      shares_ = std::vector<WorkRange>(wanted);
      threads_.reserve(wanted);
      for (std::size_t k = 1; k < wanted; ++k, ++size_)
        threads_.emplace_back([this, k, seen = loops_.load()] { serve(k, seen); });
    } catch (const std::exception&) {  // continue with the threads that were started
    }
  }

  /// Each thread begins with its own share, whose data are still in its caches from the last loop.
  void work(std::size_t thread, void (*body)(void*, std::size_t), void* context) {
    const std::size_t shares = share_count();
    for (std::size_t k = 0; k < shares; ++k) {
      WorkRange& share = shares_[(thread + k) % shares];
      for (std::size_t part = share.next++; part < share.end; part = share.next++)
        body(context, part);
    }
  }

  void serve(std::size_t thread, std::uint64_t seen) {
    name_this_thread("pool");
    zero_upper_registers();
    for (;;) {
      wait_for_next_loop(seen);
      void (*body)(void*, std::size_t);
      void* context;
      {
        const std::lock_guard lock(mutex_);
        seen = loops_;
        if (ending_) return;
        if (!open_) continue;
        body = body_;
        context = context_;
        ++inside_;
      }
      work(thread, body, context);
      --inside_;
    }
  }

  /// Waits until a loop after `seen` has started.
  void wait_for_next_loop(std::uint64_t seen) {
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

  std::mutex callers_;  // held during a loop, so that concurrent loops run serially
  int size_ = 0;        // 0: not started yet
  std::vector<std::thread> threads_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> loops_{0};
  std::atomic<int> sleeping_{0};
  bool ending_ = false, open_ = false;
  void (*body_)(void*, std::size_t) = nullptr;
  void* context_ = nullptr;
  struct alignas(64) WorkRange {  // one cache line each
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  std::vector<WorkRange> shares_;  // the parts of each thread
  std::atomic<int> inside_{0};
};

ThreadPool& pool() {
  static ThreadPool made;
  return made;
}

}  // namespace

int processors() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

int threads() { return pool().size(); }

void set_threads(int count) { pool().resize(count); }

void run_parallel(std::size_t parts, void (*body)(void*, std::size_t), void* context) {
  pool().run(parts, body, context);
}

}  // namespace twosphere
