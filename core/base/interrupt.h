// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// While one lives, whatever takes long on this thread looks at the flag and gives up once it is
/// set: a step ends with StepStatus::interrupted and has changed nothing, sums over very many pairs
/// are not a number. Scopes nest.
class Interruptible {
 public:
  explicit Interruptible(const std::atomic<bool>& flag) : former_(flag_) { flag_ = &flag; }
  ~Interruptible() { flag_ = former_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  /// Of this thread, for others that share its work; may be null.
  static const std::atomic<bool>* flag() { return flag_; }

 private:
  friend class Uninterrupted;
  inline static constinit thread_local const std::atomic<bool>* flag_ = nullptr;

  const std::atomic<bool>* former_;
};

/// While one lives nothing on this thread is interrupted.
class Uninterrupted {
 public:
  Uninterrupted() : former_(Interruptible::flag_) { Interruptible::flag_ = nullptr; }
  ~Uninterrupted() { Interruptible::flag_ = former_; }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  const std::atomic<bool>* former_;
};

inline bool is_set(const std::atomic<bool>* flag) {
  return flag && flag->load(std::memory_order_relaxed);
}
/// Whether this thread is to give up what it does.
inline bool interrupted() { return is_set(Interruptible::flag()); }

}  // namespace twosphere
