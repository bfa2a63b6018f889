// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/studies/sweep_rows.h"

namespace twosphere {

/// One of several divisions of the work: part K of N, K from 1, has the tasks K − 1, K − 1 + N, ….
struct SweepPart {
  int index = 1, count = 1;

  std::string file_name() const;  ///< "3-of-8.csv"
  bool has(std::size_t task) const {
    return task % static_cast<std::size_t>(count) == static_cast<std::size_t>(index - 1);
  }
};

/// How far a part is.
struct SweepProgress {
  std::size_t done = 0, all = 0;  ///< tasks of this part
  std::size_t failed = 0;         ///< of those done: failed()
  std::size_t before = 0;         ///< of those done: done when the part began
};
struct SweepRun {
  SweepPart part{};
  int jobs = 1;                ///< tasks at the same time
  double state_interval = 60;  ///< TaskStates::interval [s]
  bool retry = false;          ///< tasks that broke off run again
};
/// Runs the tasks of a part that have no row yet, coarse to fine (sweep_order.h), and appends their
/// rows, within two seconds and at the end. A task that ran out of memory, or in which an earlier
/// process of the part was killed, runs once more, alone and in a separate process; if that ends,
/// too, it has broken off. So it has if three processes were killed in it without saving its state.
/// Meanwhile proceed is called about 20 times a second; if it returns false the tasks stop, those
/// of a second or more with their states saved. Returns whether all are done. Fails if files cannot
/// be written, or if another process runs this part.
Result<bool> run_sweep(const SweepFolder& folder, const SweepRun& how,
                       const std::function<bool(const SweepProgress&)>& proceed);

}  // namespace twosphere
