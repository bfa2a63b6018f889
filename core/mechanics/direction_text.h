// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// "q[0] = [0.6000, 0.0000, 0.8000], q[1] = …" for messages; empty for more than four bodies.
std::string direction_list(const Columns& q);

/// "e1", "e2", "e3" or three numbers that are not all 0, "0,-2,0": a vector along this direction,
/// of any length. None for anything else.
std::optional<Vec3> parse_direction(const std::string& text);
/// A unit vector so that parse_direction() reads it: "e3", "0.6,0,0.8".
std::string direction_name(const Vec3& direction);

}  // namespace twosphere
