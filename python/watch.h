// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/base/interrupt.h"

namespace twosphere::python {

/// Lets Ctrl-C interrupt a long computation of the core: during its lifetime SIGINT sets a flag,
/// which is that of Interruptible on this thread, and then continues to Python's own handler. Made
/// and destroyed on one thread; any number of threads may have one.
class Watch {
 public:
  Watch();
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// The flag; the core stops a long step once it is set.
  const std::atomic<bool>& flag() const;
  bool interrupted() const { return flag().load(std::memory_order_relaxed); }
  /// Runs Python's handlers of signals on the main thread, and raises what they raise. If they
  /// raise nothing, the computation may continue. On other threads it raises KeyboardInterrupt if
  /// there was a signal. The GIL must be held.
  void check();

 private:
  int slot_ = -1;  // -1: there are too many, and this one is not interrupted
  Interruptible interruptible_;
};

/// The result of body(watch), which may end early once the watch is interrupted, and is then
/// computed anew, unless Python's handlers raise something. The GIL must be held; the body may
/// release it.
template <class Body>
auto computed_to_end(Body&& body) {
  Watch watch;
  for (;;) {
    auto result = body(watch);
    if (!watch.interrupted()) return result;
    watch.check();
  }
}

}  // namespace twosphere::python
