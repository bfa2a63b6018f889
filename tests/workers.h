// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/worker/worker.h"
#include "tests/outcome.h"

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

/// The same until the run is in this state.
inline bool reaches(Worker& worker, RunState state) {
  return wait_until(worker, [&](const Snapshot& s) { return s.state == state; });
}

/// Until the command of that number has been carried out.
inline bool done(Worker& worker, std::uint64_t number) {
  return wait_until(worker, [&](const Snapshot& s) { return s.commands >= number; });
}

/// Sends commands; the snapshot once the last of them has been carried out.
inline const Snapshot& after(Worker& worker, const std::vector<Command>& commands,
                             const Caller& at = Caller::here()) {
  std::uint64_t last = 0;
  for (const Command& command : commands) last = worker.send(command);
  if (!done(worker, last)) end_test(at, "a command is not carried out");
  return worker.snapshot();
}

}  // namespace twosphere::test
