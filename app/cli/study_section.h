// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/sweep_grid.h"

namespace twosphere {

/// The options of `twosphere study section`, as written on the command line.
struct SectionStudyOptions {
  GridOptions grid;
  std::string points;
};

/// Follows orbits from several starts, up to `threads` at the same time, and writes the points in
/// which they cross a section. Returns the exit status.
int study_section(const PlanOptions& plan, const SectionStudyOptions& options, int threads,
                  bool quiet);

}  // namespace twosphere
