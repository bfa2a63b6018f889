// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

#include "core/base/thread_pool.h"

namespace twosphere::test {

using Clock = std::chrono::steady_clock;

/// Elapsed time [s].
inline double since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// Sets the number of threads during its lifetime.
class Share {
 public:
  explicit Share(int count) { set_threads(count); }
  ~Share() { set_threads(before_); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

 private:
  int before_ = threads();
};

}  // namespace twosphere::test
