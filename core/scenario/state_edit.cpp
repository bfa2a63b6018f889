// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/state_edit.h"

#include <fmt/format.h>

#include <string>

#include "core/base/exceptions.h"
#include "core/mechanics/attitude.h"
#include "core/scenario/initial_conditions.h"
#include "core/scenario/parameter_io.h"

namespace twosphere {

using document::Value;

std::vector<Setting> part_of(const std::vector<Setting>& settings, bool of_state) {
  std::vector<Setting> part;
  for (const Setting& setting : settings)
    if (is_of_state(setting.path) == of_state) part.push_back(setting);
  return part;
}

void read_state_edit(const Value& value, const SettingPath& path, const EditableState& of,
                     StateEdits& edits) {
  const bool of_place = path == "state.base.position";
  if (of_place || path == "state.base.velocity") {
    if (!of.flies) value.fail(std::string(no_base_flies));
    (of_place ? edits.position : edits.velocity) = read_vector(value, of_place ? "m" : "m/s");
    return;
  }
  const auto index = path.index(2);
  const bool of_q = path.key(1) == "q", of_omega = path.key(1) == "omega";
  if (!index || path.size() != 3 || !(of_q || of_omega))
    value.fail(
        "an event sets state.q[i], state.omega[i], state.base.position or state.base.velocity, a "
        "list of 3 numbers");
  if (*index >= static_cast<std::size_t>(of.bodies))
    value.fail(fmt::format("there {} {} bod{}, counted from 0", of.bodies == 1 ? "is" : "are",
                           of.bodies, of.bodies == 1 ? "y" : "ies"));
  if (of_omega && of.first_order) value.fail(std::string(follows_from_q));
  BodyEdit& edit = edits.bodies[static_cast<int>(*index)];
  (of_q ? edit.q : edit.omega) = of_q ? read_direction(value) : read_vector(value, "rad/s");
}

Result<StateEdits> state_edits(const std::vector<Setting>& settings, const System& system) {
  const document::Origin unnamed;
  StateEdits edits;
  try {
    for (const auto& [path, value] : settings)
      if (is_of_state(path))
        read_state_edit(Value(unnamed, value, path.text()), path,
                        {system.size(), system.free_base() != nullptr, first_order(system)}, edits);
  } catch (const Failure& failure) {
    return failure.error();
  }
  return edits;
}

void edit(State& state, int body, const BodyEdit& edit) {
  const Vec3 before = state.q.col(body);
  const Columns from = state.has_attitude() ? state.q : Columns();
  Vec3 w = state.w.col(body);
  // ω is carried along the great circle to the new direction; what is given of it is made tangent.
  if (edit.q) {
    w = carried(before.normalized(), *edit.q, w);
    state.q.col(body) = *edit.q;
    if (state.has_attitude()) carry_attitude(from, state);
  }
  const Vec3 q = state.q.col(body);
  if (edit.omega) w = *edit.omega;
  state.w.col(body) = w - q * (q.dot(w) / q.squaredNorm());
}

State edited(State state, const StateEdits& edits, const System& system) {
  for (const auto& [body, change] : edits.bodies) edit(state, body, change);
  if (!edits.position && !edits.velocity) return state;
  const Columns x = state.x, v = state.v;
  const Vec3 none = Vec3::Zero();
  set_base(state, system, {edits.position.value_or(none), edits.velocity.value_or(none)});
  if (!edits.position) state.x = x;
  if (!edits.velocity) state.v = v;
  return state;
}

}  // namespace twosphere
