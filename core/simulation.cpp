// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "core/catalog.h"

namespace twosphere {

namespace {

constexpr std::string_view compensation_name = "work_compensation";

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

/// The settings made in a scenario that may be a saved state. A start that is edited is no longer
/// taken bit for bit but checked like one written by hand.
Result<Scenario> with_edits(const Scenario& scenario, const std::vector<Setting>& settings) {
  static constexpr std::array<std::string_view, 6> allowed{"system", "initial",  "integrator",
                                                           "lanes",  "duration", "every"};
  bool start_edited = false;
  for (const auto& [path, value] : settings) {
    const std::string_view key = std::string_view(path).substr(0, path.find_first_of(".["));
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
      return Error{
          ErrorKind::usage, path,
          fmt::format("cannot be set while running; allowed: {}", fmt::join(allowed, ", "))};
    start_edited |= key == "initial";
  }
  if (!start_edited || !scenario.continuation) return with_settings(scenario, settings);
  Scenario hand_written = scenario;
  hand_written.continuation.reset();
  auto edited = with_settings(hand_written, settings);
  if (edited) edited->continuation = scenario.continuation;
  return edited;
}

std::string sentence(const Lane& lane, std::int64_t step, int bodies) {
  const StepReport& r = lane.last;
  std::string text =
      fmt::format("{}: step {} from t = {:.10g} s was not taken: body {} of {}: {}", lane.name,
                  step, lane.state.t, r.body + 1, bodies, describe(r.status));
  if (r.status == StepStatus::not_converged)
    text += fmt::format(" (| |q|² − 1 |/2 = {:.2g} after {} iterations)", r.residual, r.iterations);
  return text + fmt::format(". The last good state is kept; try a step smaller than {} s.",
                            json::shortest(lane.step));
}

}  // namespace

Result<Simulation> Simulation::create(Scenario scenario) {
  Simulation s;
  s.system_info_ = find_system(scenario.system);
  if (!s.system_info_)
    return Error{ErrorKind::usage, "system.type", "there is no system " + scenario.system};
  for (const LaneSpec& lane : scenario.lanes)
    if (!find_integrator(lane.type))
      return Error{ErrorKind::usage, "integrator.type", "there is no integrator " + lane.type};
  auto system = make_system(scenario);
  if (!system) return system.error();
  s.system_ = *system;
  const auto& from = scenario.continuation;
  for (const LaneSpec& spec : scenario.lanes) {
    Lane lane;
    lane.name = spec.name;
    lane.info = find_integrator(spec.type);
    lane.step = spec.step;
    lane.integrator = lane.info->create(spec.values);
    lane.state.q = scenario.q;
    lane.state.w = scenario.omega;
    Memory memory;
    if (from) {
      lane.time_origin = from->time_origin;
      lane.step_index = from->step_index;
      lane.work.sum = from->work;
      for (const auto& [name, values] : from->memory)
        if (name != compensation_name)
          memory.emplace_back(name, values);
        else if (!values.empty())
          lane.work.compensation = values[0];
      lane.state.t = lane.time_origin + static_cast<double>(lane.step_index) * lane.step;
      lane.energy_reference = from->energy_reference;
    } else {
      lane.energy_reference = total_energy(*s.system_, lane.state);
    }
    lane.integrator->prepare(*s.system_, lane.state);
    if (!memory.empty() && !lane.integrator->restore(memory))
      return Error{ErrorKind::usage, "integrator_state",
                   fmt::format("is not what {} writes for {} bodies", spec.type, scenario.size())};
    s.lanes_.push_back(std::move(lane));
  }
  const Lane& first = s.lanes_.front();
  s.end_time_ = first.state.t + scenario.duration;
  s.planned_steps_ = count_steps(scenario.duration, first.step).steps;
  s.stride_ = sampling_stride(scenario);
  s.present_ = scenario;
  s.present_.events.clear();
  s.wanted_ = s.present_;
  s.record_ = std::move(scenario);
  s.first_stride_ = base_stride(s.record_);
  return s;
}

std::optional<Refusal> Simulation::step() {
  auto& events = record_.events;
  while (next_event_ < events.size() && events[next_event_].step <= steps_) {
    const Event& event = events[next_event_];
    if (auto done = apply(event); !done)
      return Refusal{0,
                     {},
                     steps_ + 1,
                     time(),
                     fmt::format("event before step {}: {}", steps_ + 1, done.error().text())};
    ++next_event_;
  }
  // With several lanes, those that have moved are put back if a later one refuses.
  std::vector<State> former;
  std::vector<Memory> memories;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (lanes_.size() > 1) {
      former.push_back(state(static_cast<int>(i)));
      memories.push_back(lane.integrator->memory());
    }
    lane.last = lane.integrator->advance(*system_, lane.step, lane.state);
    if (lane.last.ok()) continue;
    for (std::size_t j = 0; j < i; ++j) {
      lanes_[j].state = former[j];
      lanes_[j].integrator->prepare(*system_, former[j]);
      (void)lanes_[j].integrator->restore(memories[j]);
    }
    return Refusal{static_cast<int>(i), lane.last, steps_ + 1, lane.state.t,
                   sentence(lane, steps_ + 1, system_->size())};
  }
  for (Lane& lane : lanes_) {
    ++lane.step_index;
    lane.state.t = lane.time_origin + static_cast<double>(lane.step_index) * lane.step;
    lane.work.add(lane.last.work);
    lane.inner_steps += lane.last.inner_steps;
    lane.rejected += lane.last.rejected;
    lane.complete = false;
  }
  ++steps_;
  reached_.clear();
  return {};
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
  auto wanted = with_edits(wanted_, settings);
  if (!wanted) return wanted.error();
  Scenario next = as_far_as_live(*wanted);
  const std::vector<Setting> changes = differences(present_, next);
  std::vector<Sample> reached = reached_;
  for (int i = static_cast<int>(reached.size()); i < lane_count(); ++i)
    reached.push_back(sample(i));
  if (auto done = adopt(std::move(next), changes); !done) return done;
  wanted_ = std::move(*wanted);
  if (changes.empty()) return {};
  reached_ = std::move(reached);
  note(Event{steps_, changes});
  // Neither has another number of steps, where the stride came from that.
  if (base_stride(record_) != first_stride_) record_.every = first_stride_;
  if (!stride_changes(record_.events)) return {};
  // Another plan may take in events that set the stride, or leave some out: what was left out of
  // the rows does not come back.
  const std::int64_t planned = sampling_stride(record_);
  if (planned % stride_ == 0)
    stride_ = planned;
  else
    record_.events[next_event_ - 1].set.push_back({"every", json::Node::whole(stride_)});
  return {};
}

void Simulation::note(Event event) {
  record_.events.insert(record_.events.begin() + static_cast<std::ptrdiff_t>(next_event_),
                        std::move(event));
  ++next_event_;
}

void Simulation::double_stride() {
  assert(steps_ > 0);
  stride_ *= 2;
  note({steps_, {{"every", json::Node::whole(stride_)}}});
  tags_.push_back({steps_, time(), fmt::format("every = {}", stride_)});
}

Result<void> Simulation::apply(const Event& event) {
  // The stride of events up to the planned end is that of all rows already.
  std::vector<Setting> settings;
  std::int64_t stride = stride_;
  for (const Setting& setting : event.set) {
    if (setting.path != "every") {
      settings.push_back(setting);
      continue;
    }
    const auto next = widened(stride, static_cast<std::int64_t>(setting.value.number));
    if (!next)
      return Error{ErrorKind::usage, "every",
                   fmt::format("must be a multiple of the stride before, {}, or divide it, not {}",
                               stride, json::shortest(setting.value.number))};
    stride = *next;
  }
  auto next = with_settings(present_, settings);
  if (!next) return next.error();
  if (const auto held = differences(as_far_as_live(*next), *next); !held.empty())
    return Error{ErrorKind::usage, held[0].path, "takes a reset: it cannot change while running"};
  auto wanted = with_settings(wanted_, settings);
  if (!wanted) return wanted.error();
  if (auto done = adopt(std::move(*next), event.set); !done) return done;
  wanted_ = std::move(*wanted);
  stride_ = stride;
  return {};
}

Scenario Simulation::as_far_as_live(Scenario next) const {
  const bool other_size = next.size() != present_.size();
  if (next.system != present_.system) {
    next.system = present_.system;
    next.parameters = present_.parameters;
  }
  for (const ParameterInfo& p : system_info_->parameters)
    if (!p.live || (other_size && p.shape == Shape::per_body))
      next.parameters.find(p.key)->second = present_.parameters.find(p.key)->second;
  next.q = present_.q;
  next.omega = present_.omega;
  next.every = present_.every;
  return next;
}

Result<void> Simulation::adopt(Scenario next, const std::vector<Setting>& changes) {
  std::shared_ptr<const System> former;
  if (next.parameters != present_.parameters) {
    auto made = make_system(next);
    if (!made) return made.error();
    for (int i = 0; i < lane_count(); ++i) (void)state(i);
    former = std::exchange(system_, std::move(*made));
  }
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    (void)state(static_cast<int>(i));
    reconfigure(lanes_[i], present_.lanes[i], next.lanes[i], former.get());
  }
  const bool step_changed = next.lanes[0].step != present_.lanes[0].step;
  if (next.duration != present_.duration) end_time_ += next.duration - present_.duration;
  if (step_changed || next.duration != present_.duration) {
    const double left = end_time_ - time();
    planned_steps_ = steps_ + (left > 0 ? count_steps(left, lanes_[0].step).steps : 0);
  }
  present_ = std::move(next);
  std::string text;
  for (const auto& [path, value] : changes)
    text += (text.empty() ? "" : ", ") + path + " = " + json::write(value);
  if (!changes.empty()) tags_.push_back({steps_, time(), std::move(text)});
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

Sample Simulation::sample(int index) {
  const State& now = state(index);
  const Lane& held = lane(index);
  return measure(*system_, now, held.energy_reference, held.work.value());
}

Sample Simulation::row(int index) {
  return reached_.empty() ? sample(index) : reached_[static_cast<std::size_t>(index)];
}

Scenario Simulation::continuation() {
  Scenario s = present_;
  const State& now = state(0);
  const Lane& held = lane(0);
  s.q = now.q;
  s.omega = now.w;
  Continuation c;
  c.time_origin = held.time_origin;
  c.step_index = held.step_index;
  c.energy_reference = held.energy_reference;
  c.work = held.work.sum;
  c.memory = held.integrator->memory();
  c.memory.emplace_back(compensation_name, std::vector<double>{held.work.compensation});
  s.continuation = std::move(c);
  for (std::size_t i = next_event_; i < record_.events.size(); ++i) {
    s.events.push_back(record_.events[i]);
    s.events.back().step -= steps_;
  }
  // A default may not suit the events to come.
  if (stride_changes(s.events) && s.every == 0) s.every = first_stride_;
  return s;
}

Scenario Simulation::rewound() const {
  Scenario s = wanted_;
  if (!record_.continuation) return s;
  // A loaded state whose settings have changed: its time stays, its energies and the method's
  // variables begin anew, on the sphere if the method keeps it.
  Continuation& c = *s.continuation;
  const bool changed = s.parameters != record_.parameters || s.lanes != record_.lanes ||
                       s.size() != record_.size() || s.q != record_.q || s.omega != record_.omega;
  if (!changed) return s;
  c.time_origin += static_cast<double>(c.step_index) * record_.lanes[0].step;
  c.step_index = 0;
  State start{c.time_origin, s.q, s.omega};
  for (const Lane& lane : lanes_)
    if (lane.info->keeps_sphere) (void)settle(start);
  s.q = start.q;
  s.omega = start.w;
  // Settings that cannot make a system are not taken.
  if (const auto system = make_system(s)) c.energy_reference = total_energy(**system, start);
  c.work = 0;
  c.memory.clear();
  return s;
}

}  // namespace twosphere
