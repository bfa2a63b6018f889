// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// During its lifetime, long computations on this thread check the flag and stop once it is set: a
/// step then ends with StepStatus::interrupted and leaves the state unchanged, and sums over very
/// many pairs become NaN. Scopes nest.
class Interruptible {
 public:
  explicit Interruptible(const std::atomic<bool>& flag) : previous_(flag_) { flag_ = &flag; }
  ~Interruptible() { flag_ = previous_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// The flag of this thread, for other threads that share its work; may be null.
  static const std::atomic<bool>* flag() { return flag_; }

 private:
  friend class Uninterrupted;
  inline static constinit thread_local const std::atomic<bool>* flag_ = nullptr;

  const std::atomic<bool>* previous_;
};

/// During its lifetime nothing on this thread is interrupted.
class Uninterrupted {
 public:
  Uninterrupted() : previous_(Interruptible::flag_) { Interruptible::flag_ = nullptr; }
  ~Uninterrupted() { Interruptible::flag_ = previous_; }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  const std::atomic<bool>* previous_;
};

inline bool is_set(const std::atomic<bool>* flag) {
  return flag && flag->load(std::memory_order_relaxed);
}
/// Whether the computation on this thread should stop.
inline bool interrupted() { return is_set(Interruptible::flag()); }

}  // namespace twosphere
