// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/run_view.h"
#include "core/run/sample_rows.h"
#include "core/worker/row_writer.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

/// The rows of a run that is stepped without a worker, as the window keeps them, for plots.
class RowCollector {
 public:
  /// Of a run at its start. Tangent vectors follow it from now on if one of the plots needs them.
  RowCollector(Simulation& run, const std::vector<ui::PlotSpec>& plots);

  /// Adds the row of the present step if there is one. Call at the start and after every step.
  void record(Simulation& run);
  /// The rows so far. Distances are measured from the lane `reference`.
  RunView view(const Simulation& run, std::size_t reference = 0);

 private:
  void take(const Simulation& run);

  RowWriter rows_;
  std::vector<SampleRows> taken_;
  std::vector<History> lanes_;
  std::int64_t every_;        // stride of the histories
  std::size_t recorded_ = 0;  // since the last take()
};

}  // namespace twosphere
