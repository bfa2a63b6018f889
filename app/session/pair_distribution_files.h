// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/base/progress.h"
#include "core/base/described_file.h"
#include "core/record/pair_distribution.h"
#include "core/run/simulation.h"

namespace twosphere {

/// The pair distribution functions of the lanes of a run, each a table with a companion that
/// contains the record: means over the rows at which the lane was there.
class PairDistributionFiles {
 public:
  /// No files.
  PairDistributionFiles() = default;
  /// Opens a file per lane: lane_paths().
  static Result<PairDistributionFiles> open(const std::vector<std::string>& paths, int bins);

  /// Fails if there are no pairs.
  Result<void> begin(const Simulation& simulation);
  /// Adds the present state of each lane that has begun.
  void row(Simulation& simulation);
  /// Writes and commits all files; `branch`: the name of the branch that was run, if any. Returns
  /// the first failure.
  Result<void> commit(const Simulation& simulation, const std::string& branch = {});

 private:
  int bins_ = PairDistribution::default_bins;
  std::vector<DescribedFile> files_;
  std::vector<PairDistribution> lanes_;
};

/// Repeats `steps` steps of a run from its record and writes its pair distribution functions, byte
/// for byte those of `twosphere run --pair-distribution`. False if it was cancelled; then nothing
/// was written.
Result<bool> write_pair_distribution(Scenario record, std::int64_t steps, const std::string& path,
                                     Progress& progress);

}  // namespace twosphere
