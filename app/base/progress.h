// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// Between a piece of work on another thread and whoever waits for it.
struct Progress {
  std::atomic<double> share = 0;        ///< of the work that is done, 0 to 1
  std::atomic<bool> cancelled = false;  ///< the work is to end, and to leave nothing
};

}  // namespace twosphere
