// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and lanes changed while a simulation runs, and the scenario that continues it.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/interrupt.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/run/simulation.h"
#include "core/scenario/added_lane.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/live_edit.h"
#include "core/scenario/state_edit.h"
#include "core/scenario/tangent_maps.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

/// "system.gravity = 1.62", for a marker; `stop`: the conditions after the change.
std::string describe(const Setting& change, const std::vector<StopCondition>& stop) {
  if (change.path.key() == "stop") {
    const auto text = [](const StopCondition& condition) { return describe(condition); };
    return stop.empty() ? "no stop" : "stop at " + joined(stop, ", ", text);
  }
  // The value as a file has it.
  std::string value = json::write(change.value);
  value.pop_back();  // the newline
  return fmt::format("{} = {}", change.path.text(), value);
}

std::ptrdiff_t index_of(std::size_t event) { return static_cast<std::ptrdiff_t>(event); }

/// Appends settings; one with the path of an earlier setting replaces that.
void add(std::vector<Setting>& settings, const std::vector<Setting>& others) {
  for (const Setting& other : others) {
    const auto same = std::find_if(settings.begin(), settings.end(),
                                   [&](const Setting& s) { return s.path == other.path; });
    // The last value of a path counts.
    if (same == settings.end())
      settings.push_back(other);
    else
      same->value = other.value;
  }
}

/// Whether an edited state is valid for a lane.
Result<void> check_state(const System& system, const State& state, const Scenario& settings,
                         const StateEdits& edits) {
  for (const auto& [body, edit] : edits.bodies) {
    if (!edit.q) continue;
    if (const auto& check = info_of(settings).check_start)
      if (auto possible = check(state.q, settings.parameters); !possible) {
        const std::string& location = possible.error().location;
        return Error{ErrorKind::usage, location.empty() ? "state" : "state." + location,
                     possible.error().message};
      }
    if (!positive_definite(system.inertia(), state.q))
      return Error{ErrorKind::usage, fmt::format("state.q[{}]", body),
                   "the inertia is not positive definite and finite there"};
    break;
  }
  return {};
}

/// The duration with which a run, once reversed, ends back at its start or, if that is then behind
/// it, as far from there as it was planned first [s].
double duration_to_start(const Simulation& run) {
  // The way back to the start; if the start is behind, as far as it was planned at first.
  const double start = start_time(run.record()), h = run.grid_step(),
               gone = run.reversed() ? start - run.time() : run.time() - start;
  double left = gone > h / 2 ? gone : run.record().duration + gone;
  if (!(left > h / 2)) left = run.record().duration;
  return run.elapsed() - start + left;
}

}  // namespace

Result<void> Simulation::set(const std::vector<Setting>& settings, std::uint64_t gesture) {
  if (gesture == 0 || gesture != gesture_.number) gesture_ = {gesture};
  const std::vector<Setting> of_state = part_of(settings, true);
  if (edits_start()) {
    if (!of_state.empty())
      return Error{ErrorKind::usage, of_state[0].path.text(),
                   "the run is at its start, which is set at initial.q, initial.omega and "
                   "initial.base"};
    auto edited = with_settings(record_, settings);
    if (!edited) return edited.error();
    // An edit of the start makes the run of another start, in which the events so far happen again.
    auto fresh = create(std::move(*edited));
    if (!fresh) return fresh.error();
    const std::size_t applied = now_.events_applied;
    const auto former = std::exchange(series_, std::nullopt);
    *this = std::move(*fresh);
    gesture_ = {gesture};
    for (; now_.events_applied < applied; ++now_.events_applied) {
      if (former && former->before.events_applied == now_.events_applied)
        series_ = series(former->kind);
      (void)happen(record_.events[now_.events_applied]);
    }
    return {};
  }
  auto wanted = after_rewind_.with(part_of(settings, false), record_, present());
  if (!wanted) return wanted.error();
  // Of the wanted settings those that can change during a run, and as settings what differs.
  Scenario next = live_settings(present(), wanted->settings, wanted->lanes_wait);
  std::vector<Setting> changes = differences(present(), next);
  add(changes, of_state);
  if (auto room = changes.empty() ? Result<void>() : check_room(); !room) return room;
  // The row of this step is the one before its first change.
  std::vector<Sample> reached = now_.reached;
  for (int i = static_cast<int>(reached.size()); i < lane_count(); ++i)
    reached.push_back(sample(i));
  // If one of these values was already set at this step, all changes of the step are made again
  // together.
  const auto earlier = [this](const Setting& change) {
    const auto first = record_.events.begin(), here = first + index_of(now_.events_applied);
    return std::any_of(first + index_of(series_->before.events_applied), here, [&](const Event& e) {
      return std::any_of(e.set.begin(), e.set.end(),
                         [&](const Setting& setting) { return setting.path == change.path; });
    });
  };
  const bool repeated = repeats(EditSeries::Kind::set);
  std::optional<EditSeries> begun;
  std::vector<Event> made;
  const std::int64_t every = record_.every;
  if (!repeated && !changes.empty()) {
    begun = series(EditSeries::Kind::set);
  } else if (repeated && std::any_of(changes.begin(), changes.end(), earlier)) {
    // Edits of the state are not among the differences of settings.
    changes = differences(series_->before.settings->present, next);
    made = go_back_to_edit();
    for (const Event& event : made) add(changes, part_of(event.set, true));
    add(changes, of_state);
  }
  // None if the first event of the gesture is of this very step.
  const std::optional<std::int64_t> since =
      gesture_.since < steps() ? gesture_.since : std::nullopt;
  // If it fails, the changes that were taken out happen again, and nothing has changed.
  if (auto done = adopt(std::move(next), changes, since); !done) {
    for (Event& event : made) {
      (void)happen(event);
      record_event(std::move(event));
    }
    record_.every = every;
    if (!made.empty()) now_.reached = std::move(reached);
    return done;
  }
  after_rewind_ = std::move(*wanted);
  if (changes.empty()) {
    keep_omitted_rows();
    return {};
  }
  // From here on it cannot fail any more.
  if (begun) series_ = std::move(begun);
  now_.reached = std::move(reached);
  record_event(Event{steps(), changes, since});
  if (!gesture_.since) gesture_.since = steps();
  keep_stride();
  return {};
}

void Simulation::reverse(bool to_start) {
  if (repeats(EditSeries::Kind::reverse)) {
    go_back_to_edit();
    series_.reset();
    after_rewind_.settings.duration = present().duration;
    keep_omitted_rows();
    return;
  }
  // The change of the duration belongs to the reversal: one goes back to before both.
  EditSeries begun = series(EditSeries::Kind::reverse);
  series_.reset();
  if (to_start && steps() > 0) (void)set({{"duration", duration_to_start(*this)}});
  series_ = std::move(begun);
  turn();
  record_event({.step = steps(), .reverse = true});
  keep_stride();
}

Result<void> Simulation::pull(const Pull& pull) {
  const int bodies = system()->size();
  if (pull.body < 0 || pull.body >= bodies)
    return Error{ErrorKind::usage, "pull.body",
                 fmt::format("must be a whole number from 0 to {}, not {}", bodies - 1, pull.body)};
  if (!pull.force.allFinite())
    return Error{ErrorKind::usage, "pull.force", "must be finite numbers"};
  if (pull.steps < 1 || pull.steps > document::max_steps)
    return Error{ErrorKind::usage, "pull.steps",
                 fmt::format("must be a whole number from 1 to 2^53 - 1, not {}", pull.steps)};
  if (auto room = check_room(); !room) return room;
  if (repeats(EditSeries::Kind::pull) &&
      record_.events[now_.events_applied - 1].pull->body == pull.body)
    go_back_to_edit();
  else
    series_ = series(EditSeries::Kind::pull);
  start_pull(pull);
  record_event({.step = steps(), .pull = pull});
  return {};
}

Result<void> Simulation::add_lane(const json::Node& lane) {
  if (edits_start())
    return Error{ErrorKind::usage, "add_lane",
                 "the run is at its start, where lanes belong in the list of lanes"};
  if (after_rewind_.lanes_wait)
    return Error{ErrorKind::usage, "add_lane", "another list of lanes waits for Rewind"};
  const std::vector<LaneSpec> recorded = recorded_lanes(record_);
  if (recorded.size() >= max_lanes_of(system()->size()))
    return Error{ErrorKind::usage, "add_lane",
                 fmt::format("there are {} lanes, and no more are possible", recorded.size())};
  if (auto room = check_room(); !room) return room;
  document::Names taken = names_of(recorded);
  for (const Scenario* settings : {&present(), &std::as_const(after_rewind_.settings)})
    for (std::string& name : names_of(settings->lanes)) taken.push_back(std::move(name));
  const auto added = added_lane(lane, *system(), present().lanes, taken);
  if (!added) return added.error();
  std::vector<Sample> reached(lanes_.size());
  for (int i = 0; i < lane_count(); ++i) reached[static_cast<std::size_t>(i)] = row(i);
  // Its row of this step is missing.
  if (auto done = start_lane(*added); !done) return done;
  reached.push_back(missing_sample(time()));
  now_.reached = std::move(reached);
  series_.reset();
  // The events to come refer to the lanes by their earlier indices.
  for (std::size_t k = now_.events_applied; k < record_.events.size(); ++k)
    shift_lanes(record_.events[k], lanes_.size() - 1);
  record_event({.step = steps(), .add_lane = *added});
  return {};
}

/// Fails where the record has the events that a file may have, but for some of those that are never
/// refused: reversals, strides, and runs that continue past a stop condition.
Result<void> Simulation::check_room() const {
  constexpr std::size_t others = 1000;
  if (record_.events.size() + others < max_events) return {};
  return Error{ErrorKind::usage, "events",
               fmt::format("the run has {}, and no more can be recorded; save its state, and "
                           "continue that",
                           counted(static_cast<std::int64_t>(record_.events.size()), "event"))};
}

/// Adds a lane from now on.
Result<void> Simulation::start_lane(const AddedLane& added) {
  if (auto fits = check_added_lane(added, present().lanes, system()->size()); !fits)
    return Error{ErrorKind::usage,
                 fits.error().location.empty() ? "add_lane" : "add_lane." + fits.error().location,
                 fits.error().message};
  if (auto fits = check_conditions(present().stop, {added.lane}, *acting_, present().parameters);
      !fits)
    return Error{ErrorKind::usage, "add_lane.type", fits.error().message};
  // It begins at the present state of the other lane, on the sphere if its method keeps it.
  State start = state(static_cast<int>(added.from));
  const IntegratorInfo& method = *find_integrator(added.lane.type);
  const double moved = method.keeps_sphere ? project_to_manifold(start) : 0;
  LaneSpec spec = added.lane;
  // A setting changed since then may have taken its name.
  document::Names taken = names_of(present().lanes);
  for (std::string& name : names_of(after_rewind_.settings.lanes)) taken.push_back(std::move(name));
  if (document::contains(taken, spec.name)) spec.name = unused_name(spec.type, taken);
  lanes_.push_back(Lane::begin(spec, std::move(start), now_.clock, *acting_));
  // Tangent vectors and sections follow this lane as they do the first.
  if (lanes_.front().exponents)
    lanes_.back().exponents.emplace(*acting_, lanes_.back().state,
                                    lanes_.front().exponents->count());
  if (lanes_.front().crossings)
    lanes_.back().crossings.emplace(lanes_.front().crossings->surface());
  Scenario present = this->present();
  present.lanes.push_back(spec);
  if (!after_rewind_.lanes_wait) after_rewind_.settings.lanes.push_back(spec);
  // After Rewind it begins where the first lane does.
  for (Scenario* settings : {&present, &after_rewind_.settings})
    if (settings->continuation && settings->continuation->lanes.size() < settings->lanes.size())
      settings->continuation->lanes.push_back({.time_origin = start_time(record_)});
  change_settings(std::move(present), system());
  forget_samples();
  forget_saved();
  if (!now_.reached.empty()) now_.reached.push_back(missing_sample(time()));
  const int index = lane_count() - 1;
  // Conditions and guard watch it from here on.
  now_.stops.add_lane(observed(index, true));
  now_.guard.add_lane();
  coarse_.forget();
  const std::size_t warned = warnings().size();
  if (now_.guarded) now_.guard.begin(index, guarded(index));
  mark_warnings(warned);
  mark({steps(), time(),
        fmt::format("{} begins where {} is", spec.name, lane(static_cast<int>(added.from)).name)});
  if (moved > 0)
    mark({steps(), time(), fmt::format("{}: normalised, |q| was off by {:.2g}", spec.name, moved)});
  return {};
}

/// Reverses all lanes. The methods are not prepared again: their variables belong to the present
/// state for either sign of h.
void Simulation::turn() {
  rollback_lanes_.clear();
  now_.start_distances.clear();
  now_.clock.reverse();
  for (Lane& lane : lanes_) lane.clock.reversed = reversed();
  // A time that is already reached does not count as met; one that has been passed is armed again.
  (void)now_.stops.check(time(), grid_step(), reversed(), {});
  mark({steps(), time(), reversed() ? "runs backwards" : "runs forwards"});
}

/// Keeps the stride of the rows after an event was recorded; that event is the last one applied.
void Simulation::keep_stride() {
  // A stride derived from the number of steps must not change with that number.
  if (base_stride(record_) != first_stride()) record_.every = first_stride();
  if (!stride_changes(record_.events)) return;
  // A different plan may include more or fewer events that set the stride. Omitted rows cannot be
  // restored.
  const std::int64_t planned = sampling_stride(record_);
  // The stride that the plan gives is coarser: it holds from here on.
  if (planned % stride() == 0) {
    now_.stride.rows = planned;
    return;
  }
  if (record_.events[now_.events_applied - 1].reverse) record_event({steps(), {}});
  record_.events[now_.events_applied - 1].set.push_back({"every", json::Node::whole(stride())});
  now_.stride.set(stride());
}

/// The same after events were taken out of the record.
void Simulation::keep_omitted_rows() {
  if (sampling_stride(record_) % stride() == 0) return;
  record_event({steps(), {}});
  keep_stride();
}

void Simulation::record_event(Event event) {
  record_.events.insert(record_.events.begin() + index_of(now_.events_applied), std::move(event));
  ++now_.events_applied;
}

/// Goes back to before the first edit of the series, and takes its events out of the record, which
/// are returned. Settings that wait keep waiting, rows that the edits have left out stay so, and
/// tangent vectors follow the lanes that they follow now.
std::vector<Event> Simulation::go_back_to_edit() {
  const EditSeries& undone = *series_;
  const auto first = record_.events.begin() + index_of(undone.before.events_applied),
             last = record_.events.begin() + index_of(now_.events_applied);
  std::vector<Event> made(first, last);
  const std::int64_t rows = stride();
  std::vector<int> vectors;  // that follow each lane
  for (const Lane& lane : lanes_) vectors.push_back(lane.exponents ? lane.exponents->count() : 0);
  restore(undone.before);
  record_.events.erase(first, last);
  record_.every = undone.every;
  now_.stride.rows = rows;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    // Vectors may have been switched on or off since the checkpoint.
    if (vectors[i] == (lane.exponents ? lane.exponents->count() : 0)) continue;
    lane.exponents.reset();
    if (vectors[i] > 0 && lane.integrator->tangent_map(*acting_))
      lane.exponents.emplace(*acting_, lane.state, vectors[i]);
  }
  return made;
}

void Simulation::double_stride() {
  assert(steps() > 0);
  series_.reset();
  now_.stride.set(2 * stride());
  record_event({steps(), {{"every", json::Node::whole(stride())}}});
  mark({steps(), time(), fmt::format("every = {}", stride())});
}

void Simulation::widen_stride(std::int64_t every) {
  if (every != stride()) {
    record_.every = every;
    now_.stride = SampleStride(record_);
  }
  Scenario present = this->present();
  present.every = after_rewind_.settings.every = record_.every;
  change_settings(std::move(present), system());
}

/// Makes the next event of the record happen.
Result<void> Simulation::happen(const Event& event) {
  const Uninterrupted changing;
  if (event.add_lane) return start_lane(*event.add_lane);
  if (!event.set.empty()) return apply(event);
  if (event.pull) start_pull(*event.pull);
  if (event.resume) mark({steps(), time(), "resumed"});
  if (event.reverse) turn();
  return {};
}

Result<void> Simulation::apply(const Event& event) {
  // The stride of all rows already includes the events up to the planned end.
  std::vector<Setting> settings;
  SampleStride stride = now_.stride;
  for (const Setting& setting : event.set) {
    if (setting.path != "every") {
      settings.push_back(setting);
      continue;
    }
    if (!stride.set(static_cast<std::int64_t>(setting.value.number)))
      return Error{ErrorKind::usage, "every",
                   fmt::format("must be a multiple or a divisor of the previous stride, {}, not {}",
                               stride.rows, json::shortest(setting.value.number))};
  }
  settings = part_of(settings, false);
  auto next = with_settings(present(), settings);
  if (!next) return next.error();
  // Of a file: what cannot change during a run is refused here.
  if (const auto held = differences(live_settings(present(), *next, false), *next); !held.empty())
    return Error{ErrorKind::usage, held[0].path.text(),
                 "cannot change during a run; it needs a reset"};
  // A list of lanes that waits differs from the present one.
  if (after_rewind_.lanes_wait)
    std::erase_if(settings, [](const Setting& setting) {
      return setting.path.key() == "lanes" || setting.path.key() == "integrator";
    });
  auto wanted = with_settings(after_rewind_.settings, settings);
  if (!wanted) return wanted.error();
  if (auto done = adopt(std::move(*next), event.set, event.since); !done) return done;
  after_rewind_.settings = std::move(*wanted);
  now_.stride = stride;
  return {};
}

Result<void> Simulation::adopt(Scenario next, const std::vector<Setting>& changes,
                               std::optional<std::int64_t> since) {
  // Everything is checked before anything changes.
  const auto edits = state_edits(changes, *system());
  if (!edits) return edits.error();
  for (std::size_t i = 0; i < next.lanes.size(); ++i) {
    const double step = next.lanes[i].step;
    if (step == present().lanes[i].step) continue;
    const std::string wrong = unresolved_times(step, std::abs(time()) + next.duration);
    if (!wrong.empty()) return Error{ErrorKind::usage, lane_location(next, i) + ".step", wrong};
  }
  const bool other_system = !same_system(next, present());
  std::shared_ptr<const System> acting = system();
  if (other_system) {
    auto made = make_system(next);
    if (!made) return made.error();
    acting = std::move(*made);
  }
  std::vector<State> states;  // edited states of the lanes, if any
  for (int i = 0; (other_system || !edits->empty()) && i < lane_count(); ++i) {
    const State now = edited(state(i), *edits, *acting);
    if (auto possible = check_state(*acting, now, next, *edits); !possible) return possible;
    if (!std::isfinite(total_energy(*acting, now)))
      return Error{ErrorKind::usage, changes.front().path.text(),
                   fmt::format("the energy of {} would not be a finite number", lane(i).name)};
    if (!edits->empty()) states.push_back(now);
  }
  if (auto follows = check_following(next, *acting); !follows) return follows;
  // Whether or not a step from here was interrupted before.
  end_pulls();
  const auto before = now_.settings;
  change_settings(std::move(next), std::move(acting));
  if (other_system) acting_ = pulled(system(), now_.pulls);
  forget_samples();
  forget_saved();
  // All that watches the run: conditions, guard, coarse steps, sections.
  if (present().stop != before->present.stop || other_system)
    now_.stops.watch(present(), lane_count());
  if (other_system || !states.empty()) now_.guard.begin_motion();
  coarse_.forget();
  if ((other_system || present().lanes != before->present.lanes) && present().section &&
      lanes_.front().crossings) {
    // Without a surface, where a system no longer has what it names, there are no points, and none
    // in a heat bath.
    const auto surface = SectionSurface::create(*present().section, present());
    const bool points = surface && !system()->heat_bath();
    for (Lane& lane : lanes_) lane.crossings->change(points ? *surface : nullptr);
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    // Each lane takes over system, method, step and state.
    const double moved = lane.reconfigure(before->present.lanes[i], present().lanes[i], *acting_,
                                          other_system ? before->system.get() : nullptr,
                                          states.empty() ? nullptr : &states[i]);
    if (moved > 0)
      mark({steps(), lane.state.t,
            fmt::format("{}: normalised, |q| was off by {:.2g}", lane.name, moved)});
  }
  now_.clock.change(twosphere::grid_step(present().lanes),
                    present().duration - before->present.duration);
  for (Lane& lane : lanes_) lane.substeps = substeps(grid_step(), lane.clock.step).value_or(1);
  follow_for_stops();
  // One marker for the whole change.
  std::string text, paths;
  for (const Setting& change : changes) {
    const char* separator = text.empty() ? "" : ", ";
    text += separator + describe(change, present().stop);
    paths += separator + change.path.text();
  }
  if (!changes.empty()) mark({steps(), time(), std::move(text), false, std::move(paths), since});
  return {};
}

Scenario Simulation::continuation() {
  Scenario s = present();
  RestartState c;
  c.time_origin = now_.clock.clock().origin;
  c.step_index = now_.clock.clock().index;
  c.reversed = reversed();
  // Pulls for the steps that are left of them.
  for (const ActivePull& active : now_.pulls) {
    c.pulls.push_back(active.pull);
    c.pulls.back().steps = active.end - steps();
  }
  for (int i = 0; i < lane_count(); ++i) {
    const State& now = state(i);
    RestartState::Lane& to = c.lanes.emplace_back(lane(i).restart_state());
    (i == 0 ? s.q : to.q) = now.q;
    (i == 0 ? s.omega : to.omega) = now.w;
    if (i == 0) s.base = base_of(now, *system());
  }
  s.continuation = std::move(c);
  // They are those of the start.
  s.orbit.reset();
  s.generator = {};
  // Events to come, counted from the present step.
  for (std::size_t i = now_.events_applied; i < record_.events.size(); ++i) {
    s.events.push_back(record_.events[i]);
    Event& event = s.events.back();
    event.step -= steps();
    if (event.since) event.since = std::max<std::int64_t>(0, *event.since - steps());
  }
  // Columns keep the names that the lanes had at the start.
  const std::vector<LaneSpec> recorded = recorded_lanes(record_);
  for (std::size_t i = 0; i < s.lanes.size() && recorded.size() > 1; ++i)
    s.lanes[i].name = recorded[i].name;
  // The stride that events have set so far; the default one may not suit those to come.
  if (stride_changes(record_.events)) s.every = now_.stride.checks;
  return s;
}

}  // namespace twosphere
