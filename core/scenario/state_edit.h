// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/document.h"
#include "core/mechanics/state.h"
#include "core/scenario/setting.h"

namespace twosphere {

/// What the settings "state.q[i]" and "state.omega[i]" of an event make of a body.
struct BodyEdit {
  std::optional<Vec3> q;      ///< |q| = 1 to rounding
  std::optional<Vec3> omega;  ///< [rad/s]; only its part ⟂ q counts
};
using StateEdits = std::map<int, BodyEdit>;  ///< by body

/// Whether a path is one of the state during a run.
inline bool is_of_state(const SettingPath& path) { return path.key() == "state"; }

/// Reads the value of such a path for so many bodies. q is normalised like that of a start written
/// by hand. Throws a Failure with the place.
void read_state_edit(const document::Value& value, const SettingPath& path, int bodies,
                     StateEdits& edits);
/// Those of the settings that are of the state.
Result<StateEdits> state_edits(const std::vector<Setting>& settings, int bodies);

/// The state with these edits. ω of a body whose q alone is edited is carried along by the smallest
/// rotation from the old q to the new one.
State edited(State state, const StateEdits& edits);

}  // namespace twosphere
