// SPDX-License-Identifier: GPL-3.0-or-later
// What is checked as a simulation runs: the guard, the stop conditions, the return to the start.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/base/excerpt.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/root.h"
#include "core/mechanics/step_beginning.h"
#include "core/run/simulation.h"

namespace twosphere {

Guard::Row Simulation::guarded(int index) {
  const Sample& now = sample(index);
  const Lane& held = lane(index);
  return {*system(), *held.info, held.clock.step, held.state, now, steps(), held.shortest_step};
}

void Simulation::guard_row() {
  const std::size_t before = warnings().size();
  for (int i = 0; i < lane_count(); ++i) {
    now_.guard.check_row(i, guarded(i));
    lanes_[static_cast<std::size_t>(i)].shortest_step = std::numeric_limits<double>::infinity();
  }
  mark_warnings(before);
  keep_good();
}

const std::vector<CoarseStep>& Simulation::coarse_steps(int index) {
  if (coarse_.empty()) {
    static const std::vector<CoarseStep> unknown;
    const TimeScales scales = time_scales(*system(), state(0));
    std::vector<std::vector<CoarseStep>> found;
    for (int i = 0; i < lane_count(); ++i) found.push_back(judged(i, scales));
    if (interrupted()) return unknown;
    coarse_ = std::move(found);
    watch_ = StepWatch(steps(), grid_step(), scales.fastest());
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      watch_.add_lane(has_coarse_rate(coarse_[i]) ? nullptr : lanes_[i].info, lanes_[i].substeps,
                      lanes_[i].state.q);
  }
  return coarse_[static_cast<std::size_t>(index)];
}

/// In what respects the step of a lane is coarse for its motion from now on.
std::vector<CoarseStep> Simulation::judged(int index, const TimeScales& scales) {
  const Lane& held = lane(index);
  return twosphere::coarse_steps(*held.info,
                                 present().lanes[static_cast<std::size_t>(index)].values,
                                 held.clock.step, *system(), state(index), scales);
}

/// Lets the watch look, and judges the steps of lanes whose errors have grown again.
void Simulation::watch_steps() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (has_coarse_rate(coarse_[i]) || !watch_.look(i, lanes_[i].state.q)) continue;
    const int index = static_cast<int>(i);
    std::vector<CoarseStep> found = judged(index, time_scales(*system(), state(index)));
    if (interrupted()) continue;
    if (has_coarse_rate(found)) coarse_[i] = std::move(found);
    watch_.put_off(i);
  }
  watch_.go_on();
}

/// Marks the warnings from index `first` on.
void Simulation::mark_warnings(std::size_t first) {
  for (std::size_t k = first; k < warnings().size(); ++k) {
    const Warning& found = warnings()[k];
    mark({found.step, found.t, fmt::format("{}: {}", lane(found.lane).name, brief(found)), true});
  }
}

void Simulation::check_at_end() {
  if (now_.guarded) guard_row();
}

/// Saves the present state if there are no warnings.
void Simulation::keep_good() {
  if (!keeps_good_ || !warnings().empty()) return;
  if (!good_) good_ = Good{};
  good_->lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) save(i, good_->lanes[i]);
  good_->clock = now_.clock;
  good_->events_applied = now_.events_applied;
}

std::optional<std::int64_t> Simulation::go_back() {
  if (!good_ || warnings().empty()) return {};
  for (std::size_t i = 0; i < lanes_.size(); ++i) roll_back(i, good_->lanes[i]);
  forget_samples();
  now_.reached.clear();
  former_.clear();
  now_.clock = good_->clock;
  now_.events_applied = good_->events_applied;
  return steps();
}

/// The state of a lane for stop conditions, with its sample if they need it.
StopConditions::Observed Simulation::observed(int index, bool measures) {
  const auto& followed = lane(index).exponents;
  return {&state(index), measures ? &sample(index) : nullptr, followed ? &*followed : nullptr,
          system().get()};
}

/// Those of all lanes. Valid until the next call.
std::span<const StopConditions::Observed> Simulation::observed() {
  observed_.resize(lanes_.size());
  for (int i = 0; i < lane_count(); ++i)
    observed_[static_cast<std::size_t>(i)] = observed(i, now_.stops.measures());
  return observed_;
}

/// Checks the stop conditions; the run does not stop if the record continues from here.
void Simulation::check_stops() {
  if (now_.stops.empty()) return;
  const auto lanes = observed();
  if (!now_.stops.is_due(time(), grid_step(), reversed(), lanes)) return;
  std::string text;
  std::optional<double> first;
  for (const auto& met : now_.stops.check(time(), grid_step(), reversed(), lanes)) {
    const std::optional<double> located =
        met.condition.at_crossing && steps() > 0 ? locate(met) : std::nullopt;
    if (located && (!first || (*located < *first) != reversed())) first = located;
    text += (text.empty() ? "" : "; ") + stop_message(met, located);
  }
  if (text.empty() || is_due(&Event::resume)) return;
  now_.stopped = std::move(text);
  now_.stop_time = first;
}

std::string Simulation::stop_message(const StopConditions::Met& met,
                                     std::optional<double> located) {
  const StopCondition& condition = met.condition;
  const std::string here = fmt::format("step {}, t = {:.10g} s", steps(), time());
  if (condition.is_time()) return fmt::format("{}: {} is reached", here, describe(condition));
  const std::string_view side = condition.above ? "above" : "below";
  std::string what = printable(condition.expression), unit;
  if (condition.quantity) {
    const QuantityInfo& quantity = info(*condition.quantity);
    what = std::string(quantity.label) + worst_body(met);
    if (quantity.unit != "1") unit = fmt::format(" {}", quantity.unit);
  }
  if (const auto& indicator = condition.indicator) {
    what = indicator->name();
    if (indicator->unit() != "1") unit = fmt::format(" {}", indicator->unit());
  }
  std::string text = fmt::format("{}: {}: {} = {:.8g}{}, {} {}{}", lane(met.lane).name, here, what,
                                 met.value, unit, side, json::shortest(condition.value), unit);
  if (located) text += fmt::format(" from t = {:.15g} s", *located);
  return text;
}

/// The time at which a lane has crossed the bound of a condition in the last step: that of a step
/// of the method from the beginning of the step to there, as in a section. None if a trial fails.
std::optional<double> Simulation::locate(const StopConditions::Met& met) const {
  if (former_.empty()) return {};
  const auto index = static_cast<std::size_t>(met.lane);
  const Lane& held = lanes_[index];
  // Another instance of the method, from the lane as it was saved.
  const Lane::Checkpoint& from = former_[index];
  const auto method = held.info->create(present().lanes[index].values);
  StepBeginning begin{from.state, from.memory};
  StepClock clock = from.clock;
  CompensatedSum work = from.work;
  MeasureWorkspace workspace;
  const auto beyond = [&](const State& state, double done) {
    Sample sample{};
    if (met.condition.quantity)
      measure(*system(), state, held.energy_reference, done, workspace, sample);
    return now_.stops.beyond(met.index, {&state, &sample});
  };
  // The steps of the lane since then. The bound is crossed in the first one that ends beyond it,
  // among those of the last step of the run.
  const std::int64_t earlier = (steps() - 1 - former_steps_) * held.substeps;
  for (std::int64_t k = 0; k < earlier + held.substeps; ++k) {
    StepClock next = clock;
    next.advance(1);
    State reached;
    double done = 0;
    // How far the state after a part θ of the step is beyond the bound.
    const auto after = [&](double theta) -> std::optional<double> {
      const StepReport report =
          begin.take(*acting_, *method, clock.signed_step(), theta, next.time(), reached);
      if (!report.ok()) return {};
      done = report.work;
      return beyond(reached, work.value() + done);
    };
    const auto end = after(1);
    if (!end) return {};
    if (k >= earlier && *end > 0) {
      const double start = beyond(begin.state, work.value());
      if (start > 0) return clock.time();
      constexpr double rounding = std::numeric_limits<double>::epsilon() / 4;
      const auto theta = find_root(0, start, 1, *end, after, rounding);
      if (!theta) return {};
      return std::lerp(clock.time(), next.time(), *theta);
    }
    begin = {reached, method->saved_state()};
    if (done != 0) work.add(done);
    clock = next;
  }
  return {};
}

/// " of body 2 of 10" for a quantity that is the maximum over the bodies.
std::string Simulation::worst_body(const StopConditions::Met& met) {
  const State& now = state(met.lane);
  const auto off = [&](Eigen::Index i) {
    return met.condition.quantity == Quantity::unit_length_error
               ? unit_length_error(now.q.col(i))
               : std::abs(now.q.col(i).dot(now.w.col(i)));
  };
  if (met.condition.quantity != Quantity::unit_length_error &&
      met.condition.quantity != Quantity::tangency_error)
    return {};
  Eigen::Index worst = 0;
  for (Eigen::Index i = 1; i < now.q.cols(); ++i)
    if (off(i) > off(worst)) worst = i;
  return fmt::format(" of body {} of {}", worst + 1, now.q.cols());
}

/// Measures the distances of the lanes from the start.
void Simulation::measure_return() {
  now_.start_distances.clear();
  for (int i = 0; i < lane_count(); ++i) {
    const RestartState* from = record_.continuation ? &*record_.continuation : nullptr;
    const auto lane_index = static_cast<std::size_t>(i);
    const bool own =
        from && lane_index < from->lanes.size() && from->lanes[lane_index].q.cols() > 0;
    const Columns& q = own ? from->lanes[lane_index].q : record_.q;
    const Columns& w = own ? from->lanes[lane_index].omega : record_.omega;
    const State& now = state(i);
    const StartDistance& off = now_.start_distances.emplace_back(
        StartDistance{(now.q - q).colwise().norm().maxCoeff<Eigen::PropagateNaN>(),
                      (now.w - w).colwise().norm().maxCoeff<Eigen::PropagateNaN>(), steps()});
    mark({steps(), time(),
          fmt::format("{}: back at the start, q off by {:.2g}, ω by {:.2g} rad/s", lane(i).name,
                      off.q, off.omega)});
  }
}

}  // namespace twosphere
