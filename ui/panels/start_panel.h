// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/sphere.h"

namespace twosphere::ui {

/// Direction and angular velocity of one body.
struct BodyStart {
  Vec3 q, w;
};

/// The start whose q has the value c in component k: the other two keep their ratio and follow so
/// that |q| = 1; ω is carried along by the rotation from the old q to the new, so that |ω| stays.
/// Needs |c| ≤ 1.
BodyStart with_direction(const BodyStart& from, int k, double c);
/// The start whose ω has the value c in component k: the other two move as little as can be for
/// q·ω = 0. Nothing where q points along axis k, as ω has no such part there.
std::optional<BodyStart> with_velocity(const BodyStart& from, int k, double c);

}  // namespace twosphere::ui
