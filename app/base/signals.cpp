// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/signals.h"

#include <csignal>

namespace twosphere {

namespace {

volatile std::sig_atomic_t caught = 0;
std::atomic<bool> any = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int signal) {
  caught = signal;
  any = true;
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() { return caught; }

const std::atomic<bool>& signal_caught() { return any; }

}  // namespace twosphere
