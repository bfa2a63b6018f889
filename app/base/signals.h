// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// From here on Ctrl-C and SIGTERM are only noted: whoever works looks at them between two pieces
/// of work, ends cleanly and leaves with status 128 + signal.
void watch_signals();
/// The signal that came last, or 0.
int caught_signal();
/// Whether one came, for Interruptible.
const std::atomic<bool>& signal_caught();

}  // namespace twosphere
