// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals.h"

#include <csignal>

namespace twosphere {

namespace {

volatile std::sig_atomic_t caught = 0;

void on_signal(int signal) { caught = signal; }

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() { return caught; }

}  // namespace twosphere
