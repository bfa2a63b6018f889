// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/drag_edit.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "core/mechanics/first_order.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/state_edit.h"

namespace twosphere {

namespace {

bool moves(const DragEdit& drag, const System& system, int body) {
  return body == drag.body || (drag.below && system.lever(body, drag.body) != 0);
}

/// What the edit does to one of the bodies that it moves. ω of a single body that is moved during a
/// run is left to each lane, which rotates its own; that of a system of first order follows from q.
BodyEdit edit_of(const DragEdit& drag, const System& system, const State& from, int body,
                 bool start) {
  BodyEdit change;
  const bool dragged = body == drag.body;
  if (dragged && drag.omega) change.omega = *drag.omega;
  if (!drag.q) return change;
  const Vec3 q0 = from.q.col(drag.body);
  // The others are rotated rigidly, by the rotation that takes q_0 to the new direction.
  change.q = dragged ? *drag.q : Vec3(carried(q0, *drag.q, from.q.col(body)).normalized());
  if (!change.omega && (start || drag.below) && !first_order(system))
    change.omega = carried(q0, *drag.q, from.w.col(body));
  return change;
}

/// Makes in a state what the edit does to the bodies of the state `from`, of the same or another
/// lane.
void apply_drag(const DragEdit& drag, const System& system, const State& from, bool start,
                State& state) {
  // A start keeps its base where it is, a later state its centre of mass.
  const std::optional<BaseStart> base = start ? base_of(state, system) : std::nullopt;
  for (int body = 0; body < system.size(); ++body)
    if (moves(drag, system, body)) edit(state, body, edit_of(drag, system, from, body, start));
  if (first_order(system)) complete_first_order(system, state.t, state);
  if (base) set_base(state, system, *base);
}

}  // namespace

State edited(const State& start, const DragEdit& drag, const System& system) {
  State to = start;
  apply_drag(drag, system, start, true, to);
  return to;
}

std::vector<Setting> settings_of(const DragEdit& drag, const System& system, const State& from,
                                 bool start) {
  const char* const section = start ? "initial" : "state";
  std::vector<Setting> settings;
  const auto add = [&](const char* key, int body, const std::optional<Vec3>& value) {
    if (value)
      settings.push_back(
          {fmt::format("{}.{}[{}]", section, key, body), json::Node::numbers({value->data(), 3})});
  };
  // A start is tangent to rounding already, so that it is taken bit for bit.
  const State to = start ? edited(from, drag, system) : State();
  for (int body = 0; body < system.size(); ++body) {
    if (!moves(drag, system, body)) continue;
    BodyEdit change = edit_of(drag, system, from, body, start);
    if (change.omega && start) change.omega = to.w.col(body);
    add("q", body, change.q);
    add("omega", body, change.omega);
  }
  return settings;
}

Result<void> check_body(const Simulation& run, int lane, int body) {
  if (lane < 0 || lane >= run.lane_count())
    return Error{ErrorKind::usage, "lane", "there is no lane of this number"};
  if (body < 0 || body >= run.system()->size())
    return Error{ErrorKind::usage, "body", "there is no body of this number"};
  return {};
}

Result<void> OpenDragEdit::move(const DragEdit& to, Simulation& simulation) {
  const System& system = *simulation.system();
  if (auto there = check_body(simulation, to.lane, to.body); !there) return there;
  if ((to.q && !(unit_length_error(*to.q) < 1e-9)) || (to.omega && !to.omega->allFinite()))
    return Error{ErrorKind::usage, "body", "a direction must have length 1, and ω be finite"};
  if (to.omega && first_order(system))
    return Error{ErrorKind::usage, fmt::format("state.omega[{}]", to.body),
                 std::string(follows_from_q)};
  const bool start = simulation.edits_start();
  next_.resize(static_cast<std::size_t>(simulation.lane_count()));
  for (int i = 0; i < simulation.lane_count(); ++i) {
    auto& [state, sample] = next_[static_cast<std::size_t>(i)];
    state = simulation.state(i);
    apply_drag(to, system, simulation.state(to.lane), start, state);
    // An inertia that depends on q may not be positive definite there.
    if (to.q && std::holds_alternative<VariableInertia>(system.inertia()) &&
        !positive_definite(system.inertia(), state.q))
      return Error{ErrorKind::usage, fmt::format("state.q[{}]", to.body),
                   "the inertia is not positive definite and finite there"};
    const Lane& lane = simulation.lane(i);
    measure(system, state, lane.energy_reference, lane.work.value(), measuring_, sample);
    const double energy = sample[Quantity::total_energy];
    const double jump = energy - simulation.sample(i)[Quantity::total_energy];
    // The jump of the energy is work, at the start it moves E_0.
    CompensatedSum work = lane.work;
    if (!start && jump != 0) work.add(jump);
    sample[Quantity::work] = work.value();
    sample[Quantity::energy_error] = start ? 0 : energy - lane.energy_reference - work.value();
    sample[Quantity::time] = simulation.time();
    if (!finite(sample))
      return Error{ErrorKind::usage, fmt::format("state.q[{}]", to.body),
                   fmt::format("the energy of {} would not be a finite number", lane.name)};
  }
  // Valid in all lanes: what was shown before gives its memory for the next one.
  lanes_.swap(next_);
  edit_ = to;
  of_start_ = start;
  active_ = true;
  return {};
}

std::vector<Setting> OpenDragEdit::settings(Simulation& simulation) const {
  return settings_of(edit_, *simulation.system(), simulation.state(edit_.lane), of_start_);
}

}  // namespace twosphere
