// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/interrupt.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/pulled_system.h"
#include "core/scenario/branches.h"

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
  // How far Newton's iteration came.
  if (r.status == StepStatus::not_converged)
    text += fmt::format(
        " ({}{})", r.residual > 0 ? fmt::format("| |q|² − 1 |/2 = {:.2g} after ", r.residual) : "",
        counted(r.iterations, "iteration"));
  text += ". The last valid state is kept";
  const double step_size = lane.clock.step;
  // A method with its own step has said what to do.
  if (r.status != StepStatus::motion_not_resolved)
    text += fmt::format("; try a step {} than {} s", step_size < squarable ? "larger" : "smaller",
                        json::shortest(step_size));
  return text + '.';
}

/// The next step is not taken, because this thread is interrupted.
StepFailure interruption(const Simulation& run) {
  return {0, {.status = StepStatus::interrupted}, run.steps() + 1, run.time(), {}};
}

/// The failure of the next step, in which the lane has taken `taken` of its own steps.
StepFailure step_failure(const Simulation& run, std::size_t index, std::int64_t taken) {
  const Lane& lane = run.lane(static_cast<int>(index));
  std::string reason(describe(lane.last.status));
  if (lane.substeps > 1)
    reason = fmt::format("in its step {} of {}: {}", taken + 1, lane.substeps, reason);
  const std::int64_t step = run.steps() + 1;
  return {static_cast<int>(index), lane.last, step, run.time(),
          sentence(lane, step, run.time(), run.present(), reason)};
}

/// Whether two runs, with one lane each, have the same system, method and step now.
bool step_alike(const Simulation& a, const Simulation& b) {
  const LaneSpec &here = a.present().lanes[0], &there = b.present().lanes[0];
  const Lane &lane = a.lane(0), &other = b.lane(0);
  return same_system(a.present(), b.present()) && here.type == there.type &&
         here.values == there.values && lane.exponents.has_value() == other.exponents.has_value() &&
         lane.clock.signed_step() == other.clock.signed_step();
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
  auto made = create_system(scenario);
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
  const auto& from = scenario.continuation;
  if (scenario.lanes.empty() || (from && from->lanes.size() != scenario.lanes.size()))
    return Error{ErrorKind::usage, "lanes", "must be one or more, each with its state"};
  // The clock, the pulls that a saved state still has, and the lanes in the system with them.
  s.now_.clock = RunClock(scenario);
  if (from)
    for (const Pull& pull : from->pulls) s.now_.pulls.push_back({pull, pull.steps});
  s.acting_ = pulled(*system, s.now_.pulls);
  for (std::size_t i = 0; i < scenario.lanes.size(); ++i) {
    auto lane = Lane::create(scenario, i, *s.acting_);
    if (!lane) return lane.error();
    s.lanes_.push_back(std::move(*lane));
  }
  // From here on the scenario is the record, without its branches.
  s.now_.stride = SampleStride(scenario);
  scenario = main_record(std::move(scenario));
  s.record_ = std::move(scenario);
  Scenario& settings = s.after_rewind_.settings = s.record_;
  settings.events.clear();
  s.change_settings(settings, std::move(*system));
  if (auto follows = s.check_following(s.present(), *s.acting_); !follows) return follows.error();
  s.follow_for_stops();
  // Guard and stop conditions begin with the present state.
  s.now_.guard = Guard(s.lane_count());
  s.now_.stops.watch(s.present(), s.lane_count());
  // A saved state beyond a bound does not stop the run again: it continues.
  if (s.record_.continuation)
    (void)s.now_.stops.check(s.time(), s.grid_step(), s.reversed(), s.observed());
  else
    s.check_stops();
  return s;
}

Simulation Simulation::at(Scenario record, const RunCheckpoint& checkpoint) {
  Simulation s;
  s.record_ = std::move(record);
  s.restore(checkpoint);
  s.after_rewind_.settings = s.present();
  s.keep_start();
  return s;
}

RunCheckpoint Simulation::checkpoint() {
  if (!shared_markers_) shared_markers_ = std::make_shared<const std::vector<RunMarker>>(markers_);
  const std::size_t applied = now_.events_applied;
  RunCheckpoint made{now_, std::vector<Lane::Checkpoint>(lanes_.size()),
                     applied > 0 && record_.events[applied - 1].step >= steps(), shared_markers_};
  for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].save(*acting_, made.lanes[i]);
  return made;
}

/// Restores a checkpoint of this record, earlier or later, or throws what a method or a system
/// throws, such as bad_alloc, and changes nothing. Settings that wait for rewound() keep waiting.
void Simulation::restore(const RunCheckpoint& from) {
  RunProgress next = from;
  // Followers of the run tell by its identity whether the forces have changed.
  const bool acts =
      now_.settings && now_.settings->system == next.settings->system && now_.pulls == next.pulls;
  auto acting = acts ? acting_ : pulled(next.settings->system, next.pulls);
  const std::vector<LaneSpec>& specs = next.settings->present.lanes;
  std::vector<Lane> lanes(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Lane& lane = lanes[i];
    if (i < lanes_.size()) lane.last = lanes_[i].last;
    lane.info = find_integrator(specs[i].type);
    lane.integrator = lane.info->create(specs[i].values);
    lane.name = specs[i].name;
    lane.roll_back(*acting, from.lanes[i]);
    lane.substeps = substeps(next.clock.grid_step(), lane.clock.step).value_or(1);
  }
  std::vector<RunMarker> markers = *from.markers;
  // From here on nothing fails.
  now_ = std::move(next);
  acting_ = std::move(acting);
  lanes_ = std::move(lanes);
  markers_ = std::move(markers);
  shared_markers_ = from.markers;
  forget_samples();
  forget_saved();
}

/// Replaces the settings; checkpoints keep those that they have.
void Simulation::change_settings(Scenario present, std::shared_ptr<const System> system) {
  now_.settings = std::make_shared<const RunProgress::Settings>(
      RunProgress::Settings{std::move(present), std::move(system)});
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
  return advance_past(last, false, {});
}

std::optional<StepFailure> Simulation::advance_rows(std::int64_t last,
                                                    const std::function<void(int)>& turn) {
  rows_.clear();
  return advance_past(last, true, turn);
}

/// advance_rows() if `rows`, otherwise advance_to().
std::optional<StepFailure> Simulation::advance_past(std::int64_t last, bool rows,
                                                    const std::function<void(int)>& turn) {
  const std::size_t events = now_.events_applied;
  if (auto failure = begin_step()) return failure;
  // An event may have moved the planned end.
  if (now_.events_applied == events) {
    if ((rows || stride() > 1) && take_rows(last, turn)) return {};
    const std::int64_t check = next_check();
    if (check - 1 > steps()) {
      if (auto failure = advance_unchecked(std::min(last, check - 1))) return failure;
      if (steps() == last || now_.stopped) return {};
    }
  }
  return take_step(turn);
}

/// Applies the events that are due and prepares everything else for the next step.
std::optional<StepFailure> Simulation::begin_step() {
  if (!refresh() && interrupted()) return interruption(*this);
  series_.reset();
  auto& events = record_.events;
  const bool resumes = is_due(&Event::resume);
  if (now_.stopped) {
    if (!resumes)
      // Stepping on is part of the record, which then continues here, too.
      events.insert(events.begin() + static_cast<std::ptrdiff_t>(now_.events_applied),
                    Event{.step = steps(), .resume = true});
    now_.stopped.reset();
    now_.stop_time.reset();
  }
  // The events of this step, in their order.
  while (now_.events_applied < events.size() && events[now_.events_applied].step <= steps()) {
    if (auto done = happen(events[now_.events_applied]); !done) {
      std::string text = fmt::format("event before step {}: {}", steps() + 1, done.error().text());
      return StepFailure{0, {}, steps() + 1, time(), std::move(text)};
    }
    ++now_.events_applied;
  }
  end_pulls();
  // The guard begins after the events of the start, whether they are live or of the record.
  if (!now_.guarded) {
    bool fresh = true;
    for (int i = 0; fresh && i < lane_count(); ++i) fresh = finite(sample(i));
    if (!fresh && interrupted()) return interruption(*this);
    for (int i = 0; i < lane_count(); ++i) now_.guard.begin(i, guarded(i));
    now_.guarded = true;
    mark_warnings(0);
  }
  if (!good_) save_good();
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
    if (run->width() < runs.size() || !step_alike(*run, first)) return;
    count = std::min(count, run->next_check() - 1 - run->steps());
    lanes.push_back(&run->lanes_[0]);
  }
  bool stopped = false;
  for (std::int64_t left = count, taken = 0; left > 0 && !stopped && !interrupted();
       left -= taken) {
    std::int64_t at_once = left;
    for (Simulation* run : runs) {
      at_once = std::min(at_once, run->unseen_steps());
      if (run->now_.stops.locates()) run->save_for_rollback(true);
    }
    // Whatever ends early for one of them ends the call for all.
    taken = Lane::advance_together(*runs[0]->acting_, at_once, lanes);
    if (taken == 0) return;
    for (Simulation* run : runs) {
      run->forget_samples();
      run->now_.reached.clear();
      run->now_.clock.advance(taken);
      run->look();
      stopped |= run->now_.stopped.has_value();
    }
  }
}

/// The next step at which something is checked or before which an event is due.
std::int64_t Simulation::next_check() const {
  const std::int64_t next = steps() + 1;
  if (now_.stride.checks == 1 || now_.stops.measures()) return next;
  // The next row, and what comes before it.
  const std::int64_t row = (steps() / now_.stride.checks + 1) * now_.stride.checks;
  return std::max(std::min(row, next_change()), next);
}

/// The next planned end, return to the start, end of a pull or event.
std::int64_t Simulation::next_change() const {
  std::int64_t change = never;
  for (const std::int64_t step : {now_.clock.planned_steps(), now_.clock.return_step().value_or(0)})
    if (step > steps()) change = std::min(change, step);
  for (const ActivePull& active : now_.pulls)
    if (active.end > steps()) change = std::min(change, active.end);
  const auto& events = record_.events;
  if (now_.events_applied < events.size())
    change = std::min(change, events[now_.events_applied].step);
  return change;
}

std::size_t Simulation::observe(Observer observer, bool takes_rows) {
  const std::int64_t next = observer(*this);
  observers_.push_back({std::move(observer), next, takes_rows});
  find_next_look();
  return observers_.size() - 1;
}

void Simulation::unobserve(std::size_t number) {
  if (number < observers_.size()) observers_[number] = {nullptr, never, true};
}

void Simulation::find_next_look() {
  next_look_ = next_single_look_ = never;
  for (const Observing& one : observers_) {
    next_look_ = std::min(next_look_, one.next);
    if (!one.takes_rows) next_single_look_ = std::min(next_single_look_, one.next);
  }
}

/// The most steps that may be taken before something looks at the state.
std::int64_t Simulation::unseen_steps() const {
  if (!now_.stops.empty()) return 1;
  return std::max<std::int64_t>(std::min(next_look_, coarse_.next_step()) - steps(), 1);
}

/// Lets observers look, watches the steps, and checks the stop conditions.
void Simulation::look() {
  if (steps() >= next_look_) {
    // Each tells when it wants to look again.
    for (Observing& one : observers_)
      if (steps() >= one.next) one.next = one.look(*this);
    find_next_look();
  }
  if (steps() >= coarse_.next_step()) coarse_.after_step(*this);
  check_stops();
}

/// Takes steps up to `last`, or to one at which a stop condition is met, without other checks.
std::optional<StepFailure> Simulation::advance_unchecked(std::int64_t last) {
  now_.reached.clear();
  std::optional<StepFailure> failure;
  while (!failure && steps() < last && !now_.stopped) {
    std::int64_t taken = 1;
    if (lanes_.size() == 1) {  // its steps are those of the run
      if (now_.stops.locates()) save_for_rollback(true);
      taken = lanes_[0].advance(*acting_, std::min(last - steps(), unseen_steps()));
    } else {
      // Several lanes move one step at a time, so that they can be rolled back to the same step.
      save_for_rollback(now_.stops.locates());
      for (std::size_t i = 0; !failure && i < lanes_.size(); ++i) failure = advance(i);
      if (failure) break;
    }
    forget_samples();
    now_.clock.advance(taken);
    look();
    // A single lane stops before the step that fails.
    if (steps() < last && !lanes_[0].last.ok())
      failure = step_failure(*this, 0, 0);
    else if ((!now_.stops.empty() || !observers_.empty()) && interrupted())
      failure = interruption(*this);
  }
  return failure;
}

/// Takes the next step and checks it where that is due.
std::optional<StepFailure> Simulation::take_step(const std::function<void(int)>& turn) {
  const std::int64_t next = steps() + 1;
  // A row is checked; stop conditions on quantities need a sample after every step.
  const bool row = now_.stride.checks == 1 || next % now_.stride.checks == 0 ||
                   next == now_.clock.planned_steps();
  const bool sampled = row || now_.stops.measures();
  save_for_rollback(sampled || now_.stops.locates());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (turn) turn(static_cast<int>(i));
    if (auto failure = advance(i)) return failure;
  }
  if (turn) turn(lane_count());
  forget_samples();
  now_.clock.advance(1);
  if (sampled)
    if (auto failure = check_row()) return failure;
  now_.reached.clear();
  if (steps() == now_.clock.return_step()) measure_return();
  if (row) guard_row();
  look();
  return {};
}

/// Saves the lanes that may have to be rolled back: those that have moved when a later one fails,
/// and all of them if the result cannot be sampled (`all`). A single lane whose steps are cheap is
/// saved at some rows only and repeats the steps since then.
void Simulation::save_for_rollback(bool all) {
  constexpr std::int64_t max_repeated = 64;
  constexpr int max_bodies = 64;
  if (lanes_.size() == 1 && lanes_[0].substeps == 1 && !lanes_[0].info->adaptive &&
      system()->size() <= max_bodies) {
    const std::int64_t since = steps() - rollback_steps_;
    if (!all || (!rollback_lanes_.empty() && since >= 0 && since < max_repeated)) return;
  }
  rollback_steps_ = steps();
  rollback_lanes_.resize(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (all || i + 1 < lanes_.size() || lanes_[i].substeps > 1)
      lanes_[i].save(*acting_, rollback_lanes_[i]);
}

/// Takes the steps of one lane up to the next step of the run. If one fails, this lane and those
/// before it are rolled back.
std::optional<StepFailure> Simulation::advance(std::size_t index) {
  Lane& lane = lanes_[index];
  std::int64_t taken = 0;
  // The first lane has moved: the interruption comes before the next one.
  if (index > 0 && interrupted())
    lane.last = {.status = StepStatus::interrupted};
  else
    taken = lane.advance(*acting_, lane.substeps);
  if (taken == lane.substeps) return {};
  roll_back(taken > 0 ? index + 1 : index);
  return step_failure(*this, index, taken);
}

/// Repeats the interrupted preparation of methods. False if it is interrupted again.
bool Simulation::refresh() {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [this](Lane& lane) { return lane.refresh(*acting_); });
}

/// Rolls the first `lanes` lanes back to the state before the step.
void Simulation::roll_back(std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) lanes_[i].roll_back(*acting_, rollback_lanes_[i]);
  forget_samples();
}

/// Fails if the energy or momentum of the new state overflows.
std::optional<StepFailure> Simulation::check_row() {
  for (int i = 0; i < lane_count(); ++i) {
    const Sample& now = sample(i);
    if (finite(now)) continue;
    // The first quantity that is not finite, and the body that moves fastest, tell what happened.
    const Sample reached = now;
    const bool cut_short = interrupted();
    std::size_t which = 0;
    while (std::isfinite(reached.values[which])) ++which;
    Eigen::Index fastest = 0;
    lane(i).state.w.colwise().stableNorm().maxCoeff(&fastest);
    roll_back(lanes_.size());
    now_.clock.advance(-1);
    if (steps() > rollback_steps_) repeat_to(steps());
    Lane& failed = lanes_[static_cast<std::size_t>(i)];
    failed.last = {.status = cut_short ? StepStatus::interrupted : StepStatus::not_finite,
                   .body = static_cast<int>(fastest)};
    const QuantityInfo& quantity = quantities()[which];
    return StepFailure{i, failed.last, steps() + 1, time(),
                       sentence(failed, steps() + 1, time(), present(),
                                fmt::format("the {} would be {} {}", quantity.label,
                                            reached.values[which], quantity.unit))};
  }
  return {};
}

/// Makes these pulls the active ones. The methods are prepared again from (q, ω), because the
/// forces of pulls are not part of E. `begun`: with the ω that a system of first order has from
/// here on.
void Simulation::change_pulls(std::vector<ActivePull> pulls, bool begun) {
  const Uninterrupted changing;
  for (Lane& lane : lanes_) lane.finish_state(*acting_);
  now_.pulls = std::move(pulls);
  acting_ = pulled(system(), now_.pulls);
  for (Lane& lane : lanes_)
    if (begun)
      lane.prepare(*acting_);
    else
      lane.integrator->prepare(*acting_, lane.state);
  forget_saved();
}

/// Ends the pulls that have run out. That is no event: the state stays as it was reached, with its
/// ω, whether or not the next step is then interrupted.
void Simulation::end_pulls() {
  if (now_.pulls.empty()) return;
  if (auto left = in_force(now_.pulls, steps()); left.size() < now_.pulls.size())
    change_pulls(std::move(left), false);
}

void Simulation::start_pull(const Pull& pull) {
  // One marker per gesture, which is a sequence of pulls. A pull that has just ended may be missing
  // among the active ones if a step from here failed, but not in the record.
  const auto here = record_.events.begin() + static_cast<std::ptrdiff_t>(now_.events_applied);
  const bool follows =
      std::any_of(now_.pulls.begin(), now_.pulls.end(),
                  [&](const ActivePull& active) { return active.pull.body == pull.body; }) ||
      std::any_of(record_.events.begin(), here, [&](const Event& event) {
        return event.pull && event.pull->body == pull.body &&
               event.step + event.pull->steps >= steps();
      });
  if (!follows) mark({steps(), time(), fmt::format("body {} is pulled", pull.body + 1)});
  std::vector<ActivePull> pulls = in_force(now_.pulls, steps());
  pulls.push_back({pull, steps() + pull.steps});
  change_pulls(std::move(pulls), true);
}

std::int64_t Simulation::planned_steps() const {
  if (!now_.clock.finished() || !next_event_reverses()) return now_.clock.planned_steps();
  // The way back counts as planned, too.
  RunClock after = now_.clock;
  after.reverse();
  return after.planned_steps();
}

/// Whether an event before the next step has this flag set.
bool Simulation::is_due(bool Event::*what) const {
  for (std::size_t i = now_.events_applied; i < record_.events.size(); ++i) {
    // Events are in the order of their steps.
    if (record_.events[i].step > steps()) break;
    if (record_.events[i].*what) return true;
  }
  return false;
}

/// Whether the record reverses the run before its next step.
bool Simulation::next_event_reverses() const { return is_due(&Event::reverse); }

const State& Simulation::state(int index) {
  Lane& lane = lanes_[static_cast<std::size_t>(index)];
  lane.finish_state(*acting_);
  return lane.state;
}

/// Forgets lanes that were saved in another system, or with other settings or followers.
void Simulation::forget_saved() {
  rollback_lanes_.clear();
  good_.reset();
}

void Simulation::forget_samples() {
  rows_.clear();
  for (std::optional<Sample>& measured : measured_.lanes) measured.reset();
}

const Sample& Simulation::sample(int index) {
  if (measured_.lanes.size() != lanes_.size()) measured_.lanes.assign(lanes_.size(), std::nullopt);
  std::optional<Sample>& measured = measured_.lanes[static_cast<std::size_t>(index)];
  if (!measured) {
    const State& now = state(index);
    const Lane& held = lane(index);
    measure(*system(), now, held.energy_reference, held.work.value(), measured_.workspace,
            measured.emplace());
    // The time of the run, the same for all lanes to the last digit.
    (*measured)[Quantity::time] = time();
    if (interrupted() && !finite(*measured)) {
      measured_.unfinished = *measured;
      measured.reset();
      return measured_.unfinished;
    }
  }
  return *measured;
}

Sample Simulation::row(int index) {
  return now_.reached.empty() ? sample(index) : now_.reached[static_cast<std::size_t>(index)];
}

}  // namespace twosphere
