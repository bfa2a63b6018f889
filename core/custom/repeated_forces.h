// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/custom/model.h"

namespace twosphere::custom {

/// Whether it follows from the texts that all forces are the same a time [s] later, whatever the
/// state. What is true here holds at every time; where it is false nothing is known.
///
/// Every part of a text is looked at from the inside outwards: by how much it grows in that time, t
/// itself by all of it, and whether it changes its sign. Sines and cosines of what grows by a
/// multiple of 2π, to 1e-9, are the same again; conditions, where both sides grow by as much.
bool forces_repeat_after(const Model& model, const Values& values, double time);

/// The shortest time after which this follows [s]: a common_period() of all sines, cosines and
/// tangents that grow with t, or a part of it, down to a twelfth. 0 where it is not known.
double period_of_forces(const Model& model, const Values& values);

}  // namespace twosphere::custom
