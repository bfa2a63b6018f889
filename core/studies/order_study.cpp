// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/order_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/line_fit.h"
#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/forwarding_system.h"
#include "core/mechanics/free_base.h"
#include "core/mechanics/modified_energy.h"
#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/run_clock.h"
#include "core/studies/parallel_tasks.h"

namespace twosphere {

namespace {

constexpr std::string_view first_step = "first_step", relative = "relative_tolerance",
                           absolute = "absolute_tolerance";
/// The default absolute tolerance, relative to the default relative one.
constexpr double absolute_part = 1e-3;
constexpr std::int64_t max_samples = 100;
/// An adaptive method is sampled this often: each sample may cost it an inner step more.
constexpr std::int64_t adaptive_samples = 10;
constexpr double largest_error = 0.1, rounding = 1e-13;
constexpr int max_points = 4;

bool has_parameter(const IntegratorInfo& info, std::string_view key) {
  return std::any_of(info.parameters.begin(), info.parameters.end(),
                     [&](const ParameterInfo& p) { return p.key == key; });
}

/// A system whose evaluations of the gradient are counted while `counts`.
class CountedSystem final : public ForwardingSystem {
 public:
  using ForwardingSystem::ForwardingSystem;

  void gradient(const Columns& q, Columns& g) const override {
    count();
    ForwardingSystem::gradient(q, g);
  }
  void gradient_compensated(const Columns& q, const Columns& q_low, Columns& g) const override {
    count();
    ForwardingSystem::gradient_compensated(q, q_low, g);
  }

  mutable std::int64_t evaluations = 0;
  bool counts = true;

 private:
  void count() const {
    if (counts) ++evaluations;
  }
};

/// Processor time of this thread [s].
double thread_seconds() {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The values of a method's parameters with its accuracy set, and its step on the grid.
std::pair<Values, std::int64_t> controlled(const LaneSpec& method, const IntegratorInfo& info,
                                           double control, double duration) {
  Values values = method.values;
  if (accuracy_control(info) == AccuracyControl::tolerance) {
    values[std::string(relative)] = {control};
    values[std::string(absolute)] = {absolute_part * control};
    return {std::move(values), adaptive_samples};
  }
  if (info.adaptive) {
    values[std::string(first_step)] = {control};
    return {std::move(values), adaptive_samples};
  }
  return {std::move(values), std::llround(duration / control)};
}

/// A run to the end.
struct Followed {
  OrderPoint point;
  Columns end;
};

Followed follow(const OrderStudy& study, const std::shared_ptr<const System>& system,
                const LaneSpec& method, double control, const std::stop_token& stop) {
  Followed run;
  run.point.control = control;
  const IntegratorInfo& info = *find_integrator(method.type);
  const double duration = study.scenario.duration;
  const auto [values, steps] = controlled(method, info, control, duration);
  const double h = duration / static_cast<double>(steps);
  CountedSystem counted(system);
  State state = start_state(study.scenario, *system, study.scenario.q, study.scenario.omega);
  const double reference = total_energy(*system, state);
  std::optional<ModifiedEnergy> modified;
  if (ModifiedEnergy::missing(*system, info).empty()) modified.emplace(*system, info);
  const double correction = modified ? modified->correction(*system, state, h) : 0;
  double largest_motion = kinetic_energy(*system, state), modified_error = 0;

  std::atomic<bool> stopped = false;
  const std::stop_callback set_flag(stop, [&stopped] { stopped = true; });
  const Interruptible interruptible(stopped);
  const auto integrator = info.create(values);
  double begun = thread_seconds();
  integrator->prepare(counted, state);
  CompensatedSum work;
  const std::int64_t stride = std::max<std::int64_t>(1, steps / max_samples);
  for (std::int64_t k = 1; k <= steps; ++k) {
    const StepReport report = stopped ? StepReport{.status = StepStatus::interrupted}
                                      : integrator->advance(counted, h, state);
    if (!report.ok()) {
      run.point.status = report.status;
      break;
    }
    work.add(report.work);
    run.point.evaluations += info.passes;
    state.t = static_cast<double>(k) * h;
    if (k % stride != 0 && k != steps) continue;
    // A sample, which is neither counted nor timed.
    run.point.seconds += thread_seconds() - begun;
    counted.counts = false;
    integrator->complete(counted, state);
    const double error = total_energy(*system, state) - reference - work.value();
    run.point.energy_error = std::max(run.point.energy_error, std::abs(error));
    if (modified) {
      largest_motion = std::max(largest_motion, kinetic_energy(*system, state));
      const double off = error + modified->correction(*system, state, h) - correction;
      // A NaN stays, which is no smaller than anything.
      modified_error = std::isnan(off) ? off : std::max(modified_error, std::abs(off));
    }
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      run.point.length_error = std::max(run.point.length_error, unit_length_error(state.q.col(i)));
    counted.counts = true;
    begun = thread_seconds();
  }
  if (modified) run.point.modified_energy_error = modified_error / largest_motion;
  run.point.t = state.t;
  run.point.evaluations += counted.evaluations;
  run.end = positions(state);
  if (const FreeBase* base = system->free_base()) run.end.rightCols<1>() /= base->length;
  return run;
}

double largest_chord(const Columns& a, const Columns& b) {
  return (a - b).colwise().norm().maxCoeff();
}

Result<void> check(const OrderStudy& study, const System& system) {
  const Scenario& s = study.scenario;
  if (!s.events.empty())
    return Error{ErrorKind::usage, "events",
                 "an order study runs from the start without events; remove them"};
  if (s.continuation)
    return Error{ErrorKind::usage, "time_origin",
                 "an order study runs from a start, not from a saved state"};
  if (system.heat_bath())
    return Error{ErrorKind::usage, "system.temperature",
                 "an order study compares steps of one motion, and in a heat bath each step has a "
                 "noise of its own; 0 J is without one"};
  const auto divides = [&](double h, const std::string& location) -> Result<void> {
    if (h > 0 && !count_steps(s.duration, h).rounded_up) return {};
    return Error{ErrorKind::usage, location,
                 fmt::format("a step of {} s does not divide the duration of {} s",
                             json::shortest(h), json::shortest(s.duration))};
  };
  for (const double h : study.steps)
    if (auto fits = divides(h, "steps"); !fits) return fits;
  const IntegratorInfo& reference = *find_integrator(study.reference.type);
  if (accuracy_control(reference) == AccuracyControl::tolerance)
    return Error{ErrorKind::usage, "reference",
                 fmt::format("{} has tolerances in place of a step; choose a method with a step",
                             reference.key)};
  if (!reference.adaptive)
    for (const double h : {study.reference.step, 2 * study.reference.step})
      if (auto fits = divides(h, "reference"); !fits) return fits;
  for (const LaneSpec* method : [&] {
         std::vector<const LaneSpec*> all{&study.reference};
         for (const LaneSpec& one : study.methods) all.push_back(&one);
         return all;
       }()) {
    const IntegratorInfo& info = *find_integrator(method->type);
    if (!info.supports(system))
      return Error{ErrorKind::usage, method->type,
                   fmt::format("does not support this system: it needs {}", info.lacks(system))};
  }
  return {};
}

}  // namespace

std::vector<std::string> study_methods(const System& system) {
  std::vector<std::string> keys;
  for (const IntegratorInfo& info : integrators())
    if (info.supports(system) && (info.max_bodies == 0 || system.size() <= info.max_bodies))
      keys.emplace_back(info.key);
  return keys;
}

std::vector<std::string> default_methods(const std::vector<std::string>& keys) {
  static constexpr std::array<std::string_view, 8> wanted{
      "variational", "variational4",       "variational8",        "rk4",
      "rk45",        "spherical_midpoint", "spherical_midpoint4", "spherical_midpoint8"};
  std::vector<std::string> found;
  for (const std::string& key : keys)
    if (std::find(wanted.begin(), wanted.end(), key) != wanted.end()) found.push_back(key);
  return found;
}

std::string default_reference(const std::vector<std::string>& keys) {
  const IntegratorInfo* best = nullptr;
  for (const std::string& key : keys) {
    const IntegratorInfo* info = find_integrator(key);
    if (info && !info->adaptive && (!best || info->order >= best->order)) best = info;
  }
  return best ? std::string(best->key) : std::string();
}

std::vector<double> default_steps(const Scenario& scenario) {
  std::vector<double> steps;
  for (const double factor : {4.0, 2.0, 1.0, 0.5, 0.25, 0.125}) {
    const double h = factor * scenario.lanes[0].step;
    if (!count_steps(scenario.duration, h).rounded_up) steps.push_back(h);
  }
  return steps;
}

AccuracyControl accuracy_control(const IntegratorInfo& info) {
  return has_parameter(info, relative) ? AccuracyControl::tolerance : AccuracyControl::step;
}

std::optional<MeasuredOrder> measured_order(std::span<const double> steps,
                                            std::span<const double> errors, double min_error) {
  std::vector<std::pair<double, double>> points;  // log step, log error
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (errors[i] > 0 && errors[i] <= largest_error)
      points.emplace_back(std::log(steps[i]), std::log(errors[i]));
  std::sort(points.begin(), points.end());
  // The level of rounding: the largest error up to a step from which the errors have risen by less
  // than the step has. One step may be out of line, because rounding scatters.
  double lowest = std::log(min_error);
  for (std::size_t k = 1, failed = 0; k < points.size() && failed < 2; ++k)
    if (points[k].second - points[0].second < points[k].first - points[0].first) {
      failed = 0;
      for (std::size_t i = 0; i <= k; ++i)
        lowest = std::max(lowest, points[i].second + std::log(10.0));
    } else {
      ++failed;
    }
  std::erase_if(points, [&](const auto& point) { return point.second < lowest; });
  if (points.size() > max_points) points.resize(max_points);
  const auto fit = fit_line(points);
  if (!fit) return {};
  return MeasuredOrder{fit->slope, fit->deviation, static_cast<int>(points.size())};
}

double OrderStudyResult::min_error() const { return std::max(10 * reference_error, rounding); }

namespace {

/// A run of a study; the first two are the reference with its step and with twice that step.
struct OrderTask {
  const LaneSpec* method;
  double control;
  Followed run{};
  std::optional<Error> error{};
  bool earlier = false;           // its point is known
  std::atomic<bool> done{false};  // set after the rest

  OrderTask(const LaneSpec* its_method, double its_control)
      : method(its_method), control(its_control) {}
};

/// The runs of a study: after the reference every method, coarsest first.
std::deque<OrderTask> tasks_of(const OrderStudy& study) {
  std::deque<OrderTask> tasks;
  tasks.emplace_back(&study.reference, study.reference.step);
  tasks.emplace_back(&study.reference, 2 * study.reference.step);
  const auto coarsest_first = [](std::vector<double> list) {
    std::sort(list.begin(), list.end(), std::greater<>());
    return list;
  };
  for (std::size_t m = 0; m < study.methods.size(); ++m) {
    const bool tolerance =
        accuracy_control(*find_integrator(study.methods[m].type)) == AccuracyControl::tolerance;
    for (const double control : coarsest_first(tolerance ? study.tolerances : study.steps)) {
      tasks.emplace_back(&study.methods[m], control);
      tasks.back().run.point.method = m;
    }
  }
  return tasks;
}

/// The points of the runs that are done; none before those of the reference are.
std::optional<OrderStudyResult> result_so_far(const std::deque<OrderTask>& tasks,
                                              const std::optional<OrderStudyResult>& earlier) {
  if (!tasks[0].done || !tasks[1].done) return {};
  OrderStudyResult result;
  result.runs = tasks.size() - 2;
  result.reference_end = earlier ? earlier->reference_end : tasks[0].run.end;
  result.reference_error =
      earlier ? earlier->reference_error : largest_chord(tasks[0].run.end, tasks[1].run.end);
  for (std::size_t k = 2; k < tasks.size(); ++k) {
    if (!tasks[k].done || tasks[k].error) continue;
    OrderPoint point = tasks[k].run.point;
    if (point.status == StepStatus::interrupted) continue;
    if (!tasks[k].earlier)
      point.error = point.status == StepStatus::ok
                        ? largest_chord(tasks[k].run.end, result.reference_end)
                        : std::numeric_limits<double>::quiet_NaN();
    result.points.push_back(point);
  }
  return result;
}

}  // namespace

Result<std::optional<OrderStudyResult>> run_order_study(
    const OrderStudy& study, int threads, const OrderStudyWatch& watch,
    const std::optional<OrderStudyResult>& earlier) {
  const auto simulation = Simulation::create(study.scenario);
  if (!simulation) return simulation.error();
  const std::shared_ptr<const System> system = simulation->system();
  if (auto fits = check(study, *system); !fits) return fits.error();

  std::deque<OrderTask> tasks = tasks_of(study);
  if (earlier) {
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      OrderTask& task = tasks[k];
      const auto known =
          std::find_if(earlier->points.begin(), earlier->points.end(), [&](const OrderPoint& p) {
            return p.method == task.run.point.method && p.control == task.control;
          });
      task.earlier = k < 2 || known != earlier->points.end();
      if (k >= 2 && task.earlier) task.run.point = *known;
      task.done = task.earlier;
    }
  }
  std::vector<OrderTask*> left;
  for (OrderTask& task : tasks)
    if (!task.done) left.push_back(&task);
  const std::size_t before = tasks.size() - left.size();
  const auto work = [&](std::size_t k, const std::stop_token& stop) {
    OrderTask& task = *left[k];
    try {
      const std::size_t method = task.run.point.method;
      task.run = follow(study, system, *task.method, task.control, stop);
      task.run.point.method = method;
    } catch (const std::exception& e) {
      task.error = from_exception(e);
    }
    task.done = true;
  };
  std::size_t shown = before;
  (void)parallel_tasks(left.size(), threads, work, [&](std::size_t done, std::size_t) {
    if (watch.found && before + done > shown) {
      if (const auto so_far = result_so_far(tasks, earlier)) watch.found(*so_far);
      shown = before + done;
    }
    return !watch.proceed || watch.proceed(before + done, tasks.size());
  });
  for (const OrderTask& task : tasks)
    if (task.error) return *task.error;
  for (std::size_t k = 0; k < 2; ++k) {
    const OrderPoint& point = tasks[k].run.point;
    if (point.status == StepStatus::interrupted) return std::optional<OrderStudyResult>();
    if (point.status != StepStatus::ok)
      return Error{ErrorKind::numerical, "reference",
                   fmt::format("{} with a step of {} s fails at t = {} s: {}", study.reference.type,
                               json::shortest(point.control), json::shortest(point.t),
                               describe(point.status))};
  }
  return result_so_far(tasks, earlier);
}

namespace {

/// The power of the step with which one kind of error of a method goes.
std::optional<MeasuredOrder> order_by(double OrderPoint::*error, const OrderStudy& study,
                                      const OrderStudyResult& result, std::size_t method,
                                      double min_error) {
  const IntegratorInfo& info = *find_integrator(study.methods[method].type);
  if (accuracy_control(info) == AccuracyControl::tolerance) return {};
  std::vector<double> steps, errors;
  for (const OrderPoint& p : result.points) {
    if (p.method != method || p.status != StepStatus::ok) continue;
    steps.push_back(p.control);
    errors.push_back(p.*error);
  }
  return measured_order(steps, errors, min_error);
}

}  // namespace

std::optional<MeasuredOrder> order_of(const OrderStudy& study, const OrderStudyResult& result,
                                      std::size_t method) {
  return order_by(&OrderPoint::error, study, result, method, result.min_error());
}

std::optional<MeasuredOrder> modified_order_of(const OrderStudy& study,
                                               const OrderStudyResult& result, std::size_t method) {
  return order_by(&OrderPoint::modified_energy_error, study, result, method, rounding);
}

std::string in_words(const MeasuredOrder& order) {
  return order.points > 2 ? fmt::format("{:.2f} ± {:.2f}{}", order.order, order.deviation,
                                        order.asymptotic() ? "" : ", pre-asymptotic")
                          : fmt::format("{:.2f}", order.order);
}

std::string error_in_words(const OrderStudyResult& result, double error) {
  return error >= result.min_error() ? fmt::format("{:.2e}", error)
                                     : fmt::format("< {:.0e}", result.min_error());
}

std::string reference_in_words(const OrderStudy& study, const OrderStudyResult& result,
                               std::string_view name) {
  return fmt::format(
      "{} with {} {} s; with twice the step its end differs by {:.1e}", name,
      find_integrator(study.reference.type)->adaptive ? "a first inner step of" : "a step of",
      json::shortest(study.reference.step), result.reference_error);
}

std::vector<OrderRow> order_rows(const OrderStudy& study, const OrderStudyResult& result) {
  std::vector<OrderRow> rows;
  for (std::size_t m = 0; m < study.methods.size(); ++m) {
    const IntegratorInfo& info = *find_integrator(study.methods[m].type);
    const OrderPoint* best = nullptr;
    int failed = 0;
    for (const OrderPoint& p : result.points) {
      if (p.method != m) continue;
      if (p.status != StepStatus::ok)
        ++failed;
      else if (!best || p.error < best->error)
        best = &p;
    }
    std::string error = best ? error_in_words(result, best->error) : "none";
    if (failed > 0) error += fmt::format(" ({} {} failed)", failed, failed == 1 ? "run" : "runs");
    const auto order = order_of(study, result, m);
    rows.push_back({std::string(info.title), order ? in_words(*order) : "–",
                    accuracy_control(info) == AccuracyControl::step ? fmt::format("{}", info.order)
                                                                    : "by tolerance",
                    error, best ? fmt::format("{}", best->evaluations) : "–"});
  }
  return rows;
}

std::string order_text(const OrderStudy& study, const OrderStudyResult& result) {
  std::size_t widest = 10;
  for (const LaneSpec& method : study.methods) widest = std::max(widest, method.type.size());
  std::string out = fmt::format("{:<{}}  {:>10}  {:>11}  {:>9}  {:>9}  {:>12}  {:>11}  {:>9}\n",
                                "integrator", widest, "step", "evaluations", "error", "order",
                                "energy error", "| |q| − 1 |", "CPU [s]");
  for (std::size_t m = 0; m < study.methods.size(); ++m) {
    const std::string& key = study.methods[m].type;
    const bool tolerance = accuracy_control(*find_integrator(key)) == AccuracyControl::tolerance;
    const OrderPoint* before = nullptr;
    for (const OrderPoint& p : result.points) {
      if (p.method != m) continue;
      if (p.status != StepStatus::ok) {
        out += fmt::format("{:<{}}  {:>10.4g}  {:>11}  fails at t = {:.6g} s: {}\n", key, widest,
                           p.control, p.evaluations, p.t, describe(p.status));
        before = nullptr;
        continue;
      }
      // The slope between this run and the next coarser one.
      std::string order;
      if (!tolerance && before && p.error >= result.min_error())
        order = fmt::format(
            "{:.2f}", std::log(before->error / p.error) / std::log(before->control / p.control));
      out +=
          fmt::format("{:<{}}  {:>10.4g}  {:>11}  {:>9}  {:>9}  {:>12.2e}  {:>11.2e}  {:>9.3g}\n",
                      key, widest, p.control, p.evaluations, error_in_words(result, p.error), order,
                      p.energy_error, p.length_error, p.seconds);
      before = &p;
    }
    if (const auto order = order_of(study, result, m))
      out += fmt::format("{:<{}}  order {} from {} steps\n", key, widest, in_words(*order),
                         order->points);
    if (const auto order = modified_order_of(study, result, m))
      out += fmt::format("{:<{}}  modified energy kept with h^{} from {} steps\n", key, widest,
                         in_words(*order), order->points);
  }
  if (!result.complete())
    out += fmt::format("\n{} of {} runs are done\n", result.points.size(), result.runs);
  return out +
         fmt::format("\nreference: {}\n", reference_in_words(study, result, study.reference.type));
}

}  // namespace twosphere
