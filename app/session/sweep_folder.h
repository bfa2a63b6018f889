// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/studies/sweep_rows.h"

namespace twosphere {

/// The plan in the folder of a sweep.
inline constexpr const char* sweep_file = "sweep.json";

/// The sweep in a folder: reads its sweep.json.
Result<SweepFolder> open_sweep(const std::string& path);
/// Writes the plan of a sweep into a folder, which is made if it is not there. Fails if it has
/// another plan.
Result<SweepFolder> make_sweep(const std::string& path, const Sweep& sweep);

/// Rows cost time: where no measure depends on them, and the scenario does not say how often, takes
/// one every 1000 steps.
void take_few_rows(Sweep& sweep);
/// Fails if neither the first, the middle nor the last task begins, with the error of the first,
/// whose place is `axes` or, for what its measures need, `measures`.
Result<void> check_sweep(const Sweep& sweep, const std::string& axes, const std::string& measures);

}  // namespace twosphere
