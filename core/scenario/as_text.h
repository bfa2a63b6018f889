// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/scenario/scenario.h"

namespace twosphere {

/// The scenario with its system as text, of the type custom, for a separate document: the same
/// title, start, lanes, duration, sampling, stop conditions and view. It has no events and no
/// branches, whose paths name parameters of the built-in system. A saved state becomes a start at
/// t = 0 with q and ω of the first lane. A custom scenario is returned as it is. An error if the
/// system has no text (SystemInfo::text) or is too large for one, see translate().
Result<Scenario> as_text(const Scenario& scenario);

}  // namespace twosphere
