// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "core/record/pair_distribution.h"
#include "core/record/run_view.h"

namespace twosphere {

/// The pair distribution function of each lane of a run that continues: the mean over all its
/// stored states.
class PairMean {
 public:
  /// Counts the states that were stored since the last call, for about `turn` and at least one;
  /// returns whether all are counted now. It begins anew with another number of bins, where fewer
  /// states are kept, where missing ones have been given, and where the run does not continue the
  /// one before. There are no lanes of a run of fewer than two bodies.
  bool proceed(const RunView& run, int bins, std::chrono::steady_clock::duration turn);

  /// Of lanes without states, one without rows.
  const std::vector<PairDistribution>& lanes() const { return lanes_; }

 private:
  /// Whether what is counted belongs to this run.
  bool continues(const RunView& run, int bins) const;

  std::vector<PairDistribution> lanes_;
  int bins_ = 0;
  std::size_t first_ = 0;              // sample of the first lane that is not missing
  std::size_t stride_ = 0, next_ = 0;  // of samples
  std::size_t last_ = 0;               // the sample that was counted last
  std::vector<Columns> last_q_;        // its state in each lane; empty where it has none
};

}  // namespace twosphere
