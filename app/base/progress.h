// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// Shared between a task on another thread and the code that waits for it.
struct Progress {
  std::atomic<double> share = 0;        ///< completed fraction of the work, 0 to 1
  std::atomic<bool> cancelled = false;  ///< the work should stop and leave nothing behind
};

}  // namespace twosphere
