// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "tests/bench/plain_pendulum.h"

namespace twosphere::test {

/// Takes so many steps of the double pendulum in loops that are compiled for this processor alone;
/// false if one does not converge.
bool fast_pendulum(const PlainStart& start, double h, std::int64_t steps);

}  // namespace twosphere::test
