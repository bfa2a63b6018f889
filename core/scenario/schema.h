// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

namespace twosphere {

/// The JSON Schema (2020-12) of scenario files, made from the table of keys (keys.h) and the
/// catalogue. A file that it refuses is refused by the reader, at the same path; it cannot check
/// everything that the reader checks, as its description says. Units, ranges of sliders, and
/// whether a parameter may change during a run are given as "x-unit", "x-range" and "x-live".
json::Node scenario_schema();

}  // namespace twosphere
