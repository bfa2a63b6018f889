// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/parameter_io.h"
#include "core/scenario/run_clock.h"
#include "core/scenario/schedule.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

Result<std::shared_ptr<const System>> make_system(const Scenario& scenario) {
  auto made = find_system(scenario.system)->create(scenario.size(), scenario.parameters);
  if (!made) return made.error();
  return std::shared_ptr<const System>(std::move(*made));
}

/// Puts a state that drifted onto T(S²)ⁿ; returns how far the worst |q| was from 1. Leaves alone
/// what is there to rounding.
double settle(State& state) {
  double worst = 0;
  for (Eigen::Index i = 0; i < state.q.cols(); ++i)
    worst = std::max(worst, unit_length_error(state.q.col(i)));
  if (worst <= 1e-14) return 0;
  for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
    state.q.col(i).normalize();
    state.w.col(i) = tangent(state.q.col(i), state.w.col(i));
  }
  return worst;
}

/// "system.gravity = 1.62", for a tag; `stop` after the change.
std::string describe(const Setting& change, const std::vector<StopCondition>& stop) {
  if (change.path.key() == "stop") {
    std::string all;
    for (const StopCondition& condition : stop)
      all += (all.empty() ? "stop at " : ", ") + describe(condition);
    return all.empty() ? "no stop" : all;
  }
  std::string value = json::write(change.value);
  value.pop_back();  // the line's end
  return fmt::format("{} = {}", change.path.text(), value);
}

bool same_start(const Scenario& a, const Scenario& b) {
  return a.size() == b.size() && a.q == b.q && a.omega == b.omega;
}

/// A clock that goes on from a time at which it is reset.
RestartState starting_at(double t, std::size_t lanes) {
  RestartState c;
  c.time_origin = t;
  c.lanes.assign(lanes, {.time_origin = t});
  return c;
}
double present_time(const RestartState& c, const std::vector<LaneSpec>& lanes) {
  return c.time_origin + static_cast<double>(c.step_index) * grid_step(lanes);
}

/// `t`: of the last good state.
std::string sentence(const Lane& lane, std::int64_t step, double t, int bodies,
                     std::string_view reason) {
  const StepReport& r = lane.last;
  std::string text = fmt::format("{}: step {} from t = {:.10g} s failed: body {} of {}: {}",
                                 lane.name, step, t, r.body + 1, bodies, reason);
  if (r.status == StepStatus::not_converged)
    text += fmt::format(" (| |q|² − 1 |/2 = {:.2g} after {} iterations)", r.residual, r.iterations);
  return text + fmt::format(". The last valid state is kept; try a step smaller than {} s.",
                            json::shortest(lane.step));
}

}  // namespace

Result<Simulation> Simulation::create(Scenario scenario) {
  Simulation s;
  s.system_info_ = find_system(scenario.system);
  if (!s.system_info_)
    return Error{ErrorKind::usage, "system.type", "there is no system " + scenario.system};
  for (LaneSpec& lane : scenario.lanes) {
    const IntegratorInfo* info = find_integrator(lane.type);
    if (!info)
      return Error{ErrorKind::usage, "integrator.type", "there is no integrator " + lane.type};
    for (const ParameterInfo& p : info->parameters)
      lane.values.try_emplace(std::string(p.key), default_numbers(p, scenario.size()));
  }
  auto system = make_system(scenario);
  if (!system) return system.error();
  s.system_ = *system;
  const auto& from = scenario.continuation;
  if (scenario.lanes.empty() || (from && from->lanes.size() != scenario.lanes.size()))
    return Error{ErrorKind::usage, "lanes", "must be one or more, each with its state"};
  s.grid_ = twosphere::grid_step(scenario.lanes);
  if (from) {
    s.time_origin_ = from->time_origin;
    s.step_index_ = from->step_index;
    s.time_ = present_time(*from, scenario.lanes);
  }
  for (const LaneSpec& spec : scenario.lanes) {
    Lane lane;
    lane.name = spec.name;
    lane.info = find_integrator(spec.type);
    lane.step = spec.step;
    const auto substeps = twosphere::substeps(s.grid_, spec.step);
    if (!substeps)
      return Error{ErrorKind::usage, "lanes",
                   "the largest step must be a whole number of steps of each"};
    lane.substeps = *substeps;
    lane.integrator = lane.info->create(spec.values);
    lane.state.q = scenario.q;
    lane.state.w = scenario.omega;
    IntegratorState memory;
    if (from) {
      const RestartState::Lane& at = from->lanes[s.lanes_.size()];
      if (at.q.cols() > 0) {
        lane.state.q = at.q;
        lane.state.w = at.omega;
      }
      lane.time_origin = at.time_origin;
      lane.step_index = at.step_index;
      lane.work.sum = at.work;
      for (const auto& [name, values] : at.memory)
        if (name != work_compensation)
          memory.emplace_back(name, values);
        else if (!values.empty())
          lane.work.compensation = values[0];
      lane.state.t = lane.time_origin + static_cast<double>(lane.step_index) * lane.step;
      lane.energy_reference = at.energy_reference;
    } else {
      lane.energy_reference = total_energy(*s.system_, lane.state);
    }
    lane.integrator->prepare(*s.system_, lane.state);
    if (!memory.empty() && !lane.integrator->load_state(memory))
      return Error{ErrorKind::usage, "integrator_state",
                   fmt::format("is not what {} writes for {} bodies", spec.type, scenario.size())};
    s.lanes_.push_back(std::move(lane));
  }
  s.end_time_ = s.time_ + scenario.duration;
  s.planned_steps_ = count_steps(scenario.duration, s.grid_).steps;
  s.stride_ = sampling_stride(scenario);
  s.present_ = scenario;
  s.present_.events.clear();
  s.wanted_ = s.present_;
  // A saved state that is beyond a bound has stopped there, and goes on.
  s.stops_.watch(s.present_.stop, s.lane_count());
  if (from && !s.stops_.empty()) {
    std::vector<Sample> samples;
    for (int i = 0; i < s.lane_count(); ++i) samples.push_back(s.sample(i));
    (void)s.stops_.look(s.time(), s.grid_, samples);
  }
  s.record_ = std::move(scenario);
  s.first_stride_ = s.check_stride_ = base_stride(s.record_);
  s.guard_ = Guard(s.lane_count());
  return s;
}

std::optional<StepFailure> Simulation::step(const std::function<void(int)>& turn) {
  if (auto refusal = begin_step()) return refusal;
  return take_step(turn);
}

std::optional<StepFailure> Simulation::advance_to(std::int64_t last) {
  const std::size_t events = next_event_;
  if (auto refusal = begin_step()) return refusal;
  // An event may have moved the planned end.
  if (next_event_ == events) {
    const std::int64_t look = next_look();
    if (auto refusal = coast(std::min(last, look - 1))) return refusal;
    if (steps_ == last) return {};
  }
  return take_step({});
}

/// Does what is to be done before the next step, the events that are due among it.
std::optional<StepFailure> Simulation::begin_step() {
  bool fresh = refresh();
  for (int i = 0; fresh && !guarded_ && i < lane_count(); ++i) fresh = finite(sample(i));
  if (!fresh && interrupted())
    return StepFailure{0, {.status = StepStatus::interrupted}, steps_ + 1, time_, {}};
  unchanged_.reset();
  if (!guarded_) {
    for (int i = 0; i < lane_count(); ++i) guard_.begin(i, guarded(i));
    guarded_ = true;
  }
  auto& events = record_.events;
  if (stopped_) {
    events.insert(events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                  Event{.step = steps_, .resume = true});
    stopped_.reset();
  }
  while (next_event_ < events.size() && events[next_event_].step <= steps_) {
    const Event& event = events[next_event_];
    if (event.resume) {
      tags_.push_back({steps_, time(), "resumed"});
      ++next_event_;
      continue;
    }
    const Uninterrupted changing;
    if (auto done = apply(event); !done)
      return StepFailure{0,
                         {},
                         steps_ + 1,
                         time(),
                         fmt::format("event before step {}: {}", steps_ + 1, done.error().text())};
    ++next_event_;
  }
  if (!good_) keep_good();
  return {};
}

/// The first step to come that is looked at, or before which an event is due.
std::int64_t Simulation::next_look() const {
  const std::int64_t next = steps_ + 1;
  if (stops_.watch_time()) return next;
  std::int64_t look = (steps_ / check_stride_ + 1) * check_stride_;
  if (planned_steps_ > steps_) look = std::min(look, planned_steps_);
  const auto& events = record_.events;
  if (next_event_ < events.size()) look = std::min(look, events[next_event_].step);
  return std::max(look, next);
}

/// Takes steps up to `last`, none of which is looked at.
std::optional<StepFailure> Simulation::coast(std::int64_t last) {
  measured_.clear();
  reached_.clear();
  std::optional<StepFailure> refusal;
  while (!refusal && steps_ < last) {
    std::int64_t taken = 1;
    if (lanes_.size() == 1) {  // whose steps are those of the run
      taken = march(lanes_[0], last - steps_);
    } else {
      keep_former(false);
      for (std::size_t i = 0; !refusal && i < lanes_.size(); ++i) refusal = advance(i);
      if (refusal) break;
    }
    steps_ += taken;
    step_index_ += taken;
    time_ = time_origin_ + static_cast<double>(step_index_) * grid_;
    if (steps_ < last && !lanes_[0].last.ok()) refusal = refused(0, 0);
  }
  return refusal;
}

/// Takes the next step and looks at it where that is due.
std::optional<StepFailure> Simulation::take_step(const std::function<void(int)>& turn) {
  const std::int64_t next = steps_ + 1;
  const bool row = next % check_stride_ == 0, last = next == planned_steps_;
  keep_former(row || last);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (turn) turn(static_cast<int>(i));
    if (auto refusal = advance(i)) return refusal;
  }
  if (turn) turn(lane_count());
  measured_.clear();
  ++step_index_;
  time_ = time_origin_ + static_cast<double>(step_index_) * grid_;
  if (row || last)
    if (auto refusal = check_row()) return refusal;
  ++steps_;
  reached_.clear();
  if (row || last) guard_row();
  if (!stops_.empty()) look_for_stops(row);
  return {};
}

/// Keeps the lanes that may have to go back: those that have moved if a later one refuses, and all
/// if what they come to cannot be sampled.
void Simulation::keep_former(bool all) {
  former_.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (all || i + 1 < lanes_.size() || lanes_[i].substeps > 1) copy(i, former_[i]);
}

/// Takes one lane's steps to the next of the run. If one is refused, this lane and those before are
/// where they were.
std::optional<StepFailure> Simulation::advance(std::size_t index) {
  Lane& lane = lanes_[index];
  std::int64_t taken = 0;
  if (index > 0 && interrupted())
    lane.last = {.status = StepStatus::interrupted};
  else
    taken = march(lane, lane.substeps);
  if (taken == lane.substeps) return {};
  roll_back(taken > 0 ? index + 1 : index);
  return refused(index, taken);
}

/// Takes so many of a lane's own steps, or as many as can be taken; returns how many. Why there are
/// no more is in its last report.
std::int64_t Simulation::march(Lane& lane, std::int64_t count) {
  Integrator& method = *lane.integrator;
  const System& system = *system_;
  std::int64_t taken = 0;
  StepReport report;
  for (; taken < count; ++taken) {
    if (taken > 0 && interrupted())
      report = {.status = StepStatus::interrupted};
    else
      report = method.advance(system, lane.step, lane.state);
    if (!report.ok()) {
      if (interrupted()) report.status = StepStatus::interrupted;
      break;
    }
    ++lane.step_index;
    lane.state.t = lane.time_origin + static_cast<double>(lane.step_index) * lane.step;
    if (report.work != 0) lane.work.add(report.work);
    lane.inner_steps += report.inner_steps;
    lane.rejected += report.rejected;
  }
  lane.last = report;
  lane.steps += taken;
  if (taken > 0) lane.complete = false;
  return taken;
}

/// Of the next step, in which a lane has taken so many of its own.
StepFailure Simulation::refused(std::size_t index, std::int64_t taken) const {
  const Lane& lane = lanes_[index];
  std::string reason(describe(lane.last.status));
  if (lane.substeps > 1)
    reason = fmt::format("in its step {} of {}: {}", taken + 1, lane.substeps, reason);
  return {static_cast<int>(index), lane.last, steps_ + 1, time_,
          sentence(lane, steps_ + 1, time_, system_->size(), reason)};
}

void Simulation::copy(std::size_t index, Checkpoint& to) {
  const Lane& lane = lanes_[index];
  to.state = state(static_cast<int>(index));
  lane.integrator->save_state(to.memory);
  to.work = lane.work;
  to.step_index = lane.step_index;
  to.steps = lane.steps;
  to.inner_steps = lane.inner_steps;
  to.rejected = lane.rejected;
}

/// `from` is of the lane's present method.
void Simulation::roll_back(std::size_t index, const Checkpoint& from) {
  Lane& lane = lanes_[index];
  lane.state = from.state;
  lane.complete = true;
  lane.work = from.work;
  lane.step_index = from.step_index;
  lane.steps = from.steps;
  lane.inner_steps = from.inner_steps;
  lane.rejected = from.rejected;
  lane.integrator->prepare(*system_, lane.state);
  (void)lane.integrator->load_state(from.memory);
  lane.stale = interrupted();
}

/// Prepares the methods anew that could not be before. False if this is interrupted, too.
bool Simulation::refresh() {
  for (Lane& lane : lanes_) {
    if (!lane.stale) continue;
    const IntegratorState memory = lane.integrator->saved_state();
    lane.integrator->prepare(*system_, lane.state);
    (void)lane.integrator->load_state(memory);
    lane.stale = interrupted();
    if (lane.stale) return false;
  }
  return true;
}

/// Puts the first lanes back to where they were before the step.
void Simulation::roll_back(std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) roll_back(i, former_[i]);
  measured_.clear();
}

/// Refuses a step to a state whose energy or momentum overflows.
std::optional<StepFailure> Simulation::check_row() {
  for (int i = 0; i < lane_count(); ++i) {
    const Sample& now = sample(i);
    if (finite(now)) continue;
    const Sample reached = now;
    const bool cut_short = interrupted();
    std::size_t which = 0;
    while (std::isfinite(reached.values[which])) ++which;
    Eigen::Index fastest = 0;
    lane(i).state.w.colwise().stableNorm().maxCoeff(&fastest);
    roll_back(lanes_.size());
    --step_index_;
    time_ = time_origin_ + static_cast<double>(step_index_) * grid_;
    Lane& refused = lanes_[static_cast<std::size_t>(i)];
    refused.last = {.status = cut_short ? StepStatus::interrupted : StepStatus::not_finite,
                    .body = static_cast<int>(fastest)};
    const QuantityInfo& quantity = quantities()[which];
    return StepFailure{i, refused.last, steps_ + 1, time_,
                       sentence(refused, steps_ + 1, time_, system_->size(),
                                fmt::format("the {} would be {} {}", quantity.label,
                                            reached.values[which], quantity.unit))};
  }
  return {};
}

Guard::Row Simulation::guarded(int index) {
  const Sample& now = sample(index);
  const Lane& held = lane(index);
  return {*system_, *held.info, held.step, held.state, now, held.energy_reference, steps_};
}

void Simulation::guard_row() {
  const std::size_t before = warnings().size();
  for (int i = 0; i < lane_count(); ++i) guard_.look(i, guarded(i));
  for (std::size_t k = before; k < warnings().size(); ++k) {
    const Warning& found = warnings()[k];
    tags_.push_back(
        {found.step, found.t, fmt::format("{}: {}", lane(found.lane).name, brief(found)), true});
  }
  keep_good();
}

void Simulation::look_at_end() {
  if (guarded_) guard_row();
}

/// Keeps the present state if it is good.
void Simulation::keep_good() {
  if (!keeps_good_ || !warnings().empty()) return;
  if (!good_) good_.emplace();
  good_->lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) copy(i, good_->lanes[i]);
  good_->steps = steps_;
  good_->step_index = step_index_;
  good_->next_event = next_event_;
}

std::optional<std::int64_t> Simulation::go_back() {
  if (!good_ || warnings().empty()) return {};
  for (std::size_t i = 0; i < lanes_.size(); ++i) roll_back(i, good_->lanes[i]);
  measured_.clear();
  reached_.clear();
  steps_ = good_->steps;
  step_index_ = good_->step_index;
  next_event_ = good_->next_event;
  time_ = time_origin_ + static_cast<double>(step_index_) * grid_;
  return steps_;
}

/// Whether the run is to stop here: unless it goes on in the record.
void Simulation::look_for_stops(bool row) {
  std::vector<Sample> samples;
  for (int i = 0; row && i < lane_count(); ++i) samples.push_back(sample(i));
  std::string text;
  for (const auto& met : stops_.look(time(), grid_, samples)) {
    const Lane& at = lane(met.lane);
    if (!text.empty()) text += "; ";
    if (met.condition.quantity) {
      const QuantityInfo& quantity = info(*met.condition.quantity);
      const std::string unit = quantity.unit == "1" ? "" : fmt::format(" {}", quantity.unit);
      text += fmt::format("{}: step {}, t = {:.10g} s: {}{} = {:.8g}{}, {} {}{}", at.name, steps_,
                          time_, quantity.label, worst_body(met), met.value, unit,
                          met.condition.above ? "above" : "below",
                          json::shortest(met.condition.value), unit);
    } else {
      text += fmt::format("step {}, t = {:.10g} s: {} is reached", steps_, time_,
                          describe(met.condition));
    }
  }
  if (text.empty()) return;
  for (std::size_t i = next_event_; i < record_.events.size(); ++i) {
    if (record_.events[i].step > steps_) break;
    if (record_.events[i].resume) return;
  }
  stopped_ = std::move(text);
}

/// " of body 2 of 10" for a quantity that is a worst body's.
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

Result<void> Simulation::set(const std::vector<Setting>& settings) {
  if (steps_ == 0 && !record_.continuation) {
    auto edited = with_settings(record_, settings);
    if (!edited) return edited.error();
    auto fresh = create(std::move(*edited));
    if (!fresh) return fresh.error();
    *this = std::move(*fresh);
    return {};
  }
  auto edited = with_edits(settings);
  if (!edited) return edited.error();
  auto& [wanted, lanes_wait] = *edited;
  Scenario next = live_settings(wanted, lanes_wait);
  std::vector<Setting> changes = differences(present_, next);
  std::vector<Sample> reached = reached_;
  for (int i = static_cast<int>(reached.size()); i < lane_count(); ++i)
    reached.push_back(sample(i));
  // One of its values was set at this step before: all that was is set anew, at once.
  const auto earlier = [this](const Setting& change) {
    const auto set_there = [&](const Setting& setting) { return setting.path == change.path; };
    for (std::size_t k = unchanged_->next_event; k < next_event_; ++k)
      if (std::any_of(record_.events[k].set.begin(), record_.events[k].set.end(), set_there))
        return true;
    return false;
  };
  std::optional<Scenario> former;
  if (!unchanged_ && !changes.empty()) {
    keep_unchanged();
  } else if (unchanged_ && std::any_of(changes.begin(), changes.end(), earlier)) {
    former = present_;
    changes = differences(unchanged_->present, next);
    put_unchanged();
  }
  if (auto done = adopt(std::move(next), changes); !done) {
    if (former) {
      std::vector<Setting> again = differences(present_, *former);
      (void)adopt(std::move(*former), again);  // as before
      record_event(Event{steps_, std::move(again)});
    }
    return done;
  }
  wanted_ = std::move(wanted);
  lanes_wait_ = lanes_wait;
  if (changes.empty()) return {};
  reached_ = std::move(reached);
  record_event(Event{steps_, changes});
  // Neither has another number of steps, where the stride came from that.
  if (base_stride(record_) != first_stride_) record_.every = first_stride_;
  if (!stride_changes(record_.events)) return {};
  // Another plan may take in events that set the stride, or leave some out: what was left out of
  // the rows does not come back.
  const std::int64_t planned = sampling_stride(record_);
  if (planned % stride_ == 0) {
    stride_ = planned;
  } else {
    record_.events[next_event_ - 1].set.push_back({"every", json::Node::whole(stride_)});
    check_stride_ = coarser_stride(check_stride_, stride_).value_or(check_stride_);
  }
  return {};
}

// A start that is edited is no longer taken bit for bit but checked like one written by hand.
Result<std::pair<Scenario, bool>> Simulation::with_edits(
    const std::vector<Setting>& settings) const {
  static constexpr std::array<std::string_view, 7> allowed{
      "system", "initial", "integrator", "lanes", "duration", "every", "stop"};
  bool start_edited = false, lanes_wait = lanes_wait_;
  for (const auto& [path, value] : settings) {
    if (!path.valid()) return Error{ErrorKind::usage, path.text(), path.problem()};
    const std::string_view key = path.key();
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      return Error{
          ErrorKind::usage, path.text(),
          fmt::format("cannot be set during a run; allowed: {}", fmt::join(allowed, ", "))};
    start_edited |= key == "initial";
    lanes_wait |= path == "lanes" || path == "integrator";
  }
  Scenario from = wanted_;
  from.continuation.reset();
  auto edited = with_settings(from, settings, nullptr, record_.continuation && !start_edited);
  if (!edited) return edited.error();
  lanes_wait = lanes_wait && edited->lanes != present_.lanes;
  edited->continuation = record_.continuation;
  if (record_.continuation && (lanes_wait || !same_start(*edited, record_)))
    edited->continuation =
        starting_at(present_time(*record_.continuation, record_.lanes), edited->lanes.size());
  return std::pair(std::move(*edited), lanes_wait);
}

std::vector<Setting> Simulation::pending() const {
  if (!lanes_wait_) return differences(present_, wanted_);
  Scenario same_lanes = wanted_;
  same_lanes.lanes = present_.lanes;
  std::vector<Setting> settings = differences(present_, same_lanes);
  settings.push_back(lanes_setting(wanted_));
  return settings;
}

void Simulation::record_event(Event event) {
  record_.events.insert(record_.events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                        std::move(event));
  ++next_event_;
}

/// Keeps the run as it is at this step, for put_unchanged().
void Simulation::keep_unchanged() {
  Unchanged& kept = unchanged_.emplace();
  kept.present = present_;
  kept.system = system_;
  kept.lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    copy(i, kept.lanes[i]);
    kept.clocks.emplace_back(lanes_[i].time_origin, lanes_[i].step);
  }
  kept.stops = stops_;
  kept.tags = tags_.size();
  kept.next_event = next_event_;
  kept.step_index = step_index_;
  kept.planned_steps = planned_steps_;
  kept.stride = stride_;
  kept.check_stride = check_stride_;
  kept.every = record_.every;
  kept.grid = grid_;
  kept.time_origin = time_origin_;
  kept.end_time = end_time_;
}

/// Undoes what set() has done at this step, but for what waits.
void Simulation::put_unchanged() {
  const Unchanged& kept = *unchanged_;
  const auto at = [](auto& list, std::size_t index) {
    return list.begin() + static_cast<std::ptrdiff_t>(index);
  };
  record_.events.erase(at(record_.events, kept.next_event), at(record_.events, next_event_));
  record_.every = kept.every;
  next_event_ = kept.next_event;
  tags_.erase(at(tags_, kept.tags), tags_.end());
  stops_ = kept.stops;
  system_ = kept.system;
  step_index_ = kept.step_index;
  planned_steps_ = kept.planned_steps;
  stride_ = kept.stride;
  check_stride_ = kept.check_stride;
  grid_ = kept.grid;
  time_origin_ = kept.time_origin;
  end_time_ = kept.end_time;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    const LaneSpec &was = kept.present.lanes[i], &is = present_.lanes[i];
    if (was.type != is.type || was.values != is.values) {
      lane.info = find_integrator(was.type);
      lane.integrator = lane.info->create(was.values);
    }
    lane.name = was.name;
    std::tie(lane.time_origin, lane.step) = kept.clocks[i];
    lane.substeps = substeps(grid_, lane.step).value_or(1);
    roll_back(i, kept.lanes[i]);
  }
  present_ = kept.present;
  measured_.clear();
  former_.clear();
}

void Simulation::double_stride() {
  assert(steps_ > 0);
  unchanged_.reset();
  stride_ *= 2;
  record_event({steps_, {{"every", json::Node::whole(stride_)}}});
  check_stride_ = coarser_stride(check_stride_, stride_).value_or(check_stride_);
  tags_.push_back({steps_, time(), fmt::format("every = {}", stride_)});
}

Result<void> Simulation::apply(const Event& event) {
  // The stride of events up to the planned end is that of all rows already.
  std::vector<Setting> settings;
  std::int64_t stride = stride_, check_stride = check_stride_;
  for (const Setting& setting : event.set) {
    if (setting.path != "every") {
      settings.push_back(setting);
      continue;
    }
    const auto given = static_cast<std::int64_t>(setting.value.number);
    const auto next = coarser_stride(stride, given);
    if (!next)
      return Error{ErrorKind::usage, "every",
                   fmt::format("must be a multiple or a divisor of the previous stride, {}, not {}",
                               stride, json::shortest(setting.value.number))};
    stride = *next;
    check_stride = coarser_stride(check_stride, given).value_or(check_stride);
  }
  auto next = with_settings(present_, settings);
  if (!next) return next.error();
  if (const auto held = differences(live_settings(*next, false), *next); !held.empty())
    return Error{ErrorKind::usage, held[0].path.text(),
                 "cannot change during a run; it needs a reset"};
  // A list of lanes that waits is another one.
  if (lanes_wait_)
    std::erase_if(settings, [](const Setting& setting) {
      return setting.path.key() == "lanes" || setting.path.key() == "integrator";
    });
  auto wanted = with_settings(wanted_, settings);
  if (!wanted) return wanted.error();
  if (auto done = adopt(std::move(*next), event.set); !done) return done;
  wanted_ = std::move(*wanted);
  stride_ = stride;
  check_stride_ = check_stride;
  return {};
}

Scenario Simulation::live_settings(Scenario next, bool lanes_wait) const {
  const bool other_size = next.size() != present_.size();
  if (next.system != present_.system) {
    next.system = present_.system;
    next.parameters = present_.parameters;
  }
  for (const ParameterInfo& p : system_info_->parameters) {
    std::vector<double>& wanted = next.parameters.find(p.key)->second;
    const std::vector<double>& now = present_.parameters.find(p.key)->second;
    if (!p.live || (other_size && p.shape == Shape::per_body) ||
        (p.shape == Shape::springs && !same_ends(wanted, now)))
      wanted = now;
  }
  next.q = present_.q;
  next.omega = present_.omega;
  next.every = present_.every;
  next.continuation = present_.continuation;
  if (lanes_wait || next.lanes.size() != present_.lanes.size()) {
    next.lanes = present_.lanes;
    return next;
  }
  const auto before = default_names(present_.lanes), names = default_names(next.lanes);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& present = present_.lanes[i].name;
    next.lanes[i].name = present == before[i] ? names[i] : present;
    taken.insert(next.lanes[i].name);
  }
  // A name that is free only after a rewind.
  if (taken.size() < names.size()) next.lanes = present_.lanes;
  return next;
}

Result<void> Simulation::adopt(Scenario next, const std::vector<Setting>& changes) {
  std::shared_ptr<const System> former;
  if (next.parameters != present_.parameters) {
    auto made = make_system(next);
    if (!made) return made.error();
    for (int i = 0; i < lane_count(); ++i)
      if (!std::isfinite(total_energy(**made, state(i))))
        return Error{ErrorKind::usage, changes.front().path.text(),
                     fmt::format("the energy of {} would not be a finite number", lane(i).name)};
    former = std::exchange(system_, std::move(*made));
  }
  measured_.clear();
  former_.clear();
  good_.reset();
  if (next.stop != present_.stop) stops_.watch(next.stop, lane_count());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    (void)state(static_cast<int>(i));
    reconfigure(lanes_[i], present_.lanes[i], next.lanes[i], former.get());
  }
  const double grid = twosphere::grid_step(next.lanes);
  const bool step_changed = grid != grid_;
  if (step_changed) {
    time_origin_ = time_;
    step_index_ = 0;
    grid_ = grid;
  }
  for (Lane& lane : lanes_) lane.substeps = substeps(grid_, lane.step).value_or(1);
  if (next.duration != present_.duration) end_time_ += next.duration - present_.duration;
  if (step_changed || next.duration != present_.duration) {
    const double left = end_time_ - time();
    planned_steps_ = steps_ + (left > 0 ? count_steps(left, grid_).steps : 0);
  }
  present_ = std::move(next);
  std::string text, paths;
  for (const Setting& change : changes) {
    const char* separator = text.empty() ? "" : ", ";
    text += separator + describe(change, present_.stop);
    paths += separator + change.path.text();
  }
  if (!changes.empty()) tags_.push_back({steps_, time(), std::move(text), false, std::move(paths)});
  return {};
}

void Simulation::reconfigure(Lane& lane, const LaneSpec& before, const LaneSpec& now,
                             const System* former) {
  const bool method_changed = now.type != before.type || now.values != before.values;
  if (former || method_changed) {
    const double energy = total_energy(former ? *former : *system_, lane.state);
    if (method_changed) {
      lane.info = find_integrator(now.type);
      lane.integrator = lane.info->create(now.values);
      if (lane.info->keeps_sphere)
        if (const double moved = settle(lane.state); moved > 0)
          tags_.push_back({steps_, lane.state.t,
                           fmt::format("{}: normalised, |q| was off by {:.2g}", now.name, moved)});
    }
    const double jump = total_energy(*system_, lane.state) - energy;
    if (jump != 0) lane.work.add(jump);
    lane.integrator->prepare(*system_, lane.state);
  }
  lane.name = now.name;
  if (now.step != before.step) {
    lane.time_origin = lane.state.t;
    lane.step_index = 0;
    lane.step = now.step;
  }
}

const State& Simulation::state(int index) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  if (!lane.complete) lane.integrator->complete(*system_, lane.state);
  lane.complete = true;
  return lane.state;
}

const Sample& Simulation::sample(int index) {
  measured_.resize(lanes_.size());
  std::optional<Sample>& measured = measured_[static_cast<std::size_t>(index)];
  if (!measured) {
    const State& now = state(index);
    const Lane& held = lane(index);
    measured.emplace(measure(*system_, now, held.energy_reference, held.work.value(), measuring_));
    (*measured)[Quantity::time] = time_;  // as of all lanes, to the last digit
    if (interrupted() && !finite(*measured)) {
      unfinished_ = *measured;
      measured.reset();
      return unfinished_;
    }
  }
  return *measured;
}

Sample Simulation::row(int index) {
  return reached_.empty() ? sample(index) : reached_[static_cast<std::size_t>(index)];
}

Scenario Simulation::continuation() {
  Scenario s = present_;
  RestartState c;
  c.time_origin = time_origin_;
  c.step_index = step_index_;
  for (int i = 0; i < lane_count(); ++i) {
    const State& now = state(i);
    const Lane& held = lane(i);
    RestartState::Lane& to = c.lanes.emplace_back();
    (i == 0 ? s.q : to.q) = now.q;
    (i == 0 ? s.omega : to.omega) = now.w;
    to.time_origin = held.time_origin;
    to.step_index = held.step_index;
    to.energy_reference = held.energy_reference;
    to.work = held.work.sum;
    to.memory = held.integrator->saved_state();
    to.memory.emplace_back(work_compensation, std::vector<double>{held.work.compensation});
  }
  s.continuation = std::move(c);
  for (std::size_t i = next_event_; i < record_.events.size(); ++i) {
    s.events.push_back(record_.events[i]);
    s.events.back().step -= steps_;
  }
  // Columns keep the names that the lanes had at the start.
  for (std::size_t i = 0; i < s.lanes.size() && s.lanes.size() > 1; ++i)
    s.lanes[i].name = record_.lanes[i].name;
  // A default may not suit the events to come.
  if (stride_changes(s.events) && s.every == 0) s.every = first_stride_;
  return s;
}

Scenario Simulation::rewound() const {
  Scenario s = wanted_;
  if (!record_.continuation) return s;
  // A loaded state whose settings have changed: its time stays, its energies and the method's
  // variables begin anew, on the sphere if the method keeps it. Several lanes begin where each was,
  // or all at the start if that or the list of lanes is another one.
  const bool moved = lanes_wait_ || !same_start(s, record_);
  if (!moved && s.parameters == record_.parameters && s.lanes == record_.lanes) return s;
  const auto settled = [](const Columns& q, const Columns& omega, bool keeps_sphere) {
    State start{0, q, omega};
    if (keeps_sphere) (void)settle(start);
    return start;
  };
  const auto keeps_sphere = [](const LaneSpec& lane) {
    return find_integrator(lane.type)->keeps_sphere;
  };
  RestartState c = starting_at(present_time(*record_.continuation, record_.lanes), s.lanes.size());
  const auto system = make_system(s);  // settings that cannot make one are not taken
  const bool one_keeps = std::any_of(s.lanes.begin(), s.lanes.end(), keeps_sphere);
  const State common = settled(s.q, s.omega, moved ? one_keeps : keeps_sphere(s.lanes[0]));
  s.q = common.q;
  s.omega = common.w;
  for (std::size_t i = 0; i < s.lanes.size(); ++i) {
    State start = common;
    if (!moved && i > 0) {
      const RestartState::Lane& from = record_.continuation->lanes[i];
      if (from.q.cols() > 0) {
        start = settled(from.q, from.omega, keeps_sphere(s.lanes[i]));
        c.lanes[i].q = start.q;
        c.lanes[i].omega = start.w;
      }
    }
    if (system) c.lanes[i].energy_reference = total_energy(**system, start);
  }
  s.continuation = std::move(c);
  return s;
}

}  // namespace twosphere
