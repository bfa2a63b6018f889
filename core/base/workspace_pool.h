// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace twosphere {

/// Workspaces of an object whose const methods may be called from several threads at the same time.
/// They are created on demand and reused; their number is the largest number of simultaneous calls,
/// or what take_suitable() allows. The one returned last is taken without a lock, which would cost
/// as much as the force of a pair of bodies.
template <class T>
class Pool {
 public:
  Pool() = default;
  ~Pool() { delete at_hand_.load(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A workspace that is returned to the pool at the end of the scope.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<T> held) : pool_(pool), held_(std::move(held)) {}
    ~Lease() { pool_.give_back(std::move(held_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() const { return *held_; }
    T* operator->() const { return held_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<T> held_;
  };

  /// The workspace returned last, or a new one created by `make()`.
  template <class Make>
  Lease take(const Make& make) {
    if (auto held = take_at_hand()) return {*this, std::move(held)};
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> held = std::move(free_.back());
        free_.pop_back();
        return {*this, std::move(held)};
      }
    }
    return create(make);
  }
  Lease take() {
    return take([] { return T{}; });
  }

  /// The workspace returned last for which suits(workspace) is true. Otherwise a new one if there
  /// are fewer than `max_count`, or else the one returned first.
  template <class Suits>
  Lease take_suitable(std::size_t max_count, const Suits& suits) {
    {
      const std::lock_guard lock(mutex_);
      if (auto held = take_at_hand()) free_.push_back(std::move(held));
      auto found =
          std::find_if(free_.rbegin(), free_.rend(), [&](const auto& w) { return suits(*w); });
      if (found == free_.rend() && made_ >= max_count && !free_.empty()) --found;
      if (found != free_.rend()) {
        std::unique_ptr<T> held = std::move(*found);
        free_.erase(std::next(found).base());
        return {*this, std::move(held)};
      }
    }
    return create([] { return T{}; });
  }

 private:
  template <class Make>
  Lease create(const Make& make) {
    auto held = std::make_unique<T>(make());
    const std::lock_guard lock(mutex_);
    free_.reserve(made_ + 1);  // so that give_back() does not allocate
    ++made_;
    return {*this, std::move(held)};
  }

  std::unique_ptr<T> take_at_hand() {
    return std::unique_ptr<T>(at_hand_.exchange(nullptr, std::memory_order_acquire));
  }

  void give_back(std::unique_ptr<T> held) noexcept {
    std::unique_ptr<T> former(at_hand_.exchange(held.release(), std::memory_order_acq_rel));
    if (!former) return;
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(former));
  }

  std::atomic<T*> at_hand_ = nullptr;  // the one returned last, if it is free
  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace twosphere
