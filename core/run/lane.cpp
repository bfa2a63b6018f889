// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/base/interrupt.h"
#include "core/catalog.h"
#include "core/mechanics/attitude.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/first_order.h"
#include "core/mechanics/heat_bath.h"
#include "core/scenario/initial_conditions.h"

namespace twosphere {

double project_to_manifold(State& state) {
  double worst = 0;
  for (Eigen::Index i = 0; i < state.q.cols(); ++i)
    worst = std::max(worst, unit_length_error(state.q.col(i)));
  // A state that is on the manifold to rounding stays as it is, bit for bit.
  if (worst <= 1e-14) return 0;
  for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
    state.q.col(i).normalize();
    state.w.col(i) = tangent(state.q.col(i), state.w.col(i));
  }
  if (state.has_attitude()) settle_attitude(state.q, state.x);
  return worst;
}

Result<Lane> Lane::create(const Scenario& scenario, std::size_t index, const System& system) {
  const LaneSpec& spec = scenario.lanes[index];
  Lane lane;
  lane.name = spec.name;
  lane.info = find_integrator(spec.type);
  lane.clock.step = spec.step;
  // H/h, the own steps in a step of the run.
  const auto substeps = twosphere::substeps(grid_step(scenario.lanes), spec.step);
  if (!substeps)
    return Error{ErrorKind::usage, "lanes",
                 "the largest step must be a whole number of steps of each"};
  lane.substeps = *substeps;
  lane.integrator = lane.info->create(spec.values);
  IntegratorState memory;
  // A saved state: clock, work, E_0, and the variables of the method.
  if (scenario.continuation) {
    const RestartState::Lane& at = scenario.continuation->lanes[index];
    lane.state = saved_state(scenario, system, at);
    lane.clock.origin = at.time_origin;
    lane.clock.index = at.step_index;
    lane.clock.reversed = scenario.continuation->reversed;
    lane.work.sum = at.work;
    // The memory of a lane has entries of its own among those of the method.
    for (const auto& [name, values] : at.memory)
      if (name == work_compensation && !values.empty())
        lane.work.compensation = values[0];
      else if (!is_entry_of_lane(name) && !Exponents::is_entry(name))
        memory.emplace_back(name, values);
    lane.exponents = Exponents::load(at.memory, scenario.size());
    lane.state.t = lane.clock.time();
    lane.energy_reference = at.energy_reference;
  } else {
    lane.state = start_state(scenario, system, scenario.q, scenario.omega);
    lane.energy_reference = total_energy(system, lane.state);
  }
  lane.prepare(system);
  // The method begins from (q, ω), and continues from its saved variables if there are some.
  if (!memory.empty() && !lane.integrator->load_state(memory))
    return Error{ErrorKind::usage, "integrator_state",
                 fmt::format("is not what {} writes for {} bodies", spec.type, scenario.size())};
  return lane;
}

Lane Lane::begin(const LaneSpec& spec, State state, const RunClock& clock, const System& system) {
  Lane lane;
  lane.name = spec.name;
  lane.info = find_integrator(spec.type);
  // Its own clock begins at the time of the run.
  lane.clock = {clock.time(), spec.step, 0, clock.reversed()};
  lane.substeps = twosphere::substeps(clock.grid_step(), spec.step).value_or(1);
  lane.integrator = lane.info->create(spec.values);
  lane.state = std::move(state);
  lane.state.t = lane.clock.time();
  lane.energy_reference = total_energy(system, lane.state);
  lane.prepare(system);
  return lane;
}

void Lane::prepare(const System& system) {
  if (first_order(system)) complete_first_order(system, state.t, state);
  integrator->prepare(system, state);
}

StepReport Lane::take_step(const System& system, double h) {
  const HeatBath* bath = system.heat_bath();
  if (!bath) return take_step_in(system, h);
  // The noise belongs to the interval, whichever way it is crossed.
  const std::int64_t index = clock.reversed ? clock.index - 1 : clock.index;
  write_noise(system, *bath, {clock.origin, index, clock.step}, noise_);
  return take_step_in(BathedSystem(system, noise_), h);
}

StepReport Lane::take_step_in(const System& system, double h) {
  const StepReport report = exponents ? exponents->advance(system, *integrator, h, state)
                                      : integrator->advance(system, h, state);
  if (!report.ok()) return report;
  clock.advance(1);
  state.t = clock.time();
  return report;
}

/// Takes a step and finds the points of the section in it.
StepReport Lane::advance_across(const System& system, double h) {
  crossings->begin(system, *integrator, state);
  // Tangent vectors have no way back but a copy.
  const std::optional<Exponents> before = exponents;
  const std::int64_t step = clock.index;
  const StepReport report = take_step(system, h);
  if (!report.ok() || crossings->end(system, *integrator, h, state, step, report.inner_steps))
    return report;
  // Interrupted: the step is taken back.
  exponents = before;
  clock.advance(-1);
  stale = true;
  return {.status = StepStatus::interrupted};
}

std::int64_t Lane::advance(const System& system, std::int64_t count) {
  const double h = clock.signed_step();
  std::int64_t taken = 0;
  last = {};
  // Many at once, if nothing follows the single steps, and if each has no noise of its own.
  if (count > 1 && !exponents && !crossings && !system.heat_bath()) {
    taken = integrator->advance_many(system, h, count, state);
    clock.advance(taken);
    if (taken > 0) state.t = clock.time();
  }
  for (; taken < count; ++taken) {
    if (taken > 0 && interrupted()) {
      last = {.status = StepStatus::interrupted};
      break;
    }
    // Made where it stays: copying what was written just before would wait for it.
    new (&last) StepReport(crossings ? advance_across(system, h) : take_step(system, h));
    if (!last.ok()) {
      if (interrupted()) last.status = StepStatus::interrupted;
      break;
    }
    // The work of external forces and damping, with compensated rounding.
    if (last.work != 0) work.add(last.work);
    inner_steps += last.inner_steps;
    rejected += last.rejected;
    shortest_step = std::min(shortest_step, last.shortest_step);
  }
  steps += taken;
  if (taken > 0) complete = false;
  return taken;
}

std::int64_t Lane::advance_together(const System& system, std::int64_t count,
                                    std::span<Lane* const> lanes) {
  if (system.heat_bath()) return 0;  // each step has its own noise
  const double h = lanes[0]->clock.signed_step();
  std::int64_t taken = 0;
  if (lanes[0]->exponents) {
    // Vectors take the steps of the methods, too.
    std::vector<Exponents::Member> members;
    for (Lane* lane : lanes)
      members.push_back({&*lane->exponents, lane->integrator.get(), &lane->state});
    taken = Exponents::advance_together(system, h, count, members);
  } else {
    std::vector<Integrator::Member> members;
    for (Lane* lane : lanes) members.push_back({lane->integrator.get(), &lane->state});
    taken = lanes[0]->integrator->advance_together(system, h, count, members);
  }
  for (Lane* lane : lanes) {
    lane->last = {};
    lane->steps += taken;
    lane->clock.advance(taken);
    lane->state.t = lane->clock.time();
    if (taken > 0) lane->complete = false;
  }
  return taken;
}

void Lane::finish_state(const System& system) {
  if (!complete) integrator->complete(system, state);
  complete = true;
}

void Lane::save(const System& system, Checkpoint& to) {
  finish_state(system);
  // With ω up to date, as other systems and methods need it.
  static_cast<LaneState&>(to) = *this;
  integrator->save_state(to.memory);
}

void Lane::roll_back(const System& system, const Checkpoint& from) {
  static_cast<LaneState&>(*this) = from;
  complete = true;
  integrator->prepare(system, state);
  (void)integrator->load_state(from.memory);
  stale = interrupted();
}

bool Lane::refresh(const System& system) {
  if (!stale) return true;
  // The variables of the method survive what prepare() resets.
  const IntegratorState memory = integrator->saved_state();
  integrator->prepare(system, state);
  (void)integrator->load_state(memory);
  stale = interrupted();
  return !stale;
}

double Lane::reconfigure(const LaneSpec& before, const LaneSpec& now, const System& system,
                         const System* former, const State* edited) {
  finish_state(former ? *former : system);
  double moved = 0;
  const bool method_changed = now.type != before.type || now.values != before.values;
  if (former || edited || method_changed) {
    // The jump of E from the former system and state to the present ones is work.
    const double energy = total_energy(former ? *former : system, state);
    if (edited) state = *edited;
    if (method_changed) {
      const std::unique_ptr<Integrator> old = std::move(integrator);
      info = find_integrator(now.type);
      integrator = info->create(now.values);
      // The same method with other values keeps what it has learnt.
      if (now.type == before.type) integrator->take_over(*old);
      if (info->keeps_sphere) moved = project_to_manifold(state);
    }
    const double jump = total_energy(system, state) - energy;
    if (jump != 0) work.add(jump);
    prepare(system);
    if (exponents) exponents->project(system, state);
    if (crossings) crossings->change(crossings->surface());
  }
  name = now.name;
  if (now.step != before.step) clock.change_step(now.step);
  return moved;
}

RestartState::Lane Lane::restart_state() const {
  RestartState::Lane at;
  at.time_origin = clock.origin;
  at.step_index = clock.index;
  at.energy_reference = energy_reference;
  at.work = work.sum;
  at.memory = integrator->saved_state();
  at.memory.emplace_back(work_compensation, std::vector<double>{work.compensation});
  if (state.flies()) {
    const Vec3 x = state.x, v = state.v;
    at.memory.emplace_back(centre_entry, std::vector<double>{x[0], x[1], x[2], v[0], v[1], v[2]});
  }
  if (state.has_attitude()) {
    const std::span<const double> all = flat(state.x);
    at.memory.emplace_back(attitude_entry, std::vector<double>(all.begin(), all.end()));
  }
  if (exponents) exponents->save(at.memory);
  if (crossings) crossings->save(at.memory);
  return at;
}

}  // namespace twosphere
