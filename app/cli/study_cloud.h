// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/sweep_grid.h"

namespace twosphere {

/// `twosphere study cloud`: follows nearby orbits and measures their distances; writes the table
/// `csv` if it is not empty. Returns the exit status.
int study_cloud(const PlanOptions& plan, const GridOptions& members, const std::string& csv,
                bool quiet);

}  // namespace twosphere
