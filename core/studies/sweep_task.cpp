// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_task.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <list>
#include <map>
#include <utility>

#include "core/base/document.h"
#include "core/base/exceptions.h"
#include "core/base/foreign_folder.h"
#include "core/base/interrupt.h"
#include "core/mechanics/ensemble.h"
#include "core/scenario/reader.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using json::Node;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// A run and what its rows have given so far.
struct RunningTask {
  Simulation run;
  std::vector<MeasureSums> sums;
  ExpressionValues plotted;               ///< of the measures
  double steps_before = 0;                ///< taken before the saved state
  std::optional<SignalSamples> signal{};  ///< if a measure needs it

  /// Adds the present row.
  void add(const std::vector<SweepMeasure>& measures, const Sample& sample) {
    add_row(measures, run, sample, plotted, sums);
    if (signal && run.at_sample()) signal->add(run, 0);
  }
};

/// The signal of a run, if a measure needs it.
Result<std::optional<SignalSamples>> signal_of(const Sweep& sweep, const Scenario& scenario) {
  if (std::none_of(sweep.measures.begin(), sweep.measures.end(),
                   [](const SweepMeasure& m) { return m.needs_signal(); }))
    return std::optional<SignalSamples>();
  auto made = SignalSamples::create(scenario.signal.value_or(ComplexSignal{}), scenario);
  if (!made)
    return Error{made.error().kind, "signal." + made.error().location, made.error().message};
  return std::optional(std::move(*made));
}

// Groups of tasks: so many for each thread, if there are enough; and the largest, in widths.
constexpr std::size_t least_groups = 8, most_widths = 8;

/// The number of numbers of MeasureSums in a file.
constexpr std::size_t sum_size = 6;

/// The run so far as a document: the scenario that goes on with it, for the steps that are left,
/// and the sums of its rows.
std::string write_state(const std::string& sweep_name, std::size_t index, RunningTask& task) {
  Node root = Node::object();
  root.set("sweep", Node(sweep_name));
  root.set("task", Node::whole(static_cast<std::int64_t>(index)));
  root.set("steps", task.steps_before + steps_of(task.run));
  Node sums = Node::array();
  for (const MeasureSums& s : task.sums)
    sums.items.push_back(Node::numbers(std::array<double, sum_size>{s.last, s.max, s.min, s.sum.sum,
                                                                    s.sum.compensation, s.count}));
  root.set("rows", std::move(sums));
  if (task.signal) {
    std::vector<double> numbers{task.signal->interval()};
    for (const std::complex<double>& z : task.signal->samples())
      numbers.insert(numbers.end(), {z.real(), z.imag()});
    root.set("signal", Node::numbers(numbers));
  }
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
    const document::Source source{path};
    const document::Value value(source, *root, "");
    if (value.member("sweep").text() != sweep_name ||
        value.member("task").number() != static_cast<double>(index))
      return {};
    std::vector<MeasureSums> sums;
    const document::Value rows = value.member("rows");
    for (std::size_t k = 0; k < rows.expect(json::Kind::array).size(); ++k) {
      const document::Value one = rows.item(k);
      if (one.expect(json::Kind::array).size() != sum_size) return {};
      const auto at = [&](std::size_t i) { return one.item(i).number(); };
      sums.push_back({at(0), at(1), at(2), {at(3), at(4)}, at(5)});
    }
    if (sums.size() != sweep.measures.size()) return {};
    const auto scenario = read_scenario(value.member("scenario").node(), path);
    if (!scenario) return {};
    auto run = Simulation::create(*scenario);
    if (!run) return {};
    RunningTask task{std::move(*run), std::move(sums), plotted_values(sweep.measures),
                     value.member("steps").number()};
    auto signal = signal_of(sweep, task.run.record());
    if (!signal) return {};
    task.signal = std::move(*signal);
    if (!task.signal) return task;
    const document::Value numbers = value.member("signal");
    std::vector<std::complex<double>> samples;
    for (std::size_t k = 1; k + 1 < numbers.expect(json::Kind::array).size(); k += 2)
      samples.emplace_back(numbers.item(k).number(), numbers.item(k + 1).number());
    task.signal->restore(std::move(samples), numbers.item(0).number());
    return task;
  } catch (const Failure&) {
    return {};
  }
}

/// The task at its start, with its first row.
Result<RunningTask> begin_task(const Sweep& sweep, std::size_t index) {
  auto scenario = sweep_scenario(sweep, index);
  if (!scenario) return scenario.error();
  auto run = Simulation::create(std::move(*scenario));
  if (!run) return run.error();
  if (const int vectors = sweep.vectors(); vectors > 0)
    if (auto follows = run->follow_exponents(vectors); !follows) return follows.error();
  RunningTask task{std::move(*run), std::vector<MeasureSums>(sweep.measures.size()),
                   plotted_values(sweep.measures)};
  auto signal = signal_of(sweep, task.run.record());
  if (!signal) return signal.error();
  task.signal = std::move(*signal);
  if (const Sample& first = task.run.sample(0); finite(first)) task.add(sweep.measures, first);
  return task;
}

/// Computing time after which the state of a task is worth saving when it is interrupted [s].
constexpr double least_saved = 1;

/// A task that runs, from its start or its saved state to its row.
class TaskInProgress {
 public:
  TaskInProgress(const Sweep& sweep, const std::string& name, std::size_t index, TaskStates states);

  /// Whether it has ended, or was interrupted.
  bool ended() const { return ended_; }
  /// Only while it has not ended.
  Simulation& run() { return running_->run; }
  /// Goes on to the next row, or to a step before it that the run examines.
  Result<void> go_on(const std::atomic<bool>& stop);
  /// What it gave; it shared its time with so many others.
  EndedTask end(std::size_t others) &&;

 private:
  Result<void> save();
  void finish();

  const Sweep& sweep_;
  const std::string& name_;
  TaskStates states_;
  SweepRow row_;
  std::string why_;
  std::optional<RunningTask> running_;
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
  last_row_ = run().steps();
  if (run().finished() || run().stopped()) finish();
}

Result<void> TaskInProgress::go_on(const std::atomic<bool>& stop) {
  const std::int64_t next = (run().steps() / run().stride() + 1) * run().stride();
  std::optional<StepFailure> failed;
  if (!run().stopped()) failed = run().advance_to(std::min(next, run().planned_steps()));
  if (failed && failed->interrupted()) {
    ended_ = interrupted_ = true;
    return since(begun_) >= least_saved ? save() : Result<void>();
  }
  if (failed) {
    row_.status = failed->report.status == StepStatus::not_finite ? TaskStatus::not_finite
                                                                  : TaskStatus::refused;
    why_ = failed->message;
    finish();
    return {};
  }
  const bool ends = run().finished() || run().stopped();
  if (run().at_sample())
    if (const Sample& sample = run().sample(0); finite(sample)) {  // else the next step ends it
      running_->add(sweep_.measures, sample);
      last_row_ = run().steps();
      const double least = stop ? least_saved : states_.interval;
      if (!ends && since(stop ? begun_ : saved_) >= least)
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
  if (run().stopped()) row_.status = TaskStatus::stopped;
  // The last row, as in a table.
  if (last_row_ != run().steps()) {
    const Uninterrupted measuring;
    if (const Sample& last = run().sample(0); finite(last)) running_->add(sweep_.measures, last);
  }
  const std::vector<SweepMeasure>& measures = sweep_.measures;
  const SignalMeasures signal =
      signal_measures(measures, running_->signal ? &*running_->signal : nullptr);
  for (std::size_t k = 0; k < measures.size(); ++k)
    row_.values[k] =
        measured_value(measures[k], run(), running_->sums[k], signal, running_->steps_before);
  if (!states_.name.empty()) ForeignFolder(states_.folder).remove(states_.name);
  ended_ = true;
}

EndedTask TaskInProgress::end(std::size_t others) && {
  EndedTask ended{row_.task, {}, std::move(why_), since(begun_) / static_cast<double>(others + 1)};
  if (!interrupted_) ended.row = std::move(row_);
  return ended;
}

/// What tasks that go together have in common: their places on the axes that do not set the start.
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
      const Uninterrupted beginning;
      const std::size_t task = tasks[next++];
      active.emplace_back(sweep, name, task, calls.begins(task));
      if (!active.back().ended()) continue;
      calls.ends(std::move(active.back()).end(0));
      active.pop_back();
    }
    if (active.empty()) return {};
    if (const std::size_t width = active.front().run().width();
        width > 1 && worth_together(active.size(), width)) {
      runs.clear();
      for (TaskInProgress& task : active) runs.push_back(&task.run());
      Simulation::advance_together(runs);
    }
    for (auto task = active.begin(); task != active.end();) {
      if (auto went = task->go_on(stop); !went) return went;
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
  if (why && !end.why.empty()) *why = std::move(end.why);
  return std::move(end.row);
}

std::vector<std::vector<std::size_t>> groups_of_tasks(const Sweep& sweep,
                                                      const std::vector<std::size_t>& tasks,
                                                      int threads) {
  const bool starts_differ =
      sweep.members > 1 || std::any_of(sweep.axes.begin(), sweep.axes.end(),
                                       [](const SweepAxis& axis) { return axis.sets_start(); });
  std::vector<std::vector<std::size_t>> groups;
  struct Open {
    std::size_t size = 1;
    std::vector<std::size_t> tasks{};
  };
  std::map<std::vector<std::size_t>, Open> open;
  for (const std::size_t task : tasks) {
    if (!starts_differ) {
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
        group.size = width * std::clamp<std::size_t>(share / least_groups, 1, most_widths);
    }
    group.tasks.push_back(task);
    if (group.tasks.size() == group.size) groups.push_back(std::exchange(group.tasks, {}));
  }
  for (auto& [family, group] : open)
    if (!group.tasks.empty()) groups.push_back(std::move(group.tasks));
  return groups;
}

}  // namespace twosphere
