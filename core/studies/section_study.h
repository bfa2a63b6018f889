// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/section_crossings.h"
#include "core/studies/sweep.h"
#include "core/studies/sweep_task.h"

namespace twosphere {

/// How the orbit from one start ended.
struct SectionOrbit {
  TaskStatus status = TaskStatus::missing;  ///< missing: interrupted
  std::string why{};                        ///< the reason of a failure
  std::int64_t points = 0;
};

/// Runs from start `index` of a sweep, whose scenario has a section, to the end of its duration.
/// Calls `take` with each point when it is found, together with the surface. Ends early if `stop`
/// is set.
SectionOrbit follow_section_orbit(
    const Sweep& starts, std::size_t index, const std::atomic<bool>& stop,
    const std::function<void(const SectionSurface&, const SectionPoint&)>& take);

/// Follows the orbits from all starts, up to `threads` of them at the same time, and gives `write`
/// the rows of the table from one thread at a time: those of start 0, then those of start 1, and so
/// on, whatever the number of threads. Rows of later starts are kept until their turn; an orbit
/// with 16 MiB of them waits for it. Meanwhile proceed(done, all) is called about 20 times a second
/// on the calling thread; if it returns false, every orbit ends, and its rows so far are written.
std::vector<SectionOrbit> run_section_study(
    const Sweep& starts, int threads, const std::function<void(std::string_view)>& write,
    const std::function<bool(std::size_t done, std::size_t all)>& proceed);

}  // namespace twosphere
