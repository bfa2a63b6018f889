// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

namespace twosphere {

/// During its lifetime, History::view() on this thread computes signals of the state only until
/// `over` says that the time is up, which it is asked before each value; what is left is computed
/// by later calls. The views then have the values so far, at least two.
class ViewLimit {
 public:
  explicit ViewLimit(std::function<bool()> over) : over_(std::move(over)), previous_(current_) {
    current_ = this;
  }
  ~ViewLimit() { current_ = previous_; }
  ViewLimit(const ViewLimit&) = delete;
  ViewLimit& operator=(const ViewLimit&) = delete;

  /// Whether a view has not come to its end.
  bool cut() const { return cut_; }

  /// Whether a view of this thread must end here.
  static bool reached() {
    if (!current_ || !current_->over_()) return false;
    current_->cut_ = true;
    return true;
  }

 private:
  inline static constinit thread_local ViewLimit* current_ = nullptr;

  std::function<bool()> over_;
  ViewLimit* previous_;
  mutable bool cut_ = false;
};

}  // namespace twosphere
