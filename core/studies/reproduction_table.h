// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/studies/reproduction.h"

namespace twosphere {

/// The paper's numbers beside ours, run by run, with footnotes; lines of at most 100 columns.
std::string reproduction_text(const std::vector<ReproducedRun>& runs);
/// The same as a report in Markdown.
std::string reproduction_markdown(const std::vector<ReproducedRun>& runs);
/// The same as RFC 4180, one row per number: example, preset, integrator, inputs, quantity, unit,
/// ours, published, ratio, the range allowed, verdict, reason. Numbers of ours in full.
std::string reproduction_csv(const std::vector<ReproducedRun>& runs);

/// A number of the table in words.
struct ReproductionRow {
  std::string run;       ///< "variational, h 0.01 s, 100 s"
  std::string quantity;  ///< "mean energy error [J]"
  std::string ours, published, ratio, allowed;
  std::string_view verdict, reason;
};
std::vector<ReproductionRow> reproduction_rows(const ReproducedRun& run);

/// What a run was given: "h 0.01 s, 100 s, relative tolerance 1e-4, …".
std::string inputs(const ReproducedRun& run);
/// "2.1647e-5": as the paper prints numbers, with so many decimals.
std::string as_printed(double value, int decimals = 4);

}  // namespace twosphere
