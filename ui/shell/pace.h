// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/worker/worker.h"

namespace twosphere::ui {

/// The available factors of real time: 1-2-5 from 0.01 to 100.
std::span<const double> speed_factors();

/// The next faster pace: the next factor, and after the last one as fast as possible. Every-step
/// pacing counts as factor 1.
Pace faster(const Pace& pace);
/// The next slower pace, down to the smallest factor.
Pace slower(const Pace& pace);

/// "0.5× real time", "every step", "as fast as possible".
std::string describe(const Pace& pace);
/// The short form: "0.5×", "steps", "max".
std::string short_name(const Pace& pace);

}  // namespace twosphere::ui
