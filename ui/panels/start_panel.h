// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/mechanics/sphere.h"

namespace twosphere::ui {

/// Direction and angular velocity of one body.
struct BodyStart {
  Vec3 q, w;
};

/// The start with component k of q set to c. The other two components keep their ratio and are
/// scaled such that |q| = 1. ω is rotated with q, so that |ω| does not change. Requires |c| ≤ 1.
BodyStart with_direction(const BodyStart& from, int k, double c);
/// The start with component k of ω set to c. The other two components change as little as possible
/// such that q·ω = 0. None if q points along axis k, where this component of ω must be 0.
std::optional<BodyStart> with_velocity(const BodyStart& from, int k, double c);

}  // namespace twosphere::ui
