// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a running simulation (guard, stop conditions, coarse steps, the return to the
// start), and the followers of its lanes: tangent vectors and the points of a section.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "core/base/excerpt.h"
#include "core/base/interrupt.h"
#include "core/base/json.h"
#include "core/base/root.h"
#include "core/base/text.h"
#include "core/mechanics/integrator.h"
#include "core/run/simulation.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/tangent_maps.h"

namespace twosphere {

namespace {

/// " of body 2 of 10" for a quantity that is the maximum over the bodies.
std::string worst_body(Simulation& run, const StopConditions::Met& met) {
  const State& now = run.state(met.lane);
  const auto off = [&](Eigen::Index i) {
    return met.condition.quantity == Quantity::unit_length_error
               ? unit_length_error(now.q.col(i))
               : std::abs(now.q.col(i).dot(now.w.col(i)));
  };
  if (met.condition.quantity != Quantity::unit_length_error &&
      met.condition.quantity != Quantity::tangency_error)
    return {};
  // Of these two quantities it tells which body is off most.
  Eigen::Index worst = 0;
  for (Eigen::Index i = 1; i < now.q.cols(); ++i)
    if (off(i) > off(worst)) worst = i;
  return fmt::format(" of body {} of {}", worst + 1, now.q.cols());
}

/// Why a run stops here; `located`: the time of the crossing, if it was looked for.
std::string stop_message(Simulation& run, const StopConditions::Met& met,
                         std::optional<double> located) {
  const StopCondition& condition = met.condition;
  const std::string here = fmt::format("step {}, t = {:.10g} s", run.steps(), run.time());
  if (condition.is_time()) return fmt::format("{}: {} is reached", here, describe(condition));
  const std::string_view side = condition.above ? "above" : "below";
  std::string what = printable(condition.expression), unit;
  if (condition.quantity) {
    const QuantityInfo& quantity = info(*condition.quantity);
    what = std::string(quantity.label) + worst_body(run, met);
    if (quantity.unit != "1") unit = fmt::format(" {}", quantity.unit);
  }
  // An indicator of chaos has its own name and unit.
  if (const auto& indicator = condition.indicator) {
    what = indicator->name();
    if (indicator->unit() != "1") unit = fmt::format(" {}", indicator->unit());
  }
  std::string text =
      fmt::format("{}: {}: {} = {:.8g}{}, {} {}{}", run.lane(met.lane).name, here, what, met.value,
                  unit, side, json::shortest(condition.value), unit);
  if (located) text += fmt::format(" from t = {:.15g} s", *located);
  return text;
}

/// In what respects the step of a lane is coarse for its motion from now on.
std::vector<CoarseStep> judged(Simulation& run, int index, const TimeScales& scales) {
  const Lane& lane = run.lane(index);
  return twosphere::coarse_steps(*lane.info,
                                 run.present().lanes[static_cast<std::size_t>(index)].values,
                                 lane.clock.step, *run.system(), run.state(index), scales);
}

}  // namespace

const std::vector<CoarseStep>& CoarseSteps::of(Simulation& run, int lane) {
  if (!known()) {
    static const std::vector<CoarseStep> unknown;
    const TimeScales scales = time_scales(*run.system(), run.state(0));
    std::vector<std::vector<CoarseStep>> found;
    for (int i = 0; i < run.lane_count(); ++i) found.push_back(judged(run, i, scales));
    if (interrupted()) return unknown;
    // Lanes that have been called coarse are not watched.
    lanes_ = std::move(found);
    fastest_ = scales.fastest();
    watch_ = StepWatch(run.steps(), run.grid_step(), scales.fastest());
    // Nor are those in a heat bath, where the differences between steps are noise.
    const bool noisy = run.system()->heat_bath() != nullptr;
    for (int i = 0; i < run.lane_count(); ++i)
      watch_.add_lane(noisy || has_coarse_rate(lanes_[static_cast<std::size_t>(i)])
                          ? nullptr
                          : run.lane(i).info,
                      run.lane(i).substeps, run.lane(i).state.q);
  }
  return lanes_[static_cast<std::size_t>(lane)];
}

void CoarseSteps::after_step(Simulation& run) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const int index = static_cast<int>(i);
    if (has_coarse_rate(lanes_[i]) || !watch_.look(i, run.lane(index).state.q)) continue;
    std::vector<CoarseStep> found =
        judged(run, index, time_scales(*run.system(), run.state(index)));
    if (interrupted()) continue;
    if (has_coarse_rate(found)) lanes_[i] = std::move(found);
    watch_.put_off(i);
  }
  watch_.continue_watch();
}

void CoarseSteps::after_row(const Simulation& run) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    std::vector<CoarseStep>& found = lanes_[i];
    const Lane& lane = run.lane(static_cast<int>(i));
    const bool known = std::any_of(found.begin(), found.end(), [](const CoarseStep& step) {
      return step.cause == CoarseStep::Cause::sweeps;
    });
    if (known || !lane.last.ok()) continue;
    if (const auto step = coarse_by_sweeps(lane.clock.step, lane.last.sweeps))
      found.push_back(*step);
  }
}

Guard::Row Simulation::guarded(int index) {
  const Sample& now = sample(index);
  const Lane& held = lane(index);
  return {*system(), *held.info, held.clock.step, held.state, now, steps(), held.shortest_step};
}

void Simulation::guard_row() {
  const std::size_t before = warnings().size();
  for (int i = 0; i < lane_count(); ++i) {
    // The shortest inner step counts from row to row.
    now_.guard.check_row(i, guarded(i));
    lanes_[static_cast<std::size_t>(i)].shortest_step = std::numeric_limits<double>::infinity();
  }
  mark_warnings(before);
  save_good();
  coarse_.after_row(*this);
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
void Simulation::save_good() {
  if (!saves_good_ || !warnings().empty()) return;
  if (!good_) good_ = Good{};
  good_->lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].save(*acting_, good_->lanes[i]);
  good_->clock = now_.clock;
  good_->events_applied = now_.events_applied;
}

std::optional<std::int64_t> Simulation::go_back() {
  if (!good_ || warnings().empty()) return {};
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].roll_back(*acting_, good_->lanes[i]);
  forget_samples();
  now_.reached.clear();
  rollback_lanes_.clear();
  // Its events have been applied; those after it are still in the record.
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
  measured_.observed.resize(lanes_.size());
  for (int i = 0; i < lane_count(); ++i)
    measured_.observed[static_cast<std::size_t>(i)] = observed(i, now_.stops.measures());
  return measured_.observed;
}

/// Checks the stop conditions; the run does not stop if the record continues from here.
void Simulation::check_stops() {
  if (now_.stops.empty()) return;
  const auto lanes = observed();
  if (!now_.stops.is_due(time(), grid_step(), reversed(), lanes)) return;
  std::vector<std::string> messages;
  std::optional<double> first;
  // One message for all conditions; the time is that of the first crossing.
  for (const auto& met : now_.stops.check(time(), grid_step(), reversed(), lanes)) {
    const std::optional<double> located =
        met.condition.at_crossing && steps() > 0 ? locate(met) : std::nullopt;
    if (located && (!first || (*located < *first) != reversed())) first = located;
    messages.push_back(stop_message(*this, met, located));
  }
  // The record continues from here: it has stopped before, and was resumed.
  if (messages.empty() || is_due(&Event::resume)) return;
  now_.stopped = joined(messages, "; ", std::identity());
  now_.stop_time = first;
}

/// The time at which a lane has crossed the bound of a condition in the last step: that of a step
/// of the method from the beginning of the step to there, as in a section. None if a trial fails.
std::optional<double> Simulation::locate(const StopConditions::Met& met) const {
  if (rollback_lanes_.empty()) return {};
  const auto index = static_cast<std::size_t>(met.lane);
  const Lane& held = lanes_[index];
  // Another instance of the method, from the lane as it was saved.
  const Lane::Checkpoint& from = rollback_lanes_[index];
  const auto method = held.info->create(present().lanes[index].values);
  StepBeginning begin{from.state, from.memory};
  StepClock clock = from.clock;
  CompensatedSum work = from.work;
  MeasureWorkspace workspace;
  const auto beyond = [&](const State& state, double done) {
    Sample sample{};
    // Only conditions on a quantity need a sample.
    if (met.condition.quantity)
      measure(*system(), state, held.energy_reference, done, workspace, sample);
    return now_.stops.beyond(met.index, {&state, &sample});
  };
  // The steps of the lane since then. The bound is crossed in the first one that ends beyond it,
  // among those of the last step of the run.
  const std::int64_t earlier = (steps() - 1 - rollback_steps_) * held.substeps;
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

/// Measures the distances of the lanes from the start.
void Simulation::measure_return() {
  now_.start_distances.clear();
  for (int i = 0; i < lane_count(); ++i) {
    // Lanes of a saved state may each have a start of their own.
    const RestartState* from = record_.continuation ? &*record_.continuation : nullptr;
    const auto lane_index = static_cast<std::size_t>(i);
    const State start = from && lane_index < from->lanes.size()
                            ? saved_state(record_, *system(), from->lanes[lane_index])
                            : start_state(record_, *system(), record_.q, record_.omega);
    const State& now = state(i);
    StartDistance& off = now_.start_distances.emplace_back(
        StartDistance{(now.q - start.q).colwise().norm().maxCoeff<Eigen::PropagateNaN>(),
                      (now.w - start.w).colwise().norm().maxCoeff<Eigen::PropagateNaN>(), steps()});
    std::string text = fmt::format("{}: back at the start, q off by {:.2g}, ω by {:.2g} rad/s",
                                   lane(i).name, off.q, off.omega);
    if (const auto base = base_of(now, *system())) {
      const BaseStart begun = *base_of(start, *system());
      off.place = (base->position - begun.position).norm();
      off.velocity = (base->velocity - begun.velocity).norm();
      text += fmt::format(", the base by {:.2g} m and {:.2g} m/s", off.place, off.velocity);
    }
    mark({steps(), time(), std::move(text)});
  }
}

Result<void> Simulation::follow_exponents(int count) {
  if (count < 1 || count > Exponents::max_count(*system()))
    return Error{ErrorKind::usage, "",
                 fmt::format("the number of tangent vectors must be from 1 to {}, not {}",
                             Exponents::max_count(*system()), count)};
  count = std::max(count, vectors_needed(present().stop));
  const auto others = [count](const Lane& lane) {
    return lane.exponents && lane.exponents->count() != count;
  };
  for (Lane& lane : lanes_) {
    if (std::string why = why_no_tangent_map(*lane.info, *acting_, present().parameters);
        !why.empty())
      return Error{ErrorKind::usage, "", std::move(why)};
    // Vectors that have not moved yet may be replaced.
    if (others(lane) && lane.exponents->elapsed() > 0)
      return Error{ErrorKind::usage, "",
                   fmt::format("the saved state has {} tangent vectors, which cannot become {}",
                               lane.exponents->count(), count)};
  }
  for (Lane& lane : lanes_)
    if (others(lane)) lane.exponents.reset();
  follow_where_possible(count);
  return {};
}

/// Whether the tangent vectors that the stop conditions of `settings` need can follow every lane.
Result<void> Simulation::check_following(const Scenario& settings, const System& system) const {
  const int needed = vectors_needed(settings.stop);
  for (const Lane& lane : lanes_)
    if (lane.exponents && !lane.exponents->lost() && lane.exponents->count() < needed)
      return Error{ErrorKind::usage, "stop",
                   fmt::format("needs {} tangent vectors, but {} follow the run already", needed,
                               lane.exponents->count())};
  return check_conditions(settings.stop, settings.lanes, system, settings.parameters);
}

/// Lets them follow.
void Simulation::follow_for_stops() {
  if (const int needed = vectors_needed(present().stop); needed > 0) follow_where_possible(needed);
}

void Simulation::follow_where_possible(int count) {
  count = std::min(count, Exponents::max_count(*system()));
  for (int i = 0; i < lane_count(); ++i) {
    Lane& lane = lanes_[static_cast<std::size_t>(i)];
    const auto& followed = lane.exponents;
    if (followed && !followed->lost() && (followed->count() >= count || followed->elapsed() > 0))
      continue;
    forget_saved();
    lane.exponents.reset();
    // Lost ones begin anew; without a tangent map none follow.
    if (lane.integrator->tangent_map(*acting_)) lane.exponents.emplace(*acting_, state(i), count);
  }
}

void Simulation::end_following() {
  if (vectors_needed(present().stop) > 0) return;
  for (Lane& lane : lanes_) lane.exponents.reset();
  forget_saved();
}

std::string Simulation::why_exponents_ended(int index) const {
  const Lane& held = lane(index);
  if (!held.exponents || !held.exponents->lost()) return {};
  if (std::string why = why_no_tangent_map(*held.info, *acting_, present().parameters);
      !why.empty())
    return why;
  return "a tangent vector was not finite, or the method had no tangent map for some steps";
}

Result<void> Simulation::follow_section(const PoincareSection& section) {
  if (system()->heat_bath())
    return Error{ErrorKind::usage, "",
                 "a section needs a path between the steps, and in a heat bath there is none; "
                 "system.temperature 0 is without one"};
  auto surface = SectionSurface::create(section, present());
  if (!surface) return surface.error();
  const auto& from = record_.continuation;
  const bool continues = steps() == 0 && from && present().section == section;
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_[i].crossings.emplace(*surface,
                                continues ? SectionCrossings::load(from->lanes[i].memory) : 0);
  points_taken_.clear();
  Scenario present = this->present();
  // The section is part of the scenario, before and after Rewind.
  for (Scenario* scenario : {&record_, &present, &after_rewind_.settings})
    scenario->section = section;
  change_settings(std::move(present), system());
  forget_saved();
  return {};
}

std::vector<SectionPoint> Simulation::take_section_points(int index) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  if (!lane.crossings) return {};
  std::vector<SectionPoint> points = lane.crossings->take();
  // Steps that were repeated after a failure have found their points again.
  points_taken_.resize(lanes_.size());
  std::int64_t& next = points_taken_[static_cast<std::size_t>(index)];
  std::erase_if(points, [&](const SectionPoint& point) { return point.number < next; });
  if (!points.empty()) next = points.back().number + 1;
  return points;
}

}  // namespace twosphere
