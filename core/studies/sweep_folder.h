// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/studies/sweep_rows.h"

namespace twosphere {

/// The plan in the folder of a sweep.
inline constexpr const char* sweep_file = "sweep.json";
/// The table of the equilibria whose basins are measured, if any are.
inline constexpr const char* equilibria_file = "equilibria.csv";

/// The sweep in a folder: reads its sweep.json.
Result<SweepFolder> open_sweep(const std::string& path);
/// Whether this version of the program made it: only that one gives the same bytes.
Result<void> check_version(const SweepFolder& folder);
/// Writes the plan of a sweep into a folder, which is made if it is not there, with the table of
/// its equilibria. Fails if it has another plan.
Result<SweepFolder> make_sweep(const std::string& path, const Sweep& sweep);

}  // namespace twosphere
