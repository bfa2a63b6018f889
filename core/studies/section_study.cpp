// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/section_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "core/base/interrupt.h"
#include "core/output/csv.h"
#include "core/run/simulation.h"
#include "core/studies/parallel_tasks.h"

namespace twosphere {

namespace {

/// Steps between two calls of take_section_points(), which bound the points in memory.
constexpr std::int64_t block = 64;

/// Rows of tasks that run at the same time, written in the order of the tasks.
class RowsInOrder {
 public:
  RowsInOrder(std::size_t tasks, const std::function<void(std::string_view)>& write)
      : write_(write), waiting_(tasks), ended_(tasks) {}

  void add(std::size_t task, std::string_view row, const std::atomic<bool>& stop) {
    std::unique_lock lock(mutex_);
    while (task != turn_ && waiting_[task].size() > max_waiting && !stop)
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    if (task == turn_)
      write_(row);
    else
      waiting_[task] += row;
  }
  void end(std::size_t task) {
    const std::lock_guard lock(mutex_);
    ended_[task] = true;
    while (turn_ < ended_.size() && ended_[turn_]) {
      if (++turn_ == ended_.size()) break;
      write_(waiting_[turn_]);
      waiting_[turn_] = {};
    }
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t max_waiting = std::size_t{16} << 20;

  const std::function<void(std::string_view)>& write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t turn_ = 0;              // the task whose rows are written as they come
  std::vector<std::string> waiting_;  // rows of later tasks
  std::vector<bool> ended_;
};

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

std::vector<SectionOrbit> run_section_study(
    const Sweep& starts, int threads, const std::function<void(std::string_view)>& write,
    const std::function<bool(std::size_t, std::size_t)>& proceed) {
  std::vector<SectionOrbit> orbits(starts.tasks());
  RowsInOrder rows(starts.tasks(), write);
  std::atomic<bool> stop = false;
  parallel_tasks(
      starts.tasks(), threads,
      [&](std::size_t k, const std::stop_token&) {
        orbits[k] = follow_section_orbit(
            starts, k, stop, [&](const SectionSurface& surface, const SectionPoint& point) {
              rows.add(k, section_row(surface, point, k), stop);
            });
        rows.end(k);
      },
      [&](std::size_t done, std::size_t all) {
        const bool wanted = proceed(done, all);
        if (!wanted) stop = true;
        return wanted;
      });
  return orbits;
}

}  // namespace twosphere
