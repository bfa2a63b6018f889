// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/state.h"
#include "core/mechanics/system.h"
#include "core/scenario/document.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// The change of a body by the settings "state.q[i]" and "state.omega[i]" of an event.
struct BodyEdit {
  std::optional<Vec3> q;      ///< |q| = 1 to rounding
  std::optional<Vec3> omega;  ///< [rad/s]; only the part ⟂ q is used
};
/// The change of a state: of bodies, and of a base that flies by the settings
/// "state.base.position" and "state.base.velocity".
struct StateEdits {
  std::map<int, BodyEdit> bodies{};
  std::optional<Vec3> position{};  ///< x_0 [m]
  std::optional<Vec3> velocity{};  ///< ẋ_0 [m/s]

  bool empty() const { return bodies.empty() && !position && !velocity; }
};

/// Whether a path refers to the state during a run.
inline bool is_of_state(const SettingPath& path) { return path.key() == "state"; }

/// The settings that edit the state (`of_state`), or the others.
std::vector<Setting> part_of(const std::vector<Setting>& settings, bool of_state);

/// What can be edited of the states of a system.
struct EditableState {
  int bodies = 0;
  bool flies = false;        ///< a base that does
  bool first_order = false;  ///< ω follows from q
};
/// Reads the value of such a path for a system with such states. q is normalised like that of a
/// hand-written start. Throws a Failure with the location.
void read_state_edit(const document::Value& value, const SettingPath& path, const EditableState& of,
                     StateEdits& edits);
/// The settings that refer to the state of a system.
Result<StateEdits> state_edits(const std::vector<Setting>& settings, const System& system);

/// Applies the edit of a body. If only its q is edited, ω is rotated with the smallest rotation
/// from the old q to the new one.
void edit(State& state, int body, const BodyEdit& edit);
/// The state with these edits applied. Of a base that flies X and Ẋ stay, but for what is given of
/// the base itself.
State edited(State state, const StateEdits& edits, const System& system);

}  // namespace twosphere
