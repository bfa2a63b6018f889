// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/studies/reproduction.h"

namespace twosphere {

/// A text table of the printed numbers and ours for each run, with footnotes; lines have at most
/// 100 columns.
std::string reproduction_text(const std::vector<ReproducedRun>& runs);
/// The same as a report in Markdown.
std::string reproduction_markdown(const std::vector<ReproducedRun>& runs);
/// The same as CSV (RFC 4180), one row per number: example, preset, integrator, inputs, quantity,
/// unit, ours, published, ratio, allowed range, verdict, reason. Our numbers have full precision.
std::string reproduction_csv(const std::vector<ReproducedRun>& runs);

/// One row of the table as text.
struct ReproductionRow {
  std::string run;       ///< "variational, h 0.01 s, 100 s"
  std::string quantity;  ///< "mean energy error [J]"
  std::string ours, published, ratio, allowed;
  std::string_view verdict, reason;
};
std::vector<ReproductionRow> reproduction_rows(const ReproducedRun& run);

/// The inputs of a run: "h 0.01 s, 100 s, relative tolerance 1e-4, …".
std::string inputs(const ReproducedRun& run);
/// "2.1647e-5": a number in the format of the paper, with this many decimals.
std::string as_printed(double value, int decimals = 4);

}  // namespace twosphere
