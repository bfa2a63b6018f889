// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

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

/// The table of the points of several starts: "start [1]", then the columns of section_header().
std::string section_study_header(const SectionSurface& surface);
std::string section_study_row(std::size_t start, const SectionSurface& surface,
                              const SectionPoint& point);

}  // namespace twosphere
