// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/mechanics/state.h"
#include "core/scenario/document.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// The change of a body by the settings "state.q[i]" and "state.omega[i]" of an event.
struct BodyEdit {
  std::optional<Vec3> q;      ///< |q| = 1 to rounding
  std::optional<Vec3> omega;  ///< [rad/s]; only the part ⟂ q is used
};
using StateEdits = std::map<int, BodyEdit>;  ///< by body

/// Whether a path refers to the state during a run.
inline bool is_of_state(const SettingPath& path) { return path.key() == "state"; }

/// The settings that edit the state (`of_state`), or the others.
std::vector<Setting> part_of(const std::vector<Setting>& settings, bool of_state);

/// Reads the value of such a path for a system of `bodies` bodies. q is normalised like that of a
/// hand-written start. Throws a Failure with the location.
void read_state_edit(const document::Value& value, const SettingPath& path, int bodies,
                     StateEdits& edits);
/// The settings that refer to the state.
Result<StateEdits> state_edits(const std::vector<Setting>& settings, int bodies);

/// Applies the edit of a body. If only its q is edited, ω is rotated with the smallest rotation
/// from the old q to the new one.
void edit(State& state, int body, const BodyEdit& edit);
/// The state with these edits applied.
State edited(State state, const StateEdits& edits);

}  // namespace twosphere
