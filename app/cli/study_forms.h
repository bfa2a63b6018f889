// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/sweep_grid.h"

/// Forms of `twosphere study` with their own sources. They return the exit status.
namespace twosphere {

/// `twosphere study cloud`: follows nearby orbits and measures their distances; writes the table
/// `csv` if it is not empty.
int study_cloud(const PlanOptions& plan, const GridOptions& members, const std::string& csv,
                bool quiet);

/// The options of `twosphere study section`, as written on the command line.
struct SectionStudyOptions {
  GridOptions grid;
  std::string points;
};

/// Follows orbits from several starts, up to `threads` at the same time, and writes the points in
/// which they cross a section.
int study_section(const PlanOptions& plan, const SectionStudyOptions& options, int threads,
                  bool quiet);

}  // namespace twosphere
