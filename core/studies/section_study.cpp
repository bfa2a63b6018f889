// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/section_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/interrupt.h"
#include "core/export/csv.h"
#include "core/run/simulation.h"

namespace twosphere {

namespace {

/// Steps between two calls of take_section_points(), which bound the points in memory.
constexpr std::int64_t block = 4096;

}  // namespace

SectionOrbit follow_section_orbit(
    const Sweep& starts, std::size_t index, const std::atomic<bool>& stop,
    const std::function<void(const SectionSurface&, const SectionPoint&)>& take) {
  SectionOrbit orbit{TaskStatus::refused};
  auto scenario = sweep_scenario(starts, index);
  if (!scenario) {
    orbit.why = scenario.error().text();
    return orbit;
  }
  const PoincareSection section = scenario->section.value_or(PoincareSection{});
  auto run = Simulation::create(std::move(*scenario));
  auto follows = run ? run->follow_section(section) : Result<void>(run.error());
  if (!follows) {
    orbit.why = follows.error().text();
    return orbit;
  }
  const Interruptible interruptible(stop);
  orbit.status = TaskStatus::done;
  while (!run->finished() && !run->stopped()) {
    const auto failed = run->advance_to(std::min(run->steps() + block, run->planned_steps()));
    for (const SectionPoint& point : run->take_section_points(0)) {
      take(*run->lane(0).crossings->surface(), point);
      ++orbit.points;
    }
    if (stop) {
      orbit.status = TaskStatus::missing;
      return orbit;
    }
    if (!failed) continue;
    orbit.status = failed->report.status == StepStatus::not_finite ? TaskStatus::not_finite
                                                                   : TaskStatus::refused;
    orbit.why = failed->message;
    return orbit;
  }
  if (run->stopped()) orbit.status = TaskStatus::stopped;
  return orbit;
}

std::string section_study_header(const SectionSurface& surface) {
  return "start [1]," + section_header(surface);
}

std::string section_study_row(std::size_t start, const SectionSurface& surface,
                              const SectionPoint& point) {
  return fmt::format("{},{}", start, section_row(surface, point));
}

}  // namespace twosphere
