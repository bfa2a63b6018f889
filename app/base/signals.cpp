// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/signals.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace twosphere {

namespace {

volatile std::sig_atomic_t caught = 0;
std::atomic<bool> any = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  if (caught == 0) caught = signal;
  any = true;
}

void handle_signal(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// Sets the handler of the ending signals.
void handle_ending_signals(void (*handler)(int)) {
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  for (const int signal : ending_signals)
    if (signal != SIGHUP || hangup.sa_handler != SIG_IGN) handle_signal(signal, handler, 0);
}

}  // namespace

void end_at_signals() {
  handle_ending_signals([](int signal) { _exit(128 + signal); });
}

void watch_signals() { handle_ending_signals(on_signal); }

void set_wall_time(double seconds) {
  constexpr double longest = 1e9;
  handle_signal(SIGALRM, on_signal, SA_RESTART);  // the scenario may still be read
  seconds = std::min(seconds, longest);
  const double whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  // At least one microsecond: 0 would be no timer.
  timer.it_value.tv_usec =
      std::clamp<suseconds_t>(std::lround(1e6 * (seconds - whole)), whole > 0 ? 0 : 1, 999'999);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

int caught_signal() { return caught; }

const std::atomic<bool>& signal_caught() { return any; }

}  // namespace twosphere
