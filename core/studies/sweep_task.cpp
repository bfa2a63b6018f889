// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/sweep_task.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>

#include "core/base/document.h"
#include "core/base/exceptions.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
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
  double steps_before = 0;                ///< taken before the saved state
  std::optional<SignalSamples> signal{};  ///< if a measure needs it

  /// Adds the present row.
  void add(const std::vector<SweepMeasure>& measures, const Sample& sample) {
    add_row(measures, run, sample, sums);
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
std::optional<RunningTask> read_state(const std::string& path, const Sweep& sweep,
                                      const std::string& sweep_name, std::size_t index) {
  const auto text = read_file(path, json::max_bytes);
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
    RunningTask task{std::move(*run), std::move(sums), value.member("steps").number()};
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
  RunningTask task{std::move(*run), std::vector<MeasureSums>(sweep.measures.size())};
  auto signal = signal_of(sweep, task.run.record());
  if (!signal) return signal.error();
  task.signal = std::move(*signal);
  if (const Sample& first = task.run.sample(0); finite(first)) task.add(sweep.measures, first);
  return task;
}

}  // namespace

Result<std::optional<SweepRow>> run_sweep_task(const Sweep& sweep, const std::string& name,
                                               std::size_t index, const TaskStates& states,
                                               const std::atomic<bool>& stop, std::string* why) {
  SweepRow row{index, TaskStatus::refused,
               std::vector<double>(sweep.measures.size(), std::nan(""))};
  const auto fails = [&](std::string reason) {
    if (why) *why = std::move(reason);
  };
  std::optional<RunningTask> task;
  if (!states.path.empty()) task = read_state(states.path, sweep, name, index);
  if (!task) {
    auto begun = begin_task(sweep, index);
    if (!begun) {
      fails(begun.error().text());
      return std::optional(std::move(row));
    }
    task.emplace(std::move(*begun));
  }
  Simulation& run = task->run;
  const Interruptible interruptible(stop);
  const Clock::time_point begun = Clock::now();
  Clock::time_point saved = begun;
  std::int64_t last_row = run.steps();
  row.status = TaskStatus::done;
  while (!run.finished() && !run.stopped()) {
    const std::int64_t next = (run.steps() / run.stride() + 1) * run.stride();
    const auto failed = run.advance_to(std::min(next, run.planned_steps()));
    if (failed && failed->interrupted()) return std::optional<SweepRow>();
    if (failed) {
      row.status = failed->report.status == StepStatus::not_finite ? TaskStatus::not_finite
                                                                   : TaskStatus::refused;
      fails(failed->message);
      break;
    }
    if (!run.at_sample()) continue;
    const Sample& sample = run.sample(0);
    if (!finite(sample)) continue;  // interrupted: the next step ends the task
    task->add(sweep.measures, sample);
    last_row = run.steps();
    const bool ends = run.finished() || run.stopped();
    const double least = stop ? 1 : states.interval;
    if (!ends && !states.path.empty() && since(stop ? begun : saved) >= least) {
      if (auto done = write_file(states.path, write_state(name, index, *task)); !done)
        return done.error();
      if (states.saved) states.saved();
      saved = Clock::now();
    }
    if (stop && !ends) return std::optional<SweepRow>();
  }
  if (run.stopped()) row.status = TaskStatus::stopped;
  // The last row, as in a table.
  if (last_row != run.steps()) {
    const Uninterrupted measuring;
    if (const Sample& last = run.sample(0); finite(last)) task->add(sweep.measures, last);
  }
  const SignalMeasures signal =
      signal_measures(sweep.measures, task->signal ? &*task->signal : nullptr);
  for (std::size_t k = 0; k < row.values.size(); ++k)
    row.values[k] =
        measured_value(sweep.measures[k], run, task->sums[k], signal, task->steps_before);
  if (!states.path.empty()) std::remove(states.path.c_str());
  return std::optional(std::move(row));
}

}  // namespace twosphere
