// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/mechanics/sphere.h"

namespace twosphere {

/// "q[0] = [0.6000, 0.0000, 0.8000], q[1] = …" for messages; empty for more than four bodies.
std::string direction_list(const Columns& q);

}  // namespace twosphere
