// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_task.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <list>
#include <map>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/foreign_folder.h"
#include "core/base/interrupt.h"
#include "core/base/text.h"
#include "core/mechanics/ensemble.h"
#include "core/run/row_block.h"
#include "core/scenario/document.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"
#include "core/studies/basins.h"
#include "core/studies/measured_lane.h"
#include "core/studies/task_orbit.h"

namespace twosphere {

namespace {

using json::Node;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// A run and what it has given so far.
struct RunningTask {
  Simulation run;
  MeasuredLane measured;
  std::optional<BasinWatch> rest;  ///< if its basin is measured
  double steps_before = 0;         ///< taken before the saved state
};

/// The run of a task with what its measures need.
Result<RunningTask> prepared(const Sweep& sweep, Simulation run) {
  auto measured = MeasuredLane::create(sweep.measures, run.record());
  if (!measured) return measured.error();
  RunningTask task{std::move(run), std::move(*measured), {}};
  if (sweep.equilibria.empty()) return task;
  auto watch =
      BasinWatch::create(sweep.equilibria, sweep.scenario, task.run.record(), task.run.system());
  if (!watch) return watch.error();
  task.rest = std::move(*watch);
  return task;
}

// Groups of tasks: so many for each thread, if there are enough; and the largest, in widths.
constexpr std::size_t min_groups = 8, max_widths = 8;

/// The run so far as a document: the scenario that continues with it, for the steps that are left,
/// and what was measured.
std::string write_state(const std::string& sweep_name, std::size_t index, RunningTask& task) {
  Node root = Node::object();
  root.set("sweep", sweep_name);
  root.set("task", Node::whole(static_cast<std::int64_t>(index)));
  root.set("steps", task.steps_before + steps_of(task.run));
  root.set("measured", task.measured.saved(task.run.steps()));
  Scenario scenario = task.run.continuation();
  scenario.duration =
      duration_of(task.run.planned_steps() - task.run.steps(), scenario.lanes, scenario.events);
  scenario.every = task.run.stride();
  root.set("scenario", to_json(scenario));
  return json::write(root);
}

/// The task as it was saved; none if there is no such state, or not of this sweep.
std::optional<RunningTask> read_state(const TaskStates& states, const Sweep& sweep,
                                      const std::string& sweep_name, std::size_t index) {
  const ForeignFolder folder(states.folder);
  const std::string path = folder.inside(states.name);
  const auto text = folder.read(states.name, json::max_bytes);
  if (!text) return {};
  const auto root = json::parse(*text, path);
  if (!root) return {};
  try {
    const document::Origin source{path};
    const document::Value value(source, *root, "");
    if (value.member("sweep").text() != sweep_name ||
        value.member("task").number() != static_cast<double>(index))
      return {};
    const auto scenario = from_json(value.member("scenario").node(), path);
    if (!scenario) return {};
    auto run = Simulation::create(*scenario);
    if (!run) return {};
    auto task = prepared(sweep, std::move(*run));
    if (!task || !task->measured.restore(value.member("measured"))) return {};
    task->steps_before = value.member("steps").number();
    return std::move(*task);
  } catch (const Failure&) {
    return {};
  }
}

/// The remark on the samples of a signal along a run that has ended.
std::string limits_of(const SignalSamples& signal, const Simulation& run) {
  std::vector<std::string> remarks = signal.notes();
  if (run.stopped()) remarks.insert(remarks.begin(), "stopped: " + *run.stopped());
  return joined(remarks, "; ", std::identity());
}

/// The task at its start, with its first row.
Result<RunningTask> begin_task(const Sweep& sweep, std::size_t index) {
  auto scenario = sweep_scenario(sweep, index);
  if (!scenario) return scenario.error();
  auto run = Simulation::create(std::move(*scenario));
  if (!run) return run.error();
  if (const int vectors = sweep.vectors(); vectors > 0)
    if (auto follows = run->follow_exponents(vectors); !follows) return follows.error();
  auto task = prepared(sweep, std::move(*run));
  if (task && finite(task->run.sample(0))) task->measured.add_row(task->run);
  return task;
}

/// Computing time after which the state of a task is worth saving when it is interrupted [s].
constexpr double min_saved = 1;

/// A task that runs, from its start or its saved state to its row.
class TaskInProgress {
 public:
  TaskInProgress(const Sweep& sweep, const std::string& name, std::size_t index, TaskStates states);
  TaskInProgress(const TaskInProgress&) = delete;
  TaskInProgress& operator=(const TaskInProgress&) = delete;

  /// Whether it has ended, or was interrupted.
  bool ended() const { return ended_; }
  /// Looks for the orbit, if it is measured, and ends if nothing is left to do. Once, before
  /// advance().
  void begin();
  /// Only while it has not ended.
  Simulation& run() { return running_->run; }
  /// Continues to the next row, over several that are taken together, or to a step before it that
  /// the run examines.
  Result<void> advance(const std::atomic<bool>& stop);
  /// Its result; it shared its time with so many others.
  EndedTask end(std::size_t others) &&;

 private:
  Result<void> save();
  void finish();
  void find_orbit();
  void take_orbit(const FoundOrbit& orbit);
  void remark(const std::string& text) { why_ += (why_.empty() ? "" : "; ") + text; }
  /// Whether nothing is left to do.
  bool whole() { return !sweep_.needs_run() || basin_ || run().finished() || run().stopped(); }

  const Sweep& sweep_;
  const std::string& name_;
  TaskStates states_;
  SweepRow row_;
  std::string why_;
  std::optional<RunningTask> running_;
  std::optional<std::size_t> basin_;  // where it has come to rest
  bool ended_ = false, interrupted_ = false;
  std::int64_t last_row_ = 0;
  Clock::time_point begun_ = Clock::now(), saved_ = begun_;
};

TaskInProgress::TaskInProgress(const Sweep& sweep, const std::string& name, std::size_t index,
                               TaskStates states)
    : sweep_(sweep),
      name_(name),
      states_(std::move(states)),
      row_{index, TaskStatus::done, std::vector<double>(sweep.measures.size(), std::nan(""))} {
  if (!states_.name.empty()) running_ = read_state(states_, sweep, name, index);
  if (!running_) {
    auto begun = begin_task(sweep, index);
    if (!begun) {
      row_.status = TaskStatus::refused;
      why_ = begun.error().text();
      ended_ = true;
      return;
    }
    running_.emplace(std::move(*begun));
  }
  run().observe([this](Simulation& at) { return running_->measured.see(at); },
                running_->measured.takes_rows());
  if (running_->rest)
    run().observe([this](Simulation& at) {
      if (!basin_) basin_ = running_->rest->settled_at(at.state(0));
      return at.steps() + 1;
    });
  last_row_ = run().steps();
}

void TaskInProgress::begin() {
  if (ended_) return;
  if (sweep_.orbit) find_orbit();
  if (!ended_ && whole()) finish();
}

/// Looks for the orbit; ends the task if that is interrupted.
void TaskInProgress::find_orbit() {
  // Of the start, also where events have changed the system of a run that continues.
  const auto start = sweep_scenario(sweep_, row_.task);
  const auto system = start ? Simulation::make_system(*start) : start.error();
  const auto found = system ? find_task_orbit(*sweep_.orbit, *start, *system)
                            : Result<std::optional<FoundOrbit>>(system.error());
  ended_ = interrupted_ = found && !*found;
  if (!found)
    remark("no orbit: " + found.error().text());
  else if (*found)
    take_orbit(**found);
}

void TaskInProgress::take_orbit(const FoundOrbit& orbit) {
  for (const std::string& note : orbit.notes) remark("orbit: " + note);
  std::vector<double> sizes;
  for (const std::complex<double> mu : orbit.multipliers().values()) sizes.push_back(std::abs(mu));
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  for (std::size_t k = 0; k < sweep_.measures.size(); ++k) {
    const SweepMeasure& measure = sweep_.measures[k];
    const auto index = static_cast<std::size_t>(measure.index);
    if (measure.kind == SweepMeasure::Kind::orbit_period)
      row_.values[k] = orbit.period();
    else if (measure.of_orbit() && index < sizes.size())
      row_.values[k] = sizes[index];
  }
}

Result<void> TaskInProgress::advance(const std::atomic<bool>& stop) {
  // To the next row; where every step has one, over as many as are taken together. Step by step
  // where the run may settle in any of them.
  const std::int64_t stride = run().stride(),
                     ahead = stride > 1 ? 1 : static_cast<std::int64_t>(RowBlock::capacity),
                     next = running_->rest ? run().steps() + 1
                                           : (run().steps() / stride + ahead) * stride;
  std::optional<StepFailure> failed;
  if (!run().stopped()) failed = run().advance_rows(std::min(next, run().planned_steps()));
  // A run that has settled has ended, also where it is interrupted just then.
  if (basin_) failed.reset();
  if (failed && failed->interrupted()) {
    ended_ = interrupted_ = true;
    // Rows are counted from the saved state, so that means need one at a row.
    const bool suits = run().at_sample() || !sweep_.has(&SweepMeasure::is_mean);
    return suits && since(begun_) >= min_saved ? save() : Result<void>();
  }
  if (failed) {
    row_.status = failed->report.status == StepStatus::not_finite ? TaskStatus::not_finite
                                                                  : TaskStatus::refused;
    why_ = failed->message;
    finish();
    return {};
  }
  const bool ends = whole();
  if (run().at_sample())
    if (finite(run().sample(0))) {  // else the next step ends it
      running_->measured.add_row(run());
      last_row_ = run().steps();
      const double min_age = stop ? min_saved : states_.interval;
      if (!ends && since(stop ? begun_ : saved_) >= min_age)
        if (auto done = save(); !done) return done;
      ended_ = interrupted_ = stop && !ends;
    }
  if (ends) finish();
  return {};
}

/// Writes the state, if there is a place for it.
Result<void> TaskInProgress::save() {
  if (states_.name.empty()) return {};
  const Uninterrupted saving;
  const std::string text = write_state(name_, row_.task, *running_);
  if (auto done = ForeignFolder(states_.folder).write(states_.name, text); !done) return done;
  if (states_.saved) states_.saved();
  saved_ = Clock::now();
  return {};
}

void TaskInProgress::finish() {
  if (run().stopped() || basin_) row_.status = TaskStatus::stopped;
  if (running_->rest && !basin_ && !failed(row_.status))
    basin_ = running_->rest->at(run().state(0));
  // The last row, as in a table.
  if (last_row_ != run().steps()) {
    const Uninterrupted measuring;
    if (finite(run().sample(0))) running_->measured.add_row(run());
  }
  const auto measured = running_->measured.values(run(), running_->steps_before);
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const SweepMeasure& measure = sweep_.measures[k];
    if (!measure.of_sweep()) row_.values[k] = measured[k].value;
    if (measure.of_basin() && !failed(row_.status))
      row_.values[k] = basin_ ? static_cast<double>(*basin_) : no_basin;
  }
  if (const auto& signal = running_->measured.signal(); signal && !failed(row_.status))
    if (const std::string limits = limits_of(*signal, run()); !limits.empty()) remark(limits);
  if (!states_.name.empty()) ForeignFolder(states_.folder).remove(states_.name);
  ended_ = true;
}

EndedTask TaskInProgress::end(std::size_t others) && {
  EndedTask ended{row_.task, {}, std::move(why_), since(begun_) / static_cast<double>(others + 1)};
  if (!interrupted_) ended.row = std::move(row_);
  return ended;
}

/// The key of tasks that go together: their places on the axes that do not set the start.
std::vector<std::size_t> family(const Sweep& sweep, std::size_t task) {
  std::vector<std::size_t> point = sweep.point(task);
  point.resize(sweep.axes.size());  // without the number of the member
  for (std::size_t k = 0; k < point.size(); ++k)
    if (sweep.axes[k].sets_start()) point[k] = 0;
  return point;
}

/// How many tasks of the family of this one take their steps together.
std::size_t width_of(const Sweep& sweep, std::size_t task) {
  const auto begun = begin_task(sweep, task);
  return begun ? begun->run.width() : 1;
}

}  // namespace

Result<void> run_sweep_tasks(const Sweep& sweep, const std::string& name,
                             std::span<const std::size_t> tasks, const TaskCalls& calls,
                             const std::atomic<bool>& stop) {
  const Interruptible interruptible(stop);
  std::list<TaskInProgress> active;
  std::vector<Simulation*> runs;
  for (std::size_t next = 0;;) {
    while (next < tasks.size() && !stop &&
           (active.empty() || active.size() < active.front().run().width())) {
      {
        const Uninterrupted beginning;
        const std::size_t task = tasks[next++];
        active.emplace_back(sweep, name, task, calls.begins(task));
      }
      active.back().begin();
      if (!active.back().ended()) continue;
      calls.ends(std::move(active.back()).end(0));
      active.pop_back();
    }
    if (active.empty()) return {};
    if (const std::size_t width = active.front().run().width();
        width > 1 && sweep.needs_run() && worth_together(active.size(), width)) {
      runs.clear();
      for (TaskInProgress& task : active) runs.push_back(&task.run());
      Simulation::advance_together(runs);
    }
    for (auto task = active.begin(); task != active.end();) {
      if (auto went = task->advance(stop); !went) return went;
      if (task->ended()) {
        calls.ends(std::move(*task).end(active.size() - 1));
        task = active.erase(task);
      } else {
        ++task;
      }
    }
  }
}

Result<std::optional<SweepRow>> run_sweep_task(const Sweep& sweep, const std::string& name,
                                               std::size_t index, const TaskStates& states,
                                               const std::atomic<bool>& stop, std::string* why) {
  EndedTask end;
  const TaskCalls calls{[&](std::size_t) { return states; },
                        [&](EndedTask ended) { end = std::move(ended); }};
  if (auto ran = run_sweep_tasks(sweep, name, {&index, 1}, calls, stop); !ran) return ran.error();
  if (why) *why = std::move(end.why);
  return std::move(end.row);
}

std::vector<std::vector<std::size_t>> groups_of_tasks(const Sweep& sweep,
                                                      const std::vector<std::size_t>& tasks,
                                                      int threads) {
  const bool together =
      sweep.needs_run() &&
      (sweep.members > 1 || std::any_of(sweep.axes.begin(), sweep.axes.end(),
                                        [](const SweepAxis& axis) { return axis.sets_start(); }));
  std::vector<std::vector<std::size_t>> groups;
  struct Open {
    std::size_t size = 1;
    std::vector<std::size_t> tasks{};
  };
  std::map<std::vector<std::size_t>, Open> open;
  for (const std::size_t task : tasks) {
    if (!together) {
      groups.push_back({task});
      continue;
    }
    const auto [found, added] = open.try_emplace(family(sweep, task));
    Open& group = found->second;
    if (added) {
      // A task that ends early makes room for another one of its group.
      const std::size_t width = width_of(sweep, task),
                        share = tasks.size() / (static_cast<std::size_t>(threads) * width);
      if (width > 1 && share > 0)
        group.size = width * std::clamp<std::size_t>(share / min_groups, 1, max_widths);
    }
    group.tasks.push_back(task);
    if (group.tasks.size() == group.size) groups.push_back(std::exchange(group.tasks, {}));
  }
  for (auto& [family, group] : open)
    if (!group.tasks.empty()) groups.push_back(std::move(group.tasks));
  return groups;
}

}  // namespace twosphere
