// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace twosphere {

/// From now on SIGINT (Ctrl-C) and SIGTERM are only recorded: a command checks for them regularly,
/// ends cleanly and exits with status 128 + signal.
void watch_signals();
/// The last signal received, or 0.
int caught_signal();
/// Whether a signal was received, for Interruptible.
const std::atomic<bool>& signal_caught();

}  // namespace twosphere
