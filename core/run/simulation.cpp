// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/pulled_system.h"
#include "core/scenario/added_lane.h"
#include "core/scenario/branches.h"
#include "core/scenario/tangent_maps.h"

namespace twosphere {

namespace {

/// The square of the inverse of a step that is smaller overflows [s].
constexpr double squarable = 1e-154;

/// `t`: the time of the last good state. Bodies are counted from 1, as in the window; in texts they
/// have another number.
std::string sentence(const Lane& lane, std::int64_t step, double t, const Scenario& settings,
                     std::string_view reason) {
  const StepReport& r = lane.last;
  const std::string index = settings.definition ? fmt::format(", q[{}] in the texts", r.body) : "";
  std::string text = fmt::format("{}: step {} from t = {:.10g} s failed: body {} of {}{}: {}",
                                 lane.name, step, t, r.body + 1, settings.size(), index, reason);
  if (r.status == StepStatus::not_converged)
    text +=
        fmt::format(" ({}{} iteration{})",
                    r.residual > 0 ? fmt::format("| |q|² − 1 |/2 = {:.2g} after ", r.residual) : "",
                    r.iterations, r.iterations == 1 ? "" : "s");
  text += ". The last valid state is kept";
  const double step_size = lane.clock.step;
  // A method with a step of its own has said what to do.
  if (r.status != StepStatus::motion_not_resolved)
    text += fmt::format("; try a step {} than {} s", step_size < squarable ? "larger" : "smaller",
                        json::shortest(step_size));
  return text + '.';
}

/// The pulls that have not run out by a step.
std::vector<ActivePull> in_force(std::vector<ActivePull> pulls, std::int64_t step) {
  std::erase_if(pulls, [step](const ActivePull& active) { return active.end <= step; });
  return pulls;
}

}  // namespace

std::shared_ptr<const System> Simulation::pulled(const std::shared_ptr<const System>& system,
                                                 const std::vector<ActivePull>& pulls) {
  if (pulls.empty()) return system;
  std::vector<PointForce> forces;
  forces.reserve(pulls.size());
  for (const ActivePull& active : pulls) forces.push_back({active.pull.body, active.pull.force});
  return std::make_shared<const PulledSystem>(system, forces);
}

Result<std::shared_ptr<const System>> Simulation::make_system(const Scenario& scenario) {
  auto made = info_of(scenario).create(scenario.size(), scenario.parameters);
  if (!made) return made.error();
  // One back end from the first step on: its code is made now.
  static_cast<void>((*made)->back_end());
  return std::shared_ptr<const System>(std::move(*made));
}

Result<Simulation> Simulation::create(Scenario scenario) {
  Simulation s;
  if (!find_system(scenario.system))
    return Error{ErrorKind::usage, "system.type", "there is no system " + scenario.system};
  for (LaneSpec& lane : scenario.lanes) {
    const IntegratorInfo* info = find_integrator(lane.type);
    if (!info)
      return Error{ErrorKind::usage, "integrator.type", "there is no integrator " + lane.type};
    lane.values.merge(default_values(info->parameters));
  }
  auto system = make_system(scenario);
  if (!system) return system.error();
  s.system_ = s.acting_ = *system;
  const auto& from = scenario.continuation;
  if (scenario.lanes.empty() || (from && from->lanes.size() != scenario.lanes.size()))
    return Error{ErrorKind::usage, "lanes", "must be one or more, each with its state"};
  s.clock_ = RunClock(scenario);
  if (from)
    for (const Pull& pull : from->pulls) s.pulls_.push_back({pull, pull.steps});
  s.acting_ = pulled(s.system_, s.pulls_);
  for (std::size_t i = 0; i < scenario.lanes.size(); ++i) {
    auto lane = Lane::create(scenario, i, *s.acting_);
    if (!lane) return lane.error();
    s.lanes_.push_back(std::move(*lane));
  }
  s.stride_ = SampleStride(scenario);
  scenario = main_record(std::move(scenario));
  s.present_ = scenario;
  s.present_.events.clear();
  s.after_rewind_ = s.present_;
  if (auto follows = s.check_following(s.present_, *s.acting_); !follows) return follows.error();
  s.follow_for_stops();
  s.record_ = std::move(scenario);
  s.guard_ = Guard(s.lane_count());
  s.stops_.watch(s.present_, s.lane_count());
  // A saved state beyond a bound does not stop the run again: it continues.
  if (s.record_.continuation)
    (void)s.stops_.check(s.time(), s.grid_step(), s.reversed(), s.observed());
  else
    s.check_stops();
  return s;
}

Simulation Simulation::at(Scenario record, const RunCheckpoint& checkpoint) {
  Simulation s;
  s.record_ = std::move(record);
  s.restore(checkpoint);
  s.after_rewind_ = s.present_;
  s.keep_start();
  return s;
}

RunCheckpoint Simulation::checkpoint() {
  if (!shared_settings_)
    shared_settings_ = std::make_shared<const RunCheckpoint::Settings>(
        RunCheckpoint::Settings{present_, system_, pulls_});
  if (!shared_markers_) shared_markers_ = std::make_shared<const std::vector<RunMarker>>(markers_);
  RunCheckpoint made{.clock = clock_,
                     .stride = stride_,
                     .events_applied = next_event_,
                     .changed = next_event_ > 0 && record_.events[next_event_ - 1].step >= steps(),
                     .settings = shared_settings_,
                     .markers = shared_markers_,
                     .stops = stops_,
                     .stopped = stopped_,
                     .guard = guard_,
                     .guarded = guarded_,
                     .start_distances = start_distances_,
                     .reached = reached_};
  made.lanes.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) save(i, made.lanes[i]);
  return made;
}

/// Restores a checkpoint of this record, earlier or later. Settings that wait for rewound() keep
/// waiting.
void Simulation::restore(const RunCheckpoint& from) {
  const std::vector<LaneSpec>& lanes = from.settings->present.lanes;
  system_ = from.settings->system;
  pulls_ = from.settings->pulls;
  acting_ = pulled(system_, pulls_);
  clock_ = from.clock;
  stride_ = from.stride;
  const bool fresh = lanes_.empty();
  lanes_.resize(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Lane& lane = lanes_[i];
    if (fresh || lanes[i].type != present_.lanes[i].type ||
        lanes[i].values != present_.lanes[i].values) {
      lane.info = find_integrator(lanes[i].type);
      lane.integrator = lane.info->create(lanes[i].values);
    }
    lane.name = lanes[i].name;
    roll_back(i, from.lanes[i]);
    lane.substeps = substeps(grid_step(), lane.clock.step).value_or(1);
  }
  present_ = from.settings->present;
  markers_ = *from.markers;
  shared_settings_ = from.settings;
  shared_markers_ = from.markers;
  next_event_ = from.events_applied;
  stops_ = from.stops;
  stopped_ = from.stopped;
  stop_time_.reset();
  guard_ = from.guard;
  guarded_ = from.guarded;
  coarse_.clear();
  forget_samples();
  reached_ = from.reached;
  former_.clear();
  start_distances_ = from.start_distances;
  unchanged_.reset();
  unturned_.reset();
  good_.reset();
}

void Simulation::mark(RunMarker marker) {
  markers_.push_back(std::move(marker));
  shared_markers_.reset();
}

std::optional<StepFailure> Simulation::step(const std::function<void(int)>& turn) {
  if (auto failure = begin_step()) return failure;
  return take_step(turn);
}

std::optional<StepFailure> Simulation::advance_to(std::int64_t last) {
  const std::size_t events = next_event_;
  if (auto failure = begin_step()) return failure;
  // An event may have moved the planned end.
  if (next_event_ == events) {
    const std::int64_t check = next_check();
    if (check - 1 > steps()) {
      if (auto failure = advance_unchecked(std::min(last, check - 1))) return failure;
      if (steps() == last || stopped_) return {};
    }
  }
  return take_step({});
}

/// The next step is not taken, because this thread is interrupted.
StepFailure Simulation::interruption() const {
  return {0, {.status = StepStatus::interrupted}, steps() + 1, time(), {}};
}

/// Applies the events that are due and prepares everything else for the next step.
std::optional<StepFailure> Simulation::begin_step() {
  if (!refresh() && interrupted()) return interruption();
  unchanged_.reset();
  unturned_.reset();
  pulled_ = false;
  auto& events = record_.events;
  const auto refused_event = [this](const Error& why) {
    return StepFailure{0,
                       {},
                       steps() + 1,
                       time(),
                       fmt::format("event before step {}: {}", steps() + 1, why.text())};
  };
  const bool goes_on = is_due(&Event::resume);
  if (stopped_) {
    if (!goes_on)
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                    Event{.step = steps(), .resume = true});
    stopped_.reset();
    stop_time_.reset();
  }
  while (next_event_ < events.size() && events[next_event_].step <= steps()) {
    const Event& event = events[next_event_];
    if (event.pull) {
      start_pull(*event.pull);
      ++next_event_;
      continue;
    }
    if (event.add_lane) {
      const Uninterrupted adding;
      if (auto done = start_lane(*event.add_lane); !done) return refused_event(done.error());
      ++next_event_;
      continue;
    }
    if (event.resume) {
      mark({steps(), time(), "resumed"});
      ++next_event_;
      continue;
    }
    if (event.reverse) {
      turn();
      ++next_event_;
      continue;
    }
    const Uninterrupted changing;
    if (auto done = apply(event); !done) return refused_event(done.error());
    ++next_event_;
  }
  if (!pulls_.empty())
    if (auto left = in_force(pulls_, steps()); left.size() < pulls_.size())
      change_pulls(std::move(left));
  // What is done at the start, live or by the record, is part of what the guard begins with.
  if (!guarded_) {
    bool fresh = true;
    for (int i = 0; fresh && i < lane_count(); ++i) fresh = finite(sample(i));
    if (!fresh && interrupted()) return interruption();
    for (int i = 0; i < lane_count(); ++i) guard_.begin(i, guarded(i));
    guarded_ = true;
    mark_warnings(0);
  }
  if (!good_) keep_good();
  return {};
}

std::size_t Simulation::width() const {
  const Lane& lane = lanes_[0];
  if (lanes_.size() > 1 || lane.crossings) return 1;
  return lane.exponents ? lane.exponents->width(*acting_, *lane.integrator)
                        : lane.integrator->width(*acting_);
}

void Simulation::advance_together(std::span<Simulation* const> runs) {
  const Simulation& first = *runs[0];
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
  std::vector<Lane*> lanes;
  for (Simulation* run : runs) {
    // The steps before the next one after which something is checked.
    if (run->next_check() <= run->steps() + 1 || run->begin_step()) return;
    if (run->width() < runs.size() || !run->steps_like(first)) return;
    count = std::min(count, run->next_check() - 1 - run->steps());
    lanes.push_back(&run->lanes_[0]);
  }
  bool stopped = false;
  for (std::int64_t left = count, taken = 0; left > 0 && !stopped && !interrupted();
       left -= taken) {
    std::int64_t at_once = left;
    for (Simulation* run : runs) {
      at_once = std::min(at_once, run->unseen_steps());
      if (run->stops_.locates()) run->keep_former(true);
    }
    taken = Lane::advance_together(*runs[0]->acting_, at_once, lanes);
    if (taken == 0) return;
    for (Simulation* run : runs) {
      run->forget_samples();
      run->reached_.clear();
      run->clock_.advance(taken);
      run->look();
      stopped |= run->stopped_.has_value();
    }
  }
}

/// Whether another run, with one lane each, has the same system, method and step now.
bool Simulation::steps_like(const Simulation& other) const {
  const LaneSpec &here = present_.lanes[0], &there = other.present_.lanes[0];
  const auto followed = [](const Simulation& run) { return run.lanes_[0].exponents.has_value(); };
  return same_system(present_, other.present_) && here.type == there.type &&
         here.values == there.values && followed(*this) == followed(other) &&
         lanes_[0].clock.signed_step() == other.lanes_[0].clock.signed_step();
}

/// The next step at which something is checked or before which an event is due.
std::int64_t Simulation::next_check() const {
  const std::int64_t next = steps() + 1;
  if (stride_.checks == 1 || stops_.measures()) return next;
  std::int64_t check = (steps() / stride_.checks + 1) * stride_.checks;
  for (const std::int64_t step : {clock_.planned_steps(), clock_.return_step().value_or(0)})
    if (step > steps()) check = std::min(check, step);
  for (const ActivePull& active : pulls_)
    if (active.end > steps()) check = std::min(check, active.end);
  const auto& events = record_.events;
  if (next_event_ < events.size()) check = std::min(check, events[next_event_].step);
  return std::max(check, next);
}

void Simulation::observe_steps(StepObserver observer) {
  observer_ = std::move(observer);
  next_seen_ = observer_(*this);
}

/// The most steps that may be taken before something looks at the state.
std::int64_t Simulation::unseen_steps() const {
  if (!stops_.empty()) return 1;
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (observer_) next = next_seen_;
  if (!coarse_.empty()) next = std::min(next, watch_.next());
  return std::max<std::int64_t>(next - steps(), 1);
}

/// Lets the observer look, watches the steps, and checks the stop conditions.
void Simulation::look() {
  if (observer_ && steps() >= next_seen_) next_seen_ = observer_(*this);
  if (!coarse_.empty() && steps() >= watch_.next()) watch_steps();
  check_stops();
}

/// Takes steps up to `last`, or to one at which a stop condition is met, without other checks.
std::optional<StepFailure> Simulation::advance_unchecked(std::int64_t last) {
  reached_.clear();
  std::optional<StepFailure> failure;
  while (!failure && steps() < last && !stopped_) {
    std::int64_t taken = 1;
    if (lanes_.size() == 1) {  // its steps are those of the run
      if (stops_.locates()) keep_former(true);
      taken = lanes_[0].advance(*acting_, std::min(last - steps(), unseen_steps()));
    } else {
      keep_former(stops_.locates());
      for (std::size_t i = 0; !failure && i < lanes_.size(); ++i) failure = advance(i);
      if (failure) break;
    }
    forget_samples();
    clock_.advance(taken);
    look();
    if (steps() < last && !lanes_[0].last.ok())
      failure = step_failure(0, 0);
    else if ((!stops_.empty() || observer_) && interrupted())
      failure = interruption();
  }
  return failure;
}

/// Takes the next step and checks it where that is due.
std::optional<StepFailure> Simulation::take_step(const std::function<void(int)>& turn) {
  const std::int64_t next = steps() + 1;
  const bool row =
      stride_.checks == 1 || next % stride_.checks == 0 || next == clock_.planned_steps();
  const bool sampled = row || stops_.measures();
  keep_former(sampled || stops_.locates());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (turn) turn(static_cast<int>(i));
    if (auto failure = advance(i)) return failure;
  }
  if (turn) turn(lane_count());
  forget_samples();
  clock_.advance(1);
  if (sampled)
    if (auto failure = check_row()) return failure;
  reached_.clear();
  if (steps() == clock_.return_step()) measure_return();
  if (row) guard_row();
  look();
  return {};
}

/// Saves the lanes that may have to be rolled back: those that have moved when a later one fails,
/// and all of them if the result cannot be sampled (`all`). A single lane whose steps are cheap is
/// saved at some rows only and repeats the steps since then.
void Simulation::keep_former(bool all) {
  constexpr std::int64_t most_repeated = 64;
  constexpr int most_bodies = 64;
  if (lanes_.size() == 1 && lanes_[0].substeps == 1 && !lanes_[0].info->adaptive &&
      system_->size() <= most_bodies) {
    const std::int64_t since = steps() - former_steps_;
    if (!all || (!former_.empty() && since >= 0 && since < most_repeated)) return;
  }
  former_steps_ = steps();
  former_.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (all || i + 1 < lanes_.size() || lanes_[i].substeps > 1) save(i, former_[i]);
}

/// Takes the steps of one lane up to the next step of the run. If one fails, this lane and those
/// before it are rolled back.
std::optional<StepFailure> Simulation::advance(std::size_t index) {
  Lane& lane = lanes_[index];
  std::int64_t taken = 0;
  if (index > 0 && interrupted())
    lane.last = {.status = StepStatus::interrupted};
  else
    taken = lane.advance(*acting_, lane.substeps);
  if (taken == lane.substeps) return {};
  roll_back(taken > 0 ? index + 1 : index);
  return step_failure(index, taken);
}

/// The failure of the next step, in which the lane has taken `taken` of its own steps.
StepFailure Simulation::step_failure(std::size_t index, std::int64_t taken) const {
  const Lane& lane = lanes_[index];
  std::string reason(describe(lane.last.status));
  if (lane.substeps > 1)
    reason = fmt::format("in its step {} of {}: {}", taken + 1, lane.substeps, reason);
  return {static_cast<int>(index), lane.last, steps() + 1, time(),
          sentence(lane, steps() + 1, time(), present_, reason)};
}

/// Repeats the interrupted preparation of methods. False if it is interrupted again.
bool Simulation::refresh() {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [this](Lane& lane) { return lane.refresh(*acting_); });
}

void Simulation::roll_back(std::size_t index, const Lane::Checkpoint& from) {
  lanes_[index].roll_back(*acting_, from);
}

/// Rolls the first `lanes` lanes back to the state before the step.
void Simulation::roll_back(std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) roll_back(i, former_[i]);
  forget_samples();
}

/// Fails if the energy or momentum of the new state overflows.
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
    clock_.advance(-1);
    if (const std::int64_t again = steps() - former_steps_; again > 0) {
      const Uninterrupted repeating;
      (void)lanes_[0].advance(*acting_, again);
    }
    Lane& failed = lanes_[static_cast<std::size_t>(i)];
    failed.last = {.status = cut_short ? StepStatus::interrupted : StepStatus::not_finite,
                   .body = static_cast<int>(fastest)};
    const QuantityInfo& quantity = quantities()[which];
    return StepFailure{i, failed.last, steps() + 1, time(),
                       sentence(failed, steps() + 1, time(), present_,
                                fmt::format("the {} would be {} {}", quantity.label,
                                            reached.values[which], quantity.unit))};
  }
  return {};
}

/// Makes these pulls the active ones. The methods are prepared again from (q, ω), because the
/// forces of pulls are not part of E.
void Simulation::change_pulls(std::vector<ActivePull> pulls) {
  const Uninterrupted changing;
  for (Lane& lane : lanes_) lane.finish_state(*acting_);
  pulls_ = std::move(pulls);
  acting_ = pulled(system_, pulls_);
  for (Lane& lane : lanes_) lane.integrator->prepare(*acting_, lane.state);
  former_.clear();
  good_.reset();
  shared_settings_.reset();
}

void Simulation::start_pull(const Pull& pull) {
  // One marker per gesture, which is a sequence of pulls. A pull that has just ended may be missing
  // among the active ones if a step from here failed, but not in the record.
  const auto here = record_.events.begin() + static_cast<std::ptrdiff_t>(next_event_);
  const bool follows =
      std::any_of(pulls_.begin(), pulls_.end(),
                  [&](const ActivePull& active) { return active.pull.body == pull.body; }) ||
      std::any_of(record_.events.begin(), here, [&](const Event& event) {
        return event.pull && event.pull->body == pull.body &&
               event.step + event.pull->steps >= steps();
      });
  if (!follows) mark({steps(), time(), fmt::format("body {} is pulled", pull.body + 1)});
  std::vector<ActivePull> pulls = in_force(pulls_, steps());
  pulls.push_back({pull, steps() + pull.steps});
  change_pulls(std::move(pulls));
}

/// Adds a lane from now on.
Result<void> Simulation::start_lane(const AddedLane& added) {
  if (auto fits = check_added_lane(added, present_.lanes, system_->size()); !fits)
    return Error{ErrorKind::usage,
                 fits.error().location.empty() ? "add_lane" : "add_lane." + fits.error().location,
                 fits.error().message};
  if (auto fits = check_indicators(present_.stop, {added.lane}, *acting_, present_.parameters);
      !fits)
    return Error{ErrorKind::usage, "add_lane.type", fits.error().message};
  State start = state(static_cast<int>(added.from));
  const IntegratorInfo& method = *find_integrator(added.lane.type);
  const double moved = method.keeps_sphere ? project_to_manifold(start) : 0;
  LaneSpec spec = added.lane;
  // A setting changed since then may have taken its name.
  document::Names taken = names_of(present_.lanes);
  for (std::string& name : names_of(after_rewind_.lanes)) taken.push_back(std::move(name));
  if (document::contains(taken, spec.name)) spec.name = unused_name(spec.type, taken);
  lanes_.push_back(Lane::begin(spec, std::move(start), clock_, *acting_));
  if (lanes_.front().exponents)
    lanes_.back().exponents.emplace(*acting_, lanes_.back().state,
                                    lanes_.front().exponents->count());
  if (lanes_.front().crossings)
    lanes_.back().crossings.emplace(lanes_.front().crossings->surface());
  present_.lanes.push_back(spec);
  if (!lanes_wait_) after_rewind_.lanes.push_back(spec);
  // After Rewind it begins where the first lane does.
  for (Scenario* settings : {&present_, &after_rewind_})
    if (settings->continuation && settings->continuation->lanes.size() < settings->lanes.size())
      settings->continuation->lanes.push_back({.time_origin = start_time(record_)});
  forget_samples();
  former_.clear();
  good_.reset();
  shared_settings_.reset();
  if (!reached_.empty()) reached_.push_back(missing_sample(time()));
  const int index = lane_count() - 1;
  stops_.add_lane(observed(index, true));
  guard_.add_lane();
  coarse_.clear();
  const std::size_t warned = warnings().size();
  if (guarded_) guard_.begin(index, guarded(index));
  mark_warnings(warned);
  mark({steps(), time(),
        fmt::format("{} begins where {} is", spec.name, lane(static_cast<int>(added.from)).name)});
  if (moved > 0)
    mark({steps(), time(), fmt::format("{}: normalised, |q| was off by {:.2g}", spec.name, moved)});
  return {};
}

std::int64_t Simulation::planned_steps() const {
  if (!clock_.finished() || !turns_here()) return clock_.planned_steps();
  RunClock after = clock_;
  after.reverse();
  return after.planned_steps();
}

/// Whether an event before the next step has this flag set.
bool Simulation::is_due(bool Event::*what) const {
  for (std::size_t i = next_event_; i < record_.events.size(); ++i) {
    if (record_.events[i].step > steps()) break;
    if (record_.events[i].*what) return true;
  }
  return false;
}

/// Whether the record reverses the run before its next step.
bool Simulation::turns_here() const { return is_due(&Event::reverse); }

const State& Simulation::state(int index) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  lane.finish_state(*acting_);
  return lane.state;
}

void Simulation::forget_samples() {
  for (std::optional<Sample>& measured : measured_) measured.reset();
}

const Sample& Simulation::sample(int index) {
  if (measured_.size() != lanes_.size()) measured_.assign(lanes_.size(), std::nullopt);
  std::optional<Sample>& measured = measured_[static_cast<std::size_t>(index)];
  if (!measured) {
    const State& now = state(index);
    const Lane& held = lane(index);
    measure(*system_, now, held.energy_reference, held.work.value(), measuring_,
            measured.emplace());
    // The time of the run, the same for all lanes to the last digit.
    (*measured)[Quantity::time] = time();
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

}  // namespace twosphere
