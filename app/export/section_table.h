// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/base/progress.h"
#include "core/base/result.h"
#include "core/record/section_points.h"
#include "core/scenario/scenario.h"
#include "core/scenario/section_surface.h"

namespace twosphere {

/// The points of one lane on a section, and what they are of.
struct SectionTable {
  std::shared_ptr<const Scenario> record;  ///< with the section
  std::size_t lane = 0;
  std::string name;  ///< part of the name of its file if there are several
  SectionPoints points;
};

/// Writes each as `twosphere run --points` does, with its companion: PATH for a single one, else
/// NAME.LANE.csv. Each file is complete or is not written. False if it was cancelled.
Result<bool> write_sections(const std::vector<SectionTable>& tables, const std::string& path,
                            Progress& progress);

}  // namespace twosphere
