// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/studies/system_report.h"

namespace twosphere {

/// A line of a report, in the window and on the command line.
struct ReportLine {
  enum class Finding {
    none,     ///< information, or neither one nor the other
    ok,       ///< a check that passed
    warning,  ///< something is wrong
  };
  std::string label;  ///< "gradient"; of lines of a method with its name: "step of variational"
  std::string value;  ///< "agrees with differences of V to 1e-9 at 101 states"
  Finding finding = Finding::none;
};
std::vector<ReportLine> report_lines(const SystemReport& report);

}  // namespace twosphere
