// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include "core/worker/worker.h"

/// Waits for workers.
namespace twosphere::test {

/// Looks at snapshots until one is as wanted. False after a minute.
template <class Condition>
bool wait_until(Worker& worker, Condition wanted) {
  for (int i = 0; i < 60'000; ++i) {
    if (wanted(worker.snapshot())) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// Until the command of that number has been carried out.
inline bool done(Worker& worker, std::uint64_t number) {
  return wait_until(worker, [&](const Snapshot& s) { return s.commands >= number; });
}

}  // namespace twosphere::test
