// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/progress.h"
#include "app/session/live_run.h"
#include "core/output/csv.h"
#include "core/record/series.h"

namespace twosphere {

/// The CSV of a run up to the snapshot of the window, byte for byte that of the command line with
/// --plots, or of a time range. Quantities with their own names are empty in rows whose states
/// are not kept (StateStride). It shares the samples of the run: construction is fast and takes
/// some 3 bytes per sample, and it can be written on another thread while the run continues.
class RunTable {
 public:
  /// `plotted`: the expressions that have columns, as Scenario::plots.
  explicit RunTable(const LiveRun& run, std::optional<Range> time = {},
                    std::vector<PlottedExpression> plotted = {});

  std::size_t rows() const;
  std::string text() const;
  /// Writes PATH and its companion PATH.json, each completely or not at all. False if it was
  /// cancelled; then nothing was written.
  Result<bool> write(const std::string& path, Progress& progress) const;

 private:
  /// Passes the header and the rows to `take` until it returns false.
  void each(const std::function<bool(std::string_view)>& take) const;

  std::shared_ptr<const Scenario> record_;
  std::optional<Range> time_;
  std::vector<History> lanes_;
  std::vector<IndexRange> parts_;  // samples
  std::vector<Sample> end_;        // last row, if the run is at a step without a sample
  std::vector<std::vector<double>> end_named_;  // of that row
  CsvExtras extras_;
  std::vector<Signal> named_;  // requested_signals(), if they are columns
};

}  // namespace twosphere
