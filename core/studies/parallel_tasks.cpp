// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/parallel_tasks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/simd_level.h"
#include "core/base/thread_name.h"

namespace twosphere {

bool parallel_tasks(std::size_t count, int threads,
                    const std::function<void(std::size_t, const std::stop_token&)>& work,
                    const std::function<bool(std::size_t, std::size_t)>& proceed) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t done = 0;  // guarded by mutex
  bool wanted = true;
  {
    // False when no task is left.
    const auto work_next = [&](const std::stop_token& stop) {
      const std::size_t k = next++;
      if (k >= count) return false;
      work(k, stop);
      const std::lock_guard lock(mutex);
      if (++done == count) changed.notify_one();
      return true;
    };
    std::vector<std::jthread> workers;
    try {
      for (int i = 0; i < std::max(1, threads); ++i)
        workers.emplace_back([&work_next](const std::stop_token& stop) {
          name_this_thread("study");
          zero_upper_registers();
          while (!stop.stop_requested() && work_next(stop)) {
          }
        });
    } catch (const std::exception&) {  // no thread or no memory: continue with the threads that
                                       // were started
    }
    std::unique_lock lock(mutex);
    while (wanted && done < count) {
      if (!workers.empty()) changed.wait_for(lock, std::chrono::milliseconds(50));
      const std::size_t so_far = done;
      lock.unlock();
      if (workers.empty()) work_next({});
      wanted = proceed(so_far, count);
      lock.lock();
    }
    lock.unlock();
    for (std::jthread& worker : workers) worker.request_stop();
  }
  return done == count;
}

}  // namespace twosphere
