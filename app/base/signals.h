// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace twosphere {

/// The signals by which terminals (Ctrl-C), shells, resource limits and batch systems ask a program
/// to end.
inline constexpr std::array ending_signals{SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1, SIGUSR2};

/// From now on these signals end the program at once with the exit status of a command that they
/// have ended: nothing has been begun that must be ended first. SIGHUP stays ignored under nohup.
void end_at_signals();
/// From now on these signals are only recorded: a command checks for them regularly, ends cleanly
/// and exits with signal_status(). SIGHUP stays ignored under nohup.
void watch_signals();
/// In so many seconds from now, which are above 0, the command ends as if by a signal.
void set_wall_time(double seconds);

/// The first signal received, or 0; SIGALRM when the wall time is over.
int caught_signal();
/// Whether a signal was received, for Interruptible.
const std::atomic<bool>& signal_caught();
/// Whether the wall time was over before any signal.
inline bool wall_time_over() { return caught_signal() == SIGALRM; }
/// The exit status of a command that a signal has ended: 128 + signal; 0 for the wall time.
inline int signal_status() { return wall_time_over() ? 0 : 128 + caught_signal(); }

}  // namespace twosphere
